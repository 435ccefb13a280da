"""The rules of New York (NY1-NY6). Its taxis are the trains and its taxi cards the locomotives of the common rules."""

import itertools
from typing import Any

import numpy as np
import pytest

from t2r_env import configure
from tests.maps import load_map
from tests.situations import CARDS, Table, count, route_name
from tests.situations import deal as deal_any
from tests.situations import end as play_out
from tests.situations import situation as situation_any

COLOURS = ["purple", "blue", "orange", "green", "black", "red"]

ATTRACTIONS = {
    "brooklyn",
    "central_park",
    "chelsea",
    "chinatown",
    "empire_state_building",
    "greenwich_village",
    "times_square",
    "united_nations",
    "wall_street",
}

ALL_ROUTES = [route_name(route.a, route.b, route.track) for route in load_map("new_york").routes]
DOUBLES = [route.removesuffix(" 1") for route in ALL_ROUTES if route.endswith(" 1")]


def deal(players: int = 2, **more: Any) -> Table:
    """A game of New York just dealt."""
    return deal_any(players, variant="new_york", **more)


def situation(players: int = 2, **more: Any) -> Table:
    """A position on the map of New York."""
    return situation_any(players, variant="new_york", **more)


def ended(players: int = 2, **more: Any) -> Table:
    """A game of New York that has just ended."""
    return play_out(situation(players, last_turns_left=1, **more))


def claims(table: Table) -> set[str]:
    """The routes that may be claimed."""
    return {action.removeprefix("claim ") for action in table.legal if action.startswith("claim")}


def parts(table: Table, name: str) -> list[int]:
    """A part of every seat's score."""
    return [final["breakdown"][name] for final in table.snapshot["final"]]


# NY1: players, taxis, cards


def test_ny1_two_to_four_may_play() -> None:
    """NY1."""
    for players in (2, 3, 4):
        assert deal(players).games.num_players == players
    for players in (1, 5):
        with pytest.raises(ValueError, match="from 2 to 4"):
            configure("new_york", players)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ny1_each_player_begins_with_15_taxis_2_cards_and_no_points(players: int) -> None:
    """NY1, C5."""
    table = deal(players)
    for seat in range(players):
        assert table.trains(seat) == 15
        assert count(table.hand(seat)).sum() == 2
        assert table.score(seat) == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ny1_there_are_6_cards_of_each_of_six_colours_and_8_taxi_cards(players: int) -> None:
    """NY1."""
    table = deal(players)
    hands = sum(count(table.hand(seat)) for seat in range(players))
    everywhere = hands + count(table.deck) + count(table.discard) + count(table.face_up_cards)
    there = dict(zip(CARDS, everywhere, strict=True))
    assert there == dict.fromkeys(COLOURS, 6) | {"white": 0, "yellow": 0, "locomotive": 8}
    assert everywhere.sum() == 44


def test_ny1_taxi_cards_stand_in_for_any_colour() -> None:
    """NY1, C9: all payments of a gray and of a coloured route of two."""
    hand = "1 purple, 2 green, 2 locomotive"
    table = situation(hands=[hand])
    table.play("claim soho-wall_street")
    assert table.legal == {"pay 1 purple, 1 locomotive", "pay 2 green", "pay 1 green, 1 locomotive", "pay 2 locomotive"}
    table = situation(hands=[hand])
    table.play("claim lincoln_center-times_square")
    assert table.legal == {"pay 2 green", "pay 1 green, 1 locomotive", "pay 2 locomotive"}


def test_ny1_three_face_up_taxi_cards_discard_all_five_cards() -> None:
    """NY1, C4."""
    table = situation(face_up="locomotive, locomotive, blue, green, orange", deck="1 locomotive", discard="6 red")
    table.play("draw_face_up 4")
    assert table.face_up == "red, red, red, red, red"
    assert (table.deck, table.discard) == ("1 red", "1 blue, 1 green, 3 locomotive")


# NY2: tickets


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ny2_two_starting_tickets_of_18_are_offered_to_every_player(players: int) -> None:
    """NY2."""
    table = deal(players)
    offered = [table.offered(seat) for seat in range(players)]
    assert [len(tickets) for tickets in offered] == [2] * players
    everywhere = [*itertools.chain(*offered), *table.ticket_deck]
    assert len(everywhere) == len(set(everywhere)) == 18


@pytest.mark.parametrize(
    ("actions", "kept"),
    [
        (["keep_ticket", "keep_ticket"], [0, 1]),
        (["keep_ticket", "refuse_ticket"], [0]),
        (["refuse_ticket"], [1]),  # the other is kept automatically
    ],
)
def test_ny2_one_or_two_starting_tickets_are_kept(actions: list[str], kept: list[int]) -> None:
    """NY2."""
    table = deal()
    offered = table.offered(0)
    table.play(*actions)
    assert table.to_move == 1
    table.play_all("keep_ticket")
    assert table.tickets(0) == {offered[index] for index in kept}


def test_ny2_refused_starting_tickets_go_under_the_deck() -> None:
    """NY2, C5."""
    table = deal(3)
    below = table.ticket_deck
    first, second, third = (table.offered(seat) for seat in range(3))
    table.play("keep_ticket", "refuse_ticket", "refuse_ticket", "keep_ticket", "keep_ticket")
    assert table.ticket_deck == [*below, first[1], second[0]]
    assert [table.tickets(seat) for seat in range(3)] == [{first[0]}, {second[1]}, set(third)]


@pytest.mark.parametrize(
    ("actions", "kept", "refused"),
    [
        (["keep_ticket", "keep_ticket"], [0, 1], []),
        (["keep_ticket", "refuse_ticket"], [0], [1]),
        (["refuse_ticket"], [1], [0]),
    ],
)
def test_ny2_later_two_are_drawn_and_one_or_two_kept(actions: list[str], kept: list[int], refused: list[int]) -> None:
    """NY2, C12: the refused one goes under the deck."""
    table = situation()
    top = table.ticket_deck
    table.play("draw_tickets")
    assert table.offered(0) == top[:2]
    table.play(*actions)
    assert (table.phase, table.to_move) == ("turn", 1)
    assert table.tickets(0) == {top[index] for index in kept}
    assert table.ticket_deck == [*top[2:], *(top[index] for index in refused)]


def test_ny2_a_single_ticket_left_is_drawn_and_must_be_kept() -> None:
    """NY2."""
    table = situation(ticket_deck=["brooklyn-chelsea"])
    table.play("draw_tickets")
    assert table.tickets(0) == {"brooklyn-chelsea"}
    assert (table.ticket_deck, table.phase, table.to_move) == ([], "turn", 1)
    assert "draw_tickets" not in table.legal


# NY3: double routes


@pytest.mark.parametrize(("players", "is_open"), [(2, False), (3, True), (4, True)])
def test_ny3_with_two_players_one_claimed_route_closes_a_double_route(players: int, is_open: bool) -> None:
    """NY3: either route of every double route; in larger games another player may claim the other."""
    hand = ", ".join(f"3 {colour}" for colour in COLOURS)
    assert len(DOUBLES) == 11
    for double in DOUBLES:
        for claimed, other in ((double, f"{double} 1"), (f"{double} 1", double)):
            table = situation(players, hands=["", hand], routes=[[claimed]], to_move=1)
            assert claimed not in claims(table)
            assert (other in claims(table)) is is_open


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ny3_no_player_claims_both_routes_of_a_double_route(players: int) -> None:
    """NY3, C11."""
    hand = ", ".join(f"3 {colour}" for colour in COLOURS)
    for double in DOUBLES:
        for claimed in (double, f"{double} 1"):
            table = situation(players, hands=[hand], routes=[[claimed]])
            assert claims(table).isdisjoint({double, f"{double} 1"})


def test_ny3_two_players_may_claim_a_double_route_and_no_third() -> None:
    """NY3."""
    routes = [["chelsea-empire_state_building"], ["chelsea-empire_state_building 1"]]
    table = situation(3, hands=["", "", "2 red"], routes=routes, to_move=2)
    assert claims(table).isdisjoint(routes[0] + routes[1])


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


def test_ny4_points_for_routes_are_not_counted_again_at_the_end() -> None:
    """NY4 (ruling)."""
    table = ended(routes=[["chelsea-soho", "soho-wall_street"]])
    assert parts(table, "routes") == [9, 0]


# NY5: attractions


@pytest.mark.parametrize("route", ALL_ROUTES)
def test_ny5_a_route_earns_a_point_for_each_of_its_ends_that_is_an_attraction(route: str) -> None:
    """NY5."""
    ends = set(route.removesuffix(" 1").split("-"))
    table = ended(routes=[[], [route]])
    assert parts(table, "attractions") == [0, len(ends & ATTRACTIONS)]


def test_ny5_an_attraction_counts_once_however_many_routes_touch_it() -> None:
    """NY5: four routes at Times Square, two of them to other attractions."""
    star = [
        "midtown_west-times_square",
        "lincoln_center-times_square",
        "empire_state_building-times_square",
        "times_square-united_nations",
    ]
    table = ended(routes=[star])
    assert parts(table, "attractions") == [3, 0]
    assert table.scores == [1 + 2 + 1 + 2 + 3, 0]


def test_ny5_a_loop_of_attractions_counts_each_once() -> None:
    """NY5: the Empire State Building, Times Square and the United Nations, joined by three routes."""
    triangle = [
        "empire_state_building-times_square",
        "times_square-united_nations",
        "empire_state_building-united_nations",
    ]
    assert parts(ended(routes=[triangle]), "attractions") == [3, 0]


def test_ny5_attractions_need_not_be_joined_to_each_other() -> None:
    """NY5: routes far apart."""
    apart = ["central_park-lincoln_center", "brooklyn-lower_east_side", "chelsea-midtown_west"]
    assert parts(ended(routes=[apart]), "attractions") == [3, 0]


def test_ny5_an_attraction_counts_for_every_player_who_touches_it() -> None:
    """NY5: by parallel routes, or by others."""
    routes = [["brooklyn-chinatown"], ["brooklyn-chinatown 1"], ["chinatown-lower_east_side"]]
    assert parts(ended(3, routes=routes), "attractions") == [2, 2, 1]


def test_ny5_all_nine_attractions_earn_nine_points() -> None:
    """NY5: with all 15 taxis."""
    routes = [
        "central_park-times_square",
        "times_square-united_nations",
        "chelsea-empire_state_building",
        "chinatown-greenwich_village",
        "brooklyn-wall_street",
        "empire_state_building-midtown_west",
        "soho-wall_street",
    ]
    table = ended(routes=[routes])
    assert (table.trains(0), parts(table, "attractions")) == (0, [9, 0])


def test_ny5_attractions_count_only_at_the_end() -> None:
    """NY5."""
    table = situation(routes=[["brooklyn-chinatown"]])
    assert table.score(0) == 4
    assert ended(routes=[["brooklyn-chinatown"]]).scores == [6, 0]


def test_ny5_there_is_no_longest_path_bonus() -> None:
    """NY5: only routes, tickets and attractions count."""
    path = ["gramercy_park-united_nations", "east_village-gramercy_park", "east_village-lower_east_side"]
    table = ended(routes=[path], holds=[["lower_east_side-wall_street"]])
    assert table.final(0)["breakdown"] == {"routes": 4 + 2 + 1, "tickets": -2, "attractions": 1}
    assert table.final(1)["breakdown"] == {"routes": 0, "tickets": 0, "attractions": 0}
    assert table.scores == [6, 0]


def test_ny5_attractions_of_random_networks_are_counted_city_by_city() -> None:
    """NY5: for random routes of four players."""
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
        assert parts(ended(4, routes=routes), "attractions") == [len(cities & ATTRACTIONS) for cities in touched]


# NY6: the end, and ties


@pytest.mark.parametrize(("left", "is_last_round"), [(0, True), (1, True), (2, True), (3, False)])
def test_ny6_two_taxis_or_fewer_trigger_the_last_round(left: int, is_last_round: bool) -> None:
    """NY6, C15: one more turn for each, and then the end."""
    table = situation(hands=["3 blue"], trains=[3 + left])
    table.play("claim brooklyn-wall_street")
    assert table.trains(0) == left
    assert table.snapshot["last_turns_left"] == (2 if is_last_round else None)
    table.play("draw_deck", "draw_deck", "draw_deck", "draw_deck")
    assert table.outcome == ("finished" if is_last_round else "running")


def test_ny6_with_equal_points_more_completed_tickets_win() -> None:
    """NY6, C18."""
    path = ["midtown_west-times_square", "times_square-united_nations"]
    table = ended(points=[3, 8], routes=[path], holds=[["midtown_west-united_nations"]])
    assert table.scores == [3 + 3 + 2, 8]
    assert table.ranks == [1, 2]


def test_ny6_completed_tickets_are_counted_not_weighed() -> None:
    """NY6, C18: two of 3 points against one of 8."""
    star = ["central_park-times_square", "midtown_west-times_square", "empire_state_building-times_square"]
    routes = [[*star, "lincoln_center-midtown_west"], ["brooklyn-wall_street", "soho-wall_street", "chelsea-soho"]]
    holds = [["central_park-midtown_west", "empire_state_building-lincoln_center"], ["brooklyn-chelsea"]]
    table = ended(points=[11, 9], routes=routes, holds=holds)
    assert [len(table.final(seat)["completed"]) for seat in (0, 1)] == [2, 1]
    assert table.scores == [11 + 6 + 3, 9 + 8 + 3]
    assert table.ranks == [1, 2]


def test_ny6_failed_tickets_do_not_break_a_tie() -> None:
    """NY6."""
    table = ended(points=[2, 0], holds=[["lower_east_side-wall_street"]])
    assert table.scores == [0, 0]
    assert table.ranks == [1, 1]


def test_ny6_players_still_tied_share_the_victory() -> None:
    """NY6: longer paths and more attractions, routes or taxis do not decide."""
    path = ["chelsea-soho", "soho-wall_street", "brooklyn-wall_street"]
    table = ended(3, points=[7, 10, 9], routes=[path, []], reward="win")
    assert table.scores == [10, 10, 9]
    assert table.ranks == [1, 1, 3]
    assert table.games.rewards.tolist() == [[0.5, 0.5, 0]]
