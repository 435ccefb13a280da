"""The folder of a map game: the parts that map games have in addition to those of every game."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from t2r_env.basics import sizes
from t2r_env.variants import every_game
from t2r_env.variants.land import read_land
from t2r_env.variants.reading import Folder, Names, Row, Table, listed
from t2r_env.variants.variant import (
    BONUSES,
    EFFECTS,
    GRAY,
    LEAVE,
    LOCOMOTIVE_ROUTES,
    MAP_TIE_BREAKS,
    City,
    Company,
    MapVariant,
    Route,
    Stations,
    Technology,
    Ticket,
    TicketDeck,
)

MAP_KEYS = Names(
    required=("aspect", "trains", "double_routes_closed_up_to", "points"),
    defaults={
        "team_size": 1,  # TA1
        "face_up_sweep": True,  # C4
        "last_round_trains": 2,  # C15
        "triple_route_claims": 1,  # C11
        "mountain_points": 2,  # LA5
        "free_locomotives": False,  # NO4
        "locomotives_pay_for": ["routes"],  # NO5
        "exchange": 0,  # UK5
        "neutral_shareholder_up_to": 0,  # PA8
        "grand_tour": {},  # IN6
        "stations": {},  # EU6
    },
)
MAP_TICKET_DECK_KEYS = Names(required=("bonuses",), defaults={"long": None})
LONG_KEYS = Names(required=("rows", "offered"))
MAP_CITY_COLUMNS = Names(defaults={"region": "", "attraction": ""})
ROUTE_COLUMNS = Names(
    required=("a", "b", "track", "length", "colour"),
    defaults={
        "stays_open": "",
        "separate": "",
        "ferry": "0",
        "mountain": "0",
        "tunnel": "0",
        "companies": "",
        "no_technology": "",
        "exchange": "",
        "confidence": "",
    },
)
COMPANY_COLUMNS = Names(required=("id", "name", "shares", "points"))
TECHNOLOGY_COLUMNS = Names(
    required=("id", "name", "price", "copies"),
    defaults={"advanced": "", "regions": "", "lengths": "", "ferries": "", "effect": ""},
)


def read_map_variant(folder: Folder, table: Table) -> MapVariant:
    """Return the variant of a map game."""
    table = table.with_keys(every_game.VARIANT_KEYS | MAP_KEYS)
    shared = every_game.read_variant(table, MAP_TIE_BREAKS)
    team_size = _read_team_size(table, shared["min_players"], shared["max_players"])
    trains = table.integer("trains", 1, sizes.MAX_TRAINS // team_size)
    points = _read_points(table)
    city_rows = folder.rows("cities.csv", every_game.CITY_COLUMNS | MAP_CITY_COLUMNS)
    cities = _read_cities(city_rows)
    ticket_decks = _read_ticket_decks(folder, table, cities, shared["max_players"])
    companies = _read_companies(folder)
    technologies = _read_technologies(folder, cities)
    route_rows = folder.rows("routes.csv", ROUTE_COLUMNS)
    every_game.allow_at_most(sizes.MAX_ROUTES, route_rows, "routes")
    exchange = table.integer("exchange", 0, sizes.MAX_EXCHANGE)
    routes = tuple(_read_route(row, cities, shared, points, trains, companies, exchange) for row in route_rows)
    _check_numbering(route_rows, routes)
    variant = MapVariant(
        **shared,
        aspect=table.number("aspect", 0.1, 10),
        team_size=team_size,
        trains=trains,
        face_up_sweep=table.flag("face_up_sweep"),
        free_locomotives=table.flag("free_locomotives"),
        locomotives_pay_for=table.choices("locomotives_pay_for", LOCOMOTIVE_ROUTES),
        last_round_trains=table.integer("last_round_trains", 0, sizes.MAX_TRAINS),
        double_routes_closed_up_to=table.integer("double_routes_closed_up_to", 0, sizes.MAX_SEATS),
        triple_route_claims=table.integer("triple_route_claims", 1, sizes.MAX_PARALLEL_ROUTES),
        points=tuple(points.get(length, 0) for length in range(max(points) + 1)),
        grand_tour=_read_grand_tour(table),
        ticket_decks=ticket_decks,
        default_ticket_deck=table.choice("default_ticket_deck", ticket_decks, f"one of {listed(ticket_decks)}"),
        cities=cities,
        routes=routes,
        mountain_points=table.integer("mountain_points", 0, sizes.MAX_MOUNTAIN_POINTS),
        exchange=exchange,
        companies=companies,
        neutral_shareholder_up_to=table.integer("neutral_shareholder_up_to", 0, sizes.MAX_SEATS),
        all_technologies=technologies,
        stations=_read_stations(table),
        switches=("advanced_technologies",) if any(it.advanced for it in technologies) else (),
        digest=folder.digest(),
        land=read_land(folder),
    )
    _check_rules_together(table, route_rows, variant)
    return variant


def _read_team_size(variant: Table, min_players: int, max_players: int) -> int:
    """Return the number of players of a team (TA1): all teams are complete, and there are two at least."""
    team_size = variant.integer("team_size", 1, 2)
    if min_players % team_size or max_players % team_size or min_players < 2 * team_size:
        raise variant.wrong("team_size", f"such that {min_players} and {max_players} players make two teams or more")
    return team_size


def _read_points(variant: Table) -> dict[int, int]:
    """Return the points for a route, by its length (C10)."""
    lengths = [str(length) for length in range(1, sizes.MAX_LENGTH + 1)]
    points = variant.integers("points", lengths, 0, sizes.MAX_ROUTE_POINTS)
    if not points:
        raise variant.wrong("points", "a table with an entry for each length of a route")
    return {int(length): value for length, value in points.items()}


def _read_grand_tour(variant: Table) -> tuple[int, ...]:
    """Return the points for each number of tickets joined by two paths, from 0; empty if the key is left out (IN6)."""
    if variant.values["grand_tour"] == {}:
        return ()
    return (0, *_read_numbered(variant, "grand_tour", sizes.MAX_TOURS, 0, sizes.MAX_BONUS_POINTS, "one ticket, two"))


def _read_numbered(table: Table, key: str, number: int, least: int, most: int, described: str) -> tuple[int, ...]:
    """Return the values of a table whose keys are 1, 2 and so on, up to a number at most."""
    values = table.integers(key, map(str, range(1, number + 1)), least, most)
    if list(values) != [str(number) for number in range(1, len(values) + 1)] or not values:
        raise table.wrong(key, f"a table with an entry for {described} and so on")
    return tuple(values.values())


def _read_cities(rows: Sequence[Row]) -> tuple[City, ...]:
    """Return the cities, with what only map games say of them."""
    cities, ids = list[City](), [row.values["id"] for row in rows]
    for row, city in zip(rows, every_game.read_cities(rows), strict=True):
        region = row.identifier("region") if row.values["region"] else ""
        if region in ids and region != city.id:  # a ticket could mean either
            raise row.wrong("region", "a name that is no other city's id")
        cities.append(replace(city, region=region, attraction=row.mark("attraction")))
    return tuple(cities)


def _read_route(
    row: Row,
    cities: Sequence[City],
    shared: Mapping[str, Any],
    points: Collection[int],
    trains: int,
    companies: Sequence[Company],
    exchange: int,
) -> Route:
    ids, colours = [city.id for city in cities], shared["colours"]
    described = f"gray or a colour with train cards in variant.toml ({listed(colours)})"
    a, b = (row.choice(key, ids, "the id of a city in cities.csv") for key in ("a", "b"))
    if a == b:
        raise row.wrong("b", "another city than a")
    length = row.integer("length", 1, sizes.MAX_LENGTH)
    if length not in points:
        raise row.wrong("length", f"a length with points in variant.toml ({listed(points)})")
    if length > trains:
        raise row.wrong("length", f"at most {trains}, the trains of a player in variant.toml")
    mountain = row.integer("mountain", 0, sizes.MAX_LENGTH - length)
    if mountain > trains - length:
        raise row.wrong("mountain", f"at most {trains - length}, the trains that a player has left")
    return Route(
        a=a,
        b=b,
        track=row.integer("track", 0, sizes.MAX_PARALLEL_ROUTES - 1),
        length=length,
        colour=row.choice("colour", (*colours, GRAY), described),
        stays_open=row.mark("stays_open"),
        separate=row.mark("separate"),
        ferry=row.integer("ferry", 0, min(length, shared["locomotives"])),
        mountain=mountain,
        tunnel=row.integer("tunnel", 0, sizes.MAX_TUNNEL),
        companies=_read_companies_of_route(row, companies),
        no_technology=row.mark("no_technology"),
        exchange=row.integer("exchange", 0, sizes.MAX_EXCHANGE) if row.values["exchange"] else exchange,
    )


def _read_companies_of_route(row: Row, companies: Sequence[Company]) -> tuple[str, ...]:
    """Return the ids of the companies shown on a route."""
    known = [company.id for company in companies]
    described = f"ids of companies.csv with semicolons between ({listed(known)})"
    ids = tuple(
        cell.choice("companies", known, described if known else "empty without a file companies.csv")
        for cell in row.several("companies")
    )
    if len(set(ids)) < len(ids):
        raise row.wrong("companies", "ids that stand only once each")
    return ids


def _read_companies(folder: Folder) -> tuple[Company, ...]:
    """Return the companies of companies.csv, which a folder may lack (PA4)."""
    if not folder.has("companies.csv"):
        return ()
    rows = folder.rows("companies.csv", COMPANY_COLUMNS)
    every_game.allow_at_most(sizes.MAX_COMPANIES, rows, "companies")
    companies = tuple(map(_read_company, rows))
    every_game.check_differ(rows, "id", "an id that no other company has")
    if (shares := sum(company.shares for company in companies)) > sizes.MAX_SHARES:
        raise rows[-1].error(f"the shares of all companies must be at most {sizes.MAX_SHARES}, not {shares}")
    return companies


def _read_company(row: Row) -> Company:
    places = row.several("points")
    if not 1 <= len(places) <= sizes.MAX_HOLDERS:
        raise row.wrong("points", f"the points of 1 to {sizes.MAX_HOLDERS} places with semicolons between them")
    return Company(
        id=row.identifier("id"),
        name=row.text("name"),
        shares=row.integer("shares", 1, sizes.MAX_SHARES),
        points=tuple(place.integer("points", 0, sizes.MAX_SHARE_POINTS) for place in places),
    )


def _read_technologies(folder: Folder, cities: Sequence[City]) -> tuple[Technology, ...]:
    """Return the technologies of technologies.csv, which a folder may lack (UK8)."""
    if not folder.has("technologies.csv"):
        return ()
    rows = folder.rows("technologies.csv", TECHNOLOGY_COLUMNS)
    every_game.allow_at_most(sizes.MAX_TECHNOLOGIES, rows, "technologies")
    regions = {city.region for city in cities} - {""}
    technologies = tuple(_read_technology(row, regions) for row in rows)
    every_game.check_differ(rows, "id", "an id that no other technology has")
    every_game.check_differ(rows, "effect", "an effect that no other technology has")
    return technologies


def _read_technology(row: Row, regions: Collection[str]) -> Technology:
    described = f"regions of cities.csv with semicolons between ({listed(sorted(regions))})"
    return Technology(
        id=row.identifier("id"),
        name=row.text("name"),
        price=row.integer("price", 1, sizes.MAX_TECHNOLOGY_PRICE),
        copies=row.integer("copies", 1, sizes.MAX_SEATS),
        advanced=row.mark("advanced"),
        regions=tuple(it.choice("regions", regions, described) for it in row.several("regions")),
        lengths=tuple(it.integer("lengths", 1, sizes.MAX_LENGTH) for it in row.several("lengths")),
        ferries=row.mark("ferries"),
        effect=row.choice("effect", ("", *EFFECTS), f"nothing or one of {listed(EFFECTS)}"),
    )


def _read_stations(table: Table) -> Stations | None:
    """Return the stations of each player; None if the key is left out (EU6)."""
    if table.values["stations"] == {}:
        return None
    stations = table.table("stations", Names(required=("prices", "points")))
    described = "the first station, the second"
    prices = _read_numbered(stations, "prices", sizes.MAX_STATIONS, 1, sizes.MAX_STATION_PRICE, described)
    return Stations(prices, stations.integer("points", 0, sizes.MAX_STATION_POINTS))


def _check_rules_together(table: Table, route_rows: Sequence[Row], variant: MapVariant) -> None:
    """Refuse what no published game has together, as no rule says what it would mean."""
    if variant.team_size > 1:
        for name, deck in variant.ticket_decks.items():
            if not (deck.starting.keep and deck.later.keep):
                raise table.error(f"ticket_decks.{name} must have 1 ticket or more to keep, of which teams share one")
        if variant.companies or any(deck.long for deck in variant.ticket_decks.values()):
            raise table.wrong("team_size", "1 in a game with companies or long tickets")
    if variant.neutral_shareholder_up_to and not variant.companies:
        raise table.wrong("neutral_shareholder_up_to", "0 without a file companies.csv")
    _check_locomotives_and_exchanges(table, route_rows, variant)
    least = 2 if any(technology.effect == "booster" for technology in variant.all_technologies) else 1
    if variant.all_technologies and variant.exchange < least:
        raise table.wrong("exchange", f"{least} to {sizes.MAX_EXCHANGE} with the technologies of technologies.csv")
    for company in variant.companies:
        if not any(company.id in route.companies for route in variant.routes):
            raise route_rows[-1].error(f"companies must name {company.id!r} of companies.csv in one row at least")
    if variant.stations and (variant.team_size > 1 or any(route.exchange for route in variant.routes)):
        raise table.error("stations must be left out where there are teams or exchanges")
    if variant.stations and any(ticket.others for deck in variant.ticket_decks.values() for ticket in deck.tickets):
        raise table.error("stations must be left out where tickets lead to several countries")


def _check_locomotives_and_exchanges(table: Table, route_rows: Sequence[Row], variant: MapVariant) -> None:
    """Check what locomotives can be paid for, and what cards can be exchanged for (UK5, NO5-NO8)."""
    if variant.all_technologies and variant.locomotives_pay_for != ("routes",):
        raise table.wrong("locomotives_pay_for", '["routes"] with the technologies of technologies.csv')
    if variant.exchange and variant.team_size > 1:
        raise table.wrong("exchange", "0 in a game of teams")
    kinds = set[tuple[int, bool]]()
    for row, route in zip(route_rows, variant.routes, strict=True):
        takes_locomotives = variant.takes_locomotives(route)
        if route.ferry and not takes_locomotives:
            raise row.wrong("ferry", "0 where locomotives_pay_for of variant.toml lets no locomotives be paid")
        if route.exchange:
            kinds.add((route.exchange, takes_locomotives))
            if route.tunnel:
                raise row.error(f"exchange must be 0 on a route with a tunnel, not {route.exchange}")
            if variant.team_size > 1:
                raise row.error(f"exchange must be 0 in a game of teams, not {route.exchange}")
        if variant.all_technologies and route.exchange != variant.exchange:
            raise row.wrong("exchange", f"{variant.exchange} as in variant.toml, or empty, in a game with technologies")
        if len(kinds) > sizes.MAX_EXCHANGES:
            raise row.wrong("exchange", f"one of at most {sizes.MAX_EXCHANGES} on a map")


def _check_numbering(rows: Sequence[Row], routes: Sequence[Route]) -> None:
    """Check that a connection's routes are numbered 0, 1, 2 and name its two cities in one order."""
    number: Counter[tuple[str, str]] = Counter()
    for row, route in zip(rows, routes, strict=True):
        if (route.b, route.a) in number:
            raise row.error(
                f"a and b must be {route.b!r} and {route.a!r}, as in the first row of these parallel routes,"
                f" not {route.a!r} and {route.b!r}"
            )
        if route.track != number[route.a, route.b]:
            raise row.wrong(
                "track",
                f"{number[route.a, route.b]}, as the rows of parallel routes are numbered 0, 1, 2 in their order",
            )
        number[route.a, route.b] += 1


def _read_ticket_decks(
    folder: Folder, variant: Table, cities: Sequence[City], max_players: int
) -> dict[str, TicketDeck]:
    """Return the ticket decks that variant.toml names, each made of the rows of tickets.csv that it asks for."""
    tables = variant.tables("ticket_decks", every_game.TICKET_DECK_KEYS | MAP_TICKET_DECK_KEYS)
    long = {name: table.table("long", LONG_KEYS) for name, table in tables.items() if table.values["long"] is not None}
    rows = every_game.read_ticket_rows(folder, every_game.TICKET_COLUMNS, (*tables.values(), *long.values()))
    places = _places(cities)
    tickets = {deck: tuple(_read_ticket(row, places) for row in rows[deck]) for deck in rows}
    return {
        name: _read_ticket_deck(name, table, long.get(name), tickets, max_players) for name, table in tables.items()
    }


def _places(cities: Sequence[City]) -> dict[str, set[str]]:
    """Return the possible ends of tickets: cities and groups; a group is any city of the region of that name (C16)."""
    places: dict[str, set[str]] = {city.id: {city.id} for city in cities}
    for city in cities:
        if city.region:
            places.setdefault(city.region, set()).add(city.id)
    return places


def _read_ticket(row: Row, places: Mapping[str, set[str]]) -> Ticket:
    """Return a ticket; one to several countries lists them, and their points, with semicolons between (SW8)."""
    described = "the id of a city or a region of cities.csv"
    a = row.choice("a", places, described)
    ends = [cell.choice("b", places, described) for cell in row.several("b") or [row]]
    points = [cell.integer("points", 1, sizes.MAX_TICKET_POINTS) for cell in row.several("points") or [row]]
    if len(ends) > sizes.MAX_DESTINATIONS:
        raise row.wrong("b", f"at most {sizes.MAX_DESTINATIONS} places")
    if len(points) != len(ends):
        raise row.wrong("points", f"{len(ends)} numbers, as there are places in b")
    met = set(places[a])
    for end in ends:
        if met & places[end]:
            raise row.wrong("b", "a place apart from a" if len(ends) == 1 else "places apart from a and each other")
        met |= places[end]
    (first, first_points), *others = zip(ends, points, strict=True)
    return Ticket(a, first, first_points, others=tuple(others))


def _read_ticket_deck(
    name: str, table: Table, long: Table | None, tickets: Mapping[str, tuple[Ticket, ...]], max_players: int
) -> TicketDeck:
    regular = tickets[table.values["rows"]]
    long_tickets = tickets[long.values["rows"]] if long else ()
    if long and long.values["rows"] == table.values["rows"]:
        raise long.wrong("rows", "others than those of the deck itself")
    if (number := len(regular) + len(long_tickets)) > sizes.MAX_TICKETS:
        raise table.error(
            f"{table.prefix}long.rows must bring the tickets to {sizes.MAX_TICKETS} at most, not {number}"
        )
    long_offered = every_game.read_offered(long, sizes.MAX_OFFER - 1, long_tickets, max_players) if long else 0
    deck = every_game.read_ticket_deck(name, table, regular, max_players, long_offered)
    if long and deck.starting_refused != LEAVE:
        raise table.wrong("starting_refused", f"{LEAVE} with long tickets, as no rule has them in the ticket deck")
    return replace(
        deck,
        bonuses=table.integers("bonuses", BONUSES, 1, sizes.MAX_BONUS_POINTS),
        long=long_tickets,
        long_offered=long_offered,
    )
