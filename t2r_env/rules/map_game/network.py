"""What a side's routes join (C16), and its largest network (LA6)."""

import numpy as np

from t2r_env.rules import bits
from t2r_env.rules.compiled import compiled, inlined, lowest_bit
from t2r_env.rules.records import Record


@compiled
def join(state: Record, rules: Record, team: int, city_a: int, city_b: int) -> None:
    """Give the cities joined to `city_b` the label of those joined to `city_a`."""
    label = state.component[team, city_a]
    old_label = state.component[team, city_b]
    if label != old_label:
        for city in range(rules.num_cities):
            if state.component[team, city] == old_label:
                state.component[team, city] = label


@compiled
def joined(state: Record, team: int, cities_a: np.uint64, cities_b: np.uint64) -> bool:
    """Whether any city of one set is joined to any of the other."""
    while cities_a != bits.NONE:
        label = state.component[team, lowest_bit(cities_a)]
        cities_a = bits.without_lowest(cities_a)
        others = cities_b
        while others != bits.NONE:
            if state.component[team, lowest_bit(others)] == label:
                return True
            others = bits.without_lowest(others)
    return False


@inlined
def routes_of(state: Record, rules: Record, team: int, word: int) -> np.uint64:
    """A word of the set of a side's routes."""
    routes = bits.NONE
    for seat in range(rules.num_seats):
        if rules.team[seat] == team:
            routes |= state.claimed[seat, word]
    return routes


@compiled
def largest_network(state: Record, rules: Record, scratch: Record, team: int) -> int:
    """The number of cities in the side's largest connected network, each counted once; 0 without a route (LA6)."""
    for city in range(rules.num_cities):
        scratch.city_number[city] = 0
    largest = 0
    for city in range(rules.num_cities):
        label = state.component[team, city]
        scratch.city_number[label] += 1
        largest = max(largest, scratch.city_number[label])
    return largest if largest > 1 else 0
