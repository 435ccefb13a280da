"""A game step by step: an answer, what it does, and the next question that is really a player's to answer."""

from typing import Any

import numpy as np

from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.map_game import turns
from t2r_env.rules.map_game.phases import (
    from_rack,
    keep_ticket,
    neutral_share,
    pay,
    place,
    second_card,
    second_claim,
    share,
    take_share,
    tunnel,
    turn,
)
from t2r_env.rules.map_game.state import (
    FROM_RACK,
    KEEP_TICKET,
    NEUTRAL_SHARE,
    PAY,
    PLACE,
    SECOND_CARD,
    SECOND_CLAIM,
    SHARE,
    TAKE_SHARE,
    TUNNEL,
    TURN,
)
from t2r_env.rules.records import Record
from t2r_env.rules.state import NO_ANSWER, TURN_OVER


@compiled
def play(state: Record, rules: Record, scratch: Record, action: Any) -> int:
    """Give a legal answer (or `NO_ANSWER`, to learn what is asked) and go on to the next question.

    A question with one legal answer is answered for the player, but for the one that opens a turn. Returns the number
    of legal answers to the question that is left, listed in `scratch.legal`; 0 after the end.
    """
    while True:
        if action != NO_ANSWER:
            _apply(state, rules, action)
        if state.phase == TURN_OVER:
            if second_claim.follows(state, rules):
                second_claim.ask(state)
            else:
                turns.end_turn(state, rules, scratch)
        count = _list_answers(state, rules, scratch)
        if count != 1 or state.phase == TURN:
            return count
        action = np.int64(scratch.legal[0])


@inlined
def _apply(state: Record, rules: Record, action: Any) -> None:
    """What an answer does."""
    phase = state.phase
    if phase == TURN:
        turn.apply(state, rules, action)
    elif phase == SECOND_CARD:
        second_card.apply(state, rules, action)
    elif phase == PAY:
        pay.apply(state, rules, action)
    elif phase == KEEP_TICKET:
        keep_ticket.apply(state, rules, action)
    else:
        _apply_special(state, rules, action)


@compiled
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """List the legal answers in `scratch.legal`; return how many there are, 0 after the end."""
    return _list_answers(state, rules, scratch)


@inlined
def _list_answers(state: Record, rules: Record, scratch: Record) -> int:
    phase = state.phase
    count = 0
    if phase == TURN:
        count = turn.legal(state, rules, scratch)
    elif phase == SECOND_CARD:
        count = second_card.legal(state, rules, scratch)
    elif phase == PAY:
        count = pay.legal(state, rules, scratch)
    elif phase == KEEP_TICKET:
        count = keep_ticket.legal(state, rules, scratch)
    elif phase >= 0:
        count = _legal_special(state, rules, scratch)
    return count


@compiled
def _apply_special(state: Record, rules: Record, action: Any) -> None:
    """What an answer does, for the questions that only some games ask."""
    phase = state.phase
    if phase == PLACE:
        place.apply(state, rules, action)
    elif phase == FROM_RACK:
        from_rack.apply(state, rules, action)
    elif phase == TUNNEL:
        tunnel.apply(state, rules, action)
    elif phase == SHARE:
        share.apply(state, rules, action)
    elif phase == SECOND_CLAIM:
        second_claim.apply(state, rules, action)
    elif phase == TAKE_SHARE:
        take_share.apply(state, rules, action)
    elif phase == NEUTRAL_SHARE:
        neutral_share.apply(state, rules, action)


@compiled
def _legal_special(state: Record, rules: Record, scratch: Record) -> int:
    """The legal answers to the questions that only some games ask."""
    phase = state.phase
    count = 0
    if phase == PLACE:
        count = place.legal(state, rules, scratch)
    elif phase == FROM_RACK:
        count = from_rack.legal(state, rules, scratch)
    elif phase == TUNNEL:
        count = tunnel.legal(state, rules, scratch)
    elif phase == SHARE:
        count = share.legal(state, rules, scratch)
    elif phase == SECOND_CLAIM:
        count = second_claim.legal(state, rules, scratch)
    elif phase == TAKE_SHARE:
        count = take_share.legal(state, rules, scratch)
    elif phase == NEUTRAL_SHARE:
        count = neutral_share.legal(state, rules, scratch)
    return count
