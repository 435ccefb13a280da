"""The key `stations` of variant.toml (EU6, EU8): what it may hold, and the errors for what it may not."""

from pathlib import Path

import pytest

from t2r_env import Games, configure
from tests.helpers.maps import load_map, map_configuration
from tests.variants.folders import change, check_refusal, refusal, refusals

STATIONS = "[stations]\nprices = { 1 = 2, 2 = 5 }\npoints = 7\n\n[points]"


@pytest.fixture
def station_folder(folder: Path) -> Path:
    """The example with two stations for each player."""
    change(folder / "variant.toml", "[points]", STATIONS)
    return folder


def test_eu6_eu8_number_prices_and_points_of_stations_are_read(station_folder: Path) -> None:
    stations = load_map(station_folder).stations
    assert stations
    assert (stations.prices, stations.points) == ((2, 5), 7)


def test_a_game_without_the_key_has_no_stations(folder: Path) -> None:
    assert load_map(folder).stations is None
    assert "build" not in configure(folder).layout.actions


def test_eu6_a_station_may_take_more_cards_than_any_route(station_folder: Path) -> None:
    assert map_configuration(configure(station_folder)).largest_payment == 5


def test_eu6_eu8_a_map_of_your_own_is_played_with_its_stations(station_folder: Path) -> None:
    """Games end by the rules, and nobody has more stations than there are, nor other points for those left."""
    games = Games(station_folder, 3, 200, seed=3, autoreset=False)
    games.play_random(100_000)
    built = []
    for row in range(200):
        snapshot = games.snapshot(row)
        for player, final in zip(snapshot["players"], snapshot["final"], strict=True):
            built.append(len(player["stations"]))
            assert final["breakdown"]["stations"] == 7 * (2 - built[-1])
            assert [city for city, _ in final["station_routes"]] == player["stations"]
    assert set(built) == {1, 2}


WRONG = r"""
variant.toml | prices = { 1 = 2, 2 = 5 }\n |
    key 'stations.prices' is missing; allowed are prices, points
variant.toml | points = 7\n |
    key 'stations.points' is missing; allowed are prices, points
variant.toml | { 1 = 2, 2 = 5 } | {}
    stations.prices must be a table with an entry for the first station, the second and so on, not {}
variant.toml | { 1 = 2, 2 = 5 } | { 2 = 5 }
    stations.prices must be a table with an entry for the first station, the second and so on, not {'2': 5}
variant.toml | 2 = 5 } | 2 = 5, 3 = 5, 4 = 5 }
    unknown key 'stations.prices.4'; allowed are 1, 2, 3
variant.toml | 1 = 2 | 1 = 0
    stations.prices.1 must be an integer from 1 to 9, not 0
variant.toml | 2 = 5 | 2 = 10
    stations.prices.2 must be an integer from 1 to 9, not 10
variant.toml | points = 7 | points = -1
    stations.points must be an integer from 0 to 100, not -1
variant.toml | points = 7 | points = 101
    stations.points must be an integer from 0 to 100, not 101
"""


@refusals(WRONG)
def test_wrong_stations_are_refused(station_folder: Path, where: str, old: str, new: str, message: str) -> None:
    check_refusal(station_folder, where, old, new, message)


def test_stations_must_be_a_table(folder: Path) -> None:
    check_refusal(folder, "variant.toml", "trains = 15", "trains = 15\nstations = 3", "stations must be a table, not 3")


def test_no_rule_has_stations_with_exchanges(full_folder: Path) -> None:
    change(full_folder / "variant.toml", "[points]", STATIONS)
    assert refusal(full_folder) == "variant.toml: stations must be left out where there are teams or exchanges"


def test_no_rule_has_stations_with_teams(team_folder: Path) -> None:
    change(team_folder / "variant.toml", "[points]", STATIONS)
    assert refusal(team_folder) == "variant.toml: stations must be left out where there are teams or exchanges"
