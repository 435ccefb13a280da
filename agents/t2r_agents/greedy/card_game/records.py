"""The records of planning in the Card Game: parameters (input), plan (result) and workspace (scratch)."""

import numpy as np

from t2r_agents.records import PlanRecords, new_record
from t2r_env.core.records import Array, Record, bitset, dtype_of, int64
from t2r_env.rules.card_game.yard import NUM_COLOURS
from t2r_env.rules.cards import CARD_TYPES
from t2r_env.rules.state import TICKET_WORDS
from t2r_env.sizes import MAX_TICKETS

POINT = 10
"""The value of a point: values are in tenths of a point."""


class Parameters(Record):
    """What agents differ in. Planning only reads it."""

    # By how much a play must be worth more than drawing cards, in tenths of a point; larger sets save turns
    min_play_advantage: int = int64()
    # Cards that it counts on drawing and playing in 100 turns to come
    cards_per_100_turns: int = int64()
    # What drawn tickets bring together, in percent of the sum of what each would bring alone
    drawn_tickets_percent: int = int64()
    # Tickets planned at a time, not counting those for which pile and hand suffice
    max_planned_tickets: int = int64()
    # 0 or 1: when it chooses tickets, but not at a scoring, one of twice the points counts four times as much
    prefers_large_tickets: int = int64()


DEFAULTS = {
    "min_play_advantage": 60,
    "cards_per_100_turns": 60,
    "drawn_tickets_percent": 40,
    "max_planned_tickets": MAX_TICKETS,
    "prefers_large_tickets": 0,
}
"""The parameters of the greedy agent."""


class Plan(Record):
    """The result of planning."""

    turns: int = int64()  # the seat's turns still to come, each with its phase 1 (CG4)
    on_track: Array = int64(CARD_TYPES)  # its pile at the end if it plays nothing more
    pile: Array = int64(CARD_TYPES)  # its pile at the end with its hand and the cards it counts on
    tickets: Array = bitset(TICKET_WORDS)  # the best set of its tickets for that pile
    needed: Array = int64(NUM_COLOURS)  # cards that those of them take which it works for now
    missing: int = int64()  # coloured cards that `on_track` and hand lack for them, less the locomotives on track


class Workspace(Record):
    """Scratch memory of planning, used by the search for the best set of tickets (`best_set.py`)."""

    # The candidates, those of the greatest value for each card first
    num_candidates: int = int64()
    ticket: Array = int64(MAX_TICKETS)
    value: Array = int64(MAX_TICKETS)
    num_cards: Array = int64(MAX_TICKETS)  # how many cards each takes
    # The search
    left: Array = int64(CARD_TYPES)  # cards not taken yet; negative where locomotives, which are then fewer, stand in
    price: Array = int64(CARD_TYPES)  # by card; a locomotive's is the highest
    best_price: Array = int64(CARD_TYPES)  # those of the lowest bound so far
    profit: Array = int64(MAX_TICKETS + 1)  # by index: the profits of the candidates from there on, added up
    is_taken: Array = int64(MAX_TICKETS)
    best_value: int = int64()  # of the best set so far


PARAMETERS, PLAN, WORKSPACE = dtype_of(Parameters), dtype_of(Plan), dtype_of(Workspace)


def new_records(**parameters: int) -> PlanRecords:
    """Records for planning with these parameters, and with `DEFAULTS` for the others.

    Raises ValueError for an unknown parameter.
    """
    given = new_record(PARAMETERS, DEFAULTS | parameters)
    return PlanRecords(given, np.zeros(1, PLAN), np.zeros(1, WORKSPACE))
