"""Planning tickets: which to complete, and over which routes."""

from t2r_agents.route_plan.paths import (
    COST_PER_POINT,
    UNREACHABLE,
    connect,
    find_paths,
    previous_component,
    trains_on_path,
    update_costs,
)
from t2r_agents.route_plan.points import ends
from t2r_agents.route_plan.records import Parameters, Plan, Workspace
from t2r_agents.route_plan.resources import add_route
from t2r_agents.route_plan.stations import (
    connect_used_routes,
    has_stations_for,
    note_used_routes,
    price_usable_routes,
)
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, lowest_bit
from t2r_env.rules.map_game.board import NO_ROUTE
from t2r_env.rules.map_game.modules import MapRules, MapState
from t2r_env.rules.state import TICKET_WORDS

NO_TICKET = -1


@compiled
def plan_tickets(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> None:
    """Plan the workspace's tickets, always the nearest to completion: its routes may bring others nearer."""
    tickets_left = parameters.max_planned_tickets
    while True:
        price_usable_routes(rules, parameters, workspace)
        ticket, destination, cost = nearest_ticket(rules, workspace)
        if ticket == NO_TICKET:
            return
        if cost < UNREACHABLE and not has_stations_for(rules, workspace, destination):
            workspace.may_use = 0
            continue
        bits.remove(workspace.unplanned_tickets, ticket)
        is_within_limit = cost == 0 or tickets_left > 0
        is_possible = cost < UNREACHABLE and trains_on_path(rules, workspace, destination) <= plan.spare_trains
        if is_within_limit and is_possible:
            tickets_left -= 1 if cost > 0 else 0
            plan.ticket_value += rules.ticket_points[ticket] - cost // COST_PER_POINT
            plan_path(view, rules, plan, workspace, destination)
            if rules.num_technologies > 0:
                update_costs(view, rules, parameters, plan, workspace)
        else:
            plan.ticket_value -= rules.ticket_points[ticket]


@compiled
def nearest_ticket(rules: MapRules, workspace: Workspace) -> tuple[int, int, int]:
    """The unplanned ticket with the shortest path, or NO_TICKET; the component where the path ends; the path's cost.

    `last_route` of the workspace then describes this path.
    """
    nearest = NO_TICKET
    destination = 0
    shortest = 2 * UNREACHABLE
    for word in range(TICKET_WORDS):
        tickets = workspace.unplanned_tickets[word]
        while tickets != bits.NONE:
            ticket = 64 * word + lowest_bit(tickets)
            tickets = bits.without_lowest(tickets)
            end = find_paths(rules, workspace, rules.ticket_a[ticket], rules.ticket_b[ticket])
            if workspace.distance[end] < shortest:
                shortest = workspace.distance[end]
                nearest = ticket
                destination = end
                for city in range(rules.num_cities):
                    workspace.nearest_last_route[city] = workspace.last_route[city]
    for city in range(rules.num_cities):
        workspace.last_route[city] = workspace.nearest_last_route[city]
    return nearest, destination, shortest


@compiled
def plan_path(view: MapState, rules: MapRules, plan: Plan, workspace: Workspace, destination: int) -> None:
    """Plan the routes of the path to a component.

    Cities are connected only when the whole path is known, since that changes the components' labels.
    """
    component = destination
    while workspace.last_route[component] != NO_ROUTE:
        if not bits.contains(workspace.usable_routes, workspace.last_route[component]):
            bits.add(plan.ticket_routes, workspace.last_route[component])
        component = previous_component(rules, workspace, component)
    note_used_routes(rules, plan, workspace, destination)
    for i in range(workspace.num_candidates):
        route = workspace.candidate_route[i]
        if bits.contains(plan.ticket_routes, route) and not bits.contains(plan.routes, route):
            add_route(view, rules, plan, route)
            workspace.touched_cities |= ends(rules, route)
            connect(rules, workspace, route)
    connect_used_routes(rules, plan, workspace)
