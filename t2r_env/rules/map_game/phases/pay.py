"""How do you pay for the route (C9), or for the technology (UK8)?"""

from t2r_env.rules import train_cards
from t2r_env.rules.compiled import inlined
from t2r_env.rules.map_game import actions, claiming, exchange, ferries, payment, right_of_way, technologies
from t2r_env.rules.map_game.phases import from_rack, tunnel
from t2r_env.rules.map_game.state import GRAY, NO_TECHNOLOGY, RIGHT_OF_WAY, TURN
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import LOCOMOTIVE


@inlined
def cards_due(state: Record, rules: Record) -> int:
    """The price in cards."""
    if state.technology != NO_TECHNOLOGY:
        return rules.technology_price[state.technology]
    return payment.price(state, rules, state.current, state.route)


@inlined
def symbols_due(state: Record, rules: Record) -> int:
    """How many of them must be locomotives."""
    if state.technology != NO_TECHNOLOGY:
        return rules.technology_price[state.technology]
    return ferries.least_locomotives(rules, state.route)


@inlined
def colour_due(state: Record, rules: Record) -> int:
    """The colour of the others."""
    return GRAY if state.technology != NO_TECHNOLOGY else rules.route_colour[state.route]


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """All payments that the cards allow; with exchanges, also the cards that may be spent towards one (UK5)."""
    seat = state.current
    cards, symbols, colour = cards_due(state, rules), symbols_due(state, rules), colour_due(state, rules)
    if rules.exchange == 0:
        return payment.list_payments(state, rules, scratch, seat, cards, symbols, colour, 0)
    for_one = exchange.rate(state, rules, seat)
    spent = exchange.spent(state)
    made, half_made = spent // for_one, spent % for_one
    count = 0
    if half_made == 0:
        count = payment.list_payments(state, rules, scratch, seat, cards, symbols, colour, made)
    if _buys_right_of_way(state, rules):
        return right_of_way.list_spends(state, rules, scratch, seat, count)
    return exchange.list_spends(state, rules, scratch, seat, cards, symbols, colour, count)


@inlined
def _buys_right_of_way(state: Record, rules: Record) -> bool:
    return state.technology != NO_TECHNOLOGY and state.technology == rules.technology_with[RIGHT_OF_WAY]


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Lay the cards out; in team games ask which come from the rack; then the claim or the purchase is complete."""
    seat = state.current
    if rules.exchange > 0 and action >= rules.first_action[actions.SPEND]:
        payment.lay_out(state, seat, action - rules.first_action[actions.SPEND], 1)
        return
    if rules.num_racks > 0:
        state.payment = action
        from_rack.ask(state)
        return
    colour = actions.payment_colour(rules, action)
    locomotives = actions.payment_locomotives(rules, action)
    if not rules.lays_out:
        state.payment = action
        if colour != LOCOMOTIVE:
            payment.spend(state, seat, colour, cards_due(state, rules) - locomotives)
        payment.spend(state, seat, LOCOMOTIVE, locomotives)
        claiming.complete(state, rules)
        return
    made = exchange.spent(state) // exchange.rate(state, rules, seat) if rules.exchange > 0 else 0
    if colour != LOCOMOTIVE:
        payment.lay_out(state, seat, colour, cards_due(state, rules) - locomotives)
    payment.lay_out(state, seat, LOCOMOTIVE, locomotives - made)
    if state.technology != NO_TECHNOLOGY:
        _complete_purchase(state, rules, seat)
    else:
        state.payment = action
        if rules.route_tunnel[state.route] > 0:
            tunnel.ask(state, rules)
        else:
            claiming.complete(state, rules)


@inlined
def _complete_purchase(state: Record, rules: Record, seat: int) -> None:
    """The technology works from now on; what was paid is discarded after it is taken (UK8, UK12)."""
    technologies.take(state, seat, state.technology)
    state.bought = state.technology
    state.technology = NO_TECHNOLOGY
    payment.discard_all(state)
    train_cards.restore(state, rules)
    state.phase = TURN
