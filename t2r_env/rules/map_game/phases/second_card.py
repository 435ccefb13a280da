"""Which second card do you draw? (C8)"""

from t2r_env.rules import train_cards
from t2r_env.rules.compiled import inlined
from t2r_env.rules.map_game import actions, racks
from t2r_env.rules.map_game.state import HAND, RACK, SECOND_CARD, TURN_OVER
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import EMPTY, LOCOMOTIVE, ROW_SLOTS


@inlined
def ask(state: Record) -> None:
    """Ask for a second card after the first, if any is left that may be taken; else the turn is over."""
    state.phase = TURN_OVER
    if state.deck_count > 0:
        state.phase = SECOND_CARD
    for slot_left in range(ROW_SLOTS):
        if _may_take(state, slot_left):
            state.phase = SECOND_CARD


@inlined
def _may_take(state: Record, slot: int) -> bool:
    """A locomotive of the row is never the second card."""
    return state.row[slot] != EMPTY and state.row[slot] != LOCOMOTIVE


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """Any coloured card of the row, or the top of the deck."""
    count = 0
    for slot in range(ROW_SLOTS):
        if _may_take(state, slot):
            scratch.legal[count] = rules.first_action[actions.DRAW_ROW] + slot
            count += 1
    if state.deck_count > 0:
        scratch.legal[count] = rules.first_action[actions.DRAW_DECK]
        count += 1
    return count


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Draw the card; in team games it goes where the first did not (TA5). The turn is over."""
    is_blind = action == rules.first_action[actions.DRAW_DECK]
    if rules.num_teams > 0:
        slot = action - rules.first_action[actions.DRAW_ROW]
        card = train_cards.draw_blind(state) if is_blind else train_cards.lift_from_row(state, slot)
        racks.place_card(state, rules, state.current, card, HAND + RACK - state.placed, not is_blind)
    elif is_blind:
        train_cards.draw_into_hand(state, state.current)
    else:
        train_cards.take_from_row(state, state.current, action - rules.first_action[actions.DRAW_ROW])
    train_cards.restore(state, rules)
    state.phase = TURN_OVER
