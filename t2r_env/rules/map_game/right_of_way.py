"""Right of Way: a claim of a route that others own, in the turn that the technology is bought (UK9)."""

import numpy as np

from t2r_env.basics.sizes import MAX_LENGTH
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game import exchange, payments, technologies
from t2r_env.rules.map_game.records import HAND, ROUTE_WORDS, MapRules, MapState
from t2r_env.rules.names import blocks
from t2r_env.rules.state import SharedScratch
from t2r_env.variants.variant import effects


@inlined
def was_bought(state: MapState, rules: MapRules) -> bool:
    """Whether the technology was bought this turn: nothing but such a claim may then be done."""
    return technologies.was_bought(state, rules.technology_with[effects.RIGHT_OF_WAY])


@compiled
def routes(state: MapState, rules: MapRules, seat: int, word: int) -> np.uint64:
    """Return a word of the set of routes that the seat may claim in this way, whatever they cost (C11, UK6, UK9)."""
    owned = bits.NONE
    for other in range(rules.num_seats):
        if other != seat:
            owned |= state.claimed[other, word]
    trains = min(state.trains[seat], MAX_LENGTH)
    left = owned & rules.up_to_trains[trains, word] & technologies.permitted(state, rules, seat)[word]
    found = left
    for index in bits.ones(left):
        own = bits.NONE
        for part in range(ROUTE_WORDS):
            own |= rules.parallel[64 * word + index, part] & state.claimed[seat, part]
        if own != bits.NONE:
            found &= ~bits.bit(index)
    return found


@compiled
def stays_possible(state: MapState, rules: MapRules, seat: int) -> bool:
    """Whether the technology can be paid, after the cards spent so far, so that such a claim can be paid too.

    If any way to pay leaves such a claim possible, the way with the fewest further exchanges does: the cards of an
    exchange that is left over stand for the locomotive that it saved.
    """
    price = rules.technology_price[rules.technology_with[effects.RIGHT_OF_WAY]]
    for_one = exchange.rate(state, rules, seat)
    coloured, locomotives = exchange.coloured_cards(state, seat), state.hand[seat, LOCOMOTIVE]
    number = exchange.spent(state)
    begun = (number + for_one - 1) // for_one
    exchanges = max(begun, price - locomotives)
    coloured_left = coloured - (for_one * exchanges - number)
    locomotives_left = locomotives - (price - exchanges)
    is_paid = exchanges <= price and coloured_left >= 0
    return is_paid and _can_claim(state, rules, seat, coloured_left, locomotives_left, for_one)


@compiled
def list_spends(state: MapState, rules: MapRules, scratch: SharedScratch, count: int) -> int:
    """List, after `count` other actions, the cards after whose spending the purchase and such a claim are possible."""
    seat = state.current
    for card in range(LOCOMOTIVE):
        if state.hand[seat, card] > 0:
            state.hand[seat, card] -= 1
            state.hand_count[seat] -= 1
            state.set_aside[HAND, card] += 1
            if stays_possible(state, rules, seat):
                scratch.legal[count] = rules.first_action[blocks.SPEND] + card
                count += 1
            state.hand[seat, card] += 1
            state.hand_count[seat] += 1
            state.set_aside[HAND, card] -= 1
    return count


@compiled
def _can_claim(state: MapState, rules: MapRules, seat: int, coloured: int, locomotives: int, for_one: int) -> bool:
    """Whether some route can be paid when only these cards are left, those of its colour having been kept."""
    for word in range(ROUTE_WORDS):
        for index in bits.ones(routes(state, rules, seat, word)):
            route = 64 * word + index
            of_colour = min(coloured, exchange.most_of_a_colour(state, seat, rules.route_colour[route]))
            price = payments.route_price(state, rules, seat, route)
            exchanges = (coloured - of_colour) // for_one
            reach = exchange.reach(of_colour, coloured, locomotives, rules.route_ferry[route], exchanges, for_one)
            if reach >= price:
                return True
    return False


@compiled
def claimable(state: MapState, rules: MapRules) -> tuple[np.uint64, np.uint64]:
    """Return the two words of the set of routes of others that the acting seat can pay."""
    low, high = payments.payable(state, rules, state.current)
    low &= routes(state, rules, state.current, 0)
    high &= routes(state, rules, state.current, 1)
    return low, high
