"""Completing tickets (CG10), the end of the game and its bonuses (CG13), ranks (CG14)."""

import numpy as np

from t2r_env.rules import bits, train_cards
from t2r_env.rules.card_game.state import BIG_CITIES, NUM_COLOURS, TICKETS
from t2r_env.rules.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.rules.ranking import add_points, has_most, rank_teams
from t2r_env.rules.records import Record
from t2r_env.rules.state import TICKET_WORDS
from t2r_env.rules.train_cards import LOCOMOTIVE
from t2r_env.variants.variant import CARD_TIE_BREAKS

COMPLETED_TICKETS, BONUS_CARDS = range(len(CARD_TIE_BREAKS))


@compiled
def list_completable(state: Record, rules: Record, scratch: Record, seat: int, first_action: int) -> int:
    """List as answers the tickets that a seat can complete besides those it has chosen; return how many there are."""
    _count_needed(state, rules, scratch, seat)
    count = 0
    for word in range(TICKET_WORDS):
        left = state.tickets[seat, word] & ~state.completing[seat, word]
        while left != bits.NONE:
            ticket = 64 * word + lowest_bit(left)
            left = bits.without_lowest(left)
            if _suffices(state, rules, scratch, seat, ticket):
                scratch.legal[count] = first_action + ticket
                count += 1
    return count


@compiled
def _count_needed(state: Record, rules: Record, scratch: Record, seat: int) -> None:
    """Write the cards that the tickets chosen to be completed take into `scratch.needed`."""
    for colour in range(NUM_COLOURS):
        scratch.needed[colour] = 0
    for word in range(TICKET_WORDS):
        left = state.completing[seat, word]
        while left != bits.NONE:
            ticket = 64 * word + lowest_bit(left)
            left = bits.without_lowest(left)
            for colour in range(NUM_COLOURS):
                scratch.needed[colour] += rules.ticket_cards[ticket, colour]


@inlined
def _suffices(state: Record, rules: Record, scratch: Record, seat: int, ticket: int) -> bool:
    """Whether the pile suffices for one more ticket. A locomotive stands for each coloured card that is missing.

    As coloured cards are used first, which are used does not depend on the order of the tickets.
    """
    missing = 0
    for colour in range(NUM_COLOURS):
        needed = scratch.needed[colour] + rules.ticket_cards[ticket, colour]
        missing += max(0, needed - state.on_track[seat, colour])
    return missing <= state.on_track[seat, LOCOMOTIVE]


@compiled
def settle_completions(state: Record, rules: Record, scratch: Record) -> None:
    """Let the choices of all seats take effect together (C6): points, and the cards used are discarded (CG10)."""
    for seat in range(rules.num_seats):
        _count_needed(state, rules, scratch, seat)
        missing = 0
        for colour in range(NUM_COLOURS):
            used = min(scratch.needed[colour], state.on_track[seat, colour])
            missing += scratch.needed[colour] - used
            _use(state, seat, colour, used)
        _use(state, seat, LOCOMOTIVE, missing)
        add_points(state, seat, TICKETS, _points_of(rules, state.completing[seat]))
        for word in range(TICKET_WORDS):
            chosen = state.completing[seat, word]
            state.ticket_count[seat] -= count_bits(chosen)
            state.tickets[seat, word] &= ~chosen
            state.completed_tickets[seat, word] |= chosen
            state.completing[seat, word] = bits.NONE


@inlined
def _use(state: Record, seat: int, card: int, number: int) -> None:
    """Discard cards of a pile."""
    state.on_track[seat, card] -= number
    train_cards.discard(state, card, number)


@compiled
def _points_of(rules: Record, tickets: np.ndarray) -> int:
    """What the tickets of a set are worth together."""
    points = 0
    for word in range(TICKET_WORDS):
        left = tickets[word]
        while left != bits.NONE:
            points += rules.ticket_points[64 * word + lowest_bit(left)]
            left = bits.without_lowest(left)
    return points


@compiled
def score_game(state: Record, rules: Record, scratch: Record) -> None:
    """Subtract the tickets that are not completed, give the Big City cards (CG13), rank the players (CG14)."""
    for seat in range(rules.num_seats):
        add_points(state, seat, TICKETS, -_points_of(rules, state.tickets[seat]))
        completed = bits.count(state.completed_tickets[seat])
        state.completed[seat] = completed
        state.failed[seat] = state.ticket_count[seat]
        scratch.standing[COMPLETED_TICKETS, seat] = completed
        scratch.standing[BONUS_CARDS, seat] = 0
    for city in range(rules.num_bonus_cards):
        _give_bonus_card(state, rules, scratch, city)
    rank_teams(state, rules, scratch)


@compiled
def _give_bonus_card(state: Record, rules: Record, scratch: Record, city: int) -> None:
    """To the player with the most completed tickets that name the city; who ties for it gets its points too (CG13)."""
    for seat in range(rules.num_seats):
        scratch.value[seat] = 0
        for word in range(TICKET_WORDS):
            scratch.value[seat] += count_bits(state.completed_tickets[seat, word] & rules.naming[city, word])
    for seat in range(rules.num_seats):
        if has_most(rules, scratch.value, seat):
            add_points(state, seat, BIG_CITIES, rules.bonus_points[city])
            scratch.standing[BONUS_CARDS, seat] += 1
