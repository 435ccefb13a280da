"""`python -m tests.endurance.maps`: a thousand generated maps, played to the end at random and by planners.

Seeds 0, 1, 2 ... give each map, its number of cities, its rules and its numbers of players; every second map is of the
usual kind. Each is made, written as a folder and read again; random games are played and checked as in the soak,
referees included; and planners play a game with every number of players.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from tempfile import TemporaryDirectory
from typing import Any

from rich.progress import track

from t2r_env import configure, generate_map, trajectories
from t2r_env.generating import RULES, write_map
from t2r_env.variants import MapVariant, load_variant
from tests.endurance import add_numbers, positive_integer, text_of
from tests.endurance.soak import Soak

RANDOM_GAMES = 30
"""Played side by side on each map, with one of its numbers of players."""


@dataclass
class Played:
    """What a map came to, or several maps together."""

    maps: int = 0
    random_games: int = 0
    states: int = 0
    """States of random games that were put into other games, determinized, and in part compared with the referees."""
    planner_games: int = 0
    completed: int = 0
    """Tickets that planners completed."""
    failed: int = 0
    faults: tuple[str, ...] = ()


def arguments_of(seed: int) -> dict[str, Any]:
    """The arguments of `generate_map` for a seed."""
    if seed % 2 == 0:
        return {"seed": seed}
    rng = random.Random(seed)
    fewest = rng.randint(2, 6)
    return {
        "seed": seed,
        "cities": rng.randint(15, 51),
        "players": (fewest, rng.randint(fewest, 6)),
        "rules": [rule for rule in RULES if rng.random() < 0.5],
    }


def play_map(seed: int) -> Played:
    """Make and play a map. A fault ends that, and is noted."""
    played = Played(maps=1)
    try:
        variant = generate_map(**arguments_of(seed))
        with TemporaryDirectory() as folder:  # which holds the same variant
            write_map(folder, **arguments_of(seed))
            assert load_variant(folder) == variant
        play_at_random(variant, seed, played)
        play_planners(variant, seed, played)
    except Exception as error:  # whatever a fault may lead to
        played.faults = (f"seed {seed}: {text_of(error)}",)
    return played


def play_at_random(variant: MapVariant, seed: int, played: Played) -> None:
    """Play random games with one of the numbers of players, and check them."""
    numbers = variant.player_numbers
    soak = Soak(configure(variant, numbers[seed // 2 % len(numbers)]), seed, RANDOM_GAMES)
    while soak.tally.games < RANDOM_GAMES:
        soak.go_on()
    assert soak.tally.truncated == 0
    played.random_games, played.states = soak.tally.games, soak.tally.states


def play_planners(variant: MapVariant, seed: int, played: Played) -> None:
    """Play a game of planners with each number of players."""
    for number in variant.player_numbers:
        seats = [*trajectories(configure(variant, number), agents="planner", games=1, seed=seed)]
        assert min(seat.result["rank"] for seat in seats) == 1
        played.planner_games += 1
        played.completed += sum(seat.result["completed"] for seat in seats)
        played.failed += sum(seat.result["failed"] for seat in seats)


def main(command: Sequence[str] | None = None) -> int:
    """Play; return 1 if there is a fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.endurance.maps", description="Play generated maps.")
    parser.add_argument("--maps", type=positive_integer, default=1000, help="(default: 1000)")
    parser.add_argument("--processes", type=positive_integer, default=1, help="(default: 1)")
    arguments = parser.parse_args(command)
    played = Played()
    with get_context("spawn").Pool(arguments.processes) as pool:
        for one in track(pool.imap_unordered(play_map, range(arguments.maps), 10), "maps", arguments.maps):
            add_numbers(played, one)
    print("\n".join(f"{name}: {value}" for name, value in vars(played).items() if name != "faults"))
    print("\n".join(["faults:", *played.faults] if played.faults else ["no fault"]))
    return bool(played.faults)


if __name__ == "__main__":
    sys.exit(main())
