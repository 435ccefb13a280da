"""Deals by belief: in a determinization the others get the tickets that they are believed to hold."""

from typing import Any

import numpy as np

from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import cached, compiled
from t2r_env.core.randomness import bounded, mix, next_word, scrambled
from t2r_env.rules.state import NO_TICKET, SharedRules, SharedScratch


@cached
def deal_rows(states: Array, chances: Array, rules: Array, scratch: Array, rows: Array, seeds: Array) -> None:
    """Let others hold what they are believed to hold in determinizations, (n,), by the chances of `rows`, (n,)."""
    for i in range(len(states)):
        deal_by_belief(states[i], rules[0], scratch[0], np.int64(states[i].current), chances[rows[i]], seeds[i])


@compiled
def deal_by_belief(
    state: Any, rules: SharedRules, scratch: SharedScratch, seat: np.int64, chances: Array, seed: np.uint64
) -> None:
    """Let the other seats of a determinization for a seat hold what they are believed to hold.

    Their tickets are drawn again by the chances (seats, tickets), 0 for what the seat sees. A ticket drawn changes
    places with one that was dealt, which is of the same kind (long or regular, LA2): so whatever the seat knows for
    certain stays true. All follows from the seed. Not for team games, whose tickets may lie on racks.
    """
    settled, word = scratch.open_tickets, scrambled(seed)
    settled[:] = bits.NONE
    for other in range(rules.num_seats):
        if other != seat:
            for first, end in ((0, rules.num_regular), (rules.num_regular, rules.num_tickets)):
                word = next_word(word)
                _draw(state, rules, scratch, seat, other, chances[other], first, end, word)
            for ticket in bits.members(state.tickets[other]):
                bits.add(settled, ticket)


@compiled
def _draw(
    state: Any,
    rules: SharedRules,
    scratch: SharedScratch,
    seat: np.int64,
    other: int,
    chances: Array,
    first: int,
    end: int,
    word: np.uint64,
) -> None:
    """Draw the tickets `first` to `end` - 1 of another seat's hand again, from those that are not settled.

    Systematic sampling in random order (Madow 1949: On the theory of systematic sampling, II): the chances are laid in
    a row, and what lies at points of equal distance is drawn, so that each ticket is as often as it should.
    """
    settled, order, size = scratch.open_tickets, scratch.legal, end - first  # no actions are listed yet
    number, total = 0, 0.0
    for ticket in bits.members(state.tickets[other]):
        number += first <= ticket < end
    for i in range(size):
        order[i] = i
        if not bits.contains(settled, first + i):
            total += chances[first + i]
    if number == 0 or total == 0:
        return
    distance, word = total / number, scrambled(word)
    point, reached = distance * (mix(word) >> np.uint64(11)) * 2.0**-53, 0.0
    for i in range(size):
        word = next_word(word)
        j = i + bounded(word, size - i)
        ticket, order[j] = first + order[j], order[i]
        if not bits.contains(settled, ticket):
            reached += chances[ticket]
            if reached > point and number > 0:  # rounding must not draw one more
                _exchange(state, rules, seat, _unsettled(state.tickets[other], settled, first, end), ticket)
                bits.add(settled, ticket)
                number -= 1
            while reached > point:
                point += distance


@compiled
def _unsettled(tickets: Array, settled: Array, first: int, end: int) -> int:
    """Return a ticket of a hand that is not settled, of `first` to `end` - 1. There must be one."""
    for ticket in bits.members(tickets):
        if first <= ticket < end and not bits.contains(settled, ticket):
            return ticket
    return NO_TICKET


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
