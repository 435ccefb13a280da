"""Completing tickets with the cards of the pile (CG10). Every seat decides until it stops; choices are simultaneous."""

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits, inlined
from t2r_env.core.records import Array
from t2r_env.rules import train_cards
from t2r_env.rules.card_game.records import NUM_COLOURS, CardRules, CardState
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.names import blocks, parts
from t2r_env.rules.ranking import add_points
from t2r_env.rules.state import TICKET_WORDS, SharedScratch


@compiled
def list_completable(state: CardState, rules: CardRules, scratch: SharedScratch, seat: int) -> int:
    """List the tickets that a seat can complete in addition to those it has chosen; return how many there are."""
    count_needed(state, rules, scratch, seat)
    count = 0
    for ticket in bits.members(state.tickets[seat]):
        is_chosen = bits.contains(state.completing[seat], ticket)
        if not is_chosen and _suffices(state, rules, scratch, seat, ticket):
            scratch.legal[count] = rules.first_action[blocks.COMPLETE] + ticket
            count += 1
    return count


@compiled
def count_needed(state: CardState, rules: CardRules, scratch: SharedScratch, seat: int) -> None:
    """Write the cards that the tickets chosen to be completed take into `scratch.needed`."""
    scratch.needed[:] = 0
    for ticket in bits.members(state.completing[seat]):
        for colour in range(NUM_COLOURS):
            scratch.needed[colour] += rules.ticket_cards[ticket, colour]


@inlined
def _suffices(state: CardState, rules: CardRules, scratch: SharedScratch, seat: int, ticket: int) -> bool:
    """Whether the pile suffices for one more ticket. A locomotive stands for each coloured card that is missing.

    As coloured cards are used first, which are used does not depend on the order of the tickets.
    """
    missing = 0
    for colour in range(NUM_COLOURS):
        needed = scratch.needed[colour] + rules.ticket_cards[ticket, colour]
        missing += max(0, needed - state.on_track[seat, colour])
    return missing <= state.on_track[seat, LOCOMOTIVE]


@compiled
def settle(state: CardState, rules: CardRules, scratch: SharedScratch) -> None:
    """Let the choices of all seats take effect together (C6): points, and the cards used are discarded (CG10)."""
    for seat in range(rules.num_seats):
        count_needed(state, rules, scratch, seat)
        missing = 0
        for colour in range(NUM_COLOURS):
            used = min(scratch.needed[colour], state.on_track[seat, colour])
            missing += scratch.needed[colour] - used
            _use(state, seat, colour, used)
        _use(state, seat, LOCOMOTIVE, missing)
        add_points(state, seat, parts.TICKETS, points_of(rules, state.completing[seat]))
        for word in range(TICKET_WORDS):
            chosen = state.completing[seat, word]
            state.ticket_count[seat] -= count_bits(chosen)
            state.tickets[seat, word] &= ~chosen
            state.completed_tickets[seat, word] |= chosen
            state.completing[seat, word] = bits.NONE


@inlined
def _use(state: CardState, seat: int, card: int, number: int) -> None:
    """Discard cards of a pile."""
    state.on_track[seat, card] -= number
    train_cards.discard(state, card, number)


@compiled
def points_of(rules: CardRules, tickets: Array) -> int:
    """Return what the tickets of a set are worth together."""
    points = 0
    for ticket in bits.members(tickets):
        points += rules.ticket_points[ticket]
    return points
