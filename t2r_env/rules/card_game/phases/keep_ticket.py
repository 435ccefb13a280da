"""Do you keep this ticket? Asked of each ticket offered, in turn (C6, CG2, CG8)."""

from t2r_env.rules import ticket_choice
from t2r_env.rules.card_game.turns import begin_turn
from t2r_env.rules.compiled import inlined
from t2r_env.rules.records import Record
from t2r_env.rules.state import TURN_OVER

legal = ticket_choice.legal


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Note the answer; when all are given they take effect."""
    if not ticket_choice.note_decision(state, rules, action):
        return
    if not ticket_choice.is_starting_choice(state):
        ticket_choice.settle(state)
        state.phase = TURN_OVER
    elif ticket_choice.settle_starting_choice(state, rules):
        begin_turn(state, rules, 0)
