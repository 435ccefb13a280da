"""Which ticket do you complete? Asked of every seat until it stops (CG10); the choices are simultaneous (C6)."""

from t2r_env.rules import bits
from t2r_env.rules.card_game import actions, scoring, turns
from t2r_env.rules.compiled import inlined
from t2r_env.rules.records import Record


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """Any ticket for which the pile suffices; or no more."""
    first_action = rules.first_action[actions.COMPLETE]
    count = scoring.list_completable(state, rules, scratch, state.current, first_action)
    scratch.legal[count] = rules.first_action[actions.STOP]
    return count + 1


@inlined
def apply(state: Record, rules: Record, scratch: Record, action: int) -> None:
    """Note the ticket; or go on to the next seat, and after the last one to the scoring."""
    seat = state.current
    if action != rules.first_action[actions.STOP]:
        bits.add(state.completing[seat], action - rules.first_action[actions.COMPLETE])
    elif seat + 1 < rules.num_seats:
        state.current = seat + 1
    else:
        turns.end_scoring(state, rules, scratch)
