"""The time to find the longest continuous path of a network of routes (C17), one line of JSON per shape of network.

    python -m benchmarks.longest_path --variant usa --networks 2000

The networks use up the trains of a team and have shapes that make the search hard. Each grows route by route: the best
of a few random routes is added. What the best is depends on the shape:

- `short`: a short route, so that there are many;
- `cycles`: a route between cities that the network already reaches;
- `odd`: a route that leaves many cities with an odd number of routes;
- `compact`: a route close to the first city;
- `spurs`: at first a route that makes a long chain, then short routes that lead away from it;
- `doubles`: a route parallel to one of the network, which only a team of several players may claim (C11);
- `scattered`: a route apart from the network, so that there are several components.

Each network is timed by itself, around the call from Python. A network that is a trail as a whole needs no search. The
number of points that a search visits measures its work independently of the machine.
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
from t2r_env.core.compiled import cached
from t2r_env.rules.map_game.ruleset import MAP_GAME
from t2r_env.rules.map_game.trail import longest_trail
from t2r_env.sizes import MAX_TRAINS
from t2r_env.variants import MapVariant, Route


@cached
def measure_trails(states: Any, rules: Any, scratch: Any, lengths: Any) -> None:
    """Write the length of the longest trail of team 0 in state i to `lengths[i]`."""
    for row in range(states.shape[0]):
        lengths[row] = longest_trail(states[row], rules[0], scratch[0], 0)


# Networks


@dataclass
class Growth:
    """A network that grows route by route."""

    variant: MapVariant
    trains: int
    teammates: bool
    """Whether the team has several players: only then may it claim parallel routes (C11)."""
    rng: random.Random
    routes: list[int] = field(default_factory=list)
    degree: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.left = self.trains
        self.origin = self.rng.choice(self.variant.cities)
        self.variation = self.rng.random()
        """From 0 to 1. It makes networks of the same shape differ."""
        self.positions = {city.id: (city.x, city.y) for city in self.variant.cities}
        self.pairs: set[tuple[str, str]] = set()

    def grow(self, value: Callable[["Growth", Route], float], touching: bool, width: int) -> list[int]:
        """Add routes until none fits, each time the one of `width` random ones with the highest value; return all."""
        rest = [index for index in range(len(self.variant.routes)) if index not in self.routes]
        while rest := [index for index in rest if self.fits(self.variant.routes[index])]:
            near = [index for index in rest if self.touches(self.variant.routes[index])] if touching else rest
            if not near:
                break
            candidates = self.rng.sample(near, min(width, len(near)))
            chosen = max(candidates, key=lambda index: value(self, self.variant.routes[index]))
            rest.remove(chosen)
            self.add(chosen)
        return self.routes

    def fits(self, route: Route) -> bool:
        """Whether enough trains are left for it, and it may be claimed besides the others."""
        return route.length <= self.left and (self.teammates or (route.a, route.b) not in self.pairs)

    def touches(self, route: Route) -> bool:
        """Whether it touches the network, or the first city while the network is empty."""
        reached = self.degree or {self.origin.id}
        return route.a in reached or route.b in reached

    def add(self, index: int) -> None:
        """Add a route by its index."""
        route = self.variant.routes[index]
        self.routes.append(index)
        self.left -= route.length
        self.pairs.add((route.a, route.b))
        for city in (route.a, route.b):
            self.degree[city] = self.degree.get(city, 0) + 1

    def new_cities(self, route: Route) -> int:
        """Return how many of its cities the network does not reach."""
        return (route.a not in self.degree) + (route.b not in self.degree)

    def new_odd(self, route: Route) -> int:
        """Return how many more cities have an odd number of routes with it than without it."""
        return sum(-1 if self.degree.get(city, 0) % 2 else 1 for city in (route.a, route.b))

    def distance(self, route: Route) -> float:
        """Return the distances of its cities from the first city, added up."""
        return sum(math.dist(self.positions[city], (self.origin.x, self.origin.y)) for city in (route.a, route.b))


def _spur(growth: Growth, route: Route) -> float:
    """Return the value of a route for the shape `spurs`: it makes the chain longer first, then leads away from it."""
    chain = growth.left > growth.trains * growth.variation
    at_end = 1 in (growth.degree.get(route.a), growth.degree.get(route.b))
    return growth.new_cities(route) * 3 + (4 * at_end if chain else -route.length)


SHAPES: dict[str, tuple[Callable[[Growth, Route], float], bool, int]] = {
    "short": (lambda growth, route: -route.length, True, 8),
    "cycles": (lambda growth, route: -3 * growth.new_cities(route) - route.length * growth.variation, True, 12),
    "odd": (lambda growth, route: growth.new_odd(route) - route.length * growth.variation, True, 20),
    "compact": (lambda growth, route: -growth.distance(route), True, 24),
    "spurs": (_spur, True, 12),
    "doubles": (lambda growth, route: 3 * ((route.a, route.b) in growth.pairs) - route.length, True, 10),
    "scattered": (lambda growth, route: -growth.new_cities(route) - route.length, False, 12),
}
"""For each shape the value of a route, whether the network stays connected, and how many routes it chooses from."""


def random_network(shape: str, variant: MapVariant, trains: int, teammates: bool, rng: random.Random) -> list[int]:
    """Return the indices of the routes of a random network."""
    value, touching, width = SHAPES[shape]
    return Growth(variant, trains, teammates, rng).grow(value, touching, width)


def write_network(state: Any, variant: MapVariant, routes: list[int]) -> None:
    """Let seat 0 own the routes."""
    index_of = {city.id: index for index, city in enumerate(variant.cities)}
    component = state.component[0]
    for index in routes:
        route = variant.routes[index]
        state.claimed[0, index >> 6] |= np.uint64(1 << (index & 63))
        component[component == component[index_of[route.b]]] = component[index_of[route.a]]


def odd_cities(variant: MapVariant, routes: list[int]) -> int:
    """Return the number of cities where an odd number of the routes ends."""
    ends = [city for index in routes for city in (variant.routes[index].a, variant.routes[index].b)]
    return sum(ends.count(city) % 2 for city in set(ends))


# Time


def measure(shape: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Build networks of a shape, and time each."""
    variant, rules = arguments.configuration.variant, arguments.configuration.rules.copy()
    teammates = arguments.teammates or int(np.count_nonzero(rules[0].team[: rules[0].num_seats] == 0))
    trains = variant.trains * teammates
    rng = random.Random(f"{shape} {arguments.seed}")
    states, scratch = MAP_GAME.make_opening(rules).copy(), MAP_GAME.new_scratch().scoring
    lengths = np.zeros(1, np.int64)
    measure_trails(states, rules, scratch, lengths)
    nanoseconds, edges, odd, points, searched = [], [], [], [], 0
    for _ in track(range(arguments.networks), f"{shape:>10}", console=arguments.console, transient=True):
        routes = random_network(shape, variant, trains, teammates > 1, rng)
        states[:] = MAP_GAME.make_opening(rules).copy()
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
        "shape": shape,
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
    """Measure and print. Returns 0; exits with 2 for a wrong command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.longest_path", description="The time to find longest paths."
    )
    parser.add_argument(
        "--variant", default="usa", help="the name of a map game, or the path of its folder (default: usa)"
    )
    parser.add_argument("--networks", type=int, default=2000, help="number of networks of each shape (default: 2000)")
    parser.add_argument(
        "--teammates", type=int, help="players in a team, whose routes count together (default: as in the game)"
    )
    parser.add_argument(
        "--shapes", nargs="+", choices=SHAPES, default=list(SHAPES), metavar="SHAPE", help=f"any of {', '.join(SHAPES)}"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the networks (default: 0)")
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
    for shape in arguments.shapes:
        print(json.dumps(measure(shape, arguments)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
