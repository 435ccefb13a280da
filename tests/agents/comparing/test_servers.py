"""Tournaments of agents that ask a server, as `llm` does: what counts, what is kept, and what the log says.

The agents here ask nobody. Those that fail as a server does keep in the class how often they are still to play.
"""

import itertools
import json
import os
import signal
from collections import defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_agents.comparing.tournament import Tournament, workers
from t2r_agents.comparing.tournament.players import Players
from t2r_agents.comparing.tournament.playing import write_replay
from t2r_agents.comparing.tournament.schedule import Fixture
from t2r_agents.comparing.tournament.workers import Portions
from t2r_env import Replay, configure
from t2r_env.agents import Decisions, UnavailableError, choose_evenly
from tests.agents.comparing.test_tournament_command import rows_of, run

Patch = pytest.MonkeyPatch

GREEDY = "greedy"


class Asking:
    """Plays at random, otherwise each time, as hosted models do, and logs each decision."""

    stateless = True
    asks_server = True
    left: ClassVar = 10**6
    """The decisions that its server still answers."""
    rng: ClassVar = np.random.default_rng(0)

    def __init__(self) -> None:
        self.game_log: Callable[[int, Mapping[str, Any]], None] | None = None

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        seeds = self.rng.integers(2**63, size=len(decisions), dtype=np.uint64)
        actions = choose_evenly(decisions.masks, seeds)
        type(self).left -= len(decisions)
        if self.left < 0:
            raise UnavailableError("the server has gone home")
        for index, action in enumerate(actions.tolist()):
            if self.game_log:
                self.game_log(index, {"action": action})
        return actions


class OneByOne(Asking):
    """Can't be asked about several decisions together."""

    stateless = True

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        if len(decisions) > 1:
            raise RuntimeError("one at a time")
        return super().act(decisions)


class Connecting(Asking):
    """Asks its server when it is made, a new instance for each seat of each game."""

    stateless = False
    made: ClassVar = 0

    def __init__(self) -> None:
        super().__init__()
        type(self).made += 1
        if self.made == 4:
            raise UnavailableError("the server has gone home")


@pytest.fixture(autouse=True)
def _anew(monkeypatch: Patch) -> None:
    monkeypatch.setattr(Asking, "left", Asking.left)
    monkeypatch.setattr(Connecting, "made", 0)


def path_of(agent: type) -> str:
    return f"{__name__}:{agent.__name__}"


def tournament(agent: type, games: int = 4, log: Path | None = None) -> Tournament:
    return Tournament(configure("new_york"), [path_of(agent), GREEDY], games, seed=1, log=log)


def check_log(log: Path, replays: Mapping[int, Replay], seats: Mapping[int, int]) -> None:
    """The lines that count are those of the play that begun last: all of the agent's decisions in the replays."""
    plays: dict[int, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for line in map(json.loads, log.read_text(encoding="utf-8").splitlines()):
        plays[line["game"]][line["begun"]].append(line)
    assert plays.keys() == replays.keys()
    for game, replay in replays.items():
        own = plays[game][max(plays[game])]
        expected = [
            (step, action)
            for step, (state, action) in enumerate(zip(replay.games(), replay.actions, strict=False))
            if state.current[0] == seats[game]
        ]
        assert [(line["step"], line["action"]) for line in own] == expected
        assert {line["seat"] for line in own} == {seats[game]}


def test_the_log_of_an_agent_that_acts_at_each_decision_alone_names_the_right_games(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    played = tournament(OneByOne, 8, log)
    list(played.play())
    seats = {entry.game: entry.seat for entry in played.entries if entry.agent != GREEDY}
    check_log(log, {game: played.record(game) for game in seats}, seats)


def test_the_log_tells_the_lines_of_a_game_that_was_interrupted_from_those_that_count(tmp_path: Path) -> None:
    out, name = tmp_path / "played", path_of(Asking)
    Asking.left = 100
    command = ["--variant", "new_york", "--agents", name, GREEDY, "--games", 8, "--out", out]
    assert run(*command) == 1
    kept = {row["game"] for row in rows_of(out)}
    assert 0 < len(kept) < 8
    for left, status in ((60, 1), (10**6, 0)):
        Asking.left = left
        assert run("--resume", out) == status
    rows = rows_of(out)
    assert {row["outcome"] for row in rows} == {"finished"}
    seats = {int(row["game"]): int(row["seat"]) for row in rows if row["agent"] == name}
    assert [*seats] == [*range(8)]
    replays = {game: Replay.load(out / "replays" / f"game_{game}.json") for game in seats}
    check_log(out / "log.jsonl", replays, seats)


def test_a_server_that_is_gone_when_an_agent_is_made_is_no_forfeit() -> None:
    played = tournament(Connecting)
    with pytest.raises(UnavailableError, match=r"^the server has gone home$"):
        list(played.play())
    assert {entry.outcome for entry in played.entries} == {"finished"}


def test_an_interruption_leaves_no_game_without_its_replay(tmp_path: Path, monkeypatch: Patch) -> None:
    """Ctrl-C when the first of two replays is written."""
    out, written = tmp_path / "played", itertools.count()

    def interrupted(*arguments: Any) -> None:
        write_replay(*arguments)
        if next(written) == 0:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr("t2r_agents.comparing.tournament.folder.write_replay", interrupted)
    command = ["--variant", "new_york", "--agents", path_of(Asking), GREEDY, "--games", 6, "--out", out]
    assert run(*command) == 130
    assert len(rows_of(out)) == 4
    assert run("--resume", out) == 0
    assert {row["outcome"] for row in rows_of(out)} == {"finished"}


def test_what_other_processes_have_played_is_kept_when_a_server_fails(monkeypatch: Patch) -> None:
    """Whichever of the two is looked at first."""
    fixtures = tournament(Asking).fixtures

    def submit(_: object, given: list[Fixture]) -> "Future[Any]":
        """Play at once; the server of one portion fails."""
        future: Future[Any] = Future()
        if given[0].game == failing:
            future.set_exception(UnavailableError("the server has gone home"))
        else:
            future.set_result(([f"game {given[0].game}"], 1.0))
        return future

    pool = SimpleNamespace(_processes={}, submit=submit, shutdown=lambda **_: None)
    monkeypatch.setattr(workers, "ProcessPoolExecutor", lambda *_, **__: pool)
    monkeypatch.setattr(Portions, "adapt", lambda *_: None)
    for failing in (0, 2):
        playing = workers.play_in_processes(2, Players(configure("new_york"), (GREEDY,)), Portions(fixtures))
        kept: list[Any] = []
        with pytest.raises(UnavailableError):
            kept.extend(entries for entries in playing)
        assert kept == [[f"game {2 - failing}"]]
