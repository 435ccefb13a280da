"""A claim once it is paid: what follows in which order (C9)."""

from t2r_env.core.compiled import compiled
from t2r_env.rules import train_cards
from t2r_env.rules.map_game import open_routes
from t2r_env.rules.map_game.flow import end_claim, follow_claim
from t2r_env.rules.map_game.paying import discard_all
from t2r_env.rules.map_game.prices import PriceRules, PriceState
from t2r_env.rules.turns import finish_turn


@compiled
def complete(state: PriceState, rules: PriceRules) -> None:
    """Place trains and score; discard what was paid and turned up (C2-C4); a share may be taken (PA4)."""
    seat = state.current
    open_routes.claim(state, rules, seat, state.route)
    end_claim(state, rules, seat)
    if rules.lays_out:
        discard_all(state)
    train_cards.restore(state, rules)
    if not follow_claim(state, rules):
        finish_turn(state)
