"""What a seat can't know (C20): a state without it, and a state in which it is dealt anew."""

import numpy as np

from t2r_env.rules import bits, ticket_queue, train_cards
from t2r_env.rules.card_game import game, scoring, yard
from t2r_env.rules.card_game.state import COMPLETE, NUM_COLOURS, SET_CARDS, SET_LOCOMOTIVES
from t2r_env.rules.compiled import compiled
from t2r_env.rules.information import (
    begin_determinizing,
    blank_shared_unknown,
    clear,
    deal_tickets,
    draw_unknown,
    draw_unknown_of_hands,
    gather_unseen_cards,
    gather_unseen_tickets,
    lacks_cards,
    redraw_decisions,
    see,
    take_unknown,
    take_unknown_of_hands,
)
from t2r_env.rules.randomness import below
from t2r_env.rules.records import Record
from t2r_env.rules.state import TICKET_WORDS
from t2r_env.rules.train_cards import CARD_TYPES, LOCOMOTIVE


@compiled
def blank_unknown(state: Record, rules: Record, seat: int) -> None:
    """Blank all that `seat` can't know. Counts stay; hands show only the cards known to be there."""
    blank_shared_unknown(state, rules, seat)
    for other in range(rules.num_seats):
        if other != seat:
            clear(state.completing[other])


@compiled
def determinize_state(state: Record, rules: Record, scratch: Record, seat: int, seed: np.uint64) -> None:
    """Deal all that `seat` can't know anew: every deal that agrees with what it knows is possible.

    The deal depends on the seed and on what the seat knows, on nothing else. All deals are equally likely, unless
    another seat is just being asked about a set or about a ticket to be completed. What the seat knows of a state
    (`hide`) may take its place.
    """
    begin_determinizing(state, seat, seed)
    if lacks_cards(state, rules):
        _gather_unseen_cards(state, rules)
    take_unknown_of_hands(state, rules, seat)
    if state.current != seat and (state.phase == SET_CARDS or state.phase == SET_LOCOMOTIVES):
        _redeal_player_of_set(state, rules, scratch)
    draw_unknown_of_hands(state, rules, seat)
    _redeal_tickets(state, rules, scratch, seat)
    redraw_decisions(state, rules, seat)
    if state.phase == COMPLETE:
        for other in range(state.current + 1):
            if other != seat:
                _redraw_completions(state, rules, scratch, other)


@compiled
def _gather_unseen_cards(state: Record, rules: Record) -> None:
    """Make a deck of all cards that are not seen anywhere."""
    gather_unseen_cards(state, rules)
    for colour in range(NUM_COLOURS):
        see(state, colour, state.yard_cards[colour])
        see(state, LOCOMOTIVE, state.yard_locomotives[colour])
    for seat in range(rules.num_seats):
        for card in range(CARD_TYPES):
            see(state, card, state.on_track[seat, card])


@compiled
def _redeal_player_of_set(state: Record, rules: Record, scratch: Record) -> None:
    """Deal the cards of the seat that is asked about a set, so that it has a choice: few hands would do otherwise."""
    seat, colour = state.current, state.set_colour
    while game.legal(state, rules, scratch) < 2 or state.hand[seat, colour] < state.set_cards:
        take_unknown(state, state.hand[seat], state.known[seat])
        locomotives = int(below(state, rules.deck[LOCOMOTIVE] + 1))
        if state.phase == SET_CARDS:
            _draw_lacking(state, seat, colour, max(1, yard.least_set(state, seat, colour) - locomotives) + 1)
        else:
            _draw_lacking(state, seat, colour, state.set_cards)
        _draw_lacking(state, seat, LOCOMOTIVE, locomotives)
        draw_unknown(state, state.hand[seat], state.hand_count[seat])


@compiled
def _draw_lacking(state: Record, seat: int, card: int, number: int) -> None:
    """Draw the cards of one kind that a hand lacks, as far as deck and hand allow."""
    lacking = min(number - state.hand[seat, card], state.hand_count[seat] - train_cards.count(state.hand[seat]))
    drawn = max(0, min(lacking, state.deck[card]))
    state.hand[seat, card] += drawn
    state.deck[card] -= drawn
    state.deck_count -= drawn


@compiled
def _redeal_tickets(state: Record, rules: Record, scratch: Record, seat: int) -> None:
    """Shuffle all tickets that the seat does not see and deal as many again as lie in each place."""
    clear(scratch.open_tickets)
    for other in range(rules.num_seats):
        for word in range(TICKET_WORDS):
            scratch.open_tickets[word] |= state.completed_tickets[other, word]
        if other != seat:
            clear(state.tickets[other])
            clear(state.completing[other])
    in_deck = state.queue_count
    gather_unseen_tickets(state, scratch, seat, 0, rules.num_tickets)
    if state.phase == COMPLETE and state.current != seat:
        _deal_completable(state, rules, scratch)
    deal_tickets(state, rules, seat, 0)
    while state.queue_count > in_deck:
        ticket_queue.draw_ticket(state)


@compiled
def _deal_completable(state: Record, rules: Record, scratch: Record) -> None:
    """Deal the seat that is asked which ticket it completes one that it can complete, or it would not be asked."""
    asked = state.current
    for _ in range(state.queue_count):
        ticket = ticket_queue.draw_ticket(state)
        bits.add(state.tickets[asked], ticket)
        if scoring.list_completable(state, rules, scratch, asked, 0) > 0:
            return
        bits.remove(state.tickets[asked], ticket)
        ticket_queue.put_under(state, ticket)


@compiled
def _redraw_completions(state: Record, rules: Record, scratch: Record, other: int) -> None:
    """Choose at random the tickets that another seat completes; who is still asked must be left with one."""
    while True:
        count = scoring.list_completable(state, rules, scratch, other, 0)
        choice = below(state, count + 1)
        if choice == count:
            return
        ticket = scratch.legal[choice]
        bits.add(state.completing[other], ticket)
        if other == state.current and scoring.list_completable(state, rules, scratch, other, 0) == 0:
            bits.remove(state.completing[other], ticket)
            return
