"""A game step by step: an answer, what it does, and the next question that is really a player's to answer."""

from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.map_game import turns
from t2r_env.rules.map_game.phases import keep_ticket, neutral_share, pay, second_card, take_share, turn
from t2r_env.rules.map_game.state import (
    ENDED,
    KEEP_TICKET,
    NEUTRAL_SHARE,
    NO_ANSWER,
    PAY,
    SECOND_CARD,
    TAKE_SHARE,
    TURN,
    TURN_OVER,
)
from t2r_env.rules.records import Record


@compiled
def play(state: Record, rules: Record, scratch: Record, action: int) -> int:
    """Give a legal answer (or `NO_ANSWER`, to learn what is asked) and go on to the next question.

    A question with one legal answer is answered for the player, but for the one that opens a turn. Returns the number
    of legal answers to the question that is left, listed in `scratch.legal`; 0 after the end.
    """
    while True:
        phase = state.phase
        if action == NO_ANSWER:
            pass
        elif phase == TURN:
            turn.apply(state, rules, action)
        elif phase == SECOND_CARD:
            second_card.apply(state, rules, action)
        elif phase == PAY:
            pay.apply(state, rules, action)
        elif phase == KEEP_TICKET:
            keep_ticket.apply(state, rules, action)
        elif phase == TAKE_SHARE:
            take_share.apply(state, rules, action)
        elif phase == NEUTRAL_SHARE:
            neutral_share.apply(state, rules, action)
        if state.phase == TURN_OVER:
            turns.end_turn(state, rules, scratch)

        phase = state.phase
        if phase == TURN:
            return turn.legal(state, rules, scratch)
        count = 0
        if phase == SECOND_CARD:
            count = second_card.legal(state, rules, scratch)
        elif phase == PAY:
            count = pay.legal(state, rules, scratch)
        elif phase == KEEP_TICKET:
            count = keep_ticket.legal(state, rules, scratch)
        elif phase == TAKE_SHARE:
            count = take_share.legal(state, rules, scratch)
        elif phase == NEUTRAL_SHARE:
            count = neutral_share.legal(state, rules, scratch)
        if count != 1:
            return count
        action = scratch.legal[0]


@inlined
def has_ended(state: Record) -> bool:
    """Whether the game is over, for whatever reason."""
    return state.phase == ENDED
