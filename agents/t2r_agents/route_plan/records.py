"""The records of planning: parameters (input), plan (result) and workspace (scratch).

There is one layout of each for all agents, so that the functions that take them are compiled once. A record whose first
fields are those of another would silently be accepted for it, so no two of them begin alike.
"""

import numpy as np

from t2r_agents.records import PlanRecords, new_record
from t2r_env.core.records import Array, Record, bitset, dtype_of, int64
from t2r_env.rules.cards import CARD_TYPES
from t2r_env.rules.map_game.board import ROUTE_WORDS
from t2r_env.rules.state import TICKET_WORDS
from t2r_env.sizes import MAX_CITIES, MAX_COMPANIES, MAX_ROUTES, MAX_SEATS, MAX_TICKETS


class Parameters(Record):
    """What agents differ in. Planning only reads it."""

    # The cost of a route, in quarters of a train card
    claim_cost: int = int64()  # for the turn in which it is claimed
    train_cost: int = int64()  # for each train that it takes
    locomotive_cost: int = int64()  # for each locomotive symbol
    point_discount: int = int64()  # taken off for each point that its length scores
    # Tickets
    reserve_divisor: int = int64()  # tickets are chosen as if 1 / reserve_divisor of the initial trains were missing
    max_planned_tickets: int = int64()  # planned at a time, not counting completed tickets
    tickets_per_100_trains: int = int64()  # it draws tickets while it has fewer of them per 100 initial trains
    min_trains_to_draw_tickets: int = int64()  # with no ticket left to plan, it draws tickets from so many trains on
    # Claims
    prefers_long_routes: int = int64()  # 0 or 1: of the planned routes it claims only those of the greatest length
    # When an agent that waits with its claims (`t2r_agents.planner`) claims after all
    max_missing_cards: int = int64()  # the plan lacks no more cards
    endgame_trains: int = int64()  # a seat has no more trains
    max_hand: int = int64()  # it holds more cards
    long_route_length: int = int64()  # the route has at least so many spaces


DEFAULTS = {
    "claim_cost": 4,
    "train_cost": 4,
    "locomotive_cost": 4,
    "point_discount": 0,
    "reserve_divisor": 2,
    "max_planned_tickets": MAX_TICKETS,
    "tickets_per_100_trains": 0,
    "min_trains_to_draw_tickets": 20,
    "prefers_long_routes": 0,
    "max_missing_cards": 0,
    "endgame_trains": 0,
    "max_hand": 0,
    "long_route_length": 0,
}
"""The parameters of the greedy agent."""


class Plan(Record):
    """The result of planning."""

    routes: Array = bitset(ROUTE_WORDS)  # all planned routes
    ticket_routes: Array = bitset(ROUTE_WORDS)  # those planned for tickets
    stations: np.uint64 = bitset()  # cities where stations are planned
    used_routes: Array = bitset(ROUTE_WORDS)  # routes of others that stations are planned to use for tickets
    technologies: np.uint64 = bitset()  # technologies that planned routes need and the seat lacks
    spare_cards: Array = int64(CARD_TYPES)  # the seat's cards less those that the plan takes; negative: missing
    spare_trains: int = int64()  # its trains less those that the plan takes
    ticket_value: int = int64()  # points of tickets planned, less those given up, less an eighth of the paths' costs


class Workspace(Record):
    """Scratch memory of planning. `begin_plan` fills it anew."""

    # Routes that the seat may still claim with its trains, by increasing index
    num_candidates: int = int64()
    candidate_route: Array = int64(MAX_ROUTES)
    candidate_cost: Array = int64(MAX_ROUTES)  # in quarters of a card, at least 1
    # Behind them routes of others that stations may use
    num_edges: int = int64()  # of both kinds
    usable_routes: Array = bitset(ROUTE_WORDS)  # those of others
    may_use: int = int64()  # 0: no more of them in this plan
    free_stations: np.uint64 = bitset()  # cities of the seat's stations not planned for a route
    cities_taken: np.uint64 = bitset()  # cities that have a station, built or planned
    num_stations: int = int64()  # of the seat, built or planned
    # Its network, planned routes included
    component: Array = int64(MAX_CITIES)  # by city: a label that connected cities share
    touched_cities: np.uint64 = bitset()  # cities that its routes touch; empty where no attractions count
    # The search for shortest paths
    distance: Array = int64(MAX_CITIES)  # by component: cost of the shortest path to it
    last_route: Array = int64(MAX_CITIES)  # by component: the last route of that path, or NO_ROUTE
    nearest_last_route: Array = int64(MAX_CITIES)  # the same, of the search for the nearest ticket so far
    unplanned_tickets: Array = bitset(TICKET_WORDS)
    # Shares
    shares: Array = bitset(MAX_SEATS + 1)  # by holder, the neutral one last
    share_value: Array = int64(MAX_COMPANIES)  # points that a company's next share is worth to the seat now


PARAMETERS, PLAN, WORKSPACE = dtype_of(Parameters), dtype_of(Plan), dtype_of(Workspace)


def new_records(**parameters: int) -> PlanRecords:
    """Records for planning with these parameters, and with `DEFAULTS` for the others.

    Raises ValueError for an unknown parameter.
    """
    given = new_record(PARAMETERS, DEFAULTS | parameters)
    return PlanRecords(given, np.zeros(1, PLAN), np.zeros(1, WORKSPACE))
