"""The ticket deck: a queue, since refused tickets go to its bottom (C12). As in all games."""

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits, inlined
from t2r_env.core.randomness import below
from t2r_env.rules.state import NO_TICKET, SharedState


@inlined
def _index(state: SharedState, position: int) -> int:
    """Return the index in the ring of the ticket at a position of the deck; the top is position 0."""
    index = state.queue_head + position
    return index if index < state.ticket_queue.size else index - state.ticket_queue.size


@inlined
def ticket_at(state: SharedState, position: int) -> int:
    """Return the ticket at a position, which the deck must have."""
    return state.ticket_queue[_index(state, position)]


def in_order(state: SharedState) -> list[int]:
    """Return all tickets from the top on, as Python reads them: one by one takes half of the time of a snapshot."""
    numbers: list[int] = np.roll(state.ticket_queue, -int(state.queue_head))[: state.queue_count].tolist()
    return numbers


@compiled
def clear(state: SharedState) -> None:
    """Take the deck away."""
    state.ticket_queue[:] = NO_TICKET
    state.queue_head = 0
    state.queue_count = 0


@compiled
def shuffle(state: SharedState) -> None:
    """Shuffle the ticket deck (Fisher-Yates)."""
    for last in range(state.queue_count - 1, 0, -1):
        one = _index(state, last)
        other = _index(state, int(below(state, last + 1)))
        ticket = state.ticket_queue[one]
        state.ticket_queue[one] = state.ticket_queue[other]
        state.ticket_queue[other] = ticket


@inlined
def draw_ticket(state: SharedState) -> int:
    """Take the top ticket of the deck, which must not be empty."""
    ticket = state.ticket_queue[state.queue_head]
    state.ticket_queue[state.queue_head] = NO_TICKET
    state.queue_head = _index(state, 1)
    state.queue_count -= 1
    return ticket


@inlined
def put_under(state: SharedState, ticket: int) -> None:
    """Put a ticket under the deck."""
    state.ticket_queue[_index(state, state.queue_count)] = ticket
    state.queue_count += 1


@compiled
def offer(state: SharedState, seat: int, number: int) -> None:
    """Lay the top `number` tickets (fewer if fewer are left) before a seat, which will decide on each (C12).

    They come after those that lie there already.
    """
    for _ in range(min(number, state.queue_count)):
        state.offered[seat, state.offered_count[seat]] = draw_ticket(state)
        state.offered_count[seat] += 1


@inlined
def is_kept(state: SharedState, seat: int, index: int) -> bool:
    """Whether the seat has decided to keep the ticket offered at this index."""
    return (state.kept[seat] >> index) & 1 == 1


@inlined
def kept_number(state: SharedState, seat: int) -> int:
    """Return how many of the tickets on offer the seat has decided to keep."""
    return count_bits(np.uint64(state.kept[seat]))


@compiled
def settle_offer(state: SharedState, seat: int, refused_leave: bool) -> None:
    """Let a seat's decisions take effect: kept tickets into its hand, the others under the deck in the order offered.

    With `refused_leave` the others leave the game (LA2).
    """
    for index in range(state.offered_count[seat]):
        ticket = state.offered[seat, index]
        if is_kept(state, seat, index):
            bits.add(state.tickets[seat], ticket)
            state.ticket_count[seat] += 1
        elif not refused_leave:
            put_under(state, ticket)
        state.offered[seat, index] = NO_TICKET
    state.offered_count[seat] = 0
    state.kept[seat] = 0
