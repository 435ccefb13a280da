"""What a seat can't know (C20): a state without it, and a state in which it is dealt anew."""

import numpy as np

from t2r_env.rules import bits, ticket_choice, ticket_queue, train_cards
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
    some_ticket,
    take_unknown,
    take_unknown_of_hands,
)
from t2r_env.rules.map_game import actions, ferries, game, payment, racks, technologies
from t2r_env.rules.map_game.phases import from_rack, pay, share
from t2r_env.rules.map_game.state import (
    FROM_RACK,
    GRAY,
    HAND,
    PAY,
    PLACE,
    RACK,
    RIGHT_OF_WAY,
    SECOND_CLAIM,
    TUNNEL,
    TURN,
)
from t2r_env.rules.randomness import below
from t2r_env.rules.records import Record
from t2r_env.rules.state import FROM_DECK, TICKET_WORDS
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import CARD_TYPES, EMPTY, LOCOMOTIVE


@compiled
def blank_unknown(state: Record, rules: Record, seat: int) -> None:
    """Blank all that `seat` can't know. Counts stay; hands and racks show only the cards known to be there."""
    blank_shared_unknown(state, rules, seat)
    if state.current != seat:
        clear(state.to_share)
        if state.drawn_slot == FROM_DECK:
            state.unplaced = EMPTY
    for other in range(rules.num_seats):
        if other != seat:
            state.sharing[other] = NO_TICKET
    for team in range(rules.num_racks):
        if team != rules.team[seat]:
            for card in range(CARD_TYPES):
                state.rack[team, card] = state.rack_known[team, card]
            clear(state.rack_tickets[team])


@compiled
def determinize_state(state: Record, rules: Record, scratch: Record, seat: int, seed: np.uint64) -> None:
    """Deal all that `seat` can't know anew: every deal that agrees with what it knows is possible.

    The deal depends on the seed and on what the seat knows, on nothing else. All deals are equally likely, unless
    another seat is just being asked about a payment. What the asked seat knows of a state (`hide`) may take its place.
    """
    begin_determinizing(state, seat, seed)
    to_share = bits.count(state.to_share)
    _redeal_cards(state, rules, scratch, seat)
    _redeal_tickets(state, rules, scratch, seat)
    redraw_decisions(state, rules, seat)
    for other in range(rules.num_seats):
        if other != seat and share.has_chosen(state, other):
            state.sharing[other] = some_ticket(state, state.tickets[other])
    if state.current != seat:
        _redraw_to_share(state, to_share)


@compiled
def _redraw_to_share(state: Record, number: int) -> None:
    """Let the decision be about so many tickets of the asked seat: how many it kept, all have seen (TA7)."""
    clear(state.to_share)
    while number > 0:
        ticket = some_ticket(state, state.tickets[state.current])
        if not bits.contains(state.to_share, ticket):
            bits.add(state.to_share, ticket)
            number -= 1


# Train cards


@compiled
def _redeal_cards(state: Record, rules: Record, scratch: Record, seat: int) -> None:
    """Take the unknown cards of hands and racks back into the deck and draw as many again."""
    is_drawn_hidden = state.current != seat and state.phase == PLACE and state.drawn_slot == FROM_DECK
    if _lacks_cards(state, rules):
        _gather_unseen_cards(state, rules)
    elif is_drawn_hidden:
        state.deck[state.unplaced] += 1
        state.deck_count += 1
    take_unknown_of_hands(state, rules, seat)
    for team in range(rules.num_racks):
        if team != rules.team[seat]:
            take_unknown(state, state.rack[team], state.rack_known[team])
    if state.current != seat and _least_actions(state, rules) > 0:
        is_rack_hidden = rules.num_racks > 0 and rules.team[state.current] != rules.team[seat]
        _redeal_payer(state, rules, scratch, is_rack_hidden)
    draw_unknown_of_hands(state, rules, seat)
    for team in range(rules.num_racks):
        if team != rules.team[seat]:
            draw_unknown(state, state.rack[team], state.rack_count[team])
    if is_drawn_hidden:
        state.unplaced = train_cards.top_card(state)


@compiled
def _lacks_cards(state: Record, rules: Record) -> bool:
    """Whether cards of decks, hands and racks are lacking."""
    lacks = lacks_cards(state, rules)
    for team in range(rules.num_racks):
        lacks = lacks or state.rack_count[team] > train_cards.count(state.rack[team])
    return lacks


@compiled
def _gather_unseen_cards(state: Record, rules: Record) -> None:
    """Make a deck of all cards that are not seen anywhere."""
    gather_unseen_cards(state, rules)
    for card in range(CARD_TYPES):
        for team in range(rules.num_racks):
            see(state, card, state.rack[team, card])
        for place in (HAND, RACK):
            see(state, card, state.set_aside[place, card])
        see(state, card, state.revealed[card])
    if state.unplaced != EMPTY:
        see(state, state.unplaced, 1)


@compiled
def _least_actions(state: Record, rules: Record) -> int:
    """How many answers the cards of the asked seat must allow: two, or it would not be asked; 0: any cards do."""
    if state.phase == TURN:
        return 1 if technologies.was_bought(state, rules.technology_with[RIGHT_OF_WAY]) else 0
    is_about_cards = state.phase == PAY or state.phase == FROM_RACK or state.phase == TUNNEL
    return 2 if is_about_cards or state.phase == SECOND_CLAIM else 0


@compiled
def _redeal_payer(state: Record, rules: Record, scratch: Record, is_rack_hidden: bool) -> None:
    """Deal the cards of the seat that is asked about a payment or a claim, so that it has count enough.

    Payments that it might make are picked at random, and cards drawn for them first: few hands would do otherwise.
    """
    seat = state.current
    team = rules.team[seat]
    count = 0
    while count < _least_actions(state, rules):
        take_unknown(state, state.hand[seat], state.known[seat])
        if is_rack_hidden:
            take_unknown(state, state.rack[team], state.rack_known[team])
        for _ in range(2):
            _draw_some_payment(state, rules, seat, is_rack_hidden)
        draw_unknown(state, state.hand[seat], state.hand_count[seat])
        if is_rack_hidden:
            draw_unknown(state, state.rack[team], state.rack_count[team])
        count = game.legal(state, rules, scratch)


@compiled
def _draw_some_payment(state: Record, rules: Record, seat: int, is_rack_hidden: bool) -> None:
    """Pick a way to answer at random, and draw the cards that it takes, as far as there are any."""
    if state.phase == TURN or state.phase == SECOND_CLAIM:
        route = int(below(state, rules.num_routes))
        coloured = payment.price(state, rules, seat, route)
        locomotives = ferries.least_locomotives(rules, route)
        coloured -= locomotives
        colour = rules.route_colour[route]
        if colour == GRAY:
            colour = int(below(state, GRAY))
    elif state.phase == PAY:
        cards, symbols, colour = (
            pay.cards_due(state, rules),
            pay.symbols_due(state, rules),
            pay.colour_due(state, rules),
        )
        if colour == GRAY:
            colour = int(below(state, GRAY))
        locomotives = symbols + int(below(state, cards - symbols + 1))
        coloured = cards - locomotives
        if rules.exchange > 0:
            locomotives = int(below(state, locomotives + 1))
    else:
        colour = actions.payment_colour(rules, state.payment)
        if state.phase == FROM_RACK:
            coloured, locomotives = from_rack.coloured_due(state, rules), from_rack.locomotives_due(state, rules)
        else:
            locomotives = state.due if colour == LOCOMOTIVE else int(below(state, state.due + 1))
            coloured = state.due - locomotives
    if colour != LOCOMOTIVE:
        _draw_lacking(state, rules, seat, colour, coloured, is_rack_hidden)
    _draw_lacking(state, rules, seat, LOCOMOTIVE, locomotives, is_rack_hidden)


@compiled
def _draw_lacking(state: Record, rules: Record, seat: int, card: int, number: int, is_rack_hidden: bool) -> None:
    """Draw the cards of one kind that hand and rack lack, into either, as far as deck and counts allow."""
    team = rules.team[seat]
    for _ in range(racks.held(state, rules, seat, card), number):
        if state.deck[card] > 0:
            to_hand = state.hand_count[seat] > train_cards.count(state.hand[seat])
            to_rack = is_rack_hidden and state.rack_count[team] > train_cards.count(state.rack[team])
            if to_hand and to_rack:
                to_hand = below(state, 2) == 0
            if to_hand:
                state.hand[seat, card] += 1
            elif to_rack:
                state.rack[team, card] += 1
            if to_hand or to_rack:
                state.deck[card] -= 1
                state.deck_count -= 1


# Tickets


@compiled
def _redeal_tickets(state: Record, rules: Record, scratch: Record, seat: int) -> None:
    """Shuffle all tickets that the seat does not see and deal as many again as lie in each place.

    Those left over have left the game. Long tickets lie where they may lie (LA2): on offer at the start, in hands,
    out of the game.
    """
    in_deck = state.queue_count
    clear(scratch.open_tickets)
    if rules.num_racks > 0:
        for word in range(TICKET_WORDS):
            scratch.open_tickets[word] = state.rack_tickets[rules.team[seat], word]
    for other in range(rules.num_seats):
        if other != seat:
            clear(state.tickets[other])
    for team in range(rules.num_racks):
        if team != rules.team[seat]:
            clear(state.rack_tickets[team])
    gather_unseen_tickets(state, scratch, seat, rules.num_regular, rules.num_tickets)
    if rules.long_offer > 0:
        _redeal_long_tickets(state, rules, scratch, seat, in_deck)
    gather_unseen_tickets(state, scratch, seat, 0, rules.num_regular)
    deal_tickets(state, rules, seat, rules.long_offer if ticket_choice.is_starting_choice(state) else 0)
    for team in range(rules.num_racks):
        if team != rules.team[seat]:
            for _ in range(state.rack_ticket_count[team]):
                bits.add(state.rack_tickets[team], ticket_queue.draw_ticket(state))
    while state.queue_count > in_deck:
        ticket_queue.draw_ticket(state)


@compiled
def _redeal_long_tickets(state: Record, rules: Record, scratch: Record, seat: int, in_deck: int) -> None:
    """Deal the others the long tickets that they are offered or may have kept, from a deck of those unseen (LA2)."""
    is_starting_choice = ticket_choice.is_starting_choice(state)
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
