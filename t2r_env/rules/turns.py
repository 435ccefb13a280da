"""The beginning of a turn, as in all games."""

from t2r_env.rules.compiled import inlined
from t2r_env.rules.records import Record
from t2r_env.rules.rewards import TRUNCATED
from t2r_env.rules.state import ENDED, TURN
from t2r_env.rules.train_cards import EMPTY


@inlined
def begin_turn(state: Record, rules: Record, seat: int) -> None:
    """Ask a seat what it does this turn; or end the game, if the turn limit is reached (C19)."""
    if state.turn >= rules.turn_limit:
        state.phase = ENDED
        state.outcome = TRUNCATED
        return
    state.current = seat
    state.turn += 1
    state.phase = TURN
    state.drawn = EMPTY
    state.drawn_slot = EMPTY


@inlined
def seat_of_next_turn(state: Record, rules: Record) -> int:
    """The seat that takes the next turn: while starting tickets are chosen, the first one (C7)."""
    return 0 if state.turn == 0 else next_seat(state, rules)


@inlined
def next_seat(state: Record, rules: Record) -> int:
    """The seat after the current one (C7)."""
    return state.current + 1 if state.current + 1 < rules.num_seats else 0
