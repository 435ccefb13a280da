"""A game step by step: an answer, what it does, and the next decision that is really a player's to answer."""

from typing import Any

import numpy as np

from t2r_env.rules.compiled import by_record, compiled
from t2r_env.rules.records import Record
from t2r_env.rules.rulesets import RULESETS
from t2r_env.rules.state import NO_ACTION, TURN, TURN_OVER

_apply = by_record({ruleset.state: ruleset.apply for ruleset in RULESETS.values()}, inline=True)
_end_turn = by_record({ruleset.state: ruleset.end_turn for ruleset in RULESETS.values()}, inline=True)
_legal = by_record({ruleset.state: ruleset.legal for ruleset in RULESETS.values()}, inline=True)


@compiled
def play(state: Record, rules: Record, scratch: Record, action: Any) -> int:
    """Give a legal answer (or `NO_ACTION`, to learn what is asked) and go on to the next decision.

    A decision with one legal answer is answered for the player, but for the one that opens a turn. Returns the number
    of legal answers to the decision that is left, listed in `scratch.legal`; 0 after the end.
    """
    while True:
        if action != NO_ACTION:
            _apply(state, rules, scratch, action)
        if state.phase == TURN_OVER:
            _end_turn(state, rules, scratch)
        count = _legal(state, rules, scratch)
        if count != 1 or state.phase == TURN:
            return count
        action = np.int64(scratch.legal[0])
