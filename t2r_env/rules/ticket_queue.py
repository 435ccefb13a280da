"""The ticket deck: a queue, since refused tickets go to its bottom (C12). Shared by all games."""

from t2r_env.rules import bits
from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.randomness import below
from t2r_env.rules.records import Record

NO_TICKET = -1


@inlined
def _index(state: Record, place: int) -> int:
    """Where in the ring the ticket at a place of the deck lies; the top is place 0."""
    index = state.queue_head + place
    return index if index < state.ticket_queue.size else index - state.ticket_queue.size


@inlined
def ticket_at(state: Record, place: int) -> int:
    """The ticket at a place of the deck, which must hold so many."""
    return state.ticket_queue[_index(state, place)]


@compiled
def clear(state: Record) -> None:
    """Take the deck away."""
    for index in range(state.ticket_queue.size):
        state.ticket_queue[index] = NO_TICKET
    state.queue_head = 0
    state.queue_count = 0


@compiled
def shuffle(state: Record) -> None:
    """Shuffle the ticket deck (Fisher-Yates)."""
    for last in range(state.queue_count - 1, 0, -1):
        one = _index(state, last)
        other = _index(state, int(below(state, last + 1)))
        ticket = state.ticket_queue[one]
        state.ticket_queue[one] = state.ticket_queue[other]
        state.ticket_queue[other] = ticket


@inlined
def draw_ticket(state: Record) -> int:
    """Take the top ticket of the deck, which must not be empty."""
    ticket = state.ticket_queue[state.queue_head]
    state.ticket_queue[state.queue_head] = NO_TICKET
    state.queue_head = _index(state, 1)
    state.queue_count -= 1
    return ticket


@inlined
def put_under(state: Record, ticket: int) -> None:
    """Put a ticket under the deck."""
    state.ticket_queue[_index(state, state.queue_count)] = ticket
    state.queue_count += 1


@compiled
def offer(state: Record, seat: int, number: int) -> None:
    """Lay the top `number` tickets (fewer if fewer are left) before a seat, which will be asked about each (C12).

    They come after those that lie there already.
    """
    for _ in range(min(number, state.queue_count)):
        state.offered[seat, state.offered_count[seat]] = draw_ticket(state)
        state.offered_count[seat] += 1


@inlined
def is_kept(state: Record, seat: int, place: int) -> bool:
    """Whether the seat has answered to keep the ticket offered at this place."""
    return (state.kept[seat] >> place) & 1 == 1


@inlined
def kept_number(state: Record, seat: int) -> int:
    """How many of the tickets on offer the seat has answered to keep."""
    number = 0
    for place in range(state.offered_count[seat]):
        number += (state.kept[seat] >> place) & 1
    return number


@compiled
def settle_offer(state: Record, seat: int, refused_leave: int) -> None:
    """Let a seat's answers take effect: kept tickets into its hand, the others under the deck in the order offered.

    With `refused_leave` (1) the others leave the game (LA2).
    """
    for place in range(state.offered_count[seat]):
        ticket = state.offered[seat, place]
        if is_kept(state, seat, place):
            bits.add(state.tickets[seat], ticket)
            state.ticket_count[seat] += 1
        elif not refused_leave:
            put_under(state, ticket)
        state.offered[seat, place] = NO_TICKET
    state.offered_count[seat] = 0
    state.kept[seat] = 0
