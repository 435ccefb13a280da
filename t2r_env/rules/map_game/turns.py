"""The end of a turn: who is next, the last round, the end (C7, C13, C15, C19)."""

from t2r_env.core.compiled import inlined
from t2r_env.core.game import outcomes
from t2r_env.rules import hooks
from t2r_env.rules.map_game.board import BoardScratch
from t2r_env.rules.map_game.flow import forget_claim
from t2r_env.rules.map_game.racks import RackState
from t2r_env.rules.map_game.scoring import ScoringRules
from t2r_env.rules.turns import begin_turn, end_game, next_seat


@inlined
def end_turn(state: RackState, rules: ScoringRules, scratch: BoardScratch) -> None:
    """Go on to the next seat's turn, or end the game; before that a turn may be extended (UK12)."""
    if hooks.extend_turn(state, rules):
        return
    hooks.forget_turn(state, rules)
    forget_claim(state, rules)
    if _was_last(state, rules):
        end_game(state, outcomes.FINISHED)
    else:
        begin_turn(state, rules, next_seat(state, rules))


@inlined
def _was_last(state: RackState, rules: ScoringRules) -> bool:
    """Whether the game ends with this turn; if it brings the last round, note that (C13, C15, TA11)."""
    if state.passes == rules.num_seats:
        return True
    if state.last_turns_left > 0:
        state.last_turns_left -= 1
        return state.last_turns_left == 0
    trains = 0
    for seat in range(rules.num_seats):
        if rules.team[seat] == rules.team[state.current]:
            trains += state.trains[seat]
    if trains <= rules.last_round_trains:
        state.last_turns_left = rules.num_seats
    return False
