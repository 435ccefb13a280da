"""variant.toml: its keys, their defaults, and the errors for wrong ones."""

from pathlib import Path

from t2r_env.variants import City, Route
from tests.helpers.maps import load_map
from tests.variants.folders import change, refusal


def test_the_example_of_the_documentation_is_a_complete_map(folder: Path) -> None:
    variant = load_map(folder)
    assert (variant.id, variant.name, variant.ruleset) == ("lakes", "Lakes of the Alps", "map_game")
    assert variant.colours == {"blue": 8, "green": 8, "red": 8}
    assert variant.locomotives == 6
    assert variant.points == (0, 1, 2, 4, 7)
    assert variant.cities[1] == City("geneva", "Genève", 0.05, 0.6)
    assert variant.routes[2] == Route("bern", "zurich", 1, 2, "green")
    assert variant.ticket_decks["main"].bonuses == {"longest_path": 5}


def test_a_key_or_column_left_out_means_the_common_rule(folder: Path) -> None:
    variant = load_map(folder)
    assert (variant.face_up_sweep, variant.last_round_trains, variant.turn_limit) == (True, 2, 1000)  # C4, C15, C19
    assert (variant.neutral_shareholder_up_to, variant.mountain_points) == (0, 2)  # PA8, LA5
    assert (variant.team_size, variant.triple_route_claims) == (1, 1)  # TA1, C11
    assert (variant.starting_locomotives, variant.exchange) == (0, 0)  # UK1, UK5
    deck = variant.ticket_decks["main"]
    assert (deck.long, deck.long_offered, deck.starting_refused) == ((), 0, "under")  # C5, LA2
    assert deck.later_refused == "under"  # C12
    assert (variant.free_locomotives, variant.locomotives_pay_for, variant.grand_tour) == (False, ("routes",), ())
    assert (variant.companies, variant.all_technologies, variant.stations) == ((), (), None)
    assert not any(city.attraction for city in variant.cities)
    unmarked = Route("bern", "geneva", 0, 2, "red", False, False, 0, 0, 0, (), False, 0)
    assert variant.routes[0] == unmarked
    assert list(variant.player_numbers) == [2, 3]  # any number within the limits


def test_the_keys_of_some_games_are_read(full_folder: Path) -> None:
    """TA9, UK1, UK5, LA5, PA8, LA6, NY5."""
    variant = load_map(full_folder)
    assert (variant.triple_route_claims, variant.starting_locomotives, variant.exchange) == (2, 1, 3)
    assert (variant.mountain_points, variant.neutral_shareholder_up_to) == (3, 2)
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
