"""The same seeds give the same games: compiled or not, alone or in a batch, with any number of threads."""

import functools
import multiprocessing
import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import t2r_env.games
from t2r_env import VARIANTS, Games
from t2r_env.games import DECISION, IllegalActionError
from t2r_env.rules.names import PHASES
from tests.helpers.agreement import COURSES, Course, course_of, differences
from tests.helpers.playing import each_kind_once
from tests.helpers.situations import configuration, differing_fields

ROOT = Path(__file__).parents[2]


@functools.cache
def course(title: str) -> Course:
    """A course, played compiled in this process."""
    return course_of(**COURSES[title])


@pytest.fixture(scope="module")
def played_plainly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Course]]:
    """Plays courses with the compiler off, all in one process: to start one takes as long as to play a course."""
    folder = tmp_path_factory.mktemp("courses")
    command = [sys.executable, "-m", "tests.helpers.agreement", str(folder)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, **pipes) as process:
        assert process.stdin
        assert process.stdout
        titles, told = process.stdin, process.stdout

        def play(title: str) -> Course:
            print(title, file=titles, flush=True)
            assert told.readline() == f"{title}\n"
            with np.load(folder / f"{title}.npz") as archive:
                return {name: archive[name] for name in archive.files}

        yield play


@pytest.mark.release
@pytest.mark.parametrize("title", COURSES)
def test_compiled_play_is_that_of_plain_python(title: str, played_plainly: Callable[[str], Course]) -> None:
    """In every field. With the compiler off all numbers have 64 bits, so that a field that is too narrow shows."""
    assert [*differences(course(title), played_plainly(title))] == []
    assert course(title)["game truncated" if title == "a turn limit" else "game terminated"].any()


@pytest.mark.release
def test_the_courses_meet_every_phase() -> None:
    """Each variant's courses meet every phase that the variant has."""
    missing = {
        (it["variant"], phase)
        for it in COURSES.values()
        for phase in configuration(it["variant"], it["players"], **it.get("options", {})).phases
    }
    for title, it in COURSES.items():
        missing -= {(it["variant"], PHASES[phase]) for phase in course(title)["state phase"].flatten().tolist()}
    assert not missing


@pytest.mark.parametrize(("rows", "starts_a_thread"), [(15, False), (16, True)])
def test_work_is_handed_to_another_thread_only_if_it_is_worth_it(
    rows: int, starts_a_thread: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(t2r_env.games, "HANDED_OVER", 1000)
    games = Games("new_york", batch=16, threads=2, observe=False, seed=0)
    before = threading.active_count()
    monkeypatch.setattr(t2r_env.games, "HANDED_OVER", 4 * DECISION)
    games.step(games.masks.argmax(axis=1)[:rows], np.arange(rows))
    assert threading.active_count() == before + starts_a_thread


def test_an_error_in_one_thread_leaves_no_other_at_work() -> None:
    """Of the actions, too, the first that is not legal is told."""
    games = Games("new_york", batch=64, threads=4, seed=0)
    actions = games.masks.argmax(axis=1)
    actions[[20, 50]] = games.layout.actions.size
    before = games.states.tobytes()
    with pytest.raises(IllegalActionError, match="game 20"):
        games.step(actions)
    assert games.states.tobytes() == before


def played(games: Games) -> bytes:
    """What a batch of games holds after some decisions."""
    games.play_random(120, seed=4)
    return held(games)


def held(games: Games) -> bytes:
    arrays = (games.states, games.finished, games.masks, games.observations, games.rewards)
    return b"".join(array.tobytes() for array in arrays)


@pytest.mark.parametrize("threads", [1, 4])
def test_several_python_threads_play_the_same_games_as_one(threads: int) -> None:
    """Each its own games, all at once."""
    chosen = [configuration(variant) for variant in VARIANTS] * 3
    alone = [played(Games(one, batch=9, seed=seed, threads=threads)) for seed, one in enumerate(chosen)]
    batches = [Games(one, batch=9, seed=seed, threads=threads) for seed, one in enumerate(chosen)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(played, batches)) == alone


def test_games_with_threads_are_the_same_in_a_forked_process() -> None:
    """Those that have been played before the fork, whose threads the child does not have, and new ones."""
    old, new, alone, again = (Games("usa", batch=9, seed=6, threads=threads) for threads in (4, 4, 1, 1))
    assert played(old) == played(alone)
    fork = multiprocessing.get_context("fork")
    receiving, sending = fork.Pipe(duplex=False)
    child = fork.Process(target=lambda: sending.send_bytes(played(old) + played(new)), daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python's warning of a fork beside threads
        child.start()
    assert receiving.poll(60)
    from_child = receiving.recv_bytes()
    child.join(60)
    assert child.exitcode == 0
    assert from_child == played(alone) + played(again)
    assert played(old) + played(new) == from_child  # the parent's are as they were


@each_kind_once
def test_play_inside_the_core_is_the_same_for_the_same_seeds(variant: str, players: int) -> None:
    """With any number of threads; another seed makes other choices."""
    games = [Games(configuration(variant, players), batch=5, seed=8, threads=threads) for threads in (1, 1, 2, 1)]
    ended = [it.play_random(900, seed=seed) for it, seed in zip(games, (9, 9, 9, 10), strict=True)]
    assert ended[0] == ended[1] == ended[2] > 5
    assert held(games[0]) == held(games[1]) == held(games[2])
    assert differing_fields(games[0].states, games[3].states) != []


@pytest.mark.parametrize("number", [0, 25, np.array(25), np.uint8(250)], ids=["0", "25", "0-d array", "uint8"])
def test_play_inside_the_core_takes_the_given_number_of_decisions(number: Any) -> None:
    games = Games(configuration("usa", 2), batch=3, autoreset=False, seed=0)
    assert games.play_random(number) == games.terminated.sum()
    assert games.states["decisions"][~games.terminated].tolist() == [number] * int((~games.terminated).sum())
