"""How the one-step agent plays map games: it claims the route that brings the most points at once, without a plan.

Tickets that the route completes count twice: their points are scored and no longer lost. If no route can be paid, it
draws cards for the routes that score the most points.
"""

from t2r_agents.route_actions.cards import best_card
from t2r_agents.route_actions.claims import act_without_cards, is_payable
from t2r_agents.route_actions.common import decide_common
from t2r_agents.route_actions.stations import station_to_build
from t2r_agents.route_plan.planning import begin_plan, make_plan
from t2r_agents.route_plan.points import route_points
from t2r_agents.route_plan.records import Parameters, Plan, Workspace
from t2r_agents.route_plan.shares import value_shares
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, lowest_bit
from t2r_env.core.game import NO_ACTION
from t2r_env.rules.map_game import board, second_claim
from t2r_env.rules.map_game.modules import MapRules, MapState
from t2r_env.rules.names import blocks, phases
from t2r_env.rules.state import TICKET_WORDS

NO_COMPONENT = -1


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
    if view.phase == phases.TURN:
        return _take_turn(view, mask, rules, parameters, plan, workspace)
    if view.phase == second_claim.phases.SECOND_CLAIM:
        action = _best_step(view, mask, rules, parameters, plan, workspace)
        return rules.first_action[blocks.STOP] if action == NO_ACTION else action
    return decide_common(view, mask, rules, parameters, plan, workspace)


@compiled
def _take_turn(
    view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace
) -> int:
    action = _best_step(view, mask, rules, parameters, plan, workspace)
    if action == NO_ACTION:
        make_plan(view, rules, parameters, plan, workspace)
        action = station_to_build(view, mask, rules, plan)
    if action == NO_ACTION:
        action = best_card(view, mask, rules, plan)
    return act_without_cards(mask, rules) if action == NO_ACTION else action


@compiled
def _best_step(
    view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace
) -> int:
    """Claim the route that brings the most points at once; or NO_ACTION."""
    begin_plan(view, rules, parameters, plan, workspace)
    value_shares(view, rules, workspace)
    chosen = NO_ACTION
    best = 0
    for i in range(workspace.num_candidates):
        route = workspace.candidate_route[i]
        action = rules.first_action[board.blocks.CLAIM] + route
        if mask[action] and is_payable(view, rules, plan, route):
            value = route_points(rules, workspace, route) + 2 * _completed_points(rules, workspace, route)
            if value > best:
                best = value
                chosen = action
    return chosen


@compiled
def _completed_points(rules: MapRules, workspace: Workspace, route: int) -> int:
    """The points of the tickets that a route completes."""
    a = workspace.component[rules.route_a[route]]
    b = workspace.component[rules.route_b[route]]
    points = 0
    for word in range(TICKET_WORDS):
        tickets = workspace.unplanned_tickets[word]
        while tickets != bits.NONE:
            ticket = 64 * word + lowest_bit(tickets)
            tickets = bits.without_lowest(tickets)
            is_completed = _is_completed(rules, workspace, ticket, NO_COMPONENT, NO_COMPONENT)
            if not is_completed and _is_completed(rules, workspace, ticket, a, b):
                points += rules.ticket_points[ticket]
    return points


@compiled
def _is_completed(rules: MapRules, workspace: Workspace, ticket: int, a: int, b: int) -> bool:
    """Whether a ticket's ends are connected once the components `a` and `b` are one (C16)."""
    starts = rules.ticket_a[ticket]
    while starts != bits.NONE:
        start = workspace.component[lowest_bit(starts)]
        starts = bits.without_lowest(starts)
        goals = rules.ticket_b[ticket]
        while goals != bits.NONE:
            goal = workspace.component[lowest_bit(goals)]
            goals = bits.without_lowest(goals)
            if start == goal or (start == a and goal == b) or (start == b and goal == a):
                return True
    return False
