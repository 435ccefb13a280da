"""A claim once it is paid: what follows in which order (C9)."""

from t2r_env.rules import train_cards
from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.map_game import open_routes, payment, technologies
from t2r_env.rules.map_game.phases import take_share
from t2r_env.rules.map_game.state import NO_COMPANY, NO_ROUTE, RIGHT_OF_WAY
from t2r_env.rules.records import Record
from t2r_env.rules.state import NO_ACTION


@compiled
def complete(state: Record, rules: Record) -> None:
    """Place trains and score; discard what was paid and turned up (C2-C4); a share may be taken (PA4)."""
    seat = state.current
    open_routes.claim(state, rules, seat, state.route)
    state.claims += 1
    technologies.give_back(state, seat, rules.technology_with[RIGHT_OF_WAY])
    if rules.lays_out:
        payment.discard_all(state)
    train_cards.restore(state, rules)
    take_share.ask(state, rules)


@inlined
def forget_claim(state: Record) -> None:
    """What belongs to one claim alone."""
    state.route = NO_ROUTE
    state.payment = NO_ACTION
    state.extra = NO_ACTION
    state.due = 0
    state.company = NO_COMPANY
