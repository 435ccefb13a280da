"""The parts that the folder of every game has: players, train cards, cities and tickets."""

from collections.abc import Collection, Sequence
from typing import Any

from t2r_env.basics.sizes import MAX_CITIES, MAX_OFFER, MAX_SEATS, MAX_TICKETS, MAX_TRAIN_CARDS, MAX_TURN_LIMIT
from t2r_env.variants.reading import Folder, Names, Row, Table, listed
from t2r_env.variants.variant import COLOURS, LEAVE, LOCOMOTIVE, REFUSED, UNDER, City, Offer, Ticket, TicketDeck

VARIANT_KEYS = Names(
    required=(
        "id",
        "name",
        "environment_version",
        "min_players",
        "max_players",
        "starting_hand",
        "tie_breaks",
        "default_ticket_deck",
        "train_cards",
        "ticket_decks",
    ),
    defaults={
        "ruleset": "map_game",
        "starting_locomotives": 0,  # UK1, CG2
        "turn_limit": 1000,  # C19
    },
)
TICKET_DECK_KEYS = Names(
    required=("rows", "starting", "later"), defaults={"starting_refused": UNDER, "later_refused": UNDER}
)
OFFER_KEYS = Names(required=("offered", "keep"))
CITY_COLUMNS = Names(required=("id", "name", "x", "y"))
TICKET_COLUMNS = Names(required=("deck", "a", "b", "points"), defaults={"confidence": ""})


def read_variant(variant: Table, tie_breaks: Sequence[str]) -> dict[str, Any]:
    """Return the entries of variant.toml that every game has, by the names of the fields of `Variant`."""
    min_players = variant.integer("min_players", 2, MAX_SEATS)
    max_players = variant.integer("max_players", min_players, MAX_SEATS)
    starting_hand = variant.integer("starting_hand", 1, MAX_TRAIN_CARDS)
    train_cards = variant.integers("train_cards", (*COLOURS, LOCOMOTIVE), 0, MAX_TRAIN_CARDS)
    starting_locomotives = variant.integer("starting_locomotives", 0, train_cards.get(LOCOMOTIVE, 0) // max_players)
    dealt, number = (starting_hand + starting_locomotives) * max_players, sum(train_cards.values())
    if not dealt <= number <= MAX_TRAIN_CARDS:
        raise variant.error(
            f"train_cards must add up to {dealt} cards (max_players times starting_hand and starting_locomotives)"
            f" to {MAX_TRAIN_CARDS}, not {number}"
        )
    return {
        "id": variant.identifier("id"),
        "name": variant.text("name"),
        "environment_version": variant.integer("environment_version", 0, 999),
        "ruleset": variant.values["ruleset"],
        "min_players": min_players,
        "max_players": max_players,
        "colours": {colour: train_cards[colour] for colour in COLOURS if train_cards.get(colour)},
        "locomotives": train_cards.get(LOCOMOTIVE, 0),
        "starting_hand": starting_hand,
        "starting_locomotives": starting_locomotives,
        "tie_breaks": variant.choices("tie_breaks", tie_breaks),
        "turn_limit": variant.integer("turn_limit", 1, MAX_TURN_LIMIT),
    }


def read_cities(rows: Sequence[Row]) -> tuple[City, ...]:
    """Return the cities of cities.csv, without what only some games say of them."""
    allow_at_most(MAX_CITIES, rows, "cities")
    cities = tuple(
        City(id=row.identifier("id"), name=row.text("name"), x=row.number("x", 0, 1), y=row.number("y", 0, 1))
        for row in rows
    )
    check_differ(rows, "id", "an id that no other city has")
    return cities


def read_ticket_rows(folder: Folder, columns: Names, tables: Collection[Table]) -> dict[str, list[Row]]:
    """Return the rows of each deck of tickets.csv; together the tables' keys `rows` must ask for all of them."""
    rows: dict[str, list[Row]] = {}
    for row in folder.rows("tickets.csv", columns):
        rows.setdefault(row.identifier("deck"), []).append(row)
    used = [table.choice("rows", rows, f"a deck of tickets.csv ({listed(rows)})") for table in tables]
    for deck, (first, *_) in rows.items():
        if deck not in used:  # a slip of the keyboard would silently take the ticket out of the game
            raise first.wrong("deck", f"one that a ticket deck of variant.toml uses ({listed(used)})")
    for deck_rows in rows.values():
        allow_at_most(MAX_TICKETS, deck_rows, "tickets of one deck")
    return rows


def read_ticket_deck(
    name: str, table: Table, tickets: tuple[Ticket, ...], max_players: int, long_offered: int = 0
) -> TicketDeck:
    """Return a ticket deck. Long tickets, which are offered too, matter here only by their number."""
    starting, later = table.table("starting", OFFER_KEYS), table.table("later", OFFER_KEYS)
    offered = read_offered(starting, MAX_OFFER - long_offered, tickets, max_players)
    later_offered = later.integer("offered", 1, MAX_OFFER)
    return TicketDeck(
        name=name,
        regular=tickets,
        starting=Offer(offered, starting.integer("keep", 0, long_offered + offered)),
        later=Offer(later_offered, later.integer("keep", 0, later_offered)),
        starting_refused=table.choice("starting_refused", REFUSED, f"one of {listed(REFUSED)}"),
        later_refused=table.choice("later_refused", (UNDER, LEAVE), f"one of {UNDER}, {LEAVE}"),
    )


def read_offered(table: Table, most: int, tickets: Collection[Ticket], max_players: int) -> int:
    """Return how many tickets each player is offered before the game: the deck must hold enough for all."""
    offered = table.integer("offered", 1, most)
    if offered * max_players > len(tickets):
        raise table.error(
            f"{table.prefix}offered must be at most {len(tickets) // max_players},"
            f" as {max_players} players share {len(tickets)} tickets, not {offered}"
        )
    return offered


def allow_at_most(most: int, rows: Sequence[Row], things: str) -> None:
    """Refuse the first row that is one too many for the core."""
    if len(rows) > most:
        raise rows[most].error(f"at most {most} {things} are allowed")


def check_differ(rows: Sequence[Row], key: str, allowed: str) -> None:
    """Refuse the first row whose value an earlier row has too. Empty values may be the same."""
    seen = set[str]()
    for row in rows:
        value = row.values[key]
        if value and value in seen:
            raise row.wrong(key, allowed)
        seen.add(value)
