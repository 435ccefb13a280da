"""Does the first card drawn go to your hand or to the team's rack? (TA5)"""

from t2r_env.rules import train_cards
from t2r_env.rules.compiled import inlined
from t2r_env.rules.map_game import actions, racks
from t2r_env.rules.map_game.phases import second_card
from t2r_env.rules.map_game.state import PLACE
from t2r_env.rules.records import Record
from t2r_env.rules.state import FROM_DECK
from t2r_env.rules.train_cards import EMPTY


@inlined
def ask(state: Record, card: int) -> None:
    """Ask where a card goes that lies apart; the row is not refilled before."""
    state.unplaced = card
    state.phase = PLACE


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """Either."""
    scratch.legal[0] = rules.first_action[actions.PLACE]
    scratch.legal[1] = rules.first_action[actions.PLACE] + 1
    return 2


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Put it there; the second card will go to the other."""
    state.placed = action - rules.first_action[actions.PLACE]
    racks.place_card(state, rules, state.current, state.unplaced, state.placed, state.drawn_slot != FROM_DECK)
    state.unplaced = EMPTY
    train_cards.restore(state, rules)
    second_card.ask(state)
