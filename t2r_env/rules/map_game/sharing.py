"""Sharing tickets with a teammate: tickets of the hand go on the team's rack (TA4, TA7, TA8)."""

from t2r_env.core import bits
from t2r_env.core.compiled import inlined
from t2r_env.core.records import Array
from t2r_env.rules import ticket_queue
from t2r_env.rules.map_game import racks
from t2r_env.rules.map_game.records import MapRules, MapState
from t2r_env.rules.names import blocks
from t2r_env.rules.state import NO_TICKET, TICKET_WORDS, SharedScratch


@inlined
def offer_all(state: MapState, seat: int) -> None:
    """Let a seat decide which of all its tickets it shares."""
    state.current = seat
    for word in range(TICKET_WORDS):
        state.to_share[word] = state.tickets[seat, word]
    state.to_share_count = state.ticket_count[seat]


@inlined
def offer_kept(state: MapState, seat: int) -> None:
    """Let a seat decide which of the tickets that it has just kept it shares (TA7)."""
    for index in range(state.offered_count[seat]):
        if ticket_queue.is_kept(state, seat, index):
            bits.add(state.to_share, state.offered[seat, index])
            state.to_share_count += 1


@inlined
def list_tickets(rules: MapRules, scratch: SharedScratch, tickets: Array, count: int) -> int:
    """List the sharing of each ticket of a set, after `count` other actions; return how many there are in all."""
    for ticket in bits.members(tickets):
        scratch.legal[count] = rules.first_action[blocks.SHARE_TICKET] + ticket
        count += 1
    return count


@inlined
def list_legal(state: MapState, rules: MapRules, scratch: SharedScratch) -> int:
    """List the tickets that may be shared; a second one of a turn's action may be declined (TA8)."""
    count = list_tickets(rules, scratch, state.to_share, 0)
    if state.moved > 0:
        scratch.legal[count] = rules.first_action[blocks.STOP]
        count += 1
    return count


@inlined
def note_starting_choice(state: MapState, rules: MapRules, action: int) -> bool:
    """Keep a seat's choice at the start aside; return whether it was the last, and all take effect (TA4, C6)."""
    seat = state.current
    state.sharing[seat] = action - rules.first_action[blocks.SHARE_TICKET]
    if seat + 1 < rules.num_seats:
        offer_all(state, seat + 1)
        return False
    for chooser in range(rules.num_seats):
        racks.put_ticket(state, rules, chooser, state.sharing[chooser])
        state.sharing[chooser] = NO_TICKET
    forget_offer(state)
    return True


@inlined
def share(state: MapState, rules: MapRules, action: int) -> None:
    """Put a ticket on the rack, or none (TA7, TA8)."""
    if action != rules.first_action[blocks.STOP]:
        racks.put_ticket(state, rules, state.current, action - rules.first_action[blocks.SHARE_TICKET])


@inlined
def forget_offer(state: MapState) -> None:
    """Forget which tickets may go on the rack."""
    state.to_share[:] = bits.NONE
    state.to_share_count = 0
