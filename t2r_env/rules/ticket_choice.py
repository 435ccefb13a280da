"""The choice to keep or refuse each ticket offered, in the order offered (C5, C6, C12, CG2, CG8)."""

from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules import ticket_queue
from t2r_env.rules.names import blocks, phases
from t2r_env.rules.state import SharedRules, SharedScratch, SharedState
from t2r_env.rules.turns import is_starting_choice
from t2r_env.variants.variant import LEAVE, REFUSED, SHUFFLED

_LEAVE, _SHUFFLED = REFUSED.index(LEAVE), REFUSED.index(SHUFFLED)


@inlined
def must_keep(state: SharedState, rules: SharedRules, seat: int) -> int:
    """Return how many of the tickets offered must be kept: all, if fewer were offered than the rule says (C12)."""
    rule = rules.starting_keep if is_starting_choice(state) else rules.later_keep
    return min(rule, state.offered_count[seat])


@inlined
def decided_number(state: SharedState, seat: int) -> int:
    """Return how many of the tickets offered to a seat it has decided on."""
    if state.phase != phases.KEEP_TICKET:
        return 0
    if seat == state.current:
        return state.offer_index
    # the seats before it have decided on all of their starting tickets, the seats after it on none
    return state.offered_count[seat] if seat < state.current else 0


@inlined
def list_legal(state: SharedState, rules: SharedRules, scratch: SharedScratch) -> int:
    """List keeping it, and refusing it if enough are left to keep; return how many actions there are."""
    seat = state.current
    scratch.legal[0] = rules.first_action[blocks.KEEP_TICKET]
    left = state.offered_count[seat] - state.offer_index - 1
    if ticket_queue.kept_number(state, seat) + left < must_keep(state, rules, seat):
        return 1
    scratch.legal[1] = rules.first_action[blocks.REFUSE_TICKET]
    return 2


@inlined
def decide(state: SharedState, rules: SharedRules, action: int) -> bool:
    """Note the decision on a ticket; return whether it was the seat's last."""
    seat = state.current
    if action == rules.first_action[blocks.KEEP_TICKET]:
        state.kept[seat] |= 1 << state.offer_index
    state.offer_index += 1
    if state.offer_index < state.offered_count[seat]:
        return False
    state.offer_index = 0
    return True


@inlined
def settle(state: SharedState, rules: SharedRules, seat: int) -> None:
    """Let a choice during the game take effect: what is refused goes under the deck, or leaves the game (NO2)."""
    ticket_queue.settle_offer(state, seat, rules.later_refused == _LEAVE)


@compiled
def settle_start(state: SharedState, rules: SharedRules) -> None:
    """Let all starting choices take effect together (C6).

    What is refused goes under the deck, leaves the game (LA2), or is shuffled back into the deck (CG2).
    """
    for seat in range(rules.num_seats):
        ticket_queue.settle_offer(state, seat, rules.starting_refused == _LEAVE)
    if rules.starting_refused == _SHUFFLED:
        ticket_queue.shuffle(state)
