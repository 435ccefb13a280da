"""The records of map games: what changes during a game, what stays fixed, and memory to compute in.

A rule that only some games have keeps its fields in a section of its own.
"""

import numpy as np

from t2r_env.basics.sizes import (
    MAX_CITIES,
    MAX_COMPANIES,
    MAX_DESTINATIONS,
    MAX_EXCHANGES,
    MAX_HOLDERS,
    MAX_LENGTH,
    MAX_RACKS,
    MAX_ROUTES,
    MAX_SEATS,
    MAX_STATIONS,
    MAX_TECHNOLOGIES,
    MAX_TICKETS,
    MAX_TOURS,
    MAX_TRAINS,
)
from t2r_env.core.records import Array, bitset, int8, int16, int32, int64
from t2r_env.rules.cards import CARD_TYPES
from t2r_env.rules.names import PARTS
from t2r_env.rules.state import TICKET_WORDS, ScoringScratch, SharedRules, SharedState
from t2r_env.variants.variant import COLOURS, EFFECTS

GRAY = len(COLOURS)
"""The colour of a route that any one colour may pay (C9)."""
ROUTE_COLOURS = (*COLOURS, "gray")

NO_ROUTE = -1
NO_TECHNOLOGY = -1
NO_COMPANY = -1
NO_CITY = -1
ROUTE_WORDS = MAX_ROUTES // 64

HAND, RACK = range(2)
"""The places where cards come from and go to, in team games (TA2)."""
NOWHERE = -1
NEUTRAL = MAX_SEATS
"""The holder of shares after the seats: the neutral player (PA8)."""

MAX_EDGES = MAX_TRAINS
"""The most routes of one team, if each has one space; a set of them is one word."""
MAX_FRONTIER = 24
"""Slots for the cities between routes taken and routes to come, while a longest path is looked for (trail.py)."""
BOUND_SLOTS = 12
"""The slots that the bound on its length looks at."""
SEEN = 1 << 14
"""The number of points of the search that are remembered: a power of two."""


class MapState(SharedState):
    """All that changes during a map game."""

    open: Array = bitset(MAX_SEATS, ROUTE_WORDS)  # routes still open to each seat (C11)
    claimed: Array = bitset(MAX_SEATS, ROUTE_WORDS)  # routes of each seat
    component: Array = int8(MAX_SEATS, MAX_CITIES)  # by team, a label: the lowest city joined to it by its routes
    trains: Array = int8(MAX_SEATS)
    passes: int = int8()  # passes in succession (C13)
    # The claim under way
    route: int = int64()  # the route that this turn claims, or NO_ROUTE
    payment: int = int16()  # the action that pays for the route, or NO_ACTION
    set_aside: Array = int8(2, CARD_TYPES)  # laid out for a payment: from HAND, from RACK (C2)
    # Tunnels (EU5, TA10)
    revealed: Array = int8(CARD_TYPES)  # turned up
    due: int = int64()  # cards that the tunnel demands
    extra: int = int16()  # the action that pays them, or NO_ACTION
    # Racks, by team (TA2, TA5)
    rack: Array = int8(MAX_RACKS, CARD_TYPES)  # the open cards
    rack_known: Array = int8(MAX_RACKS, CARD_TYPES)  # those of them that opponents know of too (C20)
    rack_count: Array = int8(MAX_RACKS)
    rack_tickets: Array = bitset(MAX_RACKS, TICKET_WORDS)  # the open tickets
    rack_ticket_count: Array = int8(MAX_RACKS)
    unplaced: int = int64()  # the card drawn that goes to hand or rack, or EMPTY
    placed: int = int64()  # where this turn's first card went: HAND, RACK or NOWHERE
    # Sharing tickets (TA4, TA7, TA8)
    to_share: Array = bitset(TICKET_WORDS)  # tickets that the acting seat may put on the rack
    to_share_count: int = int8()  # how many they are: all have seen how many it kept
    sharing: Array = int8(MAX_SEATS)  # the ticket that each seat has chosen for the rack, or NO_TICKET (TA4)
    moved: int = int8()  # tickets that this turn's action has put on the rack (TA8)
    # Technologies: bit i is the technology of number i (UK8)
    technologies: Array = int32(MAX_SEATS)
    technologies_left: Array = int8(MAX_TECHNOLOGIES)  # copies in the supply
    technology: int = int64()  # the one that is being paid for, or NO_TECHNOLOGY
    bought: int = int8()  # the one bought this turn, or NO_TECHNOLOGY
    claims: int = int64()  # routes claimed this turn, where the Thermocompressor is in play (UK12)
    # Shares: bit i is the share with this number among those of all companies (PA4)
    shares: Array = bitset(MAX_HOLDERS)  # of each seat, and of NEUTRAL
    shares_left: np.uint64 = bitset()  # not yet taken
    revealed_shares: np.uint64 = bitset()  # once finished: those of NEUTRAL that count (PA8)
    company: int = int8()  # whose share was taken for the route, or NO_COMPANY
    # Stations (EU6, EU7)
    stations: Array = int8(MAX_SEATS, MAX_STATIONS)  # cities of each seat's, in the order built; then NO_CITY
    station_routes: Array = int16(MAX_SEATS, MAX_STATIONS)  # once finished: the route that each uses, or NO_ROUTE
    city: int = int64()  # where a station is being paid for, or NO_CITY


class MapRules(SharedRules):
    """All that stays fixed during a map game: the map, and how it is played.

    Numbers that loops run to, or that are passed on, have 64 bits.
    """

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
    up_to_trains: Array = bitset(MAX_LENGTH + 1, ROUTE_WORDS)  # routes that take this many trains at most
    points: Array = int16(MAX_LENGTH + 1)  # for a route of each length (C10)
    ticket_a: Array = bitset(MAX_TICKETS)  # the cities that meet the ticket's one end (C16)
    ticket_b: Array = bitset(MAX_TICKETS)
    trains: int = int8()  # of each seat
    last_round_trains: int = int8()  # a team with this many trains or fewer brings the last round (C15, TA11)
    bonus: Array = int16(len(PARTS))  # points of each bonus, 0 if there is none
    needs_longest_path: int = int8()  # 1: a bonus, a tie-break or a technology compares them
    pay_width: int = int64()  # payments of each colour: the length of the longest route
    lays_out: int = int8()  # 1: payments may take more than one decision, and lie apart meanwhile (C2)
    # Attractions (NY5)
    has_attractions: int = int8()
    attractions: np.uint64 = bitset()  # cities with one
    # The Grand Tour (IN6)
    most_tours: int = int64()  # the number of tickets beyond which there are no more points; 0: the game has none
    grand_tour: Array = int16(MAX_TOURS + 1)  # points for each number of tickets
    # Ferries (C14)
    route_ferry: Array = int8(MAX_ROUTES)  # locomotive symbols
    up_to_symbols: Array = bitset(MAX_LENGTH + 1, ROUTE_WORDS)  # routes with this many symbols at most
    with_symbols: Array = bitset(MAX_LENGTH + 1, ROUTE_WORDS)  # routes with exactly this many
    max_symbols: int = int64()
    # Mountain routes (LA5)
    has_mountains: int = int8()
    mountains: Array = bitset(ROUTE_WORDS)  # routes with an X
    mountain_points: int = int16()  # for each X
    # Tunnels (EU5, TA10)
    has_tunnels: int = int8()
    route_tunnel: Array = int64(MAX_ROUTES)  # cards turned up for it
    # Racks (TA2)
    num_racks: int = int64()  # 0 if there are no teams
    rack_width: int = int64()  # numbers of cards of one type that an action may take from a rack, from 0
    # What locomotives pay for (NO5, SW5)
    takes_locomotives: Array = bitset(ROUTE_WORDS)  # the routes that they can be paid for
    limits_locomotives: int = int8()  # 1: not for all routes
    # Exchanges (UK5, NO6, NO8): so many cards stand for one, where locomotives can be paid for a locomotive
    num_exchanges: int = int64()  # exchanges that routes have, of different kinds
    exchange: int = int64()  # of technologies; 0 if they have none
    route_exchange: Array = int64(MAX_ROUTES)  # 0 if there is none
    exchange_cards: Array = int64(MAX_EXCHANGES)  # so many stand for one
    exchange_takes_locomotives: Array = int8(MAX_EXCHANGES)  # 1: they stand for a locomotive
    exchange_routes: Array = bitset(MAX_EXCHANGES, ROUTE_WORDS)  # where
    has_plain_routes: int = int8()  # 1: not all routes have an exchange
    # Technologies (UK6, UK8)
    num_technologies: int = int64()
    technology_price: Array = int64(MAX_TECHNOLOGIES)
    technology_copies: Array = int8(MAX_TECHNOLOGIES)
    technology_with: Array = int64(len(EFFECTS))  # which one has the effect, or NO_TECHNOLOGY
    takes_technology: Array = bitset(MAX_TECHNOLOGIES, ROUTE_WORDS)  # the routes that nobody claims without each
    reducible: Array = bitset(ROUTE_WORDS)  # routes that Diesel Power makes cheaper (UK12)
    # Companies (PA4, PA5, PA8)
    num_companies: int = int64()
    num_shares: int = int64()
    company_shares: Array = bitset(MAX_COMPANIES)
    company_points: Array = int16(MAX_COMPANIES, MAX_HOLDERS)  # of each rank among holders, the first first
    route_shares: Array = bitset(MAX_ROUTES)  # of the companies shown on each route
    neutral_shareholder: int = int8()  # 1: a neutral player holds shares too
    # Stations (EU6, EU8)
    num_stations: int = int64()  # of each seat
    station_price: Array = int8(MAX_STATIONS)  # in cards, of the first, the second and so on
    station_points: int = int16()  # for each one left
    # Tickets to several countries (SW8), the one of the most points first
    num_destinations: Array = int64(MAX_TICKETS)  # 0: the ticket has one value
    destination: Array = bitset(MAX_TICKETS, MAX_DESTINATIONS)  # the cities of each
    destination_points: Array = int16(MAX_TICKETS, MAX_DESTINATIONS)


class MapScoringScratch(ScoringScratch):
    """Memory for the scoring of a map game to compute in."""

    # The longest path, whose edges are numbered within the team's routes: most of it are tables of the search
    edge_a: Array = int64(MAX_EDGES)
    edge_b: Array = int64(MAX_EDGES)
    edge_length: Array = int64(MAX_EDGES)
    component: Array = int64(MAX_CITIES)
    incident: Array = bitset(MAX_CITIES)  # edges at each city
    adjacent: Array = bitset(MAX_CITIES)  # cities next to each city
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
    # The Grand Tour (IN6): trees of a team's routes
    above: Array = int64(MAX_CITIES)  # the next city on the way to the root, or NO_CITY
    route_above: Array = int64(MAX_CITIES)  # the route to it, or NO_ROUTE
    depth: Array = int64(MAX_CITIES)  # routes to the root
    round_label: Array = int64(MAX_CITIES)  # the same for cities on one round
    # Shares (PA5)
    holdings: Array = bitset(MAX_HOLDERS)  # the shares that count, by holder; of seats not in the game none
    # Stations (EU7); cities joined by a seat's own routes are one, named by their label
    use_route: Array = int16(MAX_STATIONS, MAX_CITIES)  # routes that each station may use: one to each other label
    use_joins: Array = bitset(MAX_STATIONS, MAX_CITIES)  # the labels that the route joins
    use_count: Array = int64(MAX_STATIONS)
    use: Array = int64(MAX_STATIONS)  # which of them each station uses
    joined: Array = bitset(MAX_STATIONS)  # groups of labels that these join
    missing_a: Array = bitset(MAX_TICKETS)  # of each ticket not completed so far: labels that meet its one end
    missing_b: Array = bitset(MAX_TICKETS)
    missing_points: Array = int64(MAX_TICKETS)
