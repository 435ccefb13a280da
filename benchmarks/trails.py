"""How long the longest trail of a network takes to find (C17), one JSON line for each kind of network.

    python -m benchmarks.trails --variant usa --networks 2000

The networks use up a side's trains in ways that make the question hard. Each grows lane by lane; of a few random lanes
that could come next the best is taken, and each kind has its own idea of the best:

- `short`: short lanes, so that there are many;
- `cycles`: lanes between cities already reached;
- `odd`: lanes that leave an odd number of lanes at many cities;
- `compact`: lanes close to where it began;
- `spurs`: a long chain first, then short lanes that lead away from it;
- `doubles`: lanes beside one already taken, which only team mates may have together (C11);
- `scattered`: several parts.

Each network is timed by itself, around the call from Python. A network that is one trail as a whole needs no search;
the points that a search visits measure its work whatever else the machine does.
"""

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track

from benchmarks.machine import describe_machine, describe_versions
from t2r_env import configure
from t2r_env.boxes import Lane, MapBox
from t2r_env.boxes.box import MAX_TRAINS
from t2r_env.rules.compiled import compiled
from t2r_env.rules.map_game.kind import MAP_GAME
from t2r_env.rules.map_game.rules import opening
from t2r_env.rules.map_game.trail import longest_trail


@compiled
def measure_trails(states: Any, rules: Any, scratch: Any, lengths: Any) -> None:
    """Write into `lengths[i]` the length of the longest trail of the first side in state i."""
    for row in range(states.shape[0]):
        lengths[row] = longest_trail(states[row], rules[0], scratch[0], 0)


# Networks


@dataclass
class Growth:
    """A network that grows."""

    box: MapBox
    trains: int
    mates: bool
    """Whether several players make up the side: only then may it have more than one lane of a connection (C11)."""
    chance: random.Random
    lanes: list[int] = field(default_factory=list)
    degree: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.left = self.trains
        self.origin = self.chance.choice(self.box.cities)
        self.mood = self.chance.random()
        """From 0 to 1; kinds use it to differ in themselves."""
        self.places = {city.id: (city.x, city.y) for city in self.box.cities}
        self.connections: set[tuple[str, str]] = set()

    def grow(self, best: Callable[["Growth", Lane], float], touching: bool, width: int) -> list[int]:
        """Take lanes until none fits; of `width` random ones always the one with the highest value."""
        rest = [number for number in range(len(self.box.lanes)) if number not in self.lanes]
        while rest := [number for number in rest if self.fits(self.box.lanes[number])]:
            near = [number for number in rest if self.touches(self.box.lanes[number])] if touching else rest
            if not near:
                break
            choice = self.chance.sample(near, min(width, len(near)))
            number = max(choice, key=lambda it: best(self, self.box.lanes[it]))
            rest.remove(number)
            self.take(number)
        return self.lanes

    def fits(self, lane: Lane) -> bool:
        """Whether trains are left for it, and it may be taken beside the others."""
        return lane.length <= self.left and (self.mates or (lane.a, lane.b) not in self.connections)

    def touches(self, lane: Lane) -> bool:
        """Whether it meets the network, or, before there is any, the city where it begins."""
        reached = self.degree or {self.origin.id}
        return lane.a in reached or lane.b in reached

    def take(self, number: int) -> None:
        """Add a lane."""
        lane = self.box.lanes[number]
        self.lanes.append(number)
        self.left -= lane.length
        self.connections.add((lane.a, lane.b))
        for city in (lane.a, lane.b):
            self.degree[city] = self.degree.get(city, 0) + 1

    def new_cities(self, lane: Lane) -> int:
        """How many of its cities the network does not have."""
        return (lane.a not in self.degree) + (lane.b not in self.degree)

    def new_odd(self, lane: Lane) -> int:
        """By how many it changes the cities with an odd number of lanes."""
        return sum(-1 if self.degree.get(city, 0) % 2 else 1 for city in (lane.a, lane.b))

    def distance(self, lane: Lane) -> float:
        """How far from the origin its cities lie."""
        return sum(math.dist(self.places[city], (self.origin.x, self.origin.y)) for city in (lane.a, lane.b))


def _spur(growth: Growth, lane: Lane) -> float:
    """Up to some length the value of a lane that makes a chain longer, then of one that leads away from it."""
    chain = growth.left > growth.trains * growth.mood
    at_end = 1 in (growth.degree.get(lane.a), growth.degree.get(lane.b))
    return growth.new_cities(lane) * 3 + (4 * at_end if chain else -lane.length)


KINDS: dict[str, tuple[Callable[[Growth, Lane], float], bool, int]] = {
    "short": (lambda growth, lane: -lane.length, True, 8),
    "cycles": (lambda growth, lane: -3 * growth.new_cities(lane) - lane.length * growth.mood, True, 12),
    "odd": (lambda growth, lane: growth.new_odd(lane) - lane.length * growth.mood, True, 20),
    "compact": (lambda growth, lane: -growth.distance(lane), True, 24),
    "spurs": (_spur, True, 12),
    "doubles": (lambda growth, lane: 3 * ((lane.a, lane.b) in growth.connections) - lane.length, True, 10),
    "scattered": (lambda growth, lane: -growth.new_cities(lane) - lane.length, False, 12),
}
"""What each kind of network looks for, whether it hangs together, and how many lanes it looks at."""


def random_network(kind: str, box: MapBox, trains: int, mates: bool, chance: random.Random) -> list[int]:
    """The numbers of the lanes of a random network."""
    best, touching, width = KINDS[kind]
    return Growth(box, trains, mates, chance).grow(best, touching, width)


def write_network(state: Any, box: MapBox, lanes: list[int]) -> None:
    """Give the lanes to the first seat."""
    number_of = {city.id: number for number, city in enumerate(box.cities)}
    label = state.component[0]
    for number in lanes:
        lane = box.lanes[number]
        state.claimed[0, number >> 6] |= np.uint64(1 << (number & 63))
        label[label == label[number_of[lane.b]]] = label[number_of[lane.a]]


def odd_cities(box: MapBox, lanes: list[int]) -> int:
    """At how many cities an odd number of the lanes ends."""
    ends = [city for number in lanes for city in (box.lanes[number].a, box.lanes[number].b)]
    return sum(ends.count(city) % 2 for city in set(ends))


# Time


def measure(kind: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Build the networks of a kind, and time each."""
    box, rules = arguments.configuration.box, arguments.configuration.rules
    mates = arguments.mates or int(np.count_nonzero(rules[0].side[: rules[0].num_seats] == 0))
    trains = box.trains * mates
    chance = random.Random(f"{kind} {arguments.seed}")
    states, scratch, lengths = opening(rules), MAP_GAME.new_scratch(), np.zeros(1, np.int64)
    measure_trails(states, rules, scratch, lengths)
    nanoseconds, edges, odd, points, searched = [], [], [], [], 0
    for _ in track(range(arguments.networks), f"{kind:>10}", console=arguments.console, transient=True):
        lanes = random_network(kind, box, trains, mates > 1, chance)
        states[:] = opening(rules)
        write_network(states[0], box, lanes)
        searches, visited = int(scratch[0].searches), int(scratch[0].points)
        start = time.perf_counter_ns()
        measure_trails(states, rules, scratch, lengths)
        nanoseconds.append(time.perf_counter_ns() - start)
        searched += int(scratch[0].searches) > searches
        points.append(int(scratch[0].points) - visited)
        edges.append(len(lanes))
        odd.append(odd_cities(box, lanes))
    return {
        "variant": box.id,
        "kind": kind,
        "networks": arguments.networks,
        "seed": arguments.seed,
        "trains": trains,
        "worst_ms": round(max(nanoseconds) / 1e6, 3),
        "mean_us": round(sum(nanoseconds) / len(nanoseconds) / 1e3, 1),
        "most_edges": max(edges),
        "most_odd_cities": max(odd),
        "searched": searched,
        "most_points": max(points),
        "machine": describe_machine(),
        "versions": describe_versions(),
    }


def main(command: list[str] | None = None) -> int:
    """Measure the kinds asked for; 2 for a wrong command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trails", description="The time of longest trails.")
    parser.add_argument("--variant", default="usa", help="a map game, or the path of a folder (default: usa)")
    parser.add_argument("--networks", type=int, default=2000, help="of each kind (default: 2000)")
    parser.add_argument("--mates", type=int, help="players whose lanes count together (default: as in the game)")
    parser.add_argument(
        "--kinds", nargs="+", choices=KINDS, default=list(KINDS), metavar="KIND", help=f"of {', '.join(KINDS)}"
    )
    parser.add_argument("--seed", type=int, default=0, help="other networks (default: 0)")
    arguments = parser.parse_args(command)
    arguments.console = Console(stderr=True)
    try:
        arguments.configuration = configure(arguments.variant)
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    if not isinstance(arguments.configuration.box, MapBox):
        parser.error(f"--variant must be a map game: {arguments.configuration.box.id} has no lanes")
    if arguments.networks < 1:
        parser.error(f"--networks must be at least 1, not {arguments.networks}")
    most = MAX_TRAINS // arguments.configuration.box.trains
    if arguments.mates is not None and not 1 <= arguments.mates <= most:
        parser.error(f"--mates must be from 1 to {most}, not {arguments.mates}")
    for kind in arguments.kinds:
        print(json.dumps(measure(kind, arguments)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
