"""Choosing a share of a company (PA4)."""

from t2r_agents.route_actions import LOWEST
from t2r_agents.route_plan.planning import begin_plan
from t2r_agents.route_plan.records import Parameters, Plan, Workspace
from t2r_agents.route_plan.shares import share_gain
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled
from t2r_env.rules.map_game.modules import MapRules, MapState


@compiled
def choose_share(
    view: MapState,
    mask: Array,
    rules: MapRules,
    parameters: Parameters,
    plan: Plan,
    workspace: Workspace,
    holder: int,
    first_action: int,
) -> int:
    """The action, of the block that begins at `first_action`, whose share serves the seat best in the holder's hand."""
    begin_plan(view, rules, parameters, plan, workspace)
    chosen = first_action
    best = LOWEST
    for company in range(rules.num_companies):
        if mask[first_action + company]:
            gain = share_gain(view, rules, workspace, holder, company)
            if gain > best:
                best = gain
                chosen = first_action + company
    return chosen
