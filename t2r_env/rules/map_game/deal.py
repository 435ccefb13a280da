"""The set-up of a game (C5)."""

from t2r_env.rules import ticket_queue, train_cards
from t2r_env.rules.compiled import compiled
from t2r_env.rules.map_game.state import KEEP_TICKET
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import LOCOMOTIVE


@compiled
def deal(state: Record, rules: Record) -> None:
    """From an opening state with a seeded generator: shuffle, deal hands, turn up the row, offer tickets."""
    # the long tickets first: what is left of their deck leaves the game (LA2)
    ticket_queue.clear(state)
    for ticket in range(rules.num_regular, rules.num_tickets):
        ticket_queue.put_under(state, ticket)
    ticket_queue.shuffle(state)
    for seat in range(rules.num_seats):
        ticket_queue.offer(state, seat, rules.long_offer)
    ticket_queue.clear(state)
    for ticket in range(rules.num_regular):
        ticket_queue.put_under(state, ticket)
    ticket_queue.shuffle(state)
    for seat in range(rules.num_seats):
        # dealt openly, before the deck is shuffled (UK1)
        state.deck[LOCOMOTIVE] -= rules.starting_locomotives
        state.deck_count -= rules.starting_locomotives
        state.hand[seat, LOCOMOTIVE] += rules.starting_locomotives
        state.hand_count[seat] += rules.starting_locomotives
        state.known[seat, LOCOMOTIVE] += rules.starting_locomotives
    for seat in range(rules.num_seats):
        for _ in range(rules.starting_hand):
            train_cards.draw_into_hand(state, seat)
    train_cards.restore(state, rules)
    for seat in range(rules.num_seats):
        ticket_queue.offer(state, seat, rules.starting_offer)
    state.current = 0
    state.phase = KEEP_TICKET
