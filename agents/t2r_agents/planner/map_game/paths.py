"""Shortest paths over the routes that the seat may claim or, with stations, use (EU7).

Cities that its network connects are one component. A route of others takes no trains but a station at one of its ends:
an existing or a new one. Each plan decides which station is for which route, as the rules do at the end.
"""

import numpy as np

from t2r_agents.planner.map_game.position import (
    HALF_TURNS_PER_CLAIM,
    ends,
    missing_for_route,
    missing_for_station,
    needs_technology,
    own_stations,
    reserve_for_station,
)
from t2r_agents.planner.map_game.records import Parameters, Plan
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined, lowest_bit
from t2r_env.rules.map_game import payments, stations
from t2r_env.rules.map_game.records import NO_CITY, NO_ROUTE, MapRules, MapState

UNREACHABLE = 10_000
"""The distance of a component to which no path leads."""
NEXT_TO_NOTHING = 1
"""The cost of a route that an existing station may use."""


@compiled
def price_edges(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan) -> None:
    """Write each edge's cost for the cards that the plan leaves, and the components that it joins."""
    for i in range(plan.num_candidates):
        discount = parameters.point_discount * rules.points[rules.route_length[plan.edge_route[i]]]
        plan.edge_cost[i] = max(cost_of_edge(view, rules, parameters, plan, i) - discount, 1)
    if rules.num_stations > 0:
        _price_usable_routes(rules, parameters, plan)
    join_edges(rules, plan)


@inlined
def cost_of_edge(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, i: int) -> int:
    """Return the cost of claiming a route: its turn, trains, symbols, tunnel, missing cards, and technologies."""
    route = plan.edge_route[i]
    cost = plan.edge_base[i] + parameters.card_cost * missing_for_route(rules, plan, route)
    for technology in range(rules.num_technologies):
        if needs_technology(view, rules, plan, route, technology):
            cost += parameters.technology_cost * rules.technology_price[technology]
    return cost


@compiled
def _price_usable_routes(rules: MapRules, parameters: Parameters, plan: Plan) -> None:
    """Write the cost of routes of others: next to nothing at a station that is free, else a turn, the cards and the
    points of a new station; UNREACHABLE once there have been too few stations for a path."""
    number = plan.num_stations
    new = UNREACHABLE
    if number < rules.num_stations:
        new = parameters.claim_cost + parameters.cost_per_point * rules.station_points
        new += parameters.card_cost * missing_for_station(rules, plan, number)
    for i in range(plan.num_candidates, plan.num_edges):
        cities = ends(rules, plan.edge_route[i])
        cost = UNREACHABLE
        if plan.may_use:
            if cities & plan.free_stations != bits.NONE:
                cost = NEXT_TO_NOTHING
            elif cities & ~plan.cities_taken != bits.NONE:
                cost = max(new, NEXT_TO_NOTHING)
        plan.edge_cost[i] = cost


@compiled
def join_edges(rules: MapRules, plan: Plan) -> None:
    """Write the components that each edge joins."""
    plan.paths_from = bits.NONE
    for i in range(plan.num_edges):
        plan.edge_a[i] = plan.component[rules.route_a[plan.edge_route[i]]]
        plan.edge_b[i] = plan.component[rules.route_b[plan.edge_route[i]]]


@compiled
def find_paths(rules: MapRules, plan: Plan, from_cities: np.uint64, to_cities: np.uint64) -> int:
    """Find the shortest paths from a set of cities (Bellman-Ford); return the nearest component of another set."""
    if from_cities != plan.paths_from:
        plan.paths_from = from_cities
        _search_from(rules, plan, from_cities)
    nearest = plan.component[lowest_bit(to_cities)]
    while to_cities != bits.NONE:
        component = plan.component[lowest_bit(to_cities)]
        to_cities = bits.without_lowest(to_cities)
        if plan.distance[component] < plan.distance[nearest]:
            nearest = component
    return nearest


@compiled
def _search_from(rules: MapRules, plan: Plan, cities: np.uint64) -> None:
    for city in range(rules.num_cities):
        plan.distance[city] = UNREACHABLE
        plan.last_route[city] = NO_ROUTE
    while cities != bits.NONE:
        plan.distance[plan.component[lowest_bit(cities)]] = 0
        cities = bits.without_lowest(cities)
    changed = True
    while changed:
        changed = False
        for i in range(plan.num_edges):
            a, b, cost = plan.edge_a[i], plan.edge_b[i], plan.edge_cost[i]
            if plan.distance[a] + cost < plan.distance[b]:
                plan.distance[b] = plan.distance[a] + cost
                plan.last_route[b] = plan.edge_route[i]
                changed = True
            elif plan.distance[b] + cost < plan.distance[a]:
                plan.distance[a] = plan.distance[b] + cost
                plan.last_route[a] = plan.edge_route[i]
                changed = True


@compiled
def follow_path(rules: MapRules, plan: Plan, component: int) -> None:
    """Write the routes of the path to a component, and how many claims, trains and half turns they take.

    A card may be counted for several routes.
    """
    plan.path_length = 0
    plan.path_claims = 0
    plan.path_trains = 0
    plan.path_half_turns = 0
    while plan.last_route[component] != NO_ROUTE:
        route = plan.last_route[component]
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
