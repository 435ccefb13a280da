"""The folder of a card game: what it may hold, and the errors for a wrong one."""

from pathlib import Path

import pytest

from t2r_env.variants import BonusCard, City, Ticket, load_variant
from t2r_env.variants.variant import REFUSED
from tests.variants.folders import CARD_FILES, change, check_refusal, load_card_variant, refusal, refusals

TICKET_OF_CARDS = "main,geneva,milan,5,2,0,0"


def test_the_second_example_of_the_documentation_is_a_complete_card_game(card_folder: Path) -> None:
    variant = load_card_variant(card_folder)
    assert (variant.id, variant.name, variant.ruleset) == ("lakes_cards", "Cards of the Alps", "card_game")
    assert (variant.colours, variant.locomotives) == ({"blue": 8, "green": 8, "red": 8}, 6)
    assert (variant.second_deck_players, variant.second_deck_hand) == (3, 2)
    assert variant.cities[1] == City("geneva", "Genève", 0.05, 0.6)
    assert variant.ticket_decks["main"].tickets[0] == Ticket("bern", "milan", 6, {"blue": 1, "red": 1})
    assert variant.bonus_cards == (BonusCard("milan", 8), BonusCard("zurich", 5))


def test_a_key_left_out_of_a_card_game_has_its_default(card_folder: Path) -> None:
    change(card_folder / "variant.toml", 'starting_refused = "shuffled"\n', "")
    variant = load_card_variant(card_folder)
    assert (variant.starting_locomotives, variant.turn_limit, variant.team_size) == (0, 1000, 1)
    deck = variant.ticket_decks["main"]
    assert (deck.starting_refused, deck.bonuses, deck.long) == ("under", {}, ())


def test_a_card_game_must_name_its_ruleset(card_folder: Path) -> None:
    change(card_folder / "variant.toml", 'ruleset = "card_game"\n', "")
    assert refusal(card_folder).startswith("variant.toml: unknown key 'second_deck_players'; allowed are id, name,")


def test_only_tickets_that_take_the_same_cards_are_one_in_a_set() -> None:
    cards: tuple[dict[str, int], ...] = ({"blue": 1}, {"blue": 1}, {"red": 1}, {})
    assert len({Ticket("bern", "milan", 6, it) for it in cards}) == 3


@pytest.mark.parametrize("refused", REFUSED)
def test_a_card_game_may_say_where_refused_starting_tickets_go(card_folder: Path, refused: str) -> None:
    change(card_folder / "variant.toml", '"shuffled"', f'"{refused}"')
    assert load_variant(card_folder).ticket_decks["main"].starting_refused == refused


@pytest.mark.parametrize("players", [2, 7])
def test_cg12_a_second_deck_may_always_be_played_or_never(card_folder: Path, players: int) -> None:
    change(card_folder / "variant.toml", "second_deck_players = 3", f"second_deck_players = {players}")
    assert load_card_variant(card_folder).second_deck_players == players


def test_the_most_bonus_cards_and_cards_of_a_ticket_are_allowed(card_folder: Path) -> None:
    cities = [f"c{number},City {number},0.5,0.5" for number in range(16)]
    with (card_folder / "cities.csv").open("a", encoding="utf-8") as file:
        file.write("\n".join([*cities, ""]))
    rows = [f"c{number},100" for number in range(16)]
    (card_folder / "bonus_cards.csv").write_text("\n".join(["city,points", *rows]))
    change(card_folder / "tickets.csv", TICKET_OF_CARDS, "main,geneva,milan,5,0,0,127")
    variant = load_card_variant(card_folder)
    assert (len(variant.bonus_cards), variant.ticket_decks["main"].tickets[3].cards) == (16, {"red": 127})


@pytest.mark.parametrize("file", CARD_FILES)
def test_the_digest_tells_card_games_apart_by_each_file(card_folder: Path, file: str) -> None:
    before = load_variant(card_folder)
    changes = {
        "variant.toml": ("Cards of the Alps", "Cards"),
        "cities.csv": ("Milano", "Milan"),
        "tickets.csv": (TICKET_OF_CARDS, "main,geneva,milan,5,1,0,0"),
        "bonus_cards.csv": ("milan,8", "milan,9"),
    }
    change(card_folder / file, *changes[file])
    assert load_variant(card_folder).digest != before.digest


@pytest.mark.parametrize("file", CARD_FILES)
def test_a_missing_file_of_a_card_game_is_refused(card_folder: Path, file: str) -> None:
    (card_folder / file).unlink()
    assert refusal(card_folder) == f"{file}: must be a file that can be read (No such file or directory)"


@pytest.mark.parametrize("file", CARD_FILES[1:])
def test_an_empty_table_of_a_card_game_is_refused(card_folder: Path, file: str) -> None:
    header = (card_folder / file).read_text(encoding="utf-8").splitlines()[0]
    (card_folder / file).write_text(header)
    assert refusal(card_folder) == f"{file}:1: at least one row must follow the columns' names"


WRONG_CARD_GAMES = r"""
variant.toml | starting_hand = 3 | starting_hand = 3\ntrains = 15
    unknown key 'trains'; allowed are id, name, environment_version, min_players, max_players, starting_hand,
    tie_breaks, default_ticket_deck, train_cards, ticket_decks, second_deck_players, second_deck_hand, ruleset,
    starting_locomotives, turn_limit
variant.toml | second_deck_hand = 2\n |
    key 'second_deck_hand' is missing; allowed are id, name, environment_version, min_players, max_players,
    starting_hand, tie_breaks, default_ticket_deck, train_cards, ticket_decks, second_deck_players,
    second_deck_hand, ruleset, starting_locomotives, turn_limit
variant.toml | second_deck_players = 3 | second_deck_players = 1
    second_deck_players must be an integer from 2 to 7, not 1
variant.toml | second_deck_players = 3 | second_deck_players = 8
    second_deck_players must be an integer from 2 to 7, not 8
variant.toml | second_deck_hand = 2 | second_deck_hand = 0
    second_deck_hand must be an integer from 1 to 127, not 0
variant.toml | second_deck_hand = 2 | second_deck_hand = 128
    second_deck_hand must be an integer from 1 to 127, not 128
variant.toml | starting_hand = 3 | starting_hand = 11
    train_cards must add up to 33 cards (max_players times starting_hand and starting_locomotives) to 127, not 30
variant.toml | "completed_tickets", "bonus_cards" | "longest_path"
    tie_breaks must be a list that names each at most once of completed_tickets, bonus_cards, not ['longest_path']
variant.toml | rows = "main" | rows = "main"\nbonuses = {}
    unknown key 'ticket_decks.main.bonuses'; allowed are rows, starting, later, starting_refused,
    later_refused
variant.toml | rows = "main" | rows = "main"\nlong = { rows = "long", offered = 1 }
    unknown key 'ticket_decks.main.long'; allowed are rows, starting, later, starting_refused,
    later_refused
variant.toml | "shuffled" | "burnt"
    ticket_decks.main.starting_refused must be one of under, leave, shuffled, not 'burnt'
variant.toml | starting = { offered = 2, keep = 1 } | starting = { offered = 3, keep = 1 }
    ticket_decks.main.starting.offered must be at most 2, as 3 players share 6 tickets, not 3
variant.toml | default_ticket_deck = "main" | default_ticket_deck = "other"
    default_ticket_deck must be one of main, not 'other'
cities.csv:1 | id,name,x,y | id,name,x,region
    unknown column 'region'; allowed are id, name, x, y
cities.csv:1 | id,name,x,y | id,name,x,attraction
    unknown column 'attraction'; allowed are id, name, x, y
cities.csv:5 | milan,Milano | bern,Milano
    id must be an id that no other city has, not 'bern'
tickets.csv:1 | points,blue,green,red | points,blue,green,locomotive
    unknown column 'locomotive'; allowed are deck, a, b, points, confidence, purple, blue, orange, white, green,
    yellow, black, red
tickets.csv:5 | main,geneva,milan,5,2,0,0 | mian,geneva,milan,5,2,0,0
    deck must be one that a ticket deck of variant.toml uses (main), not 'mian'
tickets.csv:5 | main,geneva,milan,5,2,0,0 | main,geneva,rome,5,2,0,0
    b must be the id of a city in cities.csv, not 'rome'
tickets.csv:5 | main,geneva,milan,5,2,0,0 | main,milan,milan,5,2,0,0
    b must be another city than a, not 'milan'
tickets.csv:5 | main,geneva,milan,5,2,0,0 | main,geneva,milan,0,2,0,0
    points must be an integer from 1 to 100, not '0'
tickets.csv:5 | main,geneva,milan,5,2,0,0 | main,geneva,milan,5,2,-1,0
    green must be an integer from 0 to 127, not '-1'
tickets.csv:5 | main,geneva,milan,5,2,0,0 | main,geneva,milan,5,2,,0
    green must be an integer from 0 to 127, not ''
tickets.csv:5 | main,geneva,milan,5,2,0,0 | main,geneva,milan,5,128,0,0
    blue must be an integer from 0 to 127, not '128'
tickets.csv:5 | main,geneva,milan,5,2,0,0 | main,geneva,milan,5,126,1,1
    the ticket's cards must add up to 1 to 127, not 128
tickets.csv:5 | main,geneva,milan,5,2,0,0 | main,geneva,milan,5,0,0,0
    the ticket's cards must add up to 1 to 127, not 0
tickets.csv:2 | points,blue,green,red\n | points,blue,green,black\n
    black must be 0, as variant.toml has no train cards of this colour, not '1'
bonus_cards.csv:1 | city,points | city,bonus
    unknown column 'bonus'; allowed are city, points
bonus_cards.csv:1 | city,points\nmilan,8\nzurich,5 | city\nmilan\nzurich
    column 'points' is missing; allowed are city, points
bonus_cards.csv:3 | zurich,5 | rome,5
    city must be the id of a city in cities.csv, not 'rome'
bonus_cards.csv:3 | zurich,5 | milan,5
    city must be a city that no other bonus card has, not 'milan'
bonus_cards.csv:3 | zurich,5 | zurich,0
    points must be an integer from 1 to 100, not '0'
bonus_cards.csv:3 | zurich,5 | zurich,101
    points must be an integer from 1 to 100, not '101'
"""


@refusals(
    WRONG_CARD_GAMES,
    (
        "tickets.csv:74",
        TICKET_OF_CARDS,
        TICKET_OF_CARDS + ("\n" + TICKET_OF_CARDS) * 67,
        "at most 72 tickets of one deck are allowed",
    ),
    ("bonus_cards.csv:18", "zurich,5", "zurich,5\n" * 16, "at most 16 bonus cards are allowed"),
)
def test_a_wrong_card_game_is_refused(card_folder: Path, where: str, old: str, new: str, message: str) -> None:
    check_refusal(card_folder, where, old, new, message)
