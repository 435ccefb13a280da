"""The decisions that all agents with a plan take alike: all but a turn's action."""

from agents.route_actions.cards import best_card, place_card
from agents.route_actions.claims import claim_second
from agents.route_actions.payments import pay
from agents.route_actions.shares import choose_share
from agents.route_actions.tickets import choose_ticket, share_ticket
from agents.route_plan.planning import make_plan
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled
from t2r_env.core.records import Record
from t2r_env.rules.map_game.board import phases as board_phases
from t2r_env.rules.map_game.paying import extra_blocks
from t2r_env.rules.map_game.racks import blocks as rack_blocks
from t2r_env.rules.map_game.racks import phases as rack_phases
from t2r_env.rules.map_game.second_claim import phases as second_claim_phases
from t2r_env.rules.map_game.shares import NEUTRAL
from t2r_env.rules.map_game.shares import blocks as share_blocks
from t2r_env.rules.map_game.shares import phases as share_phases
from t2r_env.rules.map_game.sharing import phases as sharing_phases
from t2r_env.rules.map_game.tunnels import phases as tunnel_phases
from t2r_env.rules.names import phases


@compiled
def decide_common(view: Record, mask: Array, rules: Record, parameters: Record, plan: Record, workspace: Record) -> int:
    """An action for any phase but `turn`."""
    if view.phase == phases.SECOND_CARD:
        make_plan(view, rules, parameters, plan, workspace)
        return best_card(view, mask, rules, plan)
    if view.phase == board_phases.PAY:
        return pay(view, mask, rules, parameters, plan, workspace)
    if view.phase == phases.KEEP_TICKET:
        return choose_ticket(view, rules, parameters, plan, workspace)
    if view.phase == rack_phases.PLACE:
        return place_card(view, rules, parameters, plan, workspace)
    if view.phase == rack_phases.FROM_RACK:
        return first_legal(mask, rules.first_action[rack_blocks.FROM_RACK])
    if view.phase == tunnel_phases.TUNNEL:
        return first_legal(mask, rules.first_action[extra_blocks.PAY_MORE])
    if view.phase == sharing_phases.SHARE:
        return share_ticket(mask, rules)
    if view.phase == second_claim_phases.SECOND_CLAIM:
        return claim_second(view, mask, rules, parameters, plan, workspace)
    holder = view.current if view.phase == share_phases.TAKE_SHARE else NEUTRAL
    block = share_blocks.TAKE_SHARE if view.phase == share_phases.TAKE_SHARE else share_blocks.NEUTRAL_SHARE
    return choose_share(view, mask, rules, parameters, plan, workspace, holder, rules.first_action[block])


@compiled
def first_legal(mask: Array, first: int) -> int:
    """The first legal action from `first` on: the fewest cards from the rack, the fewest locomotives for a tunnel."""
    while not mask[first]:
        first += 1
    return first
