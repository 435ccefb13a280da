"""What a seat can't know (C20) in all games: cards of other hands, tickets, the order of the decks."""

import numpy as np

from t2r_env.rules import bits, ticket_choice, ticket_queue, train_cards
from t2r_env.rules.compiled import compiled, inlined, lowest_bit
from t2r_env.rules.randomness import below, seed_rng
from t2r_env.rules.records import Record
from t2r_env.rules.state import KEEP_TICKET, TICKET_WORDS
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARD_TYPES, EMPTY, FACE_UP_SLOTS


@compiled
def blank_shared_unknown(state: Record, rules: Record, seat: int) -> None:
    """Blank what `seat` can't know in any game. Counts stay; hands show only the cards known to be there."""
    state.rng = bits.NONE
    state.decisions = 0  # answers that the core gave for a player are not counted, which would tell of them
    if state.current != seat:
        state.offer_index = 0
    for card in range(CARD_TYPES):
        state.deck[card] = 0
    in_deck = state.queue_count
    ticket_queue.clear(state)
    state.queue_count = in_deck
    for other in range(rules.num_seats):
        if other != seat:
            for card in range(CARD_TYPES):
                state.hand[other, card] = state.known[other, card]
            clear(state.tickets[other])
            for place in range(state.offered_count[other]):
                state.offered[other, place] = NO_TICKET
            state.kept[other] = 0


@compiled
def begin_determinizing(state: Record, seat: int, seed: np.uint64) -> None:
    """Before all that `seat` can't know is dealt anew: chance comes from the seed, and of another's tickets on offer
    any may be the one in decision."""
    seed_rng(state, seed)
    state.decisions = 0
    if state.phase == KEEP_TICKET and state.current != seat:
        state.offer_index = below(state, state.offered_count[state.current])


# Sets of tickets


@inlined
def clear(tickets: np.ndarray) -> None:
    """Empty a set of tickets."""
    for word in range(TICKET_WORDS):
        tickets[word] = bits.NONE


@compiled
def some_ticket(state: Record, tickets: np.ndarray) -> int:
    """Any ticket of a set, each equally likely; `NO_TICKET` of an empty one."""
    number = bits.count(tickets)
    skip = below(state, number) if number > 0 else 0
    for word in range(TICKET_WORDS):
        left = tickets[word]
        while left != bits.NONE:
            if skip == 0:
                return 64 * word + lowest_bit(left)
            left = bits.without_lowest(left)
            skip -= 1
    return NO_TICKET


# Train cards


@compiled
def lacks_cards(state: Record, rules: Record) -> bool:
    """Whether deck or hands lack cards that are counted: the state is only what a seat knows of it (`hide`)."""
    lacking = state.deck_count - train_cards.count(state.deck)
    for seat in range(rules.num_seats):
        lacking += state.hand_count[seat] - train_cards.count(state.hand[seat])
    return lacking > 0


@compiled
def gather_unseen_cards(state: Record, rules: Record) -> None:
    """Make a deck of the game's cards that lie neither on the discard nor in the row or hands."""
    state.deck_count = 0
    for card in range(CARD_TYPES):
        state.deck[card] = rules.deck[card]
        state.deck_count += rules.deck[card]
        see(state, card, state.discard[card])
        for seat in range(rules.num_seats):
            see(state, card, state.hand[seat, card])
    for slot in range(FACE_UP_SLOTS):
        if state.face_up[slot] != EMPTY:
            see(state, state.face_up[slot], 1)


@inlined
def see(state: Record, card: int, number: int) -> None:
    """Take cards that lie elsewhere out of a deck of unseen ones."""
    state.deck[card] -= number
    state.deck_count -= number


@compiled
def take_unknown(state: Record, cards: np.ndarray, known: np.ndarray) -> None:
    """Put the unknown cards of a hand or rack back into the deck."""
    for card in range(CARD_TYPES):
        unknown = cards[card] - known[card]
        cards[card] = known[card]
        state.deck[card] += unknown
        state.deck_count += unknown


@compiled
def draw_unknown(state: Record, cards: np.ndarray, count: int) -> None:
    """Deal a hand or rack as many cards as it lacks."""
    for _ in range(train_cards.count(cards), count):
        cards[train_cards.top_card(state)] += 1


@compiled
def take_unknown_of_hands(state: Record, rules: Record, seat: int) -> None:
    """Put the unknown cards of all hands but the seat's own back into the deck."""
    for other in range(rules.num_seats):
        if other != seat:
            take_unknown(state, state.hand[other], state.known[other])


@compiled
def draw_unknown_of_hands(state: Record, rules: Record, seat: int) -> None:
    """Deal all hands but the seat's own as many cards as they lack."""
    for other in range(rules.num_seats):
        if other != seat:
            draw_unknown(state, state.hand[other], state.hand_count[other])


# Tickets


@compiled
def deal_tickets(state: Record, rules: Record, seat: int, first_place: int) -> None:
    """Deal the other seats from the ticket deck as many tickets as they lack, in hand and on offer from a place on."""
    for other in range(rules.num_seats):
        if other != seat:
            for _ in range(bits.count(state.tickets[other]), state.ticket_count[other]):
                bits.add(state.tickets[other], ticket_queue.draw_ticket(state))
            for place in range(first_place, state.offered_count[other]):
                state.offered[other, place] = ticket_queue.draw_ticket(state)


@compiled
def gather_unseen_tickets(state: Record, scratch: Record, seat: int, first: int, end: int) -> None:
    """Make a shuffled deck of those of the tickets `first` to `end` - 1 that the seat can't see.

    It sees those that it holds or is offered, and the `scratch.open_tickets`.
    """
    ticket_queue.clear(state)
    for ticket in range(first, end):
        seen = bits.contains(state.tickets[seat], ticket) or bits.contains(scratch.open_tickets, ticket)
        for place in range(state.offered_count[seat]):
            seen = seen or state.offered[seat, place] == ticket
        if not seen:
            ticket_queue.put_under(state, ticket)
    ticket_queue.shuffle(state)


@compiled
def redraw_decisions(state: Record, rules: Record, seat: int) -> None:
    """Choose at random the answers of the other seats that are kept aside (C6)."""
    for other in range(rules.num_seats):
        if other != seat:
            _redraw_decisions_of(state, rules, other)


@compiled
def _redraw_decisions_of(state: Record, rules: Record, other: int) -> None:
    decided = ticket_choice.decided_number(state, other)
    left = state.offered_count[other] - decided
    if other == state.current and left > 0:
        left -= 1  # the ticket to decide on: it may be refused, or it would not be asked about
    enough = ticket_choice.must_keep(state, rules, other) - left
    state.kept[other] = below(state, 1 << decided)
    while ticket_queue.kept_number(state, other) < enough:
        state.kept[other] = below(state, 1 << decided)
