"""The set-up of a map game: its blocks of actions, its Rules record, and its State before the deal."""

from typing import Any

import numpy as np

from t2r_env.basics.sizes import MAX_CITIES, MAX_PARALLEL_ROUTES
from t2r_env.core.bits import bitset_of
from t2r_env.core.layout import Part
from t2r_env.rules.cards import CARD_TYPES, EMPTY, FACE_UP_SLOTS, LOCOMOTIVE
from t2r_env.rules.map_game import records
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.names import NO_ACTION, PARTS, blocks
from t2r_env.rules.state import NO_TICKET
from t2r_env.variants.variant import EFFECTS, MapVariant, Route, Ticket


def lay_out_blocks(configuration: MapConfiguration) -> list[Part]:
    """Return the blocks of actions that the game has."""
    variant, tickets = configuration.variant, configuration.num_tickets
    listed: list[Part] = [
        (blocks.DRAW_FACE_UP, (FACE_UP_SLOTS,), "take the face-up train card in a slot (C8)"),
        (blocks.DRAW_DECK, (1,), "draw a train card from the deck (C8)"),
        (blocks.DRAW_TICKETS, (1,), "draw tickets (C12, CG8)"),
        (blocks.CLAIM, (len(variant.routes),), "claim a route; the payment is the next decision (C9)"),
        (blocks.PASS, (1,), "pass; legal only if nothing else is (C13, CG5)"),
        (
            blocks.PAY,
            (CARD_TYPES, configuration.largest_payment),
            "pay with cards of this colour and this many locomotives (C9)",
        ),
        (blocks.KEEP_TICKET, (1,), "keep the ticket offered (C5, C12, CG2, CG8)"),
        (blocks.REFUSE_TICKET, (1,), "refuse the ticket offered (C5, C12, CG2, CG8)"),
    ]
    if configuration.has_racks:
        most = configuration.most_from_rack + 1
        split = "take this many coloured cards of the payment and this many locomotives from the rack (TA6)"
        listed += [
            (blocks.PLACE, (2,), "put the first card drawn into the hand, or on the rack (TA5)"),
            (blocks.FROM_RACK, (most, most), split),
        ]
    if configuration.has_tunnels:
        most = max(route.tunnel for route in variant.routes)
        listed += [
            (blocks.PAY_MORE, (most + 1,), "pay what the tunnel demands, with this many locomotives (TA10)"),
            (blocks.WITHDRAW, (1,), "withdraw from the tunnel (TA10)"),
        ]
    if configuration.has_racks:
        listed += [
            (blocks.SHARE_TICKET, (tickets,), "put a ticket on the team's rack (TA4, TA7, TA8)"),
            (blocks.STOP, (1,), "share no second ticket (TA8)"),
        ]
    if configuration.has_effect("water_tenders"):
        listed.append((blocks.DRAW_THREE, (1,), "draw three train cards from the deck (UK12)"))
    if configuration.technologies:
        buy = "buy a technology; the payment is the next decision (UK8)"
        listed.append((blocks.BUY, (len(configuration.technologies),), buy))
    if configuration.has_exchanges:
        spend = "lay out a card of this colour towards an exchange for a locomotive (UK5)"
        number = LOCOMOTIVE
        if configuration.exchanges_locomotives:
            spend = "lay out a card of this colour towards an exchange (NO6, NO8)"
            number = CARD_TYPES
        listed.append((blocks.SPEND, (number,), spend))
    if configuration.has_effect("thermocompressor"):
        listed.append((blocks.STOP, (1,), "claim no second route (UK12)"))
    if variant.companies:
        number = len(variant.companies)
        take = "take the top share of a company; the last action takes none (PA4)"
        listed.append((blocks.TAKE_SHARE, (number + 1,), take))
        if configuration.has_neutral_shareholder:
            neutral = "choose a company's top share for the neutral player (PA8)"
            listed.append((blocks.NEUTRAL_SHARE, (number,), neutral))
    if variant.stations:
        build = "build a station in a city; the payment is the next decision (EU6)"
        listed.append((blocks.BUILD, (len(variant.cities),), build))
    return listed


def write_rules(record: Any, configuration: MapConfiguration) -> None:
    """Fill the fields of map games in a Rules record."""
    variant, deck = configuration.variant, configuration.deck
    record.reshuffles = True
    record.face_up_sweep = variant.face_up_sweep
    record.free_locomotives = variant.free_locomotives
    record.trains = variant.trains
    record.last_round_trains = variant.last_round_trains
    record.needs_longest_path = "longest_path" in (*variant.tie_breaks, *deck.bonuses)
    for name, points in deck.bonuses.items():
        record.bonus[PARTS.index(name)] = points
    record.num_cities = len(variant.cities)
    record.num_routes = len(variant.routes)
    record.points[: len(variant.points)] = variant.points
    record.pay_width = configuration.largest_payment
    record.lays_out = configuration.lays_out
    _write_routes(record, configuration)
    for number, ticket in enumerate(deck.tickets):
        record.ticket_a[number] = _cities_meeting(variant, ticket.a)
        _write_destinations(record, variant, number, ticket)
    record.num_racks = configuration.num_teams if configuration.has_racks else 0
    record.rack_width = configuration.most_from_rack + 1
    record.has_tunnels = configuration.has_tunnels
    record.most_tours = max(0, len(variant.grand_tour) - 1)
    record.grand_tour[: len(variant.grand_tour)] = variant.grand_tour
    record.has_attractions = "attractions" in deck.bonuses
    record.attractions = np.uint64(sum(1 << index for index, city in enumerate(variant.cities) if city.attraction))
    if variant.stations:
        record.num_stations = len(variant.stations.prices)
        record.station_price[: record.num_stations] = variant.stations.prices
        record.station_points = variant.stations.points
    _write_mountains(record, configuration)
    _write_locomotives_and_exchanges(record, configuration)
    _write_technologies(record, configuration)
    _write_companies(record, configuration)


def _write_routes(record: Any, configuration: MapConfiguration) -> None:
    variant = configuration.variant
    index_of = {city.id: index for index, city in enumerate(variant.cities)}
    parallel: dict[object, list[int]] = {}
    for number, route in enumerate(variant.routes):
        parallel.setdefault(_shared_by_parallel(route), []).append(number)
    for number, route in enumerate(variant.routes):
        colour = records.ROUTE_COLOURS.index(route.colour)
        record.route_a[number] = index_of[route.a]
        record.route_b[number] = index_of[route.b]
        record.route_length[number] = route.length
        record.route_trains[number] = route.length
        record.route_colour[number] = colour
        record.route_ferry[number] = route.ferry
        record.route_tunnel[number] = route.tunnel
        routes = parallel[_shared_by_parallel(route)]
        record.parallel[number] = bitset_of(routes, records.ROUTE_WORDS)
        record.capacity[number] = _capacity(configuration, route, len(routes))
        this = bitset_of([number], records.ROUTE_WORDS)
        record.touching[index_of[route.a]] |= this
        record.touching[index_of[route.b]] |= this
        record.up_to_length[colour, route.length :] |= this
        record.up_to_trains[route.length :] |= this
        record.up_to_symbols[route.ferry :] |= this
        record.with_symbols[route.ferry] |= this
    record.max_symbols = max(route.ferry for route in variant.routes)


def _write_mountains(record: Any, configuration: MapConfiguration) -> None:
    record.mountain_points = configuration.variant.mountain_points
    for number, route in enumerate(configuration.variant.routes):
        if route.mountain:
            this = np.array(bitset_of([number], records.ROUTE_WORDS))
            record.has_mountains = True
            record.mountains |= this
            record.route_trains[number] += route.mountain
            record.up_to_trains[route.length : route.length + route.mountain] &= ~this


def _write_locomotives_and_exchanges(record: Any, configuration: MapConfiguration) -> None:
    variant = configuration.variant
    taking = [number for number, route in enumerate(variant.routes) if variant.takes_locomotives(route)]
    record.limits_locomotives = len(taking) < len(variant.routes)
    record.takes_locomotives = bitset_of(taking, records.ROUTE_WORDS)
    record.exchange = variant.exchange
    by_kind: dict[tuple[int, bool], list[int]] = {}
    for number, route in enumerate(variant.routes):
        record.route_exchange[number] = route.exchange
        if route.exchange:
            by_kind.setdefault((route.exchange, variant.takes_locomotives(route)), []).append(number)
    record.has_plain_routes = any(not route.exchange for route in variant.routes)
    record.num_exchanges = len(by_kind)
    for kind, ((cards, is_for_locomotive), routes) in enumerate(sorted(by_kind.items())):
        record.exchange_cards[kind] = cards
        record.exchange_takes_locomotives[kind] = is_for_locomotive
        record.exchange_routes[kind] = bitset_of(routes, records.ROUTE_WORDS)


def _write_technologies(record: Any, configuration: MapConfiguration) -> None:
    variant = configuration.variant
    record.num_technologies = len(configuration.technologies)
    record.technology_with[:] = records.NO_TECHNOLOGY
    for number, technology in enumerate(configuration.technologies):
        record.technology_price[number] = technology.price
        record.technology_copies[number] = technology.copies
        if technology.effect:
            record.technology_with[EFFECTS.index(technology.effect)] = number
        routes = enumerate(variant.routes)
        opened = [it for it, route in routes if technology.opens(route, variant.regions_of(route))]
        record.takes_technology[number] = bitset_of(opened, records.ROUTE_WORDS)
    longer = [it for it, route in enumerate(variant.routes) if route.length > max(1, route.ferry)]
    record.reducible = bitset_of(longer, records.ROUTE_WORDS)
    if configuration.has_effect("equalising_beam"):
        record.needs_longest_path = True


def _write_companies(record: Any, configuration: MapConfiguration) -> None:
    variant = configuration.variant
    record.num_companies = len(variant.companies)
    record.neutral_shareholder = configuration.has_neutral_shareholder
    shares_of: dict[str, np.uint64] = {}
    first = 0
    for number, company in enumerate(variant.companies):
        shares_of[company.id] = np.uint64(((1 << company.shares) - 1) << first)
        record.company_shares[number] = shares_of[company.id]
        record.company_points[number, : len(company.points)] = company.points
        first += company.shares
    record.num_shares = first
    for number, route in enumerate(variant.routes):
        for company_id in route.companies:
            record.route_shares[number] |= shares_of[company_id]


def _shared_by_parallel(route: Route) -> object:
    """Return a key that parallel routes have in common (UK4)."""
    return route if route.separate else (route.a, route.b)


def _capacity(configuration: MapConfiguration, route: Route, number: int) -> int:
    """Return how many of this many parallel routes may be claimed; 0 if they never close (C11, TA9)."""
    variant = configuration.variant
    if configuration.num_players > variant.double_routes_closed_up_to or route.stays_open:
        return 0
    return variant.triple_route_claims if number == MAX_PARALLEL_ROUTES else 1


def _write_destinations(record: Any, variant: MapVariant, number: int, ticket: Ticket) -> None:
    """Write the other end of a ticket; one to several countries is met by the cities of any of them (SW8)."""
    if ticket.others:
        record.num_destinations[number] = len(ticket.destinations)
    for index, (end, points) in enumerate(sorted(ticket.destinations, key=lambda it: -it[1])):
        record.ticket_b[number] |= _cities_meeting(variant, end)
        record.destination[number, index] = _cities_meeting(variant, end)
        record.destination_points[number, index] = points


def _cities_meeting(variant: MapVariant, end: str) -> np.uint64:
    """Return the cities that meet one end of a ticket: the city itself, or any of the group (C16)."""
    meeting = [index for index, city in enumerate(variant.cities) if end in (city.id, city.region)]
    return np.uint64(sum(1 << index for index in meeting))


def write_opening(state: Any, rules: Any) -> None:
    """Fill the fields of map games that are not zero, in a State before the deal."""
    seats = slice(rules.num_seats)
    state.open[seats] = bitset_of(range(rules.num_routes), records.ROUTE_WORDS)
    state.component[:] = range(MAX_CITIES)
    state.trains[seats] = rules.trains
    state.route = records.NO_ROUTE
    state.payment = state.extra = NO_ACTION
    state.unplaced = EMPTY
    state.placed = records.NOWHERE
    state.sharing[:] = NO_TICKET
    state.technology = state.bought = records.NO_TECHNOLOGY
    state.technologies_left = rules.technology_copies
    state.shares_left = np.bitwise_or.reduce(rules.company_shares)
    state.company = records.NO_COMPANY
    state.stations[:] = state.city = records.NO_CITY
    state.station_routes[:] = records.NO_ROUTE
