"""Cards that stand for another, some for one (UK5, NO6, NO8).

Where locomotives can be paid, coloured cards stand for a locomotive; elsewhere any cards do for one of the colour paid.
A *unit* is a locomotive paid or what an exchange makes. A price is paid by some cards of one colour and units for all
the rest, at least as many as there are symbols; a technology is all symbols.
"""

import numpy as np

from t2r_env.basics.sizes import MAX_LENGTH
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules import train_cards
from t2r_env.rules.cards import CARD_TYPES, LOCOMOTIVE
from t2r_env.rules.map_game import technologies
from t2r_env.rules.map_game.locomotives import pay_now
from t2r_env.rules.map_game.records import GRAY, HAND, NO_ROUTE, MapRules, MapState
from t2r_env.rules.names import blocks
from t2r_env.rules.state import SharedScratch
from t2r_env.variants.variant import effects


@inlined
def rate_of(state: MapState, rules: MapRules, seat: int, cards: int) -> int:
    """Return how many cards stand for one where the rules say `cards`: with the Booster one less (UK12)."""
    return cards - 1 if technologies.holds(state, seat, rules.technology_with[effects.BOOSTER]) else cards


@inlined
def rate(state: MapState, rules: MapRules, seat: int) -> int:
    """Return how many cards stand for a locomotive when technologies are bought."""
    return rate_of(state, rules, seat, rules.exchange)


@inlined
def rate_now(state: MapState, rules: MapRules) -> int:
    """Return how many cards stand for one in what the acting seat pays for; 0 if there is no exchange."""
    cards = rules.exchange if state.route == NO_ROUTE else rules.route_exchange[state.route]
    return rate_of(state, rules, state.current, cards)


@inlined
def coloured_cards(state: MapState, seat: int) -> int:
    """Return how many coloured cards a hand has."""
    return state.hand_count[seat] - state.hand[seat, LOCOMOTIVE]


@inlined
def _cards_to_pay(state: MapState, seat: int, takes_locomotives: bool) -> tuple[int, int]:
    """Return how many cards of a hand can be exchanged, and how many locomotives be paid: without these, any cards."""
    if takes_locomotives:
        return coloured_cards(state, seat), state.hand[seat, LOCOMOTIVE]
    return state.hand_count[seat], 0


@inlined
def most_of_a_colour(state: MapState, seat: int, colour: int) -> int:
    """Return how many cards of a route's colour a hand has; for a gray route, of the colour of which it has most."""
    if colour != GRAY:
        return state.hand[seat, colour]
    most = 0
    for other in range(GRAY):
        most = max(most, state.hand[seat, other])
    return most


@inlined
def reach(of_colour: int, coloured: int, locomotives: int, symbols: int, exchanges: int, for_one: int) -> int:
    """Return the greatest price that can be paid with cards of one colour, `coloured` cards in all and locomotives.

    `exchanges` is how many locomotives the cards of other colours stand for.
    """
    if locomotives + exchanges >= symbols:
        return of_colour + locomotives + exchanges
    # cards of the colour are exchanged too, since there must be a unit for each symbol
    kept = coloured - (symbols - locomotives) * for_one
    return kept + symbols if kept >= 0 else 0


@compiled
def payable(state: MapState, rules: MapRules, seat: int) -> tuple[np.uint64, np.uint64]:
    """Return the two words of the set of routes with an exchange for which the seat's cards are enough."""
    low, high = bits.NONE, bits.NONE
    for kind in range(rules.num_exchanges):
        kind_low, kind_high = _payable(state, rules, seat, kind)
        low |= kind_low & rules.exchange_routes[kind, 0]
        high |= kind_high & rules.exchange_routes[kind, 1]
    return low, high


@compiled
def _payable(state: MapState, rules: MapRules, seat: int, kind: int) -> tuple[np.uint64, np.uint64]:
    """Return the two words of the set of routes that the cards would be enough for, if all had a kind of exchange."""
    low, high = bits.NONE, bits.NONE
    for_one = rate_of(state, rules, seat, rules.exchange_cards[kind])
    coloured, locomotives = _cards_to_pay(state, seat, rules.exchange_takes_locomotives[kind] == 1)
    is_cheaper = technologies.holds(state, seat, rules.technology_with[effects.DIESEL_POWER])
    most = 0
    for colour in range(GRAY + 1):
        of_colour = most
        if colour != GRAY:
            of_colour = state.hand[seat, colour]
            most = max(most, of_colour)
        exchanges = (coloured - of_colour) // for_one
        for symbols in range(rules.max_symbols + 1):
            price = min(reach(of_colour, coloured, locomotives, symbols, exchanges, for_one), MAX_LENGTH)
            low |= rules.up_to_length[colour, price, 0] & rules.with_symbols[symbols, 0]
            high |= rules.up_to_length[colour, price, 1] & rules.with_symbols[symbols, 1]
            if is_cheaper and price > 0:
                longer = min(price + 1, MAX_LENGTH)
                low |= rules.up_to_length[colour, longer, 0] & rules.with_symbols[symbols, 0] & rules.reducible[0]
                high |= rules.up_to_length[colour, longer, 1] & rules.with_symbols[symbols, 1] & rules.reducible[1]
    return low, high


@inlined
def spent(state: MapState) -> int:
    """Return how many cards have been spent towards exchanges."""
    return train_cards.count(state.set_aside[HAND])


@inlined
def made(state: MapState, rules: MapRules) -> int:
    """Return how many units the cards spent have made so far."""
    for_one = rate_now(state, rules)
    return spent(state) // for_one if for_one > 0 else 0


@inlined
def can_finish(
    of_colour: int, coloured: int, locomotives: int, spent_so_far: int, price: int, symbols: int, for_one: int
) -> bool:
    """Whether a payment can be completed, exactly, from the cards held and those spent so far."""
    begun = (spent_so_far + for_one - 1) // for_one
    kept = min(of_colour, price - max(symbols, begun))
    if kept < 0:
        return False
    # no more cards of the colour than spare an exchange: they too may complete the one that is half made
    kept = min(kept, max(0, price - locomotives - begun))
    exchanges = max(begun, price - kept - locomotives)
    return coloured - kept >= for_one * exchanges - spent_so_far


@compiled
def list_spends(
    state: MapState, rules: MapRules, scratch: SharedScratch, price: int, symbols: int, colour: int, count: int
) -> int:
    """List, after `count` other actions, the cards after whose spending the payment can still be completed."""
    seat = state.current
    for_one, number = rate_now(state, rules), spent(state) + 1
    takes_locomotives = pay_now(state, rules)
    coloured, locomotives = _cards_to_pay(state, seat, takes_locomotives)
    for card in range(LOCOMOTIVE if takes_locomotives else CARD_TYPES):
        if state.hand[seat, card] > 0:
            state.hand[seat, card] -= 1
            of_colour = most_of_a_colour(state, seat, colour)
            state.hand[seat, card] += 1
            if can_finish(of_colour, coloured - 1, locomotives, number, price, symbols, for_one):
                scratch.legal[count] = rules.first_action[blocks.SPEND] + card
                count += 1
    return count
