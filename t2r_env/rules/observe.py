"""The observation of a seat (C20) and the global state, as vectors of counts and one-hots: what all games have.

Both are made of named segments; a row `at` of `rules.segment` says where each begins. Seats are counted from the
observing seat in turn order; in the global state, from seat 0, and all have a row of what only they may see.
"""

import numpy as np

from t2r_env.core.bits import copy_bytes, write_bits
from t2r_env.core.compiled import inlined
from t2r_env.core.layout import Part
from t2r_env.core.records import Array
from t2r_env.rules import ticket_choice, ticket_queue
from t2r_env.rules.cards import CARD_TYPES, EMPTY, FACE_UP_SLOTS
from t2r_env.rules.configuration import Configuration
from t2r_env.rules.names import phases, segments
from t2r_env.rules.state import SharedRules, SharedState


def public_segments(configuration: Configuration) -> list[Part]:
    """Return the segments that all may see."""
    seats, names, tickets = configuration.num_players, configuration.phases, configuration.num_tickets
    return [
        (segments.PHASE, (len(names),), "one-hot: the phase (" + ", ".join(names) + "); none after the end"),
        (segments.TO_MOVE, (seats,), "one-hot: the acting seat; none after the end"),
        (segments.NEXT_TURN, (seats,), "one-hot: the seat that takes the next turn, unless the game ends before (C7)"),
        (segments.SUBJECT_TICKET, (tickets,), "one-hot, for the acting seat: the ticket to keep or refuse"),
        (segments.TURNS_LEFT, (1,), "turns left before the turn limit (C19); 255 if there are more"),
        (
            segments.LAST_TURNS_LEFT,
            (1,),
            "in the last round: turns not yet finished, the current one included; 0 before it",
        ),
        (segments.FACE_UP, (FACE_UP_SLOTS, CARD_TYPES), "one-hot for each slot: its card; none if it is empty"),
        (segments.DISCARD, (CARD_TYPES,), "cards in the discard, by colour"),
        (segments.DECK_COUNT, (1,), "cards in the deck"),
        (segments.TICKET_DECK_COUNT, (1,), "tickets in the ticket deck"),
        (segments.SCORE, (seats,), "points of each seat so far (0 if negative, 255 if more)"),
        (segments.HAND_COUNT, (seats,), "train cards in each hand"),
        (segments.TICKET_COUNT, (seats,), "tickets in each hand"),
        (segments.KNOWN, (seats, CARD_TYPES), "cards in each hand that all players know of, by colour"),
    ]


def private_segments(configuration: Configuration, seats: int) -> list[Part]:
    """Return the segments of what a seat may see of its own, with a row for each of this many seats."""
    tickets = configuration.num_tickets
    return [
        (segments.HAND, (seats, CARD_TYPES), "cards in the hand, by colour"),
        (segments.TICKETS, (seats, tickets), "tickets in the hand"),
        (segments.OFFERED, (seats, tickets), "tickets on offer, not yet decided on"),
        (segments.KEPT, (seats, tickets), "tickets on offer that the seat has decided to keep (C6)"),
    ]


def hidden_segments(configuration: Configuration) -> list[Part]:
    """Return the segments of what nobody may see: only in the global state."""
    position = "position of each ticket in the ticket deck, the top being 1; 0 if it is not there"
    return [
        (segments.DECK, (CARD_TYPES,), "cards in the deck, by colour"),
        (segments.TICKET_DECK, (configuration.num_tickets,), position),
    ]


@inlined
def write_public(state: SharedState, rules: SharedRules, at: Array, viewer: int, next_turn: int, vector: Array) -> None:
    """Write what all may see; `next_turn` is the seat that takes the next turn."""
    if state.phase >= 0:
        write_number(1, at[segments.PHASE] + rules.phase_slot[state.phase], vector)
        write_number(1, at[segments.TO_MOVE] + distance_to(rules, viewer, state.current), vector)
        write_number(1, at[segments.NEXT_TURN] + distance_to(rules, viewer, next_turn), vector)
    write_number(min(rules.turn_limit - state.turn, 255), at[segments.TURNS_LEFT], vector)
    write_number(state.last_turns_left, at[segments.LAST_TURNS_LEFT], vector)
    for slot in range(FACE_UP_SLOTS):
        if state.face_up[slot] != EMPTY:
            write_number(1, at[segments.FACE_UP] + slot * CARD_TYPES + state.face_up[slot], vector)
    copy_bytes(state.discard, CARD_TYPES, at[segments.DISCARD], vector)
    write_number(state.deck_count, at[segments.DECK_COUNT], vector)
    write_number(state.queue_count, at[segments.TICKET_DECK_COUNT], vector)
    for seat in range(rules.num_seats):
        distance = distance_to(rules, viewer, seat)
        score = state.score[rules.team[seat]]
        write_number(min(max(score, 0), 255), at[segments.SCORE] + distance, vector)
        write_number(state.hand_count[seat], at[segments.HAND_COUNT] + distance, vector)
        write_number(state.ticket_count[seat], at[segments.TICKET_COUNT] + distance, vector)
        copy_bytes(state.known[seat], CARD_TYPES, at[segments.KNOWN] + distance * CARD_TYPES, vector)


@inlined
def write_private(state: SharedState, rules: SharedRules, at: Array, seat: int, row: int, vector: Array) -> None:
    """Write what a seat may see of its own, into a row of its segments."""
    copy_bytes(state.hand[seat], CARD_TYPES, at[segments.HAND] + row * CARD_TYPES, vector)
    write_set(state.tickets[seat], rules.num_tickets, at[segments.TICKETS] + row * rules.num_tickets, vector)
    if state.phase == phases.KEEP_TICKET:
        if seat == state.current:
            write_number(1, at[segments.SUBJECT_TICKET] + state.offered[seat, state.offer_index], vector)
        decided = ticket_choice.decided_number(state, seat)
        for index in range(state.offered_count[seat]):
            place = row * rules.num_tickets + state.offered[seat, index]
            if index >= decided:
                write_number(1, at[segments.OFFERED] + place, vector)
            elif ticket_queue.is_kept(state, seat, index):
                write_number(1, at[segments.KEPT] + place, vector)


@inlined
def write_hidden(state: SharedState, at: Array, vector: Array) -> None:
    """Write what nobody may see."""
    copy_bytes(state.deck, CARD_TYPES, at[segments.DECK], vector)
    for position in range(state.queue_count):
        write_number(position + 1, at[segments.TICKET_DECK] + ticket_queue.ticket_at(state, position), vector)


@inlined
def distance_to(rules: SharedRules, viewer: int, seat: int) -> int:
    """Return how many seats after the viewer a seat comes in turn order."""
    return seat - viewer if seat >= viewer else seat - viewer + rules.num_seats


@inlined
def write_number(number: int, place: int, vector: Array) -> None:
    """Write a number. The place is unsigned, so that no time is lost on places counted from the end."""
    vector[np.uint64(place)] = number


@inlined
def write_set(words: Array, size: int, start: int, vector: Array) -> None:
    """Write a set of two words, of `size` things in all, as zeros and ones."""
    if size > 64:
        write_bits(words[0], 64, start, vector)
        write_bits(words[1], size - 64, start + 64, vector)
    else:
        write_bits(words[0], size, start, vector)
