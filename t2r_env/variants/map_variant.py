"""The folder of a map game: what all of them have besides what every game has."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from t2r_env.sizes import (
    MAX_BONUS_POINTS,
    MAX_LENGTH,
    MAX_OFFER,
    MAX_PARALLEL_ROUTES,
    MAX_ROUTE_POINTS,
    MAX_ROUTES,
    MAX_SEATS,
    MAX_TICKET_POINTS,
    MAX_TICKETS,
    MAX_TRAINS,
)
from t2r_env.variants.declared import Entries, names_of, with_columns, with_entries
from t2r_env.variants.every_game import (
    CITY_COLUMNS,
    TICKET_COLUMNS,
    TICKET_DECK_KEYS,
    VARIANT_KEYS,
    allow_at_most,
    read_cities,
    read_default_ticket_deck,
    read_offered,
    read_ticket_deck,
    read_ticket_rows,
    read_variant,
)
from t2r_env.variants.reading import Folder, Names, Row, Table, listed
from t2r_env.variants.variant import (
    BONUSES,
    GRAY,
    LEAVE,
    TIE_BREAKS,
    City,
    MapVariant,
    Route,
    Ticket,
    TicketDeck,
    map_tie_breaks,
)

MAP_KEYS = Names(
    required=("aspect", "trains", "double_routes_closed_up_to", "points"),
    defaults={
        "team_size": 1,  # TA1
        "face_up_sweep": True,  # C4
        "last_round_trains": 2,  # C15
        "triple_route_claims": 1,  # C11
    },
)
MAP_TICKET_DECK_KEYS = Names(required=("bonuses",), defaults={"long": None})
LONG_KEYS = Names(required=("rows", "offered"))
MAP_CITY_COLUMNS = Names(defaults={"region": ""})
ROUTE_COLUMNS = Names(
    required=("a", "b", "track", "length", "colour"),
    defaults={"stays_open": "", "separate": "", "confidence": ""},
)


def read_map_variant(folder: Folder, table: Table, entries: Entries) -> MapVariant:
    """The variant of a map game, with the entries that its rules declare."""
    table = table.with_keys(VARIANT_KEYS | MAP_KEYS | names_of(entries.keys))
    shared = read_variant(table, [TIE_BREAKS[it] for it in map_tie_breaks])
    team_size = _read_team_size(table, shared["min_players"], shared["max_players"])
    trains = table.integer("trains", 1, MAX_TRAINS // team_size)
    points = _read_points(table)
    city_rows = folder.rows("cities.csv", CITY_COLUMNS | MAP_CITY_COLUMNS | names_of(entries.city_columns))
    cities = _read_cities(city_rows)
    ticket_decks = _read_ticket_decks(folder, table, cities, shared["max_players"])
    route_rows = folder.rows("routes.csv", ROUTE_COLUMNS | names_of(entries.route_columns))
    variant = MapVariant(
        **shared,
        aspect=table.number("aspect", 0.1, 10),
        team_size=team_size,
        trains=trains,
        face_up_sweep=table.flag("face_up_sweep"),
        last_round_trains=table.integer("last_round_trains", 0, MAX_TRAINS),
        double_routes_closed_up_to=table.integer("double_routes_closed_up_to", 0, MAX_SEATS),
        triple_route_claims=table.integer("triple_route_claims", 1, MAX_PARALLEL_ROUTES),
        points=tuple(points.get(length, 0) for length in range(max(points) + 1)),
        ticket_decks=ticket_decks,
        default_ticket_deck=read_default_ticket_deck(table, ticket_decks),
        cities=cities,
        routes=_read_routes(route_rows, cities, shared["colours"], points, trains),
        digest="",
    )
    variant = with_entries(variant, folder, table, city_rows, entries)
    routes = with_columns(variant.routes, route_rows, entries.route_columns, variant)
    variant = replace(variant, routes=tuple(routes), digest=folder.digest())
    for check in entries.checks:
        check(table, route_rows, variant)
    return variant


def _read_team_size(variant: Table, min_players: int, max_players: int) -> int:
    """The players of a team (TA1): the numbers of players are those of complete teams, two at least."""
    team_size = variant.integer("team_size", 1, 2)
    if min_players % team_size or max_players % team_size or min_players < 2 * team_size:
        raise variant.wrong("team_size", f"such that {min_players} and {max_players} players make two teams or more")
    return team_size


def _read_points(variant: Table) -> dict[int, int]:
    """The points for a route, by its length (C10)."""
    lengths = [str(length) for length in range(1, MAX_LENGTH + 1)]
    points = variant.integers("points", lengths, 0, MAX_ROUTE_POINTS)
    if not points:
        raise variant.wrong("points", "a table with an entry for each length of a route")
    return {int(length): value for length, value in points.items()}


def _read_cities(rows: Sequence[Row]) -> tuple[City, ...]:
    cities = tuple(
        replace(city, region=row.identifier("region") if row.values["region"] else "")
        for row, city in zip(rows, read_cities(rows), strict=True)
    )
    ids = [city.id for city in cities]
    for row, city in zip(rows, cities, strict=True):
        if city.region in ids and city.region != city.id:  # a ticket could mean either
            raise row.wrong("region", "a name that is no other city's id")
    return cities


def _read_routes(
    rows: Sequence[Row], cities: Sequence[City], colours: Collection[str], points: Collection[int], trains: int
) -> tuple[Route, ...]:
    allow_at_most(MAX_ROUTES, rows, "routes")
    city_ids = [city.id for city in cities]
    routes = tuple(_read_route(row, city_ids, colours, points, trains) for row in rows)
    _check_numbering(rows, routes)
    return routes


def _read_route(
    row: Row, cities: Collection[str], colours: Collection[str], points: Collection[int], trains: int
) -> Route:
    route = Route(
        a=row.choice("a", cities, "the id of a city in cities.csv"),
        b=row.choice("b", cities, "the id of a city in cities.csv"),
        track=row.integer("track", 0, MAX_PARALLEL_ROUTES - 1),
        length=row.integer("length", 1, MAX_LENGTH),
        colour=row.choice(
            "colour",
            (*colours, GRAY),
            f"gray or a colour with train cards in variant.toml ({listed(colours)})",
        ),
        stays_open=row.mark("stays_open"),
        separate=row.mark("separate"),
    )
    if route.a == route.b:
        raise row.wrong("b", "another city than a")
    if route.length not in points:
        raise row.wrong("length", f"a length with points in variant.toml ({listed(points)})")
    if route.length > trains:
        raise row.wrong("length", f"at most {trains}, the trains of a player in variant.toml")
    return route


def _check_numbering(rows: Sequence[Row], routes: Sequence[Route]) -> None:
    """A connection's routes are numbered 0, 1, 2 and name its two cities in one order."""
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
    """The ticket decks that variant.toml names, each made of the rows of tickets.csv that it asks for."""
    tables = variant.tables("ticket_decks", TICKET_DECK_KEYS | MAP_TICKET_DECK_KEYS)
    long = {name: table.table("long", LONG_KEYS) for name, table in tables.items() if table.values["long"] is not None}
    rows = read_ticket_rows(folder, TICKET_COLUMNS, (*tables.values(), *long.values()))
    places = _places(cities)
    tickets = {deck: tuple(_read_ticket(row, places) for row in rows[deck]) for deck in rows}
    return {
        name: _read_ticket_deck(name, table, long.get(name), tickets, max_players) for name, table in tables.items()
    }


def _places(cities: Sequence[City]) -> dict[str, set[str]]:
    """Where a ticket may end: a city, or a group, which is any city of the region of that name (C16)."""
    places: dict[str, set[str]] = {city.id: {city.id} for city in cities}
    for city in cities:
        if city.region:
            places.setdefault(city.region, set()).add(city.id)
    return places


def _read_ticket(row: Row, places: Mapping[str, set[str]]) -> Ticket:
    ticket = Ticket(
        a=row.choice("a", places, "the id of a city or a region of cities.csv"),
        b=row.choice("b", places, "the id of a city or a region of cities.csv"),
        points=row.integer("points", 1, MAX_TICKET_POINTS),
    )
    if places[ticket.a] & places[ticket.b]:
        raise row.wrong("b", "a place apart from a")
    return ticket


def _read_ticket_deck(
    name: str, table: Table, long: Table | None, tickets: Mapping[str, tuple[Ticket, ...]], max_players: int
) -> TicketDeck:
    regular = tickets[table.values["rows"]]
    long_tickets = tickets[long.values["rows"]] if long else ()
    if long and long.values["rows"] == table.values["rows"]:
        raise long.wrong("rows", "others than those of the deck itself")
    if (number := len(regular) + len(long_tickets)) > MAX_TICKETS:
        raise table.error(f"{table.prefix}long.rows must bring the tickets to {MAX_TICKETS} at most, not {number}")
    long_offered = read_offered(long, MAX_OFFER - 1, long_tickets, max_players) if long else 0
    deck = read_ticket_deck(name, table, regular, max_players, long_offered)
    if long and deck.starting_refused != LEAVE:
        raise table.wrong("starting_refused", f"{LEAVE} with long tickets, as no rule has them in the ticket deck")
    return replace(
        deck,
        bonuses=table.integers("bonuses", BONUSES, 1, MAX_BONUS_POINTS),
        long=long_tickets,
        long_offered=long_offered,
    )
