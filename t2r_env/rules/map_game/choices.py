"""Determinizing a seat that has a choice: its cards are dealt so that it has one (C20).

Payments that it might make are picked at random, and cards drawn for them first: few hands would do otherwise.
"""

from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.game import list_legal
from t2r_env.core.randomness import below
from t2r_env.rules import hooks, train_cards
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.information import draw_unknown, take_unknown
from t2r_env.rules.map_game import ferries, prices, racks
from t2r_env.rules.map_game.board import GRAY, BoardScratch
from t2r_env.rules.map_game.flow import depends_on_cards, pick_payment
from t2r_env.rules.map_game.prices import PriceRules, PriceState
from t2r_env.rules.names import phases


@compiled
def deal_choice(state: PriceState, rules: PriceRules, scratch: BoardScratch, seat: int) -> None:
    """Deal the cards of the acting seat, which is another one, if its decision depends on them.

    They must allow two actions, or there would be no decision. In phase `turn`, which is always decided, they must
    allow one of those that a rule demands: other turns do not depend on cards.
    """
    if not depends_on_cards(state, rules):
        return
    is_turn = state.phase == phases.TURN
    least = 1 if is_turn else 2
    acting = state.current
    team = rules.team[acting]
    is_rack_hidden = rules.num_racks > 0 and team != rules.team[seat]
    count = 0
    while count < least:
        take_unknown(state, state.hand[acting], state.known[acting])
        if is_rack_hidden:
            take_unknown(state, state.rack[team], state.rack_known[team])
        for _ in range(2):
            pick_payment(state, rules, scratch)
            colour, coloured, locomotives = scratch.payment
            if colour != LOCOMOTIVE:
                _draw_lacking(state, rules, acting, colour, coloured, is_rack_hidden)
            _draw_lacking(state, rules, acting, LOCOMOTIVE, locomotives, is_rack_hidden)
        draw_unknown(state, state.hand[acting], state.hand_count[acting])
        if is_rack_hidden:
            draw_unknown(state, state.rack[team], state.rack_count[team])
        if is_turn:
            count = hooks.list_only_actions(state, rules, scratch, 0)
        else:
            count = list_legal(state, rules, scratch)


@inlined
def note_payment(scratch: BoardScratch, colour: int, coloured: int, locomotives: int) -> None:
    """Note what a payment takes."""
    scratch.payment[0] = colour
    scratch.payment[1] = coloured
    scratch.payment[2] = locomotives


@compiled
def pick_claim(state: PriceState, rules: PriceRules, scratch: BoardScratch) -> None:
    """Pick any route, and note what it takes."""
    route = int(below(state, rules.num_routes))
    locomotives = ferries.least_locomotives(rules, route)
    coloured = prices.price(state, rules, state.current, route) - locomotives
    note_payment(scratch, some_colour(state, rules.route_colour[route]), coloured, locomotives)


@inlined
def some_colour(state: PriceState, colour: int) -> int:
    """A route's colour; for a gray one any."""
    return int(below(state, GRAY)) if colour == GRAY else colour


@compiled
def _draw_lacking(
    state: PriceState, rules: PriceRules, seat: int, card: int, number: int, is_rack_hidden: bool
) -> None:
    """Draw the cards of one type that hand and rack lack, into either, as far as deck and counts allow."""
    team = rules.team[seat]
    for _ in range(racks.held(state, rules, seat, card), number):
        if state.deck[card] > 0:
            to_hand = state.hand_count[seat] > train_cards.count(state.hand[seat])
            to_rack = is_rack_hidden and state.rack_count[team] > train_cards.count(state.rack[team])
            if to_hand and to_rack:
                to_hand = below(state, 2) == 0
            if to_hand:
                state.hand[seat, card] += 1
            elif to_rack:
                state.rack[team, card] += 1
            if to_hand or to_rack:
                state.deck[card] -= 1
                state.deck_count -= 1
