"""The names of the segments of the features `plan`, and a function that writes numbers into them."""

from typing import NamedTuple

from t2r_env.core.compiled import inlined
from t2r_env.core.records import Array


class _Segments(NamedTuple):
    # Both rulesets
    PLANNER_ACTION: int
    MISSING_BY_COLOUR: int
    SPARE_BY_COLOUR: int
    PLAN_MISSING: int
    POINTS_AT_STAKE: int
    TICKETS_PLANNED: int
    TICKET_CARDS: int
    OFFER: int
    # Map games
    ROUTES_PLANNED: int
    ROUTE_READINESS: int
    ROUTE_CONTESTED: int
    ROUTE_POINTS: int
    SHARE_POINTS: int
    TECHNOLOGIES_PLANNED: int
    CLAIMS_PLANNED: int
    TURNS_FOR_PLAN: int
    TRAINS_AFTER_PLAN: int
    TRAINS_TO_LAST_ROUND: int
    FACE_UP_MISSING: int
    TICKETS_COMPLETE: int
    TICKETS_IMPOSSIBLE: int
    TICKET_TRAINS: int
    STATIONS_PLANNED: int
    ROUTES_USED: int
    # The Card Game
    TURNS_TO_COME: int
    PILE_ON_TRACK: int
    PILE_FORESEEN: int
    DRAW_VALUES: int
    SET_VALUES: int
    THREE_VALUE: int
    DRAW_TICKETS_VALUE: int


SEGMENTS = tuple(name.lower() for name in _Segments._fields)
segments = _Segments(*range(len(SEGMENTS)))


@inlined
def put(vector: Array, index: int, number: int) -> None:
    """Write a number, limited to 0 to 255."""
    vector[index] = min(max(number, 0), 255)
