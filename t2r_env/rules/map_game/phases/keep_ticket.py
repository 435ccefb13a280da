"""Do you keep this ticket? Asked of each ticket offered, in turn (C5, C6, C12)."""

from t2r_env.rules import bits, ticket_queue
from t2r_env.rules.compiled import inlined
from t2r_env.rules.map_game import actions
from t2r_env.rules.map_game.phases import share
from t2r_env.rules.map_game.state import KEEP_TICKET, SHARE, TURN_OVER
from t2r_env.rules.map_game.turns import begin_turn
from t2r_env.rules.records import Record


@inlined
def is_starting_choice(state: Record) -> bool:
    """Whether the starting tickets are being chosen: no turn has begun yet."""
    return state.turn == 0


@inlined
def must_keep(state: Record, rules: Record, seat: int) -> int:
    """How many of the tickets offered must be kept: all, if fewer were offered than the rule says (C12)."""
    rule = rules.starting_keep if is_starting_choice(state) else rules.later_keep
    return min(rule, state.offered_count[seat])


@inlined
def answered_number(state: Record, seat: int) -> int:
    """How many of the tickets offered to a seat it has answered about."""
    if state.phase != KEEP_TICKET:
        return 0
    if seat == state.current:
        return state.asked
    # the seats before it have answered about all of their starting tickets, the seats after it about none
    return state.offered_count[seat] if seat < state.current else 0


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """Keep it; or refuse it, if enough are left to keep."""
    seat = state.current
    scratch.legal[0] = rules.first_action[actions.KEEP_TICKET]
    left = state.offered_count[seat] - state.asked - 1
    if ticket_queue.kept_number(state, seat) + left < must_keep(state, rules, seat):
        return 1
    scratch.legal[1] = rules.first_action[actions.REFUSE_TICKET]
    return 2


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Note the answer; when all are given they take effect."""
    seat = state.current
    if action == rules.first_action[actions.KEEP_TICKET]:
        state.kept[seat] |= 1 << state.asked
    state.asked += 1
    if state.asked < state.offered_count[seat]:
        return
    state.asked = 0
    refused_leave = rules.starting_refused_leave if is_starting_choice(state) else 0
    if not is_starting_choice(state):
        if rules.num_teams > 0:
            _note_kept(state, seat)
        ticket_queue.settle_offer(state, seat, refused_leave)
        state.phase = SHARE if rules.num_teams > 0 else TURN_OVER
    elif seat + 1 < rules.num_seats:
        state.current = seat + 1
    else:
        # the starting choice is simultaneous: all answers take effect together (C6)
        for chooser in range(rules.num_seats):
            ticket_queue.settle_offer(state, chooser, refused_leave)
        if rules.num_teams > 0:
            share.ask(state, 0)
        else:
            begin_turn(state, 0)


@inlined
def _note_kept(state: Record, seat: int) -> None:
    """Note the tickets kept: one of them goes on the team's rack (TA7)."""
    for place in range(state.offered_count[seat]):
        if ticket_queue.is_kept(state, seat, place):
            bits.add(state.to_share, state.offered[seat, place])
