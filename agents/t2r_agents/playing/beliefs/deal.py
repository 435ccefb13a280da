"""Deals by belief: in a determinization the others get the tickets that they are believed to hold."""

from typing import Any

import numpy as np

from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import cached, compiled
from t2r_env.core.randomness import mix, next_word, scrambled
from t2r_env.rules.state import NO_TICKET, SharedRules, SharedScratch


@cached
def deal_rows(states: Array, odds: Array, rules: Array, scratch: Array, rows: Array, seeds: Array) -> None:
    """Let others hold what they are believed to hold in determinizations, (n,), by the odds of `rows` (n,) of them."""
    for i in range(len(states)):
        deal_by_belief(states[i], rules[0], scratch[0], np.int64(states[i].current), odds[rows[i]], seeds[i])


@compiled
def deal_by_belief(
    state: Any, rules: SharedRules, scratch: SharedScratch, seat: np.int64, odds: Array, seed: np.uint64
) -> None:
    """Let the other seats of a determinization for a seat hold what they are believed to hold.

    Their tickets are drawn again, one by one with the odds (seats, tickets), chance by contrary, as weights: 0 for what
    the seat sees. A ticket drawn changes places with the one that was dealt, which is of the same kind (long or
    regular, LA2): so whatever the seat knows for certain stays true. All follows from the seed. Not for team games,
    whose tickets may lie on racks.
    """
    settled, word = scratch.open_tickets, scrambled(seed)
    settled[:] = bits.NONE
    for other in range(rules.num_seats):
        if other != seat:
            for _ in range(state.ticket_count[other]):
                dealt = _unsettled(state.tickets[other], settled)
                is_long = dealt >= rules.num_regular
                first = rules.num_regular if is_long else 0
                end = rules.num_tickets if is_long else rules.num_regular
                word = next_word(word)
                drawn = _drawn(odds[other], settled, first, end, word)
                if drawn != NO_TICKET:
                    _exchange(state, rules, seat, dealt, drawn)
                    dealt = drawn
                bits.add(settled, dealt)


@compiled
def _unsettled(tickets: Array, settled: Array) -> int:
    """Return the first ticket of a hand that is not settled, of which there must be one."""
    for ticket in bits.members(tickets):
        if not bits.contains(settled, ticket):
            return ticket
    return NO_TICKET


@compiled
def _drawn(odds: Array, settled: Array, first: int, end: int, word: np.uint64) -> int:
    """Draw one of the tickets `first` to `end` - 1 that are not settled by their odds; `NO_TICKET` if all are 0."""
    total = 0.0
    for ticket in range(first, end):
        if not bits.contains(settled, ticket):
            total += odds[ticket]
    left = total * ((mix(word) >> np.uint64(11)) * 2.0**-53)
    drawn = NO_TICKET
    for ticket in range(first, end):
        if odds[ticket] > 0 and not bits.contains(settled, ticket) and left >= 0:
            drawn = ticket
            left -= odds[ticket]
    return drawn


@compiled
def _exchange(state: Any, rules: SharedRules, seat: np.int64, one: int, other: int) -> None:
    """Let two tickets that a seat does not see change places, wherever they lie."""
    for index in range(state.ticket_queue.size):
        if state.ticket_queue[index] == one:
            state.ticket_queue[index] = other
        elif state.ticket_queue[index] == other:
            state.ticket_queue[index] = one
    for holder in range(rules.num_seats):
        if holder != seat:
            tickets = state.tickets[holder]
            if bits.contains(tickets, one) != bits.contains(tickets, other):
                for ticket in (one, other):
                    tickets[ticket >> 6] ^= bits.bit(ticket & 63)
            for index in range(state.offered_count[holder]):
                if state.offered[holder, index] == one:
                    state.offered[holder, index] = other
                elif state.offered[holder, index] == other:
                    state.offered[holder, index] = one
