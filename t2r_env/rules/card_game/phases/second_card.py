"""Which second card do you draw, if any? (CG6)"""

from t2r_env.rules import drawing, train_cards
from t2r_env.rules.card_game import actions
from t2r_env.rules.compiled import inlined
from t2r_env.rules.records import Record
from t2r_env.rules.state import TURN_OVER

ask = drawing.ask_second_card


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """What may be drawn; or none."""
    count = drawing.list_second_cards(state, rules, scratch)
    scratch.legal[count] = rules.first_action[actions.STOP]
    return count + 1


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Draw the card, or decline it. The turn is over."""
    state.phase = TURN_OVER
    if action != rules.first_action[actions.STOP]:
        card = drawing.draw_second(state, rules, action)
        train_cards.give(state, state.current, card, action != rules.first_action[actions.DRAW_DECK])
        train_cards.restore(state, rules)
