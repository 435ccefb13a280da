"""The folder of a card game: which files, keys and columns it has besides those of every game."""

from collections.abc import Collection, Mapping

from t2r_env.basics.sizes import MAX_BONUS_CARDS, MAX_BONUS_POINTS, MAX_SEATS, MAX_TICKET_POINTS, MAX_TRAIN_CARDS
from t2r_env.variants import every_game
from t2r_env.variants.reading import Folder, Names, Row, Table, listed
from t2r_env.variants.variant import CARD_TIE_BREAKS, COLOURS, BonusCard, CardVariant, Ticket, TicketDeck

CARD_KEYS = Names(required=("second_deck_players", "second_deck_hand"))
CARD_TICKET_COLUMNS = Names(defaults=dict.fromkeys(COLOURS, "0"))
BONUS_CARD_COLUMNS = Names(required=("city", "points"))


def read_card_variant(folder: Folder, table: Table) -> CardVariant:
    """Return the variant of a card game."""
    table = table.with_keys(every_game.VARIANT_KEYS | CARD_KEYS)
    shared = every_game.read_variant(table, CARD_TIE_BREAKS)
    cities = every_game.read_cities(folder.rows("cities.csv", every_game.CITY_COLUMNS))
    city_ids = [city.id for city in cities]
    ticket_decks = _read_ticket_decks(folder, table, city_ids, shared["colours"], shared["max_players"])
    return CardVariant(
        **shared,
        second_deck_players=table.integer("second_deck_players", 2, MAX_SEATS + 1),
        second_deck_hand=table.integer("second_deck_hand", 1, MAX_TRAIN_CARDS),
        ticket_decks=ticket_decks,
        default_ticket_deck=table.choice("default_ticket_deck", ticket_decks, f"one of {listed(ticket_decks)}"),
        cities=cities,
        bonus_cards=_read_bonus_cards(folder, city_ids),
        digest=folder.digest(),
    )


def _read_ticket_decks(
    folder: Folder, variant: Table, cities: Collection[str], colours: Collection[str], max_players: int
) -> dict[str, TicketDeck]:
    """Return the ticket decks that variant.toml names, each made of the rows of tickets.csv that it asks for."""
    tables = variant.tables("ticket_decks", every_game.TICKET_DECK_KEYS)
    rows = every_game.read_ticket_rows(folder, every_game.TICKET_COLUMNS | CARD_TICKET_COLUMNS, tables.values())
    tickets = {deck: tuple(_read_ticket(row, cities, colours) for row in rows[deck]) for deck in rows}
    return {
        name: every_game.read_ticket_deck(name, table, tickets[table.values["rows"]], max_players)
        for name, table in tables.items()
    }


def _read_ticket(row: Row, cities: Collection[str], colours: Collection[str]) -> Ticket:
    ticket = Ticket(
        a=row.choice("a", cities, "the id of a city in cities.csv"),
        b=row.choice("b", cities, "the id of a city in cities.csv"),
        points=row.integer("points", 1, MAX_TICKET_POINTS),
        cards=_read_cards(row, colours),
    )
    if ticket.a == ticket.b:
        raise row.wrong("b", "another city than a")
    return ticket


def _read_cards(row: Row, colours: Collection[str]) -> Mapping[str, int]:
    """Return the train cards that complete a ticket (CG10)."""
    cards = {colour: row.integer(colour, 0, MAX_TRAIN_CARDS) for colour in COLOURS}
    for colour in COLOURS:
        if cards[colour] and colour not in colours:
            raise row.wrong(colour, "0, as variant.toml has no train cards of this colour")
    if not 1 <= (number := sum(cards.values())) <= MAX_TRAIN_CARDS:
        raise row.error(f"the ticket's cards must add up to 1 to {MAX_TRAIN_CARDS}, not {number}")
    return {colour: number for colour, number in cards.items() if number}


def _read_bonus_cards(folder: Folder, cities: Collection[str]) -> tuple[BonusCard, ...]:
    rows = folder.rows("bonus_cards.csv", BONUS_CARD_COLUMNS)
    every_game.allow_at_most(MAX_BONUS_CARDS, rows, "bonus cards")
    bonus_cards = tuple(
        BonusCard(
            city=row.choice("city", cities, "the id of a city in cities.csv"),
            points=row.integer("points", 1, MAX_BONUS_POINTS),
        )
        for row in rows
    )
    every_game.check_differ(rows, "city", "a city that no other bonus card has")
    return bonus_cards
