"""The value of companies' shares (PA4)."""

from t2r_agents.planner.map_game.records import Plan
from t2r_env.core import bits
from t2r_env.core.compiled import compiled
from t2r_env.rules.map_game import shares
from t2r_env.rules.map_game.modules import MapRules, MapState


@compiled
def value_shares(view: MapState, rules: MapRules, plan: Plan) -> None:
    """Copy everybody's shares, and write what each company's next share brings the seat, in points."""
    for holder in range(plan.shares.size):
        plan.shares[holder] = view.shares[holder]
    for company in range(rules.num_companies):
        plan.share_value[company] = 0
        if view.shares_left & rules.company_shares[company] != bits.NONE:
            gain = share_gain(view, rules, plan, view.current, company)
            plan.share_value[company] = gain // (rules.num_seats - 1)


@compiled
def share_gain(view: MapState, rules: MapRules, plan: Plan, holder: int, company: int) -> int:
    """Return by how much the seat's lead in a company's payment grows if the holder gets the company's next share.

    The lead is over the mean of the others' payments, times their number.
    """
    before = _lead(view, rules, plan, company)
    held = plan.shares[holder]
    plan.shares[holder] = held | bits.lowest(view.shares_left & rules.company_shares[company])
    after = _lead(view, rules, plan, company)
    plan.shares[holder] = held
    return after - before


@compiled
def _lead(view: MapState, rules: MapRules, plan: Plan, company: int) -> int:
    lead = 0
    for seat in range(rules.num_seats):
        weight = rules.num_seats - 1 if seat == view.current else -1
        lead += weight * shares.payout(plan.shares, rules, seat, company)
    return lead
