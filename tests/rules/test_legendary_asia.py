"""The rules of Legendary Asia (LA1-LA7). How its ferries (LA4) are paid is tested with the common rules, as C14."""

import functools

import pytest

from tests.helpers import situations
from tests.helpers.maps import ROUTE_POINTS, load_map
from tests.helpers.situations import route_name

situation = functools.partial(situations.situation, variant="legendary_asia")
ended = functools.partial(situations.ended, variant="legendary_asia")

VARIANT = load_map("legendary_asia")
ROUTES = {route_name(route.a, route.b, route.track): route for route in VARIANT.routes}

FERRIES = {"astrakhan-samarkand", "astrakhan-tehran", "bombay-colombo", "bombay-colombo 1", "calcutta-colombo"}
FERRIES |= {"kobe-seoul", "kobe-shanghai", "kobe-taipei", "kobe-taipei 1", "macau-taipei", "mecca-shiraz"}
FERRIES |= {"peking-seoul", "saigon-singapore", "seoul-vladivostok", "shanghai-taipei"}
"""Each has one locomotive symbol."""

MOUNTAINS = dict.fromkeys(["agra-kathmandu", "agra-rawalpindi", "ankara-tbilisi", "bangkok-hanoi"], 1)
MOUNTAINS |= dict.fromkeys(["chita-irkutsk 1", "irkutsk-krasnoyarsk 1", "karachi-rawalpindi", "karachi-samarkand"], 1)
MOUNTAINS |= dict.fromkeys(["kathmandu-rawalpindi", "khabarovsk-vladivostok 1", "krasnoyarsk-omsk 1", "lhasa-xian"], 1)
MOUNTAINS |= dict.fromkeys(["mandalay-rangoon", "mandalay-xian", "moscow-perm 1", "omsk-perm 1", "omsk-samarkand"], 1)
MOUNTAINS |= dict.fromkeys(["peking-ulan_bator", "peking-ulan_bator 1", "rawalpindi-samarkand", "samarkand-tehran"], 1)
MOUNTAINS |= dict.fromkeys(["tbilisi-tehran", "tbilisi-tehran 1"], 1)
MOUNTAINS |= dict.fromkeys(["hanoi-mandalay", "irkutsk-ulan_bator", "karachi-shiraz", "karachi-shiraz 1"], 2)
MOUNTAINS |= dict.fromkeys(["kathmandu-mandalay", "lhasa-mandalay", "shiraz-tehran", "shiraz-tehran 1"], 2)
"""The mountain routes, and how many X symbols each bears."""

GRAY_BESIDE_COLOURED = {
    "chita-irkutsk": "white",
    "irkutsk-krasnoyarsk": "blue",
    "krasnoyarsk-omsk": "purple",
    "moscow-perm": "red",
    "omsk-perm": "white",
}
"""Gray routes, and the colour of the mountain route beside each."""


def test_la3_a_gray_route_may_be_paid_in_the_colour_of_its_neighbour() -> None:
    """LA3: or in any other, which does not pay the neighbour."""
    for gray, colour in GRAY_BESIDE_COLOURED.items():
        hand = f"{ROUTES[gray].length} {colour}"
        table = situation(hands=[hand])
        assert {gray, f"{gray} 1"} <= table.claims
        table.play(f"claim {gray}")
        assert (table.routes(0), table.discard) == ({gray}, hand)
        assert situation(hands=["3 orange"]).claims & {gray, f"{gray} 1"} == {gray}


def test_la4_the_map_has_these_ferries() -> None:
    """LA4, C14."""
    assert {name: route.ferry for name, route in ROUTES.items() if route.ferry} == dict.fromkeys(FERRIES, 1)


def test_la5_a_route_takes_a_train_for_each_space_and_each_x_and_earns_two_points_for_each_x() -> None:
    """LA5, C9, C10: at once, the X's apart from the points for the route; cards are paid for the spaces alone."""
    for name, route in ROUTES.items():
        length, symbols = route.length, MOUNTAINS.get(name, 0)
        table = situation(hands=["", "9 locomotive"], points=[3, 5], trains=[40, 30], to_move=1, reward="score")
        table.play(f"claim {name}")
        gained = ROUTE_POINTS[length] + 2 * symbols
        assert (table.trains(0), table.trains(1)) == (40, 30 - length - symbols)
        assert (table.score(0), table.score(1)) == (3, 5 + gained)
        assert table.games.rewards.tolist() == [[0, gained]]
        assert (table.hand(1), table.discard) == (f"{9 - length} locomotive", f"{length} locomotive")


def test_la5_a_mountain_route_cannot_be_claimed_without_trains_for_spaces_and_x_symbols() -> None:
    """LA5: they may be the player's last trains."""
    for name, symbols in MOUNTAINS.items():
        needed = ROUTES[name].length + symbols
        assert name not in situation(hands=["6 locomotive"], trains=[needed - 1]).claims
        table = situation(hands=["6 locomotive"], trains=[needed])
        table.play(f"claim {name}")
        assert (table.trains(0), table.routes(0)) == (0, {name})


@pytest.mark.parametrize(("trains", "is_last_round"), [(4, True), (5, True), (6, True), (7, False)])
def test_la5_trains_given_up_to_the_mountains_may_trigger_the_last_round(trains: int, is_last_round: bool) -> None:
    """LA5, C15: two spaces and two X's."""
    table = situation(hands=["2 red"], trains=[trains])
    table.play("claim hanoi-mandalay")
    assert table.trains(0) == trains - 4
    assert table.snapshot["last_turns_left"] == (2 if is_last_round else None)


FOUR_CITIES = ["agra-bombay", "agra-calcutta", "calcutta-mandalay"]
"""A path."""


LOOP = ["bangkok-hanoi", "bangkok-saigon", "hanoi-saigon"]
STAR = ["dihua-krasnoyarsk", "dihua-omsk", "dihua-samarkand", "dihua-xian"]


@pytest.mark.parametrize(
    ("routes", "bonuses"),
    [
        # cities are counted, not spaces or routes
        ([FOUR_CITIES, ["dihua-peking", "dihua-xian"]], [10, 0]),
        # a city in a loop counts once
        ([LOOP, FOUR_CITIES], [0, 10]),
        ([LOOP, FOUR_CITIES[:2]], [10, 10]),
        # a network may branch
        ([STAR, FOUR_CITIES], [10, 0]),
        # the cities lie in one network
        ([[*STAR[:2], *LOOP[:2]], FOUR_CITIES], [0, 10]),
        ([[*STAR[:2], *LOOP[:2], "saigon-singapore"], FOUR_CITIES], [10, 10]),
        # all who tie get the bonus; by both routes of a double connection, too
        ([["bombay-calcutta"], ["bombay-calcutta 1"], ["dihua-peking"], []], [10, 10, 10, 0]),
        # a maximum of zero earns nothing: C17 (ruling)
        ([[], []], [0, 0]),
    ],
)
def test_la6_the_cities_of_the_largest_network_are_counted(routes: list[list[str]], bonuses: list[int]) -> None:
    assert ended(len(routes), routes=routes).parts("explorer") == bonuses


@pytest.mark.parametrize(
    ("routes", "holds", "score", "ranks"),
    [
        # completed tickets decide before mountain routes (C18)
        (
            [
                ["hanoi-macau", "hanoi-saigon", "saigon-singapore"],
                ["agra-kathmandu", "kathmandu-rawalpindi", "agra-bombay", "astrakhan-tbilisi"],
            ],
            [["macau-singapore"]],
            23,
            [1, 2],
        ),
        # three with one X each against two with two
        (
            [["hanoi-mandalay", "karachi-shiraz"], ["agra-kathmandu", "bangkok-hanoi", "karachi-rawalpindi"]],
            [],
            22,
            [2, 1],
        ),
        # one against three other routes of as many points
        ([["hanoi-macau", "astrakhan-tbilisi", "baghdad-tehran"], ["mandalay-rangoon"]], [], 13, [2, 1]),
        # a longer path does not decide
        (
            [["agra-kathmandu", "agra-bombay"], ["ankara-tbilisi", "astrakhan-tbilisi", "baghdad-tehran"]],
            [],
            16,
            [1, 1],
        ),
    ],
)
def test_la7_ties_go_by_completed_tickets_and_then_by_mountain_routes(
    routes: list[list[str]], holds: list[list[str]], score: int, ranks: list[int]
) -> None:
    """LA7, C18."""
    table = ended(routes=routes, holds=holds)
    assert (table.scores, table.ranks) == ([score, score], ranks)
