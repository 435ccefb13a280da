"""Rail yards and on-track piles (CG3, CG4, CG7)."""

from typing import Any, NamedTuple

import numpy as np

from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.layout import Part
from t2r_env.core.records import Array, int8
from t2r_env.rules import hooks, train_cards
from t2r_env.rules.card_game.configuration import CardConfiguration
from t2r_env.rules.cards import CARD_TYPES, CARDS, LOCOMOTIVE
from t2r_env.rules.check import CARDS_LIMIT
from t2r_env.rules.information import see
from t2r_env.rules.module import Limits, RuleModule, States
from t2r_env.rules.names import SEGMENTS
from t2r_env.rules.observe import distance_to, seat_after, write_cards, write_number
from t2r_env.rules.snapshot import Snapshot
from t2r_env.rules.state import SharedRules, SharedState
from t2r_env.sizes import MAX_SEATS
from t2r_env.variants.variant import COLOURS

NOBODY = -1
NUM_COLOURS = len(COLOURS)

_NEVER = 1_000
"""More cards than anybody has."""


class _Segments(NamedTuple):
    YARD: int
    YARD_LOCOMOTIVES: int
    ON_TRACK: int


segments = SEGMENTS.add(_Segments)


class YardState(SharedState):
    """Rail yards (CG3): a row of each colour lies in at most one of them (CG7)."""

    yard_owner: Array = int8(NUM_COLOURS)  # the seat in whose rail yard it lies, or NOBODY
    yard_cards: Array = int8(NUM_COLOURS)  # its coloured cards
    yard_locomotives: Array = int8(NUM_COLOURS)
    on_track: Array = int8(MAX_SEATS, CARD_TYPES)  # the pile of each seat, which all have seen grow (CG4, C20)


@inlined
def least_set(state: YardState, seat: int, colour: int) -> int:
    """How many cards a set must have for the seat to play it: two, or more than an opponent's row has (CG7)."""
    owner = state.yard_owner[colour]
    if owner == NOBODY:
        return 2
    if owner == seat:
        return _NEVER
    return state.yard_cards[colour] + state.yard_locomotives[colour] + 1


@inlined
def lay_row(state: YardState, seat: int, colour: int, cards: int, locomotives: int) -> None:
    """Lay a row from the hand; an opponent's row of the colour is discarded: train robbing (CG7)."""
    train_cards.discard(state, colour, state.yard_cards[colour])
    train_cards.discard(state, LOCOMOTIVE, state.yard_locomotives[colour])
    train_cards.take_away(state, seat, colour, cards)
    train_cards.take_away(state, seat, LOCOMOTIVE, locomotives)
    state.yard_owner[colour] = seat
    state.yard_cards[colour] = cards
    state.yard_locomotives[colour] = locomotives


@inlined
def _begin_turn(state: YardState, rules: SharedRules, seat: int) -> None:
    """Phase 1 of a turn: one card of each of the seat's rows goes on its pile, the coloured ones first (CG4)."""
    for colour in range(NUM_COLOURS):
        if state.yard_owner[colour] == seat:
            if state.yard_cards[colour] > 0:
                state.yard_cards[colour] -= 1
                state.on_track[seat, colour] += 1
            else:
                state.yard_locomotives[colour] -= 1
                state.on_track[seat, LOCOMOTIVE] += 1
            _free_if_empty(state, colour)


@inlined
def _free_if_empty(state: YardState, colour: int) -> None:
    """A row that has run out leaves its colour to all."""
    if state.yard_cards[colour] + state.yard_locomotives[colour] == 0:
        state.yard_owner[colour] = NOBODY


@compiled
def discard_all(state: YardState, rules: SharedRules) -> None:
    """Discard all rows and piles (CG12)."""
    for colour in range(NUM_COLOURS):
        train_cards.discard(state, colour, state.yard_cards[colour])
        train_cards.discard(state, LOCOMOTIVE, state.yard_locomotives[colour])
        state.yard_owner[colour] = NOBODY
        state.yard_cards[colour] = 0
        state.yard_locomotives[colour] = 0
    for seat in range(rules.num_seats):
        for card in range(CARD_TYPES):
            train_cards.discard(state, card, state.on_track[seat, card])
            state.on_track[seat, card] = 0


@inlined
def _write_public(state: YardState, rules: SharedRules, at: Array, viewer: int, vector: Array) -> None:
    for colour in range(NUM_COLOURS):
        if state.yard_owner[colour] != NOBODY:
            offset = distance_to(rules, viewer, state.yard_owner[colour]) * NUM_COLOURS + colour
            write_number(state.yard_cards[colour], at[segments.YARD] + offset, vector)
            write_number(state.yard_locomotives[colour], at[segments.YARD_LOCOMOTIVES] + offset, vector)
    seat = viewer
    for distance in range(rules.num_seats):
        write_cards(state.on_track[seat], at[segments.ON_TRACK] + distance * CARD_TYPES, vector)
        seat = seat_after(rules, seat)


@compiled
def _see_cards(state: YardState, rules: SharedRules) -> None:
    for colour in range(NUM_COLOURS):
        see(state, colour, state.yard_cards[colour])
        see(state, LOCOMOTIVE, state.yard_locomotives[colour])
    for seat in range(rules.num_seats):
        for card in range(CARD_TYPES):
            see(state, card, state.on_track[seat, card])


# What is declared


def _public_segments(configuration: CardConfiguration) -> list[Part]:
    seats = configuration.num_players
    return [
        (segments.YARD, (seats, NUM_COLOURS), "coloured cards in each row of each rail yard"),
        (segments.YARD_LOCOMOTIVES, (seats, NUM_COLOURS), "locomotives in each row of each rail yard"),
        (segments.ON_TRACK, (seats, CARD_TYPES), "cards on each on-track pile, by colour"),
    ]


def _write_opening(state: Any, rules: Any) -> None:
    state.yard_owner[:] = NOBODY


def _limits(rules: Any) -> Limits:
    cards = dict.fromkeys(("yard_cards", "yard_locomotives", "on_track"), CARDS_LIMIT)
    return cards | {"yard_owner": (NOBODY, int(rules.num_seats) - 1)}


def _find_fault(states: States, rules: Any) -> str:
    is_there = (states["yard_cards"] > 0) | (states["yard_locomotives"] > 0)
    if np.any((states["yard_owner"] != NOBODY) != is_there):
        return "yard_owner must name a seat where cards lie, and nobody elsewhere"
    return ""


def _cards(states: States) -> list[Array]:
    in_yards = np.zeros((len(states), CARD_TYPES), np.int64)
    in_yards[:, :NUM_COLOURS] = states["yard_cards"]
    in_yards[:, LOCOMOTIVE] += states["yard_locomotives"].sum(-1, dtype=np.int64)
    return [in_yards, states["on_track"]]


def _possessions(snapshot: Snapshot, seat: int) -> dict[str, Any]:
    state = snapshot.state
    yard = {
        CARDS[colour]: {"cards": int(state.yard_cards[colour]), "locomotives": int(state.yard_locomotives[colour])}
        for colour in range(NUM_COLOURS)
        if state.yard_owner[colour] == seat
    }
    return {"yard": yard, "on_track": snapshot.count(state.on_track[seat])}


YARDS = RuleModule(
    hooks={
        hooks.begin_turn: _begin_turn,
        hooks.write_public: _write_public,
        hooks.see_cards: _see_cards,
    },
    public_segments=_public_segments,
    write_opening=_write_opening,
    cards=_cards,
    limits=_limits,
    find_fault=_find_fault,
    possessions=_possessions,
)
"""Rail yards and piles."""
