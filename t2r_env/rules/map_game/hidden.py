"""What a seat can't know (C20): a state without it, and a state in which it is dealt anew."""

import numpy as np

from t2r_env.rules import bits, ticket_queue, train_cards
from t2r_env.rules.compiled import compiled, count_bits
from t2r_env.rules.map_game import ferries, payment
from t2r_env.rules.map_game.phases import keep_ticket
from t2r_env.rules.map_game.routes import GRAY
from t2r_env.rules.map_game.state import PAY
from t2r_env.rules.randomness import below, seed_generator
from t2r_env.rules.records import Record
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARD_KINDS, LOCOMOTIVE


@compiled
def hide(state: Record, rules: Record, seat: int) -> None:
    """Blank all that `seat` can't know. Counts stay; another hand shows only the cards known to be in it."""
    state.generator = bits.NONE
    state.decisions = 0  # answers that the core gave for a player are not counted, which would tell of them
    if state.current != seat:
        state.asked = 0
    for card in range(CARD_KINDS):
        state.deck[card] = 0
    in_deck = state.queue_count
    ticket_queue.clear(state)
    state.queue_count = in_deck
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
def deal_anew(state: Record, rules: Record, scratch: Record, seat: int, seed: np.uint64) -> None:
    """Deal all that `seat` can't know anew: every deal that agrees with what it knows is possible.

    The deal depends on the seed and on what the seat knows, on nothing else. All deals are equally likely, unless
    another seat is just being asked how it pays for a lane.
    """
    seed_generator(state, seed)
    _deal_cards_anew(state, rules, scratch, seat)
    _deal_tickets_anew(state, rules, scratch, seat)
    for other in range(rules.num_seats):
        if other != seat:
            _answer_anew(state, rules, other)


@compiled
def _deal_cards_anew(state: Record, rules: Record, scratch: Record, seat: int) -> None:
    """Take the unknown cards of the other hands back into the deck and draw as many again."""
    for other in range(rules.num_seats):
        if other != seat:
            _take_unknown_cards(state, other)
    if state.phase == PAY and state.current != seat:
        _deal_payer_anew(state, rules, scratch)
    for other in range(rules.num_seats):
        if other != seat:
            _draw_unknown_cards(state, other)


@compiled
def _deal_payer_anew(state: Record, rules: Record, scratch: Record) -> None:
    """Deal a hand to the seat that is asked how it pays: it has two ways at least, or it would not be asked."""
    seat = state.current
    ways = 0
    while ways < 2:
        _take_unknown_cards(state, seat)
        _draw_some_payment(state, rules, seat)
        _draw_some_payment(state, rules, seat)
        _draw_unknown_cards(state, seat)
        ways = payment.list_payments(state, rules, scratch, seat, state.lane)


@compiled
def _draw_some_payment(state: Record, rules: Record, seat: int) -> None:
    """Pick a way to pay at random; if the deck and the hand's count allow it, draw the cards that it lacks."""
    price = rules.lane_length[state.lane]
    colour = rules.lane_colour[state.lane]
    if colour == GRAY:
        colour = below(state, GRAY)
    least = ferries.least_locomotives(rules, state.lane)
    locomotives = least + below(state, price - least + 1)
    more_coloured = max(0, price - locomotives - state.hand[seat, colour])
    more_locomotives = max(0, locomotives - state.hand[seat, LOCOMOTIVE])
    if (
        more_coloured + more_locomotives <= _unknown_number(state, seat)
        and more_coloured <= state.deck[colour]
        and more_locomotives <= state.deck[LOCOMOTIVE]
    ):
        state.hand[seat, colour] += more_coloured
        state.deck[colour] -= more_coloured
        state.hand[seat, LOCOMOTIVE] += more_locomotives
        state.deck[LOCOMOTIVE] -= more_locomotives
        state.deck_count -= more_coloured + more_locomotives


@compiled
def _unknown_number(state: Record, seat: int) -> int:
    """How many cards the hand's count says that are not yet dealt to it."""
    number = state.hand_count[seat]
    for card in range(CARD_KINDS):
        number -= state.hand[seat, card]
    return number


@compiled
def _take_unknown_cards(state: Record, seat: int) -> None:
    """Back into the deck."""
    for card in range(CARD_KINDS):
        unknown = state.hand[seat, card] - state.known[seat, card]
        state.hand[seat, card] = state.known[seat, card]
        state.deck[card] += unknown
        state.deck_count += unknown


@compiled
def _draw_unknown_cards(state: Record, seat: int) -> None:
    """Deal the hand as many cards as it lacks."""
    for _ in range(_unknown_number(state, seat)):
        state.hand[seat, train_cards.top_card(state)] += 1


@compiled
def _deal_tickets_anew(state: Record, rules: Record, scratch: Record, seat: int) -> None:
    """Shuffle all tickets that the seat does not see and deal as many again as lie in each place.

    Those left over have left the game. Long tickets lie where they may lie (LA2): on offer at the start, in hands,
    out of the game.
    """
    in_deck = state.queue_count
    for other in range(rules.num_seats):
        if other != seat:
            for word in range(2):
                state.tickets[other, word] = bits.NONE
    _gather_unseen_tickets(state, rules, seat, rules.num_regular, rules.num_tickets)
    if rules.long_offer > 0:
        _deal_long_tickets_anew(state, rules, scratch, seat, in_deck)
    _gather_unseen_tickets(state, rules, seat, 0, rules.num_regular)
    first = rules.long_offer if keep_ticket.is_starting_choice(state) else 0
    for other in range(rules.num_seats):
        if other != seat:
            held = count_bits(state.tickets[other, 0]) + count_bits(state.tickets[other, 1])
            for _ in range(held, state.ticket_count[other]):
                bits.add(state.tickets[other], ticket_queue.draw_ticket(state))
            for place in range(first, state.offered_count[other]):
                state.offered[other, place] = ticket_queue.draw_ticket(state)
    while state.queue_count > in_deck:
        ticket_queue.draw_ticket(state)


@compiled
def _gather_unseen_tickets(state: Record, rules: Record, seat: int, first: int, end: int) -> None:
    """Make a shuffled deck of those of the tickets `first` to `end` - 1 that the seat neither holds nor is offered."""
    ticket_queue.clear(state)
    for ticket in range(first, end):
        seen = bits.contains(state.tickets[seat], ticket)
        for place in range(state.offered_count[seat]):
            seen = seen or state.offered[seat, place] == ticket
        if not seen:
            ticket_queue.put_under(state, ticket)
    ticket_queue.shuffle(state)


@compiled
def _deal_long_tickets_anew(state: Record, rules: Record, scratch: Record, seat: int, in_deck: int) -> None:
    """Deal the others the long tickets that they are offered or may have kept, from a deck of those unseen (LA2)."""
    is_starting_choice = keep_ticket.is_starting_choice(state)
    if not is_starting_choice:
        _spread_long_tickets(state, rules, scratch, seat, in_deck)
    for other in range(rules.num_seats):
        if other != seat and is_starting_choice:
            for place in range(rules.long_offer):
                state.offered[other, place] = ticket_queue.draw_ticket(state)
        elif other != seat:
            for _ in range(scratch.value[other]):
                bits.add(state.tickets[other], ticket_queue.draw_ticket(state))


@compiled
def _spread_long_tickets(state: Record, rules: Record, scratch: Record, seat: int, in_deck: int) -> None:
    """Draw how many long tickets each other seat holds (`scratch.value`), at most as many as it was offered.

    Every place of an unseen ticket in a hand or out of the game is equally likely to have one.
    """
    places = rules.num_tickets - in_deck
    for other in range(rules.num_seats):
        places -= state.offered_count[other]
        if other == seat:
            places -= state.ticket_count[other]
    fits = False
    while not fits:
        fits = True
        for other in range(rules.num_seats):
            scratch.value[other] = 0
        for dealt in range(state.queue_count):
            place = below(state, places - dealt)
            for other in range(rules.num_seats):
                if other != seat and place >= 0:
                    left = state.ticket_count[other] - scratch.value[other]
                    if place < left:
                        scratch.value[other] += 1
                        fits &= scratch.value[other] <= rules.long_offer
                    place -= left


@compiled
def _answer_anew(state: Record, rules: Record, other: int) -> None:
    """Choose at random the answers of another seat that are kept aside (C6)."""
    answered = keep_ticket.answered_number(state, other)
    enough = keep_ticket.must_keep(state, rules, other) - (state.offered_count[other] - answered)
    state.kept[other] = below(state, 1 << answered)
    while ticket_queue.kept_number(state, other) < enough:
        state.kept[other] = below(state, 1 << answered)
