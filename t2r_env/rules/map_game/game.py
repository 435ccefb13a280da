"""Which module answers for which decision: what an answer does, and which are legal."""

from typing import Any

from t2r_env.rules.compiled import compiled, inlined
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


@inlined
def apply(state: Record, rules: Record, scratch: Record, action: Any) -> None:
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
    """What an answer does, for the decisions that only some games ask."""
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
    """The legal answers to the decisions that only some games ask."""
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
