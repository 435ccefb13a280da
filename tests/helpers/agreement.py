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

COURSES: dict[str, dict[str, Any]] = {
    "two players": {"variant": "usa", "players": 2, "decisions": 260, "batch": 2, "beyond": 25, "reward": "score"},
    "mega tickets": {"variant": "usa", "players": 2, "decisions": 240, "batch": 1, "reward": "win", "tickets": "mega"},
    "a turn limit": {"variant": "usa", "players": 5, "decisions": 120, "batch": 1, "turn_limit": 20},
}
"""The games that are compared: thousands of decisions, with ends of games and new games among them."""

for variant in (load_variant(variant) for variant in VARIANTS if variant != "usa"):
    players = variant.max_players
    COURSES[f"{variant.id}, {players} players"] = {
        "variant": variant.id,
        "players": players,
        "decisions": 700,
        "batch": 1,
        "beyond": 25,
    }
COURSES["advanced technologies"] = {
    "variant": "united_kingdom",
    "players": 3,
    "decisions": 900,
    "batch": 1,
    "seed": 4,  # so that all phases are met
    "style": "grow_rich",
    "beyond": 25,
    "advanced_technologies": True,
}
COURSES["rail yards"] = {
    "variant": "card_game",
    "players": 3,
    "decisions": 400,
    "batch": 1,
    "style": "build",
    "beyond": 25,
}
COURSES["a second deck"] = {
    "variant": "card_game",
    "players": 4,
    "decisions": 700,
    "batch": 1,
    "style": "grow_rich",
    "beyond": 25,
}
COURSES["tunnels"] = {
    "variant": "team_asia",
    "players": 4,
    "decisions": 500,
    "batch": 1,
    "style": "grow_rich",
    "beyond": 25,
}


def fields_of(states: NDArray[Any]) -> Iterator[tuple[str, NDArray[Any]]]:
    """The fields of states as 64-bit integers, whatever their own width."""
    for name in records.fields_of(states.dtype):
        values = np.asarray(states[name])
        yield name, values.astype(np.uint64 if values.dtype == np.uint64 else np.int64)


def course_of(
    players: int,
    decisions: int,
    batch: int,
    seed: int = 5,
    variant: str = "usa",
    reward: str = "rank",
    threads: int = 1,
    style: str = "any",
    beyond: int | None = None,
    **options: Any,
) -> Course:
    """Play a batch in a style and record it after each decision; every twentieth time with views and determinizations.

    It ends after so many decisions, or as many as are to follow the first end of a game.
    """
    chosen = configuration(variant, players, **options)
    games = Games(chosen, batch=batch, seed=seed, reward=reward, threads=threads)  # type: ignore[arg-type]  # a literal
    writer = None if variant == "card_game" else GraphWriter(chosen)
    seen: dict[str, list[NDArray[Any]]] = {}

    def note(prefix: str, **arrays: NDArray[Any]) -> None:
        for name, array in arrays.items():
            seen.setdefault(f"{prefix} {name}", []).append(array.copy())

    rng = [random.Random(seed + row) for row in range(batch)]
    left = decisions
    for decision in itertools.count():
        if beyond is not None and (games.terminated | games.truncated).any():
            left = min(left, decision + beyond)
        if decision == left:
            break
        note("state", **dict(fields_of(games.states)))
        note("game", masks=games.masks, observations=games.observations, current=games.current, seeds=games.seeds)
        note("game", rewards=games.rewards, terminated=games.terminated, truncated=games.truncated)
        if decision % 20 == 0:
            note("view", **dict(fields_of(games.views())))
            note("determinized", **dict(fields_of(games.determinize(None, range(batch)))))
            note("game", global_state=games.global_state(), final_observations=games.final_observations)
            note("finished", **dict(fields_of(games.finished)))
            if writer:
                note("graph", **writer.observe(games.observations, games.masks, games.current))
        games.step([choose(games, row, style, rng[row]) for row in range(batch)])
    games.play_random(20, seed=seed)
    note("played inside the core", **dict(fields_of(games.states)))
    return {name: np.stack(arrays) for name, arrays in seen.items()}


def first_difference(course: Course, other: Course) -> str | None:
    """The first difference of two courses; None if there is none."""
    if course.keys() != other.keys():
        return f"only one shows {sorted(course.keys() ^ other.keys())}"
    differences = []
    for name, values in course.items():
        if values.shape != other[name].shape:
            return f"{name} has shapes {values.shape} and {other[name].shape}"
        if indices := np.argwhere(values != other[name]).tolist():
            differences.append(
                (indices[0][0], f"{name} at {indices[0]}: {values[*indices[0]]}, {other[name][*indices[0]]}")
            )
    return min(differences)[1] if differences else None


if __name__ == "__main__":
    for title in map(str.rstrip, sys.stdin):
        course = course_of(**COURSES[title])
        np.savez(Path(sys.argv[1], f"{title}.npz"), **course)  # type: ignore[arg-type]  # numpy types the option beside them
        print(title, flush=True)
