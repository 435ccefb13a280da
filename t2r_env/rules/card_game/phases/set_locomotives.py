"""How many locomotives do you play in the set? (CG7)"""

from t2r_env.rules.card_game import actions, yard
from t2r_env.rules.card_game.state import NO_COLOUR
from t2r_env.rules.compiled import inlined
from t2r_env.rules.records import Record
from t2r_env.rules.state import TURN_OVER
from t2r_env.rules.train_cards import LOCOMOTIVE


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """As many as make the set large enough, up to all."""
    seat = state.current
    least = max(0, yard.least_set(state, seat, state.set_colour) - state.set_cards)
    count = 0
    for locomotives in range(least, state.hand[seat, LOCOMOTIVE] + 1):
        scratch.legal[count] = rules.first_action[actions.SET_LOCOMOTIVES] + locomotives
        count += 1
    return count


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Lay the row. The turn is over."""
    locomotives = action - rules.first_action[actions.SET_LOCOMOTIVES]
    yard.lay_row(state, state.current, state.set_colour, state.set_cards, locomotives)
    state.set_colour = NO_COLOUR
    state.set_cards = 0
    state.phase = TURN_OVER
