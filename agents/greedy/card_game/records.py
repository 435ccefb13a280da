"""The records of planning in the Card Game: parameters (input), plan (result) and workspace (scratch)."""

import numpy as np

from agents.greedy.card_game import best_set
from agents.records import PlanRecords, new_record
from t2r_env.core.records import WORD, record_dtype
from t2r_env.rules.card_game.yard import NUM_COLOURS
from t2r_env.rules.cards import CARD_TYPES
from t2r_env.rules.state import TICKET_WORDS
from t2r_env.sizes import MAX_TICKETS

POINT = 10
"""The value of a point: values are in tenths of a point."""

PARAMETERS = record_dtype(
    [
        # By how much a play must be worth more than drawing cards, in tenths of a point; larger sets save turns
        ("min_play_advantage", "i8"),
        # Cards that it counts on drawing and playing in 100 turns to come
        ("cards_per_100_turns", "i8"),
        # What drawn tickets bring together, in percent of the sum of what each would bring alone
        ("drawn_tickets_percent", "i8"),
        # Tickets planned at a time, not counting those for which pile and hand suffice
        ("max_planned_tickets", "i8"),
        # 0 or 1: when it chooses tickets, but not at a scoring, one of twice the points counts four times as much
        ("prefers_large_tickets", "i8"),
    ]
)
"""What agents differ in. Planning only reads it."""

DEFAULTS = {
    "min_play_advantage": 60,
    "cards_per_100_turns": 60,
    "drawn_tickets_percent": 40,
    "max_planned_tickets": MAX_TICKETS,
    "prefers_large_tickets": 0,
}
"""The parameters of the greedy agent."""

PLAN = record_dtype(
    [
        ("turns", "i8"),  # the seat's turns still to come, each with its phase 1 (CG4)
        ("on_track", "i8", (CARD_TYPES,)),  # its pile at the end if it plays nothing more
        ("pile", "i8", (CARD_TYPES,)),  # its pile at the end with its hand and the cards it counts on
        ("tickets", WORD, (TICKET_WORDS,)),  # the best set of its tickets for that pile
        ("needed", "i8", (NUM_COLOURS,)),  # cards that those of them take which it works for now
        ("missing", "i8"),  # coloured cards that `on_track` and hand lack for them, less the locomotives on track
    ]
)
"""The result of planning."""

WORKSPACE = record_dtype(best_set.FIELDS)
"""Scratch memory of planning."""


def new_records(**parameters: int) -> PlanRecords:
    """Records for planning with these parameters, and with `DEFAULTS` for the others.

    Raises ValueError for an unknown parameter.
    """
    given = new_record(PARAMETERS, DEFAULTS | parameters)
    return PlanRecords(given, np.zeros(1, PLAN), np.zeros(1, WORKSPACE))
