"""How a route may be paid (C9, C14), and the way of the cards: laid out, then discarded or taken back (C2)."""

import numpy as np

from t2r_env.rules import bits, train_cards
from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.map_game import actions, exchange, ferries, racks, technologies
from t2r_env.rules.map_game.state import DIESEL_POWER, GRAY, HAND, RACK
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import CARD_TYPES, LOCOMOTIVE
from t2r_env.variants.variant import MAX_LENGTH


@inlined
def payable(state: Record, rules: Record, seat: int) -> tuple[np.uint64, np.uint64]:
    """The two words of the set of routes for which the seat's cards are enough."""
    if rules.exchange > 0:
        return exchange.payable(state, rules, seat)
    locomotives = racks.held(state, rules, seat, LOCOMOTIVE)
    low = bits.NONE
    high = bits.NONE
    most = 0
    for colour in range(GRAY):
        number = racks.held(state, rules, seat, colour)
        if number > most:
            most = number
        reach = min(number + locomotives, MAX_LENGTH)
        low |= rules.up_to_length[colour, reach, 0]
        high |= rules.up_to_length[colour, reach, 1]
    reach = min(most + locomotives, MAX_LENGTH)
    low |= rules.up_to_length[GRAY, reach, 0]
    high |= rules.up_to_length[GRAY, reach, 1]
    return low & ferries.within(rules, locomotives, 0), high & ferries.within(rules, locomotives, 1)


@inlined
def price(state: Record, rules: Record, seat: int, route: int) -> int:
    """How many cards a route takes: one for each space; with Diesel Power one less, where that can be (UK12)."""
    length = rules.route_length[route]
    if bits.contains(rules.reducible, route) and technologies.holds(state, seat, rules.technology_with[DIESEL_POWER]):
        return length - 1
    return length


@inlined
def list_payments(
    state: Record, rules: Record, scratch: Record, seat: int, cards: int, symbols: int, route_colour: int, made: int
) -> int:
    """List all payments of so many cards that the seat's cards allow; return how many there are.

    `symbols` of them at least are locomotives; `made` have been made by exchanges already and must be used (UK5).
    """
    locomotives = racks.held(state, rules, seat, LOCOMOTIVE) + made
    least = max(symbols, made)
    count = 0
    for colour in range(GRAY):
        if route_colour == GRAY or route_colour == colour:
            coloured = racks.held(state, rules, seat, colour)
            # at least one card is of the colour: locomotives alone are one payment, not eight
            for wild in range(max(least, cards - coloured), min(locomotives, cards - 1) + 1):
                scratch.legal[count] = actions.payment(rules, colour, wild)
                count += 1
    if locomotives >= cards and least <= cards:
        scratch.legal[count] = actions.payment(rules, LOCOMOTIVE, cards)
        count += 1
    return count


@inlined
def spend(state: Record, seat: int, card: int, number: int) -> None:
    """Discard cards of a hand at once, as where no step of a payment follows; those that others know of go first."""
    train_cards.take_away(state, seat, card, number)
    train_cards.discard(state, card, number)


@inlined
def lay_out(state: Record, seat: int, card: int, number: int) -> None:
    """Lay cards of a hand apart; those that others know of go first (C20)."""
    train_cards.take_away(state, seat, card, number)
    state.set_aside[HAND, card] += number


@inlined
def lay_out_from_rack(state: Record, team: int, card: int, number: int) -> None:
    """Lay cards of a team's rack apart; those that opponents know of go first (C20)."""
    state.rack[team, card] -= number
    state.rack_count[team] -= number
    state.rack_known[team, card] = max(0, state.rack_known[team, card] - number)
    state.set_aside[RACK, card] += number


@compiled
def discard_all(state: Record) -> None:
    """Discard together all that was laid out or turned up (C2)."""
    for card in range(CARD_TYPES):
        number = state.set_aside[HAND, card] + state.set_aside[RACK, card] + state.revealed[card]
        if number:
            train_cards.discard(state, card, number)
            state.set_aside[HAND, card] = 0
            state.set_aside[RACK, card] = 0
            state.revealed[card] = 0


@compiled
def take_back(state: Record, rules: Record, seat: int) -> None:
    """Take what was laid out back to where it came from; all have seen it (TA10, C20)."""
    for card in range(CARD_TYPES):
        number = state.set_aside[HAND, card]
        state.hand[seat, card] += number
        state.known[seat, card] += number
        state.hand_count[seat] += number
        state.set_aside[HAND, card] = 0
        number = state.set_aside[RACK, card]
        if number > 0:
            team = rules.team[seat]
            state.rack[team, card] += number
            state.rack_known[team, card] += number
            state.rack_count[team] += number
            state.set_aside[RACK, card] = 0
