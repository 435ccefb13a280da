"""The folder of a map game: which files, keys and columns it has besides those of every game, and what must hold."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from t2r_env.sizes import (
    MAX_BONUS_POINTS,
    MAX_COMPANIES,
    MAX_EXCHANGE,
    MAX_HOLDERS,
    MAX_LENGTH,
    MAX_MOUNTAIN_POINTS,
    MAX_OFFER,
    MAX_PARALLEL_ROUTES,
    MAX_ROUTE_POINTS,
    MAX_ROUTES,
    MAX_SEATS,
    MAX_SHARE_POINTS,
    MAX_SHARES,
    MAX_TECHNOLOGIES,
    MAX_TECHNOLOGY_PRICE,
    MAX_TICKET_POINTS,
    MAX_TICKETS,
    MAX_TRAINS,
    MAX_TUNNEL,
)
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
    EFFECTS,
    GRAY,
    LEAVE,
    TIE_BREAKS,
    City,
    Company,
    MapVariant,
    Route,
    Technology,
    Ticket,
    TicketDeck,
    map_tie_breaks,
)

MAP_KEYS = Names(
    required=("aspect", "trains", "double_routes_closed_up_to", "points"),
    defaults={
        "team_size": 1,  # TA1
        "exchange": 0,  # UK5
        "face_up_sweep": True,  # C4
        "last_round_trains": 2,  # C15
        "triple_route_claims": 1,  # C11
        "neutral_shareholder_up_to": 0,  # PA8
        "mountain_points": 2,  # LA5
    },
)
MAP_TICKET_DECK_KEYS = Names(required=("bonuses",), defaults={"long": None})
LONG_KEYS = Names(required=("rows", "offered"))
MAP_CITY_COLUMNS = Names(defaults={"region": "", "attraction": ""})
ROUTE_COLUMNS = Names(
    required=("a", "b", "track", "length", "colour"),
    defaults={
        "ferry": "0",
        "mountain": "0",
        "companies": "",
        "tunnel": "0",
        "stays_open": "",
        "separate": "",
        "no_technology": "",
        "confidence": "",
    },
)
TECHNOLOGY_COLUMNS = Names(
    required=("id", "name", "price", "copies"),
    defaults={"advanced": "", "regions": "", "lengths": "", "ferries": "", "effect": ""},
)
COMPANY_COLUMNS = Names(required=("id", "name", "shares", "points"))


def read_map_variant(folder: Folder, variant: Table) -> MapVariant:
    """The variant of a map game."""
    variant = variant.with_keys(VARIANT_KEYS | MAP_KEYS)
    shared = read_variant(variant, [TIE_BREAKS[it] for it in map_tie_breaks])
    team_size = _read_team_size(variant, shared["min_players"], shared["max_players"])
    trains = variant.integer("trains", 1, MAX_TRAINS // team_size)
    points = _read_points(variant)
    cities = _read_cities(folder)
    companies = _read_companies(folder)
    neutral_shareholder_up_to = _read_neutral_shareholder(variant, companies)
    ticket_decks = _read_ticket_decks(folder, variant, cities, shared["max_players"])
    technologies = _read_technologies(folder, cities)
    exchange = variant.integer("exchange", 0, MAX_EXCHANGE)
    routes = _read_routes(folder, cities, shared["colours"], shared["locomotives"], points, trains, companies)
    _check_together(variant, team_size, exchange, technologies, companies, ticket_decks, routes)
    return MapVariant(
        **shared,
        aspect=variant.number("aspect", 0.1, 10),
        team_size=team_size,
        trains=trains,
        exchange=exchange,
        face_up_sweep=variant.flag("face_up_sweep"),
        last_round_trains=variant.integer("last_round_trains", 0, MAX_TRAINS),
        double_routes_closed_up_to=variant.integer("double_routes_closed_up_to", 0, MAX_SEATS),
        triple_route_claims=variant.integer("triple_route_claims", 1, MAX_PARALLEL_ROUTES),
        neutral_shareholder_up_to=neutral_shareholder_up_to,
        mountain_points=variant.integer("mountain_points", 0, MAX_MOUNTAIN_POINTS),
        points=tuple(points.get(length, 0) for length in range(max(points) + 1)),
        ticket_decks=ticket_decks,
        default_ticket_deck=read_default_ticket_deck(variant, ticket_decks),
        cities=cities,
        routes=routes,
        companies=companies,
        all_technologies=technologies,
        digest=folder.digest(),
    )


def _read_team_size(variant: Table, min_players: int, max_players: int) -> int:
    """The players of a team (TA1): the numbers of players are those of complete teams, two at least."""
    team_size = variant.integer("team_size", 1, 2)
    if min_players % team_size or max_players % team_size or min_players < 2 * team_size:
        raise variant.wrong("team_size", f"such that {min_players} and {max_players} players make two teams or more")
    return team_size


def _check_together(
    variant: Table,
    team_size: int,
    exchange: int,
    technologies: Collection[Technology],
    companies: Collection[Company],
    ticket_decks: Mapping[str, TicketDeck],
    routes: Collection[Route],
) -> None:
    """No published game has these rules together, and no rule says what they would mean together."""
    least = 2 if any(technology.effect == "booster" for technology in technologies) else 1
    if technologies and exchange < least:
        raise variant.wrong("exchange", f"{least} to {MAX_EXCHANGE} with the technologies of technologies.csv")
    if exchange and any(route.tunnel for route in routes):
        raise variant.wrong("exchange", "0 on a map with tunnels")
    if team_size > 1 and exchange:
        raise variant.wrong("exchange", "0 in a game of teams")
    for name, deck in ticket_decks.items():
        if team_size > 1 and not (deck.starting.keep and deck.later.keep):
            raise variant.error(f"ticket_decks.{name} must have 1 ticket or more to keep, of which teams share one")
    if team_size > 1 and (companies or any(deck.long for deck in ticket_decks.values())):
        raise variant.wrong("team_size", "1 in a game with companies or long tickets")


def _read_points(variant: Table) -> dict[int, int]:
    """The points for a route, by its length (C10)."""
    lengths = [str(length) for length in range(1, MAX_LENGTH + 1)]
    points = variant.integers("points", lengths, 0, MAX_ROUTE_POINTS)
    if not points:
        raise variant.wrong("points", "a table with an entry for each length of a route")
    return {int(length): value for length, value in points.items()}


def _read_cities(folder: Folder) -> tuple[City, ...]:
    rows = folder.rows("cities.csv", CITY_COLUMNS | MAP_CITY_COLUMNS)
    cities = tuple(
        replace(
            city,
            region=row.identifier("region") if row.values["region"] else "",
            attraction=row.mark("attraction"),
        )
        for row, city in zip(rows, read_cities(rows), strict=True)
    )
    ids = [city.id for city in cities]
    for row, city in zip(rows, cities, strict=True):
        if city.region in ids and city.region != city.id:  # a ticket could mean either
            raise row.wrong("region", "a name that is no other city's id")
    return cities


def _read_companies(folder: Folder) -> tuple[Company, ...]:
    """The companies whose shares are taken (PA4), if the folder has their file."""
    if not folder.has("companies.csv"):
        return ()
    rows = folder.rows("companies.csv", COMPANY_COLUMNS)
    allow_at_most(MAX_COMPANIES, rows, "companies")
    companies: dict[str, Company] = {}
    for row in rows:
        places = row.several("points")
        if not 1 <= len(places) <= MAX_HOLDERS:
            raise row.wrong("points", f"the points of 1 to {MAX_HOLDERS} places with semicolons between them")
        company = Company(
            id=row.identifier("id"),
            name=row.text("name"),
            shares=row.integer("shares", 1, MAX_SHARES),
            points=tuple(place.integer("points", 0, MAX_SHARE_POINTS) for place in places),
        )
        if company.id in companies:
            raise row.wrong("id", "an id that no other company has")
        companies[company.id] = company
    if (shares := sum(company.shares for company in companies.values())) > MAX_SHARES:
        raise rows[-1].error(f"the shares of all companies must be at most {MAX_SHARES}, not {shares}")
    return tuple(companies.values())


def _read_technologies(folder: Folder, cities: Sequence[City]) -> tuple[Technology, ...]:
    """The technologies (UK8), if the folder has their file."""
    if not folder.has("technologies.csv"):
        return ()
    rows = folder.rows("technologies.csv", TECHNOLOGY_COLUMNS)
    allow_at_most(MAX_TECHNOLOGIES, rows, "technologies")
    regions = {city.region for city in cities} - {""}
    technologies: dict[str, Technology] = {}
    for row in rows:
        technology = Technology(
            id=row.identifier("id"),
            name=row.text("name"),
            price=row.integer("price", 1, MAX_TECHNOLOGY_PRICE),
            copies=row.integer("copies", 1, MAX_SEATS),
            advanced=row.mark("advanced"),
            regions=tuple(
                it.choice(
                    "regions", regions, f"regions of cities.csv with semicolons between ({listed(sorted(regions))})"
                )
                for it in row.several("regions")
            ),
            lengths=tuple(it.integer("lengths", 1, MAX_LENGTH) for it in row.several("lengths")),
            ferries=row.mark("ferries"),
            effect=row.choice("effect", ("", *EFFECTS), f"nothing or one of {listed(EFFECTS)}"),
        )
        if technology.id in technologies:
            raise row.wrong("id", "an id that no other technology has")
        if technology.effect and any(it.effect == technology.effect for it in technologies.values()):
            raise row.wrong("effect", "an effect that no other technology has")
        technologies[technology.id] = technology
    return tuple(technologies.values())


def _read_neutral_shareholder(variant: Table, companies: Sequence[Company]) -> int:
    """With up to how many players a neutral player holds shares (PA8)."""
    players = variant.integer("neutral_shareholder_up_to", 0, MAX_SEATS)
    if players and not companies:
        raise variant.wrong("neutral_shareholder_up_to", "0 without a file companies.csv")
    return players


def _read_routes(
    folder: Folder,
    cities: Sequence[City],
    colours: Collection[str],
    locomotives: int,
    points: Collection[int],
    trains: int,
    companies: Sequence[Company],
) -> tuple[Route, ...]:
    rows = folder.rows("routes.csv", ROUTE_COLUMNS)
    allow_at_most(MAX_ROUTES, rows, "routes")
    city_ids, company_ids = [city.id for city in cities], [company.id for company in companies]
    routes = tuple(_read_route(row, city_ids, colours, locomotives, points, trains, company_ids) for row in rows)
    _check_numbering(rows, routes)
    for company in company_ids:
        if not any(company in route.companies for route in routes):
            raise rows[-1].error(f"companies must name {company!r} of companies.csv in one row at least")
    return routes


def _read_route(
    row: Row,
    cities: Collection[str],
    colours: Collection[str],
    locomotives: int,
    points: Collection[int],
    trains: int,
    companies: Collection[str],
) -> Route:
    known = f"ids of companies.csv with semicolons between ({listed(companies)})"
    length = row.integer("length", 1, MAX_LENGTH)
    route = Route(
        a=row.choice("a", cities, "the id of a city in cities.csv"),
        b=row.choice("b", cities, "the id of a city in cities.csv"),
        track=row.integer("track", 0, MAX_PARALLEL_ROUTES - 1),
        length=length,
        colour=row.choice(
            "colour",
            (*colours, GRAY),
            f"gray or a colour with train cards in variant.toml ({listed(colours)})",
        ),
        ferry=row.integer("ferry", 0, min(length, locomotives)),
        mountain=row.integer("mountain", 0, MAX_LENGTH - length),
        companies=tuple(
            company.choice("companies", companies, known if companies else "empty without a file companies.csv")
            for company in row.several("companies")
        ),
        tunnel=row.integer("tunnel", 0, MAX_TUNNEL),
        stays_open=row.mark("stays_open"),
        separate=row.mark("separate"),
        no_technology=row.mark("no_technology"),
    )
    if route.a == route.b:
        raise row.wrong("b", "another city than a")
    if route.length not in points:
        raise row.wrong("length", f"a length with points in variant.toml ({listed(points)})")
    if route.length > trains:
        raise row.wrong("length", f"at most {trains}, the trains of a player in variant.toml")
    if route.trains > trains:
        raise row.wrong("mountain", f"at most {trains - length}, the trains that a player has left")
    if len(set(route.companies)) < len(route.companies):
        raise row.wrong("companies", "ids that stand only once each")
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
