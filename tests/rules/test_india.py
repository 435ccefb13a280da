"""The rules of India (IN3, IN4, IN6).

What IN1 says of the start, IN2 and IN3 are tested in `test_set_up`, its points and payments with the common rules.
"""

import functools
import random
from pathlib import Path
from typing import Any

import pytest

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

DOUBLES = ["agra-bhopal", "agra-jaipur", "ahmadabad-jodhpur", "ambala-bhatinda", "ambala-delhi", "bezwada-indur"]
DOUBLES += ["bezwada-waltain", "bhatinda-lahore", "bhopal-bilaspur", "bilaspur-katni", "bilaspur-raipur"]
DOUBLES += ["bombay-karachi", "calcutta-chittagong", "calcutta-dhubri", "calicut-erode", "calicut-mangalore"]
DOUBLES += ["calicut-quilon", "dhubri-jarhat", "dhubri-patna", "erode-madras", "guntakal-wadi", "jacobabad-peshawar"]
DOUBLES += ["jacobabad-rohri", "jaipur-ratiam", "katni-lucknow", "katni-patna", "lahore-peshawar", "raipur-waltain"]

FERRIES = dict.fromkeys(["calcutta-chittagong", "calcutta-chittagong 1", "calicut-quilon", "calicut-quilon 1"], 1)
FERRIES |= dict.fromkeys(["bombay-calicut", "bombay-karachi", "bombay-karachi 1", "calcutta-madras"], 2)
"""The ferries, and how many locomotive symbols each has."""


def test_in3_the_map_has_these_double_routes_and_no_triple_ones() -> None:
    assert sorted(name.removesuffix(" 1") for name in ROUTES if " " in name) == DOUBLES


def test_in4_the_map_has_these_ferries() -> None:
    """IN4, C14: all are gray."""
    assert {name: route.ferry for name, route in ROUTES.items() if route.ferry} == FERRIES
    assert {ROUTES[name].colour for name in FERRIES} == {"gray"}


LOOP = ["ahmadabad-jodhpur", "ahmadabad-khandwa", "jaipur-jodhpur", "jaipur-ratiam", "khandwa-ratiam"]
"""Two paths from Jodhpur to Khandwa: over Ahmadabad, and over Jaipur and Ratiam."""

WIDE_LOOP = ["agra-lucknow", "katni-lucknow", "bilaspur-katni", "bilaspur-raipur", "khandwa-raipur", "khandwa-manmad"]
WIDE_LOOP += ["bombay-manmad", "ahmadabad-bombay", "ahmadabad-jodhpur", "jaipur-jodhpur", "agra-jaipur"]
IN_WIDE_LOOP = ["bombay-lucknow", "jaipur-raipur", "jodhpur-khandwa", "jodhpur-lucknow", "katni-khandwa"]
IN_WIDE_LOOP += ["manmad-raipur"]
"""All tickets of the game between cities of the loop, of 7, 5, 5, 5, 5 and 5 points."""

FAR_LOOP = ["ambala-bhatinda", "ambala-lahore", "bhatinda-lahore"]
FIRST_LOOP = ["jaipur-jodhpur", "jaipur-ratiam", "ahmadabad-jodhpur", "ahmadabad-ratiam"]
SECOND_LOOP = ["khandwa-ratiam", "bhopal-ratiam", "bhopal-khandwa"]
"""From Jodhpur two paths lead to Ratiam, and from there two to Khandwa; all pass Ratiam."""
BRIDGED = [*LOOP, "khandwa-manmad", "bombay-manmad", "bombay-poona", "manmad-poona"]
"""Two loops that a single route joins."""


def grand_tours(*routes: list[str], holds: list[list[str]], **more: Any) -> list[int]:
    """The points of the players for their Grand Tours, with these routes and tickets."""
    return ended(max(2, len(routes)), routes=routes, holds=holds, **more).parts("grand_tour")


def test_in6_a_ticket_joined_by_two_paths_earns_5_points_besides_its_value() -> None:
    """IN6: at the end only. The longest path (IN5) may use the same routes: it is the loop, of 10 spaces against 8."""
    table = situation(routes=[LOOP, ["calcutta-madras"]], holds=[["jodhpur-khandwa"]], last_turns_left=1)
    assert table.score(0) == 11
    assert end(table).final(0)["breakdown"] == {"routes": 11, "tickets": 5, "longest_path": 10, "grand_tour": 5}
    assert table.scores == [31, 21]


@pytest.mark.parametrize(
    ("routes", "holds", "tickets", "tours"),
    [
        # the paths may meet in cities
        ([*FIRST_LOOP, *SECOND_LOOP], ["jodhpur-khandwa"], 5, 5),
        # tickets that fail are none: not even if both cities lie on loops of the player, which don't meet
        ([*LOOP, *FAR_LOOP], ["jodhpur-khandwa", "bhatinda-manmad", "ahmadabad-bareilly"], 5 - 9 - 5, 5),
        ([*LOOP, *FAR_LOOP, "bareilly-lucknow"], ["ambala-ratiam"], -5, 0),
        # the paths have no route in common: tickets within a loop are Grand Tours, one across a single route is none
        (BRIDGED, ["jodhpur-khandwa", "jaipur-poona"], 5 + 5, 5),
        # a second route between the loops joins the ticket's cities twice
        ([*BRIDGED, "ahmadabad-bombay"], ["jodhpur-khandwa", "jaipur-poona"], 5 + 5, 10),
        # routes that lead nowhere change nothing; the ticket that ends there is none
        ([*LOOP, "delhi-jaipur", "delhi-lucknow", "calcutta-madras"], ["jodhpur-khandwa", "jodhpur-lucknow"], 10, 5),
    ],
)
def test_in6_the_two_paths_have_no_route_in_common(
    routes: list[str], holds: list[str], tickets: int, tours: int
) -> None:
    table = ended(routes=[routes], holds=[holds])
    assert (table.parts("tickets"), table.parts("grand_tour")) == ([tickets, 0], [tours, 0])


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
