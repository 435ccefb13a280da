"""What a side's lanes join (C16), and its largest network (LA6)."""

import numpy as np

from t2r_env.rules import bits
from t2r_env.rules.compiled import compiled, inlined, lowest_bit
from t2r_env.rules.records import Record


@compiled
def join(state: Record, rules: Record, side: int, city_a: int, city_b: int) -> None:
    """Give the cities joined to `city_b` the label of those joined to `city_a`."""
    label = state.component[side, city_a]
    old_label = state.component[side, city_b]
    if label != old_label:
        for city in range(rules.num_cities):
            if state.component[side, city] == old_label:
                state.component[side, city] = label


@compiled
def joined(state: Record, side: int, cities_a: np.uint64, cities_b: np.uint64) -> bool:
    """Whether any city of one set is joined to any of the other."""
    while cities_a != bits.NONE:
        label = state.component[side, lowest_bit(cities_a)]
        cities_a = bits.without_lowest(cities_a)
        others = cities_b
        while others != bits.NONE:
            if state.component[side, lowest_bit(others)] == label:
                return True
            others = bits.without_lowest(others)
    return False


@inlined
def lanes_of(state: Record, rules: Record, side: int, word: int) -> np.uint64:
    """A word of the set of a side's lanes."""
    lanes = bits.NONE
    for seat in range(rules.num_seats):
        if rules.side[seat] == side:
            lanes |= state.claimed[seat, word]
    return lanes


@compiled
def largest_network(state: Record, rules: Record, scratch: Record, side: int) -> int:
    """The number of cities in the side's largest connected network, each counted once; 0 without a lane (LA6)."""
    for city in range(rules.num_cities):
        scratch.city_number[city] = 0
    largest = 0
    for city in range(rules.num_cities):
        label = state.component[side, city]
        scratch.city_number[label] += 1
        largest = max(largest, scratch.city_number[label])
    return largest if largest > 1 else 0
