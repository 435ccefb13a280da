"""Which routes a seat may claim, and what a claim does to the board (C9-C11, C15)."""

import numpy as np

from t2r_env.rules import bits
from t2r_env.rules.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.rules.map_game import actions, mountains, network, payment, technologies
from t2r_env.rules.map_game.state import ROUTE_WORDS, ROUTES
from t2r_env.rules.records import Record
from t2r_env.variants.variant import MAX_LENGTH


@inlined
def claimable(state: Record, rules: Record, seat: int) -> tuple[np.uint64, np.uint64]:
    """The two words of the set of routes that the seat may claim and can pay.

    They are open, within its trains, its technologies (UK6) and its cards.
    """
    low, high = payment.payable(state, rules, seat)
    trains = min(state.trains[seat], MAX_LENGTH)
    low &= rules.up_to_trains[trains, 0] & state.open[seat, 0]
    high &= rules.up_to_trains[trains, 1] & state.open[seat, 1]
    if rules.num_technologies > 0:
        permitted_low, permitted_high = technologies.permitted(state, rules, seat)
        low &= permitted_low
        high &= permitted_high
    return low, high


@inlined
def list_routes(rules: Record, scratch: Record, routes: np.uint64, word: int, count: int) -> int:
    """List claims of a word of routes as answers, after `count` others; return how many there are in all."""
    first = rules.first_action[actions.CLAIM] + 64 * word
    while routes != bits.NONE:
        scratch.legal[count] = first + lowest_bit(routes)
        routes = bits.without_lowest(routes)
        count += 1
    return count


@inlined
def list_claims(state: Record, rules: Record, scratch: Record, count: int) -> int:
    """List all claims that the current seat may make and pay as answers, after `count` others."""
    routes = claimable(state, rules, state.current)
    for word in range(ROUTE_WORDS):
        count = list_routes(rules, scratch, routes[word], word, count)
    return count


@compiled
def claim(state: Record, rules: Record, seat: int, route: int) -> None:
    """Place trains on a route, score it, close what it closes (C9-C11) and join its cities for the seat's side."""
    length = rules.route_length[route]
    state.trains[seat] -= length
    bits.add(state.claimed[seat], route)
    _close(state, rules, seat, route)
    team = rules.team[seat]
    points = rules.points[length]
    if rules.num_technologies > 0:
        points += technologies.points_for_route(state, rules, seat, route)
    state.score[team] += points
    state.breakdown[team, ROUTES] += points
    mountains.cross(state, rules, seat, route)
    network.join(state, rules, team, rules.route_a[route], rules.route_b[route])


@inlined
def _close(state: Record, rules: Record, seat: int, route: int) -> None:
    """The claimer may never claim another route of the connection; nobody may when enough are claimed (C11, TA9)."""
    capacity = rules.capacity[route]
    is_closed = capacity == 1 or (capacity > 1 and _claimed_number(state, rules, route) >= capacity)
    for other in range(rules.num_seats):
        if other == seat or is_closed:
            for word in range(ROUTE_WORDS):
                state.open[other, word] &= ~rules.parallel[route, word]
        else:
            state.open[other, route >> 6] &= ~bits.bit(route & 63)


@compiled
def _claimed_number(state: Record, rules: Record, route: int) -> int:
    """How many routes of a route's connection have been claimed."""
    number = 0
    for word in range(ROUTE_WORDS):
        routes = bits.NONE
        for other in range(rules.num_seats):
            routes |= state.claimed[other, word]
        number += count_bits(routes & rules.parallel[route, word])
    return number
