"""Drawing train cards in a turn, one after the other (C8)."""

from t2r_env.core.compiled import inlined
from t2r_env.rules import train_cards
from t2r_env.rules.cards import EMPTY, FACE_UP_SLOTS, LOCOMOTIVE
from t2r_env.rules.names import blocks
from t2r_env.rules.state import FROM_DECK, SharedRules, SharedScratch, SharedState


@inlined
def list_draws(state: SharedState, rules: SharedRules, scratch: SharedScratch, is_second: bool) -> int:
    """List the cards that may be drawn, and at the beginning of a turn tickets; return how many actions there are.

    The second card may be no locomotive that lies face up.
    """
    count = 0
    for slot in range(FACE_UP_SLOTS):
        card = state.face_up[slot]
        if card != EMPTY and not (is_second and card == LOCOMOTIVE):
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
    card = train_cards.draw_blind(state, rules) if is_blind else train_cards.take_face_up(state, slot)
    state.drawn_slot = slot
    state.drawn = EMPTY if is_blind else card
    return card


@inlined
def may_draw_second(state: SharedState) -> bool:
    """Whether a second card may be drawn: not after a face-up locomotive, which may not be the second card either."""
    is_any_left = state.deck_count > 0
    for card in state.face_up:
        is_any_left |= card != EMPTY and card != LOCOMOTIVE
    return is_any_left and state.drawn != LOCOMOTIVE


@inlined
def draw_second(state: SharedState, rules: SharedRules, action: int) -> int:
    """Draw the second card; it lies in no hand yet."""
    if action == rules.first_action[blocks.DRAW_DECK]:
        return train_cards.draw_blind(state, rules)
    return train_cards.take_face_up(state, action - rules.first_action[blocks.DRAW_FACE_UP])
