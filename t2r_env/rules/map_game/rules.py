"""What stays fixed during a map game: one record (`RULES`) made from a variant, a number of players and options."""

from typing import Any

import numpy as np

from t2r_env.rules.layout import Layout
from t2r_env.rules.map_game import actions, observe
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.state import (
    NO_COMPANY,
    NO_ROUTE,
    NO_TECHNOLOGY,
    NOWHERE,
    PARTS,
    PHASES,
    ROUTE_COLOURS,
    ROUTE_WORDS,
    STATE,
)
from t2r_env.rules.records import WORD, record_dtype
from t2r_env.rules.rules import SHARED_FIELDS, layout_fields, words_of, write_layout, write_opening, write_shared
from t2r_env.rules.state import NO_ACTION
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import EMPTY
from t2r_env.variants.variant import (
    EFFECTS,
    MAX_CITIES,
    MAX_COMPANIES,
    MAX_LENGTH,
    MAX_PARALLEL_ROUTES,
    MAX_PLACES,
    MAX_ROUTES,
    MAX_TECHNOLOGIES,
    MAX_TICKETS,
    TIE_BREAKS,
    MapVariant,
    Route,
)

# Numbers that loops run to, or that are passed on, are 64 bits wide: each width of an argument is compiled by itself.
RULES = record_dtype(
    [
        *SHARED_FIELDS,
        # The map
        ("num_cities", "i8"),
        ("num_routes", "i8"),
        ("route_a", "i1", (MAX_ROUTES,)),
        ("route_b", "i1", (MAX_ROUTES,)),
        ("route_length", "i1", (MAX_ROUTES,)),
        ("route_ferry", "i1", (MAX_ROUTES,)),  # locomotive symbols (C14)
        ("route_trains", "i1", (MAX_ROUTES,)),  # trains that it takes: its length, and one for each X (LA5)
        ("route_colour", "i1", (MAX_ROUTES,)),
        ("route_tunnel", "i8", (MAX_ROUTES,)),  # cards turned up for it (TA10)
        (
            "capacity",
            "i1",
            (MAX_ROUTES,),
        ),  # routes of its connection that may be claimed in all; 0: any number (C11, TA9)
        ("parallel", WORD, (MAX_ROUTES, ROUTE_WORDS)),  # the routes of each route's connection, itself included
        ("touching", WORD, (MAX_CITIES, ROUTE_WORDS)),  # the routes at each city
        ("up_to_length", WORD, (len(ROUTE_COLOURS), MAX_LENGTH + 1, ROUTE_WORDS)),  # routes of a colour, up to a length
        ("up_to_trains", WORD, (MAX_LENGTH + 1, ROUTE_WORDS)),  # routes that take so many trains at most
        ("up_to_symbols", WORD, (MAX_LENGTH + 1, ROUTE_WORDS)),  # routes with so many locomotive symbols at most
        ("reducible", WORD, (ROUTE_WORDS,)),  # routes that Diesel Power makes cheaper (UK12)
        ("mountains", WORD, (ROUTE_WORDS,)),  # routes with an X
        ("mountain_points", "i2"),  # for each X
        ("attractions", WORD),  # cities with one (NY5)
        ("with_symbols", WORD, (MAX_LENGTH + 1, ROUTE_WORDS)),  # routes with just so many
        ("max_symbols", "i8"),
        ("points", "i2", (MAX_LENGTH + 1,)),  # for a route of each length (C10)
        # Cards, trains, tickets
        ("lays_out", "i1"),  # 1: payments may take more than one step, and lie apart meanwhile (C2)
        ("num_racks", "i8"),  # teams, each with its racks (TA2); 0 if each plays for himself
        ("trains", "i1"),
        ("num_regular", "i8"),  # of them in the ticket deck; the others, which come last, are long ones (LA2)
        ("ticket_a", WORD, (MAX_TICKETS,)),  # the cities that meet the ticket's one end (C16)
        ("ticket_b", WORD, (MAX_TICKETS,)),
        ("long_offer", "i1"),
        # Technologies (UK5, UK6, UK8)
        ("exchange", "i8"),  # coloured cards that stand for a locomotive; 0 if they never do
        ("num_technologies", "i8"),
        ("technology_price", "i8", (MAX_TECHNOLOGIES,)),
        ("technology_copies", "i1", (MAX_TECHNOLOGIES,)),
        ("technology_with", "i8", (len(EFFECTS),)),  # which one has the effect, or NO_TECHNOLOGY
        ("takes_technology", WORD, (MAX_TECHNOLOGIES, ROUTE_WORDS)),  # the routes that nobody claims without each
        # Shares (PA4, PA5, PA8)
        ("num_companies", "i8"),
        ("num_shares", "i8"),
        ("company_shares", WORD, (MAX_COMPANIES,)),
        ("company_points", "i2", (MAX_COMPANIES, MAX_PLACES)),  # of each place, the first first
        ("route_shares", WORD, (MAX_ROUTES,)),  # of the companies shown on each route
        ("neutral_shareholder", "i1"),  # 1: a neutral player holds shares too
        # The end
        ("last_round_trains", "i1"),  # so few trains of a side bring the last round (C15, TA11)
        ("bonus", "i2", (len(PARTS),)),  # points of each bonus, 0 if there is none
        ("needs_longest_path", "i1"),  # 1: a bonus or a tie-break compares them
        # Where actions and observations lie
        *layout_fields(actions.BLOCKS, observe.SEGMENTS, PHASES),
        ("rack_width", "i8"),  # numbers of cards of one kind that an answer may take from a rack, from 0
        ("pay_width", "i8"),  # payments of each colour: the length of the longest route
    ]
)


def make_rules(configuration: MapConfiguration, layout: Layout) -> np.ndarray[Any, Any]:
    """The Rules record, as an array of shape (1,)."""
    rules = np.zeros(1, RULES)
    record, variant = rules[0], configuration.variant
    write_shared(record, configuration, TIE_BREAKS)
    _write_map(record, configuration)
    record.reshuffles = True
    record.lays_out = configuration.has_racks or configuration.has_tunnels or variant.exchange > 0
    record.num_racks = configuration.num_teams if configuration.has_racks else 0
    record.trains = variant.trains
    record.face_up_sweep = variant.face_up_sweep
    record.last_round_trains = variant.last_round_trains
    record.needs_longest_path = "longest_path" in (
        *variant.tie_breaks,
        *configuration.deck.bonuses,
    ) or configuration.has_effect("equalising_beam")
    _write_tickets(record, configuration)
    _write_technologies(record, configuration)
    _write_shares(record, configuration)
    write_layout(record, configuration, layout, actions.BLOCKS, observe.SEGMENTS, PHASES)
    record.rack_width = configuration.most_from_rack + 1
    record.pay_width = configuration.largest_payment
    return rules


def _write_map(record: Any, configuration: MapConfiguration) -> None:
    variant = configuration.variant
    number_of = {city.id: number for number, city in enumerate(variant.cities)}
    record.num_cities = len(variant.cities)
    record.num_routes = len(variant.routes)
    record.points[: len(variant.points)] = variant.points
    record.mountain_points = variant.mountain_points
    record.attractions = np.uint64(sum(1 << number for number, city in enumerate(variant.cities) if city.attraction))
    record.max_symbols = max(route.ferry for route in variant.routes)
    groups: dict[object, int] = {}
    for number, route in enumerate(variant.routes):
        groups[_parallel_to(route)] = groups.get(_parallel_to(route), 0) | 1 << number
    for number, route in enumerate(variant.routes):
        colour = ROUTE_COLOURS.index(route.colour)
        record.route_a[number] = number_of[route.a]
        record.route_b[number] = number_of[route.b]
        record.route_length[number] = route.length
        record.route_ferry[number] = route.ferry
        record.route_trains[number] = route.trains
        record.route_colour[number] = colour
        record.route_tunnel[number] = route.tunnel
        routes = groups[_parallel_to(route)]
        record.parallel[number] = words_of(routes, ROUTE_WORDS)
        record.capacity[number] = _capacity(configuration, route, routes.bit_count())
        this = words_of(1 << number, ROUTE_WORDS)
        record.touching[number_of[route.a]] |= this
        record.touching[number_of[route.b]] |= this
        record.up_to_length[colour, route.length :] |= this
        record.up_to_trains[route.trains :] |= this
        record.up_to_symbols[route.ferry :] |= this
        record.with_symbols[route.ferry] |= this
        if route.length > max(1, route.ferry):
            record.reducible |= this
        if route.mountain:
            record.mountains |= this


def _parallel_to(route: Route) -> object:
    """What the routes of one connection have in common (UK4)."""
    return route if route.separate else (route.a, route.b)


def _capacity(configuration: MapConfiguration, route: Route, number: int) -> int:
    """How many routes of a connection of so many may be claimed; 0 if it never closes (C11, TA9)."""
    variant = configuration.variant
    if configuration.num_players > variant.double_routes_closed_up_to or route.stays_open:
        return 0
    return variant.triple_route_claims if number == MAX_PARALLEL_ROUTES else 1


def _write_tickets(record: Any, configuration: MapConfiguration) -> None:
    variant, deck = configuration.variant, configuration.deck
    record.num_regular = len(deck.regular)
    for number, ticket in enumerate(deck.tickets):
        record.ticket_a[number] = _cities_meeting(variant, ticket.a)
        record.ticket_b[number] = _cities_meeting(variant, ticket.b)
    record.long_offer = deck.long_offered
    for name, points in deck.bonuses.items():
        record.bonus[PARTS.index(name)] = points


def _write_technologies(record: Any, configuration: MapConfiguration) -> None:
    record.exchange = configuration.variant.exchange
    record.num_technologies = len(configuration.technologies)
    record.technology_with[:] = NO_TECHNOLOGY
    for number, technology in enumerate(configuration.technologies):
        record.technology_price[number] = technology.price
        record.technology_copies[number] = technology.copies
        if technology.effect:
            record.technology_with[EFFECTS.index(technology.effect)] = number
        opened = [
            technology.opens(route, configuration.variant.regions_of(route)) for route in configuration.variant.routes
        ]
        record.takes_technology[number] = words_of(sum(1 << route for route, opens in enumerate(opened) if opens), 2)


def _write_shares(record: Any, configuration: MapConfiguration) -> None:
    variant = configuration.variant
    record.num_companies = len(variant.companies)
    record.neutral_shareholder = configuration.has_neutral_shareholder
    first = 0
    shares_of: dict[str, np.uint64] = {}
    for number, company in enumerate(variant.companies):
        shares_of[company.id] = np.uint64(((1 << company.shares) - 1) << first)
        record.company_shares[number] = shares_of[company.id]
        record.company_points[number, : len(company.points)] = company.points
        first += company.shares
    record.num_shares = first
    for number, route in enumerate(variant.routes):
        for company_id in route.companies:
            record.route_shares[number] |= shares_of[company_id]


def _cities_meeting(variant: MapVariant, end: str) -> np.uint64:
    """The cities that meet one end of a ticket: the city itself, or any of the group (C16)."""
    meeting = [number for number, city in enumerate(variant.cities) if end in (city.id, city.region)]
    return np.uint64(sum(1 << number for number in meeting))


def opening(rules: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The State before anything is shuffled or dealt, as an array of shape (1,): every game begins as a copy of it."""
    states = np.zeros(1, STATE)
    state, record = states[0], rules[0]
    seats = slice(record.num_seats)
    state.open[seats] = words_of((1 << int(record.num_routes)) - 1, ROUTE_WORDS)
    state.component[:] = range(MAX_CITIES)
    write_opening(state, record)
    state.unplaced = EMPTY
    state.placed = NOWHERE
    state.trains[seats] = record.trains
    state.shares_left = np.bitwise_or.reduce(record.company_shares)
    state.route = NO_ROUTE
    state.payment = state.extra = NO_ACTION
    state.technology = state.bought = NO_TECHNOLOGY
    state.technologies_left = record.technology_copies
    state.sharing[:] = NO_TICKET
    state.company = NO_COMPANY
    return states
