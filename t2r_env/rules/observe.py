"""What a seat sees, as a vector of counts and one-hots (C20), and the global state as another.

Both are made of named segments; `rules.segment` says where each begins. Here are those that all games have; rule
modules add theirs. Seats are counted from the observing seat in turn order; in the global state, from seat 0. What
only a seat itself may see has one row in its observation and a row for every seat in the global state. `at` is a row of
`rules.segment`.
"""

from collections.abc import Sequence

import numpy as np

from t2r_env.core.compiled import compiled, copy_bytes, inlined, write_bits
from t2r_env.core.layout import Part, Segments
from t2r_env.core.records import Array
from t2r_env.rules import hooks, ticket_choice, ticket_queue
from t2r_env.rules.cards import CARD_TYPES, EMPTY, FACE_UP_SLOTS
from t2r_env.rules.configuration import Configuration
from t2r_env.rules.module import RuleModule
from t2r_env.rules.names import SEGMENTS, phases, segments
from t2r_env.rules.state import GLOBAL_STATE, OBSERVATION, SharedRules, SharedState
from t2r_env.rules.turns import seat_of_next_turn


def lay_out(configuration: Configuration, modules: Sequence[RuleModule], vector: int) -> Segments:
    """The segments of the observation or the global state, for a configuration and the rule modules that it uses."""
    is_global = vector == GLOBAL_STATE
    seats = configuration.num_players if is_global else 1
    teams = configuration.num_teams if is_global else 1
    return Segments(
        SEGMENTS,
        [
            *_lay_out_public(configuration),
            *(part for module in modules for part in module.public_segments(configuration)),
            *_lay_out_private(configuration, seats),
            *(part for module in modules for part in module.private_segments(configuration, seats, teams)),
            *(_lay_out_hidden(configuration) if is_global else ()),
        ],
    )


def _lay_out_public(configuration: Configuration) -> list[Part]:
    """What all may see."""
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


def _lay_out_private(configuration: Configuration, seats: int) -> list[Part]:
    """What a seat may see of its own."""
    tickets = configuration.num_tickets
    return [
        (segments.HAND, (seats, CARD_TYPES), "cards in the hand, by colour"),
        (segments.TICKETS, (seats, tickets), "tickets in the hand"),
        (segments.OFFERED, (seats, tickets), "tickets on offer, not yet decided on"),
        (segments.KEPT, (seats, tickets), "tickets on offer that the seat has decided to keep (C6)"),
    ]


def _lay_out_hidden(configuration: Configuration) -> list[Part]:
    """What nobody may see: only in the global state."""
    position = "position of each ticket in the ticket deck, the top being 1; 0 if it is not there"
    return [
        (segments.DECK, (CARD_TYPES,), "cards in the deck, by colour"),
        (segments.TICKET_DECK, (configuration.num_tickets,), position),
    ]


@compiled
def observe(state: SharedState, rules: SharedRules, seat: int, vector: Array) -> None:
    """Write what a seat sees into a vector of uint8."""
    vector[:] = 0
    at = rules.segment[OBSERVATION]
    _write_public(state, rules, at, seat, vector)
    _write_private(state, rules, at, seat, 0, vector)
    hooks.write_team(state, rules, at, rules.team[seat], 0, vector)
    if state.current == seat:
        _write_subject(state, rules, at, vector)
    hooks.write_drawn(state, rules, at, state.current == seat, vector)


@compiled
def write_global_state(state: SharedState, rules: SharedRules, vector: Array) -> None:
    """Write all that there is to know into a vector of uint8."""
    vector[:] = 0
    at = rules.segment[GLOBAL_STATE]
    _write_public(state, rules, at, 0, vector)
    for seat in range(rules.num_seats):
        _write_private(state, rules, at, seat, seat, vector)
    for team in range(rules.num_teams):
        hooks.write_team(state, rules, at, team, team, vector)
    _write_subject(state, rules, at, vector)
    hooks.write_drawn(state, rules, at, True, vector)
    _write_hidden(state, at, vector)


@inlined
def _write_public(state: SharedState, rules: SharedRules, at: Array, viewer: int, vector: Array) -> None:
    """Write what all may see."""
    if state.phase >= 0:
        next_turn = seat_of_next_turn(state, rules)
        write_number(1, at[segments.PHASE] + rules.phase_slot[state.phase], vector)
        write_number(1, at[segments.TO_MOVE] + distance_to(rules, viewer, state.current), vector)
        write_number(1, at[segments.NEXT_TURN] + distance_to(rules, viewer, next_turn), vector)
    write_number(_saturated(rules.turn_limit - state.turn), at[segments.TURNS_LEFT], vector)
    write_number(state.last_turns_left, at[segments.LAST_TURNS_LEFT], vector)
    for slot in range(FACE_UP_SLOTS):
        if state.face_up[slot] != EMPTY:
            write_number(1, at[segments.FACE_UP] + slot * CARD_TYPES + state.face_up[slot], vector)
    write_cards(state.discard, at[segments.DISCARD], vector)
    write_number(state.deck_count, at[segments.DECK_COUNT], vector)
    write_number(state.queue_count, at[segments.TICKET_DECK_COUNT], vector)
    seat = viewer
    for distance in range(rules.num_seats):
        write_number(_saturated(state.score[rules.team[seat]]), at[segments.SCORE] + distance, vector)
        write_number(state.hand_count[seat], at[segments.HAND_COUNT] + distance, vector)
        write_number(state.ticket_count[seat], at[segments.TICKET_COUNT] + distance, vector)
        write_cards(state.known[seat], at[segments.KNOWN] + distance * CARD_TYPES, vector)
        seat = seat_after(rules, seat)
    hooks.write_public(state, rules, at, viewer, vector)


@inlined
def _write_private(state: SharedState, rules: SharedRules, at: Array, seat: int, row: int, vector: Array) -> None:
    """Write what a seat may see of its own."""
    write_cards(state.hand[seat], at[segments.HAND] + row * CARD_TYPES, vector)
    write_set(state.tickets[seat], rules.num_tickets, at[segments.TICKETS] + row * rules.num_tickets, vector)
    decided = ticket_choice.decided_number(state, seat)
    for index in range(state.offered_count[seat]):
        if index >= decided:
            write_number(1, at[segments.OFFERED] + row * rules.num_tickets + state.offered[seat, index], vector)
        elif ticket_queue.is_kept(state, seat, index):
            write_number(1, at[segments.KEPT] + row * rules.num_tickets + state.offered[seat, index], vector)
    hooks.write_private(state, rules, at, seat, row, vector)


@inlined
def _write_subject(state: SharedState, rules: SharedRules, at: Array, vector: Array) -> None:
    """Write what only the acting seat may know of its decision."""
    if state.phase == phases.KEEP_TICKET:
        write_number(1, at[segments.SUBJECT_TICKET] + state.offered[state.current, state.offer_index], vector)
    hooks.write_subject(state, rules, at, vector)


@inlined
def _write_hidden(state: SharedState, at: Array, vector: Array) -> None:
    """Write what nobody may see."""
    write_cards(state.deck, at[segments.DECK], vector)
    for position in range(state.queue_count):
        write_number(position + 1, at[segments.TICKET_DECK] + ticket_queue.ticket_at(state, position), vector)


@inlined
def distance_to(rules: SharedRules, viewer: int, seat: int) -> int:
    """How many seats after the viewer a seat comes in turn order."""
    return seat - viewer if seat >= viewer else seat - viewer + rules.num_seats


@inlined
def seat_after(rules: SharedRules, seat: int) -> int:
    """The seat that follows in turn order."""
    return seat + 1 if seat + 1 < rules.num_seats else 0


@inlined
def _saturated(number: int) -> int:
    return min(max(number, 0), 255)


@inlined
def write_number(number: int, place: int, vector: Array) -> None:
    """Write a number. Its place is not counted from the end if it is negative: to look for that would take time."""
    vector[np.uint64(place)] = number


@inlined
def write_cards(cards: Array, start: int, vector: Array) -> None:
    """Write counts by colour."""
    copy_bytes(cards, CARD_TYPES, start, vector)


@inlined
def write_set(words: Array, size: int, start: int, vector: Array) -> None:
    """Write a set of two words, of `size` things in all, as zeros and ones."""
    if size > 64:
        write_bits(words[0], 64, start, vector)
        write_bits(words[1], size - 64, start + 64, vector)
    else:
        write_bits(words[0], size, start, vector)
