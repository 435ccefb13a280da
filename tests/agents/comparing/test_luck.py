"""Luck in whole games, and results of tournaments less luck."""

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from t2r_agents.comparing.rating.ladder import make_ladder, write_ladders
from t2r_agents.comparing.review.luck import luck_in_game, luck_in_games, tickets_drawn
from t2r_agents.comparing.tournament.adjusted import adjust, fewer_games, less_luck, luck_of_seats
from t2r_agents.comparing.tournament.terminal import show_luck
from t2r_agents.comparing.tournament.tournament import Tournament
from t2r_agents.playing.values import Judge, with_new_chance
from t2r_env import Games, configure
from t2r_env.agents import FunctionAgent
from t2r_env.commands import main as t2r
from tests.agents.comparing.test_tournament_command import run
from tests.helpers import odd_agents
from tests.helpers.odd_agents import path_of
from tests.helpers.refusing import refusal

Capture = pytest.CaptureFixture[str]

CONFIGURATION = configure("new_york", 2)
PAIR = ["greedy", "random"]


@pytest.fixture(scope="module")
def tournament() -> Tournament:
    """Games of greedy against random."""
    played = Tournament(CONFIGURATION, PAIR, 60, 3, record=True)
    list(played.play())
    return played


def test_luck_is_0_on_average_and_that_of_two_players_in_chances_adds_up_to_0(tournament: Tournament) -> None:
    firsts = [entry for entry in tournament.entries if entry.seat == 0]
    luck = luck_in_games(Judge(CONFIGURATION), [it.seed for it in firsts], [it.actions for it in firsts])
    assert luck.shape == (60, 2, 2)
    assert luck[:, :, 0].sum(axis=1) == pytest.approx(np.zeros(60), abs=1e-6)
    own = luck[:, 0]
    assert (abs(own.mean(axis=0)) < 4 * own.std(axis=0) / 60**0.5).all()
    assert (own.std(axis=0) > (0.01, 0.2)).all()


def test_a_game_alone_has_the_luck_that_it_has_among_others(tournament: Tournament) -> None:
    """With tickets that were drawn after others had been refused."""
    judge, draw = Judge(CONFIGURATION), CONFIGURATION.layout.actions["draw_tickets"].start
    most = max(tournament.entries, key=lambda entry: entry.actions.count(draw))
    replay = tournament.record(most.game)
    states = np.concatenate([games.states.copy() for games in replay.games()])
    alone, _ = luck_in_game(judge, states, np.array(replay.actions))
    among = luck_in_games(judge, [most.seed], [replay.actions])
    assert (tickets_drawn(states[:-1], states[1:]) > 0).sum() > 1
    assert alone.sum(axis=0) == pytest.approx(among[0])


def test_tickets_that_somebody_has_refused_stay_at_the_bottom_of_the_deck() -> None:
    """They are known to lie there (C12), so what could come is a shuffled top."""
    games = Games("usa", batch=64, seed=1)
    unseen = games.states["queue_count"].astype(np.int64)
    refuse, keep = (games.layout.actions[name].start for name in ("refuse_ticket", "keep_ticket"))
    while (rows := np.flatnonzero(games.masks[:, keep] == 1)).size:
        before = games.states[rows].copy()
        games.step(np.where(games.masks[rows, refuse] == 1, refuse, keep), rows)
        unseen[rows] -= tickets_drawn(before, games.states[rows])
    states = games.states.copy()
    known = states["queue_count"] - unseen
    assert (known > 0).all()
    shuffled = with_new_chance(states, np.arange(64, dtype=np.uint64), unseen)
    for old, new, number in zip(states, shuffled, unseen.tolist(), strict=True):
        places = (int(old["queue_head"]) + np.arange(int(old["queue_count"]))) % old["ticket_queue"].size
        assert np.array_equal(old["ticket_queue"][places[number:]], new["ticket_queue"][places[number:]])
        assert sorted(old["ticket_queue"][places[:number]]) == sorted(new["ticket_queue"][places[:number]])
    assert not np.array_equal(states["ticket_queue"], shuffled["ticket_queue"])


def test_results_less_luck_keep_their_mean_and_vary_less_if_luck_is_in_them() -> None:
    """The share of luck that is taken off is that of the other half of the deals."""
    rng = np.random.default_rng(0)
    luck, skill = rng.normal(size=(2, 2000))
    less = less_luck(0.5 + 2 * luck + skill, 3 * luck)
    assert less.std() == pytest.approx(1, abs=0.05)
    assert less.mean() == pytest.approx(0.5, abs=0.1)
    assert less_luck(skill, np.zeros(2000)) == pytest.approx(skill)
    assert less_luck(skill, luck).std() == pytest.approx(skill.std(), rel=0.02)  # luck that says nothing
    results, luck = np.array([1.0, 2, 3, 5]), np.array([1.0, 2, 0, 1])  # shares: -2 in the even deals, -3 in the odd
    assert less_luck(results, luck).tolist() == [1 + 3 * 1, 2 + 2 * 2, 3 + 3 * 0, 5 + 2 * 1]  # each takes the other's


def test_a_tournament_shows_results_less_luck(tmp_path: Path, tournament: Tournament, capsys: Capture) -> None:
    command = ["--variant", "new_york", "--agents", *PAIR, "--games", 8, "--seed", 3, "--out", tmp_path]
    assert run(*command, "--luck-adjusted") == 0
    assert "less luck" in capsys.readouterr().out
    with (tmp_path / "luck.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    seats = luck_of_seats(tournament, tournament.entries[:16], lambda done, total: None)
    assert [float(row["win_luck"]) for row in rows] == pytest.approx([it.luck[0] for it in seats], abs=0.2)
    assert [float(row["margin"]) for row in rows] == [it.margin for it in seats]
    first, second = adjust(seats)
    assert (first.agent, second.agent) == ("greedy", "random")
    assert first.wins.value == pytest.approx(np.mean([it.entry.win for it in seats if it.entry.agent == "greedy"]))
    assert fewer_games(first.margin, first.margin) == pytest.approx(1)
    alike = adjust([replace(it, margin=1.0, luck=np.zeros(2)) for it in seats])
    assert [it.margin_adjusted.high for it in alike] == [np.inf, np.inf]  # of equal deals nothing is known


def test_of_a_single_deal_no_interval_is_shown(tournament: Tournament, capsys: Capture) -> None:
    show_luck(tournament, [it for it in tournament.entries if it.deal == 0], ["greedy", "random"], None)
    shown = capsys.readouterr().out
    assert "%" in shown
    assert "±" not in shown


def test_games_that_were_forfeited_are_left_out_and_told(capsys: Capture) -> None:
    command = ["--variant", "new_york", "--agents", path_of(odd_agents.Crashing), "random", "--games", 12, "--seed", 1]
    assert run(*command, "--luck-adjusted") == 0
    printed = capsys.readouterr().out
    found = re.search(r"(\d+) games that were not played to their end,", printed)
    assert found
    assert f"forfeited {found[1]} games" in printed


def test_games_that_end_otherwise_when_they_are_played_again_are_left_out_of_luck(tournament: Tournament) -> None:
    """Their luck is that of other games, and an agent may fail in them, as one that depends on the time it takes."""
    entries = [replace(entry, actions=()) for entry in tournament.entries[:16]]
    again = Tournament(CONFIGURATION, PAIR, 60, 3, entries)
    again.fixtures[5] = replace(again.fixtures[5], agent_key=bytes(len(again.fixtures[5].agent_key)))
    found = luck_of_seats(again, entries, lambda done, total: None)
    assert sorted({it.entry.game for it in found}) == [0, 1, 2, 3, 4, 6, 7]
    again.agents["random"] = FunctionAgent(lambda decisions: np.full(len(decisions), -1))
    assert luck_of_seats(again, entries, lambda done, total: None) == []


def test_without_a_network_of_values_no_game_is_played(capsys: Capture) -> None:
    for command in (["tournament", "--agents", "greedy", "random"], ["rate", "greedy"]):
        told = refusal(capsys, t2r, *command, "--num-players", "4", "--tickets", "mega", "--luck-adjusted")
        assert "there is no network of values for usa, 4 players, tickets mega" in told


def test_a_rating_shows_the_results_less_luck_of_its_games(tmp_path: Path, capsys: Capture) -> None:
    """And of several games only those of which there are values."""
    ladder, out = tmp_path / "ladder.json", tmp_path / "rating.json"
    games = CONFIGURATION, configure("usa", 3)
    write_ladders(ladder, [make_ladder(it, it.variant.id, 4, 0, "a test", references=PAIR) for it in games])
    command = ["rate", "racer", "--variant", "all", "--ladder", str(ladder), "--max-games", "8", "--processes", "1"]
    assert t2r([*command, "--seed", "3", "--json", str(out), "--luck-adjusted"]) == 0
    printed = capsys.readouterr()
    assert printed.out.count("less the luck") == 1
    assert "usa, 3 players, tickets anniversary: no results less luck: there is no network of values" in printed.err
    new_york, with_three = json.loads(out.read_text(encoding="utf-8"))["ratings"]
    assert with_three["less_luck"] is None
    own = new_york["less_luck"]
    assert own["wins"]["value"] == pytest.approx(new_york["agent"]["wins"]["value"])
    assert own["margin_adjusted"]["low"] < own["margin_adjusted"]["value"] != own["margin"]["value"]
