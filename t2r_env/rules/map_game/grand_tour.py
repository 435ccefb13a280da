"""The Grand Tour: tickets whose two ends a team's routes join by two paths without a route in common (IN6).

Cities that two such paths join are on one *round*. The team's routes are split into trees, and the routes left over:
each of these closes a round, with all the routes of its tree between its two cities.
"""

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, lowest_bit
from t2r_env.core.records import Array
from t2r_env.rules.map_game import routes
from t2r_env.rules.map_game.records import NO_CITY, NO_ROUTE, ROUTE_WORDS, MapRules, MapScoringScratch, MapState
from t2r_env.rules.names import parts
from t2r_env.rules.ranking import add_points


@compiled
def score(state: MapState, rules: MapRules, scoring: MapScoringScratch) -> None:
    """Give each team the points for its number of such tickets."""
    for team in range(rules.num_teams):
        _grow_trees(state, rules, scoring, team)
        _find_rounds(state, rules, scoring, team)
        tours = 0
        for seat in range(rules.num_seats):
            if rules.team[seat] == team:
                tours += _count_tours(rules, scoring, state.tickets[seat])
        if rules.num_racks > 0:
            tours += _count_tours(rules, scoring, state.rack_tickets[team])
        add_points(state, team, parts.GRAND_TOUR, rules.grand_tour[min(tours, rules.most_tours)])


@compiled
def _grow_trees(state: MapState, rules: MapRules, scoring: MapScoringScratch, team: int) -> None:
    """Write for each city the next city on its way to the root of its tree, the route to it, and its distance."""
    reached = bits.NONE
    for root in range(rules.num_cities):
        if reached & bits.bit(root) == bits.NONE:
            scoring.above[root] = NO_CITY
            scoring.route_above[root] = NO_ROUTE
            scoring.depth[root] = 0
            reached |= bits.bit(root)
            left = bits.bit(root)
            while left != bits.NONE:
                city = lowest_bit(left)
                left = bits.without_lowest(left)
                grown = _grow(state, rules, scoring, team, city, reached)
                left |= grown
                reached |= grown


@compiled
def _grow(
    state: MapState, rules: MapRules, scoring: MapScoringScratch, team: int, city: int, reached: np.uint64
) -> np.uint64:
    """Put the cities next to one into its tree, but those reached before; return them as a set."""
    grown = bits.NONE
    for word in range(ROUTE_WORDS):
        for index in bits.ones(rules.touching[city, word] & routes.routes_of(state, rules, team, word)):
            route = 64 * word + index
            other = rules.route_a[route] + rules.route_b[route] - city
            if (reached | grown) & bits.bit(other) == bits.NONE:
                grown |= bits.bit(other)
                scoring.above[other] = city
                scoring.route_above[other] = route
                scoring.depth[other] = scoring.depth[city] + 1
    return grown


@compiled
def _find_rounds(state: MapState, rules: MapRules, scoring: MapScoringScratch, team: int) -> None:
    """Give all cities of a round one label: that of them which is nearest to the root."""
    on_round = bits.NONE  # with the next city on the way to the root
    for word in range(ROUTE_WORDS):
        for index in bits.ones(routes.routes_of(state, rules, team, word)):
            route = 64 * word + index
            low, high = rules.route_a[route], rules.route_b[route]
            if scoring.route_above[low] != route and scoring.route_above[high] != route:
                while low != high:
                    if scoring.depth[low] < scoring.depth[high]:
                        low, high = high, low
                    on_round |= bits.bit(low)
                    low = scoring.above[low]
    for city in range(rules.num_cities):
        nearest = city
        while on_round & bits.bit(nearest) != bits.NONE:
            nearest = scoring.above[nearest]
        scoring.round_label[city] = nearest


@compiled
def _count_tours(rules: MapRules, scoring: MapScoringScratch, tickets: Array) -> int:
    """Return how many tickets of a set have both ends on one round."""
    number = 0
    for ticket in bits.members(tickets):
        rounds_a, rounds_b = bits.NONE, bits.NONE
        for city in bits.ones(rules.ticket_a[ticket]):
            rounds_a |= bits.bit(scoring.round_label[city])
        for city in bits.ones(rules.ticket_b[ticket]):
            rounds_b |= bits.bit(scoring.round_label[city])
        if rounds_a & rounds_b != bits.NONE:
            number += 1
    return number
