"""Determinizing a seat that has a choice: its cards are dealt so that it has one (C20).

Payments that it might make are picked at random, and cards drawn for them first: few hands would do otherwise.
"""

from t2r_env.core.compiled import compiled
from t2r_env.core.game import list_legal
from t2r_env.core.randomness import below
from t2r_env.rules import train_cards
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.information import draw_unknown, take_unknown
from t2r_env.rules.map_game import ferries, paying, prices, racks, second_claim, technologies, tunnels
from t2r_env.rules.map_game.board import GRAY
from t2r_env.rules.map_game.board import phases as board_phases
from t2r_env.rules.map_game.paying import coloured_due, locomotives_due
from t2r_env.rules.map_game.phases import pay
from t2r_env.rules.map_game.prices import PriceRules, PriceState
from t2r_env.rules.map_game.technologies import effects
from t2r_env.rules.names import phases
from t2r_env.rules.state import SharedScratch


@compiled
def deal_choice(state: PriceState, rules: PriceRules, scratch: SharedScratch, seat: int) -> None:
    """Deal the cards of the acting seat, which is another one, if it decides on a payment or a claim."""
    least = _least_actions(state, rules)
    if least == 0:
        return
    acting = state.current
    team = rules.team[acting]
    is_rack_hidden = rules.num_racks > 0 and team != rules.team[seat]
    count = 0
    while count < least:
        take_unknown(state, state.hand[acting], state.known[acting])
        if is_rack_hidden:
            take_unknown(state, state.rack[team], state.rack_known[team])
        for _ in range(2):
            _draw_some_payment(state, rules, acting, is_rack_hidden)
        draw_unknown(state, state.hand[acting], state.hand_count[acting])
        if is_rack_hidden:
            draw_unknown(state, state.rack[team], state.rack_count[team])
        count = list_legal(state, rules, scratch)


@compiled
def _least_actions(state: PriceState, rules: PriceRules) -> int:
    """How many actions the cards of the acting seat must allow: two, or there would be no decision; 0: any cards do."""
    phase = state.phase
    if phase == phases.TURN:
        return 1 if technologies.was_bought(state, rules.technology_with[effects.RIGHT_OF_WAY]) else 0
    is_payment = phase == board_phases.PAY or phase == racks.phases.FROM_RACK or phase == tunnels.phases.TUNNEL
    return 2 if is_payment or phase == second_claim.phases.SECOND_CLAIM else 0


@compiled
def _draw_some_payment(state: PriceState, rules: PriceRules, seat: int, is_rack_hidden: bool) -> None:
    """Pick an action at random, and draw the cards that it takes, as far as there are any."""
    if state.phase == phases.TURN or state.phase == second_claim.phases.SECOND_CLAIM:
        route = int(below(state, rules.num_routes))
        locomotives = ferries.least_locomotives(rules, route)
        coloured = prices.price(state, rules, seat, route) - locomotives
        colour = rules.route_colour[route]
        if colour == GRAY:
            colour = int(below(state, GRAY))
    elif state.phase == board_phases.PAY:
        cards, symbols = pay.cards_due(state, rules), pay.symbols_due(state, rules)
        colour = pay.colour_due(state, rules)
        if colour == GRAY:
            colour = int(below(state, GRAY))
        locomotives = symbols + int(below(state, cards - symbols + 1))
        coloured = cards - locomotives
        if rules.exchange > 0:
            locomotives = int(below(state, locomotives + 1))
    else:
        colour = paying.colour_of(rules, state.payment)
        if state.phase == racks.phases.FROM_RACK:
            coloured, locomotives = coloured_due(state, rules), locomotives_due(state, rules)
        else:
            locomotives = state.due if colour == LOCOMOTIVE else int(below(state, state.due + 1))
            coloured = state.due - locomotives
    if colour != LOCOMOTIVE:
        _draw_lacking(state, rules, seat, colour, coloured, is_rack_hidden)
    _draw_lacking(state, rules, seat, LOCOMOTIVE, locomotives, is_rack_hidden)


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
