"""The rules of Europe (EU1-EU10). EU2, and what EU1 says of the start, is tested in `test_set_up`."""

import functools
import itertools
import random
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from t2r_env import Games
from t2r_env.rules.names import PHASES
from t2r_env.variants import COLOURS, LOCOMOTIVE, MapVariant, loader
from tests.helpers import situations
from tests.helpers.maps import load_map
from tests.helpers.referee import is_completed, routes_of
from tests.helpers.situations import (
    CARDS,
    Table,
    cards_text,
    configuration,
    count,
    differing_fields,
    end,
    knowing,
    put,
    put_tickets,
    route_name,
)
from tests.helpers.station_choice import chosen_routes, usable_at

deal = functools.partial(situations.deal, variant="europe")
situation = functools.partial(situations.situation, variant="europe")
ended = functools.partial(situations.ended, variant="europe")

VARIANT = load_map("europe")
ROUTES = {route_name(route.a, route.b, route.track): route for route in VARIANT.routes}
CITIES = {city.id for city in VARIANT.cities}

POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 6: 15, 8: 21}
"""EU1, C10; no route of this map has 5 or 7 spaces."""

DOUBLES = [
    "berlin-frankfurt",
    "berlin-warszawa",
    "bruxelles-paris",
    "budapest-wien",
    "dieppe-london",
    "edinburgh-london",
    "essen-kobenhavn",
    "frankfurt-paris",
    "kobenhavn-stockholm",
    "madrid-pamplona",
    "pamplona-paris",
]

FERRIES = {
    "amsterdam-london": 2,
    "athina-brindisi": 1,
    "athina-smyrna": 1,
    "brindisi-palermo": 1,
    "constantinople-sevastopol": 2,
    "dieppe-london": 1,
    "dieppe-london 1": 1,
    "erzurum-sevastopol": 2,
    "essen-kobenhavn": 1,
    "essen-kobenhavn 1": 1,
    "palermo-roma": 1,
    "palermo-smyrna": 2,
    "sevastopol-sochi": 1,
}
"""The ferries, and how many locomotive symbols each has."""

TUNNELS = {
    "angora-constantinople",
    "angora-smyrna",
    "barcelona-pamplona",
    "bucuresti-budapest",
    "bucuresti-sofia",
    "budapest-kyiv",
    "constantinople-smyrna",
    "erzurum-sochi",
    "madrid-pamplona",
    "madrid-pamplona 1",
    "marseille-roma",
    "marseille-zurich",
    "munchen-venezia",
    "munchen-zurich",
    "paris-zurich",
    "petrograd-stockholm",
    "sarajevo-sofia",
    "venezia-zurich",
}

EVERY_COLOUR = ", ".join(f"8 {colour}" for colour in COLOURS)
"""Enough cards for every route but the ferries."""

every_number_of_players = pytest.mark.parametrize("players", [2, 3, 4, 5])


def buildings(table: Table) -> set[str]:
    """The cities in which a station may be built."""
    return {action.removeprefix("build ") for action in table.legal if action.startswith("build")}


def used(table: Table, seat: int = 0) -> dict[str, str | None]:
    """The route that each station of a seat used, in the order built."""
    return {city: route and route_name(*route) for city, route in table.final(seat)["station_routes"]}


# EU1: players, trains, cards, points


def test_eu1_a_route_takes_a_card_and_a_train_for_each_space_and_earns_its_points() -> None:
    """EU1, C9, C10: 21 points for the route of 8 spaces. No card is turned up for tunnels here."""
    empty: dict[str, Any] = {"deck": "", "face_up": "-, -, -, -, -"}
    for name, route in ROUTES.items():
        table = situation(hands=["", "9 locomotive"], points=[3, 5], to_move=1, reward="score", **empty)
        table.play(f"claim {name}")
        assert (table.routes(1), table.trains(0), table.trains(1)) == ({name}, 45, 45 - route.length)
        assert (table.score(0), table.score(1)) == (3, 5 + POINTS[route.length])
        assert table.games.rewards.tolist() == [[0, POINTS[route.length]]]
        assert table.hand(1) == f"{9 - route.length} locomotive"


# EU3: double routes


def test_eu3_the_map_has_these_double_routes_and_no_triple_ones() -> None:
    """EU3."""
    assert sorted(name.removesuffix(" 1") for name in ROUTES if " " in name) == DOUBLES


# EU4: ferries


@pytest.mark.parametrize("locomotives", [0, 1, 2])
def test_eu4_a_ferry_takes_a_locomotive_for_each_symbol(locomotives: int) -> None:
    """EU4, C14: no other route takes one; the hand has enough other cards for every route."""
    table = situation(hands=[f"{EVERY_COLOUR}, {locomotives} locomotive"])
    assert table.claims == {name for name in ROUTES if FERRIES.get(name, 0) <= locomotives}


def test_eu4_the_other_spaces_of_a_ferry_are_paid_as_usual() -> None:
    """EU4, C14: six spaces with two symbols."""
    table = situation(hands=["4 red, 3 blue, 3 locomotive"])
    table.play("claim palermo-smyrna")
    assert table.legal == {"pay 4 red, 2 locomotive", "pay 3 red, 3 locomotive", "pay 3 blue, 3 locomotive"}


# EU5: tunnels. Angora-Smyrna takes three orange cards.


def attempt(deck: str, *actions: str, hand: str = "3 orange", **more: Any) -> Table:
    """A game with this deck, in which the first seat has claimed Angora-Smyrna and taken these actions."""
    table = situation(hands=[hand], deck=deck, **more)
    table.play("claim angora-smyrna", *actions)
    return table


def colour_of(route: str) -> str:
    """A colour that pays for a route: red if it is gray."""
    return "red" if ROUTES[route].colour == "gray" else ROUTES[route].colour


def test_eu5_the_map_has_these_tunnels() -> None:
    """EU5."""
    assert {name for name, route in ROUTES.items() if route.tunnel} == TUNNELS


def test_eu5_three_cards_are_turned_up_for_a_tunnel_and_none_for_another_route() -> None:
    """EU5: here none of them demands more, so the tunnel is claimed; the turned-up cards are discarded."""
    for name, route in ROUTES.items():
        symbols, colour = FERRIES.get(name, 0), colour_of(name)
        harmless = "green" if colour != "green" else "blue"
        hand = cards_text({colour: route.length - symbols, LOCOMOTIVE: symbols})
        table = situation(hands=[hand], deck=f"20 {harmless}")
        table.play(f"claim {name}")
        turned_up = 3 if name in TUNNELS else 0
        assert (table.phase, table.to_move, table.routes(0)) == ("turn", 1, {name})
        assert (table.score(0), table.trains(0), table.hand(0)) == (POINTS[route.length], 45 - route.length, "")
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
        assert (table.routes(0), table.trains(0), table.score(0)) == ({tunnel}, 45 - length, POINTS[length])
        assert (table.discard, table.hand(0), table.to_move) == (f"{length + 6} {colour}", "", 1)
        assert table.revealed == table.laid_out == ""


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


@pytest.mark.parametrize("payment", ["3 orange", "2 orange, 1 locomotive"])
def test_eu5_a_player_who_can_pay_may_withdraw(payment: str) -> None:
    """EU5: the payment returns to the hand; the route stays free, nothing is scored, and the turn ends."""
    table = attempt("3 orange", f"pay {payment}", hand="6 orange, 2 locomotive")
    assert "pay_more 3 cards" in table.legal
    table.play("withdraw")
    assert (table.hand(0), table.routes(0)) == ("6 orange, 2 locomotive", set())
    assert (table.score(0), table.trains(0)) == (0, 45)
    assert (table.phase, table.to_move, table.snapshot["turn"]) == ("turn", 1, 2)
    assert table.revealed == table.laid_out == ""


@pytest.mark.parametrize(("before", "after"), [("", "3 orange"), ("2 orange", "3 orange"), ("4 orange", "4 orange")])
@pytest.mark.parametrize("able", [True, False])
def test_eu5_cards_taken_back_are_known_to_all(before: str, after: str, able: bool) -> None:
    """EU5, C20: whether the player could have paid or not; of those known before none is known twice."""
    hand = f"4 orange, 1 blue, {3 if able else 0} locomotive"
    table = knowing(before, situation(3, hands=[hand], deck="60 orange"))
    table.play("claim angora-smyrna")
    if able:
        table.play("pay 3 orange", "withdraw")
    assert (table.to_move, table.routes(0)) == (1, set())
    for observer in range(3):
        assert table.known(observer, seat=0) == after


def test_eu5_nobody_sees_whether_another_could_have_paid() -> None:
    """EU5, C20: a chosen withdrawal looks like one without a choice."""
    able, unable = (situation(3, hands=[f"3 orange, 3 {card}", "1 red"], deck="20 orange") for card in CARDS[-1:-3:-1])
    able.play("claim angora-smyrna", "pay 3 orange", "withdraw")
    unable.play("claim angora-smyrna")
    for seat in (1, 2):
        assert able.games.observe([0], [seat]).tolist() == unable.games.observe([0], [seat]).tolist()
        assert differing_fields(able.games.views([0], [seat]), unable.games.views([0], [seat])) == []


def payments(hand: str, colours: Sequence[str], spaces: int, symbols: int = 0) -> set[str]:
    """All ways to pay so many spaces in one of the colours, at least `symbols` of them with locomotives."""
    held = dict(zip(CARDS, map(int, count(hand)), strict=True))
    return {
        f"pay {cards_text({colour: spaces - locomotives, LOCOMOTIVE: locomotives})}"
        for locomotives in range(symbols, spaces + 1)
        for colour in colours
        if held[LOCOMOTIVE] >= locomotives and held[colour] >= spaces - locomotives
    }


def random_hand(rng: random.Random, colours: Sequence[str]) -> str:
    """Up to seven cards, locomotives among them."""
    return cards_text(Counter(rng.choices([*colours, LOCOMOTIVE], k=rng.randrange(8))))


@pytest.mark.parametrize("number", range(40))
def test_eu5_the_legal_actions_are_those_of_an_exhaustive_search(number: int) -> None:
    """EU5: payment and demand for random hands and decks."""
    rng = random.Random(number)
    tunnel = rng.choice(sorted(TUNNELS - {"petrograd-stockholm", "budapest-kyiv"}))
    route = ROUTES[tunnel]
    own = rng.choice(COLOURS) if route.colour == "gray" else route.colour
    hand = random_hand(rng, [own, own, rng.choice(COLOURS)])
    deck = cards_text(Counter(rng.choices([own, *COLOURS, LOCOMOTIVE], k=rng.randrange(1, 9))))
    table = situation(hands=[hand], deck=deck, seed=number)
    ways = payments(hand, COLOURS if route.colour == "gray" else [own], route.length)
    assert (f"claim {tunnel}" in table.legal) == bool(ways)
    if not ways:
        return
    table.play(f"claim {tunnel}")
    way = rng.choice(sorted(ways))
    if len(ways) > 1:
        assert table.legal == ways
        table.play(way)
    paid = count(way.removeprefix("pay "))
    left = count(hand) - paid
    if table.phase == "tunnel":
        turned_up = count(table.revealed)
        assert turned_up.sum() == min(3, count(deck).sum())
        colour = int(np.flatnonzero(paid[:-1])[0]) if paid[:-1].any() else None
        due = turned_up[-1] + (turned_up[colour] if colour is not None else 0)
        coloured = left[colour] if colour is not None else 0
        options = {wild for wild in range(due + 1) if wild <= left[-1] and due - wild <= coloured}
        texts = {(0 if due == wild else due - wild, wild) for wild in options}
        assert table.legal == {"withdraw"} | {
            f"pay_more {', '.join(f'{n} {name}' for n, name in zip(it, ('cards', LOCOMOTIVE), strict=True) if n)}"
            for it in texts
        }
    else:
        assert table.to_move == 1
        kept = left if table.routes(0) else count(hand)
        assert count(table.hand(0)).tolist() == kept.tolist()


# EU6: building stations

THREE = ["angora", "lisboa", "sochi"]
"""Cities far from what happens in the tests."""


@every_number_of_players
def test_eu6_a_station_may_be_built_in_any_city_that_has_none(players: int) -> None:
    """EU6: whoever's routes are there, or none."""
    routes = [["paris-zurich", "madrid-pamplona"], ["frankfurt-paris", "berlin-wien"]]
    assert buildings(situation(players, hands=["1 blue"], routes=routes)) == CITIES
    table = situation(players, hands=["2 blue"], routes=routes, stations=[["paris"], ["berlin", "riga"]])
    assert buildings(table) == CITIES - {"paris", "berlin", "riga"}


def test_eu6_a_station_is_built_in_the_city_chosen() -> None:
    """EU6: it takes the whole turn, no train, and earns nothing at once; nobody else can build there."""
    for city in sorted(CITIES):
        table = situation(3, hands=["", "1 blue", "1 red"], points=[3, 5], to_move=1, reward="score")
        table.play(f"build {city}")
        assert [table.stations(seat) for seat in range(3)] == [[], [city], []]
        assert (table.phase, table.to_move, table.hand(1), table.discard) == ("turn", 2, "", "1 blue")
        assert (table.trains(1), table.score(1), table.routes(1)) == (45, 5, set())
        assert table.games.rewards.tolist() == [[0, 0, 0]]
        assert buildings(table) == CITIES - {city}


@pytest.mark.parametrize(
    ("built", "legal"),
    [
        (0, {"pay 1 red", "pay 1 blue", "pay 1 white", "pay 1 locomotive"}),
        (
            1,
            {
                "pay 2 red",
                "pay 1 red, 1 locomotive",
                "pay 2 blue",
                "pay 1 blue, 1 locomotive",
                "pay 1 white, 1 locomotive",
                "pay 2 locomotive",
            },
        ),
        (
            2,
            {
                "pay 3 red",
                "pay 2 red, 1 locomotive",
                "pay 1 red, 2 locomotive",
                "pay 2 blue, 1 locomotive",
                "pay 1 blue, 2 locomotive",
                "pay 1 white, 2 locomotive",
            },
        ),
    ],
)
def test_eu6_the_first_station_costs_one_card_the_second_two_and_the_third_three(built: int, legal: set[str]) -> None:
    """EU6: of one colour, any colour, locomotives standing in for any of them."""
    for pay in legal:
        table = situation(hands=["3 red, 2 blue, 1 white, 2 locomotive"], stations=[THREE[:built]])
        table.play("build paris")
        assert (table.phase, table.to_move) == ("pay", 0)
        assert table.legal == legal
        table.play(pay)
        assert table.stations(0) == [*THREE[:built], "paris"]
        spent = count(pay.removeprefix("pay "))
        assert spent.sum() == built + 1
        assert count(table.discard).tolist() == spent.tolist()
        assert (count(table.hand(0)) + spent).tolist() == count("3 red, 2 blue, 1 white, 2 locomotive").tolist()
        assert (table.to_move, table.score(0), table.trains(0)) == (1, 0, 45)


@pytest.mark.parametrize("number", range(40))
def test_eu6_the_payments_are_those_of_an_exhaustive_search(number: int) -> None:
    """EU6: for random hands."""
    rng = random.Random(number)
    hand, built = random_hand(rng, rng.sample(COLOURS, 3)), rng.randrange(3)
    table = situation(hands=[hand], stations=[THREE[:built]])
    ways = payments(hand, COLOURS, built + 1)
    assert buildings(table) == (CITIES - set(THREE[:built]) if ways else set())
    if ways:
        table.play("build paris")
        assert table.phase == ("pay" if len(ways) > 1 else "turn")
        if len(ways) > 1:
            assert table.legal == ways


def test_eu6_while_a_station_is_paid_the_decision_is_about_its_city() -> None:
    """EU6: the station stands only when it is paid."""
    table = situation(hands=["1 red, 1 blue"])
    table.play("build paris")
    snapshot = table.snapshot
    assert (snapshot["phase"], snapshot["subject"], snapshot["current_player"]) == ("pay", {"city": "paris"}, 0)
    assert snapshot["pending"] == [{"action": "build", "city": "paris"}]
    table.play("pay 1 red")
    assert table.stations(0) == ["paris"]
    assert table.snapshot["pending"] == []


def test_eu6_stations_stay() -> None:
    """EU6: through the turns of all; a second one may be built in a later turn."""
    table = situation(hands=["1 red, 2 blue", "1 red", ""], players=3)
    table.play("build paris", "pay 1 red", "build wien", "draw_deck", "draw_deck")
    assert buildings(table) == CITIES - {"paris", "wien"}
    table.play("build roma")
    table.play("draw_deck", "draw_deck", "draw_deck", "draw_deck")
    assert [table.stations(seat) for seat in range(3)] == [["paris", "roma"], ["wien"], []]


def test_eu6_a_station_keeps_nobody_from_claiming_routes() -> None:
    """EU6: neither its owner nor others."""
    for seat in (0, 1):
        table = situation(hands=["3 red"] * 2, stations=[["paris", "frankfurt"]], to_move=seat)
        assert {"bruxelles-paris", "berlin-frankfurt", "paris-zurich"} <= table.claims


@pytest.mark.parametrize("turns", [1, 2])
def test_eu6_a_station_can_be_built_in_a_last_turn(turns: int) -> None:
    """EU6 (ruling), EU8: and is then gone."""
    table = situation(hands=["1 red"], last_turns_left=turns)
    table.play("build paris")
    assert table.stations(0) == ["paris"]
    assert end(table).parts("stations") == [8, 12]


NOTHING_TO_DRAW: dict[str, Any] = {"deck": "", "face_up": "-, -, -, -, -", "ticket_deck": []}


def test_eu6_a_player_who_can_build_a_station_may_not_pass() -> None:
    """EU6 (ruling), C13: one blue card pays no route."""
    assert situation(hands=["1 blue"], **NOTHING_TO_DRAW).legal == {f"build {city}" for city in CITIES}


@pytest.mark.parametrize(("hand", "built"), [("", 0), ("1 blue", 1), ("2 black, 1 blue", 2), ("5 white", 3)])
def test_eu6_a_player_who_can_build_no_station_passes(hand: str, built: int) -> None:
    """EU6 (ruling), C13: he has not the cards or no station left, and no trains for a route."""
    table = situation(3, hands=[hand], stations=[THREE[:built]], trains=[0], **NOTHING_TO_DRAW)
    assert table.legal == {"pass"}


def test_eu6_building_is_not_a_pass() -> None:
    """EU6, C13: all others have passed, and the game goes on."""
    table = situation(3, hands=["", "", "1 blue"], **NOTHING_TO_DRAW)
    table.play("pass", "pass", "build paris")
    assert (table.outcome, table.to_move) == ("running", 0)
    assert table.sees("passes", 0).tolist() == [0]


# EU7: the routes that stations use


def test_eu7_a_station_lets_its_owner_use_a_route_of_another_player() -> None:
    """EU7: Paris-Wien, whose first part is the other's; a station at either end of that part will do."""
    own, others = ["frankfurt-munchen", "munchen-wien"], ["frankfurt-paris"]
    for city in ("frankfurt", "paris"):
        table = ended(routes=[own, others], stations=[[city]], holds=[["paris-wien"]])
        assert used(table) == {city: "frankfurt-paris"}
        assert table.final(0)["completed"] == [["paris", "wien", 8]]
        assert table.parts("tickets") == [8, 0]


@pytest.mark.parametrize("city", ["munchen", "wien", "berlin", "zurich"])
def test_eu7_only_a_route_that_ends_in_the_stations_city_can_be_used(city: str) -> None:
    """EU7: elsewhere the station uses none, and the ticket fails."""
    own, others = ["frankfurt-munchen", "munchen-wien"], ["frankfurt-paris"]
    table = ended(routes=[own, others], stations=[[city]], holds=[["paris-wien"]])
    assert table.final(0)["station_routes"] == [[city, None]]
    assert (table.final(0)["failed"], table.parts("tickets")) == ([["paris", "wien", 8]], [-8, 0])


def test_eu7_without_a_station_no_route_of_others_is_used() -> None:
    """EU7: nor with another player's station."""
    own, others = ["frankfurt-munchen", "munchen-wien"], ["frankfurt-paris"]
    table = ended(3, routes=[own, others], stations=[[], ["paris"], ["frankfurt"]], holds=[["paris-wien"]])
    assert [table.final(seat)["station_routes"] for seat in range(3)] == [
        [],
        [["paris", None]],
        [["frankfurt", ["frankfurt", "munchen", 0]]],
    ]
    assert table.parts("tickets") == [-8, 0, 0]


def test_eu7_a_station_uses_one_route() -> None:
    """EU7: two of the other's routes need two stations, in cities where each of them ends."""
    others = ["essen-frankfurt", "essen-kobenhavn"]
    one = ended(routes=[[], others], stations=[["essen"]], holds=[["frankfurt-kobenhavn"]])
    assert (used(one), one.parts("tickets")) == ({"essen": "essen-frankfurt"}, [-5, 0])
    two = ended(routes=[[], others], stations=[["essen", "frankfurt"]], holds=[["frankfurt-kobenhavn"]])
    assert used(two) == {"essen": "essen-kobenhavn", "frankfurt": "essen-frankfurt"}
    assert two.parts("tickets") == [5, 0]


def test_eu7_a_station_uses_the_same_route_for_all_tickets() -> None:
    """EU7: either of two tickets could be completed, not both; with the same route both are."""
    own = ["essen-kobenhavn", "berlin-warszawa", "warszawa-wilno", "smolensk-wilno"]
    others = ["essen-frankfurt", "berlin-frankfurt"]
    holds = [["frankfurt-kobenhavn", "frankfurt-smolensk"]]
    table = ended(routes=[own, others], stations=[["frankfurt"]], holds=holds)
    assert (used(table), table.parts("tickets")) == ({"frankfurt": "berlin-frankfurt"}, [13 - 5, 0])
    own.append("berlin-essen")
    table = ended(routes=[own, others], stations=[["frankfurt"]], holds=holds)
    assert table.parts("tickets") == [13 + 5, 0]


def test_eu7_several_stations_may_use_the_same_route() -> None:
    """EU7: of one player and of different ones."""
    own = [["frankfurt-munchen", "munchen-wien"], ["barcelona-pamplona", "pamplona-paris", "bruxelles-frankfurt"]]
    routes = [*own, ["frankfurt-paris"]]
    holds = [["paris-wien"], ["barcelona-bruxelles"]]
    table = ended(3, routes=routes, stations=[["paris"], ["frankfurt"], []], holds=holds)
    assert [used(table, seat) for seat in (0, 1)] == [{"paris": "frankfurt-paris"}, {"frankfurt": "frankfurt-paris"}]
    assert table.parts("tickets") == [8, 8, 0]
    table = ended(routes=[[], ["frankfurt-paris"]], stations=[["paris", "frankfurt"]])
    assert used(table) == {"paris": "frankfurt-paris", "frankfurt": "frankfurt-paris"}


def test_eu7_a_route_is_used_for_tickets_only() -> None:
    """EU7, C10: it brings no points, takes no train and stays its owner's."""
    table = ended(routes=[[], ["petrograd-stockholm"]], stations=[["stockholm"]])
    assert used(table) == {"stockholm": "petrograd-stockholm"}
    assert (table.parts("routes"), table.trains(0), table.routes(0)) == ([0, 21], 45, set())


def test_eu7_the_most_points_are_made_rather_than_the_most_tickets() -> None:
    """EU7 (ruling): one ticket of 13 points against two of 7 and 5."""
    own = ["berlin-warszawa", "warszawa-wilno", "smolensk-wilno", "essen-kobenhavn", "amsterdam-essen"]
    own += ["frankfurt-paris", "pamplona-paris"]
    others = ["berlin-frankfurt", "essen-frankfurt"]
    holds = [["frankfurt-smolensk", "amsterdam-pamplona", "frankfurt-kobenhavn"]]
    table = ended(routes=[own, others], stations=[["frankfurt"]], holds=holds)
    assert (used(table), table.parts("tickets")) == ({"frankfurt": "berlin-frankfurt"}, [13 - 7 - 5, 0])
    table = ended(routes=[own, others], stations=[["frankfurt"]], holds=[holds[0][1:]])
    assert (used(table), table.parts("tickets")) == ({"frankfurt": "essen-frankfurt"}, [7 + 5, 0])


def test_eu7_of_equal_points_the_most_completed_tickets_are_chosen() -> None:
    """EU7 (ruling): two tickets of 5 points rather than one of 10, though its route has the lower number."""
    own = ["angora-constantinople", "constantinople-sofia", "athina-smyrna"]
    own += ["erzurum-sochi", "rostov-sochi", "kharkov-rostov"]
    others = ["angora-erzurum", "angora-smyrna"]
    holds = ["angora-kharkov", "angora-athina", "smyrna-sofia"]
    table = ended(routes=[own, others], stations=[["angora"]], holds=[holds])
    assert (used(table), table.parts("tickets")) == ({"angora": "angora-smyrna"}, [0, 0])
    assert len(table.final(0)["completed"]) == 2
    table = ended(routes=[own, others], stations=[["angora"]], holds=[holds[:2]])
    assert (used(table), table.parts("tickets")) == ({"angora": "angora-erzurum"}, [5, 0])


@pytest.mark.parametrize("holds", [[], ["danzig-lisboa"]])
def test_eu7_of_equal_choices_the_lowest_route_numbers_are_taken(holds: list[str]) -> None:
    """EU7 (ruling): also without a ticket, or with one that can't be completed."""
    others = ["paris-zurich", "pamplona-paris", "frankfurt-paris", "munchen-zurich"]
    table = ended(routes=[[], others], stations=[["paris", "zurich", "riga"]], holds=[holds])
    assert used(table) == {"paris": "frankfurt-paris", "zurich": "munchen-zurich", "riga": None}


@pytest.mark.parametrize(
    ("cities", "routes"),
    [
        (["munchen", "zurich"], ["frankfurt-munchen", "munchen-zurich"]),
        (["zurich", "munchen"], ["marseille-zurich", "munchen-zurich"]),
    ],
)
def test_eu7_lowest_route_numbers_are_taken_in_the_order_in_which_the_stations_were_built(
    cities: list[str], routes: list[str]
) -> None:
    """EU7 (ruling): one of them has to use München-Zürich; the other, if it was built first, uses its lowest."""
    own = ["paris-zurich", "pamplona-paris", "barcelona-pamplona"]
    others = ["munchen-zurich", "frankfurt-munchen", "marseille-zurich"]
    table = ended(routes=[own, others], stations=[cities], holds=[["barcelona-munchen"]])
    assert [*used(table).items()] == [*zip(cities, routes, strict=True)]
    assert table.parts("tickets") == [8, 0]


def check_choices(variant: MapVariant, games: Games) -> tuple[int, int]:
    """Compare the routes that stations use, and the completed tickets, with those of a search through all choices.

    Returns the number of stations, and in how many of the seats' ends the lowest route numbers are not the best choice.
    """
    built, matters = 0, 0
    for row in range(games.batch):
        snapshot = games.snapshot(row)
        for seat, (player, final) in enumerate(zip(snapshot["players"], snapshot["final"], strict=True)):
            routes, cities = chosen_routes(variant, snapshot, seat), player["stations"]
            expected = [[route.a, route.b, route.track] if route else None for route in routes]
            assert final["station_routes"] == [[*it] for it in zip(cities, expected, strict=True)]
            joining = [*routes_of(variant, snapshot, seat), *filter(None, routes)]
            assert final["completed"] == [it for it in player["tickets"] if is_completed(variant, joining, it)]
            lowest = [usable_at(variant, snapshot, seat, city)[:1] for city in cities]
            built += len(cities)
            matters += [variant.routes[number] for it in lowest for number in it] != [*filter(None, routes)]
    return built, matters


@every_number_of_players
def test_eu7_the_choice_in_random_games_is_that_of_a_search_through_all_choices(players: int) -> None:
    """EU7: random players build their stations early."""
    games = Games(configuration("europe", players), batch=250, seed=players, autoreset=False, observe=False)
    while games.masks.any():
        games.play_random(200, seed=players)
    built, matters = check_choices(VARIANT, games)
    assert built > 2 * players * games.batch
    assert matters > games.batch / 20


@pytest.fixture(scope="module")
def short_tickets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game with 72 tickets of 1 to 3 points between cities that one or two routes join."""
    folder = shutil.copytree(Path(loader.__file__).parent / "europe", tmp_path_factory.mktemp("variants") / "europe")
    rng = random.Random(1)
    near = {(one, other) for route in VARIANT.routes for one, other in itertools.permutations((route.a, route.b))}
    pairs = near | {(a, d) for a, b in near for c, d in near if b == c}
    drawn = rng.sample(sorted(pair for pair in pairs if pair[0] < pair[1]), 72)
    rows = [
        f"{deck},{a},{b},{rng.randint(1, 3)}"
        for deck, (a, b) in zip(["long"] * 6 + ["regular"] * 66, drawn, strict=True)
    ]
    (folder / "tickets.csv").write_text("\n".join(["deck,a,b,points", *rows, ""]), encoding="utf-8")
    return folder


@pytest.mark.parametrize("players", [2, 5])
def test_eu7_the_choice_for_many_small_tickets_is_that_of_a_search_through_all_choices(
    players: int, short_tickets: Path
) -> None:
    """EU7: random games are cut short, and each seat has 60 tickets: many choices make as many points."""
    chosen, variant = configuration(short_tickets, players), load_map(short_tickets)
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
    built, matters = check_choices(variant, games)
    assert built > 2 * players * games.batch
    assert matters > games.batch / 10


def test_eu7_a_ticket_between_groups_counts_once_however_often_it_is_completed(tmp_path: Path) -> None:
    """EU7, C16: on a map with groups. One station completes it; the other one then completes the other ticket."""
    folder = shutil.copytree(Path(loader.__file__).parent / "europe", tmp_path / "europe")
    regions = {"paris": "west", "london": "west", "zurich": "east", "edinburgh": "east"}
    header, *cities = (folder / "cities.csv").read_text(encoding="utf-8").splitlines()
    rows = [f"{header},region", *(f"{city},{regions.get(city.split(',')[0], '')}" for city in cities), ""]
    (folder / "cities.csv").write_text("\n".join(rows), encoding="utf-8")
    tickets = (folder / "tickets.csv").read_text(encoding="utf-8").replace("amsterdam,pamplona,7", "east,west,7")
    (folder / "tickets.csv").write_text(tickets.replace("amsterdam,wilno,12", "brest,paris,5"), encoding="utf-8")
    table = situation(
        variant=folder,
        routes=[[], ["edinburgh-london", "brest-paris", "paris-zurich"]],
        stations=[["edinburgh", "paris"]],
        holds=[["east-west", "brest-paris"]],
        last_turns_left=1,
    )
    assert used(end(table)) == {"edinburgh": "edinburgh-london", "paris": "brest-paris"}
    assert table.parts("tickets") == [7 + 5, 0]


# EU8: points at the end


def test_eu8_each_station_not_built_earns_4_points() -> None:
    """EU8."""
    table = ended(4, stations=[[], ["paris"], ["wien", "roma"], THREE])
    assert table.parts("stations") == [12, 8, 4, 0]
    assert table.scores == [12, 8, 4, 0]


def test_eu8_the_parts_of_the_score_are_routes_tickets_stations_and_european_express() -> None:
    """EU8: no other bonus."""
    table = ended(routes=[["petrograd-stockholm"]], holds=[["kyiv-petrograd"]])
    assert table.final(0)["breakdown"] == {"routes": 21, "tickets": -6, "longest_path": 10, "stations": 12}
    assert table.scores == [37, 12]


def test_eu8_the_longest_path_earns_10_points() -> None:
    """EU8, C17: all who tie get them; nobody without a route does."""
    long, short = ["kyiv-smolensk", "smolensk-wilno"], ["cadiz-lisboa", "cadiz-madrid"]
    assert ended(routes=[long, short]).parts("longest_path") == [10, 0]
    assert ended(routes=[["barcelona-madrid", "moskva-petrograd"], short]).parts("longest_path") == [0, 10]
    assert ended(routes=[[*short, "lisboa-madrid"], ["petrograd-stockholm"]]).parts("longest_path") == [10, 10]
    assert ended().parts("longest_path") == [0, 0]


def test_eu8_the_longest_path_passes_over_own_routes_only() -> None:
    """EU8: the route that a station uses joins the ticket's cities, not the path."""
    routes = [["frankfurt-munchen", "munchen-wien"], ["frankfurt-paris", "barcelona-marseille"], ["moskva-petrograd"]]
    routes[0] += ["paris-zurich"]
    routes[1] += ["barcelona-madrid"]
    table = ended(3, routes=routes, stations=[["paris"]], holds=[["paris-wien"]])
    assert used(table) == {"paris": "frankfurt-paris"}
    assert table.parts("tickets") == [8, 0, 0]
    assert table.parts("longest_path") == [0, 10, 0]  # 5 spaces of his own, 11 with the other's


# EU9: ties


@pytest.mark.parametrize(
    ("routes", "stations", "points", "scores", "ranks"),
    [
        # completed tickets, also those completed by a station, decide before stations and paths
        (
            [["frankfurt-munchen", "munchen-wien"], ["frankfurt-paris", "marseille-paris"]],
            [["paris"]],
            [10, 4],
            [10 + 8 + 8, 4 + 12 + 10],
            [1, 2],
        ),
        # stations before the longer path
        ([["cadiz-lisboa"], ["cadiz-madrid"]], [["paris"], ["wien", "roma"]], [20, 14], [28, 28], [1, 2]),
        # the longer path, of as many stations
        ([["cadiz-lisboa"], ["cadiz-madrid"]], [["paris"], ["wien"]], [20, 10], [28, 28], [2, 1]),
        # all else being equal
        (
            [["cadiz-lisboa"], ["barcelona-madrid"], ["cadiz-madrid"]],
            [["paris"], ["wien"], ["roma"], THREE],
            [20, 20, 10, 99],
            [28, 28, 28, 99],
            [3, 3, 2, 1],
        ),
    ],
)
def test_eu9_ties_go_by_completed_tickets_then_fewer_stations_then_the_longer_path(
    routes: list[list[str]], stations: list[list[str]], points: list[int], scores: list[int], ranks: list[int]
) -> None:
    """EU9, C18: players still tied share the rank."""
    holds = [["paris-wien"]] if "munchen-wien" in routes[0] else []
    table = ended(len(points), routes=routes, stations=stations, holds=holds, points=points)
    assert (table.scores, table.ranks) == (scores, ranks)


# EU10: what all know


def test_eu10_all_see_where_stations_stand_and_how_many_are_left() -> None:
    """EU10, C20, EU1: whose they are, from the own seat on; three at first."""
    built = [["paris"], ["wien", "roma"], THREE, [], ["riga"]]
    table = situation(5, stations=built)
    ids = [city.id for city in VARIANT.cities]
    for seat in range(5):
        in_turn = [*built[seat:], *built[:seat]]
        assert table.sees("stations", seat).tolist() == [[city in own for city in ids] for own in in_turn]
        assert table.sees("stations_left", seat).tolist() == [3 - len(own) for own in in_turn]


def test_eu10_all_see_where_a_station_is_being_paid_for() -> None:
    """EU10, C20."""
    table = situation(3, hands=["1 red, 1 blue"])
    table.play("build paris")
    for seat in range(3):
        assert table.sees("subject_city", seat).tolist() == [city.id == "paris" for city in VARIANT.cities]
        assert not table.sees("stations", seat).any()
    table.play("pay 1 red")
    for seat in range(3):
        assert not table.sees("subject_city", seat).any()


def test_eu10_views_and_determinizations_keep_stations() -> None:
    """EU10, C20: while one is being paid for, too."""
    built = [["paris"], ["wien", "roma"], []]
    table = situation(3, hands=["2 red, 2 blue", "1 white", "3 red"], stations=built)
    for actions, subject in (((), {}), (("build riga",), {"city": "riga"})):
        table.play(*actions)
        for seat in range(3):
            for known in (table.games.determinize([0], [seat]), table.games.views([0], [seat])):
                copy = table.games.clone()
                copy.states[:] = known
                snapshot = copy.snapshot()
                assert [player["stations"] for player in snapshot["players"]] == built
                assert snapshot["subject"] == subject
