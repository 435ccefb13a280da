"""Which routes a seat may claim, and what a claim does to the board (C9-C11, C15)."""

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.rules.map_game import network, prices, technologies
from t2r_env.rules.map_game.board import NO_ROUTE, ROUTE_WORDS, blocks, parts
from t2r_env.rules.map_game.flow import score_claim
from t2r_env.rules.map_game.prices import PriceRules, PriceState
from t2r_env.rules.map_game.technologies import effects
from t2r_env.rules.ranking import add_points
from t2r_env.rules.state import SharedScratch
from t2r_env.sizes import MAX_LENGTH


@inlined
def claimable(state: PriceState, rules: PriceRules, seat: int) -> tuple[np.uint64, np.uint64]:
    """The two words of the set of routes that the seat may claim and can pay.

    They are open, within its trains, its technologies (UK6) and its cards.
    """
    low, high = prices.payable(state, rules, seat)
    within_low, within_high = within_reach(state, rules, seat)
    return low & within_low, high & within_high


@inlined
def within_reach(state: PriceState, rules: PriceRules, seat: int) -> tuple[np.uint64, np.uint64]:
    """The same, whatever they cost."""
    trains = min(state.trains[seat], MAX_LENGTH)
    low = rules.up_to_trains[trains, 0] & state.open[seat, 0]
    high = rules.up_to_trains[trains, 1] & state.open[seat, 1]
    if rules.num_technologies > 0:
        permitted_low, permitted_high = technologies.permitted(state, rules, seat)
        low &= permitted_low
        high &= permitted_high
    return low, high


@compiled
def is_out_of_reach(state: PriceState, rules: PriceRules, scratch: SharedScratch) -> bool:
    """Whether a route is being paid for that the seat may not claim; by Right of Way it may claim others (UK9)."""
    if state.route == NO_ROUTE or bits.contains(state.claimed[state.current], state.route):
        return False
    if technologies.was_bought(state, rules.technology_with[effects.RIGHT_OF_WAY]):
        return False
    routes = within_reach(state, rules, state.current)
    return routes[state.route >> 6] & bits.bit(state.route & 63) == bits.NONE


@inlined
def list_routes(rules: PriceRules, scratch: SharedScratch, routes: np.uint64, word: int, count: int) -> int:
    """List claims of a word of routes as actions, after `count` others; return how many there are in all."""
    first = rules.first_action[blocks.CLAIM] + 64 * word
    while routes != bits.NONE:
        scratch.legal[count] = first + lowest_bit(routes)
        routes = bits.without_lowest(routes)
        count += 1
    return count


@inlined
def list_claims(state: PriceState, rules: PriceRules, scratch: SharedScratch, count: int) -> int:
    """List all claims that the current seat may make and pay as actions, after `count` others."""
    routes = claimable(state, rules, state.current)
    for word in range(ROUTE_WORDS):
        count = list_routes(rules, scratch, routes[word], word, count)
    return count


@compiled
def claim(state: PriceState, rules: PriceRules, seat: int, route: int) -> None:
    """Place trains on a route, score it, close what it closes (C9-C11) and join its cities for the seat's team."""
    length = rules.route_length[route]
    state.trains[seat] -= length
    bits.add(state.claimed[seat], route)
    _close(state, rules, seat, route)
    team = rules.team[seat]
    add_points(state, team, parts.ROUTES, rules.points[length])
    score_claim(state, rules, seat, route)
    network.join(state, rules, team, rules.route_a[route], rules.route_b[route])


@inlined
def _close(state: PriceState, rules: PriceRules, seat: int, route: int) -> None:
    """The claimer may never claim another parallel route; nobody may when enough are claimed (C11, TA9)."""
    capacity = rules.capacity[route]
    is_closed = capacity == 1 or (capacity > 1 and _claimed_number(state, rules, route) >= capacity)
    for other in range(rules.num_seats):
        if other == seat or is_closed:
            for word in range(ROUTE_WORDS):
                state.open[other, word] &= ~rules.parallel[route, word]
        else:
            state.open[other, route >> 6] &= ~bits.bit(route & 63)


@compiled
def _claimed_number(state: PriceState, rules: PriceRules, route: int) -> int:
    """How many of the routes parallel to a route, itself included, have been claimed."""
    number = 0
    for word in range(ROUTE_WORDS):
        routes = bits.NONE
        for other in range(rules.num_seats):
            routes |= state.claimed[other, word]
        number += count_bits(routes & rules.parallel[route, word])
    return number
