"""Whether states that come from outside can be played on: the core itself trusts its records."""

from typing import Any

import numpy as np

from t2r_env.boxes.box import MAX_CITIES, MAX_OFFER, MAX_TICKETS, MAX_TRAIN_CARDS, MAX_TRAINS, MAX_TURN_LIMIT
from t2r_env.rules.map_game.routes import GRAY
from t2r_env.rules.map_game.state import (
    ENDED,
    FROM_DECK,
    KEEP_TICKET,
    MAX_EDGES,
    NO_LANE,
    PAY,
    SECOND_CARD,
    TURN_OVER,
)
from t2r_env.rules.records import Record
from t2r_env.rules.rewards import OUTCOMES, RUNNING
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARD_KINDS, EMPTY, LOCOMOTIVE

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
    if np.any(np.bitwise_count(states["claimed"]).sum(-1) > MAX_EDGES):
        return f"claimed must name no more than {MAX_EDGES}"
    return _find_fault_of_question(states, rules)


def _find_fault_of_question(states: States, rules: Record) -> str:
    """Each question must have an answer: the core would wait for it for ever, or deal hands that can't be."""
    phase, rows = states["phase"], np.arange(len(states))
    if np.any((phase == TURN_OVER) | ((phase == ENDED) != (states["outcome"] != RUNNING))):
        return "a question must be asked, or the game have ended"
    can_draw = (states["deck_count"] > 0) | ((states["row"] != EMPTY) & (states["row"] != LOCOMOTIVE)).any(-1)
    if np.any((phase == SECOND_CARD) & ~can_draw):
        return "a second card must be there to be drawn"
    if np.any((phase == KEEP_TICKET) & (states["asked"] >= states["offered_count"][rows, states["current"]])):
        return "the ticket in question must be on offer"
    hand, lane = states["hand"][rows, states["current"]], states["lane"]
    coloured = hand[:, :LOCOMOTIVE]
    colour = np.minimum(rules.lane_colour[lane], LOCOMOTIVE - 1)
    of_colour = np.where(rules.lane_colour[lane] == GRAY, coloured.max(-1), coloured[rows, colour])
    can_pay = (lane != NO_LANE) & (of_colour + hand[:, LOCOMOTIVE] >= rules.lane_length[lane])
    if np.any((phase == PAY) & ~can_pay):
        return "a lane that is to be paid must be there, and the cards for it"
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
