"""Games of teams: the numbers of players, and the rules that teams exclude."""

import re
from pathlib import Path

from tests.helpers.maps import load_map
from tests.variants.folders import add_column, change, check_refusal, refusal, refusals


def test_ta1_as_many_play_as_make_complete_teams(team_folder: Path) -> None:
    variant = load_map(team_folder)
    assert (variant.team_size, list(variant.player_numbers)) == (2, [4])
    change(team_folder / "variant.toml", "max_players = 4", "max_players = 6")
    assert list(load_map(team_folder).player_numbers) == [4, 6]


def test_without_teams_any_number_of_players_within_the_limits_may_play(folder: Path) -> None:
    assert list(load_map(folder).player_numbers) == [2, 3]


def test_the_largest_teams_and_tunnels_are_allowed(team_folder: Path) -> None:
    change(team_folder / "variant.toml", "trains = 15", "trains = 32")
    change(team_folder / "variant.toml", "max_players = 4", "max_players = 6")
    variant = load_map(team_folder)
    assert (variant.trains, max(route.tunnel for route in variant.routes)) == (32, 8)


WRONG_TEAMS = r"""
variant.toml | team_size = 2 | team_size = 0
    team_size must be an integer from 1 to 2, not 0
variant.toml | team_size = 2 | team_size = 3
    team_size must be an integer from 1 to 2, not 3
variant.toml | min_players = 4 | min_players = 3
    team_size must be such that 3 and 4 players make two teams or more, not 2
variant.toml | max_players = 4 | max_players = 5
    team_size must be such that 4 and 5 players make two teams or more, not 2
variant.toml | min_players = 4 | min_players = 2
    team_size must be such that 2 and 4 players make two teams or more, not 2
variant.toml | trains = 15 | trains = 33
    trains must be an integer from 1 to 32, not 33
variant.toml | trains = 15 | trains = 15\nexchange = 4
    exchange must be 0 in a game of teams, not 4
"""


@refusals(WRONG_TEAMS)
def test_wrong_teams_are_refused(team_folder: Path, where: str, old: str, new: str, message: str) -> None:
    check_refusal(team_folder, where, old, new, message)


def test_teams_must_keep_a_ticket_which_they_share(team_folder: Path) -> None:
    change(team_folder / "variant.toml", "later = { offered = 2, keep = 1 }", "later = { offered = 2, keep = 0 }")
    assert refusal(team_folder) == (
        "variant.toml: ticket_decks.main must have 1 ticket or more to keep, of which teams share one"
    )


def test_teams_with_exchanges_on_routes_are_refused(team_folder: Path) -> None:
    text = (team_folder / "routes.csv").read_text()
    (team_folder / "routes.csv").write_text(re.sub(",[38]$", ",0", text, flags=re.MULTILINE))
    add_column(team_folder / "routes.csv", "exchange", ["", "", "3", *[""] * 6])
    assert refusal(team_folder) == "routes.csv:4: exchange must be 0 in a game of teams, not 3"


def test_teams_with_long_tickets_are_refused(team_folder: Path) -> None:
    change(
        team_folder / "variant.toml",
        'rows = "main"',
        'rows = "main"\nlong = { rows = "long", offered = 1 }\nstarting_refused = "leave"',
    )
    with (team_folder / "tickets.csv").open("a", encoding="utf-8") as file:
        file.write("long,bern,como,11\n" * 4)
    assert refusal(team_folder) == "variant.toml: team_size must be 1 in a game with companies or long tickets, not 2"


def test_an_exchange_on_a_route_with_a_tunnel_is_refused_without_teams_too(full_folder: Path) -> None:
    """NO7."""
    add_column(full_folder / "routes.csv", "tunnel", ["0", "3", *["0"] * 7])
    assert refusal(full_folder) == "routes.csv:3: exchange must be 0 on a route with a tunnel, not 3"
