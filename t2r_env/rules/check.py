"""Whether states that come from outside are positions of a game.

The core trusts its records: what is wrong with them must be found before it sees them. Each thing must lie in one
place, what follows from the rest must follow from it, and what belongs to a decision must be there for it. Here is what
all games have; rule modules check theirs.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from t2r_env.core import batch
from t2r_env.core.compiled import compiled
from t2r_env.core.game import ENDED, OUTCOMES, PHASES, TURN_OVER, Scratch, list_legal, outcomes
from t2r_env.core.records import Array, fields_of
from t2r_env.rules import hooks
from t2r_env.rules.cards import CARD_TYPES, EMPTY, LOCOMOTIVE
from t2r_env.rules.drawing import drawing_phases
from t2r_env.rules.module import Limits, States
from t2r_env.rules.names import phases
from t2r_env.rules.state import FROM_DECK, TICKET_WORDS, SharedRules
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.turns import between_turns, starting_phases
from t2r_env.sizes import MAX_OFFER, MAX_SEATS, MAX_TICKETS, MAX_TRAIN_CARDS
from t2r_env.variants.variant import LEAVE, REFUSED

if TYPE_CHECKING:
    from t2r_env.rules.configuration import Configuration

CARDS_LIMIT = (0, MAX_TRAIN_CARDS)
_CARDS = ("deck", "discard", "hand", "known", "deck_count", "discard_count", "hand_count")
_MAX_DECISIONS = 2**30
_STARTING = {
    *("rng", "phase", "current", "decisions", "last_turns_left", "reshuffled", "face_up", *_CARDS),
    *("tickets", "ticket_count", "ticket_queue", "queue_head", "queue_count"),
    *("offered", "offered_count", "kept", "offer_index"),
}
"""Fields that are written before the first turn."""

ALL_FIT = -1


def find_fault(states: States, configuration: "Configuration", scratch: Scratch) -> str:
    """What is wrong with the first fault found in states from outside; empty if they are positions of the game."""
    if fault := _first(_faults_of_fields(states, configuration)):
        return fault
    is_forfeited = states["outcome"] == outcomes.FORFEITED
    forfeited = (states[row : row + 1] for row in np.flatnonzero(is_forfeited))
    if not all(_may_be_forfeited(state, configuration, scratch) for state in forfeited):
        return "a forfeited game must have been at a decision of the game"
    others = np.ascontiguousarray(states[~is_forfeited])
    return _first(_faults(others, configuration, scratch)) if others.size else ""


def _first(faults: Iterable[str]) -> str:
    return next(filter(None, faults), "")


def _may_be_forfeited(state: States, configuration: "Configuration", scratch: Scratch) -> bool:
    """Whether an ended game, of which only the phase is lost, may have been at some decision. One row."""
    for name in configuration.phases:
        running = state.copy()
        running["outcome"], running["phase"] = outcomes.RUNNING, PHASES.index(name)
        if not _first(_faults(running, configuration, scratch)):
            return True
    return False


def _faults_of_fields(states: States, configuration: "Configuration") -> Iterator[str]:
    """Field by field: numbers out of their limits, and what nobody in the game has."""
    rules, opening = configuration.rules[0], configuration.opening[0]
    limits, sets = _shared_limits(rules), {"tickets": int(rules.num_tickets)}
    for module in configuration.ruleset.modules:
        limits |= module.limits(rules)
        sets |= module.sets(rules)
    yield _find_fault_of_limits(states, limits)
    yield _find_fault_of_sets(states, sets)
    yield _find_fault_of_unused(states, opening, configuration)
    is_running = states["outcome"] == outcomes.RUNNING
    if np.any((states["phase"] == ENDED) == is_running) or np.any(states["phase"] == TURN_OVER):
        yield "phase must be that of a decision, or the game must have ended"
    if np.any(rules.phase_slot[states["phase"][is_running]] < 0):
        yield "phase must be one that this game has"


def _faults(states: States, configuration: "Configuration", scratch: Scratch) -> Iterator[str]:
    """Faults of states whose fields are within their limits; of running games, or of games ended by the rules."""
    rules, opening, modules = configuration.rules[0], configuration.opening[0], configuration.ruleset.modules
    yield _find_shared_fault(states)
    yield _find_fault_of_cards(states, rules, [part for module in modules for part in module.cards(states)])
    yield _find_fault_of_tickets(states, rules, ["tickets", *(name for module in modules for name in module.tickets)])
    yield _find_fault_of_turn(states, rules)
    changing = {name for module in modules for name in module.starting} | _STARTING
    yield _find_fault_of_start(states, rules, opening, changing)
    for module in modules:
        yield module.find_fault(states, rules)
    yield _find_fault_of_derived(states, configuration, scratch.scoring)
    running = np.ascontiguousarray(states[states["outcome"] == outcomes.RUNNING])
    yield _find_fault_of_decision(running, rules)
    for module in modules:
        yield module.find_fault_of_decision(running, rules)
    if _first_that_is_impossible(running, configuration.rules, scratch.deciding) != ALL_FIT:
        # with no action the core would wait for ever, or determinize to hands that can't be
        yield "the acting seat must have a legal action (as cards to draw or to pay with), and a choice but in a turn"


@compiled
def _first_that_is_impossible(states: Array, rules: Array, scratch: Array) -> int:
    """The first of some decisions that the rules never lead to, or `ALL_FIT`.

    A decision with one legal action is taken at once, but for the one that opens a turn.
    """
    for row in range(states.shape[0]):
        least = 1 if states[row].phase == phases.TURN else 2
        count = list_legal(states[row], rules[0], scratch[0])
        if count < least or hooks.is_impossible(states[row], rules[0], scratch[0]):
            return row
    return ALL_FIT


# Fields


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


def _find_fault_of_unused(states: States, opening: Any, configuration: "Configuration") -> str:
    """Fields of modules that the game does not use, and rows of seats that are empty.

    A field with as many rows as there may be seats has a row for each seat or team.
    """
    for module in configuration.ruleset.modules:
        if module.state and module not in configuration.modules:
            for name in set(fields_of(module.state)) - set(fields_of(module.state.__mro__[1])):
                if np.any(states[name] != opening[name]):
                    return f"{name} must be as at first in a game that has no use for it"
    seats = configuration.num_players
    for name in states.dtype.names or ():
        if states[name].shape[1:2] == (MAX_SEATS,) and np.any(states[name][:, seats:] != opening[name][seats:]):
            return f"{name} must be as at first for seats that are empty"
    return ""


def _shared_limits(rules: SharedRules) -> Limits:
    """The least and the greatest value of the fields that all games have."""
    seats, tickets = int(rules.num_seats), int(rules.num_tickets)
    return dict.fromkeys(_CARDS, CARDS_LIMIT) | {
        "face_up": (EMPTY, CARD_TYPES - 1),
        "reshuffled": (0, 1),
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
        "phase": (ENDED, len(rules.phase_slot) - 1),
        "current": (0, seats - 1),
        "decisions": (0, _MAX_DECISIONS),
        "turn": (0, int(rules.turn_limit)),
        "last_turns_left": (0, seats),
        "outcome": (0, len(OUTCOMES) - 1),
    }


# Each thing lies in one place


def _find_shared_fault(states: States) -> str:
    counts = {
        "deck_count": states["deck"].sum(-1),
        "discard_count": states["discard"].sum(-1),
        "hand_count": states["hand"].sum(-1),
        "queue_count": (states["ticket_queue"] != NO_TICKET).sum(-1),
        "offered_count": (states["offered"] != NO_TICKET).sum(-1),
        "ticket_count": numbers_of(states["tickets"]),
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
    return ""


def find_fault_of_count(states: States, name: str, counted: Any) -> str:
    """Whether a field is the number of what it counts."""
    return f"{name} must be the number of what it counts" if np.any(states[name] != counted) else ""


def single_cards(cards: Array) -> Array:
    """Places of one card each, or of none (`EMPTY`), as numbers of cards by type: (..., types)."""
    return cards[..., None] == np.arange(CARD_TYPES)


def _find_fault_of_cards(states: States, rules: SharedRules, elsewhere: Iterable[Array]) -> str:
    """Train cards never leave the game; a slot is empty, and the deck, only if nothing is left to fill it (C2, C3)."""
    total = np.zeros((len(states), CARD_TYPES), np.int64)
    for cards in (states["deck"], states["discard"], states["hand"], single_cards(states["face_up"]), *elsewhere):
        total += cards.reshape(len(states), -1, CARD_TYPES).sum(1, dtype=np.int64)
    if np.any(total != rules.deck):
        return "the train cards of all places together must be those of the game"
    is_refilled = np.arange(states["face_up"].shape[1]) != states["drawn_slot"][:, None]
    is_running = (states["outcome"] == outcomes.RUNNING)[:, None]
    is_empty = np.any((states["face_up"] == EMPTY) & (is_refilled | ~is_running), axis=1)
    left = states["deck_count"] + np.where(rules.reshuffles, states["discard_count"], 0)
    if np.any((is_empty | (states["deck_count"] == 0)) & (left > 0)):
        return "the deck and the slots of face-up cards must be filled while there are cards"
    return ""


def _find_fault_of_tickets(states: States, rules: SharedRules, names: list[str]) -> str:
    """Each ticket lies in one place, or has left the game as the rules have it (C5, LA2)."""
    lying = count_tickets(states, *names)
    if np.any(lying > 1):
        return "each ticket must lie in one place"
    if fault := _find_fault_of_long_tickets(states, rules, lying.shape[1]):
        return fault
    seats, offer, keep = int(rules.num_seats), int(rules.starting_offer), int(rules.starting_keep)
    chooses = (states["turn"] == 0) & (states["phase"] == phases.KEEP_TICKET)
    may_leave = rules.starting_refused == REFUSED.index(LEAVE)
    number = np.arange(lying.shape[1])
    missing = (lying == 0) & (number < rules.num_tickets)
    regular = missing[:, : rules.num_regular].sum(1)
    never_offered = int(rules.num_tickets - rules.num_regular) - seats * int(rules.long_offer)
    refused = missing.sum(1) - never_offered
    most = np.where(chooses | (not may_leave), 0, seats * max(0, int(rules.long_offer) + offer - keep))
    if np.any((refused < 0) | (refused > most) | (regular > most)):
        return "no tickets may be missing but those that were refused at the start and left the game"
    held = np.zeros((len(states), MAX_SEATS), np.int64)
    for name in names:
        of_each = numbers_of(states[name])
        team = rules.team if of_each.shape[1] == MAX_SEATS else np.arange(of_each.shape[1])
        held += of_each @ (team[:, None] == np.arange(MAX_SEATS))
    least = keep * np.bincount(rules.team[:seats], minlength=MAX_SEATS)
    if np.any(held[states["turn"] > 0] < least):
        return "each seat must hold as many tickets as it must keep at the start"
    return ""


def _find_fault_of_long_tickets(states: States, rules: SharedRules, number: int) -> str:
    """A long ticket where none can lie is in no deal that a player could expect (LA2)."""
    if rules.num_tickets == rules.num_regular:
        return ""
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


def count_tickets(states: States, *sets: str) -> Array:
    """How often each ticket lies in the ticket deck, on offer, or in one of some sets: (states, tickets)."""
    rows, number = len(states), 64 * TICKET_WORDS
    lying = np.zeros((rows, number), np.int64)
    for name in sets:
        lying += members(states[name]).reshape(rows, -1, number).sum(1, dtype=np.int64)
    for name in ("ticket_queue", "offered"):
        tickets = states[name].reshape(rows, -1)
        row, index = np.nonzero(tickets != NO_TICKET)
        lying += np.bincount(row * number + tickets[row, index], minlength=rows * number).reshape(rows, number)
    return lying


def members(words: Any) -> Array:
    """Sets of bits as rows of 0 and 1, uint8."""
    return np.unpackbits(np.ascontiguousarray(words, "<u8").view(np.uint8), axis=-1, bitorder="little")


def numbers_of(words: Any) -> Array:
    """How many each of some sets of several words holds."""
    return np.bitwise_count(words).sum(-1, dtype=np.int64)


def of_current(states: States, name: str) -> Array:
    """What the acting seat has of a field with a row for each seat."""
    own: Array = states[name][np.arange(len(states)), states["current"]]
    return own


# What follows from the rest


def _find_fault_of_derived(states: States, configuration: "Configuration", scoring: Array) -> str:
    """Points, ranks and what else follows from the rest, by the core's own functions."""
    derived = np.zeros_like(states)
    batch.derive_rows(states, configuration.rules, configuration.opening, scoring, derived)
    names = [name for module in configuration.ruleset.modules for name in module.derived]
    for name in (*names, "breakdown", "score", "completed", "failed", "rank"):
        if np.any(states[name] != derived[name]):
            return f"{name} must be what follows from the rest of the game"
    return ""


# Where the game stands


def took_the_last_turn(states: States, rules: SharedRules) -> Array:
    """Whether the acting seat is the one whose turn this is, since seats take turns in their order (C7)."""
    last: Array = states["current"] == (states["turn"] - 1) % rules.num_seats
    return last


def _find_fault_of_turn(states: States, rules: SharedRules) -> str:
    """The turn limit ends a game, and the last card drawn is that of this turn (C8, C19)."""
    is_running = states["outcome"] == outcomes.RUNNING
    if np.any((states["outcome"] == outcomes.TRUNCATED) & (states["turn"] != rules.turn_limit)):
        return f"turn must be the turn limit, {rules.turn_limit}, in a truncated game"
    if np.any(~is_running & (states["turn"] == 0)):
        return "a game must not have ended before its first turn"
    is_choosing = states["offered_count"].any(1) | states["kept"].any(1) | (states["offer_index"] > 0)
    if np.any(~is_running & is_choosing):
        return "no tickets must be on offer in an ended game"
    lay_face_up = (states["drawn_slot"] != EMPTY) & (states["drawn_slot"] != FROM_DECK)
    if np.any((states["drawn"] != EMPTY) != lay_face_up):
        return "drawn must be a card if it was drawn from a slot, and only then"
    return ""


def _find_fault_of_start(states: States, rules: SharedRules, opening: Any, changing: set[str]) -> str:
    """Until the starting tickets are chosen nothing has been played, and all hands are as they were dealt (C5)."""
    starting = states[states["turn"] == 0]
    if not np.all(np.isin(starting["phase"], list(starting_phases))):
        return "phase must be that of the starting choice before the first turn"
    for name in states.dtype.names or ():
        if name not in changing and np.any(starting[name] != opening[name]):
            return f"{name} must be as at first before the first turn"
    is_seat = np.arange(MAX_SEATS) < rules.num_seats
    known = (is_seat * rules.starting_locomotives)[:, None] * (np.arange(CARD_TYPES) == LOCOMOTIVE)
    dealt = is_seat * (rules.starting_hand + rules.starting_locomotives)
    if np.any(starting["hand_count"] != dealt) or np.any(starting["known"] != known):
        return "hands must be as they were dealt before the first turn"
    return ""


def _find_fault_of_decision(states: States, rules: SharedRules) -> str:
    """What only the decisions of all games need must be there for them; the states are those of running games."""
    if fault := _find_fault_of_choice(states, rules):
        return fault
    draws = np.isin(states["phase"], list(drawing_phases))
    may_be_left = np.isin(states["phase"], list(between_turns))
    is_wrong = ((states["drawn_slot"] != EMPTY) != draws) & ~may_be_left
    if np.any(is_wrong | (draws & (states["drawn"] == LOCOMOTIVE))):
        return "drawn_slot must be set if another card may be drawn, and only then"
    return ""


def _find_fault_of_choice(states: States, rules: SharedRules) -> str:
    """Tickets on offer, and what has been decided on them (C5, C6, C12)."""
    seats, current = np.arange(MAX_SEATS), states["current"][:, None]
    chooses = (states["phase"] == phases.KEEP_TICKET)[:, None]
    is_start = (states["turn"] == 0)[:, None]
    if np.any((states["offered_count"] > 0) & ~(chooses & (is_start | (seats == current)))):
        return "tickets must be on offer to the acting seat, or at the start"
    on_offer = of_current(states, "offered_count")
    if np.any((states["phase"] == phases.KEEP_TICKET) & (states["offer_index"] >= on_offer)):
        return "the ticket to decide on must be on offer"
    decided = np.where(
        seats == current, states["offer_index"][:, None], np.where(seats < current, states["offered_count"], 0)
    )
    decided = np.where(chooses, decided, 0)
    is_elsewhere = states["phase"] != phases.KEEP_TICKET
    if np.any((states["offer_index"] > 0) & is_elsewhere) or np.any(states["kept"] >> decided):
        return "offer_index and kept must be about tickets on offer that have been decided"
    offered = np.where(is_start, rules.long_offer + rules.starting_offer, rules.later_offer)
    is_asked = chooses & (seats < rules.num_seats) & (is_start | (seats == current))
    # fewer are on offer only if fewer were left (C12)
    is_short = (states["offered_count"] < offered) & ((states["queue_count"][:, None] > 0) | is_start)
    if np.any(is_asked & (is_short | (states["offered_count"] > offered))):
        return "as many tickets must be on offer as the rules say"
    kept = np.bitwise_count(states["kept"].astype(np.uint8))
    must_keep = np.minimum(np.where(is_start, rules.starting_keep, rules.later_keep), states["offered_count"])
    if np.any(kept + states["offered_count"] - decided < must_keep):
        return "kept must name as many tickets as must be kept, or leave enough to be kept"
    return ""


def check_conditions(states: States, conditions: Mapping[str, tuple[Any, Any, Any]]) -> str:
    """Whether fields are set just where decisions are about them: for each whether it is set, may be and must be."""
    for name, (is_set, may_be, must_be) in conditions.items():
        if np.any((is_set & ~(may_be | must_be)) | (~is_set & must_be)):
            return f"{name} must be set if the decision is about it, and only then"
    return ""


def find_fault_of_drawn_card(states: States, known: Array, number: Array, count: Array) -> str:
    """Whether a first card that is drawn lies where it went: all know of it if it lay face up, else nobody (C8, C20).

    Of the place: the cards known there (states, types), their number, and that of all its cards.
    """
    drawn = states["drawn"]
    is_known = known[np.arange(len(states)), np.maximum(drawn, 0)] > 0
    if np.any((drawn != EMPTY) & ~is_known) or np.any((drawn == EMPTY) & (number >= count)):
        return "drawn must be a card that has come to the acting seat"
    return ""
