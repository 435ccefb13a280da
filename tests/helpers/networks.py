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


SHAPES = {"short": 8, "cycles": 12, "odd": 20, "compact": 24, "spurs": 12, "doubles": 10, "scattered": 12}
"""From how many routes each shape chooses."""


def random_network(shape: str, variant: MapVariant, trains: int, teammates: bool, rng: random.Random) -> list[int]:
    """Return the indices of the routes of a random network; only teammates may claim parallel routes (C11)."""
    positions = {city.id: (city.x, city.y) for city in variant.cities}
    origin, variation = rng.choice(variant.cities).id, rng.random()  # so that networks of the same shape differ
    network: dict[int, Route] = {}
    degree: Counter[str] = Counter()

    def worth(route: Route) -> float:
        ends = (route.a, route.b)
        new_cities = sum(city not in degree for city in ends)
        match shape:
            case "cycles":
                return -3 * new_cities - route.length * variation
            case "odd":
                return sum(-1 if degree[city] % 2 else 1 for city in ends) - route.length * variation
            case "compact":
                return -sum(math.dist(positions[city], positions[origin]) for city in ends)
            case "spurs":
                is_at_end = 1 in (degree[route.a], degree[route.b])
                return new_cities * 3 + (4 * is_at_end if left > trains * variation else -route.length)
            case "doubles":
                return 3 * (ends in pairs) - route.length
        return -route.length - new_cities * (shape == "scattered")

    while True:
        left = trains - sum(route.length for route in network.values())
        pairs = {(route.a, route.b) for route in network.values()}
        near = {
            index: route
            for index, route in enumerate(variant.routes)
            if index not in network and route.length <= left and (teammates or (route.a, route.b) not in pairs)
            if shape == "scattered" or not {route.a, route.b}.isdisjoint(degree or (origin,))
        }
        if not near:
            return [*network]
        some = rng.sample([*near], min(SHAPES[shape], len(near)))
        chosen = max(some, key=lambda index: worth(near[index]))
        network[chosen] = near[chosen]
        degree.update((near[chosen].a, near[chosen].b))


def write_network(state: Any, variant: MapVariant, routes: list[int]) -> None:
    index_of = {city.id: index for index, city in enumerate(variant.cities)}
    component = state.component[0]
    for index in routes:
        route = variant.routes[index]
        state.claimed[0, index >> 6] |= np.uint64(1 << (index & 63))
        component[component == component[index_of[route.b]]] = component[index_of[route.a]]
