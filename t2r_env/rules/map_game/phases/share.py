"""Which ticket do you put on the team's rack? (TA4, TA7, TA8)"""

import numpy as np

from t2r_env.rules import bits
from t2r_env.rules.compiled import inlined, lowest_bit
from t2r_env.rules.map_game import actions, racks
from t2r_env.rules.map_game.state import SHARE
from t2r_env.rules.records import Record
from t2r_env.rules.state import TICKET_WORDS, TURN_OVER
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.turns import begin_turn


@inlined
def ask(state: Record, seat: int) -> None:
    """Ask a seat which of all its tickets it shares."""
    state.current = seat
    for word in range(TICKET_WORDS):
        state.to_share[word] = state.tickets[seat, word]
    state.phase = SHARE


@inlined
def has_chosen(state: Record, seat: int) -> bool:
    """Whether a seat's starting choice is kept aside (TA4, C6)."""
    return state.phase == SHARE and state.turn == 0 and seat < state.current


@inlined
def list_tickets(scratch: Record, words: np.ndarray, count: int, first_action: int) -> int:
    """List as answers the tickets of a set, after `count` others; return how many there are in all."""
    for word in range(TICKET_WORDS):
        left = words[word]
        while left != bits.NONE:
            scratch.legal[count] = first_action + 64 * word + lowest_bit(left)
            left = bits.without_lowest(left)
            count += 1
    return count


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """One of the tickets; a second one of a turn's action may be declined (TA8)."""
    count = list_tickets(scratch, state.to_share, 0, rules.first_action[actions.SHARE_TICKET])
    if state.moved > 0:
        scratch.legal[count] = rules.first_action[actions.STOP]
        count += 1
    return count


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Put it on the rack, and the turn is over; at the start all seats' choices take effect together (TA4, C6)."""
    seat = state.current
    ticket = action - rules.first_action[actions.SHARE_TICKET]
    if state.turn == 0:
        state.sharing[seat] = ticket
        if seat + 1 < rules.num_seats:
            ask(state, seat + 1)
            return
        for chooser in range(rules.num_seats):
            racks.put_ticket(state, rules, chooser, state.sharing[chooser])
            state.sharing[chooser] = NO_TICKET
        begin_turn(state, rules, 0)
    else:
        if action != rules.first_action[actions.STOP]:
            racks.put_ticket(state, rules, seat, ticket)
        state.phase = TURN_OVER
    for word in range(TICKET_WORDS):
        state.to_share[word] = bits.NONE
