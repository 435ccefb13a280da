"""What a team's routes join (C16), and its largest network (LA6)."""

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined, lowest_bit
from t2r_env.core.records import Array
from t2r_env.rules.map_game.board import BoardRules, BoardState, TrailScratch
from t2r_env.rules.observe import write_number
from t2r_env.rules.state import TICKET_WORDS
from t2r_env.sizes import MAX_CITIES


@compiled
def join(state: BoardState, rules: BoardRules, team: int, city_a: int, city_b: int) -> None:
    """Give the cities joined to `city_b` the label of those joined to `city_a`."""
    label = state.component[team, city_a]
    old_label = state.component[team, city_b]
    if label != old_label:
        for city in range(rules.num_cities):
            if state.component[team, city] == old_label:
                state.component[team, city] = label


@compiled
def are_alike(state: BoardState, other: BoardState, rules: BoardRules, team: int) -> bool:
    """Whether two states join the same cities, and the other's labels too are each a city of those joined."""
    number = 0
    for city in range(rules.num_cities):
        label = other.component[team, city]
        if label >= rules.num_cities or other.component[team, label] != label:
            return False
        if state.component[team, label] != state.component[team, city]:
            return False
        if label == city:
            number += 1
        if state.component[team, city] == city:
            number -= 1
    if number != 0:
        return False
    for city in range(rules.num_cities, MAX_CITIES):
        if other.component[team, city] != city:
            return False
    return True


@compiled
def joined(state: BoardState, team: int, cities_a: np.uint64, cities_b: np.uint64) -> bool:
    """Whether any city of one set is joined to any of the other."""
    return labels(state, team, cities_a) & labels(state, team, cities_b) != bits.NONE


@inlined
def labels(state: BoardState, team: int, cities: np.uint64) -> np.uint64:
    """The labels of a set of cities, as a set."""
    found = bits.NONE
    while cities != bits.NONE:
        found |= bits.bit(state.component[team, lowest_bit(cities)])
        cities = bits.without_lowest(cities)
    return found


@compiled
def largest_network(state: BoardState, rules: BoardRules, scoring: TrailScratch, team: int) -> int:
    """The number of cities in the team's largest connected network, each counted once; 0 without a route (LA6)."""
    for city in range(rules.num_cities):
        scoring.city_number[city] = 0
    largest = 0
    for city in range(rules.num_cities):
        label = state.component[team, city]
        scoring.city_number[label] += 1
        largest = max(largest, scoring.city_number[label])
    return largest if largest > 1 else 0


@compiled
def is_completed(state: BoardState, rules: BoardRules, team: int, ticket: int) -> bool:
    """Whether the team's routes join the ticket's two ends (C16)."""
    return joined(state, team, rules.ticket_a[ticket], rules.ticket_b[ticket])


@inlined
def write_completed(state: BoardState, rules: BoardRules, tickets: Array, team: int, start: int, vector: Array) -> None:
    """Write which tickets of a set the team has completed, as ones."""
    for word in range(TICKET_WORDS):
        held = tickets[word]
        while held != bits.NONE:
            ticket = 64 * word + lowest_bit(held)
            held = bits.without_lowest(held)
            write_number(is_completed(state, rules, team, ticket), start + ticket, vector)
