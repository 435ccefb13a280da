"""From a folder to a `Box`: which files, keys and columns there are, and what must hold between them."""

import functools
import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from t2r_env.boxes.box import (
    BONUSES,
    COLOURS,
    EFFECTS,
    GRAY,
    LEAVE,
    LOCOMOTIVE,
    MAX_BONUS_POINTS,
    MAX_CITIES,
    MAX_COMPANIES,
    MAX_EXCHANGE,
    MAX_LANE_POINTS,
    MAX_LANES,
    MAX_LANES_OF_CONNECTION,
    MAX_LENGTH,
    MAX_MOUNTAIN_POINTS,
    MAX_OFFER,
    MAX_PLACES,
    MAX_SEATS,
    MAX_SHARE_POINTS,
    MAX_SHARES,
    MAX_TECHNOLOGIES,
    MAX_TECHNOLOGY_PRICE,
    MAX_TICKET_POINTS,
    MAX_TICKETS,
    MAX_TRAIN_CARDS,
    MAX_TRAINS,
    MAX_TUNNEL,
    MAX_TURN_LIMIT,
    MODULES,
    TIE_BREAKS,
    UNDER,
    Box,
    City,
    Company,
    Lane,
    Offer,
    Technology,
    Ticket,
    TicketDeck,
)
from t2r_env.boxes.reading import BoxError, Folder, Names, Row, Table, listed

VARIANTS: tuple[str, ...] = ("usa", "new_york", "legendary_asia", "team_asia", "pennsylvania", "united_kingdom")
"""The games that come with the library, each a folder beside this file."""

VARIANT_KEYS = Names(
    required=(
        "id",
        "name",
        "environment_version",
        "aspect",
        "min_players",
        "max_players",
        "trains",
        "starting_hand",
        "double_connections_closed_up_to",
        "tie_breaks",
        "default_ticket_deck",
        "train_cards",
        "points",
        "ticket_decks",
    ),
    defaults={
        "modules": ["map_game"],
        "team_size": 1,  # TA1
        "starting_locomotives": 0,  # UK1
        "exchange": 0,  # UK5
        "row_sweep": True,  # C4
        "last_round_trains": 2,  # C15
        "triple_connection_claims": 1,  # C11
        "neutral_shareholder_up_to": 0,  # PA8
        "mountain_points": 2,  # LA5
        "turn_limit": 1000,  # C19
    },
)
TICKET_DECK_KEYS = Names(
    required=("rows", "starting", "later", "bonuses"), defaults={"long": None, "starting_refused": UNDER}
)
LONG_KEYS = Names(required=("rows", "offered"))
OFFER_KEYS = Names(required=("offered", "keep"))
CITY_COLUMNS = Names(required=("id", "name", "x", "y"), defaults={"region": "", "attraction": ""})
LANE_COLUMNS = Names(
    required=("a", "b", "lane", "length", "colour"),
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
TICKET_COLUMNS = Names(required=("deck", "a", "b", "points"), defaults={"confidence": ""})


def load_box(name_or_path: str | os.PathLike[str]) -> Box:
    """The box of a variant that comes with the library (read once), or of a folder given by its path.

    Raises:
        BoxError: there is no such variant or folder, or the folder does not describe a game.
    """
    if isinstance(name_or_path, str) and name_or_path in VARIANTS:
        return _shipped_box(name_or_path)
    path = Path(name_or_path)
    if not path.is_dir():
        raise BoxError(f"unknown variant {str(path)!r}: must be one of {listed(VARIANTS)}, or the path to a folder")
    return _read_box(path)


@functools.cache
def _shipped_box(name: str) -> Box:
    return _read_box(Path(__file__).parent / name)


def _read_box(path: Path) -> Box:
    folder = Folder(path)
    variant = folder.table("variant.toml", VARIANT_KEYS)
    min_players = variant.integer("min_players", 2, MAX_SEATS)
    max_players = variant.integer("max_players", min_players, MAX_SEATS)
    team_size = _read_team_size(variant, min_players, max_players)
    starting_hand = variant.integer("starting_hand", 1, MAX_TRAIN_CARDS)
    train_cards = _read_train_cards(variant)
    starting_locomotives = variant.integer("starting_locomotives", 0, train_cards.get(LOCOMOTIVE, 0) // max_players)
    _check_dealt_cards(variant, (starting_hand + starting_locomotives) * max_players, sum(train_cards.values()))
    colours = {colour: train_cards[colour] for colour in COLOURS if train_cards.get(colour)}
    trains = variant.integer("trains", 1, MAX_TRAINS // team_size)
    points = _read_points(variant)
    cities = _read_cities(folder)
    companies = _read_companies(folder)
    neutral_shareholder_up_to = _read_neutral_shareholder(variant, companies)
    ticket_decks = _read_ticket_decks(folder, variant, cities, max_players)
    technologies = _read_technologies(folder, cities)
    exchange = variant.integer("exchange", 0, MAX_EXCHANGE)
    lanes = _read_lanes(folder, cities, colours, train_cards.get(LOCOMOTIVE, 0), points, trains, companies)
    _check_together(variant, team_size, exchange, technologies, companies, ticket_decks, lanes)
    return Box(
        id=variant.identifier("id"),
        name=variant.text("name"),
        environment_version=variant.integer("environment_version", 0, 999),
        modules=variant.choices("modules", MODULES),
        aspect=variant.number("aspect", 0.1, 10),
        min_players=min_players,
        max_players=max_players,
        colours=colours,
        locomotives=train_cards.get(LOCOMOTIVE, 0),
        team_size=team_size,
        trains=trains,
        starting_hand=starting_hand,
        starting_locomotives=starting_locomotives,
        exchange=exchange,
        row_sweep=variant.flag("row_sweep"),
        last_round_trains=variant.integer("last_round_trains", 0, MAX_TRAINS),
        double_connections_closed_up_to=variant.integer("double_connections_closed_up_to", 0, MAX_SEATS),
        triple_connection_claims=variant.integer("triple_connection_claims", 1, MAX_LANES_OF_CONNECTION),
        neutral_shareholder_up_to=neutral_shareholder_up_to,
        mountain_points=variant.integer("mountain_points", 0, MAX_MOUNTAIN_POINTS),
        points=tuple(points.get(length, 0) for length in range(max(points) + 1)),
        tie_breaks=variant.choices("tie_breaks", TIE_BREAKS),
        ticket_decks=ticket_decks,
        default_ticket_deck=variant.choice("default_ticket_deck", ticket_decks, f"one of {listed(ticket_decks)}"),
        turn_limit=variant.integer("turn_limit", 1, MAX_TURN_LIMIT),
        cities=cities,
        lanes=lanes,
        companies=companies,
        all_technologies=technologies,
        digest=folder.digest(),
    )


def _read_train_cards(variant: Table) -> dict[str, int]:
    """The deck (C1): how many cards of each colour."""
    return variant.integers("train_cards", (*COLOURS, LOCOMOTIVE), 0, MAX_TRAIN_CARDS)


def _check_dealt_cards(variant: Table, dealt: int, number: int) -> None:
    """The deck must hold what is dealt to all seats, and no more than the core has room for."""
    if not dealt <= number <= MAX_TRAIN_CARDS:
        raise variant.error(
            f"train_cards must add up to {dealt} cards (max_players times starting_hand and starting_locomotives)"
            f" to {MAX_TRAIN_CARDS}, not {number}"
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
    lanes: Collection[Lane],
) -> None:
    """No published game has these rules together, and no rule says what they would mean together."""
    least = 2 if any(technology.effect == "booster" for technology in technologies) else 1
    if technologies and exchange < least:
        raise variant.wrong("exchange", f"{least} to {MAX_EXCHANGE} with the technologies of technologies.csv")
    if exchange and any(lane.tunnel for lane in lanes):
        raise variant.wrong("exchange", "0 on a map with tunnels")
    if team_size > 1 and exchange:
        raise variant.wrong("exchange", "0 in a game of teams")
    for name, deck in ticket_decks.items():
        if team_size > 1 and not (deck.starting.keep and deck.later.keep):
            raise variant.error(f"ticket_decks.{name} must have 1 ticket or more to keep, of which teams share one")
    if team_size > 1 and (companies or any(deck.long for deck in ticket_decks.values())):
        raise variant.wrong("team_size", "1 in a game with companies or long tickets")


def _read_points(variant: Table) -> dict[int, int]:
    """The points for a lane, by its length (C10)."""
    lengths = [str(length) for length in range(1, MAX_LENGTH + 1)]
    points = variant.integers("points", lengths, 0, MAX_LANE_POINTS)
    if not points:
        raise variant.wrong("points", "a table with an entry for each length of a lane")
    return {int(length): value for length, value in points.items()}


def _read_cities(folder: Folder) -> tuple[City, ...]:
    rows = folder.rows("cities.csv", CITY_COLUMNS)
    _allow_at_most(MAX_CITIES, rows, "cities")
    cities: dict[str, City] = {}
    for row in rows:
        city = City(
            id=row.identifier("id"),
            name=row.text("name"),
            x=row.number("x", 0, 1),
            y=row.number("y", 0, 1),
            region=row.identifier("region") if row.values["region"] else "",
            attraction=row.mark("attraction"),
        )
        if city.id in cities:
            raise row.wrong("id", "an id that no other city has")
        cities[city.id] = city
    for row, city in zip(rows, cities.values(), strict=True):
        if city.region in cities and city.region != city.id:  # a ticket could mean either
            raise row.wrong("region", "a name that is no other city's id")
    return tuple(cities.values())


def _read_companies(folder: Folder) -> tuple[Company, ...]:
    """The companies whose shares are taken (PA4), if the folder has their file."""
    if not folder.has("companies.csv"):
        return ()
    rows = folder.rows("companies.csv", COMPANY_COLUMNS)
    _allow_at_most(MAX_COMPANIES, rows, "companies")
    companies: dict[str, Company] = {}
    for row in rows:
        places = row.several("points")
        if not 1 <= len(places) <= MAX_PLACES:
            raise row.wrong("points", f"the points of 1 to {MAX_PLACES} places with semicolons between them")
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
    _allow_at_most(MAX_TECHNOLOGIES, rows, "technologies")
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


def _read_lanes(
    folder: Folder,
    cities: Sequence[City],
    colours: Collection[str],
    locomotives: int,
    points: Collection[int],
    trains: int,
    companies: Sequence[Company],
) -> tuple[Lane, ...]:
    rows = folder.rows("routes.csv", LANE_COLUMNS)
    _allow_at_most(MAX_LANES, rows, "lanes")
    city_ids, company_ids = [city.id for city in cities], [company.id for company in companies]
    lanes = tuple(_read_lane(row, city_ids, colours, locomotives, points, trains, company_ids) for row in rows)
    _check_numbering(rows, lanes)
    for company in company_ids:
        if not any(company in lane.companies for lane in lanes):
            raise rows[-1].error(f"companies must name {company!r} of companies.csv in one row at least")
    return lanes


def _read_lane(
    row: Row,
    cities: Collection[str],
    colours: Collection[str],
    locomotives: int,
    points: Collection[int],
    trains: int,
    companies: Collection[str],
) -> Lane:
    known = f"ids of companies.csv with semicolons between ({listed(companies)})"
    length = row.integer("length", 1, MAX_LENGTH)
    lane = Lane(
        a=row.choice("a", cities, "the id of a city in cities.csv"),
        b=row.choice("b", cities, "the id of a city in cities.csv"),
        lane=row.integer("lane", 0, MAX_LANES_OF_CONNECTION - 1),
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
    if lane.a == lane.b:
        raise row.wrong("b", "another city than a")
    if lane.length not in points:
        raise row.wrong("length", f"a length with points in variant.toml ({listed(points)})")
    if lane.length > trains:
        raise row.wrong("length", f"at most {trains}, the trains of a player in variant.toml")
    if lane.trains > trains:
        raise row.wrong("mountain", f"at most {trains - length}, the trains that a player has left")
    if len(set(lane.companies)) < len(lane.companies):
        raise row.wrong("companies", "ids that stand only once each")
    return lane


def _check_numbering(rows: Sequence[Row], lanes: Sequence[Lane]) -> None:
    """A connection's lanes are numbered 0, 1, 2 and name its two cities in one order."""
    number: Counter[tuple[str, str]] = Counter()
    for row, lane in zip(rows, lanes, strict=True):
        if (lane.b, lane.a) in number:
            raise row.error(
                f"a and b must be {lane.b!r} and {lane.a!r}, as in the connection's first row,"
                f" not {lane.a!r} and {lane.b!r}"
            )
        if lane.lane != number[lane.a, lane.b]:
            raise row.wrong(
                "lane",
                f"{number[lane.a, lane.b]}, as a connection's rows are numbered 0, 1, 2 in their order",
            )
        number[lane.a, lane.b] += 1


def _read_ticket_decks(
    folder: Folder, variant: Table, cities: Sequence[City], max_players: int
) -> dict[str, TicketDeck]:
    """The ticket decks that variant.toml names, each made of the rows of tickets.csv that it asks for."""
    rows: dict[str, list[Row]] = {}
    for row in folder.rows("tickets.csv", TICKET_COLUMNS):
        rows.setdefault(row.identifier("deck"), []).append(row)
    tables = variant.tables("ticket_decks", TICKET_DECK_KEYS)
    long = {name: table.table("long", LONG_KEYS) for name, table in tables.items() if table.values["long"] is not None}
    used = [
        table.choice("rows", rows, f"a deck of tickets.csv ({listed(rows)})")
        for table in (*tables.values(), *long.values())
    ]
    for deck, (first, *_) in rows.items():
        if deck not in used:  # a slip of the keyboard would silently take the ticket out of the game
            raise first.wrong("deck", f"one that a ticket deck of variant.toml uses ({listed(used)})")
    tickets = {deck: _read_tickets(rows[deck], cities) for deck in rows}
    return {
        name: _read_ticket_deck(name, table, long.get(name), tickets, max_players) for name, table in tables.items()
    }


def _read_tickets(rows: Sequence[Row], cities: Sequence[City]) -> tuple[Ticket, ...]:
    """The tickets of one deck; an end is a city, or a group: any city of the region of that name (C16)."""
    _allow_at_most(MAX_TICKETS, rows, "tickets of one deck")
    places: dict[str, set[str]] = {city.id: {city.id} for city in cities}
    for city in cities:
        if city.region:
            places.setdefault(city.region, set()).add(city.id)
    return tuple(_read_ticket(row, places) for row in rows)


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
    starting_refused = table.choice("starting_refused", (UNDER, LEAVE), f"{UNDER} or {LEAVE}")
    if long and starting_refused != LEAVE:
        raise table.wrong("starting_refused", f"{LEAVE} with long tickets, as no rule has them under the ticket deck")
    long_offered = _read_offered(long, MAX_OFFER - 1, long_tickets, max_players) if long else 0
    starting, later = table.table("starting", OFFER_KEYS), table.table("later", OFFER_KEYS)
    offered = _read_offered(starting, MAX_OFFER - long_offered, regular, max_players)
    later_offered = later.integer("offered", 1, MAX_OFFER)
    return TicketDeck(
        name=name,
        regular=regular,
        starting=Offer(offered, starting.integer("keep", 0, long_offered + offered)),
        later=Offer(later_offered, later.integer("keep", 0, later_offered)),
        bonuses=table.integers("bonuses", BONUSES, 1, MAX_BONUS_POINTS),
        long=long_tickets,
        long_offered=long_offered,
        starting_refused=starting_refused,
    )


def _read_offered(table: Table, most: int, tickets: Collection[Ticket], max_players: int) -> int:
    """How many tickets each player is offered before the game: the deck must hold enough for all."""
    offered = table.integer("offered", 1, most)
    if offered * max_players > len(tickets):
        raise table.error(
            f"{table.prefix}offered must be at most {len(tickets) // max_players},"
            f" as {max_players} players share {len(tickets)} tickets, not {offered}"
        )
    return offered


def _allow_at_most(most: int, rows: Sequence[Row], things: str) -> None:
    if len(rows) > most:
        raise rows[most].error(f"at most {most} {things} are allowed")
