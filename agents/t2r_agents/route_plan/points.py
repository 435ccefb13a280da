"""Planning for points: the routes that score most, for the trains that tickets leave."""

import numpy as np

from t2r_agents.route_plan.records import Plan, Workspace
from t2r_agents.route_plan.resources import MANY_CARDS, add_route, missing_cards, needs_technology
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits, inlined
from t2r_env.rules.map_game import attractions
from t2r_env.rules.map_game.board import NO_ROUTE
from t2r_env.rules.map_game.modules import MapRules, MapState


@compiled
def plan_points(view: MapState, rules: MapRules, plan: Plan, workspace: Workspace) -> None:
    """With the spare trains, plan the routes of the most points; of equal ones that with the fewest missing cards."""
    while True:
        route = _best_route(view, rules, plan, workspace)
        if route == NO_ROUTE:
            return
        add_route(view, rules, plan, route)
        workspace.touched_cities |= ends(rules, route)


@compiled
def _best_route(view: MapState, rules: MapRules, plan: Plan, workspace: Workspace) -> int:
    chosen = NO_ROUTE
    most = 0
    fewest = MANY_CARDS
    for i in range(workspace.num_candidates):
        route = workspace.candidate_route[i]
        if rules.route_trains[route] <= plan.spare_trains and not intersect(plan.routes, rules.parallel[route]):
            points = route_points(rules, workspace, route)
            if points >= most and _has_technologies(view, rules, plan, route):
                missing = missing_cards(rules, plan, route)
                if points > most or missing < fewest:
                    most = points
                    fewest = missing
                    chosen = route
    return chosen


@inlined
def _has_technologies(view: MapState, rules: MapRules, plan: Plan, route: int) -> bool:
    """Whether the seat has or plans all technologies that a route needs."""
    for technology in range(rules.num_technologies):
        if needs_technology(view, rules, plan, route, technology):
            return False
    return True


@compiled
def route_points(rules: MapRules, workspace: Workspace, route: int) -> int:
    """The points of a route: its spaces, its mountains, the attractions that it is the first to touch, and a share."""
    points = rules.points[rules.route_length[route]]
    points += rules.mountain_points * (rules.route_trains[route] - rules.route_length[route])
    points += rules.bonus[attractions.parts.ATTRACTIONS] * count_bits(
        ends(rules, route) & rules.attractions & ~workspace.touched_cities
    )
    share = 0
    for company in range(rules.num_companies):
        if rules.route_shares[route] & rules.company_shares[company] != bits.NONE:
            share = max(share, workspace.share_value[company])
    return points + share


@compiled
def cities_of(view: MapState, rules: MapRules, seat: int) -> np.uint64:
    """The cities that a seat's routes touch."""
    cities = bits.NONE
    for city in range(rules.num_cities):
        if intersect(view.claimed[seat], rules.touching[city]):
            cities |= bits.bit(city)
    return cities


@inlined
def ends(rules: MapRules, route: int) -> np.uint64:
    """The two cities of a route, as a set."""
    return bits.bit(rules.route_a[route]) | bits.bit(rules.route_b[route])


@inlined
def intersect(routes: Array, others: Array) -> bool:
    """Whether two sets have a route in common."""
    return routes[0] & others[0] != bits.NONE or routes[1] & others[1] != bits.NONE
