"""Whether states of the Card Game that come from outside can be played on."""

import numpy as np

from t2r_env.rules.card_game.state import COMPLETE, NO_COLOUR, NOBODY, NUM_COLOURS, SET_CARDS, SET_LOCOMOTIVES
from t2r_env.rules.check import (
    CARDS_LIMIT,
    Limits,
    States,
    count_tickets,
    find_fault_of_subject,
    find_shared_fault,
    members,
    running,
)
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import CARD_TYPES, LOCOMOTIVE
from t2r_env.variants.variant import MAX_SEATS


def find_fault(states: States, rules: Record) -> str:
    """What is wrong with the first fault found in states for these rules; empty if nothing is."""
    sets = dict.fromkeys(("tickets", "completing", "completed_tickets"), int(rules.num_tickets))
    if fault := find_shared_fault(states, rules, _limits(rules), sets):
        return fault
    if np.any(count_tickets(states, "tickets", "completed_tickets") > 1):
        return "each ticket must lie in one place"
    asking = running(states)
    return (
        _find_fault_of_cards(states, rules)
        or _find_fault_of_yards(states)
        or find_fault_of_subject(asking, rules)
        or _find_fault_of_set(asking)
        or _find_fault_of_completions(asking, rules)
    )


def _find_fault_of_cards(states: States, rules: Record) -> str:
    """Cards never leave the game: those of all places together are those of the variant."""
    in_face_up = (states["face_up"][..., None] == np.arange(CARD_TYPES)).sum(1)
    total = in_face_up + states["deck"] + states["discard"] + states["hand"].sum(1) + states["on_track"].sum(1)
    total[:, :NUM_COLOURS] += states["yard_cards"]
    total[:, LOCOMOTIVE] += states["yard_locomotives"].sum(-1)
    return "the train cards of all places together must be those of the game" if np.any(total != rules.deck) else ""


def _find_fault_of_yards(states: States) -> str:
    is_there = states["yard_cards"] + states["yard_locomotives"] > 0
    if np.any((states["yard_owner"] != NOBODY) != is_there):
        return "yard_owner must name a seat where cards lie, and nobody elsewhere"
    return ""


def _find_fault_of_set(states: States) -> str:
    """A set must be set if the decision is about it, and only then."""
    phase, cards = states["phase"], states["set_cards"]
    if np.any((states["set_colour"] != NO_COLOUR) != ((phase == SET_CARDS) | (phase == SET_LOCOMOTIVES))):
        return "set_colour must be set if the decision is about it, and only then"
    held = states["hand"][np.arange(len(states)), states["current"], np.maximum(states["set_colour"], 0)]
    if np.any((cards > 0) != (phase == SET_LOCOMOTIVES)) or np.any((cards > 0) & (cards > held)):
        return "set_cards must be coloured cards of the hand in phase set_locomotives, and none otherwise"
    return ""


def _find_fault_of_completions(states: States, rules: Record) -> str:
    """Tickets chosen to be completed are in the hands of seats that have been asked, whose piles suffice for them."""
    chosen = states["completing"]
    is_scoring = (states["phase"] == COMPLETE)[:, None]
    has_been_asked = is_scoring & (np.arange(MAX_SEATS) <= states["current"][:, None])
    if np.any(chosen & ~states["tickets"]) or np.any(chosen[~has_been_asked]):
        return "completing must name tickets of seats that have chosen them"
    needed = members(chosen)[..., : len(rules.ticket_cards)] @ rules.ticket_cards.astype(np.int64)
    missing = np.maximum(needed - states["on_track"][..., :NUM_COLOURS], 0).sum(-1)
    if np.any(missing > states["on_track"][..., LOCOMOTIVE]):
        return "completing must name tickets for which the pile suffices"
    return ""


def _limits(rules: Record) -> Limits:
    """The least and the greatest value of the fields that only the Card Game has."""
    seats = int(rules.num_seats)
    return dict.fromkeys(("yard_cards", "yard_locomotives", "on_track", "set_cards"), CARDS_LIMIT) | {
        "yard_owner": (NOBODY, seats - 1),
        "set_colour": (NO_COLOUR, NUM_COLOURS - 1),
        "scoring_round": (1, int(rules.scorings)),
        "resuming": (0, seats - 1),
    }
