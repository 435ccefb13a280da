"""Whether states that come from outside can be played on: the core itself trusts its records."""

from typing import Any

import numpy as np

from t2r_env.boxes.box import MAX_CITIES, MAX_OFFER, MAX_TICKETS, MAX_TRAIN_CARDS, MAX_TRAINS, MAX_TURN_LIMIT
from t2r_env.rules.map_game.state import ENDED, FROM_DECK, KEEP_TICKET, NO_LANE, PAY, TURN_OVER
from t2r_env.rules.records import Record
from t2r_env.rules.rewards import OUTCOMES
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARD_KINDS, EMPTY

States = np.ndarray[Any, Any]


def find_fault(states: States, rules: Record) -> str:
    """What is wrong with the first fault found in states for these rules; empty if nothing is."""
    for field, (least, most) in _limits(rules).items():
        if np.any((states[field] < least) | (states[field] > most)):
            return f"{field} must lie between {least} and {most}"
    for field, number in {"open": rules.num_lanes, "claimed": rules.num_lanes, "tickets": rules.num_tickets}.items():
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
    }
    for field, counted in counts.items():
        if np.any(states[field] != counted):
            return f"{field} must be the number of what it counts"
    return _find_fault_of_question(states)


def _find_fault_of_question(states: States) -> str:
    current = states["current"][:, None]
    offered = np.take_along_axis(states["offered_count"], current, 1)[:, 0]
    if np.any(states["phase"] == TURN_OVER):
        return "a question must be asked, or the game have ended"
    if np.any((states["phase"] == PAY) & (states["lane"] == NO_LANE)):
        return "a payment must be for a lane"
    if np.any((states["phase"] == KEEP_TICKET) & (states["asked"] >= offered)):
        return "the ticket in question must be on offer"
    return ""


def _limits(rules: Record) -> dict[str, tuple[int, int]]:
    """The least and the greatest value of each field."""
    seats, tickets = int(rules.num_seats), int(rules.num_tickets)
    cards = dict.fromkeys(
        ("deck", "discard", "hand", "known", "deck_count", "discard_count", "hand_count"), (0, MAX_TRAIN_CARDS)
    )
    return cards | {
        "component": (0, MAX_CITIES - 1),
        "row": (EMPTY, CARD_KINDS - 1),
        "drawn": (EMPTY, CARD_KINDS - 1),
        "drawn_slot": (EMPTY, FROM_DECK),
        "ticket_count": (0, tickets),
        "ticket_queue": (NO_TICKET, tickets - 1),
        "queue_head": (0, MAX_TICKETS - 1),
        "queue_count": (0, tickets),
        "offered": (NO_TICKET, tickets - 1),
        "offered_count": (0, MAX_OFFER),
        "kept": (0, (1 << MAX_OFFER) - 1),
        "asked": (0, MAX_OFFER - 1),
        "trains": (0, MAX_TRAINS),
        "rank": (0, seats),
        "phase": (0, ENDED),
        "current": (0, seats - 1),
        "lane": (NO_LANE, int(rules.num_lanes) - 1),
        "turn": (0, MAX_TURN_LIMIT),
        "last_turns_left": (0, seats),
        "passes": (0, seats),
        "outcome": (0, len(OUTCOMES) - 1),
    }
