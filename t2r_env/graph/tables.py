"""The arrays of the graph observation, with all that does not change during a game."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from t2r_env.basics.sizes import MAX_DESTINATIONS
from t2r_env.graph.columns import ACTIONS, CITIES, MAP_BLOCKS, PLAYERS, ROUTES, TABLE, TICKETS
from t2r_env.graph.size import GraphSize, regions_of
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.records import ROUTE_COLOURS

Arrays: TypeAlias = dict[str, NDArray[Any]]

COLUMNS = {
    "cities": CITIES,
    "routes": ROUTES,
    "tickets": TICKETS,
    "players": PLAYERS,
    "table": TABLE,
    "actions": ACTIONS,
}
"""The columns of each table, by its name in the observation."""
INDICES = {"city_regions": 1, "route_ends": 2, "ticket_ends": 1 + MAX_DESTINATIONS, "action_targets": 3}
"""The arrays of row numbers, int16, -1 where there is nothing, and their columns: the region of a city; the cities of a
route; a ticket's start, then its destinations, all of them rows of `cities`; an action's route, city and ticket."""
ROUTE, CITY, TICKET = range(3)
"""Columns of `action_targets`."""


def shapes(size: GraphSize) -> dict[str, tuple[int, int]]:
    """Return the shape of each array of one game."""
    rows = vars(size) | {"table": 1}
    rows |= {
        "city_regions": size.cities,
        "route_ends": size.routes,
        "ticket_ends": size.tickets,
        "action_targets": size.actions,
    }
    widths = {name: columns.size for name, columns in COLUMNS.items()} | INDICES
    return {name: (rows[name], width) for name, width in widths.items()}


def opening_tables(configuration: MapConfiguration, size: GraphSize) -> Arrays:
    """Return the arrays of one game with everything that stays as it is; the rest is zero, or -1."""
    arrays: Arrays = {
        name: np.full(shape, -1, np.int16) if name in INDICES else np.zeros(shape, np.uint8)
        for name, shape in shapes(size).items()
    }
    _fill_cities(configuration, arrays)
    _fill_routes(configuration, arrays)
    _fill_tickets(configuration, arrays)
    _fill_actions(configuration, arrays)
    players, table, seats = arrays["players"], arrays["table"][0], configuration.num_players
    players[:seats, PLAYERS["is_seat"].start] = 1
    players[seats : seats + configuration.has_neutral_shareholder, PLAYERS["is_neutral"].start] = 1
    table[TABLE["players"].start] = seats
    table[TABLE["last_round_trains"].start] = configuration.variant.last_round_trains
    table[TABLE["bonus"].slice] = configuration.rules["bonus"][0]
    return arrays


def _fill_cities(configuration: MapConfiguration, arrays: Arrays) -> None:
    cities, regions = configuration.variant.cities, regions_of(configuration)
    for row, city in enumerate(cities):
        arrays["cities"][row, CITIES["attraction"].start] = city.attraction
        if city.region in regions:
            arrays["city_regions"][row] = len(cities) + regions.index(city.region)
    arrays["cities"][: len(cities), CITIES["is_city"].start] = 1
    arrays["cities"][len(cities) : len(cities) + len(regions), CITIES["is_region"].start] = 1


def _fill_routes(configuration: MapConfiguration, arrays: Arrays) -> None:
    variant, rules = configuration.variant, configuration.rules[0]
    companies = [company.id for company in variant.companies]
    index_of = {city.id: row for row, city in enumerate(variant.cities)}
    for row, (route, columns) in enumerate(zip(variant.routes, arrays["routes"], strict=False)):
        arrays["route_ends"][row] = index_of[route.a], index_of[route.b]
        values = {
            "length": route.length,
            "takes_trains": rules["route_trains"][row],
            "points": variant.points[route.length],
            "ferry": route.ferry,
            "tunnel": route.tunnel,
            "mountain": route.mountain,
            "takes_locomotives": variant.takes_locomotives(route),
            "exchange": route.exchange,
            "parallel": sum({it.a, it.b} == {route.a, route.b} for it in variant.routes),
        }
        for name, value in values.items():
            columns[ROUTES[name].start] = value
        columns[ROUTES["colour"].start + ROUTE_COLOURS.index(route.colour)] = 1
        for technology, it in enumerate(configuration.technologies):
            columns[ROUTES["needs_technology"].start + technology] = it.opens(route, variant.regions_of(route))
        for company in route.companies:
            columns[ROUTES["companies"].start + companies.index(company)] = 1


def _fill_tickets(configuration: MapConfiguration, arrays: Arrays) -> None:
    names = [*(city.id for city in configuration.variant.cities), *regions_of(configuration)]
    deck = configuration.deck
    for row, (ticket, columns) in enumerate(zip(deck.tickets, arrays["tickets"], strict=False)):
        destinations = sorted(ticket.destinations, key=lambda it: -it[1])
        columns[TICKETS["points"].start] = destinations[0][1]
        columns[TICKETS["failure"].start] = ticket.failure
        columns[TICKETS["is_long"].start] = row >= len(deck.regular)
        arrays["ticket_ends"][row, 0] = names.index(ticket.a)
        for index, (end, points) in enumerate(destinations):
            arrays["ticket_ends"][row, 1 + index] = names.index(end)
            columns[TICKETS["destination_points"].start + index] = points


def _fill_actions(configuration: MapConfiguration, arrays: Arrays) -> None:
    """Fill what an action says by itself; what the position adds is written later (writing.py)."""
    companies = len(configuration.variant.companies)
    for name, block in configuration.layout.actions.items():
        for row, place in enumerate(np.ndindex(block.shape), block.start):
            columns, targets = arrays["actions"][row], arrays["action_targets"][row]
            columns[ACTIONS["kind"].start + MAP_BLOCKS.index(name)] = 1
            _fill_action(name, place, columns, targets, companies)


def _fill_action(
    name: str, place: tuple[int, ...], columns: NDArray[Any], targets: NDArray[Any], companies: int
) -> None:
    """Fill the row of the action at this place of its block."""
    first, layout = place[0], ACTIONS
    match name:
        case "claim":
            targets[ROUTE] = first
        case "build":
            targets[CITY] = first
        case "share_ticket":
            targets[TICKET] = first
        case "place":
            columns[layout["to_rack"].start] = first
        case "pay":
            columns[layout["colour"].start + first] = 1
            columns[layout["locomotives"].start] = place[1] + (first == LOCOMOTIVE)
        case "spend":
            columns[layout["colour"].start + first] = 1
        case "from_rack":
            columns[layout["cards"].start], columns[layout["locomotives"].start] = place
        case "pay_more":
            columns[layout["locomotives"].start] = first
        case "buy":
            columns[layout["technology"].start + first] = 1
        case "take_share" | "neutral_share" if first < companies:
            columns[layout["company"].start + first] = 1
