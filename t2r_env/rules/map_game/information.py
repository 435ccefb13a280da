"""Hidden information of a map game (C20): views lack what a seat can't know, determinizations deal it again."""

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled
from t2r_env.core.randomness import seed_rng
from t2r_env.rules import information, ticket_queue
from t2r_env.rules.cards import CARD_TYPES, EMPTY
from t2r_env.rules.map_game.records import HAND, RACK, MapRules, MapState
from t2r_env.rules.names import phases
from t2r_env.rules.state import FROM_DECK, NO_TICKET, TICKET_WORDS, SharedScratch
from t2r_env.rules.turns import is_starting_choice


@compiled
def reduce_to_view(state: MapState, rules: MapRules, seat: int) -> None:
    """Blank all that a seat can't know. Counts stay; hands show only the cards known to be there."""
    information.blank(state, rules, seat)
    if rules.num_racks > 0:
        _blank_racks(state, rules, seat)


@compiled
def determinize(state: MapState, rules: MapRules, scratch: SharedScratch, seed: np.uint64) -> None:
    """Deal again all that the acting seat can't know: every deal that agrees with what it knows is equally likely.

    The deal depends on the seed and on what the seat knows, on nothing else. A view of the seat may take the state's
    place.
    """
    seat = state.current
    seed_rng(state, seed)
    state.decisions = 0
    information.gather_unseen_cards(state, rules)
    _gather_from_other_places(state, rules, seat)
    information.redeal_hands(state, rules, seat)
    for team in range(rules.num_racks):
        if team != rules.team[seat]:
            information.draw_unknown(state, state.rack[team], state.rack_count[team])
    in_deck = state.queue_count
    information.forget_tickets(state, rules, scratch, seat)
    _see_rack_tickets(state, rules, scratch, seat)
    information.redeal_tickets(state, rules, scratch, seat)
    for team in range(rules.num_racks):
        if team != rules.team[seat]:
            for _ in range(state.rack_ticket_count[team]):
                bits.add(state.rack_tickets[team], ticket_queue.draw_ticket(state))
    information.drop_tickets(state, in_deck)
    information.redraw_kept(state, rules, seat)
    if rules.num_racks > 0 and state.phase == phases.SHARE and is_starting_choice(state):  # TA4
        for other in range(seat):
            state.sharing[other] = information.some_ticket(state, state.tickets[other])


# Racks (TA2, TA5)


@compiled
def _blank_racks(state: MapState, rules: MapRules, seat: int) -> None:
    """Blank what is on other teams' racks, or chosen for one (TA4), and a card drawn that is not placed yet."""
    if state.current != seat and state.phase == phases.PLACE and state.drawn_slot == FROM_DECK:
        state.unplaced = EMPTY
    for team in range(rules.num_racks):
        if team != rules.team[seat]:
            for card in range(CARD_TYPES):
                state.rack[team, card] = state.rack_known[team, card]
            state.rack_tickets[team] = bits.NONE
    if state.current != seat:
        state.to_share[:] = bits.NONE
    for other in range(rules.num_seats):
        if other != seat:
            state.sharing[other] = NO_TICKET


@compiled
def _gather_from_other_places(state: MapState, rules: MapRules, seat: int) -> None:
    """See the cards that lie apart for a payment (C2) or between hand and rack (TA5), and those known on racks."""
    for card in range(CARD_TYPES):
        information.see(state, card, state.set_aside[HAND, card] + state.set_aside[RACK, card] + state.revealed[card])
        for team in range(rules.num_racks):
            information.see(state, card, state.rack[team, card])
    if state.unplaced != EMPTY:
        information.see(state, state.unplaced, 1)
    for team in range(rules.num_racks):
        if team != rules.team[seat]:
            information.take_unknown(state, state.rack[team], state.rack_known[team])


@compiled
def _see_rack_tickets(state: MapState, rules: MapRules, scratch: SharedScratch, seat: int) -> None:
    for team in range(rules.num_racks):
        if team == rules.team[seat]:
            for word in range(TICKET_WORDS):
                scratch.open_tickets[word] |= state.rack_tickets[team, word]
        else:
            state.rack_tickets[team] = bits.NONE
