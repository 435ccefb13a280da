"""Routes: which a seat may claim, what a claim does to the board (C9-C11), and what routes join (C16, LA6)."""

import numpy as np

from t2r_env.basics.sizes import MAX_LENGTH
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits, inlined
from t2r_env.rules.map_game import mountains, technologies
from t2r_env.rules.map_game.records import ROUTE_WORDS, MapRules, MapScoringScratch, MapState
from t2r_env.rules.names import blocks, parts
from t2r_env.rules.ranking import add_points
from t2r_env.rules.state import SharedScratch


@inlined
def within_reach(state: MapState, rules: MapRules, seat: int) -> tuple[np.uint64, np.uint64]:
    """Return the two words of the set of routes that the seat may claim, whatever they cost.

    They are open to it, within its trains and its technologies (UK6).
    """
    trains = min(state.trains[seat], MAX_LENGTH)
    low = rules.up_to_trains[trains, 0] & state.open[seat, 0]
    high = rules.up_to_trains[trains, 1] & state.open[seat, 1]
    if rules.num_technologies > 0:
        permitted_low, permitted_high = technologies.permitted(state, rules, seat)
        low &= permitted_low
        high &= permitted_high
    return low, high


@inlined
def list_routes(rules: MapRules, scratch: SharedScratch, low: np.uint64, high: np.uint64, count: int) -> int:
    """List the claims of a set of routes, after `count` other actions; return how many there are in all."""
    first = rules.first_action[blocks.CLAIM]
    for route in bits.ones(low):
        scratch.legal[count] = first + route
        count += 1
    for route in bits.ones(high):
        scratch.legal[count] = first + 64 + route
        count += 1
    return count


@compiled
def claim(state: MapState, rules: MapRules, seat: int, route: int) -> None:
    """Place trains on a route, score it, close what it closes (C9-C11) and join its cities for the seat's team."""
    length = rules.route_length[route]
    team = rules.team[seat]
    state.trains[seat] -= length
    bits.add(state.claimed[seat], route)
    capacity = rules.capacity[route]
    is_closed = capacity == 1 or (capacity > 1 and _claimed_number(state, rules, route) >= capacity)
    for other in range(rules.num_seats):  # C11, TA9
        if other == seat or is_closed:
            for word in range(ROUTE_WORDS):
                state.open[other, word] &= ~rules.parallel[route, word]
        else:
            state.open[other, route >> 6] &= ~bits.bit(route & 63)
    add_points(state, team, parts.ROUTES, rules.points[length])
    if rules.has_mountains:
        mountains.cross(state, rules, seat, route)
    join(state, rules, team, rules.route_a[route], rules.route_b[route])


@compiled
def _claimed_number(state: MapState, rules: MapRules, route: int) -> int:
    """Return how many of the routes parallel to a route, itself included, have been claimed."""
    number = 0
    for word in range(ROUTE_WORDS):
        routes = bits.NONE
        for other in range(rules.num_seats):
            routes |= state.claimed[other, word]
        number += count_bits(routes & rules.parallel[route, word])
    return number


# What routes join


@compiled
def join(state: MapState, rules: MapRules, team: int, city_a: int, city_b: int) -> None:
    """Give the cities joined to either of two cities one label: the lowest number of a city among them."""
    label_a, label_b = state.component[team, city_a], state.component[team, city_b]
    if label_a != label_b:
        for city in range(rules.num_cities):
            if state.component[team, city] == max(label_a, label_b):
                state.component[team, city] = min(label_a, label_b)


@inlined
def labels(state: MapState, team: int, cities: np.uint64) -> np.uint64:
    """Return the labels of a set of cities, as a set."""
    found = bits.NONE
    for city in bits.ones(cities):
        found |= bits.bit(state.component[team, city])
    return found


@compiled
def is_completed(state: MapState, rules: MapRules, team: int, ticket: int) -> bool:
    """Whether the team's routes join the ticket's two ends: any city of one to any of the other (C16)."""
    joined = labels(state, team, rules.ticket_a[ticket]) & labels(state, team, rules.ticket_b[ticket])
    return joined != bits.NONE


@compiled
def largest_network(state: MapState, rules: MapRules, scoring: MapScoringScratch, team: int) -> int:
    """Return the number of cities in the team's largest connected network, each counted once; 0 without a route."""
    scoring.city_number[:] = 0
    largest = 0
    for city in range(rules.num_cities):
        label = state.component[team, city]
        scoring.city_number[label] += 1
        largest = max(largest, scoring.city_number[label])
    return largest if largest > 1 else 0


@inlined
def routes_of(state: MapState, rules: MapRules, team: int, word: int) -> np.uint64:
    """Return a word of the set of a team's routes."""
    routes = bits.NONE
    for seat in range(rules.num_seats):
        if rules.team[seat] == team:
            routes |= state.claimed[seat, word]
    return routes
