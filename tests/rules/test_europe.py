"""The rules of Europe (EU1-EU10).

What EU1 says of the start, EU2 and EU3 are tested in `test_set_up`, its points and payments with the common rules.
"""

import functools
import itertools
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from t2r_env import Games
from t2r_env.rules.names import PHASES
from t2r_env.variants import LOCOMOTIVE
from tests.helpers import situations
from tests.helpers.maps import ROUTE_POINTS, load_map
from tests.helpers.referee import is_completed, routes_of
from tests.helpers.situations import (
    CARDS,
    Table,
    cards_text,
    configuration,
    count,
    end,
    knowing,
    put,
    put_tickets,
    route_name,
)
from tests.helpers.station_choice import chosen_routes, usable_at
from tests.variants.folders import SHIPPED, change, mark

situation = functools.partial(situations.situation, variant="europe")
ended = functools.partial(situations.ended, variant="europe")

VARIANT = load_map("europe")
ROUTES = {route_name(route.a, route.b, route.track): route for route in VARIANT.routes}
CITIES = {city.id for city in VARIANT.cities}

DOUBLES = ["berlin-frankfurt", "berlin-warszawa", "bruxelles-paris", "budapest-wien", "dieppe-london"]
DOUBLES += ["edinburgh-london", "essen-kobenhavn", "frankfurt-paris", "kobenhavn-stockholm", "madrid-pamplona"]
DOUBLES += ["pamplona-paris"]

FERRIES = dict.fromkeys(["athina-brindisi", "athina-smyrna", "brindisi-palermo", "dieppe-london", "dieppe-london 1"], 1)
FERRIES |= dict.fromkeys(["essen-kobenhavn", "essen-kobenhavn 1", "palermo-roma", "sevastopol-sochi"], 1)
FERRIES |= dict.fromkeys(["amsterdam-london", "constantinople-sevastopol", "erzurum-sevastopol", "palermo-smyrna"], 2)
"""The ferries, and how many locomotive symbols each has."""

TUNNELS = {"angora-constantinople", "angora-smyrna", "barcelona-pamplona", "bucuresti-budapest", "bucuresti-sofia"}
TUNNELS |= {"budapest-kyiv", "constantinople-smyrna", "erzurum-sochi", "madrid-pamplona", "madrid-pamplona 1"}
TUNNELS |= {"marseille-roma", "marseille-zurich", "munchen-venezia", "munchen-zurich", "paris-zurich"}
TUNNELS |= {"petrograd-stockholm", "sarajevo-sofia", "venezia-zurich"}


def used(table: Table, seat: int = 0) -> dict[str, str | None]:
    """The route that each station of a seat used, in the order built."""
    return {city: route and route_name(*route) for city, route in table.final(seat)["station_routes"]}


def test_eu3_the_map_has_these_double_routes_and_no_triple_ones() -> None:
    assert sorted(name.removesuffix(" 1") for name in ROUTES if " " in name) == DOUBLES


def test_eu4_the_map_has_these_ferries() -> None:
    """EU4, C14."""
    assert {name: route.ferry for name, route in ROUTES.items() if route.ferry} == FERRIES


def attempt(deck: str, *actions: str, hand: str = "3 orange", **more: Any) -> Table:
    """A game with this deck, in which the first seat has claimed Angora-Smyrna (three orange cards) and acted so."""
    table = situation(hands=[hand], deck=deck, **more)
    table.play("claim angora-smyrna", *actions)
    return table


def colour_of(route: str) -> str:
    """A colour that pays for a route: red if it is gray."""
    return "red" if ROUTES[route].colour == "gray" else ROUTES[route].colour


def test_eu5_three_cards_are_turned_up_for_a_tunnel_and_none_for_another_route() -> None:
    """EU5, EU1, C10: here none of them demands more, so the tunnel is claimed; the turned-up cards are discarded."""
    for name, route in ROUTES.items():
        symbols, colour = FERRIES.get(name, 0), colour_of(name)
        harmless = "green" if colour != "green" else "blue"
        hand = cards_text({colour: route.length - symbols, LOCOMOTIVE: symbols})
        table = situation(hands=[hand], deck=f"20 {harmless}")
        table.play(f"claim {name}")
        turned_up = 3 if name in TUNNELS else 0
        assert (table.phase, table.to_move, table.routes(0)) == ("turn", 1, {name})
        assert (table.score(0), table.trains(0), table.hand(0)) == (ROUTE_POINTS[route.length], 45 - route.length, "")
        assert table.deck == f"{20 - turned_up} {harmless}"
        assert count(table.discard).tolist() == count(f"{hand}, {turned_up} {harmless}").tolist()
        assert table.revealed == table.laid_out == ""


def test_eu5_three_cards_of_the_payments_colour_demand_three_more() -> None:
    """EU5, C2: payment and turned-up cards lie apart meanwhile; no train is placed yet."""
    for tunnel in sorted(TUNNELS):
        length, colour = ROUTES[tunnel].length, colour_of(tunnel)
        table = situation(hands=[f"{length + 3} {colour}"], deck=f"20 {colour}")
        table.play(f"claim {tunnel}")
        assert (table.phase, table.to_move) == ("tunnel", 0)
        assert (table.revealed, table.laid_out) == (f"3 {colour}", f"{length} {colour}")
        assert (table.deck, table.discard, table.hand(0)) == (f"17 {colour}", "", f"3 {colour}")
        assert (table.routes(0), table.score(0), table.trains(0)) == (set(), 0, 45)
        assert table.legal == {"pay_more 3 cards", "withdraw"}
        table.play("pay_more 3 cards")
        assert (table.routes(0), table.trains(0), table.score(0)) == ({tunnel}, 45 - length, ROUTE_POINTS[length])
        assert (table.discard, table.hand(0), table.to_move) == (f"{length + 6} {colour}", "", 1)
        assert table.revealed == table.laid_out == ""


@pytest.mark.parametrize(
    ("turned_up", "hand", "legal"),
    [
        ("1 orange, 2 red", "3 orange, 2 locomotive", {"pay_more 1 cards", "pay_more 1 locomotive"}),
        ("1 red, 2 locomotive", "3 orange, 2 locomotive", {"pay_more 1 cards, 1 locomotive"}),
        ("3 orange", "4 orange, 3 locomotive", {"pay_more 2 cards, 1 locomotive", "pay_more 1 cards, 2 locomotive"}),
    ],
)
def test_eu5_what_is_demanded_is_paid_in_the_colour_or_with_locomotives(
    turned_up: str, hand: str, legal: set[str]
) -> None:
    """EU5: exactly that many, in every way that the cards left allow."""
    table = attempt(turned_up, "pay 2 orange, 1 locomotive", hand=hand)
    assert table.legal == legal | {"withdraw"}


@pytest.mark.parametrize(
    ("turned_up", "due"),
    [("3 orange", 0), ("2 orange, 1 locomotive", 1), ("1 red, 2 locomotive", 2), ("3 locomotive", 3)],
)
def test_eu5_after_a_payment_of_locomotives_alone_only_locomotives_are_demanded(turned_up: str, due: int) -> None:
    """EU5: and only locomotives can pay for it, though there are orange cards."""
    table = attempt(turned_up, "pay 3 locomotive", hand="4 orange, 7 locomotive")
    if due:
        assert table.snapshot["subject"]["due"] == due
        assert table.legal == {f"pay_more {due} locomotive", "withdraw"}
        table.play(f"pay_more {due} locomotive")
    assert table.routes(0) == {"angora-smyrna"}
    assert table.hand(0) == f"4 orange, {4 - due} locomotive"


@pytest.mark.parametrize(("deck", "discard"), [("1 orange", "1 red"), ("2 orange", ""), ("1 locomotive", "1 red")])
def test_eu5_if_fewer_cards_exist_only_those_are_turned_up(deck: str, discard: str) -> None:
    """EU5: neither the payment nor face-up cards are used for more."""
    table = attempt(deck, discard=discard, hand="5 orange")
    assert count(table.revealed).tolist() == (count(deck) + count(discard)).tolist()
    assert (table.phase, table.deck, table.discard) == ("tunnel", "", "")
    assert table.face_up == "purple, blue, orange, white, green"
    assert table.snapshot["subject"]["due"] == count(table.revealed)[[CARDS.index("orange"), -1]].sum()


@pytest.mark.parametrize(("before", "after"), [("", "3 orange"), ("2 orange", "3 orange"), ("4 orange", "4 orange")])
@pytest.mark.parametrize("able", [True, False])
def test_eu5_cards_taken_back_are_known_to_all(before: str, after: str, able: bool) -> None:
    """EU5, C20: whether the player withdrew or could not pay; of those known before none is known twice.

    The route stays free, nothing is scored, and the turn ends.
    """
    hand = f"4 orange, 1 blue, {3 if able else 0} locomotive"
    table = knowing(before, situation(3, hands=[hand], deck="60 orange"))
    table.play("claim angora-smyrna")
    if able:
        table.play("pay 3 orange", "withdraw")
    assert (table.phase, table.to_move, table.routes(0)) == ("turn", 1, set())
    assert (table.score(0), table.trains(0), count(table.hand(0)).tolist()) == (0, 45, count(hand).tolist())
    for observer in range(3):
        assert table.known(observer, seat=0) == after


THREE = ["angora", "lisboa", "sochi"]
"""Cities far from what happens in the tests."""


def test_eu6_a_station_is_built_in_the_city_chosen() -> None:
    """EU6: it takes the whole turn, no train, and earns nothing at once; nobody else can build there."""
    for city in sorted(CITIES):
        table = situation(3, hands=["", "1 blue", "1 red"], points=[3, 5], to_move=1, reward="score")
        table.play(f"build {city}")
        assert [table.stations(seat) for seat in range(3)] == [[], [city], []]
        assert (table.phase, table.to_move, table.hand(1), table.discard) == ("turn", 2, "", "1 blue")
        assert (table.trains(1), table.score(1), table.routes(1)) == (45, 5, set())
        assert table.games.rewards.tolist() == [[0, 0, 0]]
        assert {it for it in table.legal if "build" in it} == {f"build {it}" for it in CITIES - {city}}


TWO = {"2 red", "1 red, 1 locomotive", "2 blue", "1 blue, 1 locomotive", "1 white, 1 locomotive", "2 locomotive"}
OF_RED = {"3 red", "2 red, 1 locomotive", "1 red, 2 locomotive"}


@pytest.mark.parametrize(
    ("built", "payments"),
    [
        (0, {"1 red", "1 blue", "1 white", "1 locomotive"}),
        (1, TWO),
        (2, OF_RED | {"2 blue, 1 locomotive", "1 blue, 2 locomotive", "1 white, 2 locomotive"}),
    ],
)
def test_eu6_the_first_station_costs_one_card_the_second_two_and_the_third_three(
    built: int, payments: set[str]
) -> None:
    """EU6: of one colour, any colour, locomotives standing in for any of them."""
    for payment in payments:
        table = situation(hands=["3 red, 2 blue, 1 white, 2 locomotive"], stations=[THREE[:built]])
        table.play("build paris")
        assert (table.phase, table.to_move) == ("pay", 0)
        assert table.legal == {f"pay {payment}" for payment in payments}
        table.play(f"pay {payment}")
        assert table.stations(0) == [*THREE[:built], "paris"]
        spent = count(payment)
        assert spent.sum() == built + 1
        assert count(table.discard).tolist() == spent.tolist()
        assert (count(table.hand(0)) + spent).tolist() == count("3 red, 2 blue, 1 white, 2 locomotive").tolist()
        assert (table.to_move, table.score(0), table.trains(0)) == (1, 0, 45)


@pytest.mark.parametrize("turns", [1, 2])
def test_eu6_a_station_can_be_built_in_a_last_turn(turns: int) -> None:
    """EU6 (ruling), EU8: and is then gone."""
    table = situation(hands=["1 red"], last_turns_left=turns)
    table.play("build paris")
    assert table.stations(0) == ["paris"]
    assert end(table).parts("stations") == [8, 12]


NOTHING_TO_DRAW: dict[str, Any] = {"deck": "", "face_up": "-, -, -, -, -", "ticket_deck": []}


@pytest.mark.parametrize(("hand", "built"), [("", 0), ("1 blue", 1), ("2 black, 1 blue", 2), ("5 white", 3)])
def test_eu6_a_player_who_can_build_no_station_passes(hand: str, built: int) -> None:
    """EU6 (ruling), C13: he has not the cards or no station left, and no trains for a route."""
    table = situation(3, hands=[hand], stations=[THREE[:built]], trains=[0], **NOTHING_TO_DRAW)
    assert table.legal == {"pass"}


def test_eu6_building_is_not_a_pass() -> None:
    """EU6, C13: all others have passed, and the game goes on."""
    table = situation(3, hands=["", "", "1 blue"], **NOTHING_TO_DRAW)
    table.play("pass", "pass")
    assert table.legal == {f"build {city}" for city in CITIES}  # a player who can build may not pass (ruling)
    table.play("build paris")
    assert (table.outcome, table.to_move) == ("running", 0)
    assert table.sees("passes", 0).tolist() == [0]


TO_WIEN = ["frankfurt-munchen", "munchen-wien"]
TO_EAST = ["essen-kobenhavn", "berlin-warszawa", "warszawa-wilno", "smolensk-wilno"]
ALL_OVER = [*TO_EAST, "amsterdam-essen", "frankfurt-paris", "pamplona-paris"]
AT_FRANKFURT = ["essen-frankfurt", "berlin-frankfurt"]
NORTH, EAST, WEST = "frankfurt-kobenhavn", "frankfurt-smolensk", "amsterdam-pamplona"
TURKISH = ["angora-constantinople", "constantinople-sofia", "athina-smyrna", "erzurum-sochi", "rostov-sochi"]
TURKISH += ["kharkov-rostov"]
AT_ANGORA = ["angora-erzurum", "angora-smyrna"]


@pytest.mark.parametrize(
    ("own", "others", "city", "holds", "uses", "points"),
    [
        # the first part of Paris-Wien is the other's; a station at either end of that part will do, and no other
        (TO_WIEN, ["frankfurt-paris"], "frankfurt", ["paris-wien"], "frankfurt-paris", 8),
        (TO_WIEN, ["frankfurt-paris"], "paris", ["paris-wien"], "frankfurt-paris", 8),
        (TO_WIEN, ["frankfurt-paris"], "munchen", ["paris-wien"], None, -8),
        (TO_WIEN, ["frankfurt-paris"], "berlin", ["paris-wien"], None, -8),
        # it uses one route: two of the other's need two stations, in cities where each of them ends
        ([], ["essen-frankfurt", "essen-kobenhavn"], "essen", [NORTH], "essen-frankfurt", -5),
        # the same one for all tickets: either of two could be completed, not both; with the same route both are
        (TO_EAST, AT_FRANKFURT, "frankfurt", [NORTH, EAST], "berlin-frankfurt", 13 - 5),
        ([*TO_EAST, "berlin-essen"], AT_FRANKFURT, "frankfurt", [NORTH, EAST], "berlin-frankfurt", 13 + 5),
        # the most points rather than the most tickets: one of 13 points against two of 7 and 5 (ruling)
        (ALL_OVER, AT_FRANKFURT, "frankfurt", [EAST, WEST, NORTH], "berlin-frankfurt", 13 - 7 - 5),
        (ALL_OVER, AT_FRANKFURT, "frankfurt", [WEST, NORTH], "essen-frankfurt", 7 + 5),
        # of equal points the most tickets: two of 5 points rather than one of 10, whose route has the lower number
        (TURKISH, AT_ANGORA, "angora", ["angora-kharkov", "angora-athina", "smyrna-sofia"], "angora-smyrna", 0),
        (TURKISH, AT_ANGORA, "angora", ["angora-kharkov", "angora-athina"], "angora-erzurum", 5),
    ],
)
def test_eu7_a_station_uses_the_route_of_another_player_that_brings_most(
    own: list[str], others: list[str], city: str, holds: list[str], uses: str | None, points: int
) -> None:
    table = ended(routes=[own, others], stations=[[city]], holds=[holds])
    assert (used(table), table.parts("tickets")) == ({city: uses}, [points, 0])


def test_eu7_without_a_station_no_route_of_others_is_used() -> None:
    """EU7: nor with another player's station."""
    stations = [[], ["paris"], ["frankfurt"]]
    table = ended(3, routes=[TO_WIEN, ["frankfurt-paris"]], stations=stations, holds=[["paris-wien"]])
    assert [used(table, seat) for seat in range(3)] == [{}, {"paris": None}, {"frankfurt": "frankfurt-munchen"}]
    assert table.parts("tickets") == [-8, 0, 0]


AT_PARIS = ["paris-zurich", "pamplona-paris", "frankfurt-paris", "munchen-zurich"]
AT_ZURICH = ["munchen-zurich", "frankfurt-munchen", "marseille-zurich"]
TO_BARCELONA = ["paris-zurich", "pamplona-paris", "barcelona-pamplona"]
LOWEST = {"paris": "frankfurt-paris", "zurich": "munchen-zurich", "riga": None}


@pytest.mark.parametrize(
    ("own", "others", "holds", "uses"),
    [
        # also without a ticket, or with one that can't be completed
        ([], AT_PARIS, [], LOWEST),
        ([], AT_PARIS, ["danzig-lisboa"], LOWEST),
        # one of them has to use München-Zürich; the other, if it was built first, uses its lowest
        (TO_BARCELONA, AT_ZURICH, ["barcelona-munchen"], {"munchen": "frankfurt-munchen", "zurich": "munchen-zurich"}),
        (TO_BARCELONA, AT_ZURICH, ["barcelona-munchen"], {"zurich": "marseille-zurich", "munchen": "munchen-zurich"}),
    ],
)
def test_eu7_of_equal_choices_the_lowest_route_numbers_are_taken_in_the_order_in_which_stations_were_built(
    own: list[str], others: list[str], holds: list[str], uses: dict[str, str | None]
) -> None:
    """EU7 (ruling)."""
    table = ended(routes=[own, others], stations=[[*uses]], holds=[holds])
    assert [*used(table).items()] == [*uses.items()]


def with_short_tickets(folder: Path) -> Path:
    """The game with 72 tickets of 1 to 3 points between cities that one or two routes join."""
    shutil.copytree(SHIPPED / "europe", folder)
    rng = random.Random(1)
    near = {(one, other) for route in VARIANT.routes for one, other in itertools.permutations((route.a, route.b))}
    pairs = near | {(a, d) for a, b in near for c, d in near if b == c}
    drawn = rng.sample(sorted(pair for pair in pairs if pair[0] < pair[1]), 72)
    decks = ["long"] * 6 + ["regular"] * 66
    rows = [f"{deck},{a},{b},{rng.randint(1, 3)}" for deck, (a, b) in zip(decks, drawn, strict=True)]
    (folder / "tickets.csv").write_text("\n".join(["deck,a,b,points", *rows, ""]), encoding="utf-8")
    return folder


@pytest.mark.parametrize("players", [2, 5])
def test_eu7_the_choice_for_many_small_tickets_is_that_of_a_search_through_all_choices(
    players: int, tmp_path: Path
) -> None:
    """EU7: random games are cut short, and each seat has 60 tickets: many choices make as many points."""
    folder = with_short_tickets(tmp_path / "europe")
    chosen, variant = configuration(folder, players), load_map(folder)
    games = Games(chosen, batch=250, seed=players, autoreset=False, observe=False)
    games.play_random(100 * players, seed=players)
    states = games.states[games.states["phase"] == PHASES.index("turn")].copy()
    rng, names = random.Random(players), [route_name(it.a, it.b) for it in variant.ticket_decks["regular"].tickets]
    for state in states:
        put_tickets(state, chosen, [], tickets=[rng.sample(names, 60) for _ in range(players)])
        state.last_turns_left = 1
    games = Games(chosen, batch=len(states), autoreset=False, observe=False, seed=0)
    put(games, states)
    while games.masks.any():
        games.play_random(10, seed=players)
    built, beyond_lowest = 0, 0
    for row in range(games.batch):
        snapshot = games.snapshot(row)
        for seat, (player, final) in enumerate(zip(snapshot["players"], snapshot["final"], strict=True)):
            routes, cities = chosen_routes(variant, snapshot, seat), player["stations"]
            expected = [[route.a, route.b, route.track] if route else None for route in routes]
            assert final["station_routes"] == [[*it] for it in zip(cities, expected, strict=True)]
            joining = [*routes_of(variant, snapshot, seat), *filter(None, routes)]
            assert final["completed"] == [it for it in player["tickets"] if is_completed(variant, joining, it)]
            lowest = [number for city in cities for number in usable_at(variant, snapshot, seat, city)[:1]]
            built += len(cities)
            beyond_lowest += [variant.routes[number] for number in lowest] != [*filter(None, routes)]
    assert built > 2 * players * games.batch
    assert beyond_lowest > games.batch / 10


def test_eu7_a_ticket_between_groups_counts_once_however_often_it_is_completed(tmp_path: Path) -> None:
    """EU7, C16: on a map with groups. One station completes it; the other one then completes the other ticket."""
    folder = shutil.copytree(SHIPPED / "europe", tmp_path / "europe")
    regions = {"paris": "west", "london": "west", "zurich": "east", "edinburgh": "east"}
    mark(folder / "cities.csv", "region", regions)
    change(folder / "tickets.csv", "amsterdam,pamplona,7", "east,west,7")
    change(folder / "tickets.csv", "amsterdam,wilno,12", "brest,paris,5")
    routes = [[], ["edinburgh-london", "brest-paris", "paris-zurich"]]
    stations, holds = [["edinburgh", "paris"]], [["east-west", "brest-paris"]]
    table = ended(variant=folder, routes=routes, stations=stations, holds=holds)
    assert used(table) == {"edinburgh": "edinburgh-london", "paris": "brest-paris"}
    assert table.parts("tickets") == [7 + 5, 0]


def test_eu8_each_station_not_built_earns_4_points() -> None:
    table = ended(4, stations=[[], ["paris"], ["wien", "roma"], THREE])
    assert table.parts("stations") == [12, 8, 4, 0]
    assert table.scores == [12, 8, 4, 0]


def test_eu8_the_longest_path_passes_over_own_routes_only() -> None:
    """EU8: the route that a station uses joins the ticket's cities, not the path."""
    routes = [["frankfurt-munchen", "munchen-wien"], ["frankfurt-paris", "barcelona-marseille"], ["moskva-petrograd"]]
    routes[0] += ["paris-zurich"]
    routes[1] += ["barcelona-madrid"]
    table = ended(3, routes=routes, stations=[["paris"]], holds=[["paris-wien"]])
    assert used(table) == {"paris": "frankfurt-paris"}
    assert table.parts("tickets") == [8, 0, 0]
    assert table.parts("longest_path") == [0, 10, 0]  # 5 spaces of his own, 11 with the other's


@pytest.mark.parametrize(
    ("routes", "holds", "stations", "points", "score", "ranks"),
    [
        # completed tickets, also those completed by a station, decide before stations and paths
        ([TO_WIEN, ["frankfurt-paris", "marseille-paris"]], [["paris-wien"]], [["paris"]], [10, 4], 26, [1, 2]),
        # stations before the longer path
        ([["cadiz-lisboa"], ["cadiz-madrid"]], [], [["paris"], ["wien", "roma"]], [20, 14], 28, [1, 2]),
        # the longer path, of as many stations
        ([["cadiz-lisboa"], ["cadiz-madrid"]], [], [["paris"], ["wien"]], [20, 10], 28, [2, 1]),
    ],
)
def test_eu9_ties_go_by_completed_tickets_then_fewer_stations_then_the_longer_path(
    routes: list[list[str]],
    holds: list[list[str]],
    stations: list[list[str]],
    points: list[int],
    score: int,
    ranks: list[int],
) -> None:
    """EU9, C18."""
    table = ended(routes=routes, stations=stations, holds=holds, points=points)
    assert (table.scores, table.ranks) == ([score, score], ranks)


def test_eu10_all_see_where_stations_stand_and_how_many_are_left() -> None:
    """EU10, C20, EU1: whose they are, from the own seat on; three at first."""
    built = [["paris"], ["wien", "roma"], THREE, [], ["riga"]]
    table = situation(5, stations=built)
    ids = [city.id for city in VARIANT.cities]
    for seat in range(5):
        in_turn = [*built[seat:], *built[:seat]]
        assert table.sees("stations", seat).tolist() == [[city in own for city in ids] for own in in_turn]
        assert table.sees("stations_left", seat).tolist() == [3 - len(own) for own in in_turn]
