"""Which second card to draw? (C8)"""

from t2r_env.core.compiled import inlined
from t2r_env.rules import drawing, train_cards
from t2r_env.rules.map_game import racks
from t2r_env.rules.map_game.paying import HAND, RACK
from t2r_env.rules.map_game.racks import RackRules, RackState
from t2r_env.rules.names import blocks
from t2r_env.rules.state import SharedScratch
from t2r_env.rules.turns import finish_turn

list_legal = drawing.list_second_cards


@inlined
def apply(state: RackState, rules: RackRules, scratch: SharedScratch, action: int) -> None:
    """Draw the card; in team games it goes where the first did not (TA5). The turn is over."""
    is_seen = action != rules.first_action[blocks.DRAW_DECK]
    card = drawing.draw_second(state, rules, action)
    if rules.num_racks > 0:
        racks.place_card(state, rules, state.current, card, HAND + RACK - state.placed, is_seen)
    else:
        train_cards.give(state, state.current, card, is_seen)
    train_cards.restore(state, rules)
    finish_turn(state)
