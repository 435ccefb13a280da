"""Do you keep this ticket? Asked of each ticket offered, in turn (C5, C6, C12)."""

from t2r_env.rules import actions, ticket_queue
from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.records import Record
from t2r_env.rules.state import KEEP_TICKET
from t2r_env.variants.variant import LEAVE, REFUSED, SHUFFLED

_LEAVE, _SHUFFLED = REFUSED.index(LEAVE), REFUSED.index(SHUFFLED)


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
def decided_number(state: Record, seat: int) -> int:
    """How many of the tickets offered to a seat it has answered about."""
    if state.phase != KEEP_TICKET:
        return 0
    if seat == state.current:
        return state.offer_index
    # the seats before it have answered about all of their starting tickets, the seats after it about none
    return state.offered_count[seat] if seat < state.current else 0


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """Keep it; or refuse it, if enough are left to keep."""
    seat = state.current
    scratch.legal[0] = rules.first_action[actions.KEEP_TICKET]
    left = state.offered_count[seat] - state.offer_index - 1
    if ticket_queue.kept_number(state, seat) + left < must_keep(state, rules, seat):
        return 1
    scratch.legal[1] = rules.first_action[actions.REFUSE_TICKET]
    return 2


@inlined
def note_decision(state: Record, rules: Record, action: int) -> bool:
    """Note the answer; return whether the seat has now answered about all."""
    seat = state.current
    if action == rules.first_action[actions.KEEP_TICKET]:
        state.kept[seat] |= 1 << state.offer_index
    state.offer_index += 1
    if state.offer_index < state.offered_count[seat]:
        return False
    state.offer_index = 0
    return True


@inlined
def settle(state: Record) -> None:
    """Let the current player's answers take effect (C12)."""
    ticket_queue.settle_offer(state, state.current, 0)


@inlined
def settle_starting_choice(state: Record, rules: Record) -> bool:
    """Ask the next seat; or if all have answered, let all answers take effect together (C6) and return True."""
    if state.current + 1 < rules.num_seats:
        state.current += 1
        return False
    _settle_all(state, rules)
    return True


@compiled
def _settle_all(state: Record, rules: Record) -> None:
    """What is refused goes under the deck, leaves the game (LA2), or is shuffled back into the deck (CG2)."""
    refused_leave = 1 if rules.starting_refused == _LEAVE else 0
    for seat in range(rules.num_seats):
        ticket_queue.settle_offer(state, seat, refused_leave)
    if rules.starting_refused == _SHUFFLED:
        ticket_queue.shuffle(state)
