"""Train cards: deck, discard, row and hands (C1-C4). Shared by all games: both State records name these fields alike.

The deck and the discard are counts by colour. A blind draw picks one of the cards left, each equally likely, which is
the same as the top card of a shuffled deck.
"""

from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.randomness import below
from t2r_env.rules.records import Record
from t2r_env.variants import COLOURS

CARDS = (*COLOURS, "locomotive")
"""The kinds of train cards, by number."""

CARD_TYPES = len(CARDS)
LOCOMOTIVE = CARDS.index("locomotive")
"""The wild card."""

FACE_UP_SLOTS = 5
EMPTY = -1
"""An empty slot of the row; also 'no card'."""


@inlined
def count(cards: Record) -> int:
    """How many cards there are of all kinds."""
    number = 0
    for card in range(CARD_TYPES):
        number += cards[card]
    return number


@inlined
def reshuffle_if_empty(state: Record, rules: Record) -> None:
    """The moment the deck is empty and the discard is not, the discard becomes the deck (C2; not so in CG9)."""
    if state.deck_count == 0 and state.discard_count > 0 and rules.reshuffles:
        reshuffle(state)


@inlined
def reshuffle(state: Record) -> None:
    """Put the discard into the deck and shuffle."""
    for card in range(CARD_TYPES):
        state.deck[card] += state.discard[card]
        state.discard[card] = 0
    state.deck_count += state.discard_count
    state.discard_count = 0
    state.reshuffled = 1


@inlined
def top_card(state: Record) -> int:
    """Take the top card of the deck, which must not be empty; the deck may be left empty."""
    skip = below(state, state.deck_count)
    card = 0
    while skip >= state.deck[card]:
        skip -= state.deck[card]
        card += 1
    state.deck[card] -= 1
    state.deck_count -= 1
    return card


@inlined
def draw_blind(state: Record, rules: Record) -> int:
    """Take the top card of the deck, which must not be empty, and reshuffle if it was the last (C2)."""
    card = top_card(state)
    reshuffle_if_empty(state, rules)
    return card


@inlined
def discard(state: Record, card: int, number: int) -> None:
    """Lay cards on the discard. Whoever discards restores deck and row when all is laid down (`restore`; C2)."""
    state.discard[card] += number
    state.discard_count += number


@inlined
def give(state: Record, seat: int, card: int, is_seen: bool) -> None:
    """Put one card into a hand; one that all have seen is known from then on (C20)."""
    state.hand[seat, card] += 1
    state.hand_count[seat] += 1
    if is_seen:
        state.known[seat, card] += 1


@inlined
def take_away(state: Record, seat: int, card: int, number: int) -> None:
    """Take cards out of a hand: those known to be there go first (C20)."""
    state.hand[seat, card] -= number
    state.hand_count[seat] -= number
    state.known[seat, card] = max(0, state.known[seat, card] - number)


@inlined
def draw_into_hand(state: Record, rules: Record, seat: int) -> None:
    """A blind draw (C8): nobody else learns the card."""
    give(state, seat, draw_blind(state, rules), False)


@inlined
def take_face_up(state: Record, slot: int) -> int:
    """Take a card out of the row; the slot stays empty until the row is refilled."""
    card = state.face_up[slot]
    state.face_up[slot] = EMPTY
    return card


@compiled
def restore(state: Record, rules: Record) -> None:
    """Reshuffle an empty deck, fill the row's empty slots, sweep a row of locomotives (C2, C3, C4)."""
    reshuffle_if_empty(state, rules)
    _fill_face_up(state, rules)
    while rules.face_up_sweep and _must_sweep(state):
        for slot in range(FACE_UP_SLOTS):
            if state.face_up[slot] != EMPTY:
                discard(state, state.face_up[slot], 1)
                state.face_up[slot] = EMPTY
        reshuffle_if_empty(state, rules)
        _fill_face_up(state, rules)


@inlined
def _fill_face_up(state: Record, rules: Record) -> None:
    """Turn up cards into empty slots, lowest first, while the deck has any (C3)."""
    for slot in range(FACE_UP_SLOTS):
        if state.face_up[slot] == EMPTY and state.deck_count > 0:
            state.face_up[slot] = draw_blind(state, rules)


@inlined
def _must_sweep(state: Record) -> bool:
    """Three locomotives lie in the row, and sweeping it can end (C4)."""
    locomotives = 0
    for slot in range(FACE_UP_SLOTS):
        if state.face_up[slot] == LOCOMOTIVE:
            locomotives += 1
    return locomotives >= 3 and _sweeping_can_end(state)


@compiled
def _sweeping_can_end(state: Record) -> bool:
    """Whether a row with fewer than three locomotives can come of it; the row is then full (C4)."""
    cards = 0
    coloured = 0
    for card in range(CARD_TYPES):
        number = state.deck[card] + state.discard[card]
        cards += number
        if card != LOCOMOTIVE:
            coloured += number
    for slot in range(FACE_UP_SLOTS):
        if state.face_up[slot] != EMPTY:
            cards += 1
            if state.face_up[slot] != LOCOMOTIVE:
                coloured += 1
    if state.deck_count == FACE_UP_SLOTS and state.discard_count == 0 and state.deck[LOCOMOTIVE] >= 3:
        return False  # row and deck would change places for ever
    return cards >= FACE_UP_SLOTS and coloured >= 3
