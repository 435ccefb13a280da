"""Which module answers for which decision: what an answer does, and which are legal."""

from typing import Any

from t2r_env.rules.card_game.phases import complete, keep_ticket, second_card, set_cards, set_locomotives, turn
from t2r_env.rules.card_game.state import COMPLETE, KEEP_TICKET, SECOND_CARD, SET_CARDS, SET_LOCOMOTIVES, TURN
from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.records import Record


@inlined
def apply(state: Record, rules: Record, scratch: Record, action: Any) -> None:
    """What an answer does."""
    phase = state.phase
    if phase == TURN:
        turn.apply(state, rules, action)
    elif phase == SECOND_CARD:
        second_card.apply(state, rules, action)
    elif phase == SET_CARDS:
        set_cards.apply(state, rules, action)
    elif phase == SET_LOCOMOTIVES:
        set_locomotives.apply(state, rules, action)
    elif phase == KEEP_TICKET:
        keep_ticket.apply(state, rules, action)
    elif phase == COMPLETE:
        complete.apply(state, rules, scratch, action)


@compiled
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """List the legal answers in `scratch.legal`; return how many there are, 0 after the end."""
    phase = state.phase
    count = 0
    if phase == TURN:
        count = turn.legal(state, rules, scratch)
    elif phase == SECOND_CARD:
        count = second_card.legal(state, rules, scratch)
    elif phase == SET_CARDS:
        count = set_cards.legal(state, rules, scratch)
    elif phase == SET_LOCOMOTIVES:
        count = set_locomotives.legal(state, rules, scratch)
    elif phase == KEEP_TICKET:
        count = keep_ticket.legal(state, rules, scratch)
    elif phase == COMPLETE:
        count = complete.legal(state, rules, scratch)
    return count
