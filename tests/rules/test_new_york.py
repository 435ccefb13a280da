"""The rules of New York (NY1-NY6). Its taxis are the trains and its taxi cards the locomotives of the common rules.

NY1, NY2 and NY3 are tested in `test_set_up`.
"""

import functools

import numpy as np
import pytest

from tests.helpers import situations
from tests.helpers.maps import load_map
from tests.helpers.situations import end, route_name

situation = functools.partial(situations.situation, variant="new_york")
ended = functools.partial(situations.ended, variant="new_york")

ATTRACTIONS = {"brooklyn", "central_park", "chelsea", "chinatown", "empire_state_building", "greenwich_village"}
ATTRACTIONS |= {"times_square", "united_nations", "wall_street"}

ALL_ROUTES = [route_name(route.a, route.b, route.track) for route in load_map("new_york").routes]


# NY4: points for routes


@pytest.mark.parametrize(
    ("route", "hand", "points"),
    [
        ("midtown_west-times_square", "1 red", 1),
        ("soho-wall_street", "2 red", 2),
        ("brooklyn-wall_street", "3 blue", 4),
        ("chelsea-soho", "4 purple", 7),
    ],
)
def test_ny4_points_for_a_route_count_at_once(route: str, hand: str, points: int) -> None:
    """NY4 (ruling), C10: by its length; attractions at its ends do not count yet."""
    table = situation(hands=["", hand], to_move=1, reward="score")
    table.play(f"claim {route}")
    assert (table.score(0), table.score(1)) == (0, points)
    assert table.games.rewards.tolist() == [[0, points]]


# NY5: attractions


def test_ny5_a_route_earns_a_point_for_each_of_its_ends_that_is_an_attraction() -> None:
    """NY5: at the end only."""
    for route in ALL_ROUTES:
        ends = set(route.removesuffix(" 1").split("-"))
        table = situation(routes=[[], [route]], last_turns_left=1)
        before = table.score(1)
        assert end(table).parts("attractions") == [0, len(ends & ATTRACTIONS)]
        assert table.scores == [0, before + len(ends & ATTRACTIONS)]


def test_ny5_attractions_of_random_networks_are_counted_city_by_city() -> None:
    """NY5: for random routes of four players; a city counts once for a player, whoever else touches it."""
    rng = np.random.default_rng(5)
    for _ in range(30):
        routes: list[list[str]] = [[], [], [], []]
        groups: list[set[str]] = [set(), set(), set(), set()]
        for route in rng.permutation(ALL_ROUTES).tolist():
            seat, pair = int(rng.integers(4)), route.removesuffix(" 1")
            if len(routes[seat]) < 5 and pair not in groups[seat] and route != "chelsea-soho":
                routes[seat].append(route)  # five routes of three spaces at most
                groups[seat].add(pair)
        touched = [{city for pair in own for city in pair.split("-")} for own in groups]
        assert ended(4, routes=routes).parts("attractions") == [len(cities & ATTRACTIONS) for cities in touched]


def test_ny5_there_is_no_longest_path_bonus() -> None:
    """NY5: only routes, tickets and attractions count."""
    path = ["gramercy_park-united_nations", "east_village-gramercy_park", "east_village-lower_east_side"]
    table = ended(routes=[path], holds=[["lower_east_side-wall_street"]])
    assert table.final(0)["breakdown"] == {"routes": 4 + 2 + 1, "tickets": -2, "attractions": 1}
    assert table.final(1)["breakdown"] == {"routes": 0, "tickets": 0, "attractions": 0}
    assert table.scores == [6, 0]


# NY6: the end, and ties


@pytest.mark.parametrize(("left", "is_last_round"), [(0, True), (2, True), (3, False)])
def test_ny6_two_taxis_or_fewer_trigger_the_last_round(left: int, is_last_round: bool) -> None:
    """NY6, C15: one more turn for each, and then the end."""
    table = situation(hands=["3 blue"], trains=[3 + left])
    table.play("claim brooklyn-wall_street")
    assert table.trains(0) == left
    assert table.snapshot["last_turns_left"] == (2 if is_last_round else None)
    table.play("draw_deck", "draw_deck", "draw_deck", "draw_deck")
    assert table.outcome == ("finished" if is_last_round else "running")


def test_ny6_ties_go_by_completed_tickets_and_then_the_victory_is_shared() -> None:
    """NY6, C18: longer paths and more attractions, routes or taxis do not decide."""
    path = ["midtown_west-times_square", "times_square-united_nations"]
    table = ended(points=[3, 8], routes=[path], holds=[["midtown_west-united_nations"]])
    assert (table.scores, table.ranks) == ([3 + 3 + 2, 8], [1, 2])
    path = ["chelsea-soho", "soho-wall_street", "brooklyn-wall_street"]
    table = ended(3, points=[7, 10, 9], routes=[path, []], reward="win")
    assert (table.scores, table.ranks) == ([10, 10, 9], [1, 1, 3])
    assert table.games.rewards.tolist() == [[0.5, 0.5, 0]]
