"""Which second card do you draw? (C8)"""

from t2r_env.rules import actions, drawing, train_cards
from t2r_env.rules.compiled import inlined
from t2r_env.rules.map_game import racks
from t2r_env.rules.map_game.state import HAND, RACK
from t2r_env.rules.records import Record
from t2r_env.rules.state import TURN_OVER

ask = drawing.ask_second_card
legal = drawing.list_second_cards


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Draw the card; in team games it goes where the first did not (TA5). The turn is over."""
    is_seen = action != rules.first_action[actions.DRAW_DECK]
    card = drawing.draw_second(state, rules, action)
    if rules.num_racks > 0:
        racks.place_card(state, rules, state.current, card, HAND + RACK - state.placed, is_seen)
    else:
        train_cards.give(state, state.current, card, is_seen)
    train_cards.restore(state, rules)
    state.phase = TURN_OVER
