"""Hidden information of a card game (C20): views lack what a seat can't know, determinizations deal it again."""

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled
from t2r_env.core.randomness import below, seed_rng
from t2r_env.rules import information
from t2r_env.rules.card_game.completing import list_completable
from t2r_env.rules.card_game.records import NUM_COLOURS, CardRules, CardState
from t2r_env.rules.cards import CARD_TYPES, LOCOMOTIVE
from t2r_env.rules.names import blocks, phases
from t2r_env.rules.state import TICKET_WORDS, SharedScratch


@compiled
def reduce_to_view(state: CardState, rules: CardRules, seat: int) -> None:
    """Blank all that a seat can't know. Counts stay; hands show only the cards known to be there."""
    information.blank(state, rules, seat)
    for other in range(rules.num_seats):
        if other != seat:
            state.completing[other] = bits.NONE


@compiled
def determinize(state: CardState, rules: CardRules, scratch: SharedScratch, seed: np.uint64) -> None:
    """Deal again all that the acting seat can't know: every deal that agrees with what it knows is equally likely.

    What others complete in a scoring is chosen at random.
    """
    seat = state.current
    seed_rng(state, seed)
    state.decisions = 0
    information.gather_unseen_cards(state, rules)
    _see_yards(state, rules)
    information.redeal_hands(state, rules, seat)
    in_deck = state.queue_count
    information.forget_tickets(state, rules, scratch, seat)
    _see_completed_tickets(state, rules, scratch, seat)
    information.redeal_tickets(state, rules, scratch, seat)
    information.drop_tickets(state, in_deck)
    information.redraw_kept(state, rules, seat)
    if state.phase == phases.COMPLETE:
        for other in range(seat):
            _redraw_completions(state, rules, scratch, other)


@compiled
def _see_yards(state: CardState, rules: CardRules) -> None:
    for colour in range(NUM_COLOURS):
        information.see(state, colour, state.yard_cards[colour])
        information.see(state, LOCOMOTIVE, state.yard_locomotives[colour])
    for seat in range(rules.num_seats):
        for card in range(CARD_TYPES):
            information.see(state, card, state.on_track[seat, card])


@compiled
def _see_completed_tickets(state: CardState, rules: CardRules, scratch: SharedScratch, seat: int) -> None:
    for other in range(rules.num_seats):
        for word in range(TICKET_WORDS):
            scratch.open_tickets[word] |= state.completed_tickets[other, word]
        if other != seat:
            state.completing[other] = bits.NONE


@compiled
def _redraw_completions(state: CardState, rules: CardRules, scratch: SharedScratch, other: int) -> None:
    """Choose at random the tickets that another seat completes."""
    while True:
        count = list_completable(state, rules, scratch, other)
        choice = below(state, count + 1)
        if choice == count:
            return
        bits.add(state.completing[other], scratch.legal[choice] - rules.first_action[blocks.COMPLETE])
