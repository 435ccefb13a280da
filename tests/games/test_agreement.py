"""The same seeds give the same games: compiled or not, alone or in a batch, with any number of threads."""

import functools
import os
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import t2r_env.games
from t2r_env import VARIANTS, Games
from t2r_env.games import DECISION, IllegalActionError
from t2r_env.rules.names import PHASES
from tests.helpers.agreement import COURSES, Course, course_of, first_difference
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
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        titles, played = process.stdin, process.stdout

        def play(title: str) -> Course:
            print(title, file=titles, flush=True)
            assert played.readline() == f"{title}\n"
            with np.load(folder / f"{title}.npz") as archive:
                return {name: archive[name] for name in archive.files}

        yield play


@pytest.mark.release
@pytest.mark.parametrize("title", COURSES)
def test_compiled_play_is_that_of_plain_python(title: str, played_plainly: Callable[[str], Course]) -> None:
    """In every field. With the compiler off all numbers have 64 bits, so that a field that is too narrow shows."""
    assert first_difference(course(title), played_plainly(title)) is None


@pytest.mark.release
@pytest.mark.parametrize("title", COURSES)
def test_each_course_holds_games_that_end(title: str) -> None:
    assert course(title)["game truncated" if title == "a turn limit" else "game terminated"].any()


@each_kind_once
def test_a_game_of_a_batch_is_the_same_alone(variant: str, players: int) -> None:
    """Game i of `Games(seed=s)` is that of `Games(seed=s + i)`, and so are the games that follow it."""
    batch = course_of(players=players, decisions=400, batch=4, seed=70, variant=variant)
    played = [name for name in batch if not name.startswith(("determinized", "played inside"))]
    assert batch["game terminated"].sum(axis=0).min() >= 1
    for row in (0, 3):
        alone = course_of(players=players, decisions=400, batch=1, seed=70 + row, variant=variant)
        assert (
            first_difference(
                {name: batch[name][:, row] for name in played}, {name: alone[name][:, 0] for name in played}
            )
            is None
        )


@pytest.mark.release
def test_the_courses_meet_every_phase() -> None:
    """Each variant's courses meet every phase that the variant has."""
    met: dict[str, set[str]] = {}
    all_phases: dict[str, set[str]] = {}
    for title, options in COURSES.items():
        variant = options["variant"]
        advanced = {name: value for name, value in options.items() if name == "advanced_technologies"}
        chosen = configuration(variant, options["players"], **advanced)
        phases = course(title)["state phase"].flatten().tolist()
        met.setdefault(variant, set()).update(PHASES[phase] for phase in phases)
        all_phases.setdefault(variant, set()).update(chosen.phases)
    assert met == all_phases


def test_after_the_largest_seed_comes_0() -> None:
    """Of the games of a batch."""
    games = Games(configuration("usa", 2), batch=2, seed=2**64 - 1)
    first = Games(configuration("usa", 2), seed=0)
    assert games.seeds.tolist() == [2**64 - 1, 0]
    assert differing_fields(games.states[1:], first.states) == []


@pytest.mark.parametrize("batch", [1, 2, 7])
def test_threads_do_not_change_the_games(batch: int) -> None:
    """Not even more threads than games."""
    one, two = (course_of(players=2, decisions=220, batch=batch, threads=threads) for threads in (1, 2))
    assert first_difference(one, two) is None


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
    return games.states.tobytes() + games.masks.tobytes() + games.observations.tobytes()


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
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python's warning of a fork beside threads
        child = os.fork()
    if not child:  # it must neither return to pytest nor wait for ever
        try:
            signal.alarm(60)
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(played(old) + played(new))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        from_child = pipe.read()
    assert os.waitpid(child, 0) == (child, 0)
    assert from_child == played(alone) + played(again)
    assert played(old) + played(new) == from_child  # the parent's are as they were


@each_kind_once
def test_play_inside_the_core_is_the_same_for_the_same_seeds(variant: str, players: int) -> None:
    """With any number of threads; another seed makes other choices."""
    games = [Games(configuration(variant, players), batch=5, seed=8, threads=threads) for threads in (1, 1, 2)]
    ended = [it.play_random(900, seed=9) for it in games]
    assert ended[0] == ended[1] == ended[2] > 5
    for other in games[1:]:
        assert differing_fields(games[0].states, other.states) == []
        assert differing_fields(games[0].finished, other.finished) == []
        assert np.array_equal(games[0].observations, other.observations)
        assert np.array_equal(games[0].masks, other.masks)
        assert np.array_equal(games[0].rewards, other.rewards)
    other = Games(configuration(variant, players), batch=5, seed=8)
    other.play_random(900, seed=10)
    assert differing_fields(games[0].states, other.states) != []


def test_play_inside_the_core_takes_the_given_number_of_decisions() -> None:
    games = Games(configuration("usa", 2), batch=3, autoreset=False, seed=0)
    assert games.play_random(0) == 0
    assert games.states["decisions"].tolist() == [0, 0, 0]
    assert games.play_random(25) == 0
    assert games.states["decisions"].tolist() == [25, 25, 25]
