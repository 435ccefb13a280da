"""How to pay for the route (C9), or for what else is bought (UK8, EU6)?"""

from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.randomness import below
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game import choices, exchange, ferries, paying, prices, purchases, right_of_way
from t2r_env.rules.map_game.board import GRAY, NO_ROUTE, BoardScratch, phases
from t2r_env.rules.map_game.flow import cards_due, complete_purchase, follow_payment, locomotives_due
from t2r_env.rules.map_game.prices import PriceRules, PriceState
from t2r_env.rules.map_game.racks import enter_from_rack
from t2r_env.rules.state import SharedScratch


@inlined
def price(state: PriceState, rules: PriceRules) -> int:
    """How many cards are to be paid."""
    is_route = state.route != NO_ROUTE
    return cards_due(state, rules, prices.price(state, rules, state.current, state.route) if is_route else 0)


@inlined
def symbols(state: PriceState, rules: PriceRules) -> int:
    """How many of them must be locomotives."""
    is_route = state.route != NO_ROUTE
    return locomotives_due(state, rules, ferries.least_locomotives(rules, state.route) if is_route else 0)


@inlined
def colour(state: PriceState, rules: PriceRules) -> int:
    """The colour of the others."""
    return rules.route_colour[state.route] if state.route != NO_ROUTE else GRAY


@inlined
def list_legal(state: PriceState, rules: PriceRules, scratch: SharedScratch) -> int:
    """All payments that the cards allow; with exchanges, also the cards that may be spent towards one (UK5)."""
    seat = state.current
    cards, least, of_colour = price(state, rules), symbols(state, rules), colour(state, rules)
    if rules.exchange == 0:
        return prices.list_payments(state, rules, scratch, seat, cards, least, of_colour, 0)
    for_one = exchange.rate(state, rules, seat)
    spent = exchange.spent(state)
    made, half_made = spent // for_one, spent % for_one
    count = 0
    if half_made == 0:
        count = prices.list_payments(state, rules, scratch, seat, cards, least, of_colour, made)
    if purchases.buys_right_of_way(state, rules):
        return right_of_way.list_spends(state, rules, scratch, seat, count)
    return exchange.list_spends(state, rules, scratch, seat, cards, least, of_colour, count)


@inlined
def depends_on_cards(state: PriceState, rules: PriceRules) -> bool:
    """Payments do."""
    return state.phase == phases.PAY


@compiled
def pick_payment(state: PriceState, rules: PriceRules, scratch: BoardScratch) -> bool:
    """Any payment, with exchanges for some of the locomotives (C20)."""
    if state.phase != phases.PAY:
        return False
    cards, least = price(state, rules), symbols(state, rules)
    of_colour = choices.some_colour(state, colour(state, rules))
    locomotives = least + int(below(state, cards - least + 1))
    coloured = cards - locomotives
    if rules.exchange > 0:
        locomotives = int(below(state, locomotives + 1))
    choices.note_payment(scratch, of_colour, coloured, locomotives)
    return True


@inlined
def apply(state: PriceState, rules: PriceRules, scratch: SharedScratch, action: int) -> None:
    """Lay the cards out; in team games decide next which come from the rack; else the claim or purchase is complete."""
    seat = state.current
    if rules.exchange > 0 and action >= rules.first_action[exchange.blocks.SPEND]:
        paying.lay_out(state, seat, action - rules.first_action[exchange.blocks.SPEND], 1)
        return
    if rules.num_racks > 0:
        state.payment = action
        enter_from_rack(state)
        return
    of_colour = paying.colour_of(rules, action)
    locomotives = paying.locomotives_of(rules, action)
    coloured = 0 if of_colour == LOCOMOTIVE else price(state, rules) - locomotives
    if rules.lays_out:
        made = exchange.spent(state) // exchange.rate(state, rules, seat) if rules.exchange > 0 else 0
        paying.lay_out(state, seat, of_colour, coloured)
        paying.lay_out(state, seat, LOCOMOTIVE, locomotives - made)
    else:
        paying.spend(state, seat, of_colour, coloured)
        paying.spend(state, seat, LOCOMOTIVE, locomotives)
    if state.route == NO_ROUTE:
        complete_purchase(state, rules)
        return
    state.payment = action
    if not follow_payment(state, rules):
        paying.complete_claim(state, rules)
