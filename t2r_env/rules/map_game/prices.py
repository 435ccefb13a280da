"""What a route costs, and how it may be paid (C9, C14)."""

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import inlined
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game import exchange, ferries, racks, technologies
from t2r_env.rules.map_game.board import GRAY
from t2r_env.rules.map_game.exchange import ExchangeRules
from t2r_env.rules.map_game.paying import payment_action
from t2r_env.rules.map_game.racks import RackRules, RackState
from t2r_env.rules.map_game.technologies import TechnologyState, effects
from t2r_env.rules.state import SharedScratch
from t2r_env.sizes import MAX_LENGTH


class PriceState(RackState, TechnologyState):
    """What prices depend on."""


class PriceRules(RackRules, ExchangeRules):
    """What prices depend on."""


@inlined
def payable(state: PriceState, rules: PriceRules, seat: int) -> tuple[np.uint64, np.uint64]:
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
def price(state: PriceState, rules: PriceRules, seat: int, route: int) -> int:
    """How many cards a route takes: one for each space; with Diesel Power one less, where that can be (UK12)."""
    length = rules.route_length[route]
    if bits.contains(rules.reducible, route) and technologies.holds(
        state, seat, rules.technology_with[effects.DIESEL_POWER]
    ):
        return length - 1
    return length


@inlined
def list_payments(
    state: PriceState,
    rules: PriceRules,
    scratch: SharedScratch,
    seat: int,
    cards: int,
    symbols: int,
    route_colour: int,
    made: int,
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
                scratch.legal[count] = payment_action(rules, colour, wild)
                count += 1
    if locomotives >= cards and least <= cards:
        scratch.legal[count] = payment_action(rules, LOCOMOTIVE, cards)
        count += 1
    return count
