"""Agents in processes of their own: whatever they do, they forfeit no more than the game in which they do it."""

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from t2r_agents.comparing.tournament import Tournament, isolation
from t2r_agents.comparing.tournament.isolation import IsolatedAgent, Limits
from t2r_agents.comparing.tournament.playing import Entry, choose
from t2r_agents.playing.failures import Failure, NoAnswerError
from t2r_env import Games, configure
from t2r_env.agents import Decisions, decisions_of
from tests.helpers import odd_agents
from tests.helpers.acting import decisions_in
from tests.helpers.odd_agents import path_of

if sys.platform == "win32":
    pytest.skip("processes of their own need POSIX", allow_module_level=True)

USA = configure("usa", 2)
TIGHT = Limits(decision=10.0, memory=400)
SOUND = path_of(odd_agents.Sound)
ROOT = Path(__file__).parents[3]


@cache
def two_decisions() -> Decisions:
    """One at which an odd agent fails, and one at which it plays on."""
    games = Games(USA, batch=40, seed=0)
    games.play_random(60)
    seeds = np.random.default_rng(0).integers(2**64, size=games.batch, dtype=np.uint64)
    decisions = decisions_of(games, np.arange(games.batch), seeds)
    fatal = odd_agents.is_fatal(decisions)
    return decisions_of(games, np.array([np.argmax(fatal), np.argmin(fatal)]), seeds[:2])


def isolated(name: str, limits: Limits = TIGHT) -> closing[IsolatedAgent]:
    return closing(IsolatedAgent(name, USA, limits))


def failure_of(agent: IsolatedAgent, way: str = "") -> Failure:
    """Why it fails at the first decision, in this way; at the other one, which is of another game, it does not."""
    chosen = []
    for decision in two_decisions().split():
        if way:
            decision.seeds[:] = [*odd_agents.FAILING].index(way)
        with agent.seat() as player:
            chosen.append(choose(player, decision))
    assert chosen[1] == (odd_agents.First().act(two_decisions())[1], {})
    return chosen[0][1][0]


@pytest.fixture(scope="module")
def failing() -> Iterator[IsolatedAgent]:
    """It fails in the way that it is told. The tests share it, as a start takes longer than all that they do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SECRET", "the seed of the deal")
        with isolated(path_of(odd_agents.Failing), replace(TIGHT, decision=30.0)) as agent:
            yield agent


def play(agents: list[str], games: int = 4, limits: Limits | None = TIGHT, processes: int = 1) -> list[Entry]:
    tournament = Tournament(USA, agents, games, 0, limits=limits)
    played = [entry for entries in tournament.play(processes) for entry in entries]
    return sorted(played, key=lambda entry: (entry.game, entry.seat))


# What an agent may do, and what becomes of it


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("muted", "MutedError, whose text can't be made (KeyboardInterrupt)"),
        ("leave", "its process ended with status 3"),
        ("kill", "its process was ended by SIGKILL"),
        ("segfault", "its process was ended by SIGSEGV"),
        ("close", "its process ended with status 1"),
        ("devour", "MemoryError: "),
        *((kind, "its process answered what is no answer") for kind in ("long", "short", "kind", "text")),
        ("half", "its process ended with status 0"),
    ],
)
def test_an_agent_fails_at_no_other_decision_than_its_wrong_one(way: str, reason: str, failing: IsolatedAgent) -> None:
    assert failure_of(failing, way).reason.startswith(reason)


def test_an_isolated_agent_gets_its_decisions_and_nothing_else(failing: IsolatedAgent) -> None:
    """No variables, no folder, no input, and no file but its connection (Linux names them)."""
    failure = failure_of(failing, "look")
    expected = {"secret": None, "folder": [], "input": "", "open": ["/dev/null", "socket"]}
    assert failure.reason == f"RuntimeError: {expected}"
    assert "in act" in failure.traceback


@pytest.mark.release
def test_an_agent_may_print_and_its_program_may_end_between_games(capfd: pytest.CaptureFixture[str]) -> None:
    with isolated(path_of(odd_agents.Printing)) as agent:
        for _ in range(2):
            with agent.seat() as player:
                actions, failures = choose(player, two_decisions())
            assert failures == {}
            assert np.array_equal(actions, odd_agents.First().act(two_decisions()))
            program = agent._idle[0]._program
            assert program
            program[0].kill()
            program[0].wait()
    assert capfd.readouterr() == ("", "")


@pytest.mark.release
def test_what_an_agent_keeps_elsewhere_than_in_its_process_is_gone_too(tmp_path: Path) -> None:
    """What it has started is there in each game."""
    games = Games(USA, seed=1)  # another deal than that of the trial
    one = decisions_in(games)
    games.play_random(1)
    other = decisions_in(games)
    assert [decisions.views["turn"][0] for decisions in (one, other)] == [0, 0]
    assert one.views["current"] != other.views["current"]
    kind = tmp_path / "kind"
    kind.write_text("class")
    player: Any
    with isolated(path_of(odd_agents.RememberingVariously, kind), Limits(decision=5.0)) as agent:
        for name in ("memory", "pipe", "thread", "child"):
            kind.write_text(name)
            for decisions in (one, other):
                with agent.seat() as player:
                    assert choose(player, decisions)[1] == {}
                    assert player._player is not None
                    assert player._player is player._maker
        kind.write_text("instance")
        with agent.seat() as player:
            assert choose(player, one)[1] == {}
            assert choose(player, other)[1][0].reason == "RuntimeError: I have been on another seat"
            assert player._player is not player._maker  # one that shares nothing is forked


SPIED = f"""
import os, sys
from pathlib import Path
from t2r_agents.comparing.tournament.confinement import enter_domain
from tests.helpers import odd_agents
from tests.agents.comparing.test_isolation import SOUND, choose, isolated, two_decisions
with isolated(SOUND) as agent, agent.seat(), isolated({path_of(odd_agents.Spying)!r}) as spy, spy.seat() as player:
    player.act(two_decisions().take([1]))
    print(choose(player, two_decisions().take([0]))[1][0].reason)
    seen = [process for process in odd_agents.Spying._others() if odd_agents.Spying._can(
        lambda process: Path(f"/proc/{{process}}/mem").open("rb").close(), process)]
    print(len(seen), enter_domain())
"""
WITHOUT_RIGHTS = """
import ctypes
ctypes.CDLL(None).prctl(28, 1, 0, 0, 0)
ctypes.CDLL(None).capset((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)())
"""
"""Makes an ordinary user of root: without capabilities, here and in the programs that are started from here."""


@pytest.mark.skipif(sys.platform != "linux", reason="domains and capabilities are Linux's")
@pytest.mark.parametrize("rights", [pytest.param("", marks=pytest.mark.release), WITHOUT_RIGHTS])
def test_isolated_agents_can_neither_read_nor_write_nor_signal_each_other(rights: str, failing: IsolatedAgent) -> None:
    """Nor the processes from which they are forked. A kernel without domains still hides memory, but not from root."""
    failing.close()  # the agents see those of the test alone
    command = [sys.executable, "-c", rights + SPIED]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    told, (seen, has_domains) = done.stdout.splitlines()[0], done.stdout.splitlines()[1].split()
    is_root = not rights and os.getuid() == 0
    assert int(seen) >= 6 if is_root else seen == "0"  # and those of tests that run at the same time
    if has_domains == "True" or not is_root:
        could = re.fullmatch(r"RuntimeError: of (\d+): {'read': 0, 'write': 0, 'signal': (\d+)}", told)
        assert could, told
        others, signalled = map(int, could.groups())
        assert others >= 5
        assert signalled == (0 if has_domains == "True" else others)


@pytest.mark.release
def test_results_are_the_same_isolated_or_not_and_for_any_number_of_processes() -> None:
    """Games can be played again, too."""
    agents = [path_of(odd_agents.Crashing), path_of(odd_agents.Illegal)]
    entries = play(agents, 6, limits=None)
    assert play(agents, 6, processes=2) == entries
    assert len({entry.forfeit for entry in entries}) > 2
    again = Tournament(USA, agents, 6, 0, entries, limits=TIGHT)
    replay = again.record(next(entry.game for entry in entries if entry.forfeit))
    assert list(replay.descriptions())[-1].endswith("which is not legal")


def test_an_isolated_agent_knows_nothing_of_other_games_nor_of_its_other_seats() -> None:
    entries = play([path_of(odd_agents.Remembering, "class")], 2, Limits(decision=5.0))
    assert {entry.forfeit for entry in entries} == {""}


# Limits


@pytest.mark.release
def test_the_times_of_all_decisions_of_a_game_count_together() -> None:
    """And those of another game do not."""
    decision = two_decisions().take(np.array([1]))
    with isolated(path_of(odd_agents.Pondering), Limits(game=0.6)) as agent:
        for _ in range(2):
            with agent.seat() as player:
                played = 0
                while not (failures := choose(player, decision)[1]):
                    played += 1
            assert 1 < played <= 12
            assert failures == {0: Failure("took more than 0.6 s for its decisions of the game")}


@pytest.mark.release
def test_a_first_decision_on_trial_takes_no_more_than_its_limit_but_for_compiling() -> None:
    """An agent that hangs gets the trial again in its game."""
    with isolated(path_of(odd_agents.Slow, "compiles"), Limits(decision=1.0)) as agent, agent.seat() as player:
        assert choose(player, two_decisions())[1] == {}
    began = time.monotonic()
    with isolated(path_of(odd_agents.Slow, "stops"), Limits(decision=1.0)) as agent:
        agent.start()
        with pytest.raises(NoAnswerError, match="at its first decision, on trial: took more than 1 s"), agent.seat():
            pytest.fail("it plays")
    assert time.monotonic() - began < 60


@pytest.mark.release
def test_an_agent_that_hangs_while_it_compiles_takes_the_time_for_that_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And forfeits all games."""
    monkeypatch.setattr(isolation, "SECONDS_TO_START", 15.0)
    began = time.monotonic()
    entries = play([path_of(odd_agents.Slow, "stops compiling"), "random"], 4)
    assert [entry.forfeit for entry in entries if entry.forfeit] == [
        "at its first decision, on trial: took more than 15 s"
    ] * 4
    assert time.monotonic() - began < 2 * 15


# The beginning and the end


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("no_such_module:Agent", "the agent 'no_such_module:Agent' can't be imported: No module named"),
        (path_of(odd_agents.Unmakable), "KeyboardInterrupt: not me"),
        ("human", "the agent 'human' asks a person on the terminal: it can't play in a process of its own"),
        ("llm:small", "asks a server, and isolated agents get no key"),
    ],
)
def test_an_agent_that_cannot_be_made_is_one_error_at_the_beginning(agent: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Tournament(USA, [agent], 2, 0, limits=TIGHT)


@pytest.mark.release
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere what leaves the process group lives on")
def test_no_process_that_an_agent_started_is_left(tmp_path: Path) -> None:
    """Also one in a session of its own, when the process of the tournament is killed."""
    os.mkfifo(pipe := tmp_path / "pipe")
    arguments = ["--agents", path_of(odd_agents.Lingering, pipe), "random", "--games", "4", "--isolate"]
    command = [sys.executable, "-m", "t2r_env", "tournament", *arguments, "--processes", "2"]
    tournament = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with ExitStack() as stack:
        stack.callback(tournament.wait)
        stack.callback(tournament.kill)
        numbers: list[str] = []
        while len(numbers) < 3:
            numbers += pipe.read_text().split()
        processes = [os.pidfd_open(int(number)) for number in numbers]  # these tell of the ends
        for process in processes:
            stack.callback(os.close, process)
        assert select.select(processes, [], [], 0)[0] == []
        tournament.kill()
        for process in processes:
            assert select.select([process], [], [], 60)[0]


@pytest.mark.release
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere what leaves the process group lives on")
def test_a_process_that_is_ended_takes_along_what_it_started(tmp_path: Path) -> None:
    """After the call nothing is left of it."""
    numbers = tmp_path / "numbers"
    numbers.touch()
    with isolated(path_of(odd_agents.Lingering, numbers), replace(TIGHT, decision=0.5)) as agent:
        assert failure_of(agent) == Failure("took more than 0.5 s")
    started = [int(number) for number in numbers.read_text().split()]
    assert started
    for number in started:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)
