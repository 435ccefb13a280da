"""The claim or station with the most points at once, for the last turn. Tickets count twice: they are not lost."""

import numpy as np

from t2r_agents.playing.planner.map_game.claims import is_payable
from t2r_agents.playing.planner.map_game.planning import route_points
from t2r_agents.playing.planner.map_game.position import ends, held_tickets, own_stations
from t2r_agents.playing.planner.map_game.records import Plan
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined, lowest_bit
from t2r_env.rules.map_game import country_tickets, routes
from t2r_env.rules.map_game.records import MapRules, MapState
from t2r_env.rules.names import NO_ACTION, blocks


@compiled
def best_last_claim(view: MapState, mask: Array, rules: MapRules, plan: Plan) -> tuple[int, int]:
    """Claim the route that brings the most points, and return these too; NO_ACTION and less than 0 if there is none.

    Of equal ones, a route at the seat's network comes first. Before the last turn it must be payable without waste.
    """
    chosen = NO_ACTION
    best = -1
    for route in range(rules.num_routes):
        action = rules.first_action[blocks.CLAIM] + route
        if mask[action] and (view.last_turns_left > 0 or is_payable(view, rules, plan, route)):
            joined = _label_of(view, rules, rules.route_a[route]) | _label_of(view, rules, rules.route_b[route])
            value = 4 * (route_points(rules, plan, route) + 2 * _completed_points(view, rules, joined, False))
            value += 1 if ends(rules, route) & plan.network != bits.NONE else 0
            if value > best:
                best = value
                chosen = action
    return chosen, best // 4


@compiled
def best_last_station(view: MapState, mask: Array, rules: MapRules) -> tuple[int, int]:
    """Build the station that is worth most, and return the points that it gains; or NO_ACTION, 0."""
    chosen = NO_ACTION
    best = 0
    if rules.num_stations > 0:
        for city in range(rules.num_cities):
            action = rules.first_action[blocks.BUILD] + city
            if mask[action]:
                gain = 2 * _points_at(view, rules, city) - rules.station_points
                if gain > best:
                    best = gain
                    chosen = action
    return chosen, best


@compiled
def _points_at(view: MapState, rules: MapRules, city: int) -> int:
    """Return the most points of tickets that a station in a city completes, with one of the others at most."""
    best = 0
    own, beyond = _label_of(view, rules, city), _labels_beyond(view, rules, city)
    while beyond != bits.NONE:
        joined = own | bits.lowest(beyond)
        beyond = bits.without_lowest(beyond)
        best = max(best, _completed_points(view, rules, joined, True))
        cities = own_stations(view)
        while cities != bits.NONE:
            other = lowest_bit(cities)
            cities = bits.without_lowest(cities)
            others_own, others_beyond = _label_of(view, rules, other), _labels_beyond(view, rules, other)
            while others_beyond != bits.NONE:
                others = others_own | bits.lowest(others_beyond)
                others_beyond = bits.without_lowest(others_beyond)
                if others & joined != bits.NONE:
                    best = max(best, _completed_points(view, rules, joined | others, True))
    return best


@inlined
def _label_of(view: MapState, rules: MapRules, city: int) -> np.uint64:
    """Return the label of a city, which joined cities share, as a set."""
    return bits.bit(view.component[rules.team[view.current], city])


@compiled
def _labels_beyond(view: MapState, rules: MapRules, city: int) -> np.uint64:
    """Return the labels of which a station in a city may join one to the city's: those beyond the routes of others."""
    labels = bits.NONE
    for route in range(rules.num_routes):
        if bits.contains(rules.touching[city], route):
            for other in range(rules.num_seats):
                if other != view.current and bits.contains(view.claimed[other], route):
                    labels |= _label_of(view, rules, rules.route_a[route] + rules.route_b[route] - city)
    return labels


@compiled
def _completed_points(view: MapState, rules: MapRules, joined: np.uint64, counts_stations: bool) -> int:
    """Return the points of the tickets that are completed if the cities of these labels are joined, and not before;
    nor, if stations count, by one that stands."""
    team = rules.team[view.current]
    points = 0
    for ticket in range(rules.num_tickets):
        if (held_tickets(view, rules, ticket >> 6) >> np.uint64(ticket & 63)) & bits.ONE != bits.NONE:
            labels_a = routes.labels(view, team, rules.ticket_a[ticket])
            labels_b = routes.labels(view, team, rules.ticket_b[ticket])
            if rules.num_destinations[ticket] > 0:
                points += _added_points(view, rules, team, ticket, labels_a, joined)
            elif labels_a & joined != bits.NONE and labels_b & joined != bits.NONE and labels_a & labels_b == bits.NONE:
                if not counts_stations or not _is_completed_by_one(view, rules, labels_a, labels_b):
                    points += rules.ticket_points[ticket]
    return points


@compiled
def _added_points(
    view: MapState, rules: MapRules, team: int, ticket: int, labels_a: np.uint64, joined: np.uint64
) -> int:
    """Return what a ticket to several countries gains if the cities of these labels are joined, by half (SW8).

    Half, since what completes a ticket is counted twice: a ticket that is not lost gains its value two times.
    """
    before = country_tickets.best_value(view, rules, team, ticket)
    if before == 0:
        before = -rules.ticket_points[ticket]
    best = before
    if labels_a & joined != bits.NONE:
        for index in range(rules.num_destinations[ticket]):
            if routes.labels(view, team, rules.destination[ticket, index]) & joined != bits.NONE:
                best = max(best, rules.destination_points[ticket, index])
    return (best - before) // 2


@compiled
def _is_completed_by_one(view: MapState, rules: MapRules, labels_a: np.uint64, labels_b: np.uint64) -> bool:
    """Whether a station that stands may join one of these labels to one of those. No label is in both sets."""
    cities = own_stations(view)
    while cities != bits.NONE:
        city = lowest_bit(cities)
        cities = bits.without_lowest(cities)
        own, beyond = _label_of(view, rules, city), _labels_beyond(view, rules, city)
        if labels_a & own != bits.NONE and labels_b & beyond != bits.NONE:
            return True
        if labels_b & own != bits.NONE and labels_a & beyond != bits.NONE:
            return True
    return False
