"""The part of the graph observation that changes from decision to decision, written from the vector (C20).

All of the vector goes into the tables (`segments_to_copy`); what is computed comes from the tables themselves, so that
the graph tells what the vector tells and no more.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env.core import bits
from t2r_env.core.compiled import cached, compiled, inlined
from t2r_env.core.layout import Segment
from t2r_env.core.records import Array
from t2r_env.graph.columns import ACTIONS, CITIES, MAP_PHASES, PLAYERS, ROUTES, TABLE, TICKETS, UNREACHABLE
from t2r_env.graph.tables import CITY, COLUMNS, ROUTE, TICKET
from t2r_env.rules.cards import CARD_TYPES, FACE_UP_SLOTS, LOCOMOTIVE
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.records import GRAY, MapRules
from t2r_env.rules.names import blocks

# Copying segments

COPY_FIELDS = 6
"""Numbers that say how a segment is copied: its start, the rows of the table, the step from one row to the next, the
columns, the step from one column to the next, and the first column."""


def segments_to_copy(configuration: MapConfiguration, table: str) -> NDArray[np.int64]:
    """Return how the segments that this table has are copied, (k, COPY_FIELDS)."""
    copies: list[tuple[int, ...]] = []
    for segment in configuration.layout.observation.values():
        if segment.name == "phase" and table == "table":
            copies += _copies_of_phases(configuration, segment.start)
        elif segment.name in COLUMNS[table]:
            copies.append(_copy_of(table, segment))
    return np.array(copies, np.int64).reshape(-1, COPY_FIELDS)


def _copy_of(table: str, segment: Segment) -> tuple[int, ...]:
    start, shape, column = segment.start, segment.shape, COLUMNS[table][segment.name].start
    if table == "table":
        return (start, 1, 0, segment.size, 1, column)
    if table == "players":
        width = segment.size // shape[0]
        return (start, shape[0], width, width, 1, column)
    seats = segment.size // shape[-1]  # a row for each seat, an entry for each thing
    return (start, shape[-1], 1, seats, shape[-1], column)


def _copies_of_phases(configuration: MapConfiguration, start: int) -> list[tuple[int, ...]]:
    """Return how the phase is copied, whose one-hot in the vector has the phases of the game alone."""
    column = TABLE["phase"].start
    return [(start + slot, 1, 0, 1, 1, column + MAP_PHASES.index(it)) for slot, it in enumerate(configuration.phases)]


@compiled
def _copy(copies: Array, vector: Array, table: Array) -> None:
    for copy in copies:
        start, rows, row_step, columns, column_step, first = copy
        for row in range(rows):
            for column in range(columns):
                table[row, first + column] = vector[start + row * row_step + column * column_step]


# Computing the rest

_CITY_NETWORK, _CITY_TICKETS = CITIES["network"].start, CITIES["open_tickets"].start
_CITY_POINTS, _CITY_OFFERS = CITIES["ticket_points"].start, CITIES["offers"].start
_CITY_SUBJECT = CITIES["subject_city"].start
_LENGTH, _FERRY, _CLAIMED = ROUTES["length"].start, ROUTES["ferry"].start, ROUTES["claimed"].start
_TAKES_LOCOMOTIVES, _SUBJECT_ROUTE = ROUTES["takes_locomotives"].start, ROUTES["subject_route"].start
_OWN, _OPEN, _ROUTE_LACKING = ROUTES["own"].start, ROUTES["open"].start, ROUTES["lacking"].start
_WAYS, _WAY_POINTS = ROUTES["ways"].start, ROUTES["way_points"].start
_POINTS, _TICKETS, _OFFERED = TICKETS["points"].start, TICKETS["tickets"].start, TICKETS["offered"].start
_KEPT, _RACK_TICKETS = TICKETS["kept"].start, TICKETS["rack_tickets"].start
_COMPLETED, _RACK_COMPLETED = TICKETS["completed"].start, TICKETS["rack_completed"].start
_SUBJECT_TICKET, _TICKET_LACKING = TICKETS["subject_ticket"].start, TICKETS["lacking"].start
_OWN_TEAM, _HAND, _RACK = PLAYERS["is_own_team"].start, TABLE["hand"].start, TABLE["rack"].start
_FACE_UP, _WANTED = TABLE["face_up"].start, TABLE["wanted"].start
_ACTION_COLOUR, _ACTION_HELD, _ACTION_WANTED = (ACTIONS[it].start for it in ("colour", "held", "wanted"))


@cached
def write_graphs(
    vectors: Array,
    seats: Array,
    rules: Array,
    copies: tuple[Array, ...],
    distances: Array,
    rows: Array,
    cities: Array,
    routes: Array,
    tickets: Array,
    players: Array,
    table: Array,
    actions: Array,
    city_regions: Array,
    route_ends: Array,
    ticket_ends: Array,
    action_targets: Array,
) -> None:
    """Write the graphs of `rows[i]` from the vector observations `vectors[i]` of seats `seats[i]`."""
    for i in range(rows.shape[0]):
        row, seat = rows[i], seats[i]
        _copy(copies[0], vectors[i], cities[row])
        _copy(copies[1], vectors[i], routes[row])
        _copy(copies[2], vectors[i], tickets[row])
        _copy(copies[3], vectors[i], players[row])
        _copy(copies[4], vectors[i], table[row])
        _write_teams(rules[0], seat, players[row])
        _write_routes(rules[0], seat, table[row], routes[row])
        _write_networks(rules[0], routes[row], route_ends[row], city_regions[row], cities[row])
        _write_tickets(rules[0], routes[row], route_ends[row], distances, tickets[row])
        _write_wanted(rules[0], routes[row], table[row, 0])
        _write_ends(rules[0], tickets[row], ticket_ends[row], cities[row])
        _write_targets(rules[0], cities[row], routes[row], tickets[row], action_targets[row])
        _write_colours(rules[0], table[row, 0], actions[row])


@compiled
def _write_teams(rules: MapRules, seat: int, players: Array) -> None:
    for distance in range(rules.num_seats):
        players[distance, _OWN_TEAM] = rules.team[(seat + distance) % rules.num_seats] == rules.team[seat]


@compiled
def _write_routes(rules: MapRules, seat: int, table: Array, routes: Array) -> None:
    """Write who may claim each route, and what the seat lacks for it."""
    for route in range(rules.num_routes):
        columns = routes[route]
        columns[_OWN] = 0
        for distance in range(rules.num_seats):
            if columns[_CLAIMED + distance]:
                columns[_OWN] |= rules.team[(seat + distance) % rules.num_seats] == rules.team[seat]
        columns[_OPEN] = _is_open(rules, routes, route)
        columns[_ROUTE_LACKING] = _cards_lacking(rules, columns, route, table[0]) if columns[_OPEN] else 0


@compiled
def _is_open(rules: MapRules, routes: Array, route: int) -> bool:
    """Whether nobody has a route, and its parallel routes don't close it to the observing seat (C11, TA9)."""
    claimed = 0
    for other in bits.members(rules.parallel[route]):
        is_claimed = False
        for distance in range(rules.num_seats):
            is_claimed |= routes[other, _CLAIMED + distance] > 0
        if (is_claimed and other == route) or routes[other, _CLAIMED]:
            return False
        claimed += is_claimed
    return rules.capacity[route] == 0 or claimed < rules.capacity[route]


@compiled
def _cards_lacking(rules: MapRules, columns: Array, route: int, table: Array) -> int:
    """Return the cards that are missing to pay for a route in the colour of which the fewest are (C9, C14)."""
    length, symbols = np.int64(columns[_LENGTH]), np.int64(columns[_FERRY])
    locomotives = _held(table, LOCOMOTIVE) if columns[_TAKES_LOCOMOTIVES] else np.int64(0)
    coloured: Any = length - symbols
    wild: Any = max(np.int64(0), locomotives - symbols)
    fewest = coloured
    for colour in range(GRAY):
        if rules.route_colour[route] == GRAY or rules.route_colour[route] == colour:
            fewest = min(fewest, max(0, coloured - _held(table, colour) - wild))
    return fewest + max(0, symbols - locomotives)


@inlined
def _held(table: Array, card: int) -> Any:
    """Return how many cards of a type hand and own rack have."""
    return np.int64(table[_HAND + card]) + np.int64(table[_RACK + card])


@compiled
def _write_networks(rules: MapRules, routes: Array, ends: Array, regions: Array, cities: Array) -> None:
    """Write whose routes end in each city, and in a city of each region."""
    cities[:, _CITY_NETWORK : _CITY_NETWORK + rules.num_seats] = 0
    for route in range(rules.num_routes):
        for distance in range(rules.num_seats):
            if routes[route, _CLAIMED + distance]:
                for city in ends[route]:
                    cities[city, _CITY_NETWORK + distance] = 1
                    if regions[city, 0] >= 0:
                        cities[regions[city, 0], _CITY_NETWORK + distance] = 1


@compiled
def _write_tickets(rules: MapRules, routes: Array, ends: Array, distances: Array, tickets: Array) -> None:
    """Write what the tickets lack that the seat sees, and the routes on the ways of its own ones."""
    routes[:, _WAYS] = 0
    routes[:, _WAY_POINTS] = 0
    for ticket in range(rules.num_tickets):
        columns = tickets[ticket]
        columns[_TICKET_LACKING] = 0
        is_own = columns[_TICKETS] | columns[_KEPT] | columns[_RACK_TICKETS]
        if is_own or columns[_OFFERED]:
            _measure(rules, rules.ticket_a[ticket], routes, ends, distances[0])
            lacking = UNREACHABLE
            for city in bits.ones(rules.ticket_b[ticket]):
                lacking = min(lacking, distances[0, city])
            columns[_TICKET_LACKING] = lacking
            if is_own and 0 < lacking < UNREACHABLE:
                _measure(rules, rules.ticket_b[ticket], routes, ends, distances[1])
                _write_ways(rules, lacking, columns[_POINTS], ends, distances, routes)


@compiled
def _measure(rules: MapRules, cities: np.uint64, routes: Array, ends: Array, distances: Array) -> None:
    """Write how many spaces are still to be claimed from these cities to each other one (Bellman-Ford)."""
    distances[:] = UNREACHABLE
    for city in bits.ones(cities):
        distances[city] = 0
    is_shorter = True
    while is_shorter:
        is_shorter = False
        for route in range(rules.num_routes):
            if routes[route, _OWN] or routes[route, _OPEN]:
                length = 0 if routes[route, _OWN] else np.int64(routes[route, _LENGTH])
                a, b = ends[route, 0], ends[route, 1]
                if distances[a] + length < distances[b]:
                    distances[b] = distances[a] + length
                    is_shorter = True
                elif distances[b] + length < distances[a]:
                    distances[a] = distances[b] + length
                    is_shorter = True


@compiled
def _write_ways(rules: MapRules, lacking: int, points: int, ends: Array, distances: Array, routes: Array) -> None:
    """Count a ticket at the open routes that one of its shortest ways takes, given distances from both ends."""
    for route in range(rules.num_routes):
        if routes[route, _OPEN] and not routes[route, _OWN]:
            a, b = ends[route, 0], ends[route, 1]
            way = min(distances[0, a] + distances[1, b], distances[0, b] + distances[1, a])
            if way + np.int64(routes[route, _LENGTH]) == lacking:
                routes[route, _WAYS] += 1
                routes[route, _WAY_POINTS] = min(np.int64(routes[route, _WAY_POINTS]) + np.int64(points), 255)


@compiled
def _write_wanted(rules: MapRules, routes: Array, table: Array) -> None:
    """Write how many spaces the ways of own tickets take in each colour."""
    table[_WANTED : _WANTED + GRAY + 1] = 0
    for route in range(rules.num_routes):
        if routes[route, _WAYS]:
            colour = _WANTED + rules.route_colour[route]
            table[colour] = min(np.int64(table[colour]) + np.int64(routes[route, _LENGTH]), 255)


@compiled
def _write_ends(rules: MapRules, tickets: Array, ends: Array, cities: Array) -> None:
    """Write how many own tickets end in each city, and what they are worth."""
    cities[:, _CITY_TICKETS] = 0
    cities[:, _CITY_POINTS] = 0
    cities[:, _CITY_OFFERS] = 0
    for ticket in range(rules.num_tickets):
        columns = tickets[ticket]
        is_own = columns[_TICKETS] | columns[_KEPT] | columns[_RACK_TICKETS]
        is_done = columns[_COMPLETED] | columns[_RACK_COMPLETED]
        for city in ends[ticket]:
            if city >= 0:
                cities[city, _CITY_OFFERS] += columns[_OFFERED]
                if is_own and not is_done:
                    cities[city, _CITY_TICKETS] += 1
                    points = np.int64(cities[city, _CITY_POINTS]) + np.int64(columns[_POINTS])
                    cities[city, _CITY_POINTS] = min(points, 255)


@compiled
def _write_targets(rules: MapRules, cities: Array, routes: Array, tickets: Array, targets: Array) -> None:
    """Write what actions are about that say so only together with the position."""
    route, city = _marked(routes, _SUBJECT_ROUTE), _marked(cities, _CITY_SUBJECT)
    for block in (blocks.PAY, blocks.SPEND, blocks.FROM_RACK, blocks.PAY_MORE, blocks.WITHDRAW):
        first = rules.first_action[block]
        for action in range(first, first + rules.block_size[block]):
            targets[action, ROUTE] = route
            targets[action, CITY] = city
    ticket = _marked(tickets, _SUBJECT_TICKET)
    targets[rules.first_action[blocks.KEEP_TICKET], TICKET] = ticket
    targets[rules.first_action[blocks.REFUSE_TICKET], TICKET] = ticket


@compiled
def _write_colours(rules: MapRules, table: Array, actions: Array) -> None:
    """Write which card a slot has, and what the hand has, and own tickets want, of each action's colour."""
    first = rules.first_action[blocks.DRAW_FACE_UP]
    for slot in range(FACE_UP_SLOTS):
        for card in range(CARD_TYPES):
            actions[first + slot, _ACTION_COLOUR + card] = table[_FACE_UP + slot * CARD_TYPES + card]
    for block in (blocks.DRAW_FACE_UP, blocks.PAY, blocks.SPEND):
        first = rules.first_action[block]
        for action in range(first, first + rules.block_size[block]):
            actions[action, _ACTION_HELD] = 0
            actions[action, _ACTION_WANTED] = 0
            for card in range(CARD_TYPES):
                if actions[action, _ACTION_COLOUR + card]:
                    actions[action, _ACTION_HELD] = table[_HAND + card]
                    actions[action, _ACTION_WANTED] = table[_WANTED + card]


@inlined
def _marked(rows: Array, column: int) -> int:
    """Return the first row whose column is not zero, -1 if there is none."""
    for row in range(rows.shape[0]):
        if rows[row, column]:
            return row
    return -1
