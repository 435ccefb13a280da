"""Drawing in a turn: cards, one after the other (C8), and tickets (C12)."""

from t2r_env.rules import actions, ticket_queue, train_cards
from t2r_env.rules.compiled import inlined
from t2r_env.rules.records import Record
from t2r_env.rules.state import FROM_DECK, KEEP_TICKET, SECOND_CARD, TURN_OVER
from t2r_env.rules.train_cards import EMPTY, FACE_UP_SLOTS, LOCOMOTIVE


@inlined
def list_draws(state: Record, rules: Record, scratch: Record) -> int:
    """List what may be drawn at the beginning of a turn: cards of the row, the deck's, tickets; return how many."""
    count = 0
    for slot in range(FACE_UP_SLOTS):
        if state.face_up[slot] != EMPTY:
            scratch.legal[count] = rules.first_action[actions.DRAW_FACE_UP] + slot
            count += 1
    if state.deck_count > 0:
        scratch.legal[count] = rules.first_action[actions.DRAW_DECK]
        count += 1
    if state.queue_count > 0:
        scratch.legal[count] = rules.first_action[actions.DRAW_TICKETS]
        count += 1
    return count


@inlined
def draw_first(state: Record, rules: Record, action: int) -> int:
    """Draw the first card and note where it came from; it lies in no hand yet."""
    is_blind = action == rules.first_action[actions.DRAW_DECK]
    slot = FROM_DECK if is_blind else action - rules.first_action[actions.DRAW_FACE_UP]
    card = train_cards.draw_blind(state, rules) if is_blind else train_cards.take_face_up(state, slot)
    state.drawn_slot = slot
    state.drawn = EMPTY if is_blind else card
    return card


@inlined
def is_only_card(state: Record) -> bool:
    """Whether the first card drawn is a locomotive of the row: it is then the only one."""
    return state.drawn == LOCOMOTIVE


@inlined
def draw_tickets(state: Record, rules: Record) -> None:
    """Lay tickets before the current player and ask about the first (C12)."""
    ticket_queue.offer(state, state.current, rules.later_offer)
    state.phase = KEEP_TICKET


@inlined
def ask_second_card(state: Record) -> None:
    """Ask for a second card after the first, if any is left that may be taken; else the turn is over."""
    state.phase = TURN_OVER
    if state.deck_count > 0:
        state.phase = SECOND_CARD
    for slot in range(FACE_UP_SLOTS):
        if _may_be_second(state, slot):
            state.phase = SECOND_CARD


@inlined
def _may_be_second(state: Record, slot: int) -> bool:
    """A locomotive of the row is never the second card."""
    return state.face_up[slot] != EMPTY and state.face_up[slot] != LOCOMOTIVE


@inlined
def list_second_cards(state: Record, rules: Record, scratch: Record) -> int:
    """List any coloured card of the row, and the top of the deck; return how many there are."""
    count = 0
    for slot in range(FACE_UP_SLOTS):
        if _may_be_second(state, slot):
            scratch.legal[count] = rules.first_action[actions.DRAW_FACE_UP] + slot
            count += 1
    if state.deck_count > 0:
        scratch.legal[count] = rules.first_action[actions.DRAW_DECK]
        count += 1
    return count


@inlined
def draw_second(state: Record, rules: Record, action: int) -> int:
    """Draw the second card; it lies in no hand yet."""
    if action == rules.first_action[actions.DRAW_DECK]:
        return train_cards.draw_blind(state, rules)
    return train_cards.take_face_up(state, action - rules.first_action[actions.DRAW_FACE_UP])
