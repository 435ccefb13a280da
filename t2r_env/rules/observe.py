"""What all games show a seat, and all that there is to know (C20): the segments that both kinds of game have.

Seats are counted from the observing seat in turn order; in the truth, from seat 0. What only a seat itself may see has
one row in its observation and a row for every seat in the truth. `at` is a row of `rules.segment`.
"""

import numpy as np

from t2r_env.rules import bits, ticket_choice, ticket_queue
from t2r_env.rules.compiled import inlined, lowest_bit
from t2r_env.rules.configuration import Configuration
from t2r_env.rules.layout import Part
from t2r_env.rules.records import Record
from t2r_env.rules.state import KEEP_TICKET
from t2r_env.rules.train_cards import CARD_TYPES, EMPTY, FACE_UP_SLOTS

OBSERVATION, GLOBAL_STATE = 0, 1

SHARED_SEGMENTS = (
    "phase",
    "to_move",
    "next_turn",
    "subject_ticket",
    "turns_left",
    "last_turns_left",
    "face_up",
    "discard",
    "deck_count",
    "ticket_deck_count",
    "score",
    "hand_count",
    "ticket_count",
    "known",
    "hand",
    "tickets",
    "offered",
    "kept",
    "deck",
    "ticket_deck",
)
"""The first numbers of each kind's segments."""
(
    PHASE,
    TO_MOVE,
    NEXT_TURN,
    SUBJECT_TICKET,
    TURNS_LEFT,
    LAST_TURNS_LEFT,
    FACE_UP,
    DISCARD,
    DECK_COUNT,
    TICKET_DECK_COUNT,
    SCORE,
    HAND_COUNT,
    TICKET_COUNT,
    KNOWN,
    HAND,
    TICKETS,
    OFFERED,
    KEPT,
    DECK,
    TICKET_DECK,
) = range(len(SHARED_SEGMENTS))


def lay_out_public(configuration: Configuration) -> list[Part]:
    """What all may see."""
    seats, phases = configuration.num_players, configuration.phases
    return [
        ("phase", (len(phases),), "one-hot: the decision asked (" + ", ".join(phases) + "); none after the end"),
        ("to_move", (seats,), "one-hot: the seat that is asked; none after the end"),
        ("next_turn", (seats,), "one-hot: the seat that takes the next turn, unless the game ends before (C7)"),
        (
            "subject_ticket",
            (configuration.num_tickets,),
            "one-hot: the ticket to be kept or refused, for the seat that is asked",
        ),
        ("turns_left", (1,), "turns before the turn limit ends the game (C19); 255 if there are more"),
        ("last_turns_left", (1,), "in the last round: turns not yet finished, this one included; before it 0"),
        ("face_up", (FACE_UP_SLOTS, CARD_TYPES), "one-hot for each slot: the card lying there; none if it is empty"),
        ("discard", (CARD_TYPES,), "cards in the discard, by colour"),
        ("deck_count", (1,), "cards in the deck"),
        ("ticket_deck_count", (1,), "tickets in the ticket deck"),
        ("score", (seats,), "points of each seat so far (0 if negative, 255 if more)"),
        ("hand_count", (seats,), "train cards in each hand"),
        ("ticket_count", (seats,), "tickets in each hand"),
        ("known", (seats, CARD_TYPES), "cards that all know to be in each hand, by colour"),
    ]


def lay_out_private(configuration: Configuration, vector: int) -> list[Part]:
    """What a seat may see of its own: a row for it, or in the truth for each."""
    rows, num_tickets = (1 if vector == OBSERVATION else configuration.num_players), configuration.num_tickets
    return [
        ("hand", (rows, CARD_TYPES), "cards in the hand, by colour"),
        ("tickets", (rows, num_tickets), "tickets in the hand"),
        ("offered", (rows, num_tickets), "tickets on offer, not yet answered"),
        ("kept", (rows, num_tickets), "tickets on offer, answered to be kept (C6)"),
    ]


def lay_out_hidden(configuration: Configuration) -> list[Part]:
    """What nobody may see: in the truth alone."""
    return [
        ("deck", (CARD_TYPES,), "cards in the deck, by colour"),
        (
            "ticket_deck",
            (configuration.num_tickets,),
            "each ticket's place in the ticket deck, the top being 1; 0 if it is not there",
        ),
    ]


@inlined
def write_public(state: Record, rules: Record, at: np.ndarray, viewer: int, next_turn: int, vector: np.ndarray) -> None:
    """Write what all may see; `next_turn` is the seat that takes the next turn."""
    if state.phase >= 0:
        vector[at[PHASE] + rules.phase_slot[state.phase]] = 1
        vector[at[TO_MOVE] + distance_to(rules, viewer, state.current)] = 1
        vector[at[NEXT_TURN] + distance_to(rules, viewer, next_turn)] = 1
    vector[at[TURNS_LEFT]] = _saturated(rules.turn_limit - state.turn)
    vector[at[LAST_TURNS_LEFT]] = state.last_turns_left
    for slot in range(FACE_UP_SLOTS):
        if state.face_up[slot] != EMPTY:
            vector[at[FACE_UP] + slot * CARD_TYPES + state.face_up[slot]] = 1
    write_cards(state.discard, at[DISCARD], vector)
    vector[at[DECK_COUNT]] = state.deck_count
    vector[at[TICKET_DECK_COUNT]] = state.queue_count


@inlined
def distance_to(rules: Record, viewer: int, seat: int) -> int:
    """How many seats after the viewer a seat comes in turn order."""
    return seat - viewer if seat >= viewer else seat - viewer + rules.num_seats


@inlined
def write_public_of(state: Record, rules: Record, at: np.ndarray, seat: int, distance: int, vector: np.ndarray) -> None:
    """Write what all may see of a seat that comes `distance` after the viewer."""
    vector[at[SCORE] + distance] = _saturated(state.score[rules.team[seat]])
    vector[at[HAND_COUNT] + distance] = state.hand_count[seat]
    vector[at[TICKET_COUNT] + distance] = state.ticket_count[seat]
    write_cards(state.known[seat], at[KNOWN] + distance * CARD_TYPES, vector)


@inlined
def write_private(state: Record, rules: Record, at: np.ndarray, seat: int, row: int, vector: np.ndarray) -> None:
    """Write what a seat may see of its own."""
    write_cards(state.hand[seat], at[HAND] + row * CARD_TYPES, vector)
    write_set(state.tickets[seat], at[TICKETS] + row * rules.num_tickets, vector)
    decided = ticket_choice.decided_number(state, seat)
    for place in range(state.offered_count[seat]):
        if place >= decided:
            vector[at[OFFERED] + row * rules.num_tickets + state.offered[seat, place]] = 1
        elif ticket_queue.is_kept(state, seat, place):
            vector[at[KEPT] + row * rules.num_tickets + state.offered[seat, place]] = 1


@inlined
def write_subject(state: Record, at: np.ndarray, vector: np.ndarray) -> None:
    """Write what only the asked seat may know of its decision."""
    if state.phase == KEEP_TICKET:
        vector[at[SUBJECT_TICKET] + state.offered[state.current, state.offer_index]] = 1


@inlined
def write_hidden(state: Record, at: np.ndarray, vector: np.ndarray) -> None:
    """Write what nobody may see."""
    write_cards(state.deck, at[DECK], vector)
    for place in range(state.queue_count):
        vector[at[TICKET_DECK] + ticket_queue.ticket_at(state, place)] = place + 1


@inlined
def _saturated(number: int) -> int:
    return min(max(number, 0), 255)


@inlined
def write_cards(cards: np.ndarray, start: int, vector: np.ndarray) -> None:
    """Write counts by colour."""
    for card in range(CARD_TYPES):
        vector[start + card] = cards[card]


@inlined
def write_set(words: np.ndarray, start: int, vector: np.ndarray) -> None:
    """Write a set of two words as zeros and ones."""
    for word in range(2):
        left = words[word]
        while left != bits.NONE:
            vector[start + 64 * word + lowest_bit(left)] = 1
            left = bits.without_lowest(left)
