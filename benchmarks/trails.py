"""How long the longest trail of a network takes to find (C17), one JSON line for each kind of network.

    python -m benchmarks.trails --variant usa --networks 2000

The networks use up a side's trains in ways that make the decision hard. Each grows route by route; of a few random routes
that could come next the best is taken, and each kind has its own idea of the best:

- `short`: short routes, so that there are many;
- `cycles`: routes between cities already reached;
- `odd`: routes that leave an odd number of routes at many cities;
- `compact`: routes close to where it began;
- `spurs`: a long chain first, then short routes that lead away from it;
- `doubles`: routes beside one already taken, which only team teammates may have together (C11);
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
from t2r_env.core.compiled import compiled
from t2r_env.rules.map_game.rules import opening
from t2r_env.rules.map_game.ruleset import MAP_GAME
from t2r_env.rules.map_game.trail import longest_trail
from t2r_env.sizes import MAX_TRAINS
from t2r_env.variants import MapVariant, Route


@compiled
def measure_trails(states: Any, rules: Any, scratch: Any, lengths: Any) -> None:
    """Write into `lengths[i]` the length of the longest trail of the first side in state i."""
    for row in range(states.shape[0]):
        lengths[row] = longest_trail(states[row], rules[0], scratch[0], 0)


# Networks


@dataclass
class Growth:
    """A network that grows."""

    variant: MapVariant
    trains: int
    teammates: bool
    """Whether several players make up the side: only then may it have more than one route of a connection (C11)."""
    rng: random.Random
    routes: list[int] = field(default_factory=list)
    degree: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.left = self.trains
        self.origin = self.rng.choice(self.variant.cities)
        self.mood = self.rng.random()
        """From 0 to 1; kinds use it to differ in themselves."""
        self.places = {city.id: (city.x, city.y) for city in self.variant.cities}
        self.groups: set[tuple[str, str]] = set()

    def grow(self, best: Callable[["Growth", Route], float], touching: bool, width: int) -> list[int]:
        """Take routes until none fits; of `width` random ones always the one with the highest value."""
        rest = [number for number in range(len(self.variant.routes)) if number not in self.routes]
        while rest := [number for number in rest if self.fits(self.variant.routes[number])]:
            near = [number for number in rest if self.touches(self.variant.routes[number])] if touching else rest
            if not near:
                break
            choice = self.rng.sample(near, min(width, len(near)))
            number = max(choice, key=lambda it: best(self, self.variant.routes[it]))
            rest.remove(number)
            self.take(number)
        return self.routes

    def fits(self, route: Route) -> bool:
        """Whether trains are left for it, and it may be taken beside the others."""
        return route.length <= self.left and (self.teammates or (route.a, route.b) not in self.groups)

    def touches(self, route: Route) -> bool:
        """Whether it meets the network, or, before there is any, the city where it begins."""
        reached = self.degree or {self.origin.id}
        return route.a in reached or route.b in reached

    def take(self, number: int) -> None:
        """Add a route."""
        route = self.variant.routes[number]
        self.routes.append(number)
        self.left -= route.length
        self.groups.add((route.a, route.b))
        for city in (route.a, route.b):
            self.degree[city] = self.degree.get(city, 0) + 1

    def new_cities(self, route: Route) -> int:
        """How many of its cities the network does not have."""
        return (route.a not in self.degree) + (route.b not in self.degree)

    def new_odd(self, route: Route) -> int:
        """By how many it changes the cities with an odd number of routes."""
        return sum(-1 if self.degree.get(city, 0) % 2 else 1 for city in (route.a, route.b))

    def distance(self, route: Route) -> float:
        """How far from the origin its cities lie."""
        return sum(math.dist(self.places[city], (self.origin.x, self.origin.y)) for city in (route.a, route.b))


def _spur(growth: Growth, route: Route) -> float:
    """Up to some length the value of a route that makes a chain longer, then of one that leads away from it."""
    chain = growth.left > growth.trains * growth.mood
    at_end = 1 in (growth.degree.get(route.a), growth.degree.get(route.b))
    return growth.new_cities(route) * 3 + (4 * at_end if chain else -route.length)


KINDS: dict[str, tuple[Callable[[Growth, Route], float], bool, int]] = {
    "short": (lambda growth, route: -route.length, True, 8),
    "cycles": (lambda growth, route: -3 * growth.new_cities(route) - route.length * growth.mood, True, 12),
    "odd": (lambda growth, route: growth.new_odd(route) - route.length * growth.mood, True, 20),
    "compact": (lambda growth, route: -growth.distance(route), True, 24),
    "spurs": (_spur, True, 12),
    "doubles": (lambda growth, route: 3 * ((route.a, route.b) in growth.groups) - route.length, True, 10),
    "scattered": (lambda growth, route: -growth.new_cities(route) - route.length, False, 12),
}
"""What each kind of network looks for, whether it hangs together, and how many routes it looks at."""


def random_network(kind: str, variant: MapVariant, trains: int, teammates: bool, rng: random.Random) -> list[int]:
    """The numbers of the routes of a random network."""
    best, touching, width = KINDS[kind]
    return Growth(variant, trains, teammates, rng).grow(best, touching, width)


def write_network(state: Any, variant: MapVariant, routes: list[int]) -> None:
    """Give the routes to the first seat."""
    number_of = {city.id: number for number, city in enumerate(variant.cities)}
    label = state.component[0]
    for number in routes:
        route = variant.routes[number]
        state.claimed[0, number >> 6] |= np.uint64(1 << (number & 63))
        label[label == label[number_of[route.b]]] = label[number_of[route.a]]


def odd_cities(variant: MapVariant, routes: list[int]) -> int:
    """At how many cities an odd number of the routes ends."""
    ends = [city for number in routes for city in (variant.routes[number].a, variant.routes[number].b)]
    return sum(ends.count(city) % 2 for city in set(ends))


# Time


def measure(kind: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Build the networks of a kind, and time each."""
    variant, rules = arguments.configuration.variant, arguments.configuration.rules
    teammates = arguments.teammates or int(np.count_nonzero(rules[0].team[: rules[0].num_seats] == 0))
    trains = variant.trains * teammates
    rng = random.Random(f"{kind} {arguments.seed}")
    states, scratch, lengths = opening(rules), MAP_GAME.new_scratch(), np.zeros(1, np.int64)
    measure_trails(states, rules, scratch, lengths)
    nanoseconds, edges, odd, points, searched = [], [], [], [], 0
    for _ in track(range(arguments.networks), f"{kind:>10}", console=arguments.console, transient=True):
        routes = random_network(kind, variant, trains, teammates > 1, rng)
        states[:] = opening(rules)
        write_network(states[0], variant, routes)
        searches, visited = int(scratch[0].searches), int(scratch[0].points)
        start = time.perf_counter_ns()
        measure_trails(states, rules, scratch, lengths)
        nanoseconds.append(time.perf_counter_ns() - start)
        searched += int(scratch[0].searches) > searches
        points.append(int(scratch[0].points) - visited)
        edges.append(len(routes))
        odd.append(odd_cities(variant, routes))
    return {
        "variant": variant.id,
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
    parser.add_argument("--teammates", type=int, help="players whose routes count together (default: as in the game)")
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
    if not isinstance(arguments.configuration.variant, MapVariant):
        parser.error(f"--variant must be a map game: {arguments.configuration.variant.id} has no routes")
    if arguments.networks < 1:
        parser.error(f"--networks must be at least 1, not {arguments.networks}")
    most = MAX_TRAINS // arguments.configuration.variant.trains
    if arguments.teammates is not None and not 1 <= arguments.teammates <= most:
        parser.error(f"--teammates must be from 1 to {most}, not {arguments.teammates}")
    for kind in arguments.kinds:
        print(json.dumps(measure(kind, arguments)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
