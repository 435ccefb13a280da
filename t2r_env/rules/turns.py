"""The round of turns, as in all games (C7, C19)."""

from t2r_env.core.compiled import inlined
from t2r_env.rules.cards import EMPTY
from t2r_env.rules.names import ENDED, outcomes, phases
from t2r_env.rules.state import SharedRules, SharedState


@inlined
def begin_turn(state: SharedState, rules: SharedRules, seat: int) -> bool:
    """Begin a seat's turn, and return True; or end the game, if the turn limit is reached (C19)."""
    if state.turn >= rules.turn_limit:
        end_game(state, outcomes.TRUNCATED)
        return False
    state.current = seat
    state.turn += 1
    state.phase = phases.TURN
    state.drawn = EMPTY
    state.drawn_slot = EMPTY
    return True


@inlined
def end_game(state: SharedState, outcome: int) -> None:
    """End the game: no decision is left."""
    state.phase = ENDED
    state.outcome = outcome


@inlined
def next_seat(state: SharedState, rules: SharedRules) -> int:
    """Return the seat after the current one (C7)."""
    return state.current + 1 if state.current + 1 < rules.num_seats else 0


@inlined
def is_starting_choice(state: SharedState) -> bool:
    """Whether the starting tickets are being chosen: no turn has begun yet."""
    return state.turn == 0
