"""A game step by step: deal, then again and again the legal answers and what the chosen one does."""

from t2r_env.rules.compiled import compiled
from t2r_env.rules.map_game import turns
from t2r_env.rules.map_game.phases import keep_ticket, pay, second_card, turn
from t2r_env.rules.map_game.state import ENDED, KEEP_TICKET, PAY, SECOND_CARD, TURN, TURN_OVER
from t2r_env.rules.records import Record


@compiled
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """List the legal answers in `scratch.legal`; return how many there are, 0 when the game has ended."""
    phase = state.phase
    if phase == TURN:
        return turn.legal(state, rules, scratch)
    if phase == SECOND_CARD:
        return second_card.legal(state, rules, scratch)
    if phase == PAY:
        return pay.legal(state, rules, scratch)
    if phase == KEEP_TICKET:
        return keep_ticket.legal(state, rules, scratch)
    return 0


@compiled
def apply(state: Record, rules: Record, scratch: Record, action: int) -> None:
    """Do what a legal answer does; a turn that is over gives way to the next."""
    phase = state.phase
    if phase == TURN:
        turn.apply(state, rules, action)
    elif phase == SECOND_CARD:
        second_card.apply(state, rules, action)
    elif phase == PAY:
        pay.apply(state, rules, action)
    elif phase == KEEP_TICKET:
        keep_ticket.apply(state, rules, action)
    if state.phase == TURN_OVER:
        turns.end_turn(state, rules, scratch)


@compiled
def settle(state: Record, rules: Record, scratch: Record) -> int:
    """Answer for the players whatever has one legal answer, but for the question that opens a turn.

    Returns the number of legal answers to the question that is left, listed in `scratch.legal`; 0 after the end.
    """
    count = legal(state, rules, scratch)
    while count == 1 and state.phase != TURN:
        apply(state, rules, scratch, scratch.legal[0])
        count = legal(state, rules, scratch)
    return count


@compiled
def has_ended(state: Record) -> bool:
    """Whether the game is over, for whatever reason."""
    return state.phase == ENDED
