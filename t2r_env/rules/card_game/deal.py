"""The set-up (CG2), and the second deck of a game with four players (CG12)."""

from t2r_env.rules import train_cards
from t2r_env.rules.card_game import yard
from t2r_env.rules.compiled import compiled
from t2r_env.rules.deal import deal_cards, lay_ticket_deck, offer_tickets
from t2r_env.rules.records import Record
from t2r_env.rules.state import KEEP_TICKET
from t2r_env.rules.train_cards import EMPTY, FACE_UP_SLOTS


@compiled
def deal(state: Record, rules: Record) -> None:
    """From an opening state with a seeded generator: shuffle, deal hands, turn up the row, offer tickets."""
    lay_ticket_deck(state, 0, rules.num_tickets)
    deal_cards(state, rules)
    begin_last_round_if_empty(state, rules)
    offer_tickets(state, rules)
    state.current = 0
    state.phase = KEEP_TICKET


@compiled
def deal_second_deck(state: Record, rules: Record) -> None:
    """All train cards but those in hands make the new deck; each seat is dealt some of it (CG12)."""
    yard.discard_all(state, rules)
    for slot in range(FACE_UP_SLOTS):
        if state.face_up[slot] != EMPTY:
            train_cards.discard(state, train_cards.take_face_up(state, slot), 1)
    train_cards.reshuffle(state)
    for _ in range(rules.second_deck_hand):
        for distance in range(rules.num_seats):
            seat = state.resuming + distance
            if state.deck_count > 0:
                train_cards.draw_into_hand(state, rules, seat if seat < rules.num_seats else seat - rules.num_seats)
    train_cards.restore(state, rules)
    begin_last_round_if_empty(state, rules)


@compiled
def begin_last_round_if_empty(state: Record, rules: Record) -> None:
    """Every seat has one more turn, if the deck is empty (CG9)."""
    if state.deck_count == 0:
        state.last_turns_left = rules.num_seats
