"""Choosing a station to build (EU6, EU7)."""

import numpy as np

from t2r_agents.route_plan.records import Plan
from t2r_agents.route_plan.stations import own_stations
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.core.game import NO_ACTION
from t2r_env.rules.map_game import network, stations
from t2r_env.rules.map_game.board import ROUTE_WORDS
from t2r_env.rules.map_game.modules import MapRules, MapState
from t2r_env.rules.state import TICKET_WORDS

TRAINS_PER_TURN = 3
"""That the fastest seat may place, in all its turns to come."""


@inlined
def builds_station(rules: MapRules, action: int) -> bool:
    """Whether an action builds a station."""
    return 0 <= action - rules.first_action[stations.blocks.BUILD] < rules.block_size[stations.blocks.BUILD]


@compiled
def planned_station(mask: Array, rules: MapRules, plan: Plan) -> int:
    """Build a station of the plan that can be paid; or NO_ACTION."""
    cities = plan.stations
    while cities != bits.NONE:
        action = rules.first_action[stations.blocks.BUILD] + lowest_bit(cities)
        if mask[action]:
            return action
        cities = bits.without_lowest(cities)
    return NO_ACTION


@compiled
def station_to_build(view: MapState, mask: Array, rules: MapRules, plan: Plan) -> int:
    """Build a planned station if it can't wait, as no route is left to be claimed for tickets, or only the turns that
    the stations take, as far as trains tell; or NO_ACTION. Who builds late shows his tickets late."""
    if rules.num_stations == 0:
        return NO_ACTION
    if view.last_turns_left > 0:
        action, _ = best_last_station(view, mask, rules)
        return action
    fewest_trains = view.trains[0]
    for seat in range(1, rules.num_seats):
        fewest_trains = min(fewest_trains, view.trains[seat])
    turns_left = 1 + (fewest_trains - rules.last_round_trains) // TRAINS_PER_TURN
    if bits.count(plan.ticket_routes) == 0 or turns_left <= 1 + count_bits(plan.stations):
        return planned_station(mask, rules, plan)
    return NO_ACTION


@compiled
def best_last_station(view: MapState, mask: Array, rules: MapRules) -> tuple[int, int]:
    """For a last turn: the station that is worth most as the board is, and the points that it gains; or NO_ACTION, 0.

    A completed ticket gains its points twice, as they are no longer lost; the station's own points are lost.
    """
    chosen = NO_ACTION
    best = 0
    if rules.num_stations > 0:
        for city in range(rules.num_cities):
            action = rules.first_action[stations.blocks.BUILD] + city
            if mask[action]:
                gain = 2 * _points_at(view, rules, city) - rules.station_points
                if gain > best:
                    best = gain
                    chosen = action
    return chosen, best


@compiled
def _points_at(view: MapState, rules: MapRules, city: int) -> int:
    """The most points of tickets that a station in a city completes, with one of the others at most."""
    best = 0
    own, beyond = _label_of(view, rules, city), _labels_beyond(view, rules, city)
    while beyond != bits.NONE:
        joined = own | bits.lowest(beyond)
        beyond = bits.without_lowest(beyond)
        best = max(best, _completed_points(view, rules, joined))
        cities = own_stations(view)
        while cities != bits.NONE:
            other = lowest_bit(cities)
            cities = bits.without_lowest(cities)
            others_own, others_beyond = _label_of(view, rules, other), _labels_beyond(view, rules, other)
            while others_beyond != bits.NONE:
                others = others_own | bits.lowest(others_beyond)
                others_beyond = bits.without_lowest(others_beyond)
                if others & joined != bits.NONE:
                    best = max(best, _completed_points(view, rules, joined | others))
    return best


@inlined
def _label_of(view: MapState, rules: MapRules, city: int) -> np.uint64:
    """The label of a city, as a set."""
    return bits.bit(view.component[rules.team[view.current], city])


@compiled
def _labels_beyond(view: MapState, rules: MapRules, city: int) -> np.uint64:
    """The labels of which a station in a city may join one to the city's: those beyond the routes of others."""
    labels = bits.NONE
    for word in range(ROUTE_WORDS):
        routes = bits.NONE
        for other in range(rules.num_seats):
            if other != view.current:
                routes |= view.claimed[other, word] & rules.touching[city, word]
        while routes != bits.NONE:
            route = 64 * word + lowest_bit(routes)
            routes = bits.without_lowest(routes)
            labels |= _label_of(view, rules, rules.route_a[route] + rules.route_b[route] - city)
    return labels


@compiled
def _completed_points(view: MapState, rules: MapRules, joined: np.uint64) -> int:
    """The points of the tickets that are completed if the cities of these labels are joined, and not before."""
    team = rules.team[view.current]
    points = 0
    for word in range(TICKET_WORDS):
        tickets = view.tickets[view.current, word]
        while tickets != bits.NONE:
            ticket = 64 * word + lowest_bit(tickets)
            tickets = bits.without_lowest(tickets)
            labels_a = network.labels(view, team, rules.ticket_a[ticket])
            labels_b = network.labels(view, team, rules.ticket_b[ticket])
            if labels_a & joined != bits.NONE and labels_b & joined != bits.NONE:
                if labels_a & labels_b == bits.NONE and not _is_completed_by_one(view, rules, labels_a, labels_b):
                    points += rules.ticket_points[ticket]
    return points


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
