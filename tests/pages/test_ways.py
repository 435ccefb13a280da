"""The shortest ways left on a map, compared with a plain computation."""

import random
from collections.abc import Callable

import pytest

from t2r_agents.browser.ways import Way, find_missing, find_ways
from t2r_env import Games
from tests.helpers.maps import map_variant
from tests.helpers.situations import Table, situation

NEVER = 10_000

PLAYED = [("usa", 2), ("usa", 4), ("new_york", 3), ("legendary_asia", 2), ("pennsylvania", 5)]


def way(table: Table, a: str, b: str) -> Way:
    (found,) = find_ways(table.games.configuration, table.games.views([0]), [(a, b)])
    return found


def open_and_own(games: Games) -> tuple[list[int], list[int]]:
    """The routes that the acting seat may still claim by C9 and C11, and those of its own."""
    snapshot, variant = games.snapshot(), map_variant(games.configuration)
    seat = snapshot["current_player"]
    owners = {(it["a"], it["b"], it["track"]): it["owners"] for it in snapshot["routes"]}
    closes = games.num_players <= variant.double_routes_closed_up_to
    is_open, own = [], []
    for number, route in enumerate(variant.routes):
        takers = owners[route.a, route.b, route.track]
        parallel = [who for (a, b, _), who in owners.items() if (a, b) == (route.a, route.b)]
        trains = route.length + route.mountain
        if seat in takers:
            own.append(number)
        elif (
            not takers
            and not any(seat in who for who in parallel)
            and not (closes and any(parallel))
            and trains <= snapshot["players"][seat]["trains"]
        ):
            is_open.append(number)
    return is_open, own


def distances(games: Games, cost: Callable[[int], int], starts: set[str]) -> dict[str, int]:
    """The fewest trains to each city."""
    variant = map_variant(games.configuration)
    is_open, own = open_and_own(games)
    costs = {number: cost(number) for number in is_open} | dict.fromkeys(own, 0)
    found = {city.id: 0 if city.id in starts else NEVER for city in variant.cities}
    for _ in variant.cities:
        for number, trains in costs.items():
            a, b = variant.routes[number].a, variant.routes[number].b
            found[a], found[b] = min(found[a], found[b] + trains), min(found[b], found[a] + trains)
    return found


@pytest.mark.parametrize(("variant", "players"), PLAYED)
def test_a_way_takes_the_fewest_trains_over_open_routes_and_the_seats_own(variant: str, players: int) -> None:
    """C9, C11, C16: also which routes lie on some such way, and which cities stand for a region."""
    games = Games(variant, players, seed=7, autoreset=False)
    loaded = map_variant(games.configuration)
    rng = random.Random(1)
    seen = set()
    ends = [it.id for it in loaded.cities] + sorted({it.region for it in loaded.cities if it.region})

    def trains_of(number: int) -> int:
        route = loaded.routes[number]
        return route.length + route.mountain

    for moves in (0, 40, 80, 120, 160):
        games.play_random(moves, seed=moves)
        if games.terminated[0]:
            break
        pairs = [(a, b) for a, b in (rng.sample(ends, 2) for _ in range(12))]
        for (a, b), found in zip(pairs, find_ways(games.configuration, games.views([0]), pairs), strict=True):
            starts, goals = ({it.id for it in loaded.cities if end in (it.id, it.region)} for end in (a, b))
            there, back = distances(games, trains_of, starts), distances(games, trains_of, goals)
            shortest = min(there[city] for city in goals)
            assert found.is_possible is (shortest < NEVER)
            if found.is_possible:
                assert found.trains == shortest == sum(map(trains_of, found.routes))
                on_ways = set()
                for number in open_and_own(games)[0]:
                    x, y = loaded.routes[number].a, loaded.routes[number].b
                    if min(there[x] + back[y], there[y] + back[x]) + trains_of(number) == shortest:
                        on_ways.add(number)
                assert found.choices == on_ways
                assert on_ways.issuperset(found.routes)
            seen.add((found.is_possible, found.is_complete))
    assert (True, False) in seen


def test_own_routes_cost_nothing_and_joined_cities_need_no_way() -> None:
    """C16."""
    table = situation(routes=[["boston-new_york", "montreal-new_york"]], hands=["1 green"])
    assert way(table, "boston", "montreal").is_complete
    assert way(table, "boston", "toronto").trains == 3
    assert not way(situation(routes=[[], ["boston-new_york", "montreal-new_york"]]), "boston", "montreal").is_complete


def test_the_missing_cards_are_counted_by_the_colour_of_the_route_each_card_once() -> None:
    """C9: locomotives stand for the colours of which most is missing."""
    table = situation(hands=["1 blue, 2 red"])
    assert way(table, "montreal", "new_york").missing == {"blue": 2}
    assert way(table, "atlanta", "charleston").missing == {}  # two red pay the gray route
    table = situation(hands=["1 blue, 1 locomotive"])
    assert way(table, "montreal", "new_york").missing == {"blue": 1}
    assert way(table, "atlanta", "charleston").missing == {}
    assert way(situation(), "atlanta", "charleston").missing == {"gray": 2}
    table = situation(variant="pennsylvania", hands=["5 red"])
    assert way(table, "ontario", "buffalo").missing == {"locomotive": 1}
    table = situation(hands=["3 white"])
    routes = [it for it, route in enumerate(map_variant(table.games.configuration).routes) if route.colour == "white"]
    lengths = [map_variant(table.games.configuration).routes[it].length for it in routes]
    missing = find_missing(table.games.configuration, table.games.views([0]), routes)
    assert missing == {"white": sum(lengths) - 3}


def test_ta2_the_cards_of_the_rack_are_not_missing_and_the_teammates_routes_are_the_seats_own() -> None:
    table = situation(4, variant="team_asia", racks=["9 white, 9 purple"], routes=[[], ["bangalore-bombay"]])
    assert way(table, "bangalore", "bombay").is_complete
    assert way(table, "delhi", "karachi").missing == {}
    assert way(situation(4, variant="team_asia"), "delhi", "karachi").missing == {"purple": 3}
    assert way(situation(4, variant="team_asia", racks=["9 purple"], to_move=1), "delhi", "karachi").missing == {}


def test_uk6_the_technologies_that_a_way_needs_take_locomotives() -> None:
    table = situation(variant="united_kingdom", technologies=[["scotland_concession"]], hands=["9 purple"])
    assert way(table, "aberdeen", "inverness").missing == {"locomotive": 1}
