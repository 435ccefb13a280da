"""The decisions that all agents with a plan take alike: all but a turn's action."""

from t2r_agents.route_actions.cards import best_card, place_card
from t2r_agents.route_actions.claims import claim_second
from t2r_agents.route_actions.payments import pay
from t2r_agents.route_actions.shares import choose_share
from t2r_agents.route_actions.tickets import choose_ticket, share_ticket
from t2r_agents.route_plan.planning import make_plan
from t2r_agents.route_plan.records import Parameters, Plan, Workspace
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled
from t2r_env.rules.map_game import board, paying, racks, second_claim, shares, sharing, tunnels
from t2r_env.rules.map_game.modules import MapRules, MapState
from t2r_env.rules.map_game.shares import NEUTRAL
from t2r_env.rules.names import phases


@compiled
def decide_common(
    view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace
) -> int:
    """An action for any phase but `turn`."""
    if view.phase == phases.SECOND_CARD:
        make_plan(view, rules, parameters, plan, workspace)
        return best_card(view, mask, rules, plan)
    if view.phase == board.phases.PAY:
        return pay(view, mask, rules, parameters, plan, workspace)
    if view.phase == phases.KEEP_TICKET:
        return choose_ticket(view, rules, parameters, plan, workspace)
    if view.phase == racks.phases.PLACE:
        return place_card(view, rules, parameters, plan, workspace)
    if view.phase == racks.phases.FROM_RACK:
        return first_legal(mask, rules.first_action[racks.blocks.FROM_RACK])
    if view.phase == tunnels.phases.TUNNEL:
        return first_legal(mask, rules.first_action[paying.extra_blocks.PAY_MORE])
    if view.phase == sharing.phases.SHARE:
        return share_ticket(mask, rules)
    if view.phase == second_claim.phases.SECOND_CLAIM:
        return claim_second(view, mask, rules, parameters, plan, workspace)
    holder = view.current if view.phase == shares.phases.TAKE_SHARE else NEUTRAL
    block = shares.blocks.TAKE_SHARE if view.phase == shares.phases.TAKE_SHARE else shares.blocks.NEUTRAL_SHARE
    return choose_share(view, mask, rules, parameters, plan, workspace, holder, rules.first_action[block])


@compiled
def first_legal(mask: Array, first: int) -> int:
    """The first legal action from `first` on: the fewest cards from the rack, the fewest locomotives for a tunnel."""
    while not mask[first]:
        first += 1
    return first
