"""Random play recorded in arrays, so that two ways to run the core can be compared by value.

`python -m tests.helpers.agreement FOLDER` reads titles, writes each course to a NumPy archive in the folder, and says
so; the test runs it with the compiler off.
"""

import itertools
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env import VARIANTS, Games
from t2r_env.core import records
from t2r_env.graph import GraphWriter
from t2r_env.variants import load_variant
from tests.helpers.playing import choose
from tests.helpers.situations import configuration

Course = dict[str, NDArray[Any]]
"""For each name the arrays that were recorded after the decisions, stacked."""

ADVANCED = {"advanced_technologies": True}
COURSES: dict[str, dict[str, Any]] = {
    "two players": {"variant": "usa", "players": 2, "decisions": 260, "batch": 2, "reward": "score"},
    "mega tickets": {"variant": "usa", "players": 2, "decisions": 240, "reward": "win", "options": {"tickets": "mega"}},
    "a turn limit": {"variant": "usa", "players": 5, "decisions": 120, "options": {"turn_limit": 20}},
    **{it: {"variant": it, "players": load_variant(it).max_players} for it in VARIANTS if it != "usa"},
    # a seed with which all phases are met
    "advanced": {"variant": "united_kingdom", "players": 3, "seed": 4, "style": "grow_rich", "options": ADVANCED},
    "rail yards": {"variant": "card_game", "players": 3, "style": "build"},
    "a second deck": {"variant": "card_game", "players": 4, "style": "grow_rich"},
    "tunnels": {"variant": "team_asia", "players": 4, "style": "grow_rich"},
}
"""The games that are compared: thousands of decisions, with ends of games and new games among them."""


def fields_of(states: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """The fields of states as 64-bit integers, whatever their own width."""
    fields = {name: np.asarray(states[name]) for name in records.fields_of(states.dtype)}
    return {name: it.astype(np.uint64 if it.dtype == np.uint64 else np.int64) for name, it in fields.items()}


def course_of(
    variant: str,
    players: int,
    decisions: int = 900,
    batch: int = 1,
    seed: int = 5,
    reward: Any = "rank",
    style: str = "any",
    options: dict[str, Any] | None = None,
) -> Course:
    """Play a batch in a style and record it after each decision; every twentieth time with views and determinizations.

    It ends 25 decisions after the first end of a game, or after so many in all.
    """
    chosen = configuration(variant, players, **options or {})
    games = Games(chosen, batch=batch, seed=seed, reward=reward)
    writer = None if variant == "card_game" else GraphWriter(chosen)
    seen: dict[str, list[NDArray[Any]]] = {}

    def note(prefix: str, **arrays: NDArray[Any]) -> None:
        for name, array in arrays.items():
            seen.setdefault(f"{prefix} {name}", []).append(array.copy())

    rng = [random.Random(seed + row) for row in range(batch)]
    for decision in itertools.count():
        if (games.terminated | games.truncated).any():
            decisions = min(decisions, decision + 25)
        if decision == decisions:
            break
        note("state", **fields_of(games.states))
        note("game", masks=games.masks, observations=games.observations, current=games.current, seeds=games.seeds)
        note("game", rewards=games.rewards, terminated=games.terminated, truncated=games.truncated)
        if decision % 20 == 0:
            note("view", **fields_of(games.views()))
            note("determinized", **fields_of(games.determinize(None, range(batch))))
            note("game", global_state=games.global_state(), final_observations=games.final_observations)
            note("finished", **fields_of(games.finished))
            if writer:
                note("graph", **writer.observe(games.observations, games.masks, games.current))
        games.step([choose(games, row, style, rng[row]) for row in range(batch)])
    games.play_random(20, seed=seed)
    note("played inside the core", **fields_of(games.states))
    return {name: np.stack(arrays) for name, arrays in seen.items()}


def differences(course: Course, other: Course) -> Iterator[str]:
    """What differs in two courses, and where first."""
    assert course.keys() == other.keys()
    for name, values in course.items():
        assert values.shape == other[name].shape, name
        for place in np.argwhere(values != other[name])[:1].tolist():
            yield f"{name} at {place}: {values[*place]}, {other[name][*place]}"


if __name__ == "__main__":
    for title in map(str.rstrip, sys.stdin):
        np.savez(Path(sys.argv[1], f"{title}.npz"), allow_pickle=False, **course_of(**COURSES[title]))
        print(title, flush=True)
