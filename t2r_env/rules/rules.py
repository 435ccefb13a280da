"""What the Rules records of both kinds of game have in common: fields, and how they are filled."""

from typing import Any

import numpy as np

from t2r_env.rules.configuration import Configuration
from t2r_env.rules.layout import Layout, Segments
from t2r_env.rules.ranking import NO_TIE_BREAK
from t2r_env.rules.records import Field
from t2r_env.rules.state import MAX_TIE_BREAKS
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARD_TYPES, EMPTY
from t2r_env.variants.variant import COLOURS, MAX_SEATS, MAX_TICKETS, REFUSED

# Numbers that loops run to, or that are passed on, are 64 bits wide: each width of an argument is compiled by itself.
SHARED_FIELDS: list[Field] = [
    ("num_seats", "i8"),
    ("num_teams", "i8"),
    ("team", "i8", (MAX_SEATS,)),  # of each seat
    # Cards and tickets
    ("deck", "i1", (CARD_TYPES,)),
    ("starting_hand", "i1"),
    ("starting_locomotives", "i8"),  # UK1, CG2
    ("reshuffles", "i1"),  # 1: an empty deck is made anew of the discard (C2)
    ("face_up_sweep", "i1"),  # 1: C4 applies
    ("num_tickets", "i8"),
    ("ticket_points", "i2", (MAX_TICKETS,)),
    ("starting_offer", "i1"),  # besides the long ones
    ("starting_keep", "i1"),
    ("starting_refused", "i8"),  # what becomes of refused starting tickets: an index of REFUSED
    ("later_offer", "i1"),
    ("later_keep", "i1"),
    # The end
    ("turn_limit", "i4"),  # C19
    ("tie_break", "i1", (MAX_TIE_BREAKS,)),  # criteria after the points, NO_TIE_BREAK after the last (C18, CG14)
    # Where actions lie
    ("num_actions", "i8"),
]


def layout_fields(blocks: tuple[str, ...], segments: tuple[str, ...], phases: tuple[str, ...]) -> list[Field]:
    """Fields that say where things lie, for a kind with these blocks of actions, segments and phases."""
    return [
        ("first_action", "i8", (len(blocks),)),  # of each block
        ("segment", "i2", (2, len(segments))),  # where each begins: in the observation, in the truth
        ("phase_slot", "i1", (len(phases),)),  # of each phase in the one-hot; -1 if the game never asks that
    ]


def write_shared(record: Any, configuration: Configuration, tie_breaks: tuple[str, ...]) -> None:
    """Fill the fields that all games have; `tie_breaks` are all those of the kind."""
    variant, deck = configuration.variant, configuration.deck
    record.num_seats = configuration.num_players
    record.num_teams = configuration.num_teams
    record.team = [seat // variant.team_size for seat in range(MAX_SEATS)]
    record.deck = [*(variant.colours.get(colour, 0) for colour in COLOURS), variant.locomotives]
    record.starting_hand = variant.starting_hand
    record.starting_locomotives = variant.starting_locomotives
    record.num_tickets = configuration.num_tickets
    record.ticket_points[: configuration.num_tickets] = [ticket.points for ticket in deck.tickets]
    record.starting_offer, record.starting_keep = deck.starting.count, deck.starting.keep
    record.starting_refused = REFUSED.index(deck.starting_refused)
    record.later_offer, record.later_keep = deck.later.count, deck.later.keep
    record.turn_limit = configuration.turn_limit
    record.tie_break[:] = NO_TIE_BREAK
    record.tie_break[: len(variant.tie_breaks)] = [tie_breaks.index(name) for name in variant.tie_breaks]


def write_layout(
    record: Any,
    configuration: Configuration,
    layout: Layout,
    blocks: tuple[str, ...],
    segments: tuple[str, ...],
    phases: tuple[str, ...],
) -> None:
    """Fill the fields that say where things lie."""
    record.num_actions = layout.actions.size
    record.first_action = [_start(layout.actions, name) for name in blocks]
    for number, vector in enumerate((layout.observation, layout.global_state)):
        record.segment[number] = [_start(vector, name) for name in segments]
    asked = list(configuration.phases)
    record.phase_slot = [asked.index(phase) if phase in asked else -1 for phase in phases]


def _start(segments: Segments, name: str) -> int:
    """Where a segment begins; -1 if there is none of this name."""
    return segments[name].start if name in segments else -1


def write_opening(state: Any, record: Any) -> None:
    """Fill the fields of a State, before anything is shuffled or dealt, that all games have and that are not zero."""
    state.deck = record.deck
    state.deck_count = record.deck.sum()
    state.face_up[:] = EMPTY
    state.drawn = state.drawn_slot = EMPTY
    state.ticket_queue[:] = NO_TICKET
    state.offered[:] = NO_TICKET


def words_of(bits: int, number: int) -> list[np.uint64]:
    """A set of bits as so many 64-bit words."""
    return [np.uint64(bits >> 64 * word & (1 << 64) - 1) for word in range(number)]
