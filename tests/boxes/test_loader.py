"""Folders of data: what the shipped ones hold, how a map is added, and what is said of a broken one."""

import pickle
import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from t2r_env.boxes import COLOURS, VARIANTS, Box, BoxError, City, Lane, Offer, Ticket, load_box, loader
from tests.example_map import DOCUMENTATION, write_example_map

SHIPPED = Path(loader.__file__).parent


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The example of docs/boxes.md, as its reader would type it."""
    return write_example_map(tmp_path)


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} must stand once in {file.name}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def refusal(folder: Path) -> str:
    """What is said of a broken folder, without the path to it."""
    with pytest.raises(BoxError) as caught:
        load_box(folder)
    message = str(caught.value)
    assert message.startswith(str(folder))
    return message[len(str(folder)) + 1 :]


# The shipped boxes


def test_every_shipped_folder_is_a_variant_of_its_own_name() -> None:
    assert sorted(VARIANTS) == sorted(file.parent.name for file in SHIPPED.glob("*/variant.toml"))
    assert [load_box(name).id for name in VARIANTS] == list(VARIANTS)


def test_us1_the_box_holds_110_train_cards_and_45_trains_for_each_of_2_to_5_players() -> None:
    usa = load_box("usa")
    assert usa.colours == dict.fromkeys(COLOURS, 12)
    assert usa.locomotives == 14
    assert (usa.min_players, usa.max_players, usa.trains, usa.starting_hand) == (2, 5, 45, 4)


def test_us1_the_common_rules_hold() -> None:
    usa = load_box("usa")
    assert usa.row_sweep  # C4
    assert usa.last_round_trains == 2  # C15
    assert usa.turn_limit == 1000  # C19


def test_us3_a_claimed_lane_closes_a_double_connection_with_up_to_3_players() -> None:
    assert load_box("usa").double_connections_closed_up_to == 3


def test_us4_the_last_tie_break_is_the_longest_path() -> None:
    assert load_box("usa").tie_breaks == ("completed_tickets", "longest_path")


def test_c10_lanes_of_1_to_6_spaces_score_1_2_4_7_10_15() -> None:
    assert load_box("usa").points == (0, 1, 2, 4, 7, 10, 15)


@pytest.mark.parametrize(
    ("deck", "number", "starting", "later", "bonuses"),
    [
        ("anniversary", 69, Offer(3, 2), Offer(3, 1), {"longest_path": 10}),
        ("classic", 30, Offer(3, 2), Offer(3, 1), {"longest_path": 10}),
        ("1910", 35, Offer(3, 2), Offer(3, 1), {"globetrotter": 15}),
        ("mega", 69, Offer(5, 3), Offer(4, 1), {"longest_path": 10, "globetrotter": 15}),
        ("big_cities", 35, Offer(4, 2), Offer(4, 1), {}),
    ],
)
def test_us5_each_ticket_deck_has_its_tickets_offers_and_bonuses(
    deck: str, number: int, starting: Offer, later: Offer, bonuses: dict[str, int]
) -> None:
    found = load_box("usa").ticket_decks[deck]
    assert found.name == deck
    assert len(found.tickets) == number
    assert len({(ticket.a, ticket.b) for ticket in found.tickets}) == number
    assert (found.starting, found.later, found.bonuses) == (starting, later, bonuses)


def test_us5_there_are_five_ticket_decks_and_anniversary_is_the_default() -> None:
    usa = load_box("usa")
    assert set(usa.ticket_decks) == {"anniversary", "classic", "1910", "mega", "big_cities"}
    assert usa.default_ticket_deck == "anniversary"


def test_us5_anniversary_and_mega_are_made_of_the_same_tickets_with_revised_values() -> None:
    decks = load_box("usa").ticket_decks
    assert decks["anniversary"].tickets == decks["mega"].tickets
    assert Ticket("new_york", "seattle", 22) in decks["classic"].tickets
    assert Ticket("new_york", "seattle", 20) in decks["anniversary"].tickets


def test_the_map_of_the_usa_has_36_cities_and_78_connections_with_100_lanes_and_309_spaces() -> None:
    usa = load_box("usa")
    assert len(usa.cities) == 36
    assert len({(lane.a, lane.b) for lane in usa.lanes}) == 78
    assert len(usa.lanes) == 100
    assert sum(lane.length for lane in usa.lanes) == 309


def test_each_colour_of_the_usa_has_seven_lanes() -> None:
    lanes = Counter(lane.colour for lane in load_box("usa").lanes)
    assert lanes == {**dict.fromkeys(COLOURS, 7), "gray": 44}


# The loader


def test_the_example_of_the_documentation_is_a_complete_map(folder: Path) -> None:
    box = load_box(folder)
    assert (box.id, box.name) == ("lakes", "Lakes of the Alps")
    assert box.colours == {"blue": 8, "green": 8, "red": 8}
    assert box.locomotives == 6
    assert box.points == (0, 1, 2, 4, 7)
    assert box.cities[1] == City("geneva", "Genève", 0.05, 0.6)
    assert box.lanes[2] == Lane("bern", "zurich", 1, 2, "green")
    assert box.ticket_decks["main"].bonuses == {"longest_path": 5}


def test_a_key_left_out_means_the_common_rule(folder: Path) -> None:
    box = load_box(folder)
    assert (box.row_sweep, box.last_round_trains, box.turn_limit) == (True, 2, 1000)  # C4, C15, C19


def test_c16_a_ticket_may_name_a_region(folder: Path) -> None:
    box = load_box(folder)
    assert Ticket("zurich", "italy", 4) in box.ticket_decks["main"].tickets
    assert [city.id for city in box.cities if city.region == "italy"] == ["como", "milan"]


def test_a_city_may_be_a_region_of_its_own(folder: Path) -> None:
    change(folder / "cities.csv", "bern,Bern,0.20,0.30,", "bern,Bern,0.20,0.30,bern")
    assert load_box(folder).cities[0].region == "bern"


def test_the_documentation_explains_every_key_and_column() -> None:
    for names in (
        loader.VARIANT_KEYS,
        loader.TICKET_DECK_KEYS,
        loader.OFFER_KEYS,
        loader.CITY_COLUMNS,
        loader.LANE_COLUMNS,
        loader.TICKET_COLUMNS,
    ):
        for name in (*names.required, *names.defaults):
            assert f"`{name}`" in DOCUMENTATION


def test_a_shipped_box_is_read_once() -> None:
    assert load_box("usa") is load_box("usa")


def test_the_path_to_a_shipped_folder_gives_the_same_box() -> None:
    assert load_box(SHIPPED / "usa") == load_box("usa") == load_box(str(SHIPPED / "usa"))


def test_a_box_survives_pickling() -> None:
    assert pickle.loads(pickle.dumps(load_box("usa"))) == load_box("usa")


def test_a_folder_is_read_anew_after_a_change(folder: Path) -> None:
    before = load_box(folder)
    change(folder / "tickets.csv", "bern,milan,6", "bern,milan,7")
    after = load_box(folder)
    assert Ticket("bern", "milan", 7) in after.ticket_decks["main"].tickets
    assert after.digest != before.digest


@pytest.mark.parametrize("file", ["variant.toml", "cities.csv", "routes.csv", "tickets.csv"])
def test_the_digest_and_the_box_ignore_how_lines_end(folder: Path, file: str) -> None:
    before = load_box(folder)
    content = (folder / file).read_bytes()
    (folder / file).write_bytes(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"))
    assert load_box(folder) == before


def test_the_digest_ignores_where_the_folder_lies_and_what_else_it_holds(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = shutil.copytree(folder, tmp_path_factory.mktemp("elsewhere") / "map")
    (copy / "SOURCES.md").write_text("Drawn from memory.\n")
    assert load_box(copy).digest == load_box(folder).digest


def test_columns_may_stand_in_any_order_and_blank_rows_are_skipped(folder: Path) -> None:
    before = load_box(folder)
    rows = [line.split(",") for line in (folder / "routes.csv").read_text().splitlines()]
    (folder / "routes.csv").write_text("\n\n,,,,\n".join(",".join(reversed(row)) for row in rows))
    assert replace(load_box(folder), digest=before.digest) == before


def test_the_column_of_regions_may_be_left_out(folder: Path) -> None:
    cities = (folder / "cities.csv").read_text(encoding="utf-8")
    (folder / "cities.csv").write_text(re.sub(",[^,]*$", "", cities, flags=re.MULTILINE), encoding="utf-8")
    change(folder / "tickets.csv", "main,zurich,italy,4\n", "")
    change(folder / "tickets.csv", "bern,italy", "bern,como")
    assert {city.region for city in load_box(folder).cities} == {""}


# Broken folders


def test_an_unknown_variant_is_refused_with_the_names_of_those_there_are() -> None:
    with pytest.raises(BoxError) as caught:
        load_box("atlantis")
    assert str(caught.value) == (
        f"unknown variant 'atlantis': must be one of {', '.join(VARIANTS)}, or the path to a folder"
    )


@pytest.mark.parametrize("file", ["variant.toml", "cities.csv", "routes.csv", "tickets.csv"])
def test_a_missing_file_is_refused(folder: Path, file: str) -> None:
    (folder / file).unlink()
    assert refusal(folder) == f"{file}: must be a file that can be read (No such file or directory)"


@pytest.mark.parametrize("file", ["variant.toml", "cities.csv", "routes.csv", "tickets.csv"])
def test_a_file_that_is_not_utf_8_is_refused(folder: Path, file: str) -> None:
    lines = (folder / file).read_bytes().splitlines()
    (folder / file).write_bytes(b"\r\n".join([*lines[:3], "Zürich".encode("latin-1"), *lines[3:]]))
    assert refusal(folder) == f"{file}:4: must be UTF-8 text"


@pytest.mark.parametrize("file", ["cities.csv", "routes.csv", "tickets.csv"])
def test_an_empty_table_is_refused(folder: Path, file: str) -> None:
    header = (folder / file).read_text(encoding="utf-8").splitlines()[0]
    (folder / file).write_text(header)
    assert refusal(folder) == f"{file}:1: at least one row must follow the columns' names"


VARIANT_KEYS = (
    "id, name, environment_version, aspect, min_players, max_players, trains, starting_hand,"
    " double_connections_closed_up_to, tie_breaks, default_ticket_deck, train_cards, points, ticket_decks,"
    " modules, row_sweep, last_round_trains, turn_limit"
)
VARIANT_CASES = {
    "an unknown key": (
        "trains = 15",
        "trains = 15\nferries = 2",
        f"unknown key 'ferries'; allowed are {VARIANT_KEYS}",
    ),
    "a missing key": (
        "trains = 15\n",
        "",
        f"key 'trains' is missing; allowed are {VARIANT_KEYS}",
    ),
    "an unknown key of a deck": (
        'rows = "main"',
        'row = "main"',
        "unknown key 'ticket_decks.main.row'; allowed are rows, starting, later, bonuses",
    ),
    "a missing key of an offer": (
        "starting = { offered = 2, keep = 1 }",
        "starting = { offered = 2 }",
        "key 'ticket_decks.main.starting.keep' is missing; allowed are offered, keep",
    ),
    "a number that is text": (
        "trains = 15",
        'trains = "15"',
        "trains must be a whole number from 1 to 64, not '15'",
    ),
    "a number that is true": (
        "trains = 15",
        "trains = true",
        "trains must be a whole number from 1 to 64, not True",
    ),
    "a number with a fraction": (
        "trains = 15",
        "trains = 1.5",
        "trains must be a whole number from 1 to 64, not 1.5",
    ),
    "too many trains": (
        "trains = 15",
        "trains = 65",
        "trains must be a whole number from 1 to 64, not 65",
    ),
    "an unknown rule module": (
        "trains = 15",
        'trains = 15\nmodules = ["ships"]',
        "modules must be a list that names each at most once of map_game, not ['ships']",
    ),
    "an id with a capital": (
        'id = "lakes"',
        'id = "Lakes"',
        "id must be an id of lowercase letters a-z, digits and _, not 'Lakes'",
    ),
    "an id that is a number": (
        'id = "lakes"',
        "id = 1910",
        "id must be an id of lowercase letters a-z, digits and _, not 1910",
    ),
    "a blank name": (
        'name = "Lakes of the Alps"',
        'name = " "',
        "name must be one line of text, not ' '",
    ),
    "a negative version": (
        "environment_version = 0",
        "environment_version = -1",
        "environment_version must be a whole number from 0 to 999, not -1",
    ),
    "an endless map": (
        "aspect = 1.3",
        "aspect = inf",
        "aspect must be a number from 0.1 to 10, not inf",
    ),
    "a game for one": (
        "min_players = 2",
        "min_players = 1",
        "min_players must be a whole number from 2 to 6, not 1",
    ),
    "fewer players at most than at least": (
        "max_players = 3",
        "max_players = 1",
        "max_players must be a whole number from 2 to 6, not 1",
    ),
    "a game for seven": (
        "max_players = 3",
        "max_players = 7",
        "max_players must be a whole number from 2 to 6, not 7",
    ),
    "a starting hand of nothing": (
        "starting_hand = 3",
        "starting_hand = 0",
        "starting_hand must be a whole number from 1 to 127, not 0",
    ),
    "a deck too small for the starting hands": (
        "starting_hand = 3",
        "starting_hand = 11",
        "train_cards must add up to 33 cards (max_players times starting_hand) to 127, not 30",
    ),
    "too many train cards": (
        "red = 8",
        "red = 106",
        "train_cards must add up to 9 cards (max_players times starting_hand) to 127, not 128",
    ),
    "train cards of an unknown colour": (
        "red = 8",
        "pink = 8",
        "unknown key 'train_cards.pink'; allowed are"
        " purple, blue, orange, white, green, yellow, black, red, locomotive",
    ),
    "a negative number of train cards": (
        "red = 8",
        "red = -8",
        "train_cards.red must be a whole number from 0 to 127, not -8",
    ),
    "a rule neither on nor off": (
        "trains = 15",
        "trains = 15\nrow_sweep = 1",
        "row_sweep must be true or false, not 1",
    ),
    "a negative number of last trains": (
        "trains = 15",
        "trains = 15\nlast_round_trains = -1",
        "last_round_trains must be a whole number from 0 to 64, not -1",
    ),
    "double connections for too many": (
        "double_connections_closed_up_to = 2",
        "double_connections_closed_up_to = 7",
        "double_connections_closed_up_to must be a whole number from 0 to 6, not 7",
    ),
    "no turns": (
        "trains = 15",
        "trains = 15\nturn_limit = 0",
        "turn_limit must be a whole number from 1 to 30000, not 0",
    ),
    "an unknown tie-break": (
        '["completed_tickets"]',
        '["beauty"]',
        "tie_breaks must be a list that names each at most once of completed_tickets, longest_path, not ['beauty']",
    ),
    "a tie-break twice": (
        '["completed_tickets"]',
        '["longest_path", "longest_path"]',
        "tie_breaks must be a list that names each at most once of completed_tickets, longest_path,"
        " not ['longest_path', 'longest_path']",
    ),
    "tie-breaks that are no list": (
        '["completed_tickets"]',
        '"completed_tickets"',
        "tie_breaks must be a list that names each at most once of completed_tickets, longest_path,"
        " not 'completed_tickets'",
    ),
    "points for too long a lane": (
        "4 = 7",
        "4 = 7\n16 = 90",
        "unknown key 'points.16'; allowed are 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    ),
    "too many points": (
        "4 = 7",
        "4 = 101",
        "points.4 must be a whole number from 0 to 100, not 101",
    ),
    "no points": (
        "1 = 1\n2 = 2\n3 = 4\n4 = 7\n",
        "",
        "points must be a table with an entry for each length of a lane, not {}",
    ),
    "a default deck that does not exist": (
        'default_ticket_deck = "main"',
        'default_ticket_deck = "other"',
        "default_ticket_deck must be one of main, not 'other'",
    ),
    "a deck's name with a capital": (
        "[ticket_decks.main]",
        "[ticket_decks.Main]",
        "ticket_decks must name its tables by lowercase letters a-z, digits and _, not 'Main'",
    ),
    "a deck that is no table": (
        "[ticket_decks.main]",
        "[ticket_decks]",
        "ticket_decks.rows must be a table, not 'main'",
    ),
    "a deck of no rows": (
        'rows = "main"',
        'rows = "other"',
        "ticket_decks.main.rows must be a deck of tickets.csv (main), not 'other'",
    ),
    "more to keep than offered": (
        "starting = { offered = 2, keep = 1 }",
        "starting = { offered = 2, keep = 3 }",
        "ticket_decks.main.starting.keep must be a whole number from 0 to 2, not 3",
    ),
    "too large an offer": (
        "later = { offered = 2, keep = 1 }",
        "later = { offered = 7, keep = 1 }",
        "ticket_decks.main.later.offered must be a whole number from 1 to 6, not 7",
    ),
    "starting offers of more tickets than there are": (
        "starting = { offered = 2, keep = 1 }",
        "starting = { offered = 3, keep = 1 }",
        "ticket_decks.main.starting.offered must be at most 2, as 3 players share 7 tickets, not 3",
    ),
    "an offer that is no table": (
        "later = { offered = 2, keep = 1 }",
        "later = 2",
        "ticket_decks.main.later must be a table, not 2",
    ),
    "an unknown bonus": (
        "{ longest_path = 5 }",
        "{ explorer = 5 }",
        "unknown key 'ticket_decks.main.bonuses.explorer'; allowed are longest_path, globetrotter",
    ),
    "a bonus of nothing": (
        "{ longest_path = 5 }",
        "{ longest_path = 0 }",
        "ticket_decks.main.bonuses.longest_path must be a whole number from 1 to 100, not 0",
    ),
}


@pytest.mark.parametrize(("old", "new", "message"), VARIANT_CASES.values(), ids=VARIANT_CASES)
def test_a_wrong_key_names_itself_and_what_is_allowed(folder: Path, old: str, new: str, message: str) -> None:
    change(folder / "variant.toml", old, new)
    assert refusal(folder) == f"variant.toml: {message}"


@pytest.mark.parametrize(("wrong", "line"), [("trains 15", 7), ("trains = 15\ntrains = 15", 8)])
def test_a_syntax_error_names_its_line(folder: Path, wrong: str, line: int) -> None:
    change(folder / "variant.toml", "trains = 15", wrong)
    assert re.fullmatch(rf"variant\.toml: must be valid TOML: .*\(at line {line}, .*\)", refusal(folder))


def test_a_variant_without_ticket_decks_is_refused(folder: Path) -> None:
    text = (folder / "variant.toml").read_text()
    (folder / "variant.toml").write_text(text[: text.index("[ticket_decks.main]")] + "[ticket_decks]\n")
    assert refusal(folder) == "variant.toml: ticket_decks must be at least one table, not {}"


CITY = "zurich,Zürich,0.50,0.10,"
LANE = "bern,zurich,1,2,green"
TICKET = "main,geneva,como,5"
COLOUR_ALLOWED = "colour must be gray or a colour with train cards in variant.toml (blue, green, red), not"
ROW_CASES = {
    "a missing column of cities": (
        "cities.csv:1",
        "id,name,x,y,region",
        "id,name,x,region",
        "column 'y' is missing; allowed are id, name, x, y, region",
    ),
    "an unknown column of cities": (
        "cities.csv:1",
        "id,name,x,y,region",
        "id,name,x,y,z",
        "unknown column 'z'; allowed are id, name, x, y, region",
    ),
    "a column twice": (
        "cities.csv:1",
        "id,name,x,y,region",
        "id,name,x,y,y",
        "each column must stand only once in id, name, x, y, y",
    ),
    "a cell too few": (
        "cities.csv:4",
        CITY,
        "zurich,Zürich,0.50",
        "must have 5 cells (id, name, x, y, region), not 3",
    ),
    "a cell too many": (
        "cities.csv:4",
        CITY,
        "zurich,Zürich,Switzerland,0.50,0.10,",
        "must have 5 cells (id, name, x, y, region), not 6",
    ),
    "a quotation without end": (
        "cities.csv:4",
        CITY,
        'zurich,"Zürich,0.50,0.10,',
        "must be valid CSV: unexpected end of data",
    ),
    "a row below a blank one": (
        "cities.csv:6",
        CITY,
        "\n,,,,\nzurich,Zürich,0.50,2,",
        "y must be a number from 0 to 1, not '2'",
    ),
    "a city's id with a capital": (
        "cities.csv:4",
        CITY,
        "Zurich,Zürich,0.50,0.10,",
        "id must be an id of lowercase letters a-z, digits and _, not 'Zurich'",
    ),
    "a city twice": (
        "cities.csv:4",
        CITY,
        "bern,Zürich,0.50,0.10,",
        "id must be an id that no other city has, not 'bern'",
    ),
    "a city without a name": (
        "cities.csv:4",
        CITY,
        "zurich,,0.50,0.10,",
        "name must be one line of text, not ''",
    ),
    "a city's name of two lines": (
        "cities.csv:4",
        CITY,
        'zurich,"Zür\nich",0.50,0.10,',
        "name must be one line of text, not 'Zür\\nich'",
    ),
    "a place that is no number": (
        "cities.csv:4",
        CITY,
        "zurich,Zürich,left,0.10,",
        "x must be a number from 0 to 1, not 'left'",
    ),
    "a place that is not a number": (
        "cities.csv:4",
        CITY,
        "zurich,Zürich,nan,0.10,",
        "x must be a number from 0 to 1, not 'nan'",
    ),
    "a place off the map": (
        "cities.csv:4",
        CITY,
        "zurich,Zürich,0.50,-0.10,",
        "y must be a number from 0 to 1, not '-0.10'",
    ),
    "a region with a blank": (
        "cities.csv:4",
        CITY,
        CITY + "north east",
        "region must be an id of lowercase letters a-z, digits and _, not 'north east'",
    ),
    "a region called like a city": (
        "cities.csv:4",
        CITY,
        CITY + "bern",
        "region must be a name that is no other city's id, not 'bern'",
    ),
    "too many cities": (
        "cities.csv:66",
        CITY,
        CITY + "\nx,y,0,0," * 59,
        "at most 64 cities are allowed",
    ),
    "a missing column of routes": (
        "routes.csv:1",
        "a,b,lane,length,colour",
        "a,b,lane,length",
        "column 'colour' is missing; allowed are a, b, lane, length, colour",
    ),
    "an unknown column of routes": (
        "routes.csv:1",
        "a,b,lane,length,colour",
        "a,b,lane,length,color",
        "unknown column 'color'; allowed are a, b, lane, length, colour",
    ),
    "a lane from an unknown city": (
        "routes.csv:4",
        LANE,
        "berne,zurich,1,2,green",
        "a must be the id of a city in cities.csv, not 'berne'",
    ),
    "a lane to a region": (
        "routes.csv:4",
        LANE,
        "bern,italy,0,2,green",
        "b must be the id of a city in cities.csv, not 'italy'",
    ),
    "a lane from a city to itself": (
        "routes.csv:4",
        LANE,
        "bern,bern,0,2,green",
        "b must be another city than a, not 'bern'",
    ),
    "a lane twice": (
        "routes.csv:4",
        LANE,
        "bern,zurich,0,2,green",
        "lane must be 1, as a connection's rows are numbered 0, 1, 2 in their order, not '0'",
    ),
    "a lane's number left out": (
        "routes.csv:4",
        LANE,
        "bern,zurich,2,2,green",
        "lane must be 1, as a connection's rows are numbered 0, 1, 2 in their order, not '2'",
    ),
    "a connection without lane 0": (
        "routes.csv:2",
        "bern,geneva,0,2,red",
        "bern,geneva,1,2,red",
        "lane must be 0, as a connection's rows are numbered 0, 1, 2 in their order, not '1'",
    ),
    "a fourth lane": (
        "routes.csv:4",
        LANE,
        "bern,zurich,3,2,green",
        "lane must be a whole number from 0 to 2, not '3'",
    ),
    "a connection under both orders": (
        "routes.csv:4",
        LANE,
        "zurich,bern,0,2,green",
        "a and b must be 'bern' and 'zurich', as in the connection's first row, not 'zurich' and 'bern'",
    ),
    "a lane of no spaces": (
        "routes.csv:4",
        LANE,
        "bern,zurich,1,0,green",
        "length must be a whole number from 1 to 15, not '0'",
    ),
    "a negative length": (
        "routes.csv:4",
        LANE,
        "bern,zurich,1,-2,green",
        "length must be a whole number from 1 to 15, not '-2'",
    ),
    "too great a length": (
        "routes.csv:4",
        LANE,
        "bern,zurich,1,16,green",
        "length must be a whole number from 1 to 15, not '16'",
    ),
    "a length that is no number": (
        "routes.csv:4",
        LANE,
        "bern,zurich,1,two,green",
        "length must be a whole number from 1 to 15, not 'two'",
    ),
    "a length without points": (
        "routes.csv:4",
        LANE,
        "bern,zurich,1,5,green",
        "length must be a length with points in variant.toml (1, 2, 3, 4), not '5'",
    ),
    "an unknown colour": ("routes.csv:4", LANE, "bern,zurich,1,2,pink", f"{COLOUR_ALLOWED} 'pink'"),
    "a colour without train cards": (
        "routes.csv:4",
        LANE,
        "bern,zurich,1,2,black",
        f"{COLOUR_ALLOWED} 'black'",
    ),
    "the locomotive as a lane's colour": (
        "routes.csv:4",
        LANE,
        "bern,zurich,1,2,locomotive",
        f"{COLOUR_ALLOWED} 'locomotive'",
    ),
    "too many lanes": (
        "routes.csv:130",
        LANE,
        LANE + ("\n" + LANE) * 120,
        "at most 128 lanes are allowed",
    ),
    "a missing column of tickets": (
        "tickets.csv:1",
        "deck,a,b,points",
        "a,b,points",
        "column 'deck' is missing; allowed are deck, a, b, points",
    ),
    "an unknown column of tickets": (
        "tickets.csv:1",
        "deck,a,b,points",
        "deck,a,b,points,by",
        "unknown column 'by'; allowed are deck, a, b, points",
    ),
    "a ticket of a deck that is not used": (
        "tickets.csv:4",
        TICKET,
        "mian,geneva,como,5",
        "deck must be one that a ticket deck of variant.toml uses (main), not 'mian'",
    ),
    "a ticket's deck with a capital": (
        "tickets.csv:4",
        TICKET,
        "Main,geneva,como,5",
        "deck must be an id of lowercase letters a-z, digits and _, not 'Main'",
    ),
    "a ticket to an unknown city": (
        "tickets.csv:4",
        TICKET,
        "main,geneva,rome,5",
        "b must be the id of a city or a region of cities.csv, not 'rome'",
    ),
    "a ticket from a city to itself": (
        "tickets.csv:4",
        TICKET,
        "main,como,como,5",
        "b must be a place apart from a, not 'como'",
    ),
    "a ticket from a city to its own region": (
        "tickets.csv:4",
        TICKET,
        "main,italy,como,5",
        "b must be a place apart from a, not 'como'",
    ),
    "a ticket of no points": (
        "tickets.csv:4",
        TICKET,
        "main,geneva,como,0",
        "points must be a whole number from 1 to 100, not '0'",
    ),
    "a ticket with a fraction of a point": (
        "tickets.csv:4",
        TICKET,
        "main,geneva,como,5.5",
        "points must be a whole number from 1 to 100, not '5.5'",
    ),
    "a ticket of too many points": (
        "tickets.csv:4",
        TICKET,
        "main,geneva,como,101",
        "points must be a whole number from 1 to 100, not '101'",
    ),
    "too many tickets": (
        "tickets.csv:74",
        TICKET,
        TICKET + ("\n" + TICKET) * 66,
        "at most 72 tickets of one deck are allowed",
    ),
}


@pytest.mark.parametrize(("where", "old", "new", "message"), ROW_CASES.values(), ids=ROW_CASES)
def test_a_wrong_row_names_its_line_and_what_is_allowed(
    folder: Path, where: str, old: str, new: str, message: str
) -> None:
    change(folder / where.split(":")[0], old, new)
    assert refusal(folder) == f"{where}: {message}"


def test_a_lane_longer_than_a_players_trains_is_refused(folder: Path) -> None:
    change(folder / "variant.toml", "trains = 15", "trains = 3")
    assert refusal(folder) == (
        "routes.csv:5: length must be at most 3, the trains of a player in variant.toml, not '4'"
    )


def test_the_most_cities_lanes_and_tickets_are_allowed(folder: Path) -> None:
    cities = [f"c{number},City {number},0.5,0.5" for number in range(64)]
    lanes = [f"c{number // 3},c{number // 3 + 1},{number % 3},1,gray" for number in range(128)]
    (folder / "cities.csv").write_text("\n".join(["id,name,x,y", *cities]))
    (folder / "routes.csv").write_text("\n".join(["a,b,lane,length,colour", *lanes]))
    (folder / "tickets.csv").write_text("\n".join(["deck,a,b,points", *["main,c0,c9,9"] * 72]))
    box: Box = load_box(folder)
    assert (len(box.cities), len(box.lanes), len(box.ticket_decks["main"].tickets)) == (64, 128, 72)
