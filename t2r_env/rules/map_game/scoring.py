"""The end of the game: tickets, bonuses, ranks (C16-C18), and what only some games score."""

from t2r_env.basics.sizes import MAX_CITIES, MAX_SEATS, MAX_STATIONS
from t2r_env.core import bits
from t2r_env.core.compiled import compiled
from t2r_env.core.records import Array
from t2r_env.rules.map_game import (
    attractions,
    country_tickets,
    grand_tour,
    mountains,
    routes,
    shares,
    stations,
    technologies,
    trail,
)
from t2r_env.rules.map_game.records import ROUTE_WORDS, MapRules, MapScoringScratch, MapState
from t2r_env.rules.names import outcomes, parts
from t2r_env.rules.ranking import add_points, clear_points, has_most, rank_teams
from t2r_env.variants.variant import tie_breaks


@compiled
def score_game(state: MapState, rules: MapRules, scoring: MapScoringScratch) -> None:
    """Add tickets and bonuses to the scores and rank the teams."""
    _measure_networks(state, rules, scoring)
    if rules.num_stations > 0:
        stations.extend_networks(state, rules, scoring)
    for seat in range(rules.num_seats):
        _score_tickets(state, rules, state.tickets[seat], rules.team[seat])
    for team in range(rules.num_racks):
        _score_tickets(state, rules, state.rack_tickets[team], team)
    for team in range(rules.num_teams):
        scoring.standing[tie_breaks.COMPLETED_TICKETS, team] = state.completed[team]
        scoring.standing[tie_breaks.MOUNTAIN_ROUTES, team] = mountains.count_claimed(state, rules, team)
        scoring.value[team] = state.completed[team]
    _award_most(state, rules, scoring, parts.GLOBETROTTER)
    if rules.has_attractions:
        attractions.score(state, rules)
    if rules.most_tours > 0:
        grand_tour.score(state, rules, scoring)
    if rules.num_technologies > 0:
        technologies.score_end(state, rules, scoring)
    if rules.num_companies > 0:
        shares.score_end(state, rules, scoring)
    if rules.num_stations > 0:
        stations.score_end(state, rules, scoring)
    rank_teams(state, rules, scoring)


@compiled
def _measure_networks(state: MapState, rules: MapRules, scoring: MapScoringScratch) -> None:
    """Measure longest paths, for their bonus and for tie-breaks, and networks: a team's own routes alone count."""
    for team in range(rules.num_teams):
        scoring.value[team] = trail.longest_trail(state, rules, scoring, team) if rules.needs_longest_path else 0
        scoring.standing[tie_breaks.LONGEST_PATH, team] = scoring.value[team]
    _award_most(state, rules, scoring, parts.LONGEST_PATH)
    if rules.bonus[parts.EXPLORER]:
        for team in range(rules.num_teams):
            scoring.value[team] = routes.largest_network(state, rules, scoring, team)
        _award_most(state, rules, scoring, parts.EXPLORER)


@compiled
def _score_tickets(state: MapState, rules: MapRules, tickets: Array, team: int) -> None:
    """Add the value of each completed ticket, and take away that of any other (C16)."""
    for ticket in bits.members(tickets):
        points = rules.ticket_points[ticket]
        if routes.is_completed(state, rules, team, ticket):
            if rules.num_destinations[ticket] > 0:
                points = country_tickets.best_value(state, rules, team, ticket)
            state.completed[team] += 1
            add_points(state, team, parts.TICKETS, points)
        else:
            state.failed[team] += 1
            add_points(state, team, parts.TICKETS, -points)


@compiled
def _award_most(state: MapState, rules: MapRules, scoring: MapScoringScratch, part: int) -> None:
    """Give a bonus to every team that shares the greatest `scoring.value`; a greatest of zero earns nothing (C17)."""
    for team in range(rules.num_teams):
        if has_most(rules, scoring.value, team):
            add_points(state, team, part, rules.bonus[part])


# A state from outside


@compiled
def derive(state: MapState, rules: MapRules, opening: MapState, scoring: MapScoringScratch, given: MapState) -> None:
    """Write into a copy of a state from outside what follows from the rest of it: points, open routes, ranks.

    All routes are claimed again, in any order, and a finished game is scored again. What technologies added to the
    points for routes is taken as given: it depends on when they were bought (UK8).
    """
    for seat in range(MAX_SEATS):
        state.trains[seat] = opening.trains[seat]
        for word in range(ROUTE_WORDS):
            state.open[seat, word] = opening.open[seat, word]
            state.claimed[seat, word] = bits.NONE
        for city in range(MAX_CITIES):
            state.component[seat, city] = opening.component[seat, city]
    clear_points(state)
    for seat in range(rules.num_seats):
        for station in range(MAX_STATIONS):
            state.station_routes[seat, station] = opening.station_routes[seat, station]
        for route in bits.members(given.claimed[seat]):
            routes.claim(state, rules, seat, route)
    if rules.num_technologies > 0:
        for team in range(rules.num_teams):
            added = given.breakdown[team, parts.ROUTES] - state.breakdown[team, parts.ROUTES]
            add_points(state, team, parts.ROUTES, added)
    if given.outcome == outcomes.FINISHED:
        score_game(state, rules, scoring)
    else:
        state.revealed_shares = bits.NONE
