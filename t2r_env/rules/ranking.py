"""Points and ranks, as in all games (C18, CG14)."""

import numpy as np

from t2r_env.boxes.box import MAX_SEATS
from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.records import Record

NO_TIE_BREAK = -1


@inlined
def add_points(state: Record, side: int, part: int, points: int) -> None:
    """Add to a side's score as one of its parts."""
    state.score[side] += points
    state.breakdown[side, part] += points


@compiled
def has_most(rules: Record, values: np.ndarray, side: int) -> bool:
    """Whether no side has more than this one, and this one more than nothing: who shares the most has it too (C17)."""
    for other in range(rules.num_sides):
        if values[other] > values[side]:
            return False
    return values[side] > 0


@compiled
def rank_sides(state: Record, rules: Record, scratch: Record) -> None:
    """A side's rank is one more than the number of sides before it. `scratch.standing` has what tie-breaks compare."""
    for side in range(rules.num_sides):
        rank = 1
        for other in range(rules.num_sides):
            if _is_before(state, rules, scratch, other, side):
                rank += 1
        state.rank[side] = rank
    for side in range(rules.num_sides, MAX_SEATS):
        state.rank[side] = 0


@compiled
def _is_before(state: Record, rules: Record, scratch: Record, side: int, other: int) -> bool:
    """Whether `side` beats `other`: by points, then by the game's tie-breaks in their order."""
    if state.score[side] != state.score[other]:
        return state.score[side] > state.score[other]
    for criterion in rules.tie_break:
        if criterion != NO_TIE_BREAK:
            lead = scratch.standing[criterion, side] - scratch.standing[criterion, other]
            if lead != 0:
                return lead > 0
    return False
