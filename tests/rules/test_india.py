"""The rules of India (IN1-IN7). IN2, and what IN1 says of the start, is tested in `test_set_up`."""

import functools
import random
from pathlib import Path
from typing import Any

import pytest

from t2r_env.variants import COLOURS
from tests.helpers import situations
from tests.helpers.example_map import write_example_map
from tests.helpers.maps import load_map
from tests.helpers.networks import random_network
from tests.helpers.referee import is_completed, is_grand_tour
from tests.helpers.situations import end, route_name

situation = functools.partial(situations.situation, variant="india")
ended = functools.partial(situations.ended, variant="india")

VARIANT = load_map("india")
ROUTES = {route_name(route.a, route.b, route.track): route for route in VARIANT.routes}

POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 6: 15, 8: 21}
"""IN1, C10; no route of this map has 5 or 7 spaces."""

DOUBLES = [
    "agra-bhopal",
    "agra-jaipur",
    "ahmadabad-jodhpur",
    "ambala-bhatinda",
    "ambala-delhi",
    "bezwada-indur",
    "bezwada-waltain",
    "bhatinda-lahore",
    "bhopal-bilaspur",
    "bilaspur-katni",
    "bilaspur-raipur",
    "bombay-karachi",
    "calcutta-chittagong",
    "calcutta-dhubri",
    "calicut-erode",
    "calicut-mangalore",
    "calicut-quilon",
    "dhubri-jarhat",
    "dhubri-patna",
    "erode-madras",
    "guntakal-wadi",
    "jacobabad-peshawar",
    "jacobabad-rohri",
    "jaipur-ratiam",
    "katni-lucknow",
    "katni-patna",
    "lahore-peshawar",
    "raipur-waltain",
]

FERRIES = {
    "bombay-calicut": 2,
    "bombay-karachi": 2,
    "bombay-karachi 1": 2,
    "calcutta-chittagong": 1,
    "calcutta-chittagong 1": 1,
    "calcutta-madras": 2,
    "calicut-quilon": 1,
    "calicut-quilon 1": 1,
}
"""The ferries, and how many locomotive symbols each has."""

EVERY_COLOUR = ", ".join(f"8 {colour}" for colour in COLOURS)
"""Enough cards for every route but the ferries."""


# IN1: players, trains, cards, points


def test_in1_a_route_takes_a_card_and_a_train_for_each_space_and_earns_its_points() -> None:
    """IN1, C9, C10: 21 points for the route of 8 spaces, Calcutta-Madras."""
    assert [name for name, route in ROUTES.items() if route.length == 8] == ["calcutta-madras"]
    for name, route in ROUTES.items():
        table = situation(hands=["", "9 locomotive"], points=[3, 5], to_move=1, reward="score")
        table.play(f"claim {name}")
        assert (table.routes(1), table.trains(0), table.trains(1)) == ({name}, 45, 45 - route.length)
        assert (table.score(0), table.score(1)) == (3, 5 + POINTS[route.length])
        assert table.games.rewards.tolist() == [[0, POINTS[route.length]]]
        assert table.hand(1) == f"{9 - route.length} locomotive"


# IN3: double routes


def test_in3_the_map_has_these_double_routes_and_no_triple_ones() -> None:
    """IN3."""
    assert sorted(name.removesuffix(" 1") for name in ROUTES if " " in name) == DOUBLES


@pytest.mark.parametrize(("players", "is_open"), [(2, False), (3, False), (4, True)])
def test_in3_a_claim_closes_a_double_route_in_games_of_two_or_three(players: int, is_open: bool) -> None:
    """IN3, C11: with four players the other route stays free, but not for the one who has claimed."""
    table = situation(players, hands=["2 blue, 2 white"] * players)
    table.play("claim agra-jaipur 1")
    for seat in range(1, players):
        assert table.to_move == seat
        assert ("agra-jaipur" in table.claims, "agra-jaipur 1" in table.claims) == (is_open, False)
        table.play("draw_deck", "draw_deck")
    assert table.claims.isdisjoint({"agra-jaipur", "agra-jaipur 1"})
    assert "bareilly-delhi" in table.claims


# IN4: ferries


def test_in4_all_ferries_are_gray() -> None:
    """IN4."""
    assert {name: route.ferry for name, route in ROUTES.items() if route.ferry} == FERRIES
    assert {ROUTES[name].colour for name in FERRIES} == {"gray"}


@pytest.mark.parametrize("locomotives", [0, 1, 2])
def test_in4_a_ferry_takes_a_locomotive_for_each_symbol(locomotives: int) -> None:
    """IN4, C14: no other route takes one; the hand has enough other cards for every route."""
    table = situation(hands=[f"{EVERY_COLOUR}, {locomotives} locomotive"])
    assert table.claims == {name for name in ROUTES if FERRIES.get(name, 0) <= locomotives}


def test_in4_the_other_spaces_of_a_ferry_are_paid_as_usual() -> None:
    """IN4, C14: eight spaces with two symbols, in any one colour."""
    table = situation(hands=["6 red, 5 blue, 4 white, 3 locomotive"])
    table.play("claim calcutta-madras")
    assert table.legal == {"pay 6 red, 2 locomotive", "pay 5 red, 3 locomotive", "pay 5 blue, 3 locomotive"}
    table.play("pay 5 blue, 3 locomotive")
    assert (table.routes(0), table.hand(0)) == ({"calcutta-madras"}, "4 white, 6 red")
    assert (table.score(0), table.trains(0)) == (21, 37)


# IN5: Indian Express


def test_in5_the_longest_path_earns_10_points() -> None:
    """IN5, C17: all who tie get them; nobody without a route does."""
    six, eight = ["bombay-calicut"], ["calcutta-madras"]
    assert ended(routes=[six, eight]).parts("longest_path") == [0, 10]
    assert ended(routes=[[*six, "calicut-quilon"], eight, ["bombay-karachi"]], players=3).parts("longest_path") == [
        10,
        10,
        0,
    ]
    # continuous: 6 and 4 spaces that don't meet are no longer than 8
    assert ended(routes=[[*six, "ambala-lahore"], eight]).parts("longest_path") == [0, 10]
    # over each route once: a star of 4, 4 and 4 spaces has a path of 8
    star = ["bilaspur-calcutta", "calcutta-raipur", "calcutta-waltain"]
    assert ended(routes=[star, ["bombay-karachi", "karachi-rohri"]]).parts("longest_path") == [0, 10]
    assert ended().parts("longest_path") == [0, 0]


def test_in5_the_parts_of_the_score_are_routes_tickets_and_the_two_bonuses() -> None:
    """IN5, IN6: there is no other bonus."""
    table = ended(routes=[["calcutta-madras"]], holds=[["madras-patna"]])
    assert table.final(0)["breakdown"] == {"routes": 21, "tickets": -9, "longest_path": 10, "grand_tour": 0}
    assert table.final(1)["breakdown"] == {"routes": 0, "tickets": 0, "longest_path": 0, "grand_tour": 0}
    assert table.scores == [22, 0]


# IN6: Grand Tour

LOOP = ["ahmadabad-jodhpur", "ahmadabad-khandwa", "jaipur-jodhpur", "jaipur-ratiam", "khandwa-ratiam"]
"""Two paths from Jodhpur to Khandwa: over Ahmadabad, and over Jaipur and Ratiam."""

WIDE_LOOP = [
    "agra-lucknow",
    "katni-lucknow",
    "bilaspur-katni",
    "bilaspur-raipur",
    "khandwa-raipur",
    "khandwa-manmad",
    "bombay-manmad",
    "ahmadabad-bombay",
    "ahmadabad-jodhpur",
    "jaipur-jodhpur",
    "agra-jaipur",
]
IN_WIDE_LOOP = [
    "bombay-lucknow",
    "jaipur-raipur",
    "jodhpur-khandwa",
    "jodhpur-lucknow",
    "katni-khandwa",
    "manmad-raipur",
]
"""All tickets of the game between cities of the loop, of 7, 5, 5, 5, 5 and 5 points."""


def grand_tours(*routes: list[str], holds: list[list[str]], **more: Any) -> list[int]:
    """The points of the players for their Grand Tours, with these routes and tickets."""
    return ended(max(2, len(routes)), routes=routes, holds=holds, **more).parts("grand_tour")


def test_in6_a_ticket_joined_by_two_paths_earns_5_points_besides_its_value() -> None:
    """IN6."""
    table = ended(routes=[LOOP], holds=[["jodhpur-khandwa"]])
    assert table.final(0)["breakdown"] == {"routes": 11, "tickets": 5, "longest_path": 10, "grand_tour": 5}
    assert table.scores == [31, 0]


@pytest.mark.parametrize("missing", LOOP)
def test_in6_a_ticket_joined_by_one_path_is_no_grand_tour(missing: str) -> None:
    """IN6: whichever route of the loop is missing."""
    table = ended(routes=[[name for name in LOOP if name != missing]], holds=[["jodhpur-khandwa"]])
    assert (table.parts("tickets"), table.parts("grand_tour")) == ([5, 0], [0, 0])


def test_in6_a_ticket_that_fails_is_no_grand_tour() -> None:
    """IN6: not even if both its cities lie on loops of the player, which don't meet."""
    far = ["ambala-bhatinda", "ambala-lahore", "bhatinda-lahore"]
    table = ended(routes=[[*LOOP, *far]], holds=[["jodhpur-khandwa", "bhatinda-manmad", "ahmadabad-bareilly"]])
    assert (table.parts("tickets"), table.parts("grand_tour")) == ([5 - 9 - 5, 0], [5, 0])
    table = ended(routes=[[*LOOP, *far, "bareilly-lucknow"]], holds=[["ambala-ratiam"]])
    assert (table.parts("tickets"), table.parts("grand_tour")) == ([-5, 0], [0, 0])


def test_in6_the_paths_may_meet_in_cities() -> None:
    """IN6: from Jodhpur two paths lead to Ratiam, and from there two to Khandwa; all pass Ratiam."""
    first = ["jaipur-jodhpur", "jaipur-ratiam", "ahmadabad-jodhpur", "ahmadabad-ratiam"]
    second = ["khandwa-ratiam", "bhopal-ratiam", "bhopal-khandwa"]
    assert grand_tours([*first, *second], holds=[["jodhpur-khandwa"]]) == [5, 0]
    for missing in (*first, *second):
        routes = [name for name in (*first, *second) if name != missing]
        assert grand_tours(routes, holds=[["jodhpur-khandwa"]]) == [0, 0]


def test_in6_the_paths_may_have_no_route_in_common() -> None:
    """IN6: a single route between two loops; tickets within a loop are Grand Tours, one across is none."""
    far = ["bombay-manmad", "bombay-poona", "manmad-poona"]
    routes = [*LOOP, "khandwa-manmad", *far]
    table = ended(routes=[routes], holds=[["jodhpur-khandwa", "jaipur-poona"]])
    assert (table.parts("tickets"), table.parts("grand_tour")) == ([5 + 5, 0], [5, 0])
    # a second route between the loops joins the ticket's cities twice
    assert grand_tours([*routes, "ahmadabad-bombay"], holds=[["jodhpur-khandwa", "jaipur-poona"]]) == [10, 0]


def test_in6_routes_that_lead_nowhere_change_nothing() -> None:
    """IN6: losing any one route would leave the cities joined, wherever it is; the ticket that ends there is none."""
    routes = [*LOOP, "delhi-jaipur", "delhi-lucknow", "calcutta-madras"]
    assert grand_tours(routes, holds=[["jodhpur-khandwa", "jodhpur-lucknow"]]) == [5, 0]
    assert grand_tours(routes, holds=[["jodhpur-lucknow"]]) == [0, 0]


@pytest.mark.parametrize(("tickets", "points"), [(0, 0), (1, 5), (2, 10), (3, 20), (4, 30), (5, 40), (6, 40)])
def test_in6_all_of_a_players_grand_tours_together_score(tickets: int, points: int) -> None:
    """IN6: by their number, whatever their values; the same two paths serve all of them."""
    for held in (IN_WIDE_LOOP[:tickets], IN_WIDE_LOOP[len(IN_WIDE_LOOP) - tickets :]):
        table = ended(routes=[WIDE_LOOP], holds=[[*held, "calcutta-erode"]])
        assert table.parts("grand_tour") == [points, 0]
        assert table.parts("tickets") == [sum(7 if name == "bombay-lucknow" else 5 for name in held) - 9, 0]


def test_in6_each_player_scores_his_own() -> None:
    """IN6: nobody has to have the most."""
    two = ["agra-katni", "bilaspur-katni", "bilaspur-raipur", "khandwa-raipur", "khandwa-ratiam"]
    two += ["jaipur-ratiam", "agra-jaipur"]
    one = ["bhatinda-lahore", "bhatinda-delhi", "ambala-delhi", "ambala-lahore"]
    holds = [["delhi-lahore"], ["jaipur-raipur", "katni-khandwa"], ["ambala-ratiam"]]
    assert grand_tours(one, two, [], holds=holds) == [5, 10, 0]


def test_in6_only_the_owners_routes_count() -> None:
    """IN6, IN3: not those of others that would close the loop, nor the other route of a double route."""
    own, others = LOOP[:2], LOOP[2:]
    assert grand_tours(own, others, holds=[["jodhpur-khandwa"], ["jodhpur-khandwa"]]) == [0, 0]
    holds = [["jodhpur-khandwa"], ["jodhpur-khandwa"]]
    parallel = ["ahmadabad-jodhpur 1", "ahmadabad-ratiam", "khandwa-ratiam"]
    assert grand_tours(own, parallel, [], [], holds=holds) == [0, 0, 0, 0]


def test_in6_both_bonuses_may_use_the_same_routes() -> None:
    """IN6, IN5: a loop is all of the longest path, and joins the ticket's cities twice."""
    table = ended(routes=[LOOP, ["calcutta-madras"]], holds=[["jodhpur-khandwa"]])
    assert table.parts("longest_path") == [10, 0]  # 10 spaces against 8
    assert table.parts("grand_tour") == [5, 0]


def test_in6_grand_tours_count_only_at_the_end() -> None:
    """IN6, C10, C16."""
    table = situation(routes=[LOOP], holds=[["jodhpur-khandwa"]], last_turns_left=1)
    assert table.score(0) == 11
    assert end(table).scores == [31, 0]


@pytest.mark.parametrize("shape", ["short", "cycles", "odd", "compact"])
def test_in6_the_grand_tours_of_random_networks_are_those_that_lose_nothing_with_any_one_route(shape: str) -> None:
    """IN6: each route is taken away in turn, and the ticket's cities must still be joined."""
    rng, seen = random.Random(shape), set()
    for _ in range(8):
        routes = [VARIANT.routes[number] for number in random_network(shape, VARIANT, 45, False, rng)]
        tickets = [(it.a, it.b, it.points) for it in VARIANT.ticket_decks[VARIANT.default_ticket_deck].tickets]
        completed = [ticket for ticket in tickets if is_completed(VARIANT, routes, ticket)]
        failed = [ticket for ticket in tickets if ticket not in completed]
        held = [*rng.sample(completed, rng.randint(0, len(completed))), *rng.sample(failed, min(2, len(failed)))]
        table = ended(
            routes=[[route_name(it.a, it.b, it.track) for it in routes]], holds=[[route_name(a, b) for a, b, _ in held]]
        )
        tours = sum(is_grand_tour(VARIANT, routes, ticket) for ticket in held)
        assert table.parts("grand_tour") == [[0, 5, 10, 20, 30, 40][min(tours, 5)], 0]
        seen.add((tours > 0, tours < sum(ticket in completed for ticket in held)))
    assert any(has for has, _ in seen)
    assert any(has_not for _, has_not in seen)


def test_in6_two_paths_are_found_where_the_shortest_one_uses_a_route_of_each(tmp_path: Path) -> None:
    """IN6: on an own map. Without the three routes of the shortest path the cities would not be joined."""
    folder = write_example_map(tmp_path)
    paths = ["bern,zurich,0,1", "zurich,milan,0,4", "bern,lugano,0,4", "lugano,milan,0,1", "zurich,lugano,0,1"]
    rows = [f"{row},gray" for row in (*paths, "bern,geneva,0,1", "como,milan,0,1")]
    (folder / "routes.csv").write_text("\n".join(["a,b,track,length,colour", *rows, ""]), encoding="utf-8")
    with (folder / "variant.toml").open("a", encoding="utf-8") as file:
        file.write("\n[grand_tour]\n1 = 6\n")
    more: dict[str, Any] = {"variant": folder, "face_up": "red, red, red, blue, blue", "holds": [["bern-milan"]]}
    five = ["bern-zurich", "zurich-milan", "bern-lugano", "lugano-milan", "zurich-lugano"]
    assert grand_tours(five, **more) == [6, 0]
    assert grand_tours(five[:4], **more) == [6, 0]
    assert grand_tours(five[1:], **more) == [0, 0]


@pytest.mark.parametrize(("tickets", "points"), [(0, 0), (1, 3), (2, 7), (3, 7)])
def test_in6_an_own_map_states_its_own_points(tmp_path: Path, tickets: int, points: int) -> None:
    """IN6: by the table `grand_tour`; its last entry is for more tickets, too."""
    folder = write_example_map(tmp_path)
    with (folder / "variant.toml").open("a", encoding="utf-8") as file:
        file.write("\n[grand_tour]\n1 = 3\n2 = 7\n")
    routes = ["bern-geneva", "geneva-milan", "lugano-milan", "bern-lugano", "lugano-como", "como-milan"]
    held = ["bern-milan", "geneva-lugano", "geneva-como"][:tickets]
    more: dict[str, Any] = {"variant": folder, "face_up": "red, red, red, blue, blue"}
    assert grand_tours(routes, holds=[[*held, "geneva-zurich"]], **more) == [points, 0]


def test_in6_a_map_without_the_table_has_no_grand_tours(tmp_path: Path) -> None:
    """IN6."""
    routes = ["bern-geneva", "geneva-milan", "lugano-milan", "bern-lugano"]
    table = ended(
        variant=write_example_map(tmp_path),
        routes=[routes],
        holds=[["bern-milan"]],
        face_up="red, red, red, blue, blue",
    )
    assert table.final(0)["breakdown"] == {"routes": 2 + 7 + 1 + 7, "tickets": 6, "longest_path": 5}


# IN7: ties


@pytest.mark.parametrize(
    ("routes", "holds", "points", "scores", "ranks"),
    [
        # completed tickets decide before the longer path: 5 spaces against 6
        (
            [["bhatinda-delhi", "bhatinda-lahore"], ["bombay-calicut"]],
            [["delhi-lahore"]],
            [10, 5],
            [10 + 5, 5 + 10],
            [1, 2],
        ),
        # they are counted, not weighed, and failed ones don't count
        (
            [["bhatinda-delhi", "bhatinda-lahore"], ["bombay-calicut"]],
            [["delhi-lahore", "jodhpur-khandwa"], []],
            [15, 5],
            [15 + 5 - 5, 5 + 10],
            [1, 2],
        ),
        # then the longer path, whoever has more points for routes
        ([["bhatinda-delhi"], ["bombay-calicut"]], [], [15, 5], [15, 15], [2, 1]),
        # a Grand Tour decides no tie: one completed ticket each, a loop of 10 spaces against a line of 14
        (
            [LOOP, ["bombay-karachi", "bombay-calicut", "calicut-quilon"]],
            [["jodhpur-khandwa"], ["bombay-quilon"]],
            [21, 15],
            [21 + 5 + 5, 15 + 6 + 10],
            [2, 1],
        ),
        # all else being equal, they share the rank
        ([["bombay-calicut"], ["bombay-karachi"], ["bhatinda-delhi"]], [], [5, 5, 15], [15, 15, 15], [1, 1, 3]),
    ],
)
def test_in7_ties_go_by_completed_tickets_then_the_longer_path(
    routes: list[list[str]], holds: list[list[str]], points: list[int], scores: list[int], ranks: list[int]
) -> None:
    """IN7, C18."""
    table = ended(len(points), routes=routes, holds=holds, points=points)
    assert (table.scores, table.ranks) == (scores, ranks)
