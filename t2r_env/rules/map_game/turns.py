"""The round of turns: who is next, the last round, the end (C7, C13, C15, C19)."""

from t2r_env.rules.compiled import inlined
from t2r_env.rules.map_game import scoring
from t2r_env.rules.map_game.state import ENDED, NO_ANSWER, NO_COMPANY, NO_LANE, TURN
from t2r_env.rules.records import Record
from t2r_env.rules.rewards import FINISHED, TRUNCATED
from t2r_env.rules.train_cards import EMPTY


@inlined
def begin_turn(state: Record, seat: int) -> None:
    """Ask a seat what it does this turn."""
    state.current = seat
    state.turn += 1
    state.phase = TURN
    state.drawn = EMPTY
    state.drawn_slot = EMPTY


@inlined
def end_turn(state: Record, rules: Record, scratch: Record) -> None:
    """Go on to the next seat's turn, or end the game."""
    state.lane = NO_LANE
    state.payment = NO_ANSWER
    state.company = NO_COMPANY
    if _was_last(state, rules):
        state.phase = ENDED
        state.outcome = FINISHED
        scoring.score_game(state, rules, scratch)
    elif state.turn >= rules.turn_limit:
        state.phase = ENDED
        state.outcome = TRUNCATED
    else:
        begin_turn(state, state.current + 1 if state.current + 1 < rules.num_seats else 0)


@inlined
def _was_last(state: Record, rules: Record) -> bool:
    """Whether the game ends with this turn; if it brings the last round, note that (C13, C15)."""
    if state.passes == rules.num_seats:
        return True
    if state.last_turns_left > 0:
        state.last_turns_left -= 1
        return state.last_turns_left == 0
    if state.trains[state.current] <= rules.last_round_trains:
        state.last_turns_left = rules.num_seats
    return False
