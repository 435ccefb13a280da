"""Choosing tickets: when to draw some, which to keep, and which to share."""

import numpy as np

from t2r_agents.route_actions import LOWEST
from t2r_agents.route_plan.planning import begin_plan
from t2r_agents.route_plan.records import Parameters, Plan, Workspace
from t2r_agents.route_plan.tickets import plan_tickets
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits
from t2r_env.core.game import NO_ACTION
from t2r_env.rules import ticket_choice
from t2r_env.rules.map_game import sharing
from t2r_env.rules.map_game.modules import MapRules, MapState
from t2r_env.rules.names import blocks


@compiled
def wants_tickets(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan) -> bool:
    """Whether the seat has too few tickets, or none left to plan while it has many trains."""
    seat = view.current
    if 100 * view.ticket_count[seat] < parameters.tickets_per_100_trains * rules.trains:
        return True
    is_done = plan.ticket_routes[0] == bits.NONE and plan.ticket_routes[1] == bits.NONE
    return is_done and view.trains[seat] >= parameters.min_trains_to_draw_tickets


@compiled
def choose_ticket(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> int:
    """Keep the offered tickets that make the best plan, of all choices that are still possible.

    A part of the trains is left out of account, since others may claim routes of the plan.
    """
    seat = view.current
    decided = (1 << view.offer_index) - 1
    chosen = 0
    best = LOWEST
    for kept in range(1 << view.offered_count[seat]):
        is_possible = kept & decided == view.kept[seat]
        if is_possible and count_bits(np.uint64(kept)) >= ticket_choice.must_keep(view, rules, seat):
            _plan_with_tickets(view, rules, parameters, plan, workspace, kept)
            if plan.ticket_value > best:
                best = plan.ticket_value
                chosen = kept
    keeps = (chosen >> view.offer_index) & 1
    return rules.first_action[blocks.KEEP_TICKET if keeps else blocks.REFUSE_TICKET]


@compiled
def _plan_with_tickets(
    view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace, kept: int
) -> None:
    """Plan the tickets held and those of the offer that `kept` has a bit for."""
    begin_plan(view, rules, parameters, plan, workspace)
    plan.spare_trains -= rules.trains // parameters.reserve_divisor
    for index in range(view.offered_count[view.current]):
        if (kept >> index) & 1:
            bits.add(workspace.unplanned_tickets, view.offered[view.current, index])
    plan_tickets(view, rules, parameters, plan, workspace)


@compiled
def share_ticket(mask: Array, rules: MapRules) -> int:
    """Share the ticket of the most points, so that the teammate can help with it."""
    chosen = NO_ACTION
    most = 0
    for ticket in range(rules.num_tickets):
        action = rules.first_action[sharing.blocks.SHARE_TICKET] + ticket
        if mask[action] and rules.ticket_points[ticket] > most:
            most = rules.ticket_points[ticket]
            chosen = action
    return chosen
