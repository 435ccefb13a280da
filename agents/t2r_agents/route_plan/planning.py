"""Making a plan, and going on with one."""

from t2r_agents.route_plan.paths import connect, update_costs
from t2r_agents.route_plan.points import cities_of, plan_points
from t2r_agents.route_plan.records import Parameters, Plan, Workspace
from t2r_agents.route_plan.resources import add_route, count_resources, is_paying_for_route
from t2r_agents.route_plan.shares import value_shares
from t2r_agents.route_plan.stations import continue_stations, list_usable_routes, price_usable_routes
from t2r_agents.route_plan.tickets import plan_tickets
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, lowest_bit
from t2r_env.rules.map_game import attractions
from t2r_env.rules.map_game.board import ROUTE_WORDS
from t2r_env.rules.map_game.modules import MapRules, MapState
from t2r_env.rules.state import TICKET_WORDS
from t2r_env.sizes import MAX_LENGTH


@compiled
def make_plan(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> None:
    """Plan the tickets held, or as many as the parameters allow, and points with the trains left over."""
    begin_plan(view, rules, parameters, plan, workspace)
    plan_tickets(view, rules, parameters, plan, workspace)
    value_shares(view, rules, workspace)
    plan_points(view, rules, plan, workspace)


@compiled
def begin_plan(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> None:
    """Start from an empty plan, and price the routes that the seat may claim or use."""
    read_position(view, rules, plan, workspace)
    update_costs(view, rules, parameters, plan, workspace)
    price_usable_routes(rules, parameters, workspace)


@compiled
def read_position(view: MapState, rules: MapRules, plan: Plan, workspace: Workspace) -> None:
    """Start from an empty plan; a route that is being paid for counts as the seat's own. Nothing is priced yet."""
    count_resources(view, rules, plan)
    plan.ticket_value = 0
    for word in range(ROUTE_WORDS):
        plan.ticket_routes[word] = bits.NONE
        plan.routes[word] = bits.NONE
    _read_holdings(view, rules, workspace)
    if is_paying_for_route(view):
        connect(rules, workspace, view.route)
    _list_candidates(view, rules, plan, workspace)
    list_usable_routes(view, rules, plan, workspace)


@compiled
def _read_holdings(view: MapState, rules: MapRules, workspace: Workspace) -> None:
    """Copy the seat's network and tickets, and everybody's shares."""
    seat = view.current
    for city in range(rules.num_cities):
        workspace.component[city] = view.component[rules.team[seat], city]
    workspace.touched_cities = bits.NONE
    if rules.bonus[attractions.parts.ATTRACTIONS]:
        workspace.touched_cities = cities_of(view, rules, seat)
    for word in range(TICKET_WORDS):
        workspace.unplanned_tickets[word] = view.tickets[seat, word]
        if rules.num_racks > 0:
            workspace.unplanned_tickets[word] |= view.rack_tickets[rules.team[seat], word]
    for holder in range(workspace.shares.size):
        workspace.shares[holder] = view.shares[holder]


@compiled
def _list_candidates(view: MapState, rules: MapRules, plan: Plan, workspace: Workspace) -> None:
    """List the routes that the seat may claim, now or later, within its trains."""
    workspace.num_candidates = 0
    for word in range(ROUTE_WORDS):
        routes = view.open[view.current, word] & rules.up_to_trains[min(plan.spare_trains, MAX_LENGTH), word]
        if is_paying_for_route(view):
            routes &= ~rules.parallel[view.route, word]
        while routes != bits.NONE:
            workspace.candidate_route[workspace.num_candidates] = 64 * word + lowest_bit(routes)
            workspace.num_candidates += 1
            routes = bits.without_lowest(routes)


@compiled
def continue_plan(view: MapState, rules: MapRules, plan: Plan) -> bool:
    """Go on with a plan made at an earlier decision: reserve cards and trains for the routes that are left of it.

    Returns False if a new plan is due: another seat has claimed one of its routes, the trains do not suffice, or no
    route is left.
    """
    seat = view.current
    count_resources(view, rules, plan)
    is_left = False
    for word in range(ROUTE_WORDS):
        routes = plan.routes[word] & ~view.claimed[seat, word]
        if routes & ~view.open[seat, word] != bits.NONE:
            return False
        plan.ticket_routes[word] &= ~view.claimed[seat, word]
        while routes != bits.NONE:
            route = 64 * word + lowest_bit(routes)
            routes = bits.without_lowest(routes)
            if not is_paying_for_route(view) or route != view.route:
                add_route(view, rules, plan, route)
            is_left = True
    if rules.num_stations > 0:
        if not continue_stations(view, rules, plan):
            return False
        is_left = is_left or plan.stations != bits.NONE
    return is_left and plan.spare_trains >= 0
