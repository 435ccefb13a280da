"""Shortest paths over the routes that the seat may claim. Cities that its network connects count as one component."""

import numpy as np

from t2r_agents.route_plan.records import Parameters, Plan, Workspace
from t2r_agents.route_plan.resources import needs_technology
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, lowest_bit
from t2r_env.rules.map_game.board import NO_ROUTE
from t2r_env.rules.map_game.modules import MapRules, MapState

UNREACHABLE = 10_000
"""The distance of a component to which no path leads."""
TECHNOLOGY_COST = 12
"""Of each locomotive that a missing technology takes, in quarters of a card: a locomotive stands for three cards."""
CARDS_PER_TUNNEL = 4
"""A tunnel costs one more card for so many cards that it reveals, which is what it demands on average."""
QUARTERS = 4
"""Costs are counted in quarters of a card."""
COST_PER_POINT = 8
"""A cost that outweighs a point: two cards."""


@compiled
def update_costs(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> None:
    """Write each candidate's cost: its turn, trains, symbols, tunnel, and the technologies that are not yet planned."""
    for i in range(workspace.num_candidates):
        route = workspace.candidate_route[i]
        cost = parameters.claim_cost + parameters.train_cost * rules.route_trains[route]
        cost += parameters.locomotive_cost * rules.route_ferry[route]
        cost += QUARTERS * (rules.route_tunnel[route] // CARDS_PER_TUNNEL)
        cost -= parameters.point_discount * rules.points[rules.route_length[route]]
        for technology in range(rules.num_technologies):
            if needs_technology(view, rules, plan, route, technology):
                cost += TECHNOLOGY_COST * rules.technology_price[technology]
        workspace.candidate_cost[i] = max(cost, 1)


@compiled
def find_paths(rules: MapRules, workspace: Workspace, from_cities: np.uint64, to_cities: np.uint64) -> int:
    """Find the shortest paths from a set of cities (Bellman-Ford), over the candidates and the routes of others that
    stations may use; return the nearest component of another set.

    `distance` and `last_route` of the workspace describe the paths.
    """
    for city in range(rules.num_cities):
        workspace.distance[city] = UNREACHABLE
        workspace.last_route[city] = NO_ROUTE
    while from_cities != bits.NONE:
        workspace.distance[workspace.component[lowest_bit(from_cities)]] = 0
        from_cities = bits.without_lowest(from_cities)
    changed = True
    while changed:
        changed = False
        for i in range(workspace.num_edges):
            route = workspace.candidate_route[i]
            cost = workspace.candidate_cost[i]
            a = workspace.component[rules.route_a[route]]
            b = workspace.component[rules.route_b[route]]
            if workspace.distance[a] + cost < workspace.distance[b]:
                workspace.distance[b] = workspace.distance[a] + cost
                workspace.last_route[b] = route
                changed = True
            elif workspace.distance[b] + cost < workspace.distance[a]:
                workspace.distance[a] = workspace.distance[b] + cost
                workspace.last_route[a] = route
                changed = True
    return _nearest_component(workspace, to_cities)


@compiled
def _nearest_component(workspace: Workspace, cities: np.uint64) -> int:
    nearest = workspace.component[lowest_bit(cities)]
    while cities != bits.NONE:
        component = workspace.component[lowest_bit(cities)]
        cities = bits.without_lowest(cities)
        if workspace.distance[component] < workspace.distance[nearest]:
            nearest = component
    return nearest


@compiled
def previous_component(rules: MapRules, workspace: Workspace, component: int) -> int:
    """The component before this one on the path to it."""
    route = workspace.last_route[component]
    a = workspace.component[rules.route_a[route]]
    return workspace.component[rules.route_b[route]] if a == component else a


@compiled
def trains_on_path(rules: MapRules, workspace: Workspace, component: int) -> int:
    """How many trains the path to a component takes."""
    trains = 0
    while workspace.last_route[component] != NO_ROUTE:
        if not bits.contains(workspace.usable_routes, workspace.last_route[component]):
            trains += rules.route_trains[workspace.last_route[component]]
        component = previous_component(rules, workspace, component)
    return trains


@compiled
def connect(rules: MapRules, workspace: Workspace, route: int) -> None:
    """Merge the components of a route's two cities."""
    component = workspace.component[rules.route_a[route]]
    merged = workspace.component[rules.route_b[route]]
    for city in range(rules.num_cities):
        if workspace.component[city] == merged:
            workspace.component[city] = component
