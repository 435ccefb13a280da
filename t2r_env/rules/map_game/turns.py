"""The round of turns: who is next, the last round, the end (C7, C13, C15, C19)."""

from t2r_env.rules.compiled import inlined
from t2r_env.rules.map_game import claiming, scoring, technologies
from t2r_env.rules.map_game.phases import second_claim
from t2r_env.rules.map_game.state import NO_TECHNOLOGY, NOWHERE, THERMOCOMPRESSOR
from t2r_env.rules.records import Record
from t2r_env.rules.rewards import FINISHED
from t2r_env.rules.state import ENDED
from t2r_env.rules.turns import begin_turn, next_seat


@inlined
def end_turn(state: Record, rules: Record, scratch: Record) -> None:
    """Go on to the next seat's turn, or end the game; before that a second route may be claimed (UK12)."""
    if second_claim.follows(state, rules):
        second_claim.ask(state)
        return
    _forget_turn(state, rules)
    if _was_last(state, rules):
        state.phase = ENDED
        state.outcome = FINISHED
        scoring.score_game(state, rules, scratch)
    else:
        begin_turn(state, rules, next_seat(state, rules))


@inlined
def _forget_turn(state: Record, rules: Record) -> None:
    """What belongs to one turn alone."""
    if rules.num_technologies > 0:
        technologies.give_back(state, state.current, rules.technology_with[THERMOCOMPRESSOR])
    claiming.forget_claim(state)
    state.bought = NO_TECHNOLOGY
    state.claims = 0
    state.moved = 0
    state.placed = NOWHERE


@inlined
def _was_last(state: Record, rules: Record) -> bool:
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
