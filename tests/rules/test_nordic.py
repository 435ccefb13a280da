"""The rules of the Nordic Countries (NO1-NO11). NO2, and what NO1 and NO3 say of the start, is tested in `test_set_up`.

The keys and columns that an own map may take from this game are tested with the map of the USA.
"""

import functools
import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_env import Games
from t2r_env.rules.names import PHASES
from t2r_env.variants import COLOURS, GRAY, LOCOMOTIVE, Route
from tests.helpers import situations
from tests.helpers.maps import load_map
from tests.helpers.situations import (
    CARDS,
    Table,
    action_name,
    cards_text,
    changed_variant,
    configuration,
    count,
    differing_fields,
    knowing,
    put,
    route_name,
)

deal = functools.partial(situations.deal, variant="nordic")
situation = functools.partial(situations.situation, variant="nordic")
ended = functools.partial(situations.ended, variant="nordic")

VARIANT = load_map("nordic")
ROUTES = {route_name(route.a, route.b, route.track): route for route in VARIANT.routes}

POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 9: 27}
"""NO1, C10; no route of this map has 7 or 8 spaces."""

DOUBLES = [
    "bergen-oslo",
    "boden-kiruna",
    "boden-umea",
    "helsinki-stockholm",
    "karlskrona-kobenhavn",
    "karlskrona-norrkoping",
    "kiruna-narvik",
    "kristiansand-stavanger",
    "mo_i_rana-trondheim",
    "norrkoping-stockholm",
    "orebro-oslo",
    "orebro-stockholm",
    "stockholm-sundsvall",
    "sundsvall-umea",
]

FERRIES = {
    "alborg-goteborg": 1,
    "alborg-kristiansand": 1,
    "alborg-oslo": 1,
    "andalsnes-bergen": 2,
    "andalsnes-trondheim": 1,
    "arhus-kobenhavn": 1,
    "bergen-stavanger": 1,
    "goteborg-kobenhavn": 1,
    "helsinki-stockholm": 2,
    "helsinki-stockholm 1": 1,
    "helsinki-tallinn": 1,
    "honningsvag-kirkenes": 1,
    "honningsvag-tromso": 2,
    "karlskrona-kobenhavn": 1,
    "karlskrona-kobenhavn 1": 1,
    "kirkenes-murmansk": 1,
    "kristiansand-stavanger 1": 1,
    "mo_i_rana-narvik": 2,
    "mo_i_rana-trondheim 1": 2,
    "narvik-tromso": 1,
    "stockholm-tallinn": 2,
    "stockholm-turku": 1,
    "sundsvall-vaasa": 1,
    "umea-vaasa": 1,
}
"""The ferries, and how many locomotive symbols each has."""

TUNNELS = {
    "andalsnes-lillehammer",
    "bergen-oslo",
    "bergen-oslo 1",
    "kiruna-narvik",
    "kiruna-narvik 1",
    "kristiansand-stavanger",
    "lillehammer-oslo",
    "lillehammer-trondheim",
    "mo_i_rana-trondheim",
    "ostersund-trondheim",
}

LONGEST = "lieksa-murmansk"
"""The route of 9 spaces."""

ORDINARY = ROUTES.keys() - FERRIES.keys() - TUNNELS - {LONGEST}

EMPTY: dict[str, Any] = {"deck": "", "face_up": "-, -, -, -, -"}
NOTHING_TO_DRAW: dict[str, Any] = EMPTY | {"ticket_deck": []}


def colour_of(name: str) -> str:
    """A colour that pays for a route: red if it is gray."""
    return "red" if ROUTES[name].colour == GRAY else ROUTES[name].colour


def exact_hand(name: str) -> str:
    """Cards that pay for a route in one way: a locomotive for each symbol, and cards of its colour."""
    symbols = FERRIES.get(name, 0)
    return cards_text({colour_of(name): ROUTES[name].length - symbols, LOCOMOTIVE: symbols})


def others(name: str, number: int) -> str:
    """Cards of other colours than the one that pays for the route, of as many colours as possible."""
    colours = [colour for colour in COLOURS if colour != colour_of(name)]
    return ", ".join(f"1 {colours[card % len(colours)]}" for card in range(number))


def pending(table: Table) -> list[str]:
    """The actions of the move under way."""
    return list(map(action_name, table.snapshot["pending"]))


# NO1: players, trains, cards, points


def test_no1_a_route_takes_a_card_and_a_train_for_each_space_and_earns_its_points() -> None:
    """NO1, C9, C10: 27 points for the route of 9 spaces. No card is turned up for tunnels here."""
    assert [name for name, route in ROUTES.items() if route.length == 9] == [LONGEST]
    for name, route in ROUTES.items():
        table = situation(hands=["", exact_hand(name)], points=[3, 5], to_move=1, reward="score", **EMPTY)
        table.play(f"claim {name}")
        assert (table.routes(1), table.trains(0), table.trains(1)) == ({name}, 40, 40 - route.length)
        assert (table.score(0), table.score(1)) == (3, 5 + POINTS[route.length])
        assert table.games.rewards.tolist() == [[0, POINTS[route.length]]]
        assert (table.hand(1), table.to_move) == ("", 0)


# NO2: refused tickets. All choices are tried in `test_set_up`.


def test_no2_a_refused_ticket_is_in_no_list_afterwards() -> None:
    """NO2: neither one of the start nor a later one."""
    table = deal()
    offered = [table.offered(seat) for seat in (0, 1)]
    for own in offered:
        assert len(own) == 5
        table.play("refuse_ticket", "keep_ticket", "refuse_ticket", "refuse_ticket")  # the last must be kept
    kept = [[own[1], own[4]] for own in offered]
    below = table.ticket_deck
    table.play("draw_tickets", "refuse_ticket", "keep_ticket", "refuse_ticket")
    assert [table.every_ticket(seat) for seat in (0, 1)] == [sorted([*kept[0], below[1]]), sorted(kept[1])]
    assert (table.ticket_deck, table.offered(0), table.offered(1)) == (below[3:], [], [])
    assert len(below) == 46 - 10


# NO3: double routes


def test_no3_the_map_has_these_double_routes_and_no_triple_ones() -> None:
    """NO3."""
    assert sorted(name.removesuffix(" 1") for name in ROUTES if " " in name) == DOUBLES


def test_no3_the_two_routes_of_three_double_routes_differ() -> None:
    """NO3: spaces, symbols and whether it is a tunnel. Those of all others are alike."""

    def of(name: str) -> tuple[int, int, bool]:
        return ROUTES[name].length, ROUTES[name].ferry, ROUTES[name].tunnel > 0

    differing = {name: (of(name), of(f"{name} 1")) for name in DOUBLES if of(name) != of(f"{name} 1")}
    assert differing == {
        "kristiansand-stavanger": ((2, 0, True), (3, 1, False)),
        "mo_i_rana-trondheim": ((5, 0, True), (6, 2, False)),
        "helsinki-stockholm": ((4, 2, False), (4, 1, False)),
    }


@pytest.mark.parametrize("name", ["kristiansand-stavanger", "mo_i_rana-trondheim", "helsinki-stockholm"])
@pytest.mark.parametrize("track", ["", " 1"])
def test_no3_unlike_routes_of_a_double_route_close_each_other(name: str, track: str) -> None:
    """NO3, C11: with two players for both; with three for the one who has claimed, and then for all."""
    claimed, other = name + track, name + (" 1" if not track else "")
    hand = ", ".join([*(f"6 {colour}" for colour in COLOURS), "6 locomotive"])
    for players in (2, 3):
        for seat in range(players):
            table = situation(players, hands=[hand] * players, routes=[[claimed]], to_move=seat, deck="")
            assert claimed not in table.claims
            assert (other in table.claims) is (players == 3 and seat > 0)
    table = situation(3, hands=[hand] * 3, routes=[[claimed], [other]], to_move=2, deck="")
    assert table.claims.isdisjoint({claimed, other})


# NO4: face-up locomotives


def test_no4_a_face_up_locomotive_is_not_the_only_card() -> None:
    """NO4: as first card it leaves the whole choice of a second one."""
    table = situation(face_up="blue, locomotive, blue, blue, blue", deck="9 red")
    table.play("draw_face_up 1")
    assert (table.hand(0), table.phase, table.to_move) == ("1 locomotive", "second_card", 0)
    assert table.legal == {"draw_deck", *(f"draw_face_up {slot}" for slot in range(5))}
    table.play("draw_face_up 0")
    assert (table.hand(0), table.phase, table.to_move) == ("1 blue, 1 locomotive", "turn", 1)


@pytest.mark.parametrize(
    ("first", "second", "hand"),
    [
        ("draw_face_up 0", "draw_face_up 1", "2 locomotive"),
        ("draw_face_up 1", "draw_face_up 0", "2 locomotive"),
        ("draw_face_up 2", "draw_face_up 0", "1 blue, 1 locomotive"),
        ("draw_deck", "draw_face_up 1", "1 red, 1 locomotive"),
        ("draw_face_up 1", "draw_deck", "1 red, 1 locomotive"),
    ],
)
def test_no4_a_face_up_locomotive_may_be_the_second_card(first: str, second: str, hand: str) -> None:
    """NO4: a player may take two; then the turn is over."""
    table = situation(face_up="locomotive, locomotive, blue, blue, blue", deck="9 red")
    table.play(first, second)
    assert (table.hand(0), table.phase, table.to_move) == (hand, "turn", 1)


@pytest.mark.parametrize(("slot", "hand"), [(0, "1 blue, 1 locomotive"), (1, "2 locomotive")])
def test_no4_a_locomotive_turned_up_as_a_replacement_may_be_taken(slot: int, hand: str) -> None:
    """NO4, C3."""
    table = situation(face_up="blue, locomotive, blue, blue, blue", deck="9 locomotive")
    table.play(f"draw_face_up {slot}", f"draw_face_up {slot}")
    assert (table.hand(0), table.to_move) == (hand, 1)


def test_no4_a_locomotive_that_is_the_last_card_is_taken_as_second_card() -> None:
    """NO4, C8: automatically; if nothing is left the turn ends with one card, here a locomotive."""
    table = situation(face_up="blue, locomotive, -, -, -", deck="")
    table.play("draw_face_up 0")
    assert (table.hand(0), table.to_move, table.face_up_cards) == ("1 blue, 1 locomotive", 1, "")
    table = situation(face_up="locomotive, -, -, -, -", deck="")
    table.play("draw_face_up 0")
    assert (table.hand(0), table.to_move) == ("1 locomotive", 1)


def test_no4_face_up_locomotives_are_not_swept_during_play() -> None:
    """NO4: not three, nor more; C4 does not apply."""
    table = situation(face_up="locomotive, locomotive, red, blue, green", deck="9 locomotive")
    table.play("draw_face_up 2")
    assert (table.face_up, table.discard) == ("locomotive, locomotive, locomotive, blue, green", "")
    table.play("draw_face_up 3")
    assert (table.face_up, table.discard) == ("locomotive, locomotive, locomotive, locomotive, green", "")
    assert table.deck == "7 locomotive"


def test_no4_face_up_locomotives_are_not_swept_after_a_claim() -> None:
    """NO4, C2: the cards paid fill the empty slots."""
    table = situation(hands=["3 red"], face_up="locomotive, locomotive, locomotive, -, -", deck="")
    table.play("claim boden-umea")
    assert (table.face_up, table.deck) == ("locomotive, locomotive, locomotive, red, red", "1 red")


def test_no4_face_up_locomotives_are_not_swept_in_the_set_up() -> None:
    """NO4, C5: it happens in some of 500 deals, and nothing is discarded in any."""
    states = Games(configuration("nordic", 2), batch=500, seed=0).states
    assert np.any((states["face_up"] == CARDS.index(LOCOMOTIVE)).sum(axis=1) >= 3)
    assert not np.any(states["discard"])


# NO5: where locomotives can be paid


def test_no5_locomotives_alone_pay_for_ferries_and_tunnels_only() -> None:
    """NO5: nine of them are no nine cards for Lieksa-Murmansk either (NO8)."""
    table = situation(hands=["9 locomotive"], **EMPTY)
    assert table.claims == FERRIES.keys() | TUNNELS


def test_no5_on_all_other_routes_locomotives_stand_in_for_nothing() -> None:
    """NO5: one card of the colour is missing, or none; then the locomotives stay in the hand."""
    assert len(ORDINARY) == 81 - 24 - 10 - 1
    for name in sorted(ORDINARY):
        length, colour = ROUTES[name].length, colour_of(name)
        short = cards_text({colour: length - 1, LOCOMOTIVE: 9})
        assert name not in situation(hands=[short], **EMPTY).claims
        table = situation(hands=[f"{length} {colour}, 9 locomotive"], **EMPTY)
        table.play(f"claim {name}")
        assert (table.routes(0), table.hand(0), table.to_move) == ({name}, "9 locomotive", 1)


def test_no5_c13_a_player_whose_locomotives_pay_for_no_route_passes() -> None:
    """NO5, C13: all ferries and tunnels of one space are claimed or closed."""
    table = situation(hands=["1 locomotive"], **NOTHING_TO_DRAW)
    own = {"arhus-kobenhavn", "umea-vaasa", "kiruna-narvik", "kiruna-narvik 1"}
    assert table.legal == {f"claim {name}" for name in own}
    routes = [[], ["arhus-kobenhavn", "umea-vaasa", "kiruna-narvik"]]
    assert situation(hands=["1 locomotive"], routes=routes, **NOTHING_TO_DRAW).legal == {"pass"}


# NO6: ferries


def test_no6_the_map_has_these_ferries() -> None:
    """NO6."""
    assert {name: route.ferry for name, route in ROUTES.items() if route.ferry} == FERRIES


@pytest.mark.parametrize("name", FERRIES)
def test_no6_a_ferry_takes_a_locomotive_or_three_other_cards_for_each_symbol(name: str) -> None:
    """NO6, C14: two cards for the last symbol are not enough, three of three colours are."""
    symbols, spaces = FERRIES[name], ROUTES[name].length
    own = {colour_of(name): spaces - symbols, LOCOMOTIVE: symbols - 1}
    assert name not in situation(hands=[f"{cards_text(own)}, {others(name, 2)}".removeprefix(", ")], **EMPTY).claims
    three = f"{cards_text(own)}, {others(name, 3)}".removeprefix(", ")
    table = situation(hands=[three], **EMPTY)
    table.play(f"claim {name}")
    while table.phase == "pay":
        table.play(next(action for action in sorted(table.legal) if action.startswith("spend")))
    assert (table.routes(0), table.hand(0)) == ({name}, "")
    spent = count(three)
    assert (count(table.deck) + count(table.discard) + count(table.face_up_cards)).tolist() == spent.tolist()
    assert (table.score(0), table.trains(0)) == (POINTS[spaces], 40 - spaces)


def test_no6_locomotives_may_pay_the_other_spaces_too() -> None:
    """NO6, C14: of Honningsvåg-Tromsø, four purple spaces with two symbols."""
    table = situation(hands=["2 purple, 4 locomotive"])
    table.play("claim honningsvag-tromso")
    assert table.legal == {"pay 2 purple, 2 locomotive", "pay 1 purple, 3 locomotive", "pay 4 locomotive"}
    table.play("pay 4 locomotive")
    assert (table.hand(0), table.discard) == ("2 purple", "4 locomotive")


def test_no6_honningsvag_tromso_may_be_paid_by_two_purple_a_locomotive_and_three_other_cards() -> None:
    """NO6: the first example."""
    hand = "2 purple, 1 blue, 1 green, 1 red, 1 locomotive"
    table = situation(hands=[hand])
    table.play("claim honningsvag-tromso")
    assert table.legal == {"spend blue", "spend green", "spend red"}
    table.play("spend green", "spend blue")  # red is the only card left to spend, then one payment
    assert (table.routes(0), table.hand(0), table.discard) == ({"honningsvag-tromso"}, "", hand)
    for missing in ("purple", "blue", "green", "red", LOCOMOTIVE):
        less = count(hand) - count(f"1 {missing}")
        left = cards_text(dict(zip(CARDS, less.tolist(), strict=True)))
        assert "honningsvag-tromso" not in situation(hands=[left]).claims


def test_no6_honningsvag_tromso_may_be_paid_by_one_purple_and_nine_other_cards() -> None:
    """NO6: the second example; no locomotive is needed."""
    hand = "1 purple, 3 blue, 2 white, 3 black, 1 red"
    assert "honningsvag-tromso" not in situation(hands=["1 purple, 3 blue, 2 white, 3 black"]).claims
    table = situation(hands=[hand])
    table.play("claim honningsvag-tromso")
    while table.phase == "pay":
        assert "spend purple" not in table.legal
        table.play(min(table.legal))
    assert (table.routes(0), table.hand(0), table.discard) == ({"honningsvag-tromso"}, "", hand)


@pytest.mark.parametrize("hand", ["1 blue, 3 red, 1 locomotive", "6 red, 1 locomotive", "9 red", "3 red, 2 locomotive"])
def test_no6_three_cards_stand_for_a_space_without_a_symbol_too(hand: str) -> None:
    """NO6 (ruling): Stockholm-Turku, three blue spaces with one symbol; as often as the player likes."""
    table = situation(hands=[hand])
    table.play("claim stockholm-turku")
    while table.phase == "pay":
        table.play(next(action for action in sorted(table.legal) if action.startswith("spend")))
    assert (table.routes(0), table.hand(0), table.discard) == ({"stockholm-turku"}, "", hand)


def test_no6_cards_of_the_routes_own_colour_may_be_among_the_three() -> None:
    """NO6 (ruling): any mix of colours; here of one colour alone, which is the route's."""
    table = situation(hands=["5 blue"])
    table.play("claim stockholm-turku")
    assert (table.routes(0), table.hand(0), table.discard) == ({"stockholm-turku"}, "", "5 blue")
    assert "stockholm-turku" not in situation(hands=["4 blue"]).claims


def test_no6_while_an_exchange_is_half_made_cards_can_only_be_spent() -> None:
    """NO6: then the payment uses the exchange made."""
    table = situation(hands=["3 purple, 3 red, 2 locomotive"])
    table.play("claim honningsvag-tromso")
    assert table.legal == {"pay 2 purple, 2 locomotive", "spend purple", "spend red"}
    table.play("spend red")
    assert (table.phase, table.legal) == ("pay", {"spend purple", "spend red"})
    table.play("spend red")
    assert table.legal == {"spend purple", "spend red"}
    table.play("spend red")
    assert table.legal == {"pay 2 purple, 2 locomotive", "pay 1 purple, 3 locomotive", "spend purple"}
    table.play("pay 2 purple, 2 locomotive")  # of which one is the exchange
    assert (table.routes(0), table.hand(0)) == ({"honningsvag-tromso"}, "1 purple, 1 locomotive")
    assert table.discard == "2 purple, 3 red, 1 locomotive"


def test_no6_a_locomotive_is_never_among_the_three() -> None:
    """NO6 (ruling): it can't be spent, only paid."""
    table = situation(hands=["4 red, 4 locomotive"])
    table.play("claim stockholm-turku")
    assert table.legal == {"pay 3 locomotive", "spend red"}
    assert "stockholm-turku" not in situation(hands=["5 red, 1 locomotive"]).claims
    assert "umea-vaasa" not in situation(hands=["2 red"]).claims


def test_no6_a_price_is_paid_exactly() -> None:
    """NO6 (ruling): with three exchanges made for three spaces no more cards can be spent."""
    table = situation(hands=["12 red, 3 locomotive"], face_up="blue, blue, blue, blue, blue")
    table.play("claim stockholm-turku")
    for exchanges in range(3):
        assert table.laid_out == (f"{3 * exchanges} red" if exchanges else "")
        assert table.legal == {"pay 3 locomotive", "spend red"}
        table.play("spend red")  # the second and the third card follow automatically
    assert (table.routes(0), table.hand(0), table.discard) == ({"stockholm-turku"}, "3 red, 3 locomotive", "9 red")


def test_no6_on_other_routes_three_cards_stand_for_nothing() -> None:
    """NO6, NO7: neither on tunnels nor on ordinary routes."""
    for name in sorted(TUNNELS | ORDINARY):
        hand = cards_text({colour_of(name): ROUTES[name].length - 1})
        if ROUTES[name].colour == GRAY:  # no other colour may suffice
            other = ", ".join(f"{ROUTES[name].length - 1} {colour}" for colour in COLOURS if colour != "red")
        else:
            other = ", ".join(f"3 {colour}" for colour in COLOURS if colour != ROUTES[name].colour)
        assert name not in situation(hands=[", ".join(filter(None, [hand, other]))], **EMPTY).claims


def test_no6_cards_of_one_payment_lie_apart_until_they_are_discarded_together() -> None:
    """NO6, C2: only then are an empty deck renewed and empty slots filled."""
    table = situation(hands=["4 blue, 3 red, 1 locomotive"], deck="", face_up="red, red, -, red, red")
    table.play("claim stockholm-turku")
    for spent in range(1, 4):
        table.play("spend red")
        assert (table.deck, table.discard, table.face_up) == ("", "", "red, red, -, red, red")
        assert table.laid_out == f"{spent} red"
        assert (table.routes(0), table.trains(0)) == (set(), 40)
    table.play("pay 2 blue, 1 locomotive")
    assert (table.routes(0), table.hand(0), table.discard) == ({"stockholm-turku"}, "2 blue, 1 locomotive", "")
    assert (count(table.deck) + count(table.face_up_cards)).tolist() == count("2 blue, 7 red").tolist()
    assert "-" not in table.face_up


# NO7: tunnels. Åndalsnes-Lillehammer takes two yellow cards.


def attempt(deck: str, *actions: str, hand: str = "2 yellow", **more: Any) -> Table:
    """A game with this deck, in which the first seat has claimed Åndalsnes-Lillehammer and taken these actions."""
    table = situation(hands=[hand], deck=deck, **more)
    table.play("claim andalsnes-lillehammer", *actions)
    return table


def test_no7_the_map_has_these_tunnels() -> None:
    """NO7."""
    assert {name for name, route in ROUTES.items() if route.tunnel} == TUNNELS


def test_no7_three_cards_are_turned_up_for_a_tunnel_and_none_for_another_route() -> None:
    """NO7, EU5: here none of them demands more, so the tunnel is claimed; the turned-up cards are discarded."""
    for name, route in ROUTES.items():
        harmless = "green" if colour_of(name) != "green" else "blue"
        table = situation(hands=[exact_hand(name)], deck=f"20 {harmless}")
        table.play(f"claim {name}")
        turned_up = 3 if name in TUNNELS else 0
        assert (table.phase, table.to_move, table.routes(0)) == ("turn", 1, {name})
        assert (table.score(0), table.trains(0), table.hand(0)) == (POINTS[route.length], 40 - route.length, "")
        assert table.deck == f"{20 - turned_up} {harmless}"
        assert count(table.discard).tolist() == count(f"{exact_hand(name)}, {turned_up} {harmless}").tolist()
        assert table.revealed == table.laid_out == ""


def test_no7_three_cards_of_the_payments_colour_demand_three_more() -> None:
    """NO7, EU5, C2: payment and turned-up cards lie apart meanwhile; no train is placed yet."""
    for tunnel in sorted(TUNNELS):
        length, colour = ROUTES[tunnel].length, colour_of(tunnel)
        table = situation(hands=[f"{length + 3} {colour}"], deck=f"20 {colour}")
        table.play(f"claim {tunnel}")
        assert (table.phase, table.to_move) == ("tunnel", 0)
        assert (table.revealed, table.laid_out) == (f"3 {colour}", f"{length} {colour}")
        assert (table.deck, table.discard, table.hand(0)) == (f"17 {colour}", "", f"3 {colour}")
        assert (table.routes(0), table.score(0), table.trains(0)) == (set(), 0, 40)
        assert table.legal == {"pay_more 3 cards", "withdraw"}
        table.play("pay_more 3 cards")
        assert (table.routes(0), table.trains(0), table.score(0)) == ({tunnel}, 40 - length, POINTS[length])
        assert (table.discard, table.hand(0), table.to_move) == (f"{length + 6} {colour}", "", 1)


def test_no7_locomotives_stand_in_for_any_cards_of_a_tunnel() -> None:
    """NO7, NO5: in the payment and in what is demanded; turned-up locomotives demand more, too."""
    table = situation(hands=["3 yellow, 4 locomotive, 9 red"], deck="1 yellow, 1 red, 1 locomotive")
    table.play("claim andalsnes-lillehammer")
    assert table.legal == {"pay 2 yellow", "pay 1 yellow, 1 locomotive", "pay 2 locomotive"}
    table.play("pay 1 yellow, 1 locomotive")
    assert table.snapshot["subject"]["due"] == 2
    assert table.legal == {"pay_more 2 cards", "pay_more 1 cards, 1 locomotive", "pay_more 2 locomotive", "withdraw"}
    table.play("pay_more 1 cards, 1 locomotive")
    assert (table.routes(0), table.hand(0)) == ({"andalsnes-lillehammer"}, "1 yellow, 9 red, 2 locomotive")


@pytest.mark.parametrize(
    ("turned_up", "due"), [("3 yellow", 0), ("2 yellow, 1 locomotive", 1), ("1 red, 2 locomotive", 2)]
)
def test_no7_after_a_payment_of_locomotives_alone_only_locomotives_are_demanded(turned_up: str, due: int) -> None:
    """NO7, EU5."""
    table = attempt(turned_up, "pay 2 locomotive", hand="4 yellow, 5 locomotive")
    if due:
        assert table.legal == {f"pay_more {due} locomotive", "withdraw"}
        table.play(f"pay_more {due} locomotive")
    assert table.routes(0) == {"andalsnes-lillehammer"}
    assert table.hand(0) == f"4 yellow, {3 - due} locomotive"


def test_no7_three_cards_pay_neither_for_a_tunnel_nor_for_what_it_demands() -> None:
    """NO7: without a yellow card and a locomotive the player, who has nine red cards, can't pay."""
    assert "andalsnes-lillehammer" not in situation(hands=["1 yellow, 9 red"], deck="20 green").claims
    table = attempt("1 yellow, 2 red", hand="2 yellow, 9 red")
    assert (table.to_move, table.routes(0), table.hand(0)) == (1, set(), "2 yellow, 9 red")
    table = attempt("1 yellow, 2 red", "pay 2 yellow", hand="3 yellow, 9 red, 1 locomotive")
    assert table.legal == {"pay_more 1 cards", "pay_more 1 locomotive", "withdraw"}


def test_no7_a_player_who_can_pay_may_withdraw() -> None:
    """NO7, EU5, C20: the payment returns to the hand, where all know it to be; the turn ends."""
    table = attempt("3 yellow", "pay 1 yellow, 1 locomotive", hand="5 yellow, 1 red, 2 locomotive")
    table.play("withdraw")
    assert (table.hand(0), table.routes(0), table.discard) == ("5 yellow, 1 red, 2 locomotive", set(), "")
    assert (table.phase, table.to_move, table.trains(0), table.score(0)) == ("turn", 1, 40, 0)
    assert (table.known(1, 0), table.deck) == ("1 yellow, 1 locomotive", "3 yellow")


# NO8: Lieksa-Murmansk


def test_no8_the_route_of_nine_spaces_is_gray_and_neither_ferry_nor_tunnel() -> None:
    """NO8: any one colour pays for it."""
    route = ROUTES[LONGEST]
    assert (route.length, route.colour, route.ferry, route.tunnel) == (9, GRAY, 0, 0)
    for colour in COLOURS:
        table = situation(hands=[f"9 {colour}"])
        table.play(f"claim {LONGEST}")
        assert (table.routes(0), table.discard, table.score(0)) == ({LONGEST}, f"9 {colour}", 27)
    assert LONGEST not in situation(hands=["5 blue, 4 red"]).claims


def test_no8_six_blue_and_twelve_other_cards_pay_for_it() -> None:
    """NO8: the example; eleven others don't."""
    hand = "2 purple, 6 blue, 3 white, 3 yellow, 4 red"
    table = situation(hands=[hand])
    table.play(f"claim {LONGEST}")
    assert table.legal == {"spend purple", "spend white", "spend yellow", "spend red"}
    while table.phase == "pay":
        table.play(min(table.legal))
    assert (table.routes(0), table.hand(0), table.discard) == ({LONGEST}, "", hand)
    assert (table.trains(0), table.score(0)) == (31, 27)
    assert LONGEST not in situation(hands=["2 purple, 6 blue, 3 white, 3 yellow, 3 red"]).claims


@pytest.mark.parametrize(
    ("hand", "pays"),
    [
        ("8 blue", False),
        ("8 blue, 3 red", False),
        ("8 blue, 4 red", True),
        ("12 blue", True),
        ("11 blue", True),  # nine of them
        ("8 blue, 1 locomotive", False),
        ("8 blue, 3 locomotive", False),
        ("8 blue, 4 locomotive", True),
        ("8 blue, 3 red, 1 locomotive", True),
        ("8 blue, 1 white, 2 red, 1 locomotive", True),
        ("7 blue, 7 red", False),
        ("7 blue, 4 red, 4 locomotive", True),
        ("6 blue, 3 white, 3 green, 3 red", False),  # three cards are not enough for one
    ],
)
def test_no8_any_four_cards_count_as_one_of_the_colour_paid(hand: str, pays: bool) -> None:
    """NO8, NO5: locomotives among them or not; otherwise locomotives stand in for nothing."""
    table = situation(hands=[hand], **EMPTY)
    assert (LONGEST in table.claims) is pays


def test_no8_while_four_cards_are_being_spent_nothing_else_can_be_done() -> None:
    """NO8: `pay` counts cards of the colour, and the exchanges made as locomotives."""
    table = situation(hands=["9 blue, 3 red, 2 locomotive"], face_up="white, white, white, white, white")
    table.play(f"claim {LONGEST}")
    assert table.legal == {"pay 9 blue", "spend blue", "spend red", "spend locomotive"}
    table.play("spend locomotive", "spend red", "spend blue")
    assert (table.phase, table.legal) == ("pay", {"spend red", "spend locomotive"})  # eight blue cards must be left
    assert pending(table) == [f"claim {LONGEST}", "spend blue", "spend red", "spend locomotive"]
    assert table.laid_out == "1 blue, 1 red, 1 locomotive"
    table.play("spend red")
    assert (table.routes(0), table.hand(0)) == ({LONGEST}, "1 red, 1 locomotive")
    assert table.discard == "9 blue, 2 red, 1 locomotive"


def test_no8_all_nine_spaces_may_be_paid_by_exchanges() -> None:
    """NO8 (ruling): with 36 cards, though fewer would do; a price is paid exactly."""
    hand = "5 purple, 5 blue, 5 orange, 5 white, 5 green, 5 yellow, 4 black, 2 locomotive"
    table = situation(hands=[hand], face_up="red, red, red, red, red")
    table.play(f"claim {LONGEST}")
    while table.phase == "pay":
        table.play(min(action for action in table.legal if action.startswith("spend")))
    assert (table.routes(0), table.hand(0), table.discard) == ({LONGEST}, "", hand)


def test_no8_a_payment_uses_all_exchanges_made() -> None:
    """NO8 (ruling): eight of them and a card of the colour, or nine of them."""
    hand = "8 purple, 8 blue, 8 white, 8 green, 4 red"
    table = situation(hands=[f"{hand}, 1 locomotive"], face_up="red, red, red, red, red")
    table.play(f"claim {LONGEST}")
    for colour in ("red", "purple", "blue", "white"):
        for _ in range(8 if colour != "red" else 4):
            table.play(f"spend {colour}")
    assert table.laid_out == "8 purple, 8 blue, 8 white, 4 red"
    assert table.legal == {"pay 2 green, 7 locomotive", "spend green", "spend locomotive"}
    table.play(*["spend green"] * 4)
    assert table.legal == {"pay 1 green, 8 locomotive", "spend green", "spend locomotive"}
    table.play("spend locomotive")  # and three green cards, the only ones left
    assert (table.routes(0), table.hand(0)) == ({LONGEST}, "1 green")
    assert table.discard == "8 purple, 8 blue, 8 white, 7 green, 4 red, 1 locomotive"


# NO5-NO8: all payments, compared with a slow enumeration

Cards = tuple[int, ...]
"""Numbers of cards by colour, locomotives last."""

MANY = 1500
"""A hand with this number of subsets takes too long to enumerate."""


@dataclass(frozen=True)
class Way:
    """A way to pay."""

    text: str
    """The payment as it is chosen when all exchanges have been made."""
    exchanged: Cards
    """The cards that are exchanged."""
    spent: Cards
    """All cards that it takes."""


def rate(route: Route) -> int:
    """How many cards stand for one (NO6, NO8)."""
    return 3 if route.ferry else 4 if route.length == 9 else 0


def colours_of(route: Route) -> Sequence[str]:
    """The colours that may pay for a route."""
    return COLOURS if route.colour == GRAY else (route.colour,)


def ways(hand: Cards, route: Route) -> Iterator[Way]:
    """All ways to pay for a ferry or Lieksa-Murmansk: every choice of cards to exchange, locomotives and cards."""
    most = hand if route.length == 9 else (*hand[:-1], 0)
    for exchanged in itertools.product(*(range(number + 1) for number in most)):
        exchanges, half_made = divmod(sum(exchanged), rate(route))
        for locomotives in range(hand[-1] + 1 if route.ferry else 1):
            units = exchanges + locomotives
            cards = route.length - units
            if half_made or cards < 0 or units < route.ferry:
                continue
            for colour in colours_of(route) if cards else [LOCOMOTIVE]:
                spent = [*exchanged]
                spent[-1] += locomotives
                spent[CARDS.index(colour)] += cards
                if spent[CARDS.index(colour)] <= hand[CARDS.index(colour)]:
                    text = f"pay {cards_text({colour: cards, LOCOMOTIVE: units})}"
                    yield Way(text, exchanged, tuple(spent))


def can_pay(hands: NDArray[np.int64], route: Route) -> NDArray[np.bool_]:
    """Which hands can pay for a route, without choosing which cards are exchanged: enough of them suffice."""
    found = np.zeros(len(hands), np.bool_)
    takes_locomotives = bool(route.ferry or route.tunnel)
    pool = hands[:, :-1].sum(axis=1) + (hands[:, -1] if route.length == 9 else 0)
    for exchanges in range(route.length + 1 if rate(route) else 1):
        for locomotives in range(route.length + 1 if takes_locomotives else 1):
            units = exchanges + locomotives
            cards = route.length - units
            if cards < 0 or units < route.ferry:
                continue
            enough = (hands[:, -1] >= locomotives) & (pool - cards >= exchanges * rate(route))
            if cards:
                enough &= np.any([hands[:, COLOURS.index(colour)] >= cards for colour in colours_of(route)], axis=0)
            found |= enough
    return found


def random_hands(number: int, sizes: Sequence[int], seed: int, favourite: str = GRAY) -> list[Cards]:
    """Hands of few or many colours, with some locomotives or none, and often with cards of the favourite colour."""
    rng = random.Random(seed)
    hands = []
    for _ in range(number):
        colours = rng.sample(COLOURS, rng.randint(1, len(COLOURS)))
        if favourite != GRAY and rng.random() < 0.8:
            colours = [*{favourite, *colours[:2]}]
        size = rng.choice(sizes)
        locomotives = min(size, rng.choice([0, 0, 1, 1, 2, 3, 5, 9]))
        drawn = [LOCOMOTIVE] * locomotives + rng.choices(sorted(colours), k=size - locomotives)
        hands.append(tuple(drawn.count(card) for card in CARDS))
    return hands


def games_with(hands: Sequence[Cards]) -> Games:
    """Games in each of which the first seat has one of the hands. No cards are left to be turned up."""
    table = situation(**NOTHING_TO_DRAW)
    states = np.repeat(table.games.states[:1], len(hands))
    states["hand"][:, 0] = hands
    states["hand_count"][:, 0] = np.sum(hands, axis=1)
    return games_from(states)


def games_from(states: Any) -> Games:
    """Games in these states."""
    games = Games(configuration("nordic", 2), batch=len(states), autoreset=False, seed=0)
    put(games, states)
    return games


def claim_of(games: Games, name: str) -> int:
    """The action that claims a route."""
    return games.layout.actions["claim"].start + list(ROUTES).index(name)


def test_no5_to_no8_a_route_may_be_claimed_only_if_there_is_a_way_to_pay_for_it() -> None:
    """NO5-NO8: and always then; every route of the map, with thousands of hands."""
    hands = [*random_hands(1500, range(12), seed=1), *random_hands(1500, range(8, 40), seed=2)]
    games = games_with(hands)
    for name, route in ROUTES.items():
        expected = can_pay(np.array(hands), route)
        assert 0 < expected.sum() < len(hands)
        wrong = np.flatnonzero(games.masks[:, claim_of(games, name)].astype(np.bool_) != expected)
        assert not wrong.size, f"{name} for {cards_text(dict(zip(CARDS, hands[wrong[0]], strict=True)))}"


KINDS = {(ROUTES[name].colour == GRAY, ROUTES[name].length, ROUTES[name].ferry): name for name in [*FERRIES, LONGEST]}
"""A ferry of each kind, coloured or gray, of each length and number of symbols, and Lieksa-Murmansk."""


@pytest.mark.parametrize("name", KINDS.values())
def test_no6_no8_a_claim_can_be_paid_in_every_way_that_the_rules_allow_and_in_no_other(name: str) -> None:
    """NO6, NO8: the decisions lead to each set of cards that pays for the route, and to no other.

    A card may be spent if some way to pay exchanges it and all cards spent so far. A payment may be made if some way
    exchanges exactly the cards spent so far.
    """
    route = ROUTES[name]
    sizes = range(route.length, 2 * route.length + 8) if route.ferry else range(9, 24)
    hands = [
        hand
        for hand in random_hands(400, sizes, seed=route.length, favourite=route.colour)
        if np.prod(np.array(hand) + 1) < MANY
    ]
    found = ((hand, some) for hand in hands if len(some := list(ways(hand, route))) > 1)
    payable = list(itertools.islice(found, 8))
    assert len(payable) == 8
    check_every_decision(name, [hand for hand, _ in payable], [some for _, some in payable])


def check_every_decision(name: str, hands: Sequence[Cards], all_ways: Sequence[Sequence[Way]]) -> None:
    """Claim a route with each hand, and check every decision that can follow until it is paid for."""
    towards = [
        {part for way in some for part in itertools.product(*(range(number + 1) for number in way.exchanged))}
        for some in all_ways
    ]
    reached: list[set[Cards]] = [set() for _ in hands]
    games = games_with(hands)
    games.step(np.full(len(hands), claim_of(games, name)))
    origins, states = np.arange(len(hands)), games.states.copy()
    while True:
        spent = np.array(hands)[origins] - states["hand"][:, 0]
        paying = states["phase"] == PHASES.index("pay")
        for origin, cards in zip(origins[~paying].tolist(), spent[~paying].tolist(), strict=True):
            reached[origin].add(tuple(cards))
        origins, states, spent = origins[paying], states[paying], spent[paying]
        if not len(origins):
            break
        games = games_from(states)
        for row, (origin, cards) in enumerate(zip(origins.tolist(), spent.tolist(), strict=True)):
            legal = {action_name(games.describe(int(action), row)) for action in np.flatnonzero(games.masks[row])}
            assert legal == expected_actions(all_ways[origin], towards[origin], tuple(cards))
        rows, actions = np.nonzero(games.masks)
        games = games_from(states[rows])
        games.step(actions)
        origins, states = origins[rows], games.states
        keys = np.column_stack([origins, states["phase"] == PHASES.index("pay"), states["hand"][:, 0]])
        _, new = np.unique(keys, axis=0, return_index=True)
        origins, states = origins[new], states[new]
    for cards_taken, some in zip(reached, all_ways, strict=True):
        assert cards_taken == {way.spent for way in some}


def expected_actions(some: Sequence[Way], towards: set[Cards], spent: Cards) -> set[str]:
    """The actions that the ways to pay allow after some cards have been spent."""
    expected = {way.text for way in some if way.exchanged == spent}
    for number, card in enumerate(CARDS):
        if (*spent[:number], spent[number] + 1, *spent[number + 1 :]) in towards:
            expected.add(f"spend {card}")
    return expected


# NO9: Globetrotter

KOBENHAVN_OSLO = ["goteborg-kobenhavn", "goteborg-oslo"]
OSLO_STOCKHOLM = ["orebro-oslo", "orebro-stockholm"]
TALLINN_TAMPERE = ["helsinki-tallinn", "helsinki-tampere"]
MURMANSK_NARVIK = ["kirkenes-murmansk", "honningsvag-kirkenes", "honningsvag-tromso", "narvik-tromso"]
"""Each completes the ticket between its ends, of 4, 4, 3 and 12 points."""


def test_no9_the_parts_of_the_score_are_routes_tickets_and_globetrotter() -> None:
    """NO9: there is no bonus for the longest path."""
    table = ended(routes=[KOBENHAVN_OSLO, [LONGEST]], holds=[["kobenhavn-oslo"], ["helsinki-lieksa"]])
    assert table.final(0)["breakdown"] == {"routes": 4, "tickets": 4, "globetrotter": 10}
    assert table.final(1)["breakdown"] == {"routes": 27, "tickets": -5, "globetrotter": 0}
    assert table.scores == [18, 22]


@pytest.mark.parametrize(
    ("routes", "holds", "bonus"),
    [
        # the most, by number and not by value: two of 4 points against one of 12
        (
            [[*KOBENHAVN_OSLO, *OSLO_STOCKHOLM], MURMANSK_NARVIK, []],
            [["kobenhavn-oslo", "oslo-stockholm"], ["murmansk-narvik"], []],
            [10, 0, 0],
        ),
        # all who tie get it
        (
            [KOBENHAVN_OSLO, TALLINN_TAMPERE, [LONGEST]],
            [["kobenhavn-oslo"], ["tallinn-tampere"], ["helsinki-lieksa"]],
            [10, 10, 0],
        ),
        # failed ones don't count
        (
            [KOBENHAVN_OSLO, TALLINN_TAMPERE],
            [["kobenhavn-oslo", "goteborg-oulu"], ["tallinn-tampere"]],
            [10, 10],
        ),
        # nobody has completed one
        ([KOBENHAVN_OSLO, [LONGEST]], [["goteborg-oulu"], ["helsinki-lieksa"]], [0, 0]),
        ([[], []], [[], []], [0, 0]),
    ],
)
def test_no9_the_most_completed_tickets_earn_10_points(
    routes: list[list[str]], holds: list[list[str]], bonus: list[int]
) -> None:
    """NO9, C17."""
    assert ended(len(routes), routes=routes, holds=holds).parts("globetrotter") == bonus


# NO10: ties


@pytest.mark.parametrize(
    ("routes", "holds", "points", "scores", "ranks"),
    [
        # completed tickets decide before the longer path
        ([KOBENHAVN_OSLO, ["kirkenes-rovaniemi"]], [["kobenhavn-oslo"]], [1, 15], [1 + 4 + 10, 15], [1, 2]),
        # of as many tickets the longer path decides: 4 spaces against 5
        (
            [KOBENHAVN_OSLO, [*TALLINN_TAMPERE, "kirkenes-rovaniemi"]],
            [["kobenhavn-oslo"], ["tallinn-tampere"]],
            [10, 11],
            [24, 24],
            [2, 1],
        ),
        ([["kirkenes-rovaniemi"], [LONGEST], ["alborg-arhus"]], [], [7, 7, 7], [7, 7, 7], [2, 1, 3]),
        # all else being equal, they share the rank
        ([["bergen-oslo"], ["helsinki-stockholm"], ["alborg-arhus"]], [], [7, 7, 7], [7, 7, 7], [1, 1, 3]),
    ],
)
def test_no10_ties_go_by_completed_tickets_then_the_longer_path(
    routes: list[list[str]], holds: list[list[str]], points: list[int], scores: list[int], ranks: list[int]
) -> None:
    """NO10 (ruling), C18."""
    table = ended(len(points), routes=routes, holds=holds, points=points)
    assert (table.scores, table.ranks) == (scores, ranks)


# NO11: what all know


def test_no11_all_see_the_cards_spent() -> None:
    """NO11, C20: on a ferry and on Lieksa-Murmansk, locomotives too; `pending` has them by colour."""
    table = situation(3, hands=["4 blue, 2 red, 1 white, 1 locomotive"])
    table.play("claim stockholm-turku", "spend red", "spend white")
    assert pending(table) == ["claim stockholm-turku", "spend white", "spend red"]
    for seat in range(3):
        assert table.sees("set_aside", seat).tolist() == [count("1 white, 1 red").tolist(), [0] * 9]
        assert table.sees("hand_count", seat)[-seat] == 6
    table = situation(3, hands=["8 blue, 6 red, 2 locomotive"])
    table.play(f"claim {LONGEST}", "spend locomotive", "spend red")
    for seat in range(3):
        assert table.sees("set_aside", seat).tolist() == [count("1 red, 1 locomotive").tolist(), [0] * 9]


@pytest.mark.parametrize(
    ("hand", "known", "route", "after"),
    [
        ("4 red", "2 red", "umea-vaasa", ""),
        ("4 red", "4 red", "umea-vaasa", "1 red"),
        ("8 blue, 2 red, 2 locomotive", "3 blue, 1 locomotive", LONGEST, ""),
    ],
)
def test_no11_spending_takes_from_the_known_cards_first(hand: str, known: str, route: str, after: str) -> None:
    """NO11, C20: the cards that an exchange took are no longer in the hand."""
    table = knowing(known, situation(3, hands=[hand], face_up="white, white, white, green, green"))
    table.play(f"claim {route}")
    while table.phase == "pay":
        table.play(min(table.legal))
    assert table.routes(0) == {route}
    for observer in range(3):
        assert table.known(observer, seat=0) == after


def test_no11_nobody_sees_which_tickets_were_refused() -> None:
    """NO11, C20 (ruling): nor does the player who refused them remember it."""
    below = ["kobenhavn-oslo", "oslo-stockholm"]
    one = situation(ticket_deck=["goteborg-oulu", "tallinn-tampere", "lahti-sundsvall", *below])
    other = situation(ticket_deck=["bergen-narvik", "tallinn-tampere", "oslo-vaasa", *below])
    for table in (one, other):
        table.play("draw_tickets", "refuse_ticket", "keep_ticket", "refuse_ticket")
        assert (table.ticket_deck, table.tickets(0)) == (below, {"tallinn-tampere"})
    for seat in (0, 1):
        assert one.games.observe([0], [seat]).tolist() == other.games.observe([0], [seat]).tolist()
        assert differing_fields(one.games.views([0], [seat]), other.games.views([0], [seat])) == []


@pytest.mark.parametrize("seat", [0, 1])
def test_no11_for_all_that_a_player_knows_a_refused_ticket_may_still_be_in_the_deck(seat: int) -> None:
    """NO11, C20: over 150 determinizations every ticket that the seat does not hold lies in the deck at times."""
    table = situation(holds=[["kobenhavn-oslo"], ["oslo-stockholm"]])
    deck = table.ticket_deck
    table.play("draw_tickets", "refuse_ticket", "refuse_ticket")
    while table.to_move != seat:
        table.play("draw_deck")
    assert table.ticket_deck == deck[3:]
    own, lying = table.tickets(seat), set[str]()
    copy = table.games.clone()
    for seed in range(150):
        copy.states[:] = table.games.determinize([0], [seed])
        drawn = Table(copy)
        assert drawn.tickets(seat) == own
        assert len(drawn.ticket_deck) == len(deck) - 3
        lying |= set(drawn.ticket_deck)
    assert lying == {*deck, "kobenhavn-oslo", "oslo-stockholm"} - own


# The same rules on an own map: that of the USA, changed


def own_map(folder: Path, toml: tuple[str, str] = ("", ""), **columns: Mapping[str, int | str]) -> Path:
    """The USA with a change of variant.toml, and with more columns of routes.csv, where most routes have no entry."""
    changed_variant(folder, {"variant.toml": toml})
    file = folder / "routes.csv"
    heading, *rows = file.read_text(encoding="utf-8").splitlines()
    lines = [",".join([heading, *columns])]
    for row in rows:
        a, b, track, *_ = row.split(",")
        name = route_name(a, b, int(track))
        cells = [str(column.get(name, "" if title == "exchange" else 0)) for title, column in columns.items()]
        lines.append(",".join([row, *cells]))
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return folder


LATER = "later = { offered = 3, keep = 1 }"


def test_no2_on_an_own_map_only_later_refused_tickets_may_leave_the_game(tmp_path: Path) -> None:
    """NO2: by the key `later_refused` of the ticket deck; those of the start then still go under the deck (C5)."""
    folder = own_map(tmp_path, (LATER, f'{LATER}\nlater_refused = "leave"'))
    table = situations.deal(variant=folder)
    below, refused = table.ticket_deck, [table.offered(seat)[0] for seat in (0, 1)]
    table.play("refuse_ticket", "refuse_ticket")
    assert table.ticket_deck == [*below, *refused]
    table.play("draw_tickets", "refuse_ticket", "keep_ticket", "refuse_ticket")
    assert table.ticket_deck == [*below[3:], *refused]
    assert below[1] in table.tickets(0)


def test_no2_on_an_own_map_later_refused_tickets_go_under_the_deck_by_default(tmp_path: Path) -> None:
    """NO2, C12: also if it says so, and those of the start leave."""
    folder = own_map(tmp_path, (LATER, f'{LATER}\nstarting_refused = "leave"\nlater_refused = "under"'))
    table = situations.deal(variant=folder)
    below = table.ticket_deck
    table.play("refuse_ticket", "refuse_ticket")
    assert table.ticket_deck == below
    table.play("draw_tickets", "refuse_ticket", "keep_ticket", "refuse_ticket")
    assert table.ticket_deck == [*below[3:], below[0], below[2]]


def test_no4_on_an_own_map_face_up_locomotives_may_be_taken_freely(tmp_path: Path) -> None:
    """NO4, SW4: by the key `free_locomotives`; three of them are swept all the same (C4)."""
    folder = own_map(tmp_path, ("trains = 45", "free_locomotives = true\ntrains = 45"))
    table = situations.situation(variant=folder, face_up="locomotive, locomotive, blue, blue, blue", deck="20 red")
    table.play("draw_face_up 0", "draw_face_up 1")
    assert (table.hand(0), table.to_move) == ("2 locomotive", 1)
    more: dict[str, Any] = {"deck": "1 locomotive", "discard": "20 red"}
    table = situations.situation(variant=folder, face_up="locomotive, locomotive, blue, blue, blue", **more)
    table.play("draw_face_up 4")
    assert (table.face_up, table.phase) == ("red, red, red, red, red", "second_card")


@pytest.mark.parametrize(
    ("pay_for", "claims"),
    [
        ('["ferries"]', {"calgary-winnipeg", "boston-montreal"}),
        ('["tunnels"]', {"atlanta-miami"}),
        ('["ferries", "tunnels"]', {"calgary-winnipeg", "boston-montreal", "atlanta-miami"}),
    ],
)
def test_no5_an_own_map_states_what_locomotives_pay_for(tmp_path: Path, pay_for: str, claims: set[str]) -> None:
    """NO5, SW5: by the key `locomotives_pay_for`; elsewhere locomotives stand in for nothing."""
    ferries = {"calgary-winnipeg": 1, "boston-montreal": 1} if "ferries" in pay_for else {}
    folder = own_map(
        tmp_path,
        ("trains = 45", f"locomotives_pay_for = {pay_for}\ntrains = 45"),
        ferry=ferries,
        tunnel={"atlanta-miami": 3},
    )
    assert situations.situation(variant=folder, hands=["9 locomotive"], **EMPTY).claims == claims
    table = situations.situation(variant=folder, hands=["3 blue, 3 locomotive"], **EMPTY)
    table.play("claim montreal-new_york")
    assert (table.hand(0), table.to_move) == ("3 locomotive", 1)


def test_no5_on_an_own_map_locomotives_pay_for_all_routes_by_default(tmp_path: Path) -> None:
    """NO5, C9."""
    folder = own_map(tmp_path, ("trains = 45", 'locomotives_pay_for = ["routes"]\ntrains = 45'))
    assert len(situations.situation(variant=folder, hands=["9 locomotive"], **EMPTY).claims) == 100


def test_no6_on_an_own_map_each_route_has_its_own_exchange(tmp_path: Path) -> None:
    """NO6, UK5: by the column `exchange`, and by the key of the same name for a route whose cell is empty."""
    folder = own_map(
        tmp_path,
        ("trains = 45", "exchange = 3\ntrains = 45"),
        exchange={"montreal-new_york": 2, "boston-montreal": 0},
    )

    def claims(hand: str) -> set[str]:
        return situations.situation(variant=folder, hands=[hand], **EMPTY).claims

    assert "montreal-new_york" in claims("2 blue, 2 red")  # three blue spaces, two cards for one
    assert "montreal-new_york" not in claims("2 blue, 1 red")
    assert "boston-montreal" not in claims("1 blue, 1 white, 1 green, 1 red")  # two gray spaces, no exchange
    assert "boston-montreal 1" in claims("1 blue, 1 white, 1 green, 1 red")
    assert "new_york-washington" in claims("1 orange, 1 red, 1 green, 1 white")  # two spaces, three cards for one
    assert "new_york-washington" not in claims("1 orange, 1 red, 1 green")


def test_no6_without_the_key_only_routes_with_a_number_have_exchanges(tmp_path: Path) -> None:
    """NO6, NO8: by default no cards stand for others."""
    folder = own_map(tmp_path, exchange={"montreal-new_york": 2})
    table = situations.situation(variant=folder, hands=["2 blue, 2 red"], **EMPTY)
    assert table.claims == situations.situation(hands=["2 blue, 2 red"], **EMPTY).claims | {"montreal-new_york"}
    table.play("claim montreal-new_york")  # the red cards are the only ones that can be spent
    assert (table.routes(0), table.hand(0)) == ({"montreal-new_york"}, "")


def test_no8_where_no_locomotives_can_be_paid_any_cards_may_be_exchanged(tmp_path: Path) -> None:
    """NO8: they make a card of the colour paid, here two cards one."""
    folder = own_map(
        tmp_path,
        ("trains = 45", 'locomotives_pay_for = ["ferries"]\ntrains = 45'),
        exchange={"montreal-new_york": 2, "calgary-winnipeg": 2},
        ferry={"calgary-winnipeg": 1},
    )
    table = situations.situation(variant=folder, hands=["2 blue, 1 red, 1 locomotive"], **EMPTY)
    table.play("claim montreal-new_york")
    while table.phase == "pay":
        table.play(min(table.legal))
    assert (table.routes(0), table.hand(0)) == ({"montreal-new_york"}, "")
    table = situations.situation(variant=folder, hands=["5 white, 1 red, 3 locomotive"], **EMPTY)
    table.play("claim calgary-winnipeg")
    assert "spend locomotive" not in table.legal
    assert "spend white" in table.legal
