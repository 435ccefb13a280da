"""The round of turns: who is next, the last round, the scorings (CG4, CG9, CG11, CG12)."""

from t2r_env.rules import turns
from t2r_env.rules.card_game import deal, scoring, yard
from t2r_env.rules.card_game.state import COMPLETE, TURN
from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.records import Record
from t2r_env.rules.rewards import FINISHED
from t2r_env.rules.state import ENDED


@inlined
def begin_turn(state: Record, rules: Record, seat: int) -> None:
    """Phase 1 of a seat's turn, which is no choice (CG4); then ask what it does."""
    turns.begin_turn(state, rules, seat)
    if state.phase == TURN:
        yard.move_to_track(state, seat)


@inlined
def end_turn(state: Record, rules: Record, scratch: Record) -> None:
    """Go on to the next seat's turn, or after the last one to a scoring."""
    if state.last_turns_left == 0:
        deal.begin_last_round_if_empty(state, rules)
    else:
        state.last_turns_left -= 1
        if state.last_turns_left == 0:
            state.resuming = turns.next_seat(state, rules)
            state.phase = COMPLETE
            state.current = 0
            return
    begin_turn(state, rules, turns.next_seat(state, rules))


@compiled
def end_scoring(state: Record, rules: Record, scratch: Record) -> None:
    """All have chosen: score; then the second deck is played, if there is one, or the game ends (CG11, CG12)."""
    scoring.settle_completions(state, rules, scratch)
    if state.scoring_round < rules.scorings:
        state.scoring_round += 1
        deal.deal_second_deck(state, rules)
        begin_turn(state, rules, state.resuming)
    else:
        state.phase = ENDED
        state.outcome = FINISHED
        scoring.score_game(state, rules, scratch)
