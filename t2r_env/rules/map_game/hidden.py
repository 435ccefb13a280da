"""What a seat can't know (C20): a state without it, and a state in which it is dealt anew."""

import numpy as np

from t2r_env.rules import bits, ticket_queue, train_cards
from t2r_env.rules.compiled import compiled, lowest_bit
from t2r_env.rules.map_game.phases import keep_ticket
from t2r_env.rules.randomness import below, seed_generator
from t2r_env.rules.records import Record
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARD_KINDS


@compiled
def hide(state: Record, rules: Record, seat: int) -> None:
    """Blank all that `seat` can't know. Counts stay; another hand shows only the cards known to be in it."""
    state.generator = bits.NONE
    state.decisions = 0  # answers that the core gave for a player are not counted, which would tell of them
    if state.current != seat:
        state.asked = 0
    for card in range(CARD_KINDS):
        state.deck[card] = 0
    for index in range(state.ticket_queue.size):
        state.ticket_queue[index] = NO_TICKET
    state.queue_head = 0
    for other in range(rules.num_seats):
        if other != seat:
            for card in range(CARD_KINDS):
                state.hand[other, card] = state.known[other, card]
            for word in range(2):
                state.tickets[other, word] = bits.NONE
            for place in range(state.offered_count[other]):
                state.offered[other, place] = NO_TICKET
            state.kept[other] = 0


@compiled
def deal_anew(state: Record, rules: Record, seat: int, seed: np.uint64) -> None:
    """Deal all that `seat` can't know anew: every deal that agrees with what it knows is possible."""
    seed_generator(state, seed)
    _deal_cards_anew(state, rules, seat)
    _deal_tickets_anew(state, rules, seat)
    for other in range(rules.num_seats):
        if other != seat:
            _answer_anew(state, rules, other)


@compiled
def _deal_cards_anew(state: Record, rules: Record, seat: int) -> None:
    """Take the unknown cards of the other hands back into the deck and draw as many again."""
    for other in range(rules.num_seats):
        if other != seat:
            for card in range(CARD_KINDS):
                unknown = state.hand[other, card] - state.known[other, card]
                state.hand[other, card] = state.known[other, card]
                state.deck[card] += unknown
                state.deck_count += unknown
    for other in range(rules.num_seats):
        if other != seat:
            unknown = state.hand_count[other]
            for card in range(CARD_KINDS):
                unknown -= state.known[other, card]
            for _ in range(unknown):
                state.hand[other, train_cards.top_card(state)] += 1


@compiled
def _deal_tickets_anew(state: Record, rules: Record, seat: int) -> None:
    """Take the tickets before and in the hands of the others back under the deck, shuffle it and deal as many again."""
    for other in range(rules.num_seats):
        if other != seat:
            for word in range(2):
                held = state.tickets[other, word]
                while held != bits.NONE:
                    ticket_queue.put_under(state, 64 * word + lowest_bit(held))
                    held = bits.without_lowest(held)
                state.tickets[other, word] = bits.NONE
            for place in range(state.offered_count[other]):
                ticket_queue.put_under(state, state.offered[other, place])
    ticket_queue.shuffle(state)
    for other in range(rules.num_seats):
        if other != seat:
            for _ in range(state.ticket_count[other]):
                bits.add(state.tickets[other], ticket_queue.draw_ticket(state))
            for place in range(state.offered_count[other]):
                state.offered[other, place] = ticket_queue.draw_ticket(state)


@compiled
def _answer_anew(state: Record, rules: Record, other: int) -> None:
    """Choose at random the answers of another seat that are kept aside (C6)."""
    answered = keep_ticket.answered_number(state, other)
    enough = keep_ticket.must_keep(state, rules, other) - (state.offered_count[other] - answered)
    state.kept[other] = below(state, 1 << answered)
    while ticket_queue.kept_number(state, other) < enough:
        state.kept[other] = below(state, 1 << answered)
