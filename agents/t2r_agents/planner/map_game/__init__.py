"""How the planner plays map games.

`planning` says which routes to claim for tickets and for points with the cards, trains and turns left, `claims` when to
claim them, `tickets` when to draw tickets and which to keep, and `cards` what to draw.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from t2r_agents.planner.map_game.cards import best_card
from t2r_agents.planner.map_game.claims import best_claim, best_last_claim, waits
from t2r_agents.planner.map_game.planning import make_plan
from t2r_agents.planner.map_game.records import PARAMETERS, Parameters, Plan, Workspace, new_records
from t2r_agents.planner.map_game.tickets import choose_ticket
from t2r_agents.planner.parameters import Parameter, defaults_of
from t2r_agents.records import PlanRecords
from t2r_agents.route_actions.claims import act_without_cards
from t2r_agents.route_actions.common import first_legal
from t2r_agents.route_actions.payments import cheapest_payment
from t2r_agents.route_actions.shares import choose_share
from t2r_agents.route_actions.stations import best_last_station, planned_station
from t2r_agents.route_actions.technologies import best_purchase
from t2r_agents.route_actions.tickets import share_ticket
from t2r_env import Configuration
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits
from t2r_env.core.game import NO_ACTION
from t2r_env.rules.map_game import board, paying, racks, second_claim, shares, sharing, tunnels
from t2r_env.rules.map_game.modules import MapRules, MapState
from t2r_env.rules.map_game.paying import HAND, RACK
from t2r_env.rules.map_game.shares import NEUTRAL
from t2r_env.rules.names import blocks, phases
from t2r_env.variants.variant import MapVariant

USUAL_TRAINS = 45
"""The trains of each seat for which the defaults are meant."""
SCALED = ("claim_cost", "max_missing_cards", "endgame_turns", "min_turns_to_draw_tickets", "slack")
"""Those of them that grow with the trains."""

__all__ = ["act", "decide", "parameters_for", "records_for"]


def parameters_for(configuration: Configuration) -> dict[str, Parameter]:
    """What may be tuned. The more trains, the more a turn is worth, and the longer waiting pays."""
    variant = configuration.variant
    assert isinstance(variant, MapVariant)
    own = {name: PARAMETERS[name].default * variant.trains // USUAL_TRAINS for name in SCALED}
    if variant.companies:
        own["max_hand"] = 0  # companies' shares do not wait
    return {name: replace(it, default=own.get(name, it.default)) for name, it in PARAMETERS.items()}


def records_for(configuration: Configuration, parameters: Mapping[str, int] = MappingProxyType({})) -> PlanRecords:
    """Records for planning with these parameters, and with the defaults for the others."""
    return new_records(**(defaults_of(parameters_for(configuration)) | dict(parameters)))


@compiled
def act(
    views: Array, masks: Array, rules: Array, parameters: Array, plans: Array, workspaces: Array, chosen: Array
) -> None:
    """Write an action for each of k decisions to `chosen`, shape (k,); the records have length 1."""
    for row in range(views.shape[0]):
        chosen[row] = decide(views[row], masks[row], rules[0], parameters[0], plans[0], workspaces[0])


@compiled
def decide(
    view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace
) -> int:
    """An action for a decision of any phase."""
    if view.phase == phases.KEEP_TICKET:
        return choose_ticket(view, rules, parameters, plan, workspace)
    if view.phase == tunnels.phases.TUNNEL:
        return first_legal(mask, rules.first_action[paying.extra_blocks.PAY_MORE])
    if view.phase == racks.phases.FROM_RACK:
        return first_legal(mask, rules.first_action[racks.blocks.FROM_RACK])
    if view.phase == sharing.phases.SHARE:
        return share_ticket(mask, rules)
    make_plan(view, rules, parameters, plan, workspace)
    if view.phase == phases.TURN:
        return _take_turn(view, mask, rules, parameters, plan, workspace)
    if view.phase == phases.SECOND_CARD:
        return best_card(view, mask, rules, parameters, plan)
    if view.phase == board.phases.PAY:
        return cheapest_payment(mask, rules, plan)
    if view.phase == racks.phases.PLACE:
        return rules.first_action[racks.blocks.PLACE] + (HAND if plan.spare_cards[view.unplaced] < 0 else RACK)
    if view.phase == second_claim.phases.SECOND_CLAIM:
        action = best_claim(view, mask, rules, parameters, plan, workspace, False)
        return rules.first_action[blocks.STOP] if action == NO_ACTION else action
    holder = view.current if view.phase == shares.phases.TAKE_SHARE else NEUTRAL
    block = shares.blocks.TAKE_SHARE if view.phase == shares.phases.TAKE_SHARE else shares.blocks.NEUTRAL_SHARE
    return choose_share(view, mask, rules, parameters, plan, workspace, holder, rules.first_action[block])


@compiled
def _take_turn(
    view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace
) -> int:
    """Draw tickets if they promise enough, claim what is planned and does not wait, else draw cards."""
    if view.last_turns_left > 0:
        action = best_purchase(view, mask, rules, plan)
        if action == NO_ACTION:
            action, points = best_last_claim(view, mask, rules, workspace)
            station, gain = best_last_station(view, mask, rules)
            if gain > points:
                action = station
        if action != NO_ACTION:
            return action
    draw_tickets = rules.first_action[blocks.DRAW_TICKETS]
    if mask[draw_tickets] and plan.ticket_gain >= parameters.min_ticket_gain:
        return draw_tickets
    action = best_purchase(view, mask, rules, plan)
    if action == NO_ACTION and plan.turns_left <= 1 + count_bits(plan.stations):
        action = planned_station(mask, rules, plan)
    if action == NO_ACTION:
        is_waiting = waits(view, rules, parameters, plan)
        action = best_claim(view, mask, rules, parameters, plan, workspace, is_waiting)
    if action == NO_ACTION and bits.count(plan.ticket_routes) == 0:
        action = planned_station(mask, rules, plan)
    if action == NO_ACTION:
        action = best_card(view, mask, rules, parameters, plan)
    if action == NO_ACTION:
        action = best_claim(view, mask, rules, parameters, plan, workspace, False)
    return act_without_cards(mask, rules) if action == NO_ACTION else action
