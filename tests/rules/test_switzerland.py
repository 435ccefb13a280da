"""The rules of Switzerland (SW1-SW10). SW2, and what SW1 and SW3 say of the start, is tested in `test_set_up`.

The keys that an own map may take from this game are tested in `test_nordic`, lists in tickets.csv here.
"""

import functools
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from t2r_env import Games
from t2r_env.variants import GRAY, LOCOMOTIVE
from tests.helpers import situations
from tests.helpers.example_map import write_example_map
from tests.helpers.maps import load_map
from tests.helpers.networks import random_network
from tests.helpers.referee import is_completed, ticket_points
from tests.helpers.situations import (
    CARDS,
    Table,
    cards_text,
    configuration,
    count,
    put,
    route_name,
    ticket_name,
)
from tests.rules.test_nordic import can_pay, random_hands

situation = functools.partial(situations.situation, variant="switzerland")
ended = functools.partial(situations.ended, variant="switzerland")

VARIANT = load_map("switzerland")
ROUTES = {route_name(route.a, route.b, route.track): route for route in VARIANT.routes}

POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}
"""SW1, C10."""

DOUBLES = [
    "bellinzona-lugano",
    "bellinzona-wassen",
    "bern-fribourg",
    "bern-luzern",
    "fribourg-lausanne",
    "geneve-lausanne",
    "luzern-zug",
    "schaffhausen-winterthur",
    "schwyz-wassen",
    "schwyz-zug",
    "winterthur-zurich",
    "zug-zurich",
]

TUNNELS = {
    "baden-basel",
    "basel-delemont",
    "basel-deutschland_basel",
    "basel-olten",
    "bellinzona-locarno",
    "bellinzona-lugano",
    "bellinzona-lugano 1",
    "bellinzona-wassen",
    "bellinzona-wassen 1",
    "brig-interlaken",
    "brig-italia_brig",
    "brig-locarno",
    "brig-sion",
    "brig-wassen",
    "brusio-chur",
    "brusio-davos",
    "brusio-italia_brusio",
    "chur-davos",
    "chur-sargans",
    "chur-wassen",
    "davos-italia_davos",
    "davos-osterreich_davos",
    "davos-sargans",
    "delemont-france_delemont",
    "delemont-la_chaux_de_fonds",
    "delemont-solothurn",
    "france_la_chaux_de_fonds-la_chaux_de_fonds",
    "france_martigny-martigny",
    "italia_locarno-locarno",
    "italia_lugano-lugano",
    "la_chaux_de_fonds-neuchatel",
    "la_chaux_de_fonds-yverdon",
    "lausanne-martigny",
    "locarno-lugano",
    "martigny-sion",
    "osterreich_st_gallen-st_gallen",
    "osterreich_vaduz-vaduz",
    "pfaffikon-sargans",
    "sargans-vaduz",
    "schwyz-wassen",
    "schwyz-wassen 1",
    "st_gallen-vaduz",
}

ORDINARY = ROUTES.keys() - TUNNELS

STATIONS = {"deutschland": 5, "italia": 5, "france": 4, "osterreich": 3}
"""SW7: the countries, and how many border stations each has."""

COUNTRY_TICKETS = {
    "bern-deutschland;france;italia;osterreich": [6, 5, 8, 11],
    "chur-deutschland;france;italia;osterreich": [6, 12, 5, 3],
    "lugano-deutschland;france;italia;osterreich": [12, 14, 2, 13],
    "zurich-deutschland;france;italia;osterreich": [3, 7, 11, 7],
    "deutschland-france;italia;osterreich": [5, 13, 5],
    "france-deutschland;italia;osterreich": [5, 11, 14],
    "italia-deutschland;france;osterreich": [13, 11, 6],
    "osterreich-deutschland;france;italia": [5, 14, 6],
}
"""SW8: the tickets to several countries, and their values in the same order."""

BERN, CHUR, LUGANO, ZURICH, DEUTSCHLAND, FRANCE, ITALIA, OSTERREICH = COUNTRY_TICKETS

EMPTY: dict[str, Any] = {"deck": "", "face_up": "-, -, -, -, -"}


def colour_of(name: str) -> str:
    """A colour that pays for a route: red if it is gray."""
    return "red" if ROUTES[name].colour == GRAY else ROUTES[name].colour


def as_listed(name: str) -> list[Any]:
    """A ticket to several countries as snapshots have it."""
    start, countries = name.split("-")
    return [start, countries.split(";"), COUNTRY_TICKETS[name]]


# SW1: players, trains, cards, points


def test_sw1_a_route_takes_a_card_and_a_train_for_each_space_and_earns_its_points() -> None:
    """SW1, SW7, C9, C10: those to border stations, too. No card is turned up for tunnels here."""
    for name, route in ROUTES.items():
        hand = f"{route.length} {colour_of(name)}"
        table = situation(hands=["", hand], points=[3, 5], to_move=1, reward="score", **EMPTY)
        table.play(f"claim {name}")
        assert (table.routes(1), table.trains(0), table.trains(1)) == ({name}, 40, 40 - route.length)
        assert (table.score(0), table.score(1)) == (3, 5 + POINTS[route.length])
        assert table.games.rewards.tolist() == [[0, POINTS[route.length]]]
        assert (table.hand(1), table.to_move) == ("", 0)


# SW2: refused tickets. All choices are tried in `test_set_up`.


def test_sw2_a_refused_ticket_to_several_countries_is_in_no_list_afterwards() -> None:
    """SW2: of two equal ones the other stays where it is."""
    deck = [FRANCE, BERN, "basel-bern", FRANCE, "luzern-zurich"]
    table = situation(ticket_deck=deck, holds=[[], [ZURICH]])
    table.play("draw_tickets")
    assert table.offered(0) == deck[:3]
    table.play("refuse_ticket", "refuse_ticket")
    assert (table.every_ticket(0), table.every_ticket(1), table.offered(0)) == (["basel-bern"], [ZURICH], [])
    assert table.ticket_deck == deck[3:]


# SW3: double routes


def test_sw3_the_map_has_these_double_routes_and_no_triple_ones() -> None:
    """SW3."""
    assert sorted(name.removesuffix(" 1") for name in ROUTES if " " in name) == DOUBLES


# SW4: face-up locomotives


@pytest.mark.parametrize(
    ("first", "second", "hand"),
    [
        ("draw_face_up 0", "draw_face_up 1", "2 locomotive"),
        ("draw_face_up 2", "draw_face_up 1", "1 blue, 1 locomotive"),
        ("draw_face_up 0", "draw_face_up 2", "1 blue, 1 locomotive"),
        ("draw_deck", "draw_face_up 0", "1 red, 1 locomotive"),
        ("draw_face_up 1", "draw_deck", "1 red, 1 locomotive"),
    ],
)
def test_sw4_a_face_up_locomotive_may_be_the_first_card_or_the_second_one(first: str, second: str, hand: str) -> None:
    """SW4: a player may take two; then the turn is over."""
    table = situation(face_up="locomotive, locomotive, blue, blue, blue", deck="9 red")
    table.play(first)
    assert (table.phase, table.to_move) == ("second_card", 0)
    assert table.legal == {"draw_deck", *(f"draw_face_up {slot}" for slot in range(5))}
    table.play(second)
    assert (table.hand(0), table.phase, table.to_move) == (hand, "turn", 1)


@pytest.mark.parametrize(("slot", "hand"), [(0, "1 blue, 1 locomotive"), (1, "2 locomotive")])
def test_sw4_a_locomotive_turned_up_as_a_replacement_may_be_taken(slot: int, hand: str) -> None:
    """SW4, C3."""
    table = situation(face_up="blue, locomotive, blue, blue, blue", deck="9 locomotive")
    table.play(f"draw_face_up {slot}", f"draw_face_up {slot}")
    assert (table.hand(0), table.to_move) == (hand, 1)


def test_sw4_three_face_up_locomotives_are_swept() -> None:
    """SW4, C4: here before the second card is chosen."""
    table = situation(face_up="locomotive, locomotive, blue, green, white", deck="1 locomotive", discard="20 red")
    table.play("draw_face_up 4")
    assert (table.face_up, table.phase) == ("red, red, red, red, red", "second_card")
    assert (table.deck, table.discard) == ("15 red", "1 blue, 1 green, 3 locomotive")


def test_sw4_three_face_up_locomotives_are_swept_in_the_set_up() -> None:
    """SW4, C4, C5: it happens in a few of 400 deals."""
    states = Games(configuration("switzerland", 2), batch=400, seed=0).states
    swept = states["discard"].any(axis=1)
    assert 0 < swept.sum() < 40
    assert np.all((states["face_up"] == CARDS.index(LOCOMOTIVE)).sum(axis=1) < 3)


# SW5: where locomotives can be paid


def test_sw5_locomotives_alone_pay_for_tunnels_only() -> None:
    """SW5: and for each of them."""
    assert situation(hands=["9 locomotive"], **EMPTY).claims == TUNNELS


def test_sw5_on_all_other_routes_locomotives_stand_in_for_nothing() -> None:
    """SW5: one card of the colour is missing, or none; then the locomotives stay in the hand."""
    for name in sorted(ORDINARY):
        length, colour = ROUTES[name].length, colour_of(name)
        short = cards_text({colour: length - 1, LOCOMOTIVE: 9})
        assert name not in situation(hands=[short], **EMPTY).claims
        table = situation(hands=[f"{length} {colour}, 9 locomotive"], **EMPTY)
        table.play(f"claim {name}")
        assert (table.routes(0), table.hand(0), table.to_move) == ({name}, "9 locomotive", 1)


def test_sw5_locomotives_stand_in_for_any_number_of_cards_of_a_tunnel() -> None:
    """SW5: Brig-Sion takes three black cards, Chur-Wassen five of any colour."""
    table = situation(hands=["3 black, 4 locomotive"])
    table.play("claim brig-sion")
    assert table.legal == {"pay 3 black", "pay 2 black, 1 locomotive", "pay 1 black, 2 locomotive", "pay 3 locomotive"}
    table = situation(hands=["2 blue, 1 red, 4 locomotive"])
    table.play("claim chur-wassen")
    assert table.legal == {"pay 2 blue, 3 locomotive", "pay 1 blue, 4 locomotive", "pay 1 red, 4 locomotive"}


def test_sw5_a_route_may_be_claimed_only_if_there_is_a_way_to_pay_for_it() -> None:
    """SW5: and always then; every route of the map, with thousands of hands."""
    hands = random_hands(3000, range(12), seed=3)
    table = situation(ticket_deck=[], **EMPTY)
    states = np.repeat(table.games.states[:1], len(hands))
    states["hand"][:, 0] = hands
    states["hand_count"][:, 0] = np.sum(hands, axis=1)
    games = Games(configuration("switzerland", 2), batch=len(hands), autoreset=False, seed=0)
    put(games, states)
    for number, (name, route) in enumerate(ROUTES.items()):
        expected = can_pay(np.array(hands), route)
        assert 0 < expected.sum() < len(hands)
        may = games.masks[:, games.layout.actions["claim"].start + number].astype(np.bool_)
        wrong = np.flatnonzero(may != expected)
        assert not wrong.size, f"{name} for {cards_text(dict(zip(CARDS, hands[wrong[0]], strict=True)))}"


# SW6: tunnels. Basel-Delémont takes two yellow cards.


def attempt(deck: str, *actions: str, hand: str = "2 yellow", **more: Any) -> Table:
    """A game with this deck, in which the first seat has claimed Basel-Delémont and taken these actions."""
    table = situation(hands=[hand], deck=deck, **more)
    table.play("claim basel-delemont", *actions)
    return table


def test_sw6_the_map_has_these_tunnels() -> None:
    """SW6."""
    assert {name for name, route in ROUTES.items() if route.tunnel} == TUNNELS
    assert len(TUNNELS) == 42


def test_sw6_three_cards_are_turned_up_for_a_tunnel_and_none_for_another_route() -> None:
    """SW6, EU5: here none of them demands more, so the tunnel is claimed; the turned-up cards are discarded."""
    for name, route in ROUTES.items():
        harmless = "green" if colour_of(name) != "green" else "blue"
        table = situation(hands=[f"{route.length} {colour_of(name)}"], deck=f"20 {harmless}")
        table.play(f"claim {name}")
        turned_up = 3 if name in TUNNELS else 0
        assert (table.phase, table.to_move, table.routes(0)) == ("turn", 1, {name})
        assert (table.score(0), table.trains(0), table.hand(0)) == (POINTS[route.length], 40 - route.length, "")
        assert table.deck == f"{20 - turned_up} {harmless}"
        discard = count(f"{route.length} {colour_of(name)}, {turned_up} {harmless}")
        assert count(table.discard).tolist() == discard.tolist()
        assert table.revealed == table.laid_out == ""


def test_sw6_three_cards_of_the_payments_colour_demand_three_more() -> None:
    """SW6, EU5, C2: payment and turned-up cards lie apart meanwhile; no train is placed yet."""
    for tunnel in sorted(TUNNELS):
        length, colour = ROUTES[tunnel].length, colour_of(tunnel)
        table = situation(hands=[f"{length + 3} {colour}"], deck=f"20 {colour}")
        table.play(f"claim {tunnel}")
        assert (table.phase, table.to_move) == ("tunnel", 0)
        assert (table.revealed, table.laid_out) == (f"3 {colour}", f"{length} {colour}")
        assert (table.routes(0), table.score(0), table.trains(0)) == (set(), 0, 40)
        assert table.legal == {"pay_more 3 cards", "withdraw"}
        table.play("pay_more 3 cards")
        assert (table.routes(0), table.trains(0), table.score(0)) == ({tunnel}, 40 - length, POINTS[length])
        assert (table.discard, table.hand(0), table.to_move) == (f"{length + 6} {colour}", "", 1)


def test_sw6_what_a_tunnel_demands_may_be_paid_with_locomotives() -> None:
    """SW6, EU5: turned-up locomotives demand more, too."""
    table = attempt("1 yellow, 1 red, 1 locomotive", "pay 2 yellow", hand="3 yellow, 2 locomotive")
    assert table.snapshot["subject"]["due"] == 2
    assert table.legal == {"pay_more 1 cards, 1 locomotive", "pay_more 2 locomotive", "withdraw"}
    table.play("pay_more 2 locomotive")
    assert (table.routes(0), table.hand(0)) == ({"basel-delemont"}, "1 yellow")


@pytest.mark.parametrize(
    ("turned_up", "due"), [("3 yellow", 0), ("2 yellow, 1 locomotive", 1), ("1 red, 2 locomotive", 2)]
)
def test_sw6_after_a_payment_of_locomotives_alone_only_locomotives_are_demanded(turned_up: str, due: int) -> None:
    """SW6, EU5."""
    table = attempt(turned_up, "pay 2 locomotive", hand="4 yellow, 5 locomotive")
    if due:
        assert table.legal == {f"pay_more {due} locomotive", "withdraw"}
        table.play(f"pay_more {due} locomotive")
    assert table.routes(0) == {"basel-delemont"}
    assert table.hand(0) == f"4 yellow, {3 - due} locomotive"


@pytest.mark.parametrize("able", [True, False])
def test_sw6_a_player_may_withdraw_and_must_if_he_cannot_pay(able: bool) -> None:
    """SW6, EU5, C20: the payment returns to the hand, where all know it to be; the turn ends."""
    hand = f"2 yellow, 1 blue, {3 if able else 0} locomotive"
    table = situation(hands=[hand], deck="3 yellow")
    table.play("claim basel-delemont")
    if able:
        table.play("pay 2 yellow", "withdraw")
    assert (table.to_move, table.routes(0), table.trains(0), table.score(0)) == (1, set(), 40, 0)
    assert count(table.hand(0)).tolist() == count(hand).tolist()
    assert (table.known(1, 0), table.deck, table.discard) == ("2 yellow", "3 yellow", "")


# SW7: countries


def test_sw7_four_countries_have_so_many_border_stations() -> None:
    """SW7: each is the end of one route; no other city belongs to a country."""
    assert Counter(city.region for city in VARIANT.cities if city.region) == STATIONS
    ends = Counter(city for route in VARIANT.routes for city in (route.a, route.b))
    assert {ends[city.id] for city in VARIANT.cities if city.region} == {1}
    assert len(VARIANT.cities) == 34 + 17


@pytest.mark.parametrize(
    ("ticket", "routes", "points"),
    [
        (
            "basel-zurich",
            ["basel-deutschland_basel", "deutschland_schaffhausen-schaffhausen", "schaffhausen-zurich"],
            4,
        ),
        ("basel-st_gallen", ["basel-deutschland_basel", "deutschland_st_gallen-st_gallen"], 8),
        ("geneve-sion", ["france_geneve-geneve", "france_martigny-martigny", "martigny-sion"], 10),
        ("vaduz-zurich", ["osterreich_vaduz-vaduz", "osterreich_st_gallen-st_gallen", "st_gallen-zurich"], 6),
        ("bern-lugano", ["bern-interlaken", "brig-interlaken", "brig-italia_brig", "italia_lugano-lugano"], 12),
    ],
)
def test_sw7_no_path_leads_through_a_country(ticket: str, routes: list[str], points: int) -> None:
    """SW7 (ruling), C16: its stations are not joined to each other."""
    assert ended(routes=[routes], holds=[[ticket]]).parts("tickets") == [-points, 0]


def test_sw7_kreuzlingen_has_two_stations_of_one_country() -> None:
    """SW7: two routes, each of which may be claimed by the same player; they are not parallel (C11)."""
    table = situation(
        hands=["1 white, 1 orange"], routes=[["deutschland_kreuzlingen_east-kreuzlingen"]], deck="20 green"
    )
    table.play("claim deutschland_kreuzlingen_west-kreuzlingen")
    assert table.routes(0) == {
        "deutschland_kreuzlingen_east-kreuzlingen",
        "deutschland_kreuzlingen_west-kreuzlingen",
    }


# SW8: tickets to several countries

TO_FRANCE = ["bern-neuchatel", "la_chaux_de_fonds-neuchatel", "france_la_chaux_de_fonds-la_chaux_de_fonds"]
TO_ITALIA = ["bern-interlaken", "brig-interlaken", "brig-italia_brig"]
"""Both from Bern."""

CHUR_VADUZ = ["chur-sargans", "sargans-vaduz"]
VADUZ_OSTERREICH = ["osterreich_vaduz-vaduz"]
VADUZ_DEUTSCHLAND = ["st_gallen-vaduz", "deutschland_st_gallen-st_gallen"]

DEUTSCHLAND_FRANCE = ["basel-deutschland_basel", "basel-delemont", "delemont-france_delemont"]
FRANCE_ITALIA = ["france_martigny-martigny", "martigny-sion", "brig-sion", "brig-italia_brig"]
DEUTSCHLAND_ITALIA = [
    "deutschland_st_gallen-st_gallen",
    "st_gallen-vaduz",
    "sargans-vaduz",
    "chur-sargans",
    "chur-davos",
    "davos-italia_davos",
]


def test_sw8_the_ticket_deck_has_these_tickets_to_several_countries() -> None:
    """SW8: two from each country, alike, and one each from four cities; 34 join two cities."""
    deck = situation().snapshot["ticket_deck"]
    several = [ticket for ticket in deck if not isinstance(ticket[1], str)]
    expected = [as_listed(name) for name in COUNTRY_TICKETS]
    expected += [as_listed(name) for name in (DEUTSCHLAND, FRANCE, ITALIA, OSTERREICH)]
    assert sorted(several) == sorted(expected)
    cities = {city.id for city in VARIANT.cities if not city.region}
    others = [ticket for ticket in deck if ticket not in several]
    assert len(others) == 34
    assert all({a, b} <= cities and isinstance(points, int) for a, b, points in others)
    assert json.loads(json.dumps(deck)) == deck


def test_sw8_bern_joined_to_france_and_italia_earns_8_points_and_to_none_costs_5() -> None:
    """SW8: the example."""
    table = ended(routes=[[*TO_FRANCE, *TO_ITALIA]], holds=[[BERN]])
    assert table.parts("tickets") == [8, 0]
    assert (table.final(0)["completed"], table.final(0)["failed"]) == ([as_listed(BERN)], [])
    table = ended(routes=[["bern-solothurn"]], holds=[[BERN]])
    assert table.parts("tickets") == [-5, 0]
    assert (table.final(0)["completed"], table.final(0)["failed"]) == ([], [as_listed(BERN)])


@pytest.mark.parametrize(
    ("ticket", "routes", "points"),
    [
        # one of the countries is enough, whichever it is
        (BERN, TO_FRANCE, 5),
        (BERN, TO_ITALIA, 8),
        # the highest value among those joined, not the sum, nor the last; not that of a country that is not joined
        (CHUR, [*CHUR_VADUZ, *VADUZ_OSTERREICH], 3),
        (CHUR, [*CHUR_VADUZ, *VADUZ_DEUTSCHLAND], 6),
        (CHUR, [*CHUR_VADUZ, *VADUZ_DEUTSCHLAND, *VADUZ_OSTERREICH], 6),
        (CHUR, ["chur-davos", "davos-italia_davos", "davos-osterreich_davos"], 5),
        (LUGANO, ["italia_lugano-lugano"], 2),
        (ZURICH, ["schaffhausen-zurich", "deutschland_schaffhausen-schaffhausen"], 3),
        # otherwise the lowest is subtracted
        (BERN, [], -5),
        (CHUR, CHUR_VADUZ, -3),
        (LUGANO, ["locarno-lugano"], -2),
        (ZURICH, ["st_gallen-zurich"], -3),
        (DEUTSCHLAND, [], -5),
        (FRANCE, ["delemont-france_delemont"], -5),
        (ITALIA, ["italia_lugano-lugano", "locarno-lugano", "italia_locarno-locarno"], -6),
        (OSTERREICH, [], -5),
        # stations that are not joined to the start don't count
        (BERN, ["bern-neuchatel", "france_geneve-geneve", "brig-italia_brig"], -5),
        (BERN, [*TO_FRANCE, "osterreich_vaduz-vaduz"], 5),
    ],
)
def test_sw8_a_ticket_adds_the_highest_value_joined_or_costs_the_lowest(
    ticket: str, routes: list[str], points: int
) -> None:
    """SW8."""
    table = ended(routes=[routes], holds=[[ticket]])
    assert table.parts("tickets") == [points, 0]
    assert len(table.final(0)["completed" if points > 0 else "failed"]) == 1


@pytest.mark.parametrize(
    ("ticket", "routes", "points"),
    [
        # any of its stations, here of Deutschland and of France
        (DEUTSCHLAND, DEUTSCHLAND_FRANCE, 5),
        (FRANCE, DEUTSCHLAND_FRANCE, 5),
        (DEUTSCHLAND, DEUTSCHLAND_ITALIA, 13),
        (ITALIA, DEUTSCHLAND_ITALIA, 13),
        (FRANCE, FRANCE_ITALIA, 11),
        (ITALIA, FRANCE_ITALIA, 11),
        (OSTERREICH, [*VADUZ_OSTERREICH, *VADUZ_DEUTSCHLAND], 5),
        (OSTERREICH, ["davos-osterreich_davos", "davos-italia_davos"], 6),
        # different stations for different countries, in parts of the network that don't meet
        (FRANCE, [*DEUTSCHLAND_FRANCE, *FRANCE_ITALIA], 11),
        (DEUTSCHLAND, [*DEUTSCHLAND_FRANCE, *DEUTSCHLAND_ITALIA], 13),
        # but France is not joined to Italia by way of Deutschland (SW7)
        (FRANCE, [*DEUTSCHLAND_FRANCE, *DEUTSCHLAND_ITALIA], 5),
        (OSTERREICH, [*VADUZ_DEUTSCHLAND, *DEUTSCHLAND_FRANCE], -5),
        # two stations of the start joined to each other are nothing
        (DEUTSCHLAND, ["deutschland_kreuzlingen_east-kreuzlingen", "deutschland_kreuzlingen_west-kreuzlingen"], -5),
    ],
)
def test_sw8_a_country_as_start_is_met_by_any_of_its_stations(ticket: str, routes: list[str], points: int) -> None:
    """SW8."""
    assert ended(routes=[routes], holds=[[ticket]]).parts("tickets") == [points, 0]


def test_sw8_only_the_owners_routes_count() -> None:
    """SW8, C16: each part of the way to France belongs to another player."""
    table = ended(routes=[TO_FRANCE[:2], TO_FRANCE[2:]], holds=[[BERN], [BERN]])
    assert table.parts("tickets") == [-5, -5]


@pytest.mark.parametrize(("routes", "points"), [(DEUTSCHLAND_FRANCE, 5), ([], -5)])
def test_sw8_two_equal_tickets_count_each_for_itself(routes: list[str], points: int) -> None:
    """SW8: whether one player holds both or two players one each."""
    table = situation(routes=[routes], holds=[[DEUTSCHLAND, DEUTSCHLAND]], last_turns_left=1)
    assert table.every_ticket(0) == [DEUTSCHLAND] * 2
    assert table.sees("ticket_count", 1).tolist() == [0, 2]
    situations.end(table)
    assert table.parts("tickets") == [2 * points, 0]
    assert table.final(0)["completed" if routes else "failed"] == [as_listed(DEUTSCHLAND)] * 2
    table = ended(routes=[routes], holds=[[DEUTSCHLAND], [DEUTSCHLAND]])
    assert table.parts("tickets") == [points, -5]


def test_sw8_two_equal_tickets_may_be_kept_by_one_player() -> None:
    """SW8, SW2: one of two equal ones may be refused, too; then one is left."""
    for keep, left in (("keep_ticket", 2), ("refuse_ticket", 1)):
        table = situation(ticket_deck=[ITALIA, ITALIA, "basel-bern", "luzern-zurich"])
        table.play("draw_tickets")
        assert table.offered(0) == [ITALIA, ITALIA, "basel-bern"]
        table.play("keep_ticket", keep, "refuse_ticket")
        assert table.every_ticket(0) == [ITALIA] * left
        assert table.ticket_deck == ["luzern-zurich"]


def test_sw8_a_ticket_to_several_countries_is_one_ticket() -> None:
    """SW8: in every count, also when it is joined to three countries."""
    table = situation(routes=[["davos-italia_davos", "davos-osterreich_davos", "chur-davos"]], holds=[[CHUR, BERN]])
    assert table.sees("ticket_count", 1).tolist() == [0, 2]
    assert table.sees("ticket_deck_count", 1).tolist() == [44]
    table.play("draw_deck", "draw_deck", "draw_tickets")
    assert len(table.offered(1)) == 3
    ends = ended(routes=[["davos-italia_davos", "davos-osterreich_davos", "chur-davos"]], holds=[[CHUR, BERN]])
    assert ends.games.results.completed.tolist() == [[1, 0]]
    assert ends.games.results.failed.tolist() == [[1, 0]]


def test_sw8_actions_name_all_its_countries_and_values() -> None:
    """SW8: as snapshots do."""
    table = situation(ticket_deck=[CHUR, "basel-bern"])
    table.play("draw_tickets")
    described = [table.games.describe(int(action)) for action in np.flatnonzero(table.games.masks[0])]
    assert json.loads(json.dumps(described)) == [
        {"action": action, "ticket": as_listed(CHUR)} for action in ("keep_ticket", "refuse_ticket")
    ]
    assert json.loads(json.dumps(table.snapshot["players"][0]["offered"][0])) == as_listed(CHUR)
    table.play("keep_ticket")
    assert table.snapshot["pending"][-1]["ticket"] == as_listed(CHUR)


def test_sw8_its_owner_sees_that_it_is_completed_once_a_country_is_joined() -> None:
    """SW8, C20: whatever the country's value; tickets are numbered in the order of the table."""
    numbers = situation().ticket_deck
    holds = [[CHUR, BERN, LUGANO]]
    table = situation(routes=[[*CHUR_VADUZ, *VADUZ_OSTERREICH, "italia_lugano-lugano"]], holds=holds)
    assert {numbers[number] for number in np.flatnonzero(table.sees("tickets", 0))} == {CHUR, BERN, LUGANO}
    assert {numbers[number] for number in np.flatnonzero(table.sees("completed", 0))} == {CHUR, LUGANO}


def test_sw8_it_counts_only_at_the_end() -> None:
    """SW8, C16: before the end only routes count."""
    table = situation(routes=[TO_FRANCE], holds=[[BERN]], last_turns_left=1)
    assert table.score(0) == 2 + 1 + 2
    assert situations.end(table).scores == [5 + 5 + 10, 0]


@pytest.mark.parametrize("shape", ["short", "cycles", "compact", "spurs", "scattered"])
def test_sw8_tickets_of_random_networks_are_worth_what_a_slow_search_finds(shape: str) -> None:
    """SW8, SW7: for all tickets to several countries, each start and each country by itself."""
    rng, seen = random.Random(shape), set[tuple[str, int]]()
    every = [*COUNTRY_TICKETS, DEUTSCHLAND, FRANCE, ITALIA, OSTERREICH]
    for _ in range(8):
        routes = [VARIANT.routes[number] for number in random_network(shape, VARIANT, 40, False, rng)]
        table = ended(routes=[[route_name(it.a, it.b, it.track) for it in routes]], holds=[every])
        worth = {name: ticket_points(VARIANT, routes, as_listed(name)) for name in COUNTRY_TICKETS}
        assert table.parts("tickets") == [sum(worth[name] for name in every), 0]
        completed = sorted(name for name in every if is_completed(VARIANT, routes, as_listed(name)))
        assert sorted(map(ticket_name, table.final(0)["completed"])) == completed
        seen.update(worth.items())
    assert {points > 0 for _, points in seen} == {True, False}


def test_sw8_for_all_that_a_player_knows_the_other_one_of_two_equal_tickets_may_lie_anywhere() -> None:
    """SW8, C20: over 150 determinizations in the deck or in the other's hand, but never twice."""
    table = situation(holds=[[FRANCE], [FRANCE, BERN, CHUR, "basel-bern"]])
    copy, lying, held = table.games.clone(), set[int](), set[int]()
    for seed in range(150):
        copy.states[:] = table.games.determinize([0], [seed])
        drawn = Table(copy)
        assert drawn.every_ticket(0) == [FRANCE]
        everywhere = Counter([*drawn.every_ticket(0), *drawn.every_ticket(1), *drawn.ticket_deck])
        assert everywhere.total() == 46
        assert everywhere[FRANCE] == everywhere[ITALIA] == 2
        assert everywhere[BERN] == 1
        lying.add(drawn.ticket_deck.count(FRANCE))
        held.add(drawn.every_ticket(1).count(FRANCE))
    assert lying == held == {0, 1}


def test_sw8_an_own_map_may_have_tickets_to_several_cities_or_groups(tmp_path: Path) -> None:
    """SW8: by lists in the columns `b` and `points`."""
    folder = write_example_map(tmp_path)
    with (folder / "tickets.csv").open("a", encoding="utf-8") as file:
        file.write("main,bern,italy;zurich,9;4\nmain,italy,zurich;geneva,3;8\n")
    more: dict[str, Any] = {"variant": folder, "face_up": "red, red, red, blue, blue"}
    holds = [["bern-italy;zurich", "italy-zurich;geneva"]]
    for routes, points in (
        ([], -4 - 3),
        (["bern-zurich"], 4 - 3),
        (["bern-zurich", "zurich-lugano", "lugano-como"], 9 + 3),
        (["geneva-milan"], -4 + 8),
        (["geneva-milan", "bern-zurich"], 4 + 8),
        (["geneva-milan", "bern-geneva", "bern-zurich"], 9 + 8),
    ):
        assert ended(routes=[routes], holds=holds, **more).parts("tickets") == [points, 0]


# SW9: longest path


def test_sw9_the_longest_path_earns_10_points() -> None:
    """SW9, C17: all who tie get them; nobody without a route does."""
    six = ["geneve-yverdon"]
    assert ended(routes=[six, ["brusio-chur"]]).parts("longest_path") == [10, 0]
    assert ended(routes=[["brig-locarno"], six]).parts("longest_path") == [10, 10]
    assert ended().parts("longest_path") == [0, 0]


def test_sw9_routes_to_border_stations_count_for_the_longest_path() -> None:
    """SW9, SW7: as its ends, since no path leads through a country."""
    # three spaces to Italia and three to Sion
    assert ended(routes=[["brig-italia_brig", "brig-sion"], ["geneve-yverdon"]]).parts("longest_path") == [10, 10]
    # two routes of two spaces to Italia are no path of four
    lakes = ["italia_locarno-locarno", "italia_lugano-lugano"]
    assert ended(routes=[lakes, ["olten-zurich"]]).parts("longest_path") == [0, 10]
    # from Deutschland to Deutschland by way of Kreuzlingen
    kreuzlingen = ["deutschland_kreuzlingen_east-kreuzlingen", "deutschland_kreuzlingen_west-kreuzlingen"]
    assert ended(routes=[kreuzlingen, ["basel-delemont"]]).parts("longest_path") == [10, 10]


def test_sw9_the_parts_of_the_score_are_routes_tickets_and_the_longest_path() -> None:
    """SW9: there is no other bonus."""
    table = ended(routes=[["geneve-yverdon"]], holds=[["bern-geneve"]])
    assert table.final(0)["breakdown"] == {"routes": 15, "tickets": -8, "longest_path": 10}
    assert table.scores == [17, 0]


# SW10: ties


@pytest.mark.parametrize(
    ("routes", "holds", "points", "scores", "ranks"),
    [
        # two completed tickets decide before the longer path of the one that is joined to two countries
        (
            [
                [*TO_FRANCE, *TO_ITALIA],
                ["kreuzlingen-winterthur", "winterthur-zurich", "zug-zurich", "luzern-zug"],
            ],
            [[BERN], ["kreuzlingen-zurich", "luzern-zurich"]],
            [7, 20],
            [7 + 8 + 10, 20 + 3 + 2],
            [2, 1],
        ),
        # one ticket to several countries is as many as one to a city; then the longer path
        (
            [TO_FRANCE, ["zug-zurich", "luzern-zug", "brig-locarno"]],
            [[BERN], ["luzern-zurich"]],
            [20, 13],
            [20 + 5, 13 + 2 + 10],
            [2, 1],
        ),
        # failed tickets don't count
        (
            [["zug-zurich", "luzern-zug"], ["geneve-yverdon"]],
            [["luzern-zurich"], [BERN]],
            [8, 5],
            [8 + 2, 5 - 5 + 10],
            [1, 2],
        ),
        # all else being equal, they share the rank
        ([["geneve-yverdon"], ["brig-locarno"], ["brusio-chur"]], [], [5, 5, 15], [15, 15, 15], [1, 1, 3]),
    ],
)
def test_sw10_ties_go_by_completed_tickets_then_the_longer_path(
    routes: list[list[str]], holds: list[list[str]], points: list[int], scores: list[int], ranks: list[int]
) -> None:
    """SW10, C18."""
    table = ended(len(points), routes=routes, holds=holds, points=points)
    assert (table.scores, table.ranks) == (scores, ranks)
