"""Whether states that come from outside can be played on.

The core trusts its records: what is wrong with them must be found before it sees them. Here is what all games have;
rule modules check theirs.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from t2r_env.core.game import ENDED, OUTCOMES, TURN_OVER, outcomes
from t2r_env.core.records import Array
from t2r_env.rules.cards import CARD_TYPES, EMPTY
from t2r_env.rules.module import Limits, RuleModule, States
from t2r_env.rules.names import phases
from t2r_env.rules.state import FROM_DECK, TICKET_WORDS, SharedRules
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.sizes import MAX_OFFER, MAX_SEATS, MAX_TICKETS, MAX_TRAIN_CARDS, MAX_TURN_LIMIT

CARDS_LIMIT = (0, MAX_TRAIN_CARDS)
_CARDS = ("deck", "discard", "hand", "known", "deck_count", "discard_count", "hand_count")


def find_fault(states: States, rules: SharedRules, modules: Sequence[RuleModule]) -> str:
    """What is wrong with the first fault found in states for these rules; empty if nothing is."""
    limits, sets, tickets = _shared_limits(rules), {"tickets": int(rules.num_tickets)}, ["tickets"]
    for module in modules:
        limits |= module.limits(rules)
        sets |= module.sets(rules)
        tickets += module.tickets
    if fault := _find_fault_of_limits(states, limits) or _find_fault_of_sets(states, sets):
        return fault
    if fault := _find_shared_fault(states):
        return fault
    lying = count_tickets(states, *tickets)
    if np.any(lying > 1):
        return "each ticket must lie in one place"
    if fault := _find_fault_of_long_tickets(states, rules, lying.shape[1]) or _first(
        module.find_fault(states, rules) for module in modules
    ):
        return fault
    running = np.ascontiguousarray(states[states["outcome"] == outcomes.RUNNING])
    return find_fault_of_decision(running, rules) or _first(
        module.find_fault_of_decision(running, rules) for module in modules
    )


def _first(faults: Any) -> str:
    return next(filter(None, faults), "")


def _find_fault_of_limits(states: States, limits: Limits) -> str:
    for name, (least, most) in limits.items():
        if np.any((states[name] < least) | (states[name] > most)):
            return f"{name} must lie between {least} and {most}"
    return ""


def _find_fault_of_sets(states: States, sets: Mapping[str, int]) -> str:
    for name, number in sets.items():
        words = states[name] if states[name].ndim > 1 else states[name][:, None]
        for word in range(words.shape[-1]):
            allowed = (1 << int(number)) - 1 >> 64 * word & (1 << 64) - 1
            if np.any(words[..., word] & ~np.uint64(allowed)):
                return f"{name} must name no more than {number}"
    return ""


def _find_shared_fault(states: States) -> str:
    counts = {
        "deck_count": states["deck"].sum(-1),
        "discard_count": states["discard"].sum(-1),
        "hand_count": states["hand"].sum(-1),
        "queue_count": (states["ticket_queue"] != NO_TICKET).sum(-1),
        "offered_count": (states["offered"] != NO_TICKET).sum(-1),
        "ticket_count": np.bitwise_count(states["tickets"]).sum(-1),
    }
    for name, counted in counts.items():
        if fault := find_fault_of_count(states, name, counted):
            return fault
    if np.any(states["known"] > states["hand"]):
        return "known must be cards of the hand"
    positions = (states["queue_head"][:, None] + np.arange(MAX_TICKETS)) % MAX_TICKETS
    for name, tickets in {
        "ticket_queue": np.take_along_axis(states["ticket_queue"], positions, axis=1),
        "offered": states["offered"],
    }.items():
        if np.any((tickets[..., :-1] == NO_TICKET) & (tickets[..., 1:] != NO_TICKET)):
            return f"{name} must have no gaps"
    is_running = states["outcome"] == outcomes.RUNNING
    if np.any((states["phase"] == ENDED) == is_running) or np.any(states["phase"] == TURN_OVER):
        return "phase must be that of a decision, or the game must have ended"
    return ""


def find_fault_of_count(states: States, name: str, counted: Any) -> str:
    """Whether a field is the number of what it counts."""
    return f"{name} must be the number of what it counts" if np.any(states[name] != counted) else ""


def _find_fault_of_long_tickets(states: States, rules: SharedRules, number: int) -> str:
    """A long ticket where none can lie is in no deal that a player could expect (LA2)."""
    is_long = np.arange(number) >= rules.num_regular
    if np.any(members(states["tickets"])[..., is_long].sum(-1) > rules.long_offer):
        return f"tickets must hold no more than {rules.long_offer} long ones for each seat"
    is_starting_choice = (states["turn"] == 0)[:, None, None]
    may_be_long = is_starting_choice & (np.arange(MAX_OFFER) < rules.long_offer)
    on_offer = states["offered"] != NO_TICKET
    wrong = on_offer & ((states["offered"] >= rules.num_regular) != may_be_long)
    if np.any(wrong) or np.any(states["ticket_queue"] >= rules.num_regular):
        return "long tickets must be held, or be the first ones on offer at the start"
    return ""


def find_fault_of_decision(states: States, rules: SharedRules) -> str:
    """What only the decisions of all games need must be there for them; the states are those of running games."""
    if np.any(rules.phase_slot[states["phase"]] < 0):
        return "phase must be one that this game has"
    seats, current = np.arange(MAX_SEATS), states["current"][:, None]
    chooses = (states["phase"] == phases.KEEP_TICKET)[:, None]
    is_start = (states["turn"] == 0)[:, None]
    if np.any((states["offered_count"] > 0) & ~(chooses & (is_start | (seats == current)))):
        return "tickets must be on offer to the acting seat, or at the start"
    on_offer = states["offered_count"][np.arange(len(states)), states["current"]]
    if np.any((states["phase"] == phases.KEEP_TICKET) & (states["offer_index"] >= on_offer)):
        return "the ticket to decide on must be on offer"
    decided = np.where(
        seats == current, states["offer_index"][:, None], np.where(seats < current, states["offered_count"], 0)
    )
    decided = np.where(chooses, decided, 0)
    is_elsewhere = states["phase"] != phases.KEEP_TICKET
    if np.any((states["offer_index"] > 0) & is_elsewhere) or np.any(states["kept"] >> decided):
        return "offer_index and kept must be about tickets on offer that have been decided"
    return ""


def check_conditions(states: States, conditions: Mapping[str, tuple[Any, Any, Any]]) -> str:
    """Whether fields are set just where decisions are about them: for each whether it is set, may be and must be."""
    for name, (is_set, may_be, must_be) in conditions.items():
        if np.any((is_set & ~(may_be | must_be)) | (~is_set & must_be)):
            return f"{name} must be set if the decision is about it, and only then"
    return ""


def count_tickets(states: States, *sets: str) -> Array:
    """How often each ticket lies in the ticket deck, on offer, or in one of some sets: (states, tickets)."""
    rows, number = len(states), 64 * TICKET_WORDS
    lying = np.zeros((rows, number), np.int64)
    for name in sets:
        lying += members(states[name]).reshape(rows, -1, number).sum(1)
    for name in ("ticket_queue", "offered"):
        tickets = states[name].reshape(rows, -1)
        row, index = np.nonzero(tickets != NO_TICKET)
        lying += np.bincount(row * number + tickets[row, index], minlength=rows * number).reshape(rows, number)
    return lying


def members(words: Any) -> Array:
    """Sets of bits as rows of 0 and 1."""
    return np.unpackbits(np.ascontiguousarray(words, "<u8").view(np.uint8), axis=-1, bitorder="little").astype(np.int64)


def _shared_limits(rules: SharedRules) -> Limits:
    """The least and the greatest value of the fields that all games have."""
    seats, tickets = int(rules.num_seats), int(rules.num_tickets)
    return dict.fromkeys(_CARDS, CARDS_LIMIT) | {
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
