"""Hidden information (C20): what views blank and determinizations deal again, as in all games.

Each ruleset's information.py calls these functions, and its own for what only its rules hide.
"""

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.randomness import below
from t2r_env.core.records import Array
from t2r_env.rules import ticket_choice, ticket_queue, train_cards
from t2r_env.rules.cards import CARD_TYPES, EMPTY, FACE_UP_SLOTS
from t2r_env.rules.state import NO_TICKET, SharedRules, SharedScratch, SharedState
from t2r_env.rules.turns import is_starting_choice


@compiled
def blank(state: SharedState, rules: SharedRules, seat: int) -> None:
    """Blank what a seat can't know. Counts stay; hands show only the cards known to be there."""
    state.rng = bits.NONE
    state.decisions = 0  # it tells whether others have had a choice
    if state.current != seat:
        state.offer_index = 0
    state.deck[:] = 0
    in_deck = state.queue_count
    ticket_queue.clear(state)
    state.queue_count = in_deck
    for other in range(rules.num_seats):
        if other != seat:
            for card in range(CARD_TYPES):
                state.hand[other, card] = state.known[other, card]
            state.tickets[other] = bits.NONE
            state.offered[other] = NO_TICKET
            state.kept[other] = 0


# Train cards: gather those that are unknown, then deal the same number again


@compiled
def gather_unseen_cards(state: SharedState, rules: SharedRules) -> None:
    """Make a deck of the game's cards that lie neither in the discard, nor face up, nor are seen in a hand.

    In a view it gets the cards that hands lack, too. The caller takes out those in the ruleset's other places (`see`).
    """
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
def see(state: SharedState, card: int, number: int) -> None:
    """Take cards that lie elsewhere out of a deck of unseen ones."""
    state.deck[card] -= number
    state.deck_count -= number


@compiled
def redeal_hands(state: SharedState, rules: SharedRules, seat: int) -> None:
    """Put the cards of other hands that a seat can't know into the deck, and deal as many again."""
    for other in range(rules.num_seats):
        if other != seat:
            take_unknown(state, state.hand[other], state.known[other])
    for other in range(rules.num_seats):
        if other != seat:
            draw_unknown(state, state.hand[other], state.hand_count[other])


@compiled
def take_unknown(state: SharedState, cards: Array, known: Array) -> None:
    """Put the unknown cards of a hand or rack back into the deck."""
    for card in range(CARD_TYPES):
        unknown = cards[card] - known[card]
        cards[card] = known[card]
        state.deck[card] += unknown
        state.deck_count += unknown


@compiled
def draw_unknown(state: SharedState, cards: Array, count: int) -> None:
    """Deal a hand or rack the cards that it lacks."""
    for _ in range(train_cards.count(cards), count):
        cards[train_cards.top_card(state)] += 1


# Tickets


@compiled
def some_ticket(state: SharedState, tickets: Array) -> int:
    """Return any ticket of a set, each equally likely; `NO_TICKET` of an empty one."""
    number = bits.count(tickets)
    skip = below(state, number) if number > 0 else 0
    for ticket in bits.members(tickets):
        if skip == 0:
            return ticket
        skip -= 1
    return NO_TICKET


@compiled
def forget_tickets(state: SharedState, rules: SharedRules, scratch: SharedScratch, seat: int) -> None:
    """Take the tickets of other hands away, and begin the set of those that a seat sees without holding them."""
    scratch.open_tickets[:] = bits.NONE
    for other in range(rules.num_seats):
        if other != seat:
            state.tickets[other] = bits.NONE


@compiled
def redeal_tickets(state: SharedState, rules: SharedRules, scratch: SharedScratch, seat: int) -> None:
    """Shuffle all tickets that the seat does not see and deal the other seats as many as they have.

    Long tickets lie where they may lie (LA2): on offer at the start, in hands, out of the game. The caller then deals
    the ruleset's other places, and lets those left over leave the game (`drop_tickets`).
    """
    in_deck = state.queue_count
    _gather_unseen_tickets(state, scratch, seat, rules.num_regular, rules.num_tickets)
    if rules.long_offer > 0:
        _redeal_long_tickets(state, rules, scratch, seat, in_deck)
    _gather_unseen_tickets(state, scratch, seat, 0, rules.num_regular)
    _deal_tickets(state, rules, seat, rules.long_offer if is_starting_choice(state) else 0)


@compiled
def drop_tickets(state: SharedState, in_deck: int) -> None:
    """Leave this many tickets in the deck: the others have left the game."""
    while state.queue_count > in_deck:
        ticket_queue.draw_ticket(state)


@compiled
def _gather_unseen_tickets(state: SharedState, scratch: SharedScratch, seat: int, first: int, end: int) -> None:
    """Make a shuffled deck of those of the tickets `first` to `end` - 1 that the seat can't see.

    It sees those that it holds or is offered, and the `scratch.open_tickets`.
    """
    ticket_queue.clear(state)
    for ticket in range(first, end):
        seen = bits.contains(state.tickets[seat], ticket) or bits.contains(scratch.open_tickets, ticket)
        for index in range(state.offered_count[seat]):
            seen = seen or state.offered[seat, index] == ticket
        if not seen:
            ticket_queue.put_under(state, ticket)
    ticket_queue.shuffle(state)


@compiled
def _deal_tickets(state: SharedState, rules: SharedRules, seat: int, first_index: int) -> None:
    """Deal the other seats the tickets that they lack from the ticket deck, in hand and, from an index on, on offer."""
    for other in range(rules.num_seats):
        if other != seat:
            for _ in range(bits.count(state.tickets[other]), state.ticket_count[other]):
                bits.add(state.tickets[other], ticket_queue.draw_ticket(state))
            for index in range(first_index, state.offered_count[other]):
                state.offered[other, index] = ticket_queue.draw_ticket(state)


@compiled
def _redeal_long_tickets(
    state: SharedState, rules: SharedRules, scratch: SharedScratch, seat: int, in_deck: int
) -> None:
    """Deal the others the long tickets that they are offered or may have kept, from a deck of those unseen (LA2)."""
    is_start = is_starting_choice(state)
    if not is_start:
        _spread_long_tickets(state, rules, scratch, seat, in_deck)
    for other in range(rules.num_seats):
        if other != seat and is_start:
            for index in range(rules.long_offer):
                state.offered[other, index] = ticket_queue.draw_ticket(state)
        elif other != seat:
            for _ in range(scratch.long_tickets[other]):
                bits.add(state.tickets[other], ticket_queue.draw_ticket(state))


@compiled
def _spread_long_tickets(
    state: SharedState, rules: SharedRules, scratch: SharedScratch, seat: int, in_deck: int
) -> None:
    """Draw how many long tickets each other seat holds (`scratch.long_tickets`), at most as many as it was offered.

    Every unseen ticket in a hand or out of the game is equally likely to be one.
    """
    positions = rules.num_tickets - in_deck
    for other in range(rules.num_seats):
        positions -= state.offered_count[other]
        if other == seat:
            positions -= state.ticket_count[other]
    fits = False
    while not fits:
        fits = True
        scratch.long_tickets[:] = 0
        for dealt in range(state.queue_count):
            position = below(state, positions - dealt)
            for other in range(rules.num_seats):
                if other != seat and position >= 0:
                    left = state.ticket_count[other] - scratch.long_tickets[other]
                    if position < left:
                        scratch.long_tickets[other] += 1
                        fits &= scratch.long_tickets[other] <= rules.long_offer
                    position -= left


@compiled
def redraw_kept(state: SharedState, rules: SharedRules, seat: int) -> None:
    """Choose at random what other seats have decided on their tickets; it is kept aside (C6)."""
    for other in range(rules.num_seats):
        if other != seat:
            decided = ticket_choice.decided_number(state, other)
            left = state.offered_count[other] - decided
            enough = ticket_choice.must_keep(state, rules, other) - left
            state.kept[other] = below(state, 1 << decided)
            while ticket_queue.kept_number(state, other) < enough:
                state.kept[other] = below(state, 1 << decided)
