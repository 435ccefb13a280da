"""Right of Way: a claim of a route that others own, in the turn that the technology is bought (UK9)."""

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined, lowest_bit
from t2r_env.rules import hooks
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game import exchange, ferries, open_routes, prices, technologies
from t2r_env.rules.map_game.board import ROUTE_WORDS, BoardScratch
from t2r_env.rules.map_game.board import phases as board_phases
from t2r_env.rules.map_game.choices import pick_claim
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.flow import depends_on_cards, end_claim, pick_payment
from t2r_env.rules.map_game.paying import HAND
from t2r_env.rules.map_game.prices import PriceRules, PriceState
from t2r_env.rules.map_game.technologies import effects
from t2r_env.rules.module import RuleModule
from t2r_env.rules.names import phases
from t2r_env.rules.state import SharedScratch
from t2r_env.sizes import MAX_LENGTH


@compiled
def routes(state: PriceState, rules: PriceRules, seat: int, word: int) -> np.uint64:
    """A word of the set of routes that the seat might claim so, whatever they cost (C11, UK6, UK9)."""
    owned = bits.NONE
    for other in range(rules.num_seats):
        if other != seat:
            owned |= state.claimed[other, word]
    trains = min(state.trains[seat], MAX_LENGTH)
    left = owned & rules.up_to_trains[trains, word] & technologies.permitted(state, rules, seat)[word]
    found = left
    while left != bits.NONE:
        route = 64 * word + lowest_bit(left)
        left = bits.without_lowest(left)
        own = bits.NONE
        for part in range(ROUTE_WORDS):
            own |= rules.parallel[route, part] & state.claimed[seat, part]
        if own != bits.NONE:
            found &= ~bits.bit(route & 63)
    return found


@compiled
def stays_possible(state: PriceState, rules: PriceRules, seat: int) -> bool:
    """Whether the technology can be paid, after the cards spent so far, so that such a claim can be paid too.

    Where some way to pay leaves one possible, that with the fewest further exchanges does: the cards of an exchange
    left over stand for the locomotive that it saved.
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
def list_spends(state: PriceState, rules: PriceRules, scratch: SharedScratch, seat: int, count: int) -> int:
    """List, after `count` other actions, the cards after whose spending the purchase and such a claim are possible."""
    for card in range(LOCOMOTIVE):
        if state.hand[seat, card] > 0:
            state.hand[seat, card] -= 1
            state.hand_count[seat] -= 1
            state.set_aside[HAND, card] += 1
            if stays_possible(state, rules, seat):
                scratch.legal[count] = rules.first_action[exchange.blocks.SPEND] + card
                count += 1
            state.hand[seat, card] += 1
            state.hand_count[seat] += 1
            state.set_aside[HAND, card] -= 1
    return count


@compiled
def _can_claim(state: PriceState, rules: PriceRules, seat: int, coloured: int, locomotives: int, for_one: int) -> bool:
    """Whether some route can be paid when only so many cards are left, those of its colour having been kept."""
    for word in range(ROUTE_WORDS):
        left = routes(state, rules, seat, word)
        while left != bits.NONE:
            route = 64 * word + lowest_bit(left)
            left = bits.without_lowest(left)
            of_colour = min(coloured, exchange.most_of_a_colour(state, seat, rules.route_colour[route]))
            symbols = ferries.least_locomotives(rules, route)
            price = prices.price(state, rules, seat, route)
            exchanges = (coloured - of_colour) // for_one
            if exchange.reach(of_colour, coloured, locomotives, symbols, exchanges, for_one) >= price:
                return True
    return False


@compiled
def _list_only_actions(state: PriceState, rules: PriceRules, scratch: SharedScratch, count: int) -> int:
    """The routes of others that can be paid: nothing else may be done in the turn that it is bought."""
    if not technologies.was_bought(state, rules.technology_with[effects.RIGHT_OF_WAY]):
        return count
    seat = state.current
    payable = prices.payable(state, rules, seat)
    for word in range(ROUTE_WORDS):
        claimed = payable[word] & routes(state, rules, seat, word)
        count = open_routes.list_routes(rules, scratch, claimed, word, count)
    return count


@inlined
def _end_claim(state: PriceState, rules: PriceRules, seat: int) -> None:
    """It goes back into the supply."""
    technologies.give_back(state, seat, rules.technology_with[effects.RIGHT_OF_WAY])


@inlined
def _depends_on_cards(state: PriceState, rules: PriceRules) -> bool:
    is_bought = technologies.was_bought(state, rules.technology_with[effects.RIGHT_OF_WAY])
    return state.phase == phases.TURN and is_bought


@inlined
def _pick_payment(state: PriceState, rules: PriceRules, scratch: BoardScratch) -> bool:
    if not _depends_on_cards(state, rules):
        return False
    pick_claim(state, rules, scratch)
    return True


@compiled
def _is_impossible(state: PriceState, rules: PriceRules, scratch: SharedScratch) -> bool:
    """Whether it is being paid for, or was bought, where it does not let the seat claim anything."""
    technology = rules.technology_with[effects.RIGHT_OF_WAY]
    if state.technology == technology:
        return not stays_possible(state, rules, state.current)
    if not technologies.was_bought(state, technology):
        return False
    if state.phase == board_phases.PAY:
        return routes(state, rules, state.current, state.route >> 6) & bits.bit(state.route & 63) == bits.NONE
    return state.phase != phases.TURN or _list_only_actions(state, rules, scratch, 0) == 0


def _is_used(configuration: MapConfiguration) -> bool:
    return configuration.has_effect("right_of_way")


RIGHT_OF_WAY = RuleModule(
    is_used=_is_used,
    hooks={
        hooks.list_only_actions: _list_only_actions,
        hooks.is_impossible: _is_impossible,
        end_claim: _end_claim,
        depends_on_cards: _depends_on_cards,
        pick_payment: _pick_payment,
    },
)
"""Right of Way."""
