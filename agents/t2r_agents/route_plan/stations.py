"""Planning stations: routes of others as parts of the ways of tickets (EU7).

The search for paths goes over them too: they follow the routes that the seat may claim, from `num_candidates` on. Such
a route takes no trains but a station at one of its ends: one that stands, or a new one. Which station is whose is
decided anew in each plan, as the rules do it at the end.
"""

import numpy as np

from t2r_agents.route_plan.paths import COST_PER_POINT, QUARTERS, UNREACHABLE, connect, previous_component
from t2r_agents.route_plan.records import Parameters, Plan, Workspace
from t2r_agents.route_plan.resources import reserve_for_station
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined, lowest_bit
from t2r_env.rules.map_game import stations
from t2r_env.rules.map_game.board import NO_ROUTE, ROUTE_WORDS
from t2r_env.rules.map_game.modules import MapRules, MapState
from t2r_env.rules.map_game.stations import NO_CITY

NEXT_TO_NOTHING = 1
"""The cost of a route that a station that stands may use."""


@compiled
def list_usable_routes(view: MapState, rules: MapRules, plan: Plan, workspace: Workspace) -> None:
    """Begin without planned stations, and list the routes of others behind the candidates; a station that is being
    paid for counts as built."""
    plan.stations = bits.NONE
    workspace.num_edges = workspace.num_candidates
    workspace.may_use = rules.num_stations
    for word in range(ROUTE_WORDS):
        plan.used_routes[word] = bits.NONE
        workspace.usable_routes[word] = bits.NONE
    if rules.num_stations == 0:
        return
    seat = view.current
    workspace.cities_taken = stations.cities_taken(view, rules)
    workspace.free_stations = own_stations(view)
    workspace.num_stations = stations.number_built(view, seat)
    if view.city != NO_CITY:
        workspace.cities_taken |= bits.bit(view.city)
        workspace.free_stations |= bits.bit(view.city)
        workspace.num_stations += 1
    for other in range(rules.num_seats):
        if other != seat:
            for word in range(ROUTE_WORDS):
                routes = view.claimed[other, word]
                workspace.usable_routes[word] |= routes
                while routes != bits.NONE:
                    workspace.candidate_route[workspace.num_edges] = 64 * word + lowest_bit(routes)
                    workspace.num_edges += 1
                    routes = bits.without_lowest(routes)


@inlined
def own_stations(view: MapState) -> np.uint64:
    """The cities with a station of the acting seat."""
    cities = bits.NONE
    for city in view.stations[view.current]:
        if city != NO_CITY:
            cities |= bits.bit(city)
    return cities


@compiled
def price_usable_routes(rules: MapRules, parameters: Parameters, workspace: Workspace) -> None:
    """Write the cost of each: next to nothing at a station that is free, else a turn, the cards and the points of a
    new station; or UNREACHABLE."""
    number = workspace.num_stations
    new = UNREACHABLE
    if number < rules.num_stations:
        new = parameters.claim_cost + QUARTERS * rules.station_price[number] + COST_PER_POINT * rules.station_points
    write_use_costs(rules, workspace, new)


@compiled
def write_use_costs(rules: MapRules, workspace: Workspace, new: int) -> None:
    """The same, where a new station costs so much; all are UNREACHABLE once there have been too few for a path."""
    for i in range(workspace.num_candidates, workspace.num_edges):
        route = workspace.candidate_route[i]
        cities = bits.bit(rules.route_a[route]) | bits.bit(rules.route_b[route])
        cost = UNREACHABLE
        if workspace.may_use:
            if cities & workspace.free_stations != bits.NONE:
                cost = NEXT_TO_NOTHING
            elif cities & ~workspace.cities_taken != bits.NONE:
                cost = max(new, NEXT_TO_NOTHING)
        workspace.candidate_cost[i] = cost


@inlined
def _take_station(
    rules: MapRules, route: int, free: np.uint64, taken: np.uint64, number: int
) -> tuple[np.uint64, np.uint64, int, int]:
    """Use a route by a free station, or by a new one at the end that has none: what is left of the stations that are
    free, the cities taken, the number of stations, and the city of a new one. That is more than there are if it can't
    be."""
    cities = bits.bit(rules.route_a[route]) | bits.bit(rules.route_b[route])
    if cities & free != bits.NONE:
        return free & ~bits.bit(lowest_bit(cities & free)), taken, number, NO_CITY
    if cities & ~taken == bits.NONE:
        return free, taken, rules.num_stations + 1, NO_CITY
    city = lowest_bit(cities & ~taken)
    return free, taken | bits.bit(city), number + 1, city


@compiled
def has_stations_for(rules: MapRules, workspace: Workspace, component: int) -> bool:
    """Whether there are stations for all routes of others on the path to a component, each for one."""
    free, taken, number = workspace.free_stations, workspace.cities_taken, workspace.num_stations
    while workspace.last_route[component] != NO_ROUTE:
        route = workspace.last_route[component]
        if bits.contains(workspace.usable_routes, route):
            free, taken, number, _ = _take_station(rules, route, free, taken, number)
        component = previous_component(rules, workspace, component)
    return number <= rules.num_stations


@compiled
def note_used_routes(rules: MapRules, plan: Plan, workspace: Workspace, component: int) -> None:
    """Plan the stations for the path to a component, and reserve their cards."""
    while workspace.last_route[component] != NO_ROUTE:
        route = workspace.last_route[component]
        if bits.contains(workspace.usable_routes, route):
            bits.add(plan.used_routes, route)
            free, taken, number, city = _take_station(
                rules, route, workspace.free_stations, workspace.cities_taken, workspace.num_stations
            )
            workspace.free_stations = free
            workspace.cities_taken = taken
            if city != NO_CITY:
                plan.stations |= bits.bit(city)
                reserve_for_station(rules, plan, workspace.num_stations)
            workspace.num_stations = number
        component = previous_component(rules, workspace, component)


@compiled
def connect_used_routes(rules: MapRules, plan: Plan, workspace: Workspace) -> None:
    """Merge the components of the cities of all routes that stations are planned to use."""
    for i in range(workspace.num_candidates, workspace.num_edges):
        if bits.contains(plan.used_routes, workspace.candidate_route[i]):
            connect(rules, workspace, workspace.candidate_route[i])


@compiled
def continue_stations(view: MapState, rules: MapRules, plan: Plan) -> bool:
    """Reserve the cards for the stations that are left of an earlier plan; False if another seat has taken a city."""
    built = own_stations(view)
    if view.city != NO_CITY:
        built |= bits.bit(view.city)
    plan.stations &= ~built
    if plan.stations & stations.cities_taken(view, rules) != bits.NONE:
        return False
    number = stations.number_built(view, view.current)
    left = plan.stations
    while left != bits.NONE:
        left = bits.without_lowest(left)
        if number < rules.num_stations:
            reserve_for_station(rules, plan, number)
        number += 1
    return number <= rules.num_stations
