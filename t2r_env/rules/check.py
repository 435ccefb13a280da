"""Whether states that come from outside can be played on, as far as all games have the same fields.

The core trusts its records: what is wrong with them must be found before it sees them.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from t2r_env.rules.records import Record
from t2r_env.rules.rewards import OUTCOMES, RUNNING
from t2r_env.rules.state import ENDED, FROM_DECK, KEEP_TICKET, TICKET_WORDS, TURN_OVER
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARD_TYPES, EMPTY
from t2r_env.variants.variant import MAX_OFFER, MAX_SEATS, MAX_TICKETS, MAX_TRAIN_CARDS, MAX_TURN_LIMIT

States = np.ndarray[Any, Any]

Limits = dict[str, tuple[int, int]]
"""The least and the greatest value of fields."""

CARDS_LIMIT = (0, MAX_TRAIN_CARDS)
_CARDS = ("deck", "discard", "hand", "known", "deck_count", "discard_count", "hand_count")


def find_shared_fault(states: States, rules: Record, limits: Limits, sets: Mapping[str, int]) -> str:
    """What is wrong with the first fault found in what all games have; empty if nothing is.

    `limits` are those of the kind's own fields; `sets` are fields that are sets of bits, with how many there are of
    what they name.
    """
    for field, (least, most) in (_shared_limits(rules) | limits).items():
        if np.any((states[field] < least) | (states[field] > most)):
            return f"{field} must lie between {least} and {most}"
    for field, number in sets.items():
        for word in range(states[field].shape[-1]):
            allowed = (1 << int(number)) - 1 >> 64 * word & (1 << 64) - 1
            if np.any(states[field][..., word] & ~np.uint64(allowed)):
                return f"{field} must name no more than {number}"
    counts = {
        "deck_count": states["deck"].sum(-1),
        "discard_count": states["discard"].sum(-1),
        "hand_count": states["hand"].sum(-1),
        "queue_count": (states["ticket_queue"] != NO_TICKET).sum(-1),
        "offered_count": (states["offered"] != NO_TICKET).sum(-1),
        "ticket_count": np.bitwise_count(states["tickets"]).sum(-1),
    }
    for field, counted in counts.items():
        if fault := find_fault_of_count(states, field, counted):
            return fault
    if np.any(states["known"] > states["hand"]):
        return "known must be cards of the hand"
    places = (states["queue_head"][:, None] + np.arange(MAX_TICKETS)) % MAX_TICKETS
    for field, tickets in {
        "ticket_queue": np.take_along_axis(states["ticket_queue"], places, axis=1),
        "offered": states["offered"],
    }.items():
        if np.any((tickets[..., :-1] == NO_TICKET) & (tickets[..., 1:] != NO_TICKET)):
            return f"{field} must have no gaps"
    if np.any((states["phase"] == ENDED) != (states["outcome"] != RUNNING)) or np.any(states["phase"] == TURN_OVER):
        return "phase must be that of a decision, or the game must have ended"
    return ""


def find_fault_of_count(states: States, field: str, counted: Any) -> str:
    """Whether a field is the number of what it counts."""
    return f"{field} must be the number of what it counts" if np.any(states[field] != counted) else ""


def find_fault_of_subject(states: States, rules: Record) -> str:
    """What only the decisions of all games need must be there for them; the states are those of running games."""
    if np.any(rules.phase_slot[states["phase"]] < 0):
        return "phase must be one that this game has"
    seats, current = np.arange(MAX_SEATS), states["current"][:, None]
    chooses = (states["phase"] == KEEP_TICKET)[:, None]
    is_start = (states["turn"] == 0)[:, None]
    if np.any((states["offered_count"] > 0) & ~(chooses & (is_start | (seats == current)))):
        return "tickets must be on offer to the acting seat, or at the start"
    on_offer = states["offered_count"][np.arange(len(states)), states["current"]]
    if np.any((states["phase"] == KEEP_TICKET) & (states["offer_index"] >= on_offer)):
        return "the ticket to decide on must be on offer"
    decided = np.where(
        seats == current, states["offer_index"][:, None], np.where(seats < current, states["offered_count"], 0)
    )
    decided = np.where(chooses, decided, 0)
    if np.any((states["offer_index"] > 0) & (states["phase"] != KEEP_TICKET)) or np.any(states["kept"] >> decided):
        return "offer_index and kept must be about tickets on offer that have been decided"
    return ""


def running(states: States) -> States:
    """Those of them whose games have not ended."""
    return np.ascontiguousarray(states[states["outcome"] == RUNNING])


def count_tickets(states: States, *sets: str) -> np.ndarray[Any, Any]:
    """How often each ticket lies in the ticket deck, on offer, or in one of some sets: (states, tickets)."""
    rows, number = len(states), 64 * TICKET_WORDS
    lying = np.zeros((rows, number), np.int64)
    for field in sets:
        lying += members(states[field]).reshape(rows, -1, number).sum(1)
    for field in ("ticket_queue", "offered"):
        tickets = states[field].reshape(rows, -1)
        row, place = np.nonzero(tickets != NO_TICKET)
        lying += np.bincount(row * number + tickets[row, place], minlength=rows * number).reshape(rows, number)
    return lying


def members(words: Any) -> np.ndarray[Any, Any]:
    """Sets of bits as rows of 0 and 1."""
    return np.unpackbits(np.ascontiguousarray(words, "<u8").view(np.uint8), axis=-1, bitorder="little").astype(np.int64)


def _shared_limits(rules: Record) -> Limits:
    """The least and the greatest value of each field."""
    seats, tickets = int(rules.num_seats), int(rules.num_tickets)
    cards = dict.fromkeys(_CARDS, CARDS_LIMIT)
    return cards | {
        "face_up": (EMPTY, CARD_TYPES - 1),
        "drawn": (EMPTY, CARD_TYPES - 1),
        "drawn_slot": (EMPTY, FROM_DECK),
        "ticket_count": (0, tickets),
        "ticket_queue": (NO_TICKET, tickets - 1),
        "queue_head": (0, MAX_TICKETS - 1),
        "queue_count": (0, tickets),
        "offered": (NO_TICKET, tickets - 1),
        "offered_count": (0, MAX_OFFER),
        "kept": (0, (1 << MAX_OFFER) - 1),
        "offer_index": (0, MAX_OFFER - 1),
        "completed": (0, tickets),
        "failed": (0, tickets),
        "rank": (0, MAX_SEATS),
        "phase": (ENDED, len(rules.phase_slot) - 1),
        "current": (0, seats - 1),
        "turn": (0, MAX_TURN_LIMIT),
        "last_turns_left": (0, seats),
        "outcome": (0, len(OUTCOMES) - 1),
    }
