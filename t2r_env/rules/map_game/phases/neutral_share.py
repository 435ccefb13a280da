"""Which company's share does the neutral player get? (PA8)"""

from t2r_env.rules import bits
from t2r_env.rules.compiled import inlined
from t2r_env.rules.map_game import actions, shares
from t2r_env.rules.map_game.state import NEUTRAL, NEUTRAL_SHARE
from t2r_env.rules.records import Record
from t2r_env.rules.state import TURN_OVER


@inlined
def ask(state: Record, rules: Record) -> None:
    """Ask, if there is a neutral player and the route's companies have a share left; else the claim is complete."""
    has_shares = shares.offered_by(state, rules, state.route) != bits.NONE
    state.phase = NEUTRAL_SHARE if rules.neutral_shareholder and has_shares else TURN_OVER


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """The top share of any company shown on the route; it can't be declined."""
    return shares.list_companies(state, rules, scratch, rules.first_action[actions.NEUTRAL_SHARE])


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Give it to the neutral player; the claim is complete."""
    shares.take(state, rules, NEUTRAL, action - rules.first_action[actions.NEUTRAL_SHARE])
    state.phase = TURN_OVER
