"""Making a plan: which tickets to complete, over which routes, and what to claim for points besides.

A plan is made for the cards in hand. A route costs the turn in which it is claimed, its trains, and the cards that are
missing for it. Tickets are planned together: first the nearest, then the nearest to the network that this gives, and so
on, which approximates the least tree for all of them (Takahashi, Matsuyama 1980: An approximate solution for the
Steiner problem in graphs).
"""

import numpy as np

from t2r_agents.planner.map_game.records import Parameters, Plan, Workspace
from t2r_agents.planner.map_game.timing import (
    HALF_TURNS_PER_CLAIM,
    half_turns_of_path,
    has_time,
    missing_cards,
    missing_for_route,
    missing_for_station,
    routes_on_path,
    turns_left,
)
from t2r_agents.planner.map_game.unseen_tickets import TENTHS, gain_of_drawing_tickets
from t2r_agents.route_actions import LOWEST
from t2r_agents.route_plan.paths import (
    CARDS_PER_TUNNEL,
    QUARTERS,
    UNREACHABLE,
    previous_component,
    trains_on_path,
)
from t2r_agents.route_plan.planning import read_position
from t2r_agents.route_plan.points import cities_of, ends, intersect, route_points
from t2r_agents.route_plan.resources import add_route, needs_technology
from t2r_agents.route_plan.shares import value_shares
from t2r_agents.route_plan.stations import has_stations_for, write_use_costs
from t2r_agents.route_plan.tickets import NO_TICKET, nearest_ticket, plan_path
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits, inlined
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game import racks
from t2r_env.rules.map_game.board import NO_ROUTE
from t2r_env.rules.map_game.modules import MapRules, MapState


@compiled
def make_plan(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> None:
    """Plan the tickets held, and points with what trains and time are left; but in a race for a route, it alone."""
    begin_plan(view, rules, parameters, plan, workspace)
    if plan_race(view, rules, parameters, plan, workspace):
        plan.ticket_gain = LOWEST
        return
    plan_tickets(view, rules, parameters, plan, workspace)
    plan.ticket_gain = gain_of_drawing_tickets(view, rules, parameters, plan, workspace)
    value_shares(view, rules, workspace)
    plan_points(view, rules, parameters, plan, workspace)


@compiled
def begin_plan(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> None:
    """Start from an empty plan; a route that is being paid for counts as the seat's own."""
    read_position(view, rules, plan, workspace)
    plan.turns_left = turns_left(view, rules, parameters)
    plan.half_turns = 0
    plan.open_routes = 0
    for seat in range(rules.num_seats):
        workspace.networks[seat] = cities_of(view, rules, seat)
    workspace.network = bits.NONE
    for seat in range(rules.num_seats):
        if rules.team[seat] == rules.team[view.current]:
            workspace.network |= workspace.networks[seat]


@compiled
def price_routes(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> None:
    """Write each candidate's cost for the cards that the plan leaves."""
    for i in range(workspace.num_candidates):
        route = workspace.candidate_route[i]
        cost = parameters.claim_cost + parameters.train_cost * rules.route_trains[route]
        cost += parameters.card_cost * missing_for_route(rules, plan, route)
        cost += parameters.locomotive_cost * rules.route_ferry[route]
        cost += QUARTERS * (rules.route_tunnel[route] // CARDS_PER_TUNNEL)
        cost -= parameters.point_discount * rules.points[rules.route_length[route]]
        cost += _technology_cost(view, rules, parameters, plan, route)
        workspace.candidate_cost[i] = max(cost, 1)
    if rules.num_stations > 0:
        _price_stations(rules, parameters, plan, workspace)


@compiled
def _price_stations(rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> None:
    """Write the cost of routes that stations may use: for a new one the turn, the cards lacking and its points."""
    number = workspace.num_stations
    cost = UNREACHABLE
    if number < rules.num_stations:
        cost = parameters.claim_cost + parameters.cost_per_point * rules.station_points
        cost += parameters.card_cost * missing_for_station(rules, plan, number)
    write_use_costs(rules, workspace, cost)


@inlined
def _technology_cost(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, route: int) -> int:
    """The cost of the technologies that a route needs and that are neither had nor planned."""
    cost = 0
    for technology in range(rules.num_technologies):
        if needs_technology(view, rules, plan, route, technology):
            cost += parameters.technology_cost * rules.technology_price[technology]
    return cost


# Races


@compiled
def plan_race(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> bool:
    """Plan the route that scores more than `race_points` for each half turn, if there is one; all race for it."""
    chosen = NO_ROUTE
    best = parameters.race_points
    for i in range(workspace.num_candidates):
        route = workspace.candidate_route[i]
        length = rules.route_length[route]
        rate = TENTHS * rules.points[length] // (HALF_TURNS_PER_CLAIM + length)
        if rate > best and rules.route_trains[route] <= plan.spare_trains:
            if has_time(plan, parameters, HALF_TURNS_PER_CLAIM + missing_for_route(rules, plan, route)):
                best = rate
                chosen = route
    if chosen == NO_ROUTE:
        return False
    plan.half_turns = HALF_TURNS_PER_CLAIM + missing_for_route(rules, plan, chosen)
    add_route(view, rules, plan, chosen)
    workspace.network |= ends(rules, chosen)
    return True


# Tickets


@compiled
def plan_tickets(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> None:
    """Plan the workspace's tickets, always the nearest to completion; `ticket_value` in tenths of a point."""
    tickets_left = parameters.max_planned_tickets
    while True:
        price_routes(view, rules, parameters, plan, workspace)
        ticket, destination, cost = nearest_ticket(rules, workspace)
        if ticket == NO_TICKET:
            return
        if cost < UNREACHABLE and not has_stations_for(rules, workspace, destination):
            workspace.may_use = 0
            continue
        bits.remove(workspace.unplanned_tickets, ticket)
        points = rules.ticket_points[ticket]
        is_possible = cost < UNREACHABLE and (cost == 0 or tickets_left > 0)
        if is_possible and cost > 0:
            is_possible = trains_on_path(rules, workspace, destination) <= plan.spare_trains
            is_possible = is_possible and TENTHS * cost // parameters.cost_per_point <= 2 * TENTHS * points
            if is_possible:
                half_turns = half_turns_of_path(rules, plan, workspace, destination)
                is_possible = has_time(plan, parameters, plan.half_turns + half_turns)
        if is_possible:
            tickets_left -= 1 if cost > 0 else 0
            risk = min(100, parameters.route_risk * routes_on_path(rules, workspace, destination))
            plan.ticket_value += TENTHS * points * (100 - 2 * risk) // 100 - TENTHS * cost // parameters.cost_per_point
            workspace.network |= _cities_on_path(rules, workspace, destination)
            plan_path(view, rules, plan, workspace, destination)
            plan.open_routes = bits.count(plan.ticket_routes)
            actions = plan.open_routes + count_bits(plan.stations)
            plan.half_turns = HALF_TURNS_PER_CLAIM * actions + missing_cards(plan)
        else:
            plan.ticket_value -= TENTHS * points


@compiled
def _cities_on_path(rules: MapRules, workspace: Workspace, component: int) -> np.uint64:
    """The cities that the routes of the path to a component touch."""
    cities = bits.NONE
    while workspace.last_route[component] != NO_ROUTE:
        if not bits.contains(workspace.usable_routes, workspace.last_route[component]):
            cities |= ends(rules, workspace.last_route[component])
        component = previous_component(rules, workspace, component)
    return cities


# Points


@compiled
def plan_points(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> None:
    """Plan the routes worth most for what they cost, as long as trains and time suffice."""
    while True:
        chosen = NO_ROUTE
        best = 0
        for i in range(workspace.num_candidates):
            route = workspace.candidate_route[i]
            if rules.route_trains[route] <= plan.spare_trains and not intersect(plan.routes, rules.parallel[route]):
                half_turns = HALF_TURNS_PER_CLAIM + missing_for_route(rules, plan, route)
                if has_time(plan, parameters, plan.half_turns + half_turns):
                    value = value_of_route(view, rules, parameters, plan, workspace, route)
                    if value > best:
                        best = value
                        chosen = route
        if chosen == NO_ROUTE:
            return
        plan.half_turns += HALF_TURNS_PER_CLAIM + missing_for_route(rules, plan, chosen)
        add_route(view, rules, plan, chosen)
        workspace.network |= ends(rules, chosen)
        workspace.touched_cities |= ends(rules, chosen)


@compiled
def value_of_route(
    view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace, route: int
) -> int:
    """What a route for points is worth beyond its cost, in quarters of a card."""
    value = parameters.point_value * route_points(rules, workspace, route)
    value -= parameters.claim_cost + parameters.train_cost * rules.route_trains[route]
    value -= parameters.card_cost * missing_for_route(rules, plan, route)
    value -= parameters.locomotive_cost * rules.route_ferry[route]
    value -= QUARTERS * (rules.route_tunnel[route] // CARDS_PER_TUNNEL)
    value -= _technology_cost(view, rules, parameters, plan, route)
    if ends(rules, route) & workspace.network != bits.NONE:
        value += parameters.extension_value
    if parameters.blocking_value > 0:
        value += parameters.blocking_value * opponents_between(view, rules, workspace, route)
    return value


@compiled
def opponents_between(view: MapState, rules: MapRules, workspace: Workspace, route: int) -> int:
    """For how many opponents a route, open to them, joins two networks of theirs."""
    number = 0
    for seat in range(rules.num_seats):
        if rules.team[seat] != rules.team[view.current] and bits.contains(view.open[seat], route):
            a, b = rules.route_a[route], rules.route_b[route]
            team = rules.team[seat]
            if ends(rules, route) & ~workspace.networks[seat] == bits.NONE:
                if view.component[team, a] != view.component[team, b]:
                    number += 1
    return number


@inlined
def held_cards(view: MapState, rules: MapRules) -> int:
    """How many cards the acting seat can pay with."""
    cards = 0
    for card in range(LOCOMOTIVE + 1):
        cards += racks.held(view, rules, view.current, card)
    return cards
