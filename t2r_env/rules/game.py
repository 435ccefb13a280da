"""A game step by step: an answer, what it does, and the next question that is really a player's to answer."""

from typing import Any

import numpy as np

from t2r_env.rules.compiled import by_record, compiled
from t2r_env.rules.kinds import KINDS
from t2r_env.rules.records import Record
from t2r_env.rules.state import NO_ANSWER, TURN, TURN_OVER

_apply = by_record({kind.state: kind.apply for kind in KINDS.values()}, inline=True)
_end_turn = by_record({kind.state: kind.end_turn for kind in KINDS.values()}, inline=True)
_legal = by_record({kind.state: kind.legal for kind in KINDS.values()}, inline=True)


@compiled
def play(state: Record, rules: Record, scratch: Record, action: Any) -> int:
    """Give a legal answer (or `NO_ANSWER`, to learn what is asked) and go on to the next question.

    A question with one legal answer is answered for the player, but for the one that opens a turn. Returns the number
    of legal answers to the question that is left, listed in `scratch.legal`; 0 after the end.
    """
    while True:
        if action != NO_ANSWER:
            _apply(state, rules, scratch, action)
        if state.phase == TURN_OVER:
            _end_turn(state, rules, scratch)
        count = _legal(state, rules, scratch)
        if count != 1 or state.phase == TURN:
            return count
        action = np.int64(scratch.legal[0])
