"""A position that agents finish many times: what is dealt again, and the distribution of the results."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from t2r_agents.comparing.tournament.finishing import distributions, finish, futures
from t2r_agents.comparing.tournament.playing import Entry
from t2r_env import Games, Replay
from t2r_env.commands import main as t2r
from t2r_env.render.replay_steps import position_at, replay_steps
from tests.agents.comparing.test_standings import entry
from tests.helpers.odd_agents import First, path_of
from tests.helpers.recorded import game_of
from tests.helpers.refusing import refusal

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


@pytest.fixture(scope="module")
def recorded() -> Replay:
    return game_of("planner", "new_york", 2, seed=5)


def in_the_middle(replay: Replay) -> Games:
    return replay.until(len(replay.actions) // 2).final()


def test_true_futures_keep_hands_and_tickets_and_shuffle_what_lies_face_down(recorded: Replay) -> None:
    games = in_the_middle(recorded)
    states = futures(games, 30, seed=1, from_knowledge=False)
    for name in ("hand", "tickets", "deck", "face_up", "claimed", "turn", "current", "queue_count"):
        assert (states[name] == games.states[name]).all(), name
    assert len({int(rng) for rng in states["rng"]}) == 30
    queues = states["ticket_queue"]
    assert len(np.unique(queues, axis=0)) > 25
    assert (np.sort(queues) == np.sort(games.states["ticket_queue"])).all()
    assert (futures(games, 30, seed=1, from_knowledge=False) == states).all()
    assert not (futures(games, 30, seed=2, from_knowledge=False)["rng"] == states["rng"]).any()


def test_futures_from_knowledge_deal_again_what_the_seat_to_act_can_not_know(recorded: Replay) -> None:
    games = in_the_middle(recorded)
    seat = int(games.current[0])
    states = futures(games, 30, seed=1, from_knowledge=True)
    assert (states["hand"][:, seat] == games.states["hand"][:, seat]).all()
    assert (states["tickets"][:, seat] == games.states["tickets"][:, seat]).all()
    assert len({state["tickets"][1 - seat].tobytes() for state in states}) > 5
    Games(games.configuration, batch=30, seed=0).set_states(None, states)  # they can be played on


def test_the_same_seed_gives_the_same_results_and_whole_games_with_every_kind_of_agent(recorded: Replay) -> None:
    with pytest.raises(ValueError, match="the game is over at this position"):
        list(finish(recorded.final(), ["random", "random"], 2, seed=0))
    games = recorded.until(len(recorded.actions) // 5).final()
    turns = int(games.states["turn"][0])
    for agents in (["greedy", "random"], ["greedy", path_of(First)]):  # the last may remember: one game after the other
        finished = list(finish(games, agents, 6, seed=3))
        assert [[it.agent for it in game] for game in finished] == [agents] * 6
        assert all(it.outcome == "finished" and it.turns > turns for game in finished for it in game)
        assert finished == list(finish(games, agents, 6, seed=3))
        assert len({(game[0].score, game[1].score, game[0].turns) for game in finished}) > 1


def game(*scores: int) -> list[Entry]:
    """A game of two with these scores."""
    return [
        entry(seat=seat, agent="ab"[seat], score=own, rank=1 + (own < other), win=float(own > other))
        for seat, (own, other) in enumerate((scores, scores[::-1]))
    ]


def test_distributions_have_wins_scores_quantiles_and_leads() -> None:
    games = [game(number, 50) for number in range(1, 101)]
    first, second = distributions(games, 1)
    assert (first.seat, first.agent, first.wins.value, second.wins.value) == (0, "a", 0.5, 0.49)
    assert first.quantiles == [5, 25, 50, 75, 95]
    assert first.score
    assert first.lead
    assert (first.score.value, first.lead.value) == (50.5, 0.5)
    assert first.lead.low < 0 < first.lead.high
    cut = [[replace(it, outcome="truncated") for it in game] for game in games]
    assert (distributions(cut, 1)[0].score, distributions(cut, 1)[0].quantiles) == (None, [])


def test_a_team_leads_over_the_other_team_and_not_over_itself() -> None:
    first, second = game(30, 20)
    of_teams = [replace(it, seat=seat) for seat, it in enumerate((first, first, second, second))]
    assert [it.lead and it.lead.value for it in distributions([of_teams, of_teams], 2)] == [10, 10, -10, -10]


# The command


@pytest.fixture
def file(recorded: Replay, tmp_path: Path) -> Path:
    recorded.save(tmp_path / "game.json")
    return tmp_path / "game.json"


def test_the_command_finishes_a_step_of_the_page(file: Path, recorded: Replay, capsys: Capture) -> None:
    steps = list(replay_steps(recorded))
    step = len(steps) // 2
    assert position_at(recorded, step) == steps[step].position
    rows = file.parent / "rows.csv"
    command = f"play --from {file} {step} --finish 5 --seed 1 --opponents greedy --save {rows}"
    assert t2r(command.split()) == 0
    printed = capsys.readouterr().out
    assert "5 games from this position" in printed
    assert recorded.until(steps[step].position).final().standing in printed
    assert len(rows.read_text(encoding="utf-8").splitlines()) == 1 + 10


def test_an_interruption_shows_the_games_that_were_finished(file: Path, capsys: Capture, monkeypatch: Patch) -> None:
    def interrupted(*_: Any, **__: Any) -> Any:
        yield game(30, 20)
        yield game(10, 40)
        raise KeyboardInterrupt

    monkeypatch.setattr("t2r_agents.comparing.tournament.finishing.finish", interrupted)
    assert t2r(f"play --from {file} 3 --finish 50".split()) == 130
    printed = capsys.readouterr()
    assert "interrupted after 2 of 50 games" in printed.err
    assert "2 games from this position" in printed.out


def test_a_position_is_saved_listed_and_played_on(
    file: Path, recorded: Replay, capsys: Capture, monkeypatch: Patch
) -> None:
    saved, whole = file.parent / "position.json", file.parent / "whole.json"
    assert t2r(["replay", str(file), "--position", "20", "--save", str(saved), "--title", "early"]) == 0
    position = Replay.load(saved)
    assert (position.name, position.actions, position.start) == ("early", recorded.actions[:20], recorded.start)
    capsys.readouterr()
    assert t2r(["replay", str(file.parent)]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{file}: new_york, 2 players")
    assert second == f"{saved}: early: {position.configuration.title}, {position.final().standing}"
    answers = iter(["1"] * 500)
    monkeypatch.setattr("builtins.input", lambda *_: next(answers))
    assert t2r(["play", "--from", str(saved), "--opponents", "greedy", "--save", str(whole)]) == 0
    played = Replay.load(whole)
    assert played.actions[:20] == recorded.actions[:20]
    assert played.final().terminated[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("play --from {file} 9999", "STEP must be an integer from 0 to"),
        ("play --from {file} half", "STEP must be a number of a step, not half"),
        ("play --from {file} 1 2", "--from takes FILE STEP, or FOLDER GAME STEP"),
        ("play --from {file}", "the game is over at this position: choose a step before"),
        ("play --from {file} 3 --num-players 2", "--num-players goes without --from"),
        ("play --from {file} 3 --seed 2", "--seed goes without --from"),
        ("play --from {file} 3 --redeal", "--redeal needs --finish"),
        ("play --finish 3", "--finish needs --from GAME STEP"),
        ("play --from {file} 3 --finish 0", "--finish must be an integer, at least 1, not 0"),
        ("play --from {file} 3 --finish 3 --browser", "it goes without --browser and --seat"),
        ("play --from nothing.json 3", "nothing.json"),
        ("play --from {file} 3 --finish 9 --save no/such/rows.csv", "--save must be a file in an existing folder"),
        ("play --seat 2", "--seat must be an integer from 0 to 1, not 2"),
        ("play --opponents nobody", "there is no agent 'nobody'"),
        ("play --save no/such/folder/game.json", "--save must be a file in an existing folder"),
        ("replay {file} --save {file}.json", "--save needs --position"),
        ("replay {file} --position 3 --title x", "--title needs --save"),
    ],
)
def test_a_wrong_command_is_refused(arguments: str, message: str, file: Path, capsys: Capture) -> None:
    assert message in refusal(capsys, t2r, *arguments.format(file=file).split())


def test_names_of_positions_are_short_and_printable(recorded: Replay) -> None:
    for name in ("x" * 81, "two\nlines"):
        with pytest.raises(ValueError, match="name must be at most 80 printable characters"):
            recorded.until(3, name)
    with pytest.raises(ValueError, match="position"):
        recorded.until(len(recorded.actions) + 1)
