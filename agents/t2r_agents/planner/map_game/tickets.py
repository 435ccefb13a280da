"""Choosing the tickets to keep."""

import numpy as np

from t2r_agents.planner.map_game.planning import begin_plan, plan_tickets
from t2r_agents.planner.map_game.records import Parameters, Plan, Workspace
from t2r_agents.route_actions import LOWEST
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits
from t2r_env.rules import ticket_choice
from t2r_env.rules.map_game.modules import MapRules, MapState
from t2r_env.rules.names import blocks


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
            begin_plan(view, rules, parameters, plan, workspace)
            plan.spare_trains -= rules.trains * parameters.reserve_percent // 100 * view.trains[seat] // rules.trains
            for index in range(view.offered_count[seat]):
                if (kept >> index) & 1:
                    bits.add(workspace.unplanned_tickets, view.offered[seat, index])
            plan_tickets(view, rules, parameters, plan, workspace)
            if plan.ticket_value > best:
                best = plan.ticket_value
                chosen = kept
    keeps = (chosen >> view.offer_index) & 1
    return rules.first_action[blocks.KEEP_TICKET if keeps else blocks.REFUSE_TICKET]
