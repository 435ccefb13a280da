"""The map, and what changes on it: routes, trains, the longest path's room to compute in (C9-C11, C16)."""

from typing import Any, NamedTuple

import numpy as np

from t2r_env.core import bits
from t2r_env.core.bits import bitset_of
from t2r_env.core.compiled import inlined
from t2r_env.core.game import PHASES
from t2r_env.core.records import Array, bitset, int8, int16, int64
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.names import BLOCKS, PARTS, SEGMENTS
from t2r_env.rules.state import ScoringScratch, SharedRules, SharedScratch, SharedState
from t2r_env.sizes import (
    MAX_CITIES,
    MAX_LENGTH,
    MAX_PARALLEL_ROUTES,
    MAX_ROUTES,
    MAX_SEATS,
    MAX_TICKETS,
    MAX_TRAINS,
)
from t2r_env.variants.variant import COLOURS, MapVariant, Route

GRAY = len(COLOURS)
"""The colour of a route that any one colour may pay (C9)."""
ROUTE_COLOURS = (*COLOURS, "gray")

NO_ROUTE = -1
ROUTE_WORDS = MAX_ROUTES // 64

MAX_EDGES = MAX_TRAINS
"""Routes of one team, were each of one space; a set of them is one word."""
MAX_FRONTIER = 24
"""Slots for the cities between routes taken and routes to come, while a longest path is looked for (trail.py)."""
BOUND_SLOTS = 12
"""Those of them that the bound on its length looks at."""
SEEN = 1 << 14
"""Points of the search that are remembered: a power of two."""


class _Phases(NamedTuple):
    PAY: int


class _Blocks(NamedTuple):
    CLAIM: int
    PAY: int


class _Segments(NamedTuple):
    SUBJECT_ROUTE: int
    PASSES: int
    TRAINS: int
    CLAIMED: int
    COMPLETED: int


class _Parts(NamedTuple):
    ROUTES: int
    TICKETS: int
    LONGEST_PATH: int
    GLOBETROTTER: int
    EXPLORER: int


phases = PHASES.add(_Phases)
blocks = BLOCKS.add(_Blocks)
segments = SEGMENTS.add(_Segments)
parts = PARTS.add(_Parts)


claim_phases: dict[int, bool] = {}
"""Phases in which a route is being claimed after its payment was chosen: whether the payment is still needed."""


purchases: dict[str, int] = {}
"""Fields that name what else than a route is being paid for, each with its value if nothing is."""


class BoardState(SharedState):
    """What all map games have."""

    open: Array = bitset(MAX_SEATS, ROUTE_WORDS)  # routes still open to each seat (C11)
    claimed: Array = bitset(MAX_SEATS, ROUTE_WORDS)  # routes of each seat
    component: Array = int8(MAX_SEATS, MAX_CITIES)  # by team: cities joined by its routes share a label
    trains: Array = int8(MAX_SEATS)
    route: int = int64()  # the route that this turn claims, or NO_ROUTE
    passes: int = int8()  # passes in succession (C13)


class BoardRules(SharedRules):
    """The map, and how it is played on. Numbers that loops run to, or that are passed on, have 64 bits."""

    num_cities: int = int64()
    num_routes: int = int64()
    route_a: Array = int8(MAX_ROUTES)
    route_b: Array = int8(MAX_ROUTES)
    route_length: Array = int8(MAX_ROUTES)
    route_trains: Array = int8(MAX_ROUTES)  # trains that it takes: its length, and one for each X (LA5)
    route_colour: Array = int8(MAX_ROUTES)
    capacity: Array = int8(MAX_ROUTES)  # of its parallel routes that may be claimed in all; 0: any number (C11, TA9)
    parallel: Array = bitset(MAX_ROUTES, ROUTE_WORDS)  # the routes parallel to each, itself included
    touching: Array = bitset(MAX_CITIES, ROUTE_WORDS)  # the routes at each city
    up_to_length: Array = bitset(len(ROUTE_COLOURS), MAX_LENGTH + 1, ROUTE_WORDS)  # routes of a colour, up to a length
    up_to_trains: Array = bitset(MAX_LENGTH + 1, ROUTE_WORDS)  # routes that take so many trains at most
    points: Array = int16(MAX_LENGTH + 1)  # for a route of each length (C10)
    ticket_a: Array = bitset(MAX_TICKETS)  # the cities that meet the ticket's one end (C16)
    ticket_b: Array = bitset(MAX_TICKETS)
    trains: int = int8()  # of each seat
    last_round_trains: int = int8()  # so few trains of a team bring the last round (C15, TA11)
    bonus: Array = int16(PARTS)  # points of each bonus, 0 if there is none
    needs_longest_path: int = int8()  # 1: a bonus, a tie-break or a rule module compares them


class BoardScratch(SharedScratch):
    """A payment picked at random."""

    payment: Array = int64(3)  # its colour, cards of the colour, and locomotives (choices.py)


class TrailScratch(ScoringScratch):
    """The longest path, whose edges are numbered within the team's routes: most of it are tables of the search."""

    edge_a: Array = int64(MAX_EDGES)
    edge_b: Array = int64(MAX_EDGES)
    edge_length: Array = int64(MAX_EDGES)
    component: Array = int64(MAX_CITIES)
    incident: Array = bitset(MAX_CITIES)  # edges at each city
    adjacent: Array = bitset(MAX_CITIES)  # cities beside each city
    total: Array = int64(MAX_CITIES)  # by component: length of its edges
    city_number: Array = int64(MAX_CITIES)  # by component
    odd_number: Array = int64(MAX_CITIES)  # by component: cities of odd degree
    # Its edges in the order in which the frontier takes them; a set of slots is a word
    steps: int = int64()
    width: int = int64()  # slots in use
    slot: Array = int64(MAX_CITIES)  # of each city, while it is on the frontier
    step_length: Array = int64(MAX_EDGES)
    step_slots: Array = bitset(MAX_EDGES)  # the frontier before the edge is taken
    step_ends: Array = bitset(MAX_EDGES)  # the slots of its two cities
    step_closes: Array = bitset(MAX_EDGES)  # those that leave the frontier with it
    length_left: Array = int64(MAX_EDGES + 1)  # of the edges from each on
    least: Array = int16(MAX_EDGES + 1, 3, 1 << BOUND_SLOTS)  # what those leave out, by ends and odd slots
    # Its search: points to be visited, and points that were
    searches: int = int64()  # by this thread so far
    points: int = int64()  # visited so far
    best: int = int64()  # the least left out
    point_step: Array = int64(MAX_EDGES + 2)
    point_ends: Array = int64(MAX_EDGES + 2)
    point_odd: Array = bitset(MAX_EDGES + 2)
    point_label: Array = int64(MAX_EDGES + 2, MAX_FRONTIER)
    point_left_out: Array = int64(MAX_EDGES + 2)
    seen: Array = bitset(SEEN, 3)
    seen_left_out: Array = int64(SEEN)


@inlined
def enter_pay(state: BoardState) -> None:
    """Decide how to pay for what has been chosen (C9, UK8)."""
    state.phase = phases.PAY


@inlined
def enter_claim(state: BoardState, route: int) -> None:
    """Begin the claim of a route: how it is paid is the next decision."""
    state.route = route
    enter_pay(state)


@inlined
def routes_of(state: BoardState, rules: BoardRules, team: int, word: int) -> np.uint64:
    """A word of the set of a team's routes."""
    routes = bits.NONE
    for seat in range(rules.num_seats):
        if rules.team[seat] == team:
            routes |= state.claimed[seat, word]
    return routes


def total_of_routes(routes: Any, values: Any) -> Array:
    """The sum of what each route of a set has; of sets (..., words), for values by number of the route: (...)."""
    total = np.zeros(routes.shape[:-1], np.int64)
    for value in np.unique(values):
        if value:
            with_it = np.array(bitset_of(np.flatnonzero(values == value).tolist(), ROUTE_WORDS))
            total += int(value) * np.bitwise_count(routes & with_it).sum(-1, dtype=np.int64)
    return total


def write_rules(record: Any, configuration: MapConfiguration) -> None:
    """Fill the fields of all map games."""
    variant, deck = configuration.variant, configuration.deck
    record.reshuffles = True
    record.face_up_sweep = variant.face_up_sweep
    record.trains = variant.trains
    record.last_round_trains = variant.last_round_trains
    record.needs_longest_path = "longest_path" in (*variant.tie_breaks, *deck.bonuses)
    for name, points in deck.bonuses.items():
        record.bonus[PARTS[:].index(name)] = points
    record.num_cities = len(variant.cities)
    record.num_routes = len(variant.routes)
    record.points[: len(variant.points)] = variant.points
    _write_routes(record, configuration)
    for number, ticket in enumerate(deck.tickets):
        record.ticket_a[number] = _cities_meeting(variant, ticket.a)
        record.ticket_b[number] = _cities_meeting(variant, ticket.b)


def _write_routes(record: Any, configuration: MapConfiguration) -> None:
    variant = configuration.variant
    index_of = {city.id: index for index, city in enumerate(variant.cities)}
    parallel: dict[object, list[int]] = {}
    for number, route in enumerate(variant.routes):
        parallel.setdefault(_shared_by_parallel(route), []).append(number)
    for number, route in enumerate(variant.routes):
        colour = ROUTE_COLOURS.index(route.colour)
        record.route_a[number] = index_of[route.a]
        record.route_b[number] = index_of[route.b]
        record.route_length[number] = route.length
        record.route_trains[number] = route.length
        record.route_colour[number] = colour
        routes = parallel[_shared_by_parallel(route)]
        record.parallel[number] = bitset_of(routes, ROUTE_WORDS)
        record.capacity[number] = _capacity(configuration, route, len(routes))
        this = bitset_of([number], ROUTE_WORDS)
        record.touching[index_of[route.a]] |= this
        record.touching[index_of[route.b]] |= this
        record.up_to_length[colour, route.length :] |= this
        record.up_to_trains[route.length :] |= this


def _shared_by_parallel(route: Route) -> object:
    """What parallel routes have in common (UK4)."""
    return route if route.separate else (route.a, route.b)


def _capacity(configuration: MapConfiguration, route: Route, number: int) -> int:
    """How many of so many parallel routes may be claimed; 0 if they never close (C11, TA9)."""
    variant = configuration.variant
    if configuration.num_players > variant.double_routes_closed_up_to or route.stays_open:
        return 0
    return variant.triple_route_claims if number == MAX_PARALLEL_ROUTES else 1


def _cities_meeting(variant: MapVariant, end: str) -> np.uint64:
    """The cities that meet one end of a ticket: the city itself, or any of the group (C16)."""
    meeting = [index for index, city in enumerate(variant.cities) if end in (city.id, city.region)]
    return np.uint64(sum(1 << index for index in meeting))


def write_opening(state: Any, rules: Any) -> None:
    """Fill the fields of all map games that are not zero."""
    seats = slice(rules.num_seats)
    state.open[seats] = bitset_of(range(rules.num_routes), ROUTE_WORDS)
    state.component[:] = range(MAX_CITIES)
    state.trains[seats] = rules.trains
    state.route = NO_ROUTE
