"""How to pay for the route (C9), or for the technology (UK8)?"""

from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.randomness import below
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game import choices, exchange, ferries, paying, prices, purchases, right_of_way
from t2r_env.rules.map_game.board import GRAY, BoardScratch, phases
from t2r_env.rules.map_game.flow import follow_payment
from t2r_env.rules.map_game.prices import PriceRules, PriceState
from t2r_env.rules.map_game.racks import enter_from_rack
from t2r_env.rules.map_game.technologies import NO_TECHNOLOGY
from t2r_env.rules.state import SharedScratch


@inlined
def cards_due(state: PriceState, rules: PriceRules) -> int:
    """The price in cards."""
    if state.technology != NO_TECHNOLOGY:
        return rules.technology_price[state.technology]
    return prices.price(state, rules, state.current, state.route)


@inlined
def symbols_due(state: PriceState, rules: PriceRules) -> int:
    """How many of them must be locomotives."""
    if state.technology != NO_TECHNOLOGY:
        return rules.technology_price[state.technology]
    return ferries.least_locomotives(rules, state.route)


@inlined
def colour_due(state: PriceState, rules: PriceRules) -> int:
    """The colour of the others."""
    return GRAY if state.technology != NO_TECHNOLOGY else rules.route_colour[state.route]


@inlined
def list_legal(state: PriceState, rules: PriceRules, scratch: SharedScratch) -> int:
    """All payments that the cards allow; with exchanges, also the cards that may be spent towards one (UK5)."""
    seat = state.current
    cards, symbols, colour = cards_due(state, rules), symbols_due(state, rules), colour_due(state, rules)
    if rules.exchange == 0:
        return prices.list_payments(state, rules, scratch, seat, cards, symbols, colour, 0)
    for_one = exchange.rate(state, rules, seat)
    spent = exchange.spent(state)
    made, half_made = spent // for_one, spent % for_one
    count = 0
    if half_made == 0:
        count = prices.list_payments(state, rules, scratch, seat, cards, symbols, colour, made)
    if purchases.buys_right_of_way(state, rules):
        return right_of_way.list_spends(state, rules, scratch, seat, count)
    return exchange.list_spends(state, rules, scratch, seat, cards, symbols, colour, count)


@inlined
def depends_on_cards(state: PriceState, rules: PriceRules) -> bool:
    """Payments do."""
    return state.phase == phases.PAY


@compiled
def pick_payment(state: PriceState, rules: PriceRules, scratch: BoardScratch) -> bool:
    """Any payment, with exchanges for some of the locomotives (C20)."""
    if state.phase != phases.PAY:
        return False
    cards, symbols = cards_due(state, rules), symbols_due(state, rules)
    colour = choices.some_colour(state, colour_due(state, rules))
    locomotives = symbols + int(below(state, cards - symbols + 1))
    coloured = cards - locomotives
    if rules.exchange > 0:
        locomotives = int(below(state, locomotives + 1))
    choices.note_payment(scratch, colour, coloured, locomotives)
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
    colour = paying.colour_of(rules, action)
    locomotives = paying.locomotives_of(rules, action)
    if not rules.lays_out:
        state.payment = action
        if colour != LOCOMOTIVE:
            paying.spend(state, seat, colour, cards_due(state, rules) - locomotives)
        paying.spend(state, seat, LOCOMOTIVE, locomotives)
        paying.complete_claim(state, rules)
        return
    made = exchange.spent(state) // exchange.rate(state, rules, seat) if rules.exchange > 0 else 0
    if colour != LOCOMOTIVE:
        paying.lay_out(state, seat, colour, cards_due(state, rules) - locomotives)
    paying.lay_out(state, seat, LOCOMOTIVE, locomotives - made)
    if state.technology != NO_TECHNOLOGY:
        purchases.complete_purchase(state, rules, seat)
    else:
        state.payment = action
        if not follow_payment(state, rules):
            paying.complete_claim(state, rules)
