"""variant.toml: its keys, their defaults, and the errors for wrong ones."""

from pathlib import Path

import pytest

from t2r_env.variants import City, Route
from tests.maps import load_map
from tests.variants.folders import change, check_refusal, refusal


def test_the_example_of_the_documentation_is_a_complete_map(folder: Path) -> None:
    variant = load_map(folder)
    assert (variant.id, variant.name, variant.ruleset) == ("lakes", "Lakes of the Alps", "map_game")
    assert variant.colours == {"blue": 8, "green": 8, "red": 8}
    assert variant.locomotives == 6
    assert variant.points == (0, 1, 2, 4, 7)
    assert variant.cities[1] == City("geneva", "Genève", 0.05, 0.6)
    assert variant.routes[2] == Route("bern", "zurich", 1, 2, "green")
    assert variant.ticket_decks["main"].bonuses == {"longest_path": 5}


def test_a_key_left_out_means_the_common_rule(folder: Path) -> None:
    variant = load_map(folder)
    assert (variant.face_up_sweep, variant.last_round_trains, variant.turn_limit) == (True, 2, 1000)  # C4, C15, C19
    assert (variant.neutral_shareholder_up_to, variant.mountain_points) == (0, 2)  # PA8, LA5
    assert (variant.team_size, variant.triple_route_claims) == (1, 1)  # TA1, C11
    assert (variant.starting_locomotives, variant.exchange) == (0, 0)  # UK1, UK5
    deck = variant.ticket_decks["main"]
    assert (deck.long, deck.long_offered, deck.starting_refused) == ((), 0, "under")  # C5, LA2


def test_a_column_left_out_means_that_there_is_none(folder: Path) -> None:
    variant = load_map(folder)
    assert not any(city.attraction for city in variant.cities)
    assert {(route.ferry, route.mountain, route.companies) for route in variant.routes} == {(0, 0, ())}
    assert {(route.tunnel, route.stays_open, route.separate, route.no_technology) for route in variant.routes} == {
        (0, False, False, False)
    }
    assert (variant.companies, variant.all_technologies) == ((), ())


def test_ta9_uk1_uk5_the_numbers_of_triple_route_claims_locomotives_and_exchanges_are_read(full_folder: Path) -> None:
    variant = load_map(full_folder)
    assert (variant.triple_route_claims, variant.starting_locomotives, variant.exchange) == (2, 1, 3)


def test_la5_the_points_of_an_x_may_be_others(full_folder: Path) -> None:
    assert load_map(full_folder).mountain_points == 3


def test_pa8_a_neutral_player_holds_shares_up_to_the_number_of_players_named(full_folder: Path) -> None:
    variant = load_map(full_folder)
    assert variant.neutral_shareholder_up_to == 2


def test_the_bonuses_and_tie_breaks_are_read_by_their_names(full_folder: Path) -> None:
    variant = load_map(full_folder)
    assert variant.ticket_decks["main"].bonuses == {"explorer": 6, "attractions": 2}
    assert variant.tie_breaks == ("completed_tickets", "mountain_routes")


def test_the_starting_locomotives_are_cards_of_the_deck_too(folder: Path) -> None:
    change(folder / "variant.toml", "starting_hand = 3", "starting_hand = 9\nstarting_locomotives = 1")
    assert load_map(folder).starting_hand == 9
    change(folder / "variant.toml", "starting_locomotives = 1", "starting_locomotives = 2")
    assert refusal(folder).startswith("variant.toml: train_cards must add up to 33 cards")


def test_the_most_cities_routes_and_tickets_are_allowed(folder: Path) -> None:
    cities = [f"c{number},City {number},0.5,0.5" for number in range(64)]
    routes = [f"c{number // 3},c{number // 3 + 1},{number % 3},1,gray" for number in range(128)]
    (folder / "cities.csv").write_text("\n".join(["id,name,x,y", *cities]))
    (folder / "routes.csv").write_text("\n".join(["a,b,track,length,colour", *routes]))
    (folder / "tickets.csv").write_text("\n".join(["deck,a,b,points", *["main,c0,c9,9"] * 72]))
    variant = load_map(folder)
    assert (len(variant.cities), len(variant.routes), len(variant.ticket_decks["main"].tickets)) == (64, 128, 72)


VARIANT_KEYS = (
    "id, name, environment_version, min_players, max_players, starting_hand, tie_breaks, default_ticket_deck,"
    " train_cards, ticket_decks, aspect, trains, double_routes_closed_up_to, points,"
    " ruleset, starting_locomotives, turn_limit, team_size, face_up_sweep, last_round_trains,"
    " triple_route_claims, mountain_points, exchange, neutral_shareholder_up_to, stations"
)


TIE_BREAKS_ALLOWED = (
    "tie_breaks must be a list that names each at most once of completed_tickets, longest_path, mountain_routes,"
    " stations_left, not"
)


WRONG_KEYS = {
    "an unknown key": ("trains = 15", "trains = 15\nferries = 2", f"unknown key 'ferries'; allowed are {VARIANT_KEYS}"),
    "a missing key": ("trains = 15\n", "", f"key 'trains' is missing; allowed are {VARIANT_KEYS}"),
    "a number that is text": ("trains = 15", 'trains = "15"', "trains must be an integer from 1 to 64, not '15'"),
    "a number that is true": ("trains = 15", "trains = true", "trains must be an integer from 1 to 64, not True"),
    "a number with a fraction": ("trains = 15", "trains = 1.5", "trains must be an integer from 1 to 64, not 1.5"),
    "too many trains": ("trains = 15", "trains = 65", "trains must be an integer from 1 to 64, not 65"),
    "an unknown ruleset": (
        "trains = 15",
        'trains = 15\nruleset = "ships"',
        "ruleset must be one of map_game, card_game, not 'ships'",
    ),
    "a list as ruleset": (
        "trains = 15",
        'trains = 15\nruleset = ["map_game"]',
        "ruleset must be one of map_game, card_game, not ['map_game']",
    ),
    "bonus cards as a tie-break of a map game": (
        '["completed_tickets"]',
        '["bonus_cards"]',
        f"{TIE_BREAKS_ALLOWED} ['bonus_cards']",
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
    "a blank name": ('name = "Lakes of the Alps"', 'name = " "', "name must be one line of text, not ' '"),
    "a negative version": (
        "environment_version = 0",
        "environment_version = -1",
        "environment_version must be an integer from 0 to 999, not -1",
    ),
    "an endless map": ("aspect = 1.3", "aspect = inf", "aspect must be a number from 0.1 to 10, not inf"),
    "a game for one": ("min_players = 2", "min_players = 1", "min_players must be an integer from 2 to 6, not 1"),
    "fewer players at most than at least": (
        "max_players = 3",
        "max_players = 1",
        "max_players must be an integer from 2 to 6, not 1",
    ),
    "a game for seven": ("max_players = 3", "max_players = 7", "max_players must be an integer from 2 to 6, not 7"),
    "a starting hand of nothing": (
        "starting_hand = 3",
        "starting_hand = 0",
        "starting_hand must be an integer from 1 to 127, not 0",
    ),
    "a deck too small for the starting hands": (
        "starting_hand = 3",
        "starting_hand = 11",
        "train_cards must add up to 33 cards (max_players times starting_hand and starting_locomotives) to 127, not 30",
    ),
    "too many train cards": (
        "red = 8",
        "red = 106",
        "train_cards must add up to 9 cards (max_players times starting_hand and starting_locomotives) to 127, not 128",
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
        "train_cards.red must be an integer from 0 to 127, not -8",
    ),
    "a rule neither true nor false": (
        "trains = 15",
        "trains = 15\nface_up_sweep = 1",
        "face_up_sweep must be true or false, not 1",
    ),
    "a negative number of last trains": (
        "trains = 15",
        "trains = 15\nlast_round_trains = -1",
        "last_round_trains must be an integer from 0 to 64, not -1",
    ),
    "double routes closed for too many": (
        "double_routes_closed_up_to = 2",
        "double_routes_closed_up_to = 7",
        "double_routes_closed_up_to must be an integer from 0 to 6, not 7",
    ),
    "no turns": ("trains = 15", "trains = 15\nturn_limit = 0", "turn_limit must be an integer from 1 to 30000, not 0"),
    "an unknown tie-break": ('["completed_tickets"]', '["beauty"]', f"{TIE_BREAKS_ALLOWED} ['beauty']"),
    "a tie-break twice": (
        '["completed_tickets"]',
        '["longest_path", "longest_path"]',
        f"{TIE_BREAKS_ALLOWED} ['longest_path', 'longest_path']",
    ),
    "tie-breaks that are not a list": (
        '["completed_tickets"]',
        '"completed_tickets"',
        f"{TIE_BREAKS_ALLOWED} 'completed_tickets'",
    ),
    "points for too long a route": (
        "4 = 7",
        "4 = 7\n16 = 90",
        "unknown key 'points.16'; allowed are 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    ),
    "too many points": ("4 = 7", "4 = 101", "points.4 must be an integer from 0 to 100, not 101"),
    "no points": (
        "1 = 1\n2 = 2\n3 = 4\n4 = 7\n",
        "",
        "points must be a table with an entry for each length of a route, not {}",
    ),
}


@pytest.mark.parametrize(("old", "new", "message"), WRONG_KEYS.values(), ids=WRONG_KEYS)
def test_a_wrong_key_is_refused(folder: Path, old: str, new: str, message: str) -> None:
    check_refusal(folder, "variant.toml", old, new, message)


WRONG_KEYS_OF_SOME_GAMES = {
    "fewer than no locomotives to start with": (
        "variant.toml",
        "starting_locomotives = 1",
        "starting_locomotives = -1",
        "starting_locomotives must be an integer from 0 to 2, not -1",
    ),
    "more locomotives to start with than there are for all": (
        "variant.toml",
        "starting_locomotives = 1",
        "starting_locomotives = 3",
        "starting_locomotives must be an integer from 0 to 2, not 3",
    ),
    "too many cards for a locomotive": (
        "variant.toml",
        "exchange = 3",
        "exchange = 10",
        "exchange must be an integer from 0 to 9, not 10",
    ),
    "technologies that cards can't be exchanged for": (
        "variant.toml",
        "exchange = 3",
        "exchange = 0",
        "exchange must be 2 to 9 with the technologies of technologies.csv, not 0",
    ),
    "no route of three to be claimed": (
        "variant.toml",
        "triple_route_claims = 2",
        "triple_route_claims = 0",
        "triple_route_claims must be an integer from 1 to 3, not 0",
    ),
    "more than all routes of three to be claimed": (
        "variant.toml",
        "triple_route_claims = 2",
        "triple_route_claims = 4",
        "triple_route_claims must be an integer from 1 to 3, not 4",
    ),
    "a neutral player for too many": (
        "variant.toml",
        "neutral_shareholder_up_to = 2",
        "neutral_shareholder_up_to = 7",
        "neutral_shareholder_up_to must be an integer from 0 to 6, not 7",
    ),
    "fewer than no points for an x": (
        "variant.toml",
        "mountain_points = 3",
        "mountain_points = -1",
        "mountain_points must be an integer from 0 to 100, not -1",
    ),
    "too many points for an x": (
        "variant.toml",
        "mountain_points = 3",
        "mountain_points = 101",
        "mountain_points must be an integer from 0 to 100, not 101",
    ),
}


@pytest.mark.parametrize(
    ("where", "old", "new", "message"), WRONG_KEYS_OF_SOME_GAMES.values(), ids=WRONG_KEYS_OF_SOME_GAMES
)
def test_a_wrong_key_that_only_some_games_have_is_refused(
    full_folder: Path, where: str, old: str, new: str, message: str
) -> None:
    check_refusal(full_folder, where, old, new, message)
