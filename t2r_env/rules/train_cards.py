"""Train cards: deck, discard, face-up cards and hands (C1-C4), as in all games.

The deck and the discard are counts by colour. A blind draw picks one of the cards left, each equally likely, which is
the same as the top card of a shuffled deck.
"""

from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.randomness import below
from t2r_env.core.records import Array
from t2r_env.rules.cards import CARD_TYPES, EMPTY, FACE_UP_SLOTS, LOCOMOTIVE
from t2r_env.rules.names import blocks
from t2r_env.rules.state import FROM_DECK, SharedRules, SharedScratch, SharedState


@inlined
def count(cards: Array) -> int:
    """Return how many cards there are of all types."""
    number = 0
    for card in range(CARD_TYPES):
        number += cards[card]
    return number


@inlined
def reshuffle_if_empty(state: SharedState, rules: SharedRules) -> None:
    """Make the discard the deck as soon as the deck is empty and the discard is not (C2; not so in CG9)."""
    if state.deck_count == 0 and state.discard_count > 0 and rules.reshuffles:
        reshuffle(state)


@inlined
def reshuffle(state: SharedState) -> None:
    """Put the discard into the deck and shuffle."""
    for card in range(CARD_TYPES):
        state.deck[card] += state.discard[card]
        state.discard[card] = 0
    state.deck_count += state.discard_count
    state.discard_count = 0
    state.reshuffled = 1


@inlined
def top_card(state: SharedState) -> int:
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
def draw_blind(state: SharedState, rules: SharedRules) -> int:
    """Take the top card of the deck, which must not be empty, and reshuffle if it was the last (C2)."""
    card = top_card(state)
    reshuffle_if_empty(state, rules)
    return card


@inlined
def discard(state: SharedState, card: int, number: int) -> None:
    """Lay cards on the discard. The caller calls `restore` when all is laid down (C2)."""
    state.discard[card] += number
    state.discard_count += number


@inlined
def give(state: SharedState, seat: int, card: int, is_seen: bool) -> None:
    """Put one card into a hand; one that all have seen is known from then on (C20)."""
    state.hand[seat, card] += 1
    state.hand_count[seat] += 1
    if is_seen:
        state.known[seat, card] += 1


@inlined
def take_away(state: SharedState, seat: int, card: int, number: int) -> None:
    """Take cards out of a hand: those known to be there go first (C20)."""
    state.hand[seat, card] -= number
    state.hand_count[seat] -= number
    state.known[seat, card] = max(0, state.known[seat, card] - number)


@inlined
def draw_into_hand(state: SharedState, rules: SharedRules, seat: int) -> None:
    """Draw blind into a hand (C8): nobody else learns the card."""
    give(state, seat, draw_blind(state, rules), False)


@inlined
def take_face_up(state: SharedState, slot: int) -> int:
    """Take a face-up card; its slot stays empty until it is refilled."""
    card = state.face_up[slot]
    state.face_up[slot] = EMPTY
    return card


@compiled
def restore(state: SharedState, rules: SharedRules) -> None:
    """Reshuffle an empty deck, fill empty slots, sweep three locomotives (C2, C3, C4)."""
    while True:
        if state.deck_count == 0:
            reshuffle_if_empty(state, rules)
        locomotives = 0
        for slot in range(FACE_UP_SLOTS):  # lowest first (C3)
            if state.face_up[slot] == EMPTY and state.deck_count > 0:
                state.face_up[slot] = draw_blind(state, rules)
            if state.face_up[slot] == LOCOMOTIVE:
                locomotives += 1
        if locomotives < 3 or not rules.face_up_sweep or not _sweeping_can_end(state):
            return
        for slot in range(FACE_UP_SLOTS):
            if state.face_up[slot] != EMPTY:
                discard(state, state.face_up[slot], 1)
                state.face_up[slot] = EMPTY


@compiled
def _sweeping_can_end(state: SharedState) -> bool:
    """Whether sweeping can lead to fewer than three face-up locomotives; all slots are then full (C4)."""
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
        return False  # face-up cards and deck would change places forever
    return cards >= FACE_UP_SLOTS and coloured >= 3


# Drawing in a turn, one card after the other (C8)


@inlined
def list_draws(state: SharedState, rules: SharedRules, scratch: SharedScratch, is_second: bool) -> int:
    """List the cards that may be drawn, and at the beginning of a turn tickets; return how many actions there are.

    The second card may be no locomotive that lies face up, unless these are free.
    """
    barred = _barred_as_second(rules) if is_second else EMPTY
    count = 0
    for slot in range(FACE_UP_SLOTS):
        card = state.face_up[slot]
        if card != EMPTY and card != barred:
            scratch.legal[count] = rules.first_action[blocks.DRAW_FACE_UP] + slot
            count += 1
    if state.deck_count > 0:
        scratch.legal[count] = rules.first_action[blocks.DRAW_DECK]
        count += 1
    if state.queue_count > 0 and not is_second:
        scratch.legal[count] = rules.first_action[blocks.DRAW_TICKETS]
        count += 1
    return count


@inlined
def draw_first(state: SharedState, rules: SharedRules, action: int) -> int:
    """Draw the first card and note where it came from; it lies in no hand yet."""
    is_blind = action == rules.first_action[blocks.DRAW_DECK]
    slot = FROM_DECK if is_blind else action - rules.first_action[blocks.DRAW_FACE_UP]
    card = draw_blind(state, rules) if is_blind else take_face_up(state, slot)
    state.drawn_slot = slot
    state.drawn = EMPTY if is_blind else card
    return card


@inlined
def is_only_card(state: SharedState, rules: SharedRules) -> bool:
    """Whether the first card drawn is the turn's only one: a face-up locomotive, unless these are free (NO4)."""
    return state.drawn == LOCOMOTIVE and not rules.free_locomotives


@inlined
def may_draw_second(state: SharedState, rules: SharedRules) -> bool:
    """Whether a second card may be drawn: some card is left that may be the second."""
    barred = _barred_as_second(rules)
    is_any_left = state.deck_count > 0
    for card in state.face_up:
        is_any_left |= card != EMPTY and card != barred
    return is_any_left and not is_only_card(state, rules)


@inlined
def _barred_as_second(rules: SharedRules) -> int:
    """Return the face-up card that may not be the second one: a locomotive, unless these are free; else `EMPTY`."""
    return EMPTY if rules.free_locomotives else LOCOMOTIVE


@inlined
def draw_second(state: SharedState, rules: SharedRules, action: int) -> int:
    """Draw the second card; it lies in no hand yet."""
    if action == rules.first_action[blocks.DRAW_DECK]:
        return draw_blind(state, rules)
    return take_face_up(state, action - rules.first_action[blocks.DRAW_FACE_UP])
