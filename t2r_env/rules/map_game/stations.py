"""Stations: each lets its owner use one route of another player in its city, for tickets (EU6-EU8)."""

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.records import Array
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game import routes
from t2r_env.rules.map_game.payments import stations_built
from t2r_env.rules.map_game.records import GRAY, NO_CITY, ROUTE_WORDS, MapRules, MapScoringScratch, MapState
from t2r_env.rules.names import blocks, parts
from t2r_env.rules.ranking import add_points
from t2r_env.rules.state import SharedScratch
from t2r_env.variants.variant import tie_breaks


@inlined
def cities_taken(state: MapState, rules: MapRules) -> np.uint64:
    """Return the set of cities that have a station."""
    cities = bits.NONE
    for seat in range(rules.num_seats):
        for city in state.stations[seat]:
            if city != NO_CITY:
                cities |= bits.bit(city)
    return cities


# Building (EU6)


@inlined
def can_pay(state: MapState, rules: MapRules, seat: int) -> bool:
    """Whether a seat has a station left, and cards of one colour and locomotives for it."""
    number = stations_built(state, seat)
    if number == rules.num_stations:
        return False
    most = 0
    for colour in range(GRAY):
        most = max(most, state.hand[seat, colour])
    return most + state.hand[seat, LOCOMOTIVE] >= rules.station_price[number]


@inlined
def list_sites(state: MapState, rules: MapRules, scratch: SharedScratch, count: int) -> int:
    """List, after `count` other actions, a station in any city that has none; return how many there are in all."""
    if can_pay(state, rules, state.current):
        taken = cities_taken(state, rules)
        for city in range(rules.num_cities):
            if taken & bits.bit(city) == bits.NONE:
                scratch.legal[count] = rules.first_action[blocks.BUILD] + city
                count += 1
    return count


@inlined
def build(state: MapState) -> None:
    """Put up the station that has been paid for."""
    seat = state.current
    state.stations[seat, stations_built(state, seat)] = state.city
    state.city = NO_CITY


# Routes of others (EU7)


@compiled
def extend_networks(state: MapState, rules: MapRules, scoring: MapScoringScratch) -> None:
    """Choose the routes that stations use, and join what they join."""
    for seat in range(rules.num_seats):
        team = rules.team[seat]
        number = stations_built(state, seat)
        _list_uses(state, rules, scoring, seat, number)
        _choose(scoring, number, _list_missing(state, rules, scoring, team, state.tickets[seat]))
        for station in range(number):
            if scoring.use_count[station] > 0:
                route = scoring.use_route[station, scoring.use[station]]
                state.station_routes[seat, station] = route
                routes.join(state, rules, team, rules.route_a[route], rules.route_b[route])


@compiled
def _list_uses(state: MapState, rules: MapRules, scoring: MapScoringScratch, seat: int, number: int) -> None:
    """List the routes that each of a seat's stations may use, those of the lowest numbers first.

    Of routes that lead to the same label only the first counts: the others join the same.
    """
    team = rules.team[seat]
    for station in range(number):
        city = state.stations[seat, station]
        own = bits.bit(state.component[team, city])
        count = 0
        reached = bits.NONE
        for word in range(ROUTE_WORDS):
            found = bits.NONE
            for other in range(rules.num_seats):
                if other != seat:
                    found |= state.claimed[other, word] & rules.touching[city, word]
            for index in bits.ones(found):
                route = 64 * word + index
                label = bits.bit(state.component[team, rules.route_a[route] + rules.route_b[route] - city])
                if reached & label == bits.NONE:
                    reached |= label
                    scoring.use_route[station, count] = route
                    scoring.use_joins[station, count] = own | label
                    count += 1
        scoring.use_count[station] = count


@compiled
def _list_missing(state: MapState, rules: MapRules, scoring: MapScoringScratch, team: int, tickets: Array) -> int:
    """List the tickets of a set that a team's own routes do not complete; return how many there are."""
    count = 0
    for ticket in bits.members(tickets):
        labels_a = routes.labels(state, team, rules.ticket_a[ticket])
        labels_b = routes.labels(state, team, rules.ticket_b[ticket])
        if labels_a & labels_b == bits.NONE:
            scoring.missing_a[count] = labels_a
            scoring.missing_b[count] = labels_b
            scoring.missing_points[count] = rules.ticket_points[ticket]
            count += 1
    return count


@compiled
def _choose(scoring: MapScoringScratch, number: int, missing: int) -> None:
    """Choose the routes that this many stations use: those that bring the most points, then complete the most tickets.

    All choices are looked at, those of the lowest routes first, the first station's before the second's.
    """
    best_points = -1
    best_completed = -1
    last = 1
    for station in range(number):
        last *= max(1, scoring.use_count[station])
    best = 0
    for choice in range(last):
        _take_choice(scoring, number, choice)
        _join(scoring, number)
        points = 0
        completed = 0
        for ticket in range(missing):
            for station in range(number):
                group = scoring.joined[station]
                if group & scoring.missing_a[ticket] != bits.NONE and group & scoring.missing_b[ticket] != bits.NONE:
                    points += scoring.missing_points[ticket]
                    completed += 1
                    break
        if points > best_points or (points == best_points and completed > best_completed):
            best_points = points
            best_completed = completed
            best = choice
        if missing == 0:
            break
    _take_choice(scoring, number, best)


@inlined
def _take_choice(scoring: MapScoringScratch, number: int, choice: int) -> None:
    """Write the choice with this number: its digits, the first station's first."""
    for station in range(number - 1, -1, -1):
        uses = max(1, scoring.use_count[station])
        scoring.use[station] = choice % uses
        choice //= uses


@inlined
def _join(scoring: MapScoringScratch, number: int) -> None:
    """Write the groups of labels that the routes chosen join: no two of them have one in common."""
    for station in range(number):
        group = bits.NONE
        if scoring.use_count[station] > 0:
            group = scoring.use_joins[station, scoring.use[station]]
        for other in range(station):
            if scoring.joined[other] & group != bits.NONE:
                group |= scoring.joined[other]
                scoring.joined[other] = bits.NONE
        scoring.joined[station] = group


@compiled
def score_end(state: MapState, rules: MapRules, scoring: MapScoringScratch) -> None:
    """Score the stations left, which a tie-break compares too (EU8, EU9)."""
    for seat in range(rules.num_seats):
        left = rules.num_stations - stations_built(state, seat)
        add_points(state, rules.team[seat], parts.STATIONS, left * rules.station_points)
        scoring.standing[tie_breaks.STATIONS_LEFT, rules.team[seat]] = left
