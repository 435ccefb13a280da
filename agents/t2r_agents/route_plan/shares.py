"""What shares of companies are worth (PA4)."""

from t2r_agents.route_plan.records import Workspace
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, lowest_bit
from t2r_env.rules.map_game import shares
from t2r_env.rules.map_game.modules import MapRules, MapState


@compiled
def value_shares(view: MapState, rules: MapRules, workspace: Workspace) -> None:
    """Write what each company's next share brings the seat, in points."""
    for company in range(rules.num_companies):
        workspace.share_value[company] = 0
        if view.shares_left & rules.company_shares[company] != bits.NONE:
            gain = share_gain(view, rules, workspace, view.current, company)
            workspace.share_value[company] = gain // (rules.num_seats - 1)


@compiled
def share_gain(view: MapState, rules: MapRules, workspace: Workspace, holder: int, company: int) -> int:
    """By how much the seat's lead in a company's payment grows if the holder gets the company's next share.

    The lead is over the mean of the others' payments, times their number.
    """
    before = _lead(view, rules, workspace, company)
    held = workspace.shares[holder]
    next_share = bits.bit(lowest_bit(view.shares_left & rules.company_shares[company]))
    workspace.shares[holder] = held | next_share
    after = _lead(view, rules, workspace, company)
    workspace.shares[holder] = held
    return after - before


@compiled
def _lead(view: MapState, rules: MapRules, workspace: Workspace, company: int) -> int:
    lead = 0
    for seat in range(rules.num_seats):
        weight = rules.num_seats - 1 if seat == view.current else -1
        lead += weight * shares.payout(workspace.shares, rules, seat, company)
    return lead
