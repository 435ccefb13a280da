"""The set-up of a game, as far as all games have it (C5)."""

from t2r_env.rules import ticket_queue, train_cards
from t2r_env.rules.compiled import compiled
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import LOCOMOTIVE


@compiled
def lay_ticket_deck(state: Record, first: int, end: int) -> None:
    """Make the tickets `first` to `end` - 1 the ticket deck, shuffled; what lay there before leaves the game."""
    ticket_queue.clear(state)
    for ticket in range(first, end):
        ticket_queue.put_under(state, ticket)
    ticket_queue.shuffle(state)


@compiled
def deal_cards(state: Record, rules: Record) -> None:
    """Deal the locomotives that are dealt openly, before the deck is shuffled (UK1, CG2), and hands; turn up a row."""
    for seat in range(rules.num_seats):
        state.deck[LOCOMOTIVE] -= rules.starting_locomotives
        state.deck_count -= rules.starting_locomotives
        state.hand[seat, LOCOMOTIVE] += rules.starting_locomotives
        state.hand_count[seat] += rules.starting_locomotives
        state.known[seat, LOCOMOTIVE] += rules.starting_locomotives
    for seat in range(rules.num_seats):
        for _ in range(rules.starting_hand):
            train_cards.draw_into_hand(state, rules, seat)
    train_cards.restore(state, rules)


@compiled
def offer_tickets(state: Record, rules: Record) -> None:
    """Lay the starting tickets before each seat."""
    for seat in range(rules.num_seats):
        ticket_queue.offer(state, seat, rules.starting_offer)
