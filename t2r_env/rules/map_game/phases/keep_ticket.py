"""Do you keep this ticket? Asked of each ticket offered, in turn (C5, C6, C12)."""

from t2r_env.rules import bits, ticket_choice, ticket_queue
from t2r_env.rules.compiled import inlined
from t2r_env.rules.map_game.phases import share
from t2r_env.rules.map_game.state import SHARE
from t2r_env.rules.records import Record
from t2r_env.rules.state import TURN_OVER
from t2r_env.rules.turns import begin_turn

legal = ticket_choice.legal


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Note the answer; when all are given they take effect. In team games a ticket is then shared (TA4, TA7)."""
    if not ticket_choice.note_decision(state, rules, action):
        return
    if not ticket_choice.is_starting_choice(state):
        if rules.num_racks > 0:
            _note_kept(state, state.current)
        ticket_choice.settle(state)
        state.phase = SHARE if rules.num_racks > 0 else TURN_OVER
    elif ticket_choice.settle_starting_choice(state, rules):
        if rules.num_racks > 0:
            share.ask(state, 0)
        else:
            begin_turn(state, rules, 0)


@inlined
def _note_kept(state: Record, seat: int) -> None:
    """Note the tickets kept: one of them goes on the team's rack (TA7)."""
    for place in range(state.offered_count[seat]):
        if ticket_queue.is_kept(state, seat, place):
            bits.add(state.to_share, state.offered[seat, place])
