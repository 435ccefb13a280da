"""What a tournament's report shows: routes claimed, seats, habits, agreement, and the list of all games."""

import csv
import json
import re
from dataclasses import fields, replace
from itertools import groupby
from pathlib import Path
from typing import Any
from unittest.mock import create_autospec

import numpy as np
import pytest

from t2r_agents.comparing.tournament import Tournament, habit_tables
from t2r_agents.comparing.tournament.agreement import Answers, ask_agents, decisions_in
from t2r_agents.comparing.tournament.calibration import EVERY, Calibration, calibrate
from t2r_agents.comparing.tournament.habits import KINDS, Habits
from t2r_agents.comparing.tournament.maps import MOST, route_maps, shares_of
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.plots import COLOURS
from t2r_agents.comparing.tournament.ratings import ratios, wilson_interval
from t2r_agents.comparing.tournament.replays import lead_of
from t2r_agents.comparing.tournament.report import LISTED, lists_of, write_report
from t2r_agents.comparing.tournament.report_data import gather, write_tables
from t2r_agents.comparing.tournament.standings import Results, compute_standings, seats_of
from t2r_agents.comparing.tournament.tournament import Settings
from t2r_env import configure
from t2r_env.agents import Decisions, Opinion, RandomAgent, act
from t2r_env.variants import MapVariant
from tests.agents.comparing.test_standings import entry
from tests.helpers.odd_agents import First, path_of

FIRST = path_of(First)
"""It may remember, so each seat of a game has one of its own."""


def played(
    variant: str, players: int, games: int, agents: tuple[str, ...] = ("greedy", "random"), **options: Any
) -> Tournament:
    tournament = Tournament(configure(variant, players, **options), agents, games, seed=0)
    list(tournament.play())
    return tournament


def report_of(tournament: Tournament, agents: list[str], folder: Path, *more: Any) -> str:
    """The page of a tournament, which is written into a folder."""
    chosen = tournament.configuration
    settings = Settings(chosen.variant.id, 2, dict(chosen.options), agents, len(tournament.fixtures), 0)
    write_report(folder / "report.html", settings, tournament, compute_standings(tournament.entries), *more)
    return (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("variant", "players"), [("usa", 3), ("team_asia", 4), ("pennsylvania", 2), ("card_game", 2)])
def test_the_routes_that_a_seat_claimed_are_those_of_the_last_position(variant: str, players: int) -> None:
    tournament = played(variant, players, 2)
    snapshot = tournament.record(0).final().snapshot()
    routes = [(it["a"], it["b"], it["track"]) for it in snapshot.get("routes", ())]
    tables = getattr(tournament.configuration.variant, "routes", ())
    for own in (it for it in tournament.entries if it.game == 0):
        claimed = [tables[int(number)] for number in own.claimed.split()]
        owned = [key for key, it in zip(routes, snapshot.get("routes", ()), strict=True) if own.seat in it["owners"]]
        assert sorted((it.a, it.b, it.track) for it in claimed) == sorted(owned)
        assert bool(claimed) == (variant != "card_game")


def test_a_map_shows_the_share_of_finished_games_in_which_an_agent_has_a_route() -> None:
    """Of many agents the strongest have maps; where there are no games or no routes, there are none."""
    tournament = played("new_york", 2, 4)
    variant = tournament.configuration.variant
    assert isinstance(variant, MapVariant)
    first = tournament.entries[0]
    entries = [replace(it, claimed="0 3" if it.agent == "greedy" and it.game < 2 else "5") for it in tournament.entries]
    entries.append(replace(first, agent="greedy", outcome="truncated", claimed="1"))
    shares = shares_of(entries, ["greedy", "random"], len(variant.routes))
    assert shares[0, :6].tolist() == [0.5, 0, 0, 0.5, 0, 0.5]
    assert (shares.sum(axis=1).tolist(), shares[1, 5]) == ([1.5, 1], 1)
    shared, (greedy, random) = route_maps(tournament.configuration, entries, ["greedy", "random"], COLOURS)
    assert greedy.svg.count("<path") == 3
    assert "100%" in random.svg
    assert random.often.endswith("100%")
    assert shared.count('id="map-') == 2
    agents = ["greedy", *map(str, range(30))]
    assert len(route_maps(tournament.configuration, tournament.entries, agents, COLOURS)[1]) == MOST
    assert route_maps(tournament.configuration, [], agents, COLOURS) == ("", [])
    assert route_maps(configure("card_game", 2), [], agents, COLOURS) == ("", [])


def test_seats_have_the_share_of_wins_with_an_interval_over_deals() -> None:
    entries = played("new_york", 2, 8).entries
    seats = seats_of([replace(it, win=float(it.seat), rank=2 - it.seat) for it in entries])
    assert {seat: share.value for seat, share in seats.items()} == {0: 0, 1: 1}
    assert all(0 <= share.low < share.high <= 1 for share in seats.values())
    assert list(seats_of([replace(it, rank=it.seat) for it in entries])) == [1]  # nobody has a rank in seat 0
    assert seats_of([replace(it, rank=0, outcome="truncated") for it in entries]) == {}


def test_lists_have_a_row_for_each_game_with_who_sat_where_and_who_won() -> None:
    tournament = played("new_york", 2, 12, ("greedy", "random", "racer"))
    for number, forfeit in enumerate(("it fails", "")):  # the seats of the first game
        tournament.entries[number] = replace(tournament.entries[number], outcome="forfeited", forfeit=forfeit)
    data = gather(tournament.configuration, tournament.entries, compute_standings(tournament.entries))
    lists = lists_of(tournament, data)
    games = lists["games"]
    assert [name for name, _ in games["columns"]] == ["game", "seat 0", "seat 1", "lead", "turns"]
    assert [row[0] for row in games["rows"]] == list(range(12))
    without_end, *rows = games["rows"]
    assert [cell[1] for cell in without_end[1:3]] == ["forfeits", "forfeited"]
    assert without_end[3] is None
    for row in rows:
        entries = [it for it in tournament.entries if it.game == row[0]]
        for it, (agent, score, won) in zip(entries, row[1:3], strict=True):
            assert (data.agents[agent], score, won) == (it.agent, it.score, int(it.win > 0))
        assert row[3] == abs(entries[0].score - entries[1].score)
    assert games["unlisted"] == 0
    assert {"games", "tickets", "first_claims"} == lists.keys()  # nobody was asked about agreement


def test_nobody_leads_where_several_share_the_victory() -> None:
    """Also if others are behind them. A victory by a tie-break and that of a team are not shared."""

    def lead(*results: tuple[int, int, float]) -> int:
        return lead_of([entry(score=score, rank=rank, win=win) for score, rank, win in results])

    assert lead((33, 1, 0.5), (26, 3, 0), (33, 1, 0.5)) == 0
    assert lead((33, 2, 0), (26, 3, 0), (33, 1, 1)) == 0
    assert lead((33, 1, 1), (26, 2, 0), (33, 1, 1)) == 7


def test_standings_as_data_have_all_results_and_nothing_where_there_is_none(tmp_path: Path) -> None:
    entries = [replace(it, outcome="truncated", win=0.0, rank=0) for it in played("new_york", 2, 2).entries]
    configuration = configure("new_york", 2)
    write_tables(tmp_path, gather(configuration, entries, compute_standings(entries)))
    with (tmp_path / "standings.csv").open(encoding="utf-8") as file:
        first, _ = csv.DictReader(file)
    assert {field.name for field in fields(Results)} - {"parts"} <= first.keys()
    assert [name for name, cell in first.items() if cell == ""] == [
        *("lottery", "lottery_low", "lottery_high", "alpha_rank", "alpha_rank_low", "alpha_rank_high"),
        *("score", "routes", "tickets", "attractions", "completed", "failed", "turns"),
    ]


def test_a_report_of_many_agents_and_games_stays_below_a_megabyte(tmp_path: Path) -> None:
    """Fourteen agents with long names, on the game with the most routes."""
    tournament = played("usa", 2, 30, ("greedy", "racer"))
    names = [f"my_own_package.agents_of_mine:Agent{number}" for number in range(14)]
    tournament.entries = [
        replace(it, game=it.game + 30 * number, deal=it.deal + 15 * number, agent=names[(number * (1 + it.seat)) % 14])
        for number in range(1, 80)
        for it in tournament.entries
    ]
    tournament.fixtures = [replace(tournament.fixtures[0], game=number) for number in range(2400)]
    page = report_of(tournament, names, tmp_path)
    assert 300_000 < len(page.encode()) < 1_000_000
    listed = json.loads(re.findall('id="content">(.*?)</script>', page)[0])["lists"]["games"]
    assert (len(listed["rows"]), listed["unlisted"]) == (LISTED, 79 * 30 - LISTED)


# What agents do


def kept_by(seat: Entry) -> dict[int, int]:
    """The points of each ticket that a seat kept, by number."""
    kept = (ticket.replace("-", "+-").split("+") for ticket in seat.kept.split())
    return {int(parts[0]): int(parts[-1]) for parts in kept}


@pytest.mark.parametrize(
    ("variant", "players"), [("new_york", 2), ("switzerland", 3), ("team_asia", 4), ("card_game", 2), ("nordic", 2)]
)
def test_kept_tickets_are_those_that_the_game_counts_with_their_points(variant: str, players: int) -> None:
    tournament = played(variant, players, 1, ("planner", "random"))
    size, ticket_of = tournament.configuration.variant.team_size, tournament.configuration.text.ticket
    entries, replay = tournament.entries[:players], tournament.record(0)
    final = replay.final().snapshot()["final"]
    for team in range(players // size):
        of_team, result = entries[team * size : (team + 1) * size], final[team * size]
        kept = {number: points for entry in of_team for number, points in kept_by(entry).items()}
        counted = [*result["completed"], *result["failed"]]
        assert sorted(map(repr, map(ticket_of, kept))) == sorted(map(repr, counted))
        assert sum(kept.values()) == of_team[0].parts["tickets"]
        assert sorted(points > 0 for points in kept.values()).count(True) == len(result["completed"])


@pytest.mark.parametrize("variant", ["new_york", "europe", "united_kingdom", "card_game"])
def test_offers_first_claims_and_moves_are_those_of_the_recorded_game(variant: str) -> None:
    """A technology is bought before the turn's other action (UK5): such a turn has two letters."""
    tournament = played(variant, 2, 1, ("planner", "random"))
    entries, replay = tournament.entries[:2], tournament.record(0)
    routes = [(it.a, it.b, it.track) for it in getattr(tournament.configuration.variant, "routes", ())]
    letters = {name: letter for letter, (_, names) in KINDS.items() for name in names}  # of turns that these begin
    taken: list[list[tuple[Any, Any]]] = [[], []]
    for games, action in zip(replay.games(), replay.actions, strict=False):
        taken[games.current[0]].append((games.snapshot(), games.describe(action)))
    for own, of_seat in zip(entries, taken, strict=True):
        names, described = [it["action"] for _, it in of_seat], [it for _, it in of_seat]
        listed = map(tournament.configuration.text.ticket, map(int, own.refused.split()))
        kept = [tournament.configuration.text.ticket(number) for number in kept_by(own)]
        refused = [it["ticket"] for it in described if it["action"] == "refuse_ticket"]
        again = {repr(ticket) for ticket in refused if ticket not in kept}  # what was refused may be offered again
        assert sorted(map(repr, listed)) == sorted(again)
        first = names.index("claim") if "claim" in names else None
        claimed = [routes.index((it["a"], it["b"], it["track"])) for it in described if it["action"] == "claim"]
        assert own.first_claim == "".join(map(str, claimed[:1]))
        assert own.cards_before_claim == sum(name in ("draw_face_up", "draw_deck") for name in names[:first])
        turns = [(it["turn"], letters[act["action"]]) for it, act in of_seat if it["phase"] == "turn"]
        by_turn = ["".join(letter for _, letter in of) for _, of in groupby(turns, key=lambda it: it[0])]
        assert own.moves.split(" ") == by_turn
    both = [turn for own in entries for turn in own.moves.split(" ") if turn.startswith("u") and len(turn) == 2]
    assert bool(both) == (variant == "united_kingdom")


def test_games_without_an_end_say_nothing_of_habits() -> None:
    for it in played("usa", 2, 1, ("planner", "greedy"), turn_limit=30).entries:
        assert it.outcome == "truncated"
        assert vars(Habits()).items() <= vars(it).items()


def test_tickets_have_the_share_of_offers_that_were_kept_and_what_they_brought() -> None:
    configuration = configure("new_york", 2)
    entries = [
        entry(deal=0, agent="a", kept="3+12 5-4", refused="7"),
        entry(deal=1, agent="a", kept="5+4", refused="3 7"),
        entry(deal=2, agent="a", kept="", refused="3 5"),
        entry(deal=3, agent="b", kept="3+12"),
        entry(deal=4, agent="a", kept="7+9", outcome="truncated"),
    ]
    habits, text = habit_tables.ticket_habits(configuration, entries, "a"), configuration.text
    assert [it.ticket for it in habits] == [text.ticket_text(*text.ticket(it)) for it in (3, 5, 7)]
    assert [it.offered for it in habits] == [3, 3, 2]
    assert [it.kept.value for it in habits] == pytest.approx([1 / 3, 2 / 3, 0])
    assert habits[0].kept.low < 1 / 3 < habits[0].kept.high
    assert [it.completed and it.completed.value for it in habits] == [1, 0.5, None]
    assert [it.value and it.value.value for it in habits] == [12, 0, None]


def test_first_claims_are_shares_of_an_agents_seats_the_most_frequent_first() -> None:
    configuration = configure("new_york", 2)
    claims = ["4", "4", "9", ""]
    entries = [entry(deal=deal, agent="a", first_claim=route) for deal, route in enumerate(claims)]
    first, second = habit_tables.first_claims(configuration, entries, "a")
    assert (first.number, first.share.value, second.number, second.share.value) == (4, 0.5, 9, 0.25)
    assert first.route == habit_tables.route_text(configuration, 4)
    cards = [replace(entry, cards_before_claim=number) for entry, number in zip(entries, (2, 4, 9, 50), strict=True)]
    mean = habit_tables.cards_before_claim(cards, "a")
    assert mean is not None
    assert mean.low < mean.value == 5 < mean.high  # of those who claim


def test_turns_are_told_by_their_number_as_long_as_a_tenth_of_the_games_last() -> None:
    entries = [entry(deal=deal, agent="a", moves=f"d {'uc' if deal % 2 else 'c'}") for deal in range(20)]
    entries.append(entry(deal=20, agent="a", moves="d c t t t"))
    moves = habit_tables.moves_by_turn(entries, "a", habit_tables.kinds_of(entries))
    assert (moves.kinds, moves.seats.tolist()) == (["d", "c", "t", "u"], [21, 21])
    assert np.allclose(moves.shares[0], np.array([[1, 0, 0, 0], [0, (11 + 10 / 2) / 21, 0, 5 / 21]]))
    assert (moves.shares[1] <= moves.shares[0] + 1e-12).all()
    assert (moves.shares[2] >= moves.shares[0] - 1e-12).all()


def test_intervals_over_deals_are_wider_when_what_happens_in_a_deal_is_alike() -> None:
    alike = np.arange(20.0)[:, None] % 2 * 10  # ten trials of a deal have one outcome
    mixed = 4.0 + np.arange(20.0)[:, None] % 3
    counts = np.full((20, 1), 10.0)
    (_, low, high), (_, least, most) = (ratios(it, counts, are_shares=True) for it in (alike, mixed))
    assert high[0] - low[0] > 3 * (most[0] - least[0])
    independent = wilson_interval(0.5, 20)
    assert low[0] == pytest.approx(independent.low, abs=0.01)
    value, low, high = ratios(np.full((3, 1), 7.0), np.ones((3, 1)), are_shares=False)
    assert (value[0], low[0], high[0]) == (7, -np.inf, np.inf)


# Agreement


def test_agents_agree_with_themselves_and_as_often_as_the_same_actions_say() -> None:
    tournament = played("new_york", 2, 4, ("greedy", "random", FIRST))
    agreement = ask_agents(tournament, games=3).agreement
    assert agreement is not None
    assert (len(agreement.decisions), agreement.decisions_in()) == (3, agreement.decisions.sum())
    assert agreement.alike.shape == (3, len(agreement.phases), 3, 3)
    assert {"turn", "keep_ticket"} <= set(agreement.phases)
    assert [agreement.share(index, index).value for index in range(3)] == [1, 1, 1]
    share = agreement.share(0, 1, "turn")
    assert 0 < share.low < share.value < share.high < 1
    turned = agreement.in_order(["random", FIRST, "greedy"])
    assert share == agreement.share(1, 0, "turn") == turned.share(2, 0, "turn")


def test_the_agent_that_played_a_seat_chooses_as_it_did() -> None:
    """It has the random numbers that it had in the game."""
    tournament = played("new_york", 2, 2, ("random", FIRST))
    replay, fixture = tournament.record(0), tournament.fixtures[0]
    decisions = decisions_in(replay, fixture)
    own = decisions.views["current"] == fixture.seating.index("random")
    actions = act(RandomAgent(), decisions)
    assert actions[own].tolist() == np.array(replay.actions)[own].tolist()


def test_who_is_not_asked_about_agreement_leaves_no_agreement() -> None:
    tournament, slow = (played("new_york", 2, 2) for _ in range(2))
    tournament.agents["random"].asks_server = True  # type: ignore[union-attr]  # an attribute that agents may have
    assert ask_agents(tournament).agreement is None
    slow.entries = [replace(entry, seconds=1000.0) for entry in slow.entries]
    assert ask_agents(slow) == Answers()


# Chances told


class Sure(RandomAgent):
    """Tells that the player of seat 0 wins with a chance of three quarters."""

    def opinions(self, decisions: Decisions) -> list[Opinion]:
        told = np.array([0.75, 0.25])
        return [replace(it, values=told) for it in super().opinions(decisions)]


def test_chances_that_agents_tell_are_compared_with_what_came(tmp_path: Path) -> None:
    """Those of agents that tell the same stand together; who fails, or tells none, is left out."""
    tournament = played("new_york", 2, 6, ("greedy", "random"))
    failing = create_autospec(RandomAgent())
    failing.opinions.side_effect = ArithmeticError
    tournament.agents.update(sure=Sure(), failing=failing, as_sure=Sure())
    answers = ask_agents(tournament, games=4)
    (calibration,) = answers.calibrations
    assert calibration.agents == ["sure", "as_sure"]
    wins = {(entry.game, entry.seat): entry.win for entry in tournament.entries}
    for seat, told in ((0, 0.75), (1, 0.25)):
        assert set(calibration.won[calibration.told == told]) <= {wins[game, seat] for game in range(6)}
    assert len(set(calibration.game)) == 4
    decisions = sum(len(decisions_in(tournament.record(it), tournament.fixtures[it])) for it in range(4))
    assert len(calibration.told) == pytest.approx(decisions / EVERY, rel=0.3)
    squares = (calibration.told - calibration.won) ** 2
    assert calibration.brier().value == pytest.approx(squares.mean())
    page = report_of(tournament, ["greedy", "random"], tmp_path, (), Answers(None, answers.calibrations))
    assert f"{calibration.brier().value:.3f}" in page
    assert "gives 0.25." in page
    tournament.entries = [replace(entry, win=0.25) for entry in tournament.entries]  # as of other games
    assert np.array_equal(ask_agents(tournament, games=4).calibrations[0].won, calibration.won)
    assert len((tmp_path / "figures" / "calibration.csv").read_text(encoding="utf-8").splitlines()) == 1 + 2 * 2


def test_chances_are_told_in_ten_bins_with_the_share_of_wins_in_each() -> None:
    games = [np.array([1.0, 0.0, 1.0]), np.array([0.0, 1.0])]
    told: dict[str, list[Any]] = {
        "a": [np.array([0.91, 0.12, 1.0]), np.array([0.99, 0.18])],
        "never in the second game": [np.array([0.5, 0.5, 0.5]), None],
    }
    (calibration,) = calibrate(told, games)
    assert isinstance(calibration, Calibration)
    low, high = calibration.bins()
    assert (low.positions, high.positions) == (2, 3)
    assert [low.told, low.won.value, high.told, high.won.value] == pytest.approx([0.15, 1 / 2, 2.9 / 3, 2 / 3])
    assert high.won.low < 2 / 3 < high.won.high
