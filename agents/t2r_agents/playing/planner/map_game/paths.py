"""Shortest paths over the routes that the seat may claim or, with stations, use (EU7).

Cities that its network connects are one component. A route of others takes no trains but a station at one of its ends:
an existing or a new one. Each plan decides which station is for which route, as the rules do at the end.
"""

import numpy as np

from t2r_agents.playing.planner.map_game.position import (
    HALF_TURNS_PER_CLAIM,
    ends,
    missing_for_edge,
    missing_for_route,
    missing_for_station,
    own_stations,
    reserve_for_station,
)
from t2r_agents.playing.planner.map_game.records import FIRST, LATER, Parameters, Plan
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined, lowest_bit
from t2r_env.rules.map_game import payments, stations
from t2r_env.rules.map_game.records import NO_CITY, NO_ROUTE, MapRules, MapState

UNREACHABLE = 10_000
"""The distance of a component to which no path leads."""
NEXT_TO_NOTHING = 1
"""The cost of a route that an existing station may use."""


@compiled
def price_first(rules: MapRules, parameters: Parameters, plan: Plan) -> None:
    """Price the edges for a plan in which nothing is planned yet. The paths are kept for all plans of the decision."""
    if plan.prices != FIRST:
        plan.prices = FIRST
        _price_edges(rules, parameters, plan)


@compiled
def price_again(rules: MapRules, parameters: Parameters, plan: Plan) -> None:
    """Price the edges for what is planned."""
    _forget_paths(rules, plan)
    _price_edges(rules, parameters, plan)


@inlined
def _forget_paths(rules: MapRules, plan: Plan) -> None:
    """Have all paths searched for again, since edges change; those of the first prices are kept."""
    plan.prices = LATER
    for row in range(rules.num_cities):
        plan.paths_from[LATER, row] = bits.NONE


@compiled
def _price_edges(rules: MapRules, parameters: Parameters, plan: Plan) -> None:
    """Write each edge's cost for the cards that the plan leaves, and the components that it joins."""
    for i in range(plan.num_candidates):
        plan.edge_cost[i] = max(cost_of_edge(rules, parameters, plan, i) - plan.edge_discount[i], 1)
    if rules.num_stations > 0:
        new_station = _cost_of_new_station(rules, parameters, plan)
        for i in range(plan.num_candidates, plan.num_edges):
            plan.edge_cost[i] = _cost_of_use(rules, plan, plan.edge_route[i], new_station)
    _join_edges(plan)


@inlined
def _join_edges(plan: Plan) -> None:
    """Write the components that each edge joins."""
    for i in range(plan.num_edges):
        plan.edge_a[i] = plan.component[np.uint64(plan.edge_city_a[i])]
        plan.edge_b[i] = plan.component[np.uint64(plan.edge_city_b[i])]


@compiled
def join_again(rules: MapRules, plan: Plan) -> None:
    """Write the components that each edge joins, after these have changed."""
    _forget_paths(rules, plan)
    _join_edges(plan)


@inlined
def cost_of_edge(rules: MapRules, parameters: Parameters, plan: Plan, i: int) -> int:
    """Return the cost of claiming a route: its turn, trains, symbols, tunnel, missing cards, and technologies."""
    cost = plan.edge_base[i] + parameters.card_cost * missing_for_edge(plan, i)
    if rules.num_technologies > 0:
        for technology in bits.ones(plan.edge_technologies[i] & ~plan.technologies):
            cost += parameters.technology_cost * rules.technology_price[technology]
    return cost


@inlined
def _cost_of_new_station(rules: MapRules, parameters: Parameters, plan: Plan) -> int:
    """Return what a new station costs, its turn, cards and points; UNREACHABLE if none is left."""
    if plan.num_stations >= rules.num_stations:
        return UNREACHABLE
    cost = parameters.claim_cost + parameters.cost_per_point * rules.station_points
    cost += parameters.card_cost * missing_for_station(rules, plan, plan.num_stations)
    return max(cost, NEXT_TO_NOTHING)


@inlined
def _cost_of_use(rules: MapRules, plan: Plan, route: int, new_station: int) -> int:
    """Return the cost of a route of others: next to nothing at a station that is free, else that of a new station;
    UNREACHABLE once there have been too few stations for a path."""
    cities = ends(rules, route)
    if plan.may_use and cities & plan.free_stations != bits.NONE:
        return NEXT_TO_NOTHING
    return new_station if plan.may_use and cities & ~plan.cities_taken != bits.NONE else UNREACHABLE


@compiled
def find_paths(rules: MapRules, plan: Plan, from_cities: np.uint64, to_cities: np.uint64) -> int:
    """Find the shortest paths from a set of cities, unless they are known; return the nearest component of another."""
    components = _components_of(plan, from_cities)
    plan.row = lowest_bit(components)
    distance = plan.distance[plan.prices, plan.row]
    if plan.paths_from[plan.prices, plan.row] != components:
        plan.paths_from[plan.prices, plan.row] = components
        _search_from(rules, plan, components, distance, plan.last_route[plan.prices, plan.row])
    nearest = plan.component[lowest_bit(to_cities)]
    while to_cities != bits.NONE:
        component = plan.component[lowest_bit(to_cities)]
        to_cities = bits.without_lowest(to_cities)
        if distance[component] < distance[nearest]:
            nearest = component
    return nearest


@inlined
def distance_to(plan: Plan, component: int) -> int:
    """Return the cost of the path found to a component."""
    return plan.distance[plan.prices, plan.row, component]


@inlined
def _components_of(plan: Plan, cities: np.uint64) -> np.uint64:
    components = bits.NONE
    while cities != bits.NONE:
        components |= bits.bit(plan.component[lowest_bit(cities)])
        cities = bits.without_lowest(cities)
    return components


@compiled
def _search_from(rules: MapRules, plan: Plan, components: np.uint64, distance: Array, last_route: Array) -> None:
    """Search for the shortest paths to all components (Bellman-Ford)."""
    for component in range(rules.num_cities):
        distance[component] = UNREACHABLE
        last_route[component] = NO_ROUTE
    while components != bits.NONE:
        distance[lowest_bit(components)] = 0
        components = bits.without_lowest(components)
    has_changed = True
    while has_changed:
        has_changed = False
        for i in range(plan.num_edges):
            a, b = np.uint64(plan.edge_a[i]), np.uint64(plan.edge_b[i])  # unsigned indices are faster
            to_a, to_b, cost = distance[a], distance[b], plan.edge_cost[i]
            if to_a + cost < to_b:
                distance[b] = to_a + cost
                last_route[b] = plan.edge_route[i]
                has_changed = True
            elif to_b + cost < to_a:
                distance[a] = to_b + cost
                last_route[a] = plan.edge_route[i]
                has_changed = True


@compiled
def follow_path(rules: MapRules, plan: Plan, component: int) -> None:
    """Write the routes of the path found to a component, and how many claims, trains and half turns they take.

    A card may be counted for several routes.
    """
    plan.path_length = 0
    plan.path_claims = 0
    plan.path_trains = 0
    plan.path_half_turns = 0
    last_route = plan.last_route[plan.prices, plan.row]
    while last_route[component] != NO_ROUTE:
        route = last_route[component]
        plan.path_route[plan.path_length] = route
        plan.path_length += 1
        if not bits.contains(plan.usable_routes, route):
            plan.path_claims += 1
            plan.path_trains += rules.route_trains[route]
            plan.path_half_turns += HALF_TURNS_PER_CLAIM + missing_for_route(rules, plan, route)
        elif ends(rules, route) & plan.free_stations == bits.NONE:
            number = min(plan.num_stations, rules.num_stations - 1)
            plan.path_half_turns += HALF_TURNS_PER_CLAIM + missing_for_station(rules, plan, number)
        a = plan.component[rules.route_a[route]]
        component = plan.component[rules.route_b[route]] if a == component else a


# Stations


@compiled
def use_stations(rules: MapRules, plan: Plan, plans_them: bool) -> bool:
    """Return whether there are stations for all routes of others on the path, each for one; plan them if asked to."""
    free, taken, number = plan.free_stations, plan.cities_taken, plan.num_stations
    for i in range(plan.path_length):
        route = plan.path_route[i]
        if bits.contains(plan.usable_routes, route):
            cities = ends(rules, route)
            if cities & free != bits.NONE:
                free &= ~bits.lowest(cities & free)
            elif cities & ~taken != bits.NONE and number < rules.num_stations:
                new = bits.lowest(cities & ~taken)
                taken |= new
                if plans_them:
                    plan.stations |= new
                    reserve_for_station(rules, plan, number)
                number += 1
            else:
                return False
            if plans_them:
                bits.add(plan.used_routes, route)
    if plans_them:
        plan.free_stations, plan.cities_taken, plan.num_stations = free, taken, number
    return True


@compiled
def continue_stations(view: MapState, rules: MapRules, plan: Plan) -> bool:
    """Reserve the cards for the stations that are left of an earlier plan; False if another seat has taken a city."""
    built = own_stations(view)
    if view.city != NO_CITY:
        built |= bits.bit(view.city)
    plan.stations &= ~built
    if plan.stations & stations.cities_taken(view, rules) != bits.NONE:
        return False
    number = payments.stations_built(view, view.current)
    left = plan.stations
    while left != bits.NONE:
        left = bits.without_lowest(left)
        if number < rules.num_stations:
            reserve_for_station(rules, plan, number)
        number += 1
    return number <= rules.num_stations
