"""The round of turns, as in all games: one way into each phase that all games have, and out of a turn."""

from typing import Any

from t2r_env.core.compiled import by_record, inlined
from t2r_env.core.game import ENDED, TURN_OVER, outcomes
from t2r_env.rules import hooks
from t2r_env.rules.cards import EMPTY
from t2r_env.rules.names import phases
from t2r_env.rules.state import SharedRules, SharedState

starting_phases = {phases.KEEP_TICKET}
"""Phases before the first turn."""
between_turns: set[int] = set()
"""Phases in which no turn is under way; what was left of the last one is still there."""


@by_record
def seat_of_next_turn(state: SharedState, rules: SharedRules) -> Any:
    """The seat that takes the next turn, unless the game ends before."""


@inlined
def enter_turn(state: SharedState) -> None:
    """Choose the action of a turn, at its beginning or after a purchase (UK8)."""
    state.phase = phases.TURN


@inlined
def begin_turn(state: SharedState, rules: SharedRules, seat: int) -> None:
    """Begin a seat's turn; or end the game, if the turn limit is reached (C19)."""
    if state.turn >= rules.turn_limit:
        end_game(state, outcomes.TRUNCATED)
        return
    state.current = seat
    state.turn += 1
    enter_turn(state)
    state.drawn = EMPTY
    state.drawn_slot = EMPTY
    hooks.begin_turn(state, rules, seat)


@inlined
def enter_second_card(state: SharedState) -> None:
    """Decide on a second card (C8)."""
    state.phase = phases.SECOND_CARD


@inlined
def enter_keep_ticket(state: SharedState, seat: int) -> None:
    """Decide on the tickets offered to a seat, one after the other (C5, C12)."""
    state.current = seat
    state.phase = phases.KEEP_TICKET


@inlined
def finish_turn(state: SharedState) -> None:
    """The turn is over; `end_turn` says what follows."""
    state.phase = TURN_OVER


@inlined
def end_game(state: SharedState, outcome: int) -> None:
    """No decision is left."""
    state.phase = ENDED
    state.outcome = outcome


@inlined
def next_seat(state: SharedState, rules: SharedRules) -> int:
    """The seat after the current one (C7)."""
    return state.current + 1 if state.current + 1 < rules.num_seats else 0


@inlined
def is_starting_choice(state: SharedState) -> bool:
    """Whether the starting tickets are being chosen: no turn has begun yet."""
    return state.turn == 0


@inlined
def seat_after_the_last(state: SharedState, rules: SharedRules) -> int:
    """Who takes the next turn: seat 0 after the starting choice, else the seat after the acting one (C7)."""
    return 0 if is_starting_choice(state) else next_seat(state, rules)
