"""The rules of New York (NY1-NY6). Its taxis are the trains and its taxi cards the locomotives of the common rules."""

import itertools
from typing import Any

import numpy as np
import pytest

from t2r_env import configure
from tests.maps import load_map
from tests.situations import CARDS, Table, connection_in_words, count
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

ALL_LANES = [connection_in_words(lane.a, lane.b, lane.lane) for lane in load_map("new_york").lanes]
DOUBLES = [lane.removesuffix(" 1") for lane in ALL_LANES if lane.endswith(" 1")]


def deal(players: int = 2, **more: Any) -> Table:
    """A game of New York just dealt."""
    return deal_any(players, variant="new_york", **more)


def situation(players: int = 2, **more: Any) -> Table:
    """A situation on the map of New York."""
    return situation_any(players, variant="new_york", **more)


def ended(players: int = 2, **more: Any) -> Table:
    """A situation of New York whose last turn has been played."""
    return play_out(situation(players, last_turns_left=1, **more))


def claims(table: Table) -> set[str]:
    """The lanes that may be claimed."""
    return {answer.removeprefix("claim ") for answer in table.legal if answer.startswith("claim")}


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
    everywhere = hands + count(table.deck) + count(table.discard) + count(table.row_cards)
    there = dict(zip(CARDS, everywhere, strict=True))
    assert there == dict.fromkeys(COLOURS, 6) | {"white": 0, "yellow": 0, "locomotive": 8}
    assert everywhere.sum() == 44


def test_ny1_taxi_cards_stand_in_for_any_colour() -> None:
    """NY1, C9: all payments of a gray and of a coloured lane of two."""
    hand = "1 purple, 2 green, 2 locomotive"
    table = situation(hands=[hand])
    table.play("claim soho-wall_street")
    assert table.legal == {"pay 1 purple, 1 locomotive", "pay 2 green", "pay 1 green, 1 locomotive", "pay 2 locomotive"}
    table = situation(hands=[hand])
    table.play("claim lincoln_center-times_square")
    assert table.legal == {"pay 2 green", "pay 1 green, 1 locomotive", "pay 2 locomotive"}


def test_ny1_three_taxi_cards_in_the_row_discard_all_five_cards() -> None:
    """NY1, C4."""
    table = situation(row="locomotive, locomotive, blue, green, orange", deck="1 locomotive", discard="6 red")
    table.play("draw_row 4")
    assert table.row == "red, red, red, red, red"
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
    ("answers", "kept"),
    [
        (["keep_ticket", "keep_ticket"], [0, 1]),
        (["keep_ticket", "refuse_ticket"], [0]),
        (["refuse_ticket"], [1]),  # the other is kept without a question
    ],
)
def test_ny2_one_or_two_starting_tickets_are_kept(answers: list[str], kept: list[int]) -> None:
    """NY2."""
    table = deal()
    offered = table.offered(0)
    table.play(*answers)
    assert table.to_move == 1
    table.play_all("keep_ticket")
    assert table.tickets(0) == {offered[place] for place in kept}


def test_ny2_refused_starting_tickets_go_under_the_deck() -> None:
    """NY2, C5."""
    table = deal(3)
    below = table.ticket_deck
    first, second, third = (table.offered(seat) for seat in range(3))
    table.play("keep_ticket", "refuse_ticket", "refuse_ticket", "keep_ticket", "keep_ticket")
    assert table.ticket_deck == [*below, first[1], second[0]]
    assert [table.tickets(seat) for seat in range(3)] == [{first[0]}, {second[1]}, set(third)]


@pytest.mark.parametrize(
    ("answers", "kept", "refused"),
    [
        (["keep_ticket", "keep_ticket"], [0, 1], []),
        (["keep_ticket", "refuse_ticket"], [0], [1]),
        (["refuse_ticket"], [1], [0]),
    ],
)
def test_ny2_later_two_are_drawn_and_one_or_two_kept(answers: list[str], kept: list[int], refused: list[int]) -> None:
    """NY2, C12: the refused one goes under the deck."""
    table = situation()
    top = table.ticket_deck
    table.play("draw_tickets")
    assert table.offered(0) == top[:2]
    table.play(*answers)
    assert (table.phase, table.to_move) == ("turn", 1)
    assert table.tickets(0) == {top[place] for place in kept}
    assert table.ticket_deck == [*top[2:], *(top[place] for place in refused)]


def test_ny2_a_single_ticket_left_is_drawn_and_must_be_kept() -> None:
    """NY2."""
    table = situation(ticket_deck=["brooklyn-chelsea"])
    table.play("draw_tickets")
    assert table.tickets(0) == {"brooklyn-chelsea"}
    assert (table.ticket_deck, table.phase, table.to_move) == ([], "turn", 1)
    assert "draw_tickets" not in table.legal


# NY3: double connections


@pytest.mark.parametrize(("players", "is_open"), [(2, False), (3, True), (4, True)])
def test_ny3_with_two_players_one_claimed_lane_closes_a_double_connection(players: int, is_open: bool) -> None:
    """NY3: whichever lane of whichever connection was claimed; in larger games another player may claim the other."""
    hand = ", ".join(f"3 {colour}" for colour in COLOURS)
    assert len(DOUBLES) == 11
    for double in DOUBLES:
        for claimed, other in ((double, f"{double} 1"), (f"{double} 1", double)):
            table = situation(players, hands=["", hand], lanes=[[claimed]], to_move=1)
            assert claimed not in claims(table)
            assert (other in claims(table)) is is_open


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ny3_no_player_claims_both_lanes_of_a_double_connection(players: int) -> None:
    """NY3, C11."""
    hand = ", ".join(f"3 {colour}" for colour in COLOURS)
    for double in DOUBLES:
        for claimed in (double, f"{double} 1"):
            table = situation(players, hands=[hand], lanes=[[claimed]])
            assert claims(table).isdisjoint({double, f"{double} 1"})


def test_ny3_a_double_connection_takes_two_players_and_no_third() -> None:
    """NY3."""
    lanes = [["chelsea-empire_state_building"], ["chelsea-empire_state_building 1"]]
    table = situation(3, hands=["", "", "2 red"], lanes=lanes, to_move=2)
    assert claims(table).isdisjoint(lanes[0] + lanes[1])


# NY4: points for lanes


@pytest.mark.parametrize(
    ("lane", "hand", "points"),
    [
        ("midtown_west-times_square", "1 red", 1),
        ("soho-wall_street", "2 red", 2),
        ("brooklyn-wall_street", "3 blue", 4),
        ("chelsea-soho", "4 purple", 7),
    ],
)
def test_ny4_points_for_a_lane_count_at_once(lane: str, hand: str, points: int) -> None:
    """NY4 (ruling), C10: by its length, and none yet for the attractions at its ends."""
    table = situation(hands=["", hand], to_move=1, reward="score")
    table.play(f"claim {lane}")
    assert (table.score(0), table.score(1)) == (0, points)
    assert table.games.rewards.tolist() == [[0, points]]


def test_ny4_points_for_lanes_are_not_counted_again_at_the_end() -> None:
    """NY4 (ruling)."""
    table = ended(lanes=[["chelsea-soho", "soho-wall_street"]])
    assert parts(table, "routes") == [9, 0]


# NY5: attractions


@pytest.mark.parametrize("lane", ALL_LANES)
def test_ny5_a_lane_earns_a_point_for_each_of_its_ends_that_is_an_attraction(lane: str) -> None:
    """NY5."""
    ends = set(lane.removesuffix(" 1").split("-"))
    table = ended(lanes=[[], [lane]])
    assert parts(table, "attractions") == [0, len(ends & ATTRACTIONS)]


def test_ny5_an_attraction_counts_once_however_many_lanes_touch_it() -> None:
    """NY5: four lanes at Times Square, two of which end at other attractions."""
    star = [
        "midtown_west-times_square",
        "lincoln_center-times_square",
        "empire_state_building-times_square",
        "times_square-united_nations",
    ]
    table = ended(lanes=[star])
    assert parts(table, "attractions") == [3, 0]
    assert table.scores == [1 + 2 + 1 + 2 + 3, 0]


def test_ny5_a_loop_of_attractions_counts_each_once() -> None:
    """NY5: the Empire State Building, Times Square and the United Nations, joined by three lanes."""
    triangle = [
        "empire_state_building-times_square",
        "times_square-united_nations",
        "empire_state_building-united_nations",
    ]
    assert parts(ended(lanes=[triangle]), "attractions") == [3, 0]


def test_ny5_attractions_need_not_be_joined_to_each_other() -> None:
    """NY5: lanes far apart."""
    apart = ["central_park-lincoln_center", "brooklyn-lower_east_side", "chelsea-midtown_west"]
    assert parts(ended(lanes=[apart]), "attractions") == [3, 0]


def test_ny5_an_attraction_counts_for_every_player_who_touches_it() -> None:
    """NY5: by lanes of one double connection, or by others."""
    lanes = [["brooklyn-chinatown"], ["brooklyn-chinatown 1"], ["chinatown-lower_east_side"]]
    assert parts(ended(3, lanes=lanes), "attractions") == [2, 2, 1]


def test_ny5_all_nine_attractions_earn_nine_points() -> None:
    """NY5: with all of 15 taxis."""
    lanes = [
        "central_park-times_square",
        "times_square-united_nations",
        "chelsea-empire_state_building",
        "chinatown-greenwich_village",
        "brooklyn-wall_street",
        "empire_state_building-midtown_west",
        "soho-wall_street",
    ]
    table = ended(lanes=[lanes])
    assert (table.trains(0), parts(table, "attractions")) == (0, [9, 0])


def test_ny5_attractions_count_only_at_the_end() -> None:
    """NY5."""
    table = situation(lanes=[["brooklyn-chinatown"]])
    assert table.score(0) == 4
    assert ended(lanes=[["brooklyn-chinatown"]]).scores == [6, 0]


def test_ny5_there_is_no_longest_path_bonus() -> None:
    """NY5: routes, tickets and attractions are all that counts."""
    path = ["gramercy_park-united_nations", "east_village-gramercy_park", "east_village-lower_east_side"]
    table = ended(lanes=[path], holds=[["lower_east_side-wall_street"]])
    assert table.final(0)["breakdown"] == {"routes": 4 + 2 + 1, "tickets": -2, "attractions": 1}
    assert table.final(1)["breakdown"] == {"routes": 0, "tickets": 0, "attractions": 0}
    assert table.scores == [6, 0]


def test_ny5_attractions_of_random_networks_are_counted_city_by_city() -> None:
    """NY5: whatever lanes four players have."""
    chance = np.random.default_rng(5)
    for _ in range(30):
        lanes: list[list[str]] = [[], [], [], []]
        connections: list[set[str]] = [set(), set(), set(), set()]
        for lane in chance.permutation(ALL_LANES).tolist():
            seat, connection = int(chance.integers(4)), lane.removesuffix(" 1")
            if len(lanes[seat]) < 5 and connection not in connections[seat] and lane != "chelsea-soho":
                lanes[seat].append(lane)  # five lanes of three spaces at most
                connections[seat].add(connection)
        touched = [{city for connection in own for city in connection.split("-")} for own in connections]
        assert parts(ended(4, lanes=lanes), "attractions") == [len(cities & ATTRACTIONS) for cities in touched]


# NY6: the end, and ties


@pytest.mark.parametrize(("left", "is_last_round"), [(0, True), (1, True), (2, True), (3, False)])
def test_ny6_two_taxis_or_fewer_bring_the_last_round(left: int, is_last_round: bool) -> None:
    """NY6, C15: one more turn for each, and then the end."""
    table = situation(hands=["3 blue"], trains=[3 + left])
    table.play("claim brooklyn-wall_street")
    assert table.trains(0) == left
    assert table.snapshot["last_turns_left"] == (2 if is_last_round else None)
    table.play("draw_deck", "draw_deck", "draw_deck", "draw_deck")
    assert table.outcome == ("finished" if is_last_round else "running")


def test_ny6_of_equal_points_more_completed_tickets_win() -> None:
    """NY6, C18."""
    path = ["midtown_west-times_square", "times_square-united_nations"]
    table = ended(points=[3, 8], lanes=[path], holds=[["midtown_west-united_nations"]])
    assert table.scores == [3 + 3 + 2, 8]
    assert table.ranks == [1, 2]


def test_ny6_completed_tickets_are_counted_not_weighed() -> None:
    """NY6, C18: two of 3 points against one of 8."""
    star = ["central_park-times_square", "midtown_west-times_square", "empire_state_building-times_square"]
    lanes = [
        [*star, "lincoln_center-midtown_west"],
        ["brooklyn-wall_street", "soho-wall_street", "chelsea-soho"],
    ]
    holds = [["central_park-midtown_west", "empire_state_building-lincoln_center"], ["brooklyn-chelsea"]]
    table = ended(points=[11, 9], lanes=lanes, holds=holds)
    assert [len(table.final(seat)["completed"]) for seat in (0, 1)] == [2, 1]
    assert table.scores == [11 + 6 + 3, 9 + 8 + 3]
    assert table.ranks == [1, 2]


def test_ny6_failed_tickets_break_no_tie() -> None:
    """NY6."""
    table = ended(points=[2, 0], holds=[["lower_east_side-wall_street"]])
    assert table.scores == [0, 0]
    assert table.ranks == [1, 1]


def test_ny6_who_is_still_tied_shares_the_victory() -> None:
    """NY6: neither a longer path, nor more attractions, lanes or taxis decide."""
    path = ["chelsea-soho", "soho-wall_street", "brooklyn-wall_street"]
    table = ended(3, points=[7, 10, 9], lanes=[path, []], reward="win")
    assert table.scores == [10, 10, 9]
    assert table.ranks == [1, 1, 3]
    assert table.games.rewards.tolist() == [[0.5, 0.5, 0]]
