"""The records of planning in map games: the parameters, which differ between agents, and the plan."""

import numpy as np

from t2r_agents.playing.planner.parameters import parameter, parameters_of
from t2r_env.basics.sizes import MAX_CITIES, MAX_COMPANIES, MAX_ROUTES, MAX_SEATS, MAX_TICKETS
from t2r_env.core.records import Array, Record, bitset, dtype_of, int8, int16, int64
from t2r_env.rules.cards import CARD_TYPES
from t2r_env.rules.map_game.records import ROUTE_WORDS
from t2r_env.rules.state import TICKET_WORDS

LOWEST = -100_000_000
"""A number below all values by which actions are compared."""
FIRST, LATER = range(2)
"""Prices: those with which all plans of a decision begin, and those after something was planned."""
TENTHS = 10
"""The unit of the values of tickets: tenths of a point."""


class Parameters:
    """The integers that play depends on. Planning only reads them."""

    # The cost of a route, in quarters of a train card
    claim_cost: int = parameter(20, 0, 60, "for the turn in which a route is claimed, in quarters of a card")
    train_cost: int = parameter(1, 0, 16, "for each train that a route takes, in quarters of a card")
    card_cost: int = parameter(4, 0, 16, "for each card that the hand lacks for a route, in quarters of a card")
    locomotive_cost: int = parameter(8, 0, 24, "for each locomotive symbol, in quarters of a card")
    point_discount: int = parameter(0, 0, 12, "taken off a route's cost for each point that it scores")
    technology_cost: int = parameter(24, 0, 100, "for each locomotive of a technology's price, in quarters of a card")
    # Tickets
    cost_per_point: int = parameter(8, 2, 40, "the cost that outweighs a point of a ticket, in quarters of a card")
    reserve_percent: int = parameter(33, 0, 70, "of the initial trains that are left out when tickets are chosen")
    route_risk: int = parameter(0, 0, 30, "of losing a ticket with each route that it still takes, in percent")
    max_planned_tickets: int = parameter(12, 0, 12, "tickets planned at a time, not counting completed ones")
    min_ticket_gain: int = parameter(40, -100, 300, "what drawn tickets must promise to be drawn, in tenths of a point")
    max_open_routes: int = parameter(3, 0, 12, "it draws tickets when its tickets need this many more routes at most")
    min_turns_to_draw_tickets: int = parameter(8, 1, 40, "and this many turns at least are left")
    # The end of the game
    trains_per_100_turns: int = parameter(150, 60, 350, "that the fastest opponent will spend")
    slack: int = parameter(4, -20, 30, "half turns that a plan may take beyond those left")
    endgame_turns: int = parameter(5, 0, 20, "with this many turns left it no longer waits with claims")
    # Routes for points
    point_value: int = parameter(10, 4, 40, "of a point, in quarters of a card")
    extension_value: int = parameter(8, 0, 80, "of a route for points at its own network, in quarters of a card")
    blocking_value: int = parameter(
        0, 0, 80, "of a route that joins two networks of an opponent, in quarters of a card"
    )
    race_points: int = parameter(
        100, 10, 100, "a route that scores more for each half turn is claimed before all else, in tenths of a point"
    )
    # Claims
    max_missing_cards: int = parameter(4, 0, 30, "it no longer waits with claims when its plan lacks this few cards")
    max_hand: int = parameter(30, 0, 45, "nor when it holds more cards")
    long_route_length: int = parameter(6, 1, 16, "routes of this many spaces are claimed at once")
    urgency: int = parameter(60, 1, 300, "routes of which losing this is to be feared are claimed at once")
    ticket_route_value: int = parameter(40, 0, 200, "by which claims for tickets come before those for points")
    # Cards
    locomotive_value: int = parameter(150, 0, 400, "of a locomotive, in percent of a card that is missing")
    near_value: int = parameter(
        60, 0, 200, "added for a colour that lacks one card, in percent of a card; half for two"
    )
    spare_value: int = parameter(30, 0, 100, "of a card that the plan does not need, in percent of one that it does")


class Plan(Record):
    """The result of planning, and behind it the memory of its computation, which `begin_plan` fills."""

    # What is planned
    routes: Array = bitset(ROUTE_WORDS)  # all planned routes
    ticket_routes: Array = bitset(ROUTE_WORDS)  # those planned for tickets
    stations: np.uint64 = bitset()  # cities where stations are planned
    used_routes: Array = bitset(ROUTE_WORDS)  # routes of others that stations are planned to use for tickets
    technologies: np.uint64 = bitset()  # technologies that planned routes need and the seat lacks
    spare_cards: Array = int64(CARD_TYPES)  # the seat's cards less those that the plan takes; negative: missing
    gray_colour: int = int64()  # of which most cards are spare, so that gray routes are paid in it
    most_locomotives: int = int64()  # that can stand in for coloured cards of the plan (NO5)
    spare_trains: int = int64()  # its trains less those that the plan takes
    ticket_value: int = int64()  # of tickets planned, less those given up and the paths' costs, in tenths of a point
    ticket_gain: int = int64()  # of drawing tickets, in tenths of a point; LOWEST if that is out of the question
    turns_left: int = int64()  # the seat's turns still to come, this one included, as far as can be told
    half_turns: int = int64()  # that the plan takes: two for each claim, one for each card that is missing
    open_routes: int = int64()  # planned for tickets

    # The edges: routes that the seat may still claim with its trains, by increasing index, and behind these
    # `num_candidates` routes of others that stations may use
    num_candidates: int = int64()
    num_edges: int = int64()
    edge_route: Array = int64(MAX_ROUTES)
    edge_city_a: Array = int64(MAX_ROUTES)
    edge_city_b: Array = int64(MAX_ROUTES)
    edge_colour: Array = int64(MAX_ROUTES)
    edge_cards: Array = int64(MAX_ROUTES)  # the coloured cards that it takes
    edge_trains: Array = int64(MAX_ROUTES)
    edge_points: Array = int64(MAX_ROUTES)  # that it scores, without attractions
    edge_technologies: Array = bitset(MAX_ROUTES)  # that it takes and the seat lacks
    edge_base: Array = int64(MAX_ROUTES)  # its cost without missing cards and technologies, in quarters of a card
    edge_discount: Array = int64(MAX_ROUTES)  # taken off its cost for the points that it scores
    edge_cost: Array = int64(MAX_ROUTES)  # at least 1
    edge_a: Array = int64(MAX_ROUTES)  # the components that it joins
    edge_b: Array = int64(MAX_ROUTES)
    # The seat's network, planned routes included
    component: Array = int64(MAX_CITIES)  # by city: a label that connected cities share
    held_component: Array = int64(MAX_CITIES)  # the same, kept while others are tried
    network: np.uint64 = bitset()  # cities that its team's routes touch
    networks: Array = bitset(MAX_SEATS)  # cities that each seat's routes touch, without planned ones
    # Shortest paths, by prices, row and component: those from a set of components are in the row of the lowest
    prices: int = int64()  # of the edges: FIRST or LATER
    row: int = int64()  # of the paths that were found last
    paths_from: Array = bitset(2, MAX_CITIES)  # the components from which the paths of a row lead; none if not known
    distance: Array = int16(2, MAX_CITIES, MAX_CITIES)  # cost of the shortest path to the component
    last_route: Array = int8(2, MAX_CITIES, MAX_CITIES)  # the last route of that path, or NO_ROUTE
    # The path that was followed last
    path_length: int = int64()
    path_route: Array = int64(MAX_CITIES)  # from its end to its beginning
    path_claims: int = int64()  # how many of these routes are to be claimed
    path_trains: int = int64()
    path_half_turns: int = int64()
    # Stations
    usable_routes: Array = bitset(ROUTE_WORDS)  # routes of others
    may_use: int = int64()  # 0: no more of them in this plan
    free_stations: np.uint64 = bitset()  # cities of the seat's stations not planned for a route
    cities_taken: np.uint64 = bitset()  # cities that have a station, built or planned
    num_stations: int = int64()  # of the seat, built or planned
    # Tickets, routes for points, and shares
    edge_value: Array = int64(MAX_ROUTES)  # the most that each edge may be worth for points, in quarters of a card
    points_if_joined: int = int64()  # of the ticket whose path was followed last, in points
    points_otherwise: int = int64()  # its points if this path is not claimed
    unplanned_tickets: Array = bitset(TICKET_WORDS)
    unseen_gain: Array = int64(MAX_TICKETS)  # of each unseen ticket, in tenths of a point, the greatest first
    shares: Array = bitset(MAX_SEATS + 1)  # by holder, the neutral one last
    share_value: Array = int64(MAX_COMPANIES)  # points that a company's next share is worth to the seat now


PARAMETERS = parameters_of(Parameters)
PLAN = dtype_of(Plan)
