"""The plan: which tickets to complete, over which routes, and which further routes to claim for points.

A plan is made for the cards in hand. A route costs the turn in which it is claimed, its trains, and the cards that are
missing for it. Tickets are planned together: first the nearest, then the nearest to the network that this gives, and so
on, which approximates the least tree for all of them (Takahashi, Matsuyama 1980: An approximate solution for the
Steiner problem in graphs).
"""

import numpy as np

from t2r_agents.playing.planner.map_game.paths import (
    UNREACHABLE,
    continue_stations,
    cost_of_edge,
    distance_to,
    find_paths,
    follow_path,
    price_again,
    price_first,
    use_stations,
)
from t2r_agents.playing.planner.map_game.position import (
    HALF_TURNS_PER_CLAIM,
    add_route,
    begin_plan,
    clear_plan,
    connect,
    count_resources,
    ends,
    has_time,
    intersect,
    is_paying_for_route,
    missing_cards,
    missing_for_edge,
    missing_for_route,
    points_without_attractions,
    turns_left,
)
from t2r_agents.playing.planner.map_game.records import LOWEST, TENTHS, Parameters, Plan
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.rules.map_game.records import NO_ROUTE, ROUTE_WORDS, MapRules, MapState
from t2r_env.rules.names import parts, phases

NO_TICKET = -1
NO_EDGE = -1


@compiled
def make_plan(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan) -> None:
    """Plan the tickets held, then points with the trains and time left; in a race for a route, plan only that route."""
    begin_plan(view, rules, parameters, plan)
    fill_plan(view, rules, parameters, plan)


@compiled
def fill_plan(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan) -> None:
    """Make the plan of a decision for which one has begun."""
    clear_plan(view, rules, plan)
    plan.ticket_gain = LOWEST
    if not _plan_race(view, rules, parameters, plan):
        plan_tickets(view, rules, parameters, plan)
        if view.phase == phases.TURN:
            plan.ticket_gain = gain_of_drawing_tickets(view, rules, parameters, plan)
        plan_points(view, rules, parameters, plan)


@compiled
def continue_plan(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan) -> bool:
    """Go on with a plan made at an earlier decision: reserve cards and trains for the routes that are left of it.

    Returns False if a new plan is due: another seat has claimed one of its routes, the trains do not suffice, or no
    route is left.
    """
    seat = view.current
    count_resources(view, rules, plan)
    plan.turns_left = turns_left(view, rules, parameters)
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


@compiled
def _plan_race(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan) -> bool:
    """Plan the route that scores more than `race_points` for each half turn, if any; return whether there is one."""
    chosen = NO_ROUTE
    best = parameters.race_points
    for i in range(plan.num_candidates):
        route = plan.edge_route[i]
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
    plan.network |= ends(rules, chosen)
    return True


# Tickets


@compiled
def plan_tickets(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan) -> None:
    """Plan the unplanned tickets, always the nearest to completion: its routes may bring others nearer."""
    tickets_left = parameters.max_planned_tickets
    price_first(rules, parameters, plan)
    while True:
        ticket, cost = _find_nearest_ticket(rules, parameters, plan)
        if ticket == NO_TICKET:
            return
        if cost < UNREACHABLE and not use_stations(rules, plan, False):
            plan.may_use = 0
            price_again(rules, parameters, plan)
            continue
        bits.remove(plan.unplanned_tickets, ticket)
        points, otherwise = TENTHS * plan.points_if_joined, TENTHS * plan.points_otherwise
        in_points = TENTHS * cost // parameters.cost_per_point
        is_planned = (
            cost < UNREACHABLE
            and tickets_left > 0
            and plan.path_trains <= plan.spare_trains
            and in_points <= points - otherwise
            and has_time(plan, parameters, plan.half_turns + plan.path_half_turns)
        )
        if is_planned:
            tickets_left -= 1
            risk = min(100, parameters.route_risk * plan.path_claims)
            plan.ticket_value += (points * (100 - risk) + otherwise * risk) // 100 - in_points
            _plan_path(view, rules, plan)
            price_again(rules, parameters, plan)
        else:
            plan.ticket_value += otherwise


@compiled
def find_end(rules: MapRules, parameters: Parameters, plan: Plan, ticket: int) -> tuple[int, int, int]:
    """Return the component to which a ticket's path is best led, its points if this is joined, and those otherwise.

    Of several countries that is the one worth most after the path's cost; one that is joined already counts otherwise
    (SW8).
    """
    points = rules.ticket_points[ticket]
    if rules.num_destinations[ticket] == 0:
        return find_paths(rules, plan, rules.ticket_a[ticket], rules.ticket_b[ticket]), points, -points
    best = LOWEST
    best_end, best_points, otherwise = 0, 0, -points
    for index in range(rules.num_destinations[ticket]):
        end = find_paths(rules, plan, rules.ticket_a[ticket], rules.destination[ticket, index])
        points = rules.destination_points[ticket, index]
        value = points * parameters.cost_per_point - distance_to(plan, end)
        if value > best:
            best = value
            best_end, best_points = end, points
        if distance_to(plan, end) == 0:
            otherwise = max(otherwise, points)
    return best_end, best_points, otherwise


@compiled
def _find_nearest_ticket(rules: MapRules, parameters: Parameters, plan: Plan) -> tuple[int, int]:
    """Return the unplanned ticket with the shortest path, or NO_TICKET, and the path's cost; follow this path.

    Those that the network completes count as planned. What the ticket is worth is written into the plan.
    """
    nearest = NO_TICKET
    shortest = 2 * UNREACHABLE
    for ticket in bits.members(plan.unplanned_tickets):
        end, points, otherwise = find_end(rules, parameters, plan, ticket)
        cost = distance_to(plan, end)
        if cost == 0:
            bits.remove(plan.unplanned_tickets, ticket)
            plan.ticket_value += TENTHS * points
        elif cost < shortest:
            shortest = cost
            nearest = ticket
            plan.points_if_joined, plan.points_otherwise = points, otherwise
            follow_path(rules, plan, end)
    return nearest, shortest


@compiled
def _plan_path(view: MapState, rules: MapRules, plan: Plan) -> None:
    """Plan the path that was followed last: its routes, by increasing index, and stations for those of others."""
    use_stations(rules, plan, True)
    for i in range(plan.path_length):
        if not bits.contains(plan.usable_routes, plan.path_route[i]):
            bits.add(plan.ticket_routes, plan.path_route[i])
    for word in range(ROUTE_WORDS):
        for bit in bits.ones(plan.ticket_routes[word] & ~plan.routes[word]):
            route = 64 * word + bit
            add_route(view, rules, plan, route)
            plan.network |= ends(rules, route)
            connect(rules, plan, route)
    if rules.num_stations > 0:
        for route in bits.members(plan.used_routes):
            connect(rules, plan, route)
    plan.open_routes = bits.count(plan.ticket_routes)
    actions = plan.open_routes + count_bits(plan.stations)
    plan.half_turns = HALF_TURNS_PER_CLAIM * actions + missing_cards(plan)


# What drawing tickets promises


@compiled
def gain_of_drawing_tickets(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan) -> int:
    """Return what an offer of tickets is worth on average besides those planned, in tenths of a point.

    LOWEST if tickets are not to be drawn: the seat has not nearly done with its own, or no time is left.
    """
    drawn = min(rules.later_offer, view.queue_count)
    is_time = plan.open_routes <= parameters.max_open_routes and plan.turns_left >= parameters.min_turns_to_draw_tickets
    if drawn == 0 or view.last_turns_left > 0 or not is_time:
        return LOWEST
    number = 0
    for ticket in range(rules.num_regular):
        is_held = bits.contains(view.tickets[view.current], ticket)
        if rules.num_racks > 0:
            is_held = is_held or bits.contains(view.rack_tickets[rules.team[view.current]], ticket)
        if not is_held:
            gain = _gain_of_ticket(rules, parameters, plan, ticket)
            index = number
            while index > 0 and plan.unseen_gain[index - 1] < gain:
                plan.unseen_gain[index] = plan.unseen_gain[index - 1]
                index -= 1
            plan.unseen_gain[index] = gain
            number += 1
    return expected_gain(plan.unseen_gain, number, drawn) if drawn <= number else LOWEST


@compiled
def _gain_of_ticket(rules: MapRules, parameters: Parameters, plan: Plan, ticket: int) -> int:
    """Return what a ticket would gain besides the plan, in tenths of a point."""
    end, points, otherwise = find_end(rules, parameters, plan, ticket)
    cost = distance_to(plan, end)
    if cost == 0:
        return TENTHS * points
    follow_path(rules, plan, end)
    has_trains = cost < UNREACHABLE and plan.path_trains <= plan.spare_trains
    if not has_trains or not has_time(plan, parameters, plan.half_turns + plan.path_half_turns):
        return TENTHS * otherwise
    risk = min(100, parameters.route_risk * plan.path_claims)
    on_average = TENTHS * (points * (100 - risk) + otherwise * risk) // 100
    return max(TENTHS * otherwise, on_average - TENTHS * cost // parameters.cost_per_point)


@compiled
def expected_gain(gains: np.ndarray, number: int, drawn: int) -> int:
    """Return what an offer of `drawn` tickets of `number` is worth on average.

    `gains`, int64 of shape (number or more,), says what each of them would gain, the greatest first. Of those drawn
    the best must be kept; of the others those that gain something are.
    """
    best = 0.0  # the mean of the best one's gain
    best_if_gain = 0.0  # the same, where a loss counts as 0
    total = 0.0  # the sum of all gains that are no losses
    chance = drawn / number  # that this one is the best: all before it are missing
    for i in range(number - drawn + 1):
        best += chance * gains[i]
        best_if_gain += chance * max(0, gains[i])
        # C(number - i - 2, drawn - 1) / C(number - i - 1, drawn - 1)
        left = number - i - 1
        if left > 0:
            chance *= max(0.0, (left - drawn + 1) / left)
    for i in range(number):
        total += max(0, gains[i])
    return int(best + drawn / number * total - best_if_gain)


# Points


@compiled
def plan_points(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan) -> None:
    """Plan the routes worth most for what they cost, as long as trains and time suffice."""
    for i in range(plan.num_candidates):
        cost = plan.edge_base[i] + parameters.card_cost * missing_for_edge(plan, i)
        value = parameters.point_value * _edge_points(rules, plan, i) - cost
        plan.edge_value[i] = value + parameters.extension_value + parameters.blocking_value * rules.num_seats
    while True:
        chosen = NO_EDGE
        best = 0
        for i in range(plan.num_candidates):
            if plan.edge_value[i] > best:  # as later values are no greater
                route = plan.edge_route[i]
                half_turns = plan.half_turns + HALF_TURNS_PER_CLAIM + missing_for_edge(plan, i)
                is_possible = plan.edge_trains[i] <= plan.spare_trains and has_time(plan, parameters, half_turns)
                if is_possible and not intersect(plan.routes, rules.parallel[route]):
                    value = _value_of_edge(view, rules, parameters, plan, i)
                    if value > best:
                        best = value
                        chosen = i
                else:
                    plan.edge_value[i] = 0  # it can't be planned any more
        if chosen == NO_EDGE:
            return
        route = plan.edge_route[chosen]
        plan.half_turns += HALF_TURNS_PER_CLAIM + missing_for_edge(plan, chosen)
        add_route(view, rules, plan, route)
        plan.network |= ends(rules, route)


@compiled
def _value_of_edge(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, i: int) -> int:
    """Return what a route for points is worth beyond its cost, in quarters of a card."""
    route = plan.edge_route[i]
    value = parameters.point_value * _edge_points(rules, plan, i)
    value -= cost_of_edge(rules, parameters, plan, i)
    if ends(rules, route) & plan.network != bits.NONE:
        value += parameters.extension_value
    if parameters.blocking_value > 0:
        value += parameters.blocking_value * _opponents_between(view, rules, plan, route)
    return value


@compiled
def route_points(rules: MapRules, plan: Plan, route: int) -> int:
    """Return the points of a route: its spaces, its mountains, the attractions that are new to it, and a share."""
    return points_without_attractions(rules, plan, route) + _attraction_points(rules, plan, route)


@inlined
def _edge_points(rules: MapRules, plan: Plan, i: int) -> int:
    """Return the same for a route that the seat may claim."""
    return plan.edge_points[i] + _attraction_points(rules, plan, plan.edge_route[i])


@inlined
def _attraction_points(rules: MapRules, plan: Plan, route: int) -> int:
    if rules.has_attractions == 0:
        return 0
    return rules.bonus[parts.ATTRACTIONS] * count_bits(ends(rules, route) & rules.attractions & ~plan.network)


@compiled
def _opponents_between(view: MapState, rules: MapRules, plan: Plan, route: int) -> int:
    """Return for how many opponents a route, open to them, joins two networks of theirs."""
    number = 0
    a, b = rules.route_a[route], rules.route_b[route]
    for seat in range(rules.num_seats):
        team = rules.team[seat]
        if team != rules.team[view.current] and bits.contains(view.open[seat], route):
            is_between = ends(rules, route) & ~plan.networks[seat] == bits.NONE
            if is_between and view.component[team, a] != view.component[team, b]:
                number += 1
    return number
