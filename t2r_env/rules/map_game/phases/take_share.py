"""Which company's share do you take for the route just claimed? (PA4)"""

from t2r_env.rules import bits
from t2r_env.rules.compiled import inlined
from t2r_env.rules.map_game import actions, shares
from t2r_env.rules.map_game.phases import neutral_share
from t2r_env.rules.map_game.state import TAKE_SHARE
from t2r_env.rules.records import Record
from t2r_env.rules.state import TURN_OVER


@inlined
def ask(state: Record, rules: Record) -> None:
    """Ask, if a company shown on the route has a share left; else the claim is complete."""
    has_shares = shares.offered_by(state, rules, state.route) != bits.NONE
    state.phase = TAKE_SHARE if has_shares else TURN_OVER


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """The top share of any of these companies, or none."""
    first = rules.first_action[actions.TAKE_SHARE]
    count = shares.list_companies(state, rules, scratch, first)
    scratch.legal[count] = first + rules.num_companies
    return count + 1


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Take it; who takes one chooses one for the neutral player too (PA8)."""
    company = action - rules.first_action[actions.TAKE_SHARE]
    state.phase = TURN_OVER
    if company < rules.num_companies:
        state.company = company
        shares.take(state, rules, state.current, company)
        neutral_share.ask(state, rules)
