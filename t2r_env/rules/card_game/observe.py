"""What a seat sees, as a vector of counts and one-hots (C20), and the whole truth as another.

Both vectors are made of named segments; `rules.segment` says where each begins (t2r_env/rules/observe.py: the segments
that all games have).
"""

import numpy as np

from t2r_env.rules import turns
from t2r_env.rules.card_game.configuration import CardConfiguration
from t2r_env.rules.card_game.state import COMPLETE, NO_COLOUR, NOBODY, NUM_COLOURS
from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.layout import Part, Segments
from t2r_env.rules.observe import (
    GLOBAL_STATE,
    OBSERVATION,
    SHARED_SEGMENTS,
    distance_to,
    lay_out_hidden,
    lay_out_private,
    lay_out_public,
    write_cards,
    write_hidden,
    write_private,
    write_public,
    write_public_of,
    write_set,
    write_subject,
)
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import CARD_TYPES

SEGMENTS = (
    *SHARED_SEGMENTS,
    "subject_set",
    "subject_cards",
    "scoring_round",
    "yard",
    "yard_locomotives",
    "on_track",
    "completed_tickets",
    "completing",
)
(
    SUBJECT_SET,
    SUBJECT_CARDS,
    SCORING_ROUND,
    YARD,
    YARD_LOCOMOTIVES,
    ON_TRACK,
    COMPLETED_TICKETS,
    COMPLETING,
) = range(len(SHARED_SEGMENTS), len(SEGMENTS))


def lay_out(configuration: CardConfiguration, vector: int) -> Segments:
    """The segments of the observation or of the truth, in their order."""
    seats, num_tickets = configuration.num_players, configuration.num_tickets
    public: list[Part] = [
        *lay_out_public(configuration),
        ("subject_set", (NUM_COLOURS,), "one-hot: the colour of the set that is being played (CG7)"),
        ("subject_cards", (1,), "coloured cards in it, once they are chosen"),
        ("scoring_round", (1,), "the number of the scoring that comes next, or is under way (CG12)"),
        ("yard", (seats, NUM_COLOURS), "coloured cards in each row of each rail yard"),
        ("yard_locomotives", (seats, NUM_COLOURS), "locomotives in each row of each rail yard"),
        ("on_track", (seats, CARD_TYPES), "cards on each on-track pile, by colour"),
        ("completed_tickets", (seats, num_tickets), "tickets completed in earlier scorings"),
    ]
    rows = seats if vector == GLOBAL_STATE else 1
    private: list[Part] = [
        *lay_out_private(configuration, vector),
        ("completing", (rows, num_tickets), "tickets in the hand, chosen to be completed in this scoring (CG10)"),
    ]
    return Segments([*public, *private, *(lay_out_hidden(configuration) if vector == GLOBAL_STATE else [])])


@compiled
def observe(state: Record, rules: Record, seat: int, vector: np.ndarray) -> None:
    """Write what `seat` sees into a row of uint8."""
    vector[:] = 0
    at = rules.segment[OBSERVATION]
    _write_public(state, rules, at, seat, vector)
    _write_private(state, rules, at, seat, 0, vector)
    if state.current == seat:
        write_subject(state, at, vector)


@compiled
def write_global_state(state: Record, rules: Record, vector: np.ndarray) -> None:
    """Write all there is to know into a row of uint8."""
    vector[:] = 0
    at = rules.segment[GLOBAL_STATE]
    _write_public(state, rules, at, 0, vector)
    for seat in range(rules.num_seats):
        _write_private(state, rules, at, seat, seat, vector)
    write_subject(state, at, vector)
    write_hidden(state, at, vector)


@inlined
def _write_public(state: Record, rules: Record, at: np.ndarray, viewer: int, vector: np.ndarray) -> None:
    next_turn = state.resuming if state.phase == COMPLETE else turns.seat_of_next_turn(state, rules)
    write_public(state, rules, at, viewer, next_turn, vector)
    if state.set_colour != NO_COLOUR:
        vector[at[SUBJECT_SET] + state.set_colour] = 1
    vector[at[SUBJECT_CARDS]] = state.set_cards
    vector[at[SCORING_ROUND]] = state.scoring_round
    for colour in range(NUM_COLOURS):
        if state.yard_owner[colour] != NOBODY:
            place = distance_to(rules, viewer, state.yard_owner[colour]) * NUM_COLOURS + colour
            vector[at[YARD] + place] = state.yard_cards[colour]
            vector[at[YARD_LOCOMOTIVES] + place] = state.yard_locomotives[colour]
    seat = viewer
    for distance in range(rules.num_seats):
        write_public_of(state, rules, at, seat, distance, vector)
        write_cards(state.on_track[seat], at[ON_TRACK] + distance * CARD_TYPES, vector)
        write_set(state.completed_tickets[seat], at[COMPLETED_TICKETS] + distance * rules.num_tickets, vector)
        seat = seat + 1 if seat + 1 < rules.num_seats else 0


@inlined
def _write_private(state: Record, rules: Record, at: np.ndarray, seat: int, row: int, vector: np.ndarray) -> None:
    write_private(state, rules, at, seat, row, vector)
    write_set(state.completing[seat], at[COMPLETING] + row * rules.num_tickets, vector)
