"""The set-up of a map game (C5)."""

from t2r_env.rules import ticket_queue
from t2r_env.rules.compiled import compiled
from t2r_env.rules.deal import deal_cards, lay_ticket_deck, offer_tickets
from t2r_env.rules.records import Record
from t2r_env.rules.state import KEEP_TICKET


@compiled
def deal(state: Record, rules: Record) -> None:
    """From an opening state with a seeded generator: shuffle, deal hands, turn up the row, offer tickets."""
    # the long tickets first: what is left of their deck leaves the game (LA2)
    lay_ticket_deck(state, rules.num_regular, rules.num_tickets)
    for seat in range(rules.num_seats):
        ticket_queue.offer(state, seat, rules.long_offer)
    lay_ticket_deck(state, 0, rules.num_regular)
    deal_cards(state, rules)
    offer_tickets(state, rules)
    state.current = 0
    state.phase = KEEP_TICKET
