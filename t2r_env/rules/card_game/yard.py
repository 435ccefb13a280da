"""Rail yards and on-track piles: playing into them, moving on, train robbing (CG3, CG4, CG7)."""

from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules import train_cards
from t2r_env.rules.card_game.records import NO_COLOUR, NOBODY, NUM_COLOURS, CardRules, CardState
from t2r_env.rules.cards import CARD_TYPES, LOCOMOTIVE
from t2r_env.rules.names import blocks
from t2r_env.rules.state import SharedScratch

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


# Playing sets, and three cards of three colours (CG7)


@inlined
def list_sets(state: CardState, rules: CardRules, scratch: SharedScratch, count: int) -> int:
    """List the sets that may be begun, after `count` other actions; return how many there are in all."""
    seat = state.current
    locomotives = state.hand[seat, LOCOMOTIVE]
    for colour in range(NUM_COLOURS):
        cards = state.hand[seat, colour]
        if cards > 0 and cards + locomotives >= least_set(state, seat, colour):
            scratch.legal[count] = rules.first_action[blocks.PLAY_SET] + colour
            count += 1
    return count


@inlined
def list_threes(state: CardState, rules: CardRules, scratch: SharedScratch, count: int) -> int:
    """List, after `count` other actions, every three colours that lie in no rail yard: one card robs nobody.

    They are listed by their number among `THREES`.
    """
    seat = state.current
    for third in range(2, NUM_COLOURS):
        if _has_free(state, seat, third):
            for second in range(1, third):
                if _has_free(state, seat, second):
                    for first in range(second):
                        if _has_free(state, seat, first):
                            three = first + second * (second - 1) // 2 + third * (third - 1) * (third - 2) // 6
                            scratch.legal[count] = rules.first_action[blocks.PLAY_THREE] + three
                            count += 1
    return count


@inlined
def _has_free(state: CardState, seat: int, colour: int) -> bool:
    """Whether the seat has a card of a colour that lies in no rail yard."""
    return state.hand[seat, colour] > 0 and state.yard_owner[colour] == NOBODY


# Phases `set_cards` and `set_locomotives`: how many coloured cards and how many locomotives the set has


@inlined
def list_cards(state: CardState, rules: CardRules, scratch: SharedScratch) -> int:
    """List the numbers of coloured cards that, with all locomotives, are enough; return how many there are."""
    seat, colour = state.current, state.set_colour
    least = max(1, least_set(state, seat, colour) - state.hand[seat, LOCOMOTIVE])
    count = 0
    for cards in range(least, state.hand[seat, colour] + 1):
        scratch.legal[count] = rules.first_action[blocks.SET_CARDS] + cards - 1
        count += 1
    return count


@inlined
def list_locomotives(state: CardState, rules: CardRules, scratch: SharedScratch) -> int:
    """List as many locomotives as make the set large enough, up to all; return how many actions there are."""
    seat = state.current
    least = max(0, least_set(state, seat, state.set_colour) - state.set_cards)
    count = 0
    for locomotives in range(least, state.hand[seat, LOCOMOTIVE] + 1):
        scratch.legal[count] = rules.first_action[blocks.SET_LOCOMOTIVES] + locomotives
        count += 1
    return count


@inlined
def lay(state: CardState, locomotives: int) -> None:
    """Lay the row of the set."""
    lay_row(state, state.current, state.set_colour, state.set_cards, locomotives)
    state.set_colour = NO_COLOUR
    state.set_cards = 0


@inlined
def lay_three(state: CardState, rules: CardRules, three: int) -> None:
    """Lay three rows of one card."""
    for index in range(3):
        lay_row(state, state.current, rules.threes[three, index], 1, 0)
