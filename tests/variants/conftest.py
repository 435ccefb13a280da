"""Copies of example folders, which tests may change."""

from pathlib import Path

import pytest

from tests.helpers.example_map import write_example_card_game, write_example_map
from tests.variants.folders import LONG_TICKETS, add_column, add_keys, change

KEYS = """\
neutral_shareholder_up_to = 2
mountain_points = 3
last_round_trains = 1
starting_locomotives = 1
exchange = 3
triple_route_claims = 2"""
ROUTE_COLUMNS = {
    "ferry": [*"000201000"],
    "mountain": [*"001020000"],
    "companies": ["sbb", "", "sbb;fs", "fs;sbb", "", "", "", "fs", ""],
    "stays_open": ["", "1", "1", "", "", "", "", "", "0"],
    "separate": ["", "0", "", "1", "", "", "", "", ""],
    "no_technology": ["", "", "", "", "", "", "", "0", "1"],
    "confidence": ["", "low", "", "", "", "", "", "", "seen twice"],
}

TECHNOLOGIES = """\
id,name,price,copies,advanced,regions,lengths,ferries,effect
visa,Visa,1,3,0,italy,,,
steam,Steam Engine,2,2,,,3;4,1,booster
diesel,Diesel Engine,9,1,1,,,0,diesel_power
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The map of docs/variants.md."""
    return write_example_map(tmp_path)


@pytest.fixture
def card_folder(tmp_path: Path) -> Path:
    """The card game of docs/variants.md."""
    return write_example_card_game(tmp_path)


@pytest.fixture
def team_folder(folder: Path) -> Path:
    """The example as a game of two teams, with tunnels."""
    change(folder / "variant.toml", "min_players = 2", "min_players = 4")
    change(folder / "variant.toml", "max_players = 3", "max_players = 4\nteam_size = 2")
    change(folder / "variant.toml", "starting = { offered = 2, keep = 1 }", "starting = { offered = 1, keep = 1 }")
    add_column(folder / "routes.csv", "tunnel", [*"300800000"])
    return folder


@pytest.fixture
def station_folder(folder: Path) -> Path:
    """The example with two stations for each player."""
    change(folder / "variant.toml", "[points]", "[stations]\nprices = { 1 = 2, 2 = 5 }\npoints = 7\n\n[points]")
    return folder


@pytest.fixture
def full_folder(folder: Path) -> Path:
    """The example with nearly all optional keys, columns and files that may stand together."""
    add_keys(folder, KEYS)
    change(folder / "variant.toml", '["completed_tickets"]', '["completed_tickets", "mountain_routes"]')
    change(folder / "variant.toml", 'rows = "main"', f'rows = "main"\n{LONG_TICKETS}')
    change(folder / "variant.toml", "{ longest_path = 5 }", "{ explorer = 6, attractions = 2 }")
    add_column(folder / "cities.csv", "attraction", ["1", "0", "", "", "", "1"])
    for column, cells in ROUTE_COLUMNS.items():
        add_column(folder / "routes.csv", column, cells)
    (folder / "technologies.csv").write_text(TECHNOLOGIES)
    (folder / "companies.csv").write_text("id,name,shares,points\nsbb,Swiss Railways,5,9;4\nfs,Italian Railways,3,6\n")
    with (folder / "tickets.csv").open("a", encoding="utf-8") as file:
        file.write("long,bern,como,11\nlong,geneva,italy,12\nlong,zurich,milan,13\n")
    return folder
