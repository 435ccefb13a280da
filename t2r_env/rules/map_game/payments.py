"""Payments: what is to be paid, how it may be paid, and the cards that lie apart meanwhile (C2, C9, C14).

A payment is an action: its colour and how many locomotives. Where payments can take more than one decision
(`rules.lays_out`), the cards are laid out and discarded together at the end; elsewhere they are discarded at once.
"""

from typing import Any

import numpy as np

from t2r_env.basics.sizes import MAX_LENGTH
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules import train_cards
from t2r_env.rules.cards import CARD_TYPES, LOCOMOTIVE
from t2r_env.rules.map_game import exchange, technologies
from t2r_env.rules.map_game.locomotives import pay_now
from t2r_env.rules.map_game.records import GRAY, HAND, NO_CITY, NO_TECHNOLOGY, RACK, MapRules, MapState
from t2r_env.rules.names import NO_ACTION, blocks
from t2r_env.rules.state import SharedScratch
from t2r_env.variants.variant import effects


@inlined
def held(state: MapState, rules: MapRules, seat: int, card: int) -> int:
    """Return how many cards of a type the seat may pay with: those of its hand and, with teams, its rack (TA6)."""
    if rules.num_racks > 0:
        return state.hand[seat, card] + state.rack[rules.team[seat], card]
    return state.hand[seat, card]


# Prices


@inlined
def route_price(state: MapState, rules: MapRules, seat: int, route: int) -> int:
    """Return the cards that a route takes: one for each space; with Diesel Power one less, where that can be (UK12)."""
    length = rules.route_length[route]
    if (
        rules.num_technologies > 0
        and bits.contains(rules.reducible, route)
        and technologies.holds(state, seat, rules.technology_with[effects.DIESEL_POWER])
    ):
        return length - 1
    return length


@inlined
def price(state: MapState, rules: MapRules) -> tuple[Any, Any, Any]:
    """Return what is to be paid for a technology, a station or a route: cards, locomotives among them, and a colour."""
    if rules.num_technologies > 0 and state.technology != NO_TECHNOLOGY:
        locomotives = rules.technology_price[state.technology]
        return locomotives, locomotives, GRAY
    if rules.num_stations > 0 and state.city != NO_CITY:
        return np.int64(rules.station_price[stations_built(state, state.current)]), np.int64(0), GRAY
    route = state.route
    cards = route_price(state, rules, state.current, route)
    return np.int64(cards), np.int64(rules.route_ferry[route]), np.int64(rules.route_colour[route])


@inlined
def stations_built(state: MapState, seat: int) -> int:
    """Return how many stations a seat has built."""
    number = 0
    for city in state.stations[seat]:
        if city != NO_CITY:
            number += 1
    return number


# What can be paid


@inlined
def payable(state: MapState, rules: MapRules, seat: int) -> tuple[np.uint64, np.uint64]:
    """Return the two words of the set of routes for which the seat's cards are enough."""
    if rules.num_exchanges > 0 or rules.limits_locomotives:
        return _payable_by_route(state, rules, seat)
    return _payable_with_locomotives(state, rules, seat)


@inlined
def _payable_with_locomotives(state: MapState, rules: MapRules, seat: int) -> tuple[np.uint64, np.uint64]:
    """Return the two words of the set of routes for which the seat's cards are enough, if all take locomotives."""
    locomotives = held(state, rules, seat, LOCOMOTIVE)
    low, high = bits.NONE, bits.NONE
    most = 0
    for colour in range(GRAY):
        number = held(state, rules, seat, colour)
        most = max(most, number)
        reach = min(number + locomotives, MAX_LENGTH)
        low |= rules.up_to_length[colour, reach, 0]
        high |= rules.up_to_length[colour, reach, 1]
    reach = min(most + locomotives, MAX_LENGTH)
    low |= rules.up_to_length[GRAY, reach, 0]
    high |= rules.up_to_length[GRAY, reach, 1]
    symbols = min(locomotives, MAX_LENGTH)
    return low & rules.up_to_symbols[symbols, 0], high & rules.up_to_symbols[symbols, 1]


@compiled
def _payable_by_route(state: MapState, rules: MapRules, seat: int) -> tuple[np.uint64, np.uint64]:
    """Return the two words of the set of routes for which the seat's cards are enough, where they take unlike cards."""
    low, high = exchange.payable(state, rules, seat)
    if rules.has_plain_routes:
        plain_low, plain_high = _payable_with_locomotives(state, rules, seat)
        if rules.limits_locomotives:
            without_low, without_high = _payable_without_locomotives(state, rules, seat)
            plain_low &= rules.takes_locomotives[0] | without_low
            plain_high &= rules.takes_locomotives[1] | without_high
        low |= plain_low
        high |= plain_high
    return low, high


@compiled
def _payable_without_locomotives(state: MapState, rules: MapRules, seat: int) -> tuple[np.uint64, np.uint64]:
    """Return the two words of the set of routes for which the seat's coloured cards are enough (NO5)."""
    low, high = bits.NONE, bits.NONE
    most = 0
    for colour in range(GRAY):
        number = min(held(state, rules, seat, colour), MAX_LENGTH)
        most = max(most, number)
        low |= rules.up_to_length[colour, number, 0]
        high |= rules.up_to_length[colour, number, 1]
    return low | rules.up_to_length[GRAY, most, 0], high | rules.up_to_length[GRAY, most, 1]


@inlined
def list_payments(state: MapState, rules: MapRules, scratch: SharedScratch, made: int) -> int:
    """List all payments that the seat's cards allow for what is to be paid; return how many there are.

    `made` of the locomotives have been made by exchanges already and must be used (UK5).
    """
    seat = state.current
    cards, symbols, colour = price(state, rules)
    locomotives = made
    if not rules.limits_locomotives or pay_now(state, rules):
        locomotives += held(state, rules, seat, LOCOMOTIVE)
    least = max(symbols, made)
    first = rules.first_action[blocks.PAY]
    count = 0
    for paid in range(GRAY):
        if colour == GRAY or colour == paid:
            coloured = held(state, rules, seat, paid)
            # at least one card is of the colour: locomotives alone are one payment, not eight
            for wild in range(max(least, cards - coloured), min(locomotives, cards - 1) + 1):
                scratch.legal[count] = first + paid * rules.pay_width + wild
                count += 1
    if locomotives >= cards and least <= cards:
        scratch.legal[count] = first + LOCOMOTIVE * rules.pay_width + cards - 1
        count += 1
    return count


@inlined
def colour_of(rules: MapRules, action: int) -> int:
    """Return the colour that a payment uses; `LOCOMOTIVE` if it is locomotives alone."""
    return (action - rules.first_action[blocks.PAY]) // rules.pay_width


@inlined
def locomotives_of(rules: MapRules, action: int) -> int:
    """Return how many locomotives a payment uses."""
    offset = action - rules.first_action[blocks.PAY]
    column = offset % rules.pay_width
    return column + 1 if offset // rules.pay_width == LOCOMOTIVE else column


@inlined
def locomotives_due(state: MapState, rules: MapRules) -> int:
    """Return how many locomotives are to be laid out: of the payment, or of what a tunnel demands (TA10)."""
    if state.extra != NO_ACTION:
        return state.extra - rules.first_action[blocks.PAY_MORE]
    return locomotives_of(rules, state.payment)


@inlined
def coloured_due(state: MapState, rules: MapRules) -> int:
    """Return how many cards of the payment's colour are to be laid out."""
    total = state.due if state.extra != NO_ACTION else rules.route_length[state.route]
    return total - locomotives_due(state, rules)


# Paying


@inlined
def pay(state: MapState, rules: MapRules, action: int) -> None:
    """Take the cards of a payment out of the hand: laid out, where payments may go on, else discarded."""
    seat, colour, locomotives = state.current, colour_of(rules, action), locomotives_of(rules, action)
    coloured = 0 if colour == LOCOMOTIVE else price(state, rules)[0] - locomotives
    if rules.lays_out:
        made = exchange.made(state, rules) if rules.num_exchanges > 0 else 0
        lay_out(state, seat, colour, coloured)
        lay_out(state, seat, LOCOMOTIVE, locomotives - made)
    else:
        train_cards.take_away(state, seat, colour, coloured)
        train_cards.discard(state, colour, coloured)
        train_cards.take_away(state, seat, LOCOMOTIVE, locomotives)
        train_cards.discard(state, LOCOMOTIVE, locomotives)


@inlined
def lay_out(state: MapState, seat: int, card: int, number: int) -> None:
    """Lay out cards of a hand; those that others know of go first (C20)."""
    train_cards.take_away(state, seat, card, number)
    state.set_aside[HAND, card] += number


@compiled
def discard_all(state: MapState) -> None:
    """Discard together all that was laid out or turned up (C2)."""
    for card in range(CARD_TYPES):
        number = state.set_aside[HAND, card] + state.set_aside[RACK, card] + state.revealed[card]
        if number:
            train_cards.discard(state, card, number)
            state.set_aside[HAND, card] = 0
            state.set_aside[RACK, card] = 0
            state.revealed[card] = 0


@compiled
def take_back(state: MapState, seat: int) -> None:
    """Take what was laid out from a hand back to it; all have seen it (TA10, C20)."""
    for card in range(CARD_TYPES):
        number = state.set_aside[HAND, card]
        state.hand[seat, card] += number
        state.known[seat, card] += number
        state.hand_count[seat] += number
        state.set_aside[HAND, card] = 0
