"""The longest trail (C17) of many networks, compared with slow searches and with known results."""

import random
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from t2r_env.rules.map_game.records import MAX_EDGES
from t2r_env.rules.rulesets import MAP_GAME
from tests.helpers.maps import MAP_GAMES, load_map
from tests.helpers.networks import SHAPES, measure_trails, random_network, write_network
from tests.helpers.referee import longest_path, network_of, trail_bound
from tests.helpers.situations import configuration

Edge = tuple[int, int, int]
"""Two cities and a length."""

SCRATCH = MAP_GAME.new_scratch().scoring


def trail_of(edges: Iterable[Edge]) -> int:
    """The longest trail of a network that is not on a map, as the core finds it."""
    rules = configuration("usa", 2).rules.copy()
    states = MAP_GAME.make_opening(rules).copy()
    label = states[0].component[0]
    for number, (a, b, length) in enumerate(edges):
        rules[0].route_a[number], rules[0].route_b[number], rules[0].route_length[number] = a, b, length
        states[0].claimed[0, number >> 6] |= np.uint64(1 << (number & 63))
        label[label == label[b]] = label[a]
    rules[0].num_cities = len(label)
    return measured(states, rules)


def measured(states: Any, rules: Any) -> int:
    lengths = np.zeros(1, np.int64)
    measure_trails(states, rules, SCRATCH, lengths)
    return int(lengths[0])


def shuffled(rng: random.Random, edges: list[Edge]) -> list[Edge]:
    """The same network with other city numbers and another order of its routes."""
    number = rng.sample(range(64), 64)
    return rng.sample([(number[a], number[b], length) for a, b, length in edges], len(edges))


# Compared with slow searches


@pytest.mark.parametrize("variant", MAP_GAMES)
def test_the_longest_path_on_each_map_is_that_found_by_walking_every_trail(variant: str) -> None:
    """C17: small networks of every kind, with both routes of double routes too."""
    loaded = load_map(variant)
    rules = configuration(variant, loaded.min_players).rules.copy()
    rng = random.Random(variant)
    beyond = 0
    for shape in SHAPES:
        for _ in range(4):
            trains = 5
            routes = random_network(shape, loaded, trains, True, rng)
            while len(routes) < 12 and trains < loaded.trains:
                trains += 2
                routes = random_network(shape, loaded, trains, True, rng)
            network = network_of(loaded.routes[number] for number in routes[:13])
            states = MAP_GAME.make_opening(rules).copy()
            write_network(states[0], loaded, routes[:13])
            length = longest_path(network)
            beyond += length < trail_bound(network)
            assert measured(states, rules) == length, network
    assert beyond >= 1


def any_network(rng: random.Random, cities: int, routes: int) -> list[Edge]:
    """Random routes, with parallel ones and separate parts."""
    pairs = [rng.sample(range(cities), 2) for _ in range(routes)]
    return [(a, b, rng.choice([1, 1, 1, 2, 3, 6])) for a, b in pairs]


def loops_on_a_tree(rng: random.Random, loops: int) -> list[Edge]:
    """Loops joined by bridges: the best routes by the number of odd cities are rarely connected."""
    edges: list[Edge] = []
    new = 1
    for loop in range(loops):
        at = rng.randrange(new)
        if loop:
            edges.append((at, new, rng.choice([1, 1, 2])))
            at, new = new, new + 1
        size = rng.randint(2, 3)
        around = [at, *range(new, new + size - 1)]
        edges += [(around[i - 1], around[i], rng.randint(1, 4)) for i in range(size)]
        new += size - 1
    return edges


def test_the_longest_path_of_any_network_is_that_found_by_walking_every_trail() -> None:
    """C17: random routes, and loops and bridges."""
    rng = random.Random(1)
    networks = [any_network(rng, rng.randint(2, 10), rng.randint(1, 8)) for _ in range(400)]
    networks += [loops_on_a_tree(rng, rng.randint(2, 5)) for _ in range(200)]
    for edges in networks:
        walked = longest_path([(str(a), str(b), length) for a, b, length in edges])
        assert trail_of(shuffled(rng, edges)) == walked, edges


# Compared with known results


def rounds_and_pairs(rng: random.Random, cities: int, rounds: int) -> list[Edge]:
    """Round trips through all cities, and the cities joined in pairs: each has an odd number of routes.

    All but two cities must lose a route, so all pairs but one are left out, and the rest is one trail.
    """
    edges: list[Edge] = []
    for _ in range(rounds):
        around = rng.sample(range(cities), cities)
        edges += [(around[i - 1], around[i], 1) for i in range(cities)]
    around = rng.sample(range(cities), cities)
    return edges + [(around[i], around[i + 1], 1) for i in range(0, cities, 2)]


@pytest.mark.parametrize(("cities", "rounds"), [(42, 1), (24, 2), (18, 3), (14, 4)])
def test_a_path_in_round_trips_and_pairs_of_cities_leaves_out_all_pairs_but_one(cities: int, rounds: int) -> None:
    """C17: networks of up to 63 routes that are unlike any map, with an odd number of routes at up to 42 cities."""
    rng = random.Random(4)
    for _ in range(10):
        assert trail_of(shuffled(rng, rounds_and_pairs(rng, cities, rounds))) == rounds * cities + 1


# Effort


@pytest.mark.release
@pytest.mark.parametrize("variant", MAP_GAMES)
def test_the_longest_path_of_dense_networks_is_found_quickly(variant: str) -> None:
    """C17: networks of all of a player's trains, or of twice as many. 20,000 points take about a millisecond."""
    loaded = load_map(variant)
    rules = configuration(variant, loaded.min_players).rules.copy()
    rng = random.Random(variant)
    for shape in SHAPES:
        for _ in range(15):
            states = MAP_GAME.make_opening(rules).copy()
            trains = min(2 * loaded.trains, MAX_EDGES)
            write_network(states[0], loaded, random_network(shape, loaded, trains, True, rng))
            before = int(SCRATCH[0].points)
            assert measured(states, rules) <= trains
            assert SCRATCH[0].points - before < 20_000
