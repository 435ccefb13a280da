"""The set-up of a game (C5, CG2)."""

from t2r_env.core.compiled import compiled
from t2r_env.rules import ticket_queue, train_cards
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.names import phases
from t2r_env.rules.state import SharedRules, SharedState


@compiled
def deal(state: SharedState, rules: SharedRules) -> None:
    """Shuffle, deal hands, turn up cards and offer tickets, in an opening state with a seeded generator."""
    # the long tickets first: what is left of their deck leaves the game (LA2)
    _lay_ticket_deck(state, rules.num_regular, rules.num_tickets)
    for seat in range(rules.num_seats):
        ticket_queue.offer(state, seat, rules.long_offer)
    _lay_ticket_deck(state, 0, rules.num_regular)
    _deal_cards(state, rules)
    for seat in range(rules.num_seats):
        ticket_queue.offer(state, seat, rules.starting_offer)
    state.current = 0
    state.phase = phases.KEEP_TICKET


@compiled
def _lay_ticket_deck(state: SharedState, first: int, end: int) -> None:
    """Make the tickets `first` to `end` - 1 the ticket deck, shuffled; what lay there before leaves the game."""
    ticket_queue.clear(state)
    for ticket in range(first, end):
        ticket_queue.put_under(state, ticket)
    ticket_queue.shuffle(state)


@compiled
def _deal_cards(state: SharedState, rules: SharedRules) -> None:
    """Deal locomotives openly, before the deck is shuffled (UK1, CG2), then hands; turn up the face-up cards."""
    for seat in range(rules.num_seats):
        for _ in range(rules.starting_locomotives):
            state.deck[LOCOMOTIVE] -= 1
            state.deck_count -= 1
            train_cards.give(state, seat, LOCOMOTIVE, True)
    for seat in range(rules.num_seats):
        for _ in range(rules.starting_hand):
            train_cards.draw_into_hand(state, rules, seat)
    train_cards.restore(state, rules)
