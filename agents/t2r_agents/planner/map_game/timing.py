"""How much time is left: turns to come, and the turns that a plan takes."""

from t2r_agents.planner.map_game.records import Parameters, Plan, Workspace
from t2r_agents.route_plan.paths import previous_component
from t2r_agents.route_plan.points import ends
from t2r_agents.route_plan.resources import best_colour
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game.board import GRAY, NO_ROUTE
from t2r_env.rules.map_game.modules import MapRules, MapState

HALF_TURNS_PER_CLAIM = 2
"""A turn has two halves, since it draws two cards."""
ALWAYS = 100
"""Turns left that no plan takes."""


@compiled
def turns_left(view: MapState, rules: MapRules, parameters: Parameters) -> int:
    """How many turns the seat will still have, this one included, if opponents go on at the usual pace (C15)."""
    if view.last_turns_left > 0:
        return 1
    turns = ALWAYS
    for seat in range(rules.num_seats):
        team = rules.team[seat]
        if team != rules.team[view.current]:
            trains = 0
            for other in range(rules.num_seats):
                if rules.team[other] == team:
                    trains += view.trains[other]
            seats_in_team = rules.num_seats // rules.num_teams
            spent = parameters.trains_per_100_turns * seats_in_team
            needed = 100 * max(0, trains - rules.last_round_trains)
            turns = min(turns, 1 + (needed + spent - 1) // spent)
    return turns


@compiled
def missing_cards(plan: Plan) -> int:
    """How many cards the plan takes that the seat does not hold; spare locomotives stand in."""
    missing = 0
    for colour in range(LOCOMOTIVE):
        missing += max(0, -plan.spare_cards[colour])
    return max(0, missing - plan.spare_cards[LOCOMOTIVE])


@inlined
def has_time(plan: Plan, parameters: Parameters, half_turns: int) -> bool:
    """Whether a plan that takes so many half turns can be carried out in time."""
    return half_turns <= 2 * plan.turns_left + parameters.slack


@inlined
def missing_for_route(rules: MapRules, plan: Plan, route: int) -> int:
    """The cards that spare cards of the best colour lack for a route; locomotives are left for what needs them."""
    spare = 0
    if rules.route_colour[route] == GRAY:
        for colour in range(LOCOMOTIVE):
            spare = max(spare, plan.spare_cards[colour])
    else:
        spare = max(0, plan.spare_cards[rules.route_colour[route]])
    return max(0, rules.route_length[route] - rules.route_ferry[route] - spare)


@inlined
def missing_for_station(rules: MapRules, plan: Plan, number: int) -> int:
    """The cards that spare cards of the best colour lack for the station of this number."""
    return max(0, rules.station_price[number] - max(0, plan.spare_cards[best_colour(plan)]))


@compiled
def half_turns_of_path(rules: MapRules, plan: Plan, workspace: Workspace, component: int) -> int:
    """How many half turns the path to a component takes; a card may be counted for several routes of it."""
    half_turns = 0
    while workspace.last_route[component] != NO_ROUTE:
        route = workspace.last_route[component]
        if not bits.contains(workspace.usable_routes, route):
            half_turns += HALF_TURNS_PER_CLAIM + missing_for_route(rules, plan, route)
        elif ends(rules, route) & workspace.free_stations == bits.NONE:
            number = min(workspace.num_stations, rules.num_stations - 1)
            half_turns += HALF_TURNS_PER_CLAIM + missing_for_station(rules, plan, number)
        component = previous_component(rules, workspace, component)
    return half_turns


@compiled
def routes_on_path(rules: MapRules, workspace: Workspace, component: int) -> int:
    """How many routes are to be claimed on the path to a component."""
    routes = 0
    while workspace.last_route[component] != NO_ROUTE:
        if not bits.contains(workspace.usable_routes, workspace.last_route[component]):
            routes += 1
        component = previous_component(rules, workspace, component)
    return routes
