"""Networks of routes whose longest path (C17) is hard to find.

They use up the trains of a team. Each grows route by route: the best of a few random routes is added. What the best is
depends on the shape:

- `short`: a short route, so that there are many;
- `cycles`: a route between cities that the network already reaches;
- `odd`: a route that leaves many cities with an odd number of routes;
- `compact`: a route close to the first city;
- `spurs`: at first a route that makes a long chain, then short routes that lead away from it;
- `doubles`: a route parallel to one of the network, which only a team of several players may claim (C11);
- `scattered`: a route apart from the network, so that there are several components.
"""

import math
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from t2r_env.core.compiled import cached
from t2r_env.rules.map_game.trail import longest_trail
from t2r_env.variants import MapVariant, Route


@cached
def measure_trails(states: Any, rules: Any, scratch: Any, lengths: Any) -> None:
    """Write the length of the longest trail of team 0 in state i to `lengths[i]`."""
    for row in range(states.shape[0]):
        lengths[row] = longest_trail(states[row], rules[0], scratch[0], 0)


class Network:
    """A network that grows route by route."""

    def __init__(self, variant: MapVariant, trains: int, rng: random.Random) -> None:
        self.trains = self.left = trains
        self.routes: list[int] = []
        self.degree: Counter[str] = Counter()
        self.pairs: set[tuple[str, str]] = set()
        self.positions = {city.id: (city.x, city.y) for city in variant.cities}
        self.origin = rng.choice(variant.cities).id
        self.variation = rng.random()
        """From 0 to 1. It makes networks of the same shape differ."""

    def add(self, index: int, route: Route) -> None:
        """Add a route, the one of this index."""
        self.routes.append(index)
        self.left -= route.length
        self.pairs.add((route.a, route.b))
        self.degree.update((route.a, route.b))

    def touches(self, route: Route) -> bool:
        """Whether a route touches the network, or the first city while the network is empty."""
        return not {route.a, route.b}.isdisjoint(self.degree or (self.origin,))

    def new_cities(self, route: Route) -> int:
        """Return how many of a route's cities the network does not reach."""
        return sum(city not in self.degree for city in (route.a, route.b))

    def new_odd(self, route: Route) -> int:
        """Return how many more cities have an odd number of routes with a route than without it."""
        return sum(-1 if self.degree[city] % 2 else 1 for city in (route.a, route.b))

    def distance(self, route: Route) -> float:
        """Return the distances of a route's cities from the first city, added up."""
        return sum(math.dist(self.positions[city], self.positions[self.origin]) for city in (route.a, route.b))

    def spur(self, route: Route) -> float:
        """Return the value of a route for the shape `spurs`: it first makes the chain longer, then leads away."""
        is_chain = self.left > self.trains * self.variation
        is_at_end = 1 in (self.degree[route.a], self.degree[route.b])
        return self.new_cities(route) * 3 + (4 * is_at_end if is_chain else -route.length)


SHAPES: dict[str, tuple[Callable[[Network, Route], float], bool, int]] = {
    "short": (lambda network, route: -route.length, True, 8),
    "cycles": (lambda network, route: -3 * network.new_cities(route) - route.length * network.variation, True, 12),
    "odd": (lambda network, route: network.new_odd(route) - route.length * network.variation, True, 20),
    "compact": (lambda network, route: -network.distance(route), True, 24),
    "spurs": (Network.spur, True, 12),
    "doubles": (lambda network, route: 3 * ((route.a, route.b) in network.pairs) - route.length, True, 10),
    "scattered": (lambda network, route: -network.new_cities(route) - route.length, False, 12),
}
"""For each shape the value of a route, whether the network stays connected, and how many routes it chooses from."""


def random_network(shape: str, variant: MapVariant, trains: int, teammates: bool, rng: random.Random) -> list[int]:
    """Return the indices of the routes of a random network; only teammates may claim parallel routes (C11)."""
    value, is_connected, width = SHAPES[shape]
    network, rest = Network(variant, trains, rng), dict(enumerate(variant.routes))
    while True:
        rest = {
            index: route
            for index, route in rest.items()
            if route.length <= network.left and (teammates or (route.a, route.b) not in network.pairs)
        }
        near = [index for index, route in rest.items() if network.touches(route) or not is_connected]
        if not near:
            return network.routes
        chosen = max(rng.sample(near, min(width, len(near))), key=lambda index: value(network, rest[index]))
        network.add(chosen, rest.pop(chosen))


def write_network(state: Any, variant: MapVariant, routes: list[int]) -> None:
    """Let seat 0 own the routes."""
    index_of = {city.id: index for index, city in enumerate(variant.cities)}
    component = state.component[0]
    for index in routes:
        route = variant.routes[index]
        state.claimed[0, index >> 6] |= np.uint64(1 << (index & 63))
        component[component == component[index_of[route.b]]] = component[index_of[route.a]]
