"""Rail yards and on-track piles (CG3, CG4, CG7)."""

from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules import train_cards
from t2r_env.rules.card_game.records import NOBODY, NUM_COLOURS, CardRules, CardState
from t2r_env.rules.cards import CARD_TYPES, LOCOMOTIVE

_NEVER = 1_000
"""More cards than anybody has."""


@inlined
def least_set(state: CardState, seat: int, colour: int) -> int:
    """Return how many cards a set must have for the seat to play it: two, or more than an opponent's row has (CG7)."""
    owner = state.yard_owner[colour]
    if owner == NOBODY:
        return 2
    if owner == seat:
        return _NEVER
    return state.yard_cards[colour] + state.yard_locomotives[colour] + 1


@inlined
def lay_row(state: CardState, seat: int, colour: int, cards: int, locomotives: int) -> None:
    """Lay a row from the hand; an opponent's row of the colour is discarded: train robbing (CG7)."""
    train_cards.discard(state, colour, state.yard_cards[colour])
    train_cards.discard(state, LOCOMOTIVE, state.yard_locomotives[colour])
    train_cards.take_away(state, seat, colour, cards)
    train_cards.take_away(state, seat, LOCOMOTIVE, locomotives)
    state.yard_owner[colour] = seat
    state.yard_cards[colour] = cards
    state.yard_locomotives[colour] = locomotives


@inlined
def move_to_track(state: CardState, seat: int) -> None:
    """Put one card of each of the seat's rows on its pile, the coloured ones first (CG4)."""
    for colour in range(NUM_COLOURS):
        if state.yard_owner[colour] == seat:
            if state.yard_cards[colour] > 0:
                state.yard_cards[colour] -= 1
                state.on_track[seat, colour] += 1
            else:
                state.yard_locomotives[colour] -= 1
                state.on_track[seat, LOCOMOTIVE] += 1
            if state.yard_cards[colour] + state.yard_locomotives[colour] == 0:  # the colour is left to all
                state.yard_owner[colour] = NOBODY


@compiled
def discard_all(state: CardState, rules: CardRules) -> None:
    """Discard all rows and piles (CG12)."""
    for colour in range(NUM_COLOURS):
        train_cards.discard(state, colour, state.yard_cards[colour])
        train_cards.discard(state, LOCOMOTIVE, state.yard_locomotives[colour])
        state.yard_owner[colour] = NOBODY
        state.yard_cards[colour] = 0
        state.yard_locomotives[colour] = 0
    for seat in range(rules.num_seats):
        for card in range(CARD_TYPES):
            train_cards.discard(state, card, state.on_track[seat, card])
            state.on_track[seat, card] = 0
