"""variant.toml: its keys, their defaults, and the errors for wrong ones."""

from pathlib import Path

from t2r_env.variants import City, Route
from tests.helpers.maps import load_map
from tests.variants.folders import change, check_refusal, refusal, refusals


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
    assert deck.later_refused == "under"  # C12
    assert (variant.free_locomotives, variant.locomotives_pay_for, variant.grand_tour) == (False, ("routes",), ())


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


WRONG_KEYS = r"""
variant.toml | trains = 15 | trains = 15\nferries = 2
    unknown key 'ferries'; allowed are id, name, environment_version, min_players, max_players, starting_hand,
    tie_breaks, default_ticket_deck, train_cards, ticket_decks, aspect, trains, double_routes_closed_up_to, points,
    ruleset, starting_locomotives, turn_limit, team_size, face_up_sweep, last_round_trains, triple_route_claims,
    mountain_points, free_locomotives, locomotives_pay_for, exchange, neutral_shareholder_up_to, grand_tour, stations
variant.toml | trains = 15\n |
    key 'trains' is missing; allowed are id, name, environment_version, min_players, max_players, starting_hand,
    tie_breaks, default_ticket_deck, train_cards, ticket_decks, aspect, trains, double_routes_closed_up_to, points,
    ruleset, starting_locomotives, turn_limit, team_size, face_up_sweep, last_round_trains, triple_route_claims,
    mountain_points, free_locomotives, locomotives_pay_for, exchange, neutral_shareholder_up_to, grand_tour, stations
variant.toml | trains = 15 | trains = "15"
    trains must be an integer from 1 to 64, not '15'
variant.toml | trains = 15 | trains = true
    trains must be an integer from 1 to 64, not True
variant.toml | trains = 15 | trains = 1.5
    trains must be an integer from 1 to 64, not 1.5
variant.toml | trains = 15 | trains = 65
    trains must be an integer from 1 to 64, not 65
variant.toml | trains = 15 | trains = 15\nruleset = "ships"
    ruleset must be one of map_game, card_game, not 'ships'
variant.toml | trains = 15 | trains = 15\nruleset = ["map_game"]
    ruleset must be one of map_game, card_game, not ['map_game']
variant.toml | ["completed_tickets"] | ["bonus_cards"]
    tie_breaks must be a list that names each at most once of completed_tickets, longest_path, mountain_routes,
    stations_left, not ['bonus_cards']
variant.toml | id = "lakes" | id = "Lakes"
    id must be an id of lowercase letters a-z, digits and _, not 'Lakes'
variant.toml | id = "lakes" | id = 1910
    id must be an id of lowercase letters a-z, digits and _, not 1910
variant.toml | name = "Lakes of the Alps" | name = " "
    name must be one line of text, not ' '
variant.toml | environment_version = 0 | environment_version = -1
    environment_version must be an integer from 0 to 999, not -1
variant.toml | aspect = 1.3 | aspect = inf
    aspect must be a number from 0.1 to 10, not inf
variant.toml | min_players = 2 | min_players = 1
    min_players must be an integer from 2 to 6, not 1
variant.toml | max_players = 3 | max_players = 1
    max_players must be an integer from 2 to 6, not 1
variant.toml | max_players = 3 | max_players = 7
    max_players must be an integer from 2 to 6, not 7
variant.toml | starting_hand = 3 | starting_hand = 0
    starting_hand must be an integer from 1 to 127, not 0
variant.toml | starting_hand = 3 | starting_hand = 11
    train_cards must add up to 33 cards (max_players times starting_hand and starting_locomotives) to 127, not 30
variant.toml | red = 8 | red = 106
    train_cards must add up to 9 cards (max_players times starting_hand and starting_locomotives) to 127, not 128
variant.toml | red = 8 | pink = 8
    unknown key 'train_cards.pink'; allowed are purple, blue, orange, white, green, yellow, black, red, locomotive
variant.toml | red = 8 | red = -8
    train_cards.red must be an integer from 0 to 127, not -8
variant.toml | trains = 15 | trains = 15\nface_up_sweep = 1
    face_up_sweep must be true or false, not 1
variant.toml | trains = 15 | trains = 15\nfree_locomotives = "yes"
    free_locomotives must be true or false, not 'yes'
variant.toml | trains = 15 | trains = 15\nlocomotives_pay_for = ["ships"]
    locomotives_pay_for must be a list that names each at most once of routes, ferries, tunnels, not ['ships']
variant.toml | trains = 15 | trains = 15\ngrand_tour = { 2 = 5 }
    grand_tour must be a table with an entry for one ticket, two and so on, not {'2': 5}
variant.toml | trains = 15 | trains = 15\ngrand_tour = { 1 = 101 }
    grand_tour.1 must be an integer from 0 to 100, not 101
variant.toml | trains = 15 | trains = 15\nlast_round_trains = -1
    last_round_trains must be an integer from 0 to 64, not -1
variant.toml | double_routes_closed_up_to = 2 | double_routes_closed_up_to = 7
    double_routes_closed_up_to must be an integer from 0 to 6, not 7
variant.toml | trains = 15 | trains = 15\nturn_limit = 0
    turn_limit must be an integer from 1 to 30000, not 0
variant.toml | ["completed_tickets"] | ["beauty"]
    tie_breaks must be a list that names each at most once of completed_tickets, longest_path, mountain_routes,
    stations_left, not ['beauty']
variant.toml | ["completed_tickets"] | ["longest_path", "longest_path"]
    tie_breaks must be a list that names each at most once of completed_tickets, longest_path, mountain_routes,
    stations_left, not ['longest_path', 'longest_path']
variant.toml | ["completed_tickets"] | "completed_tickets"
    tie_breaks must be a list that names each at most once of completed_tickets, longest_path, mountain_routes,
    stations_left, not 'completed_tickets'
variant.toml | 4 = 7 | 4 = 7\n16 = 90
    unknown key 'points.16'; allowed are 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
variant.toml | 4 = 7 | 4 = 101
    points.4 must be an integer from 0 to 100, not 101
variant.toml | 1 = 1\n2 = 2\n3 = 4\n4 = 7\n |
    points must be a table with an entry for each length of a route, not {}
"""


@refusals(WRONG_KEYS)
def test_a_wrong_key_is_refused(folder: Path, where: str, old: str, new: str, message: str) -> None:
    check_refusal(folder, where, old, new, message)


WRONG_KEYS_OF_SOME_GAMES = r"""
variant.toml | starting_locomotives = 1 | starting_locomotives = -1
    starting_locomotives must be an integer from 0 to 2, not -1
variant.toml | starting_locomotives = 1 | starting_locomotives = 3
    starting_locomotives must be an integer from 0 to 2, not 3
variant.toml | exchange = 3 | exchange = 10
    exchange must be an integer from 0 to 9, not 10
variant.toml | exchange = 3 | exchange = 0
    exchange must be 2 to 9 with the technologies of technologies.csv, not 0
variant.toml | triple_route_claims = 2 | triple_route_claims = 0
    triple_route_claims must be an integer from 1 to 3, not 0
variant.toml | triple_route_claims = 2 | triple_route_claims = 4
    triple_route_claims must be an integer from 1 to 3, not 4
variant.toml | neutral_shareholder_up_to = 2 | neutral_shareholder_up_to = 7
    neutral_shareholder_up_to must be an integer from 0 to 6, not 7
variant.toml | mountain_points = 3 | mountain_points = -1
    mountain_points must be an integer from 0 to 100, not -1
variant.toml | mountain_points = 3 | mountain_points = 101
    mountain_points must be an integer from 0 to 100, not 101
"""


@refusals(WRONG_KEYS_OF_SOME_GAMES)
def test_a_wrong_key_that_only_some_games_have_is_refused(
    full_folder: Path, where: str, old: str, new: str, message: str
) -> None:
    check_refusal(full_folder, where, old, new, message)
