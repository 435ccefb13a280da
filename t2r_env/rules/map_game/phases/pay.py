"""How do you pay for the lane? (C9)"""

from t2r_env.rules import train_cards
from t2r_env.rules.compiled import inlined
from t2r_env.rules.map_game import payment, routes
from t2r_env.rules.map_game.phases import take_share
from t2r_env.rules.records import Record


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """All payments that the cards allow."""
    return payment.list_payments(state, rules, scratch, state.current, state.lane)


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Pay, place trains, score; then deck and row are made good (C2-C4), and a share may be taken."""
    seat = state.current
    lane = state.lane
    state.payment = action
    payment.pay(state, rules, seat, rules.lane_length[lane], action)
    routes.claim(state, rules, seat, lane)
    train_cards.restore(state, rules)
    take_share.ask(state, rules)
