"""The line over the board: whose turn it is, what is asked, and how the game ended."""

from typing import Any

import pytest

from t2r_env.render.headline import headline
from tests.helpers.situations import Table, deal, ended, situation
from tests.render.test_narration import NAMES, known


def lines(table: Table, *seats: int | None) -> list[str]:
    """The line for each of these seats; for None that of who sees everything."""
    chosen, names = table.games.configuration, NAMES[: table.games.num_players]
    return [headline(known(table.games, seat), chosen, seat, names) for seat in seats]


@pytest.mark.parametrize(
    ("position", "action", "asked"),
    [
        ({}, "", "Your turn"),
        ({}, "draw_deck", "Draw a second card"),
        ({"hands": ["2 blue, 2 red"]}, "claim boston-montreal", "Pay for Boston–Montréal"),
        ({}, "draw_tickets", "Choose your tickets: keep one or more"),
        ({"variant": "europe", "hands": ["2 red, 1 blue"]}, "build paris", "Pay for a station in Paris"),
        (
            {"variant": "europe", "hands": ["6 black"], "deck": "5 black"},
            "claim madrid-pamplona",
            "Pay 3 black more for Madrid–Pamplona, or withdraw",
        ),
    ],
)
def test_the_acting_seat_is_asked_and_others_are_told_whose_turn(
    position: dict[str, Any], action: str, asked: str
) -> None:
    """C20: what another seat decides on is not told."""
    table = situation(**position)
    table.play(*filter(None, [action]))
    watched = {"": "Anna’s turn", "draw_tickets": "Anna is to choose tickets"}
    is_told = watched.get(action, f"Anna is to {asked[0].lower()}{asked[1:]}")
    assert lines(table, 0, None, 1) == [asked, is_told, "Anna’s turn"]


def test_c6_at_the_start_all_choose_tickets() -> None:
    asked = "Choose your tickets: keep two or more"
    assert lines(deal(3), 0, 1, 2) == [asked, *["The others choose their tickets"] * 2]


def test_c15_the_turns_left_of_the_last_round_are_added() -> None:
    table = situation(last_turns_left=2)
    assert lines(table, 0, 1) == [f"{whose} turn. Last round: two turns left" for whose in ("Your", "Anna’s")]
    table.play("draw_deck", "draw_deck", "draw_deck")
    assert lines(table, 1) == ["Draw a second card. Last round: one turn left"]


def test_the_end_says_who_has_won_for_each_reader() -> None:
    assert lines(ended(points=[5, 3], tickets="1910"), 0, 1, None) == ["You win 5 : 3", *["Anna wins 5 : 3"] * 2]
    assert lines(ended(points=[5, 5], tickets="1910"), 1) == ["You and Anna share the victory 5 : 5"]
    team = ended(4, variant="team_asia", points=[5, 5, 3, 3], routes=[["hanoi-vientiane"]])
    assert lines(team, 1, 2) == ["You and Anna win 15 : 3", "Anna and Ben win 15 : 3"]
