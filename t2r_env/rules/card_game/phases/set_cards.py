"""How many coloured cards do you play in the set? (CG7)"""

from t2r_env.rules.card_game import actions, yard
from t2r_env.rules.card_game.state import SET_LOCOMOTIVES
from t2r_env.rules.compiled import inlined
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import LOCOMOTIVE


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """At least one, and so many that with all locomotives they are enough."""
    seat, colour = state.current, state.set_colour
    least = max(1, yard.least_set(state, seat, colour) - state.hand[seat, LOCOMOTIVE])
    count = 0
    for cards in range(least, state.hand[seat, colour] + 1):
        scratch.legal[count] = rules.first_action[actions.SET_CARDS] + cards - 1
        count += 1
    return count


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Note the number; how many locomotives is the next decision."""
    state.set_cards = action - rules.first_action[actions.SET_CARDS] + 1
    state.phase = SET_LOCOMOTIVES
