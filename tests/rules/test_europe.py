"""The rules of Europe (EU1-EU10)."""

import itertools
import random
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from t2r_env import Games, configure
from t2r_env.rules.names import PHASES
from t2r_env.variants import COLOURS, LOCOMOTIVE, MapVariant, loader
from tests.maps import load_map
from tests.referee import is_completed, routes_of
from tests.situations import (
    CARDS,
    Table,
    cards_text,
    configuration,
    count,
    differing_fields,
    end,
    put,
    put_tickets,
    route_name,
)
from tests.situations import deal as deal_any
from tests.situations import situation as situation_any
from tests.station_choice import chosen_routes, usable_at

VARIANT = load_map("europe")
ROUTES = {route_name(route.a, route.b, route.track): route for route in VARIANT.routes}
CITIES = {city.id for city in VARIANT.cities}

POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 6: 15, 8: 21}
"""EU1, C10; no route of this map has 5 or 7 spaces."""

LONG = {
    "athina-edinburgh",
    "brest-petrograd",
    "cadiz-stockholm",
    "danzig-lisboa",
    "erzurum-kobenhavn",
    "moskva-palermo",
}
REGULAR = [name for it in VARIANT.ticket_decks["regular"].tickets if (name := route_name(it.a, it.b)) not in LONG]

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


def deal(players: int = 2, **more: Any) -> Table:
    """A game of Europe just dealt."""
    return deal_any(players, variant="europe", **more)


def situation(players: int = 2, **more: Any) -> Table:
    """A position on the map of Europe."""
    return situation_any(players, variant="europe", **more)


def ended(players: int = 2, **more: Any) -> Table:
    """A game of Europe that has just ended."""
    return end(situation(players, last_turns_left=1, **more))


def claims(table: Table) -> set[str]:
    """The routes that may be claimed."""
    return {action.removeprefix("claim ") for action in table.legal if action.startswith("claim")}


def buildings(table: Table) -> set[str]:
    """The cities in which a station may be built."""
    return {action.removeprefix("build ") for action in table.legal if action.startswith("build")}


def parts(table: Table, name: str) -> list[int]:
    """A part of every seat's score."""
    return [final["breakdown"][name] for final in table.snapshot["final"]]


def used(table: Table, seat: int = 0) -> dict[str, str | None]:
    """The route that each station of a seat used, in the order built."""
    return {city: route and route_name(*route) for city, route in table.final(seat)["station_routes"]}


# EU1: players, trains, cards, points


def test_eu1_two_to_five_may_play() -> None:
    """EU1."""
    for players in (2, 3, 4, 5):
        assert deal(players).games.num_players == players
    for players in (1, 6):
        with pytest.raises(ValueError, match="from 2 to 5"):
            configure("europe", players)


@every_number_of_players
def test_eu1_each_player_begins_with_45_trains_4_cards_no_station_built_and_no_points(players: int) -> None:
    """EU1, C5, EU8: the points for stations left count only at the end."""
    table = deal(players)
    for seat in range(players):
        assert (table.trains(seat), table.stations(seat), table.score(seat)) == (45, [], 0)
        assert count(table.hand(seat)).sum() == 4


@pytest.mark.parametrize("players", [2, 5])
def test_eu1_there_are_12_cards_of_each_colour_and_14_locomotives(players: int) -> None:
    """EU1, US1."""
    table = deal(players)
    hands = sum(count(table.hand(seat)) for seat in range(players))
    everywhere = hands + count(table.deck) + count(table.discard) + count(table.face_up_cards)
    assert dict(zip(CARDS, everywhere, strict=True)) == dict.fromkeys(COLOURS, 12) | {LOCOMOTIVE: 14}


@pytest.mark.parametrize("name", ROUTES)
def test_eu1_a_route_takes_a_card_and_a_train_for_each_space_and_earns_its_points(name: str) -> None:
    """EU1, C9, C10: 21 points for the route of 8 spaces. No card is turned up for tunnels here."""
    length = ROUTES[name].length
    empty: dict[str, Any] = {"deck": "", "face_up": "-, -, -, -, -"}
    table = situation(hands=["", "9 locomotive"], points=[3, 5], to_move=1, reward="score", **empty)
    table.play(f"claim {name}")
    assert (table.routes(1), table.trains(0), table.trains(1)) == ({name}, 45, 45 - length)
    assert (table.score(0), table.score(1)) == (3, 5 + POINTS[length])
    assert table.games.rewards.tolist() == [[0, POINTS[length]]]
    assert table.hand(1) == f"{9 - length} locomotive"


def test_eu1_only_petrograd_stockholm_has_8_spaces() -> None:
    """EU1."""
    assert [name for name, route in ROUTES.items() if route.length == 8] == ["petrograd-stockholm"]


# EU2: tickets


@every_number_of_players
def test_eu2_one_long_and_three_regular_starting_tickets_are_offered_to_every_player(players: int) -> None:
    """EU2: the ticket deck holds the other regular ones and no long ones."""
    assert (len(REGULAR), len(LONG)) == (40, 6)
    for seed in range(10):
        table = deal(players, seed=seed)
        offered = [table.offered(seat) for seat in range(players)]
        assert [len(set(tickets)) for tickets in offered] == [4] * players
        assert [len(LONG.intersection(tickets)) for tickets in offered] == [1] * players
        assert len(LONG & {name for tickets in offered for name in tickets}) == players
        regular = [name for tickets in offered for name in tickets if name not in LONG]
        assert sorted([*regular, *table.ticket_deck]) == sorted(REGULAR)


def test_eu2_starting_tickets_are_dealt_from_two_shuffled_decks() -> None:
    """EU2, C5: in 300 deals every seat is offered every long and every regular ticket."""
    offered = [[deal(seed=seed).offered(seat) for seed in range(300)] for seat in (0, 1)]
    for deals in offered:
        assert {name for tickets in deals for name in tickets} == {*LONG, *REGULAR}


@pytest.mark.parametrize("kept", [kept for kept in itertools.product([True, False], repeat=4) if sum(kept) >= 2])
def test_eu2_two_or_more_of_the_four_starting_tickets_are_kept(kept: tuple[bool, ...]) -> None:
    """EU2: any of them, so the long one may be refused; after two refusals the others are kept automatically."""
    table = deal()
    offered = table.offered(0)
    for keep in kept:
        if table.to_move == 0:
            assert table.legal == {"keep_ticket", "refuse_ticket"}
            table.play("keep_ticket" if keep else "refuse_ticket")
    assert table.to_move == 1
    table.play_all("keep_ticket")
    assert table.tickets(0) == set(itertools.compress(offered, kept))
    assert len(table.tickets(1)) == 4


@every_number_of_players
def test_eu2_refused_starting_tickets_and_the_long_ones_not_offered_leave_the_game(players: int) -> None:
    """EU2: the ticket deck stays as it was dealt; drawn to the end, it has only its regular tickets."""
    table = deal(players)
    deck = table.ticket_deck
    offered = [table.offered(seat) for seat in range(players)]
    while table.phase == "keep_ticket":
        table.play("refuse_ticket" if table.offered(table.to_move)[0] in LONG else "keep_ticket")
    assert [table.tickets(seat) for seat in range(players)] == [{*tickets} - LONG for tickets in offered]
    assert len(deck) == 40 - 3 * players
    assert table.ticket_deck == deck
    assert table.sees("ticket_deck_count", 1).tolist() == [len(deck)]
    while table.ticket_deck:
        table.play("draw_tickets")
        table.play_all("keep_ticket")
        while table.to_move:
            table.play("draw_deck")
    assert table.tickets(0) == {*offered[0], *deck} - LONG
    assert "draw_tickets" not in table.legal


@pytest.mark.parametrize(
    ("actions", "kept"),
    [
        (["keep_ticket", "keep_ticket", "keep_ticket"], [0, 1, 2]),
        (["keep_ticket", "refuse_ticket", "keep_ticket"], [0, 2]),
        (["refuse_ticket", "keep_ticket", "refuse_ticket"], [1]),
        (["refuse_ticket", "refuse_ticket"], [2]),
    ],
)
def test_eu2_later_three_regular_tickets_are_drawn_and_one_or_more_kept(actions: list[str], kept: list[int]) -> None:
    """EU2, C12: the refused ones go to the bottom, in the order drawn."""
    table = deal()
    table.play_all("keep_ticket")
    deck, held = table.ticket_deck, table.tickets(0)
    table.play("draw_tickets")
    assert table.offered(0) == deck[:3]
    table.play(*actions)
    assert (table.phase, table.to_move) == ("turn", 1)
    assert table.tickets(0) == held | {deck[index] for index in kept}
    assert table.ticket_deck == [*deck[3:], *(deck[index] for index in range(3) if index not in kept)]


def test_eu2_a_long_ticket_counts_like_any_other() -> None:
    """EU2, C16: its value is added or subtracted."""
    routes = ["athina-brindisi", "brindisi-roma", "roma-venezia", "munchen-venezia", "frankfurt-munchen"]
    routes += ["frankfurt-paris", "dieppe-paris", "dieppe-london", "edinburgh-london"]
    table = ended(routes=[routes], holds=[["athina-edinburgh", "essen-kyiv"], ["cadiz-stockholm"]])
    assert table.final(0)["completed"] == [["athina", "edinburgh", 21]]
    assert table.final(1)["failed"] == [["cadiz", "stockholm", 21]]
    assert parts(table, "tickets") == [21 - 10, -21]


# EU3: double routes


def test_eu3_the_map_has_these_double_routes_and_no_triple_ones() -> None:
    """EU3."""
    assert sorted(name.removesuffix(" 1") for name in ROUTES if " " in name) == DOUBLES


@pytest.mark.parametrize(("players", "is_open"), [(2, False), (3, False), (4, True), (5, True)])
def test_eu3_with_two_or_three_players_one_claimed_route_closes_a_double_route(players: int, is_open: bool) -> None:
    """EU3: either route of every double route; in larger games another player may claim the other."""
    hand = f"{EVERY_COLOUR}, 2 locomotive"
    for double in DOUBLES:
        for claimed, other in ((double, f"{double} 1"), (f"{double} 1", double)):
            table = situation(players, hands=["", hand], routes=[[claimed]], to_move=1)
            assert claimed not in claims(table)
            assert (other in claims(table)) is is_open


@every_number_of_players
def test_eu3_no_player_claims_both_routes_of_a_double_route(players: int) -> None:
    """EU3, C11."""
    hand = f"{EVERY_COLOUR}, 2 locomotive"
    for double in DOUBLES:
        for claimed in (double, f"{double} 1"):
            table = situation(players, hands=[hand], routes=[[claimed]])
            assert claims(table).isdisjoint({double, f"{double} 1"})


# EU4: ferries


@pytest.mark.parametrize("locomotives", [0, 1, 2])
def test_eu4_a_ferry_takes_a_locomotive_for_each_symbol(locomotives: int) -> None:
    """EU4, C14: no other route takes one; the hand has enough other cards for every route."""
    table = situation(hands=[f"{EVERY_COLOUR}, {locomotives} locomotive"])
    assert claims(table) == {name for name in ROUTES if FERRIES.get(name, 0) <= locomotives}


def test_eu4_the_other_spaces_of_a_ferry_are_paid_as_usual() -> None:
    """EU4, C14: six spaces with two symbols, and four spaces with one."""
    table = situation(hands=["4 red, 3 blue, 3 locomotive"])
    table.play("claim palermo-smyrna")
    assert table.legal == {"pay 4 red, 2 locomotive", "pay 3 red, 3 locomotive", "pay 3 blue, 3 locomotive"}
    table = situation(hands=["4 red, 2 blue, 2 locomotive"])
    table.play("claim palermo-roma")
    assert table.legal == {"pay 3 red, 1 locomotive", "pay 2 red, 2 locomotive", "pay 2 blue, 2 locomotive"}


# EU5: tunnels. Angora-Smyrna takes three orange cards.


def attempt(deck: str, *actions: str, hand: str = "3 orange", **more: Any) -> Table:
    """A game with this deck, in which the first seat has claimed Angora-Smyrna and taken these actions."""
    table = situation(hands=[hand], deck=deck, **more)
    table.play("claim angora-smyrna", *actions)
    return table


def laid_out(table: Table) -> str:
    """The cards laid out."""
    return cards_text(table.snapshot["set_aside"])


def other_than(colour: str) -> str:
    """Another colour."""
    return "green" if colour != "green" else "blue"


def knowing(cards: str, table: Table) -> Table:
    """The game, in which all know these cards to be in the first hand."""
    table.games.states[0].known[0] = count(cards)
    put(table.games)
    return table


def test_eu5_the_map_has_these_tunnels() -> None:
    """EU5."""
    assert {name for name, route in ROUTES.items() if route.tunnel} == TUNNELS


@pytest.mark.parametrize("name", ROUTES)
def test_eu5_three_cards_are_turned_up_for_a_tunnel_and_none_for_another_route(name: str) -> None:
    """EU5: here none of them demands more, so the tunnel is claimed; the turned-up cards are discarded."""
    length, symbols = ROUTES[name].length, FERRIES.get(name, 0)
    colour = "red" if ROUTES[name].colour == "gray" else ROUTES[name].colour
    harmless = other_than(colour)
    hand = cards_text({colour: length - symbols, LOCOMOTIVE: symbols})
    table = situation(hands=[hand], deck=f"20 {harmless}")
    table.play(f"claim {name}")
    turned_up = 3 if name in TUNNELS else 0
    assert (table.phase, table.to_move, table.routes(0)) == ("turn", 1, {name})
    assert (table.score(0), table.trains(0), table.hand(0)) == (POINTS[length], 45 - length, "")
    assert table.deck == f"{20 - turned_up} {harmless}"
    assert count(table.discard).tolist() == count(f"{hand}, {turned_up} {harmless}").tolist()
    assert table.revealed == laid_out(table) == ""


@pytest.mark.parametrize("tunnel", sorted(TUNNELS))
def test_eu5_three_cards_of_the_payments_colour_demand_three_more(tunnel: str) -> None:
    """EU5, C2: payment and turned-up cards lie apart meanwhile; no train is placed yet."""
    length = ROUTES[tunnel].length
    colour = "red" if ROUTES[tunnel].colour == "gray" else ROUTES[tunnel].colour
    table = situation(hands=[f"{length + 3} {colour}"], deck=f"20 {colour}")
    table.play(f"claim {tunnel}")
    assert (table.phase, table.to_move, table.revealed, laid_out(table)) == (
        "tunnel",
        0,
        f"3 {colour}",
        f"{length} {colour}",
    )
    assert (table.deck, table.discard, table.hand(0)) == (f"17 {colour}", "", f"3 {colour}")
    assert (table.routes(0), table.score(0), table.trains(0)) == (set(), 0, 45)
    assert table.legal == {"pay_more 3 cards", "withdraw"}
    table.play("pay_more 3 cards")
    assert (table.routes(0), table.trains(0), table.score(0)) == ({tunnel}, 45 - length, POINTS[length])
    assert (table.discard, table.hand(0), table.to_move) == (f"{length + 6} {colour}", "", 1)
    assert table.revealed == laid_out(table) == ""


@pytest.mark.parametrize(
    ("turned_up", "due"),
    [
        ("1 orange, 2 red", 1),
        ("1 blue, 2 orange", 2),
        ("3 orange", 3),
        ("2 red, 1 locomotive", 1),
        ("1 orange, 1 red, 1 locomotive", 2),
        ("2 orange, 1 locomotive", 3),
        ("3 locomotive", 3),
    ],
)
@pytest.mark.parametrize("payment", ["3 orange", "2 orange, 1 locomotive", "1 orange, 2 locomotive"])
def test_eu5_cards_of_the_payments_colour_and_locomotives_are_demanded(turned_up: str, due: int, payment: str) -> None:
    """EU5: one coloured card is enough for the payment to have a colour."""
    table = attempt(turned_up, f"pay {payment}", hand="7 orange, 2 locomotive")
    assert count(table.revealed).tolist() == count(turned_up).tolist()
    assert table.snapshot["subject"] == {"route": ["angora", "smyrna", 0], "colour": "orange", "due": due}


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


@pytest.mark.parametrize("colour", COLOURS)
def test_eu5_a_gray_tunnel_demands_the_colour_that_was_paid(colour: str) -> None:
    """EU5: Barcelona-Pamplona takes two cards of any colour."""
    other = other_than(colour)
    table = situation(hands=[f"4 {colour}, 2 {other}"], deck=f"1 {colour}, 1 {other}, 1 locomotive")
    table.play("claim barcelona-pamplona", f"pay 2 {colour}")
    assert table.snapshot["subject"]["due"] == 2
    assert table.legal == {"pay_more 2 cards", "withdraw"}
    table.play("pay_more 2 cards")
    assert (table.routes(0), table.hand(0)) == ({"barcelona-pamplona"}, f"2 {other}")


def test_eu5_exactly_what_is_demanded_is_paid() -> None:
    """EU5: with cards of the colour and locomotives in any mix; it takes no trains."""
    table = attempt("2 orange, 1 red", "pay 3 orange", hand="6 orange, 2 locomotive", trains=[3, 45])
    assert table.legal == {"pay_more 2 cards", "pay_more 1 cards, 1 locomotive", "pay_more 2 locomotive", "withdraw"}
    table.play("pay_more 1 cards, 1 locomotive")
    assert (table.routes(0), table.hand(0), table.trains(0)) == ({"angora-smyrna"}, "2 orange, 1 locomotive", 0)


def test_eu5_the_discard_is_shuffled_when_the_deck_is_used_up() -> None:
    """EU5, C2: one card comes from the deck, then two from the reshuffled discard, without the payment."""
    table = attempt("1 red", discard="9 white", hand="7 orange")
    assert (table.routes(0), table.snapshot["reshuffled"]) == ({"angora-smyrna"}, True)
    assert table.deck == "7 white"
    assert count(table.discard).tolist() == count("2 white, 3 orange, 1 red").tolist()
    demanding = attempt("1 red", discard="9 orange", hand="7 orange")
    assert demanding.phase == "tunnel"
    assert count(demanding.revealed).tolist() == count("2 orange, 1 red").tolist()
    assert (demanding.deck, demanding.discard) == ("7 orange", "")


@pytest.mark.parametrize(("deck", "discard"), [("1 orange", "1 red"), ("2 orange", ""), ("1 locomotive", "1 red")])
def test_eu5_if_fewer_cards_exist_only_those_are_turned_up(deck: str, discard: str) -> None:
    """EU5: neither the payment nor face-up cards are used for more."""
    table = attempt(deck, discard=discard, hand="5 orange")
    assert count(table.revealed).tolist() == (count(deck) + count(discard)).tolist()
    assert (table.phase, table.deck, table.discard) == ("tunnel", "", "")
    assert table.face_up == "purple, blue, orange, white, green"
    assert table.snapshot["subject"]["due"] == count(table.revealed)[[CARDS.index("orange"), -1]].sum()


def test_eu5_if_no_card_exists_there_is_no_risk() -> None:
    """EU5, C2, C3: the payment then becomes the deck and fills the empty slot."""
    table = attempt("", face_up="blue, -, blue, blue, blue")
    assert (table.routes(0), table.to_move, table.score(0)) == ({"angora-smyrna"}, 1, 4)
    assert (table.face_up, table.deck, table.discard) == ("blue, orange, blue, blue, blue", "2 orange", "")


@pytest.mark.parametrize("payment", ["3 orange", "2 orange, 1 locomotive"])
def test_eu5_a_player_who_can_pay_may_withdraw(payment: str) -> None:
    """EU5: the payment returns to the hand; the route stays free, nothing is scored, and the turn ends."""
    table = attempt("3 orange", f"pay {payment}", hand="6 orange, 2 locomotive")
    assert "pay_more 3 cards" in table.legal
    table.play("withdraw")
    assert (table.hand(0), table.routes(0)) == ("6 orange, 2 locomotive", set())
    assert (table.score(0), table.trains(0)) == (0, 45)
    assert (table.phase, table.to_move, table.snapshot["turn"]) == ("turn", 1, 2)
    assert table.revealed == laid_out(table) == ""


@pytest.mark.parametrize(
    ("hand", "actions"),
    [
        ("4 orange", []),
        ("3 orange, 9 red", []),
        ("3 orange, 1 locomotive", ["pay 3 orange"]),
        ("4 orange, 3 locomotive", ["pay 2 orange, 1 locomotive"]),
    ],
)
def test_eu5_a_player_who_cannot_pay_withdraws_automatically(hand: str, actions: Sequence[str]) -> None:
    """EU5: two more are due, except for the last hand, which can pay; others' hands do not count."""
    table = situation(hands=[hand, "9 orange"], deck="2 orange, 1 red")
    table.play("claim angora-smyrna", *actions)
    can_pay = hand == "4 orange, 3 locomotive"
    assert (table.phase, table.to_move) == (("tunnel", 0) if can_pay else ("turn", 1))
    if not can_pay:
        assert (table.hand(0), table.routes(0), table.score(0)) == (hand, set(), 0)


def test_eu5_a_player_who_paid_with_locomotives_alone_cannot_pay_more_with_a_colour() -> None:
    """EU5: here he has no more locomotives, and withdraws automatically."""
    table = attempt("1 locomotive, 2 red", "pay 3 locomotive", hand="9 orange, 3 locomotive")
    assert (table.to_move, table.hand(0), table.routes(0)) == (1, "9 orange, 3 locomotive", set())


@pytest.mark.parametrize(("action", "discarded"), [("withdraw", "3 orange"), ("pay_more 3 cards", "9 orange")])
def test_eu5_turned_up_cards_are_discarded_either_way(action: str, discarded: str) -> None:
    """EU5, C2: together with the payment, if the route is claimed."""
    table = attempt("40 orange", action, hand="9 orange")
    assert (table.deck, table.discard) == ("37 orange", discarded)


def test_eu5_turned_up_cards_are_discarded_when_a_player_withdraws_automatically() -> None:
    """EU5, C2; when the deck is used up they renew it."""
    table = attempt("40 orange")
    assert (table.deck, table.discard, table.hand(0)) == ("37 orange", "3 orange", "3 orange")
    table = attempt("1 orange, 2 red")
    assert (table.deck, table.discard, table.hand(0)) == ("1 orange, 2 red", "", "3 orange")


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


def test_eu5_cards_laid_out_and_spent_are_no_longer_known() -> None:
    """EU5, C20: known cards are spent first, for the payment and for the demand."""
    table = knowing("4 orange", situation(hands=["9 orange"], deck="30 orange"))
    table.play("claim angora-smyrna")
    assert (table.phase, table.known(1, seat=0)) == ("tunnel", "1 orange")
    table.play("pay_more 3 cards")
    assert (table.known(1, seat=0), table.hand(0)) == ("", "3 orange")


def test_eu5_nobody_sees_whether_another_could_have_paid() -> None:
    """EU5, C20: a chosen withdrawal looks like one without a choice."""
    able, unable = (situation(3, hands=[f"3 orange, 3 {card}", "1 red"], deck="20 orange") for card in CARDS[-1:-3:-1])
    able.play("claim angora-smyrna", "pay 3 orange", "withdraw")
    unable.play("claim angora-smyrna")
    for seat in (1, 2):
        assert able.games.observe([0], [seat]).tolist() == unable.games.observe([0], [seat]).tolist()
        assert differing_fields(able.games.views([0], [seat]), unable.games.views([0], [seat])) == []


def test_eu5_a_failed_attempt_is_a_turn_of_the_last_round_and_triggers_none() -> None:
    """EU5, C15: only a claimed tunnel takes trains."""
    last = attempt("30 orange", last_turns_left=1)
    assert (last.outcome, last.routes(0)) == ("finished", set())
    failed = attempt("30 orange", trains=[5, 45])
    assert failed.snapshot["last_turns_left"] is None
    claimed = attempt("30 red", trains=[5, 45])
    assert (claimed.snapshot["last_turns_left"], claimed.trains(0)) == (2, 2)


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


@pytest.mark.parametrize("city", sorted(CITIES))
def test_eu6_a_station_is_built_in_the_city_chosen(city: str) -> None:
    """EU6: it takes the whole turn, no train, and earns nothing at once; nobody else can build there."""
    table = situation(hands=["", "1 blue", ""], points=[3, 5], to_move=1, reward="score", players=3)
    table.play(f"build {city}")
    assert [table.stations(seat) for seat in range(3)] == [[], [city], []]
    assert (table.phase, table.to_move, table.hand(1), table.discard) == ("turn", 2, "", "1 blue")
    assert (table.trains(1), table.score(1), table.routes(1)) == (45, 5, set())
    assert table.games.rewards.tolist() == [[0, 0, 0]]
    again = situation(hands=["3 locomotive"] * 3, stations=[[], [city], []], players=3)
    for seat in range(3):
        assert buildings(again) == CITIES - {city}
        again.play("draw_deck", "draw_deck")
        assert again.to_move == (seat + 1) % 3


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


@pytest.mark.parametrize(
    ("built", "hand", "can_pay"),
    [
        (0, "", False),
        (0, "1 yellow", True),
        (0, "1 locomotive", True),
        (1, "1 red, 1 blue", False),
        (1, "1 red, 1 locomotive", True),
        (1, "1 locomotive", False),
        (2, "2 red, 2 blue, 2 white", False),
        (2, "2 red, 1 locomotive", True),
        (2, "2 locomotive", False),
        (2, "3 locomotive", True),
        (3, f"{EVERY_COLOUR}, 9 locomotive", False),
    ],
)
def test_eu6_a_station_can_be_built_only_with_the_cards_and_a_station_left(
    built: int, hand: str, can_pay: bool
) -> None:
    """EU6, EU1: three stations each. Stations of others make none dearer."""
    stations = [["paris", "wien", "roma"][:built], THREE]
    table = situation(hands=[hand], stations=stations, deck="9 red" if hand.count("8 ") else None)
    assert bool(buildings(table)) is can_pay


@pytest.mark.parametrize("colour", COLOURS)
def test_eu6_any_colour_will_do(colour: str) -> None:
    """EU6: a payment without a choice is made automatically."""
    for built in (0, 1, 2):
        table = situation(hands=[f"{built + 1} {colour}, 1 {other_than(colour)}"], stations=[THREE[:built]])
        table.play("build paris")
        if built == 0:
            assert table.phase == "pay"
            table.play(f"pay 1 {colour}")
        assert (table.to_move, table.hand(0)) == (1, f"1 {other_than(colour)}")
        assert table.stations(0) == [*THREE[:built], "paris"]


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
        assert {"bruxelles-paris", "berlin-frankfurt", "paris-zurich"} <= claims(table)


def test_eu6_cards_spent_on_a_station_become_the_deck_when_it_is_empty() -> None:
    """EU6, C2, C3: and fill the empty slot."""
    table = situation(hands=["3 orange"], deck="", face_up="blue, -, blue, blue, blue", stations=[THREE[:2]])
    table.play("build paris")
    assert (table.face_up, table.deck, table.discard) == ("blue, orange, blue, blue, blue", "2 orange", "")


def test_eu6_known_cards_are_spent_first() -> None:
    """EU6, C20."""
    table = knowing("2 orange", situation(hands=["4 orange"], stations=[THREE[:2]]))
    table.play("build paris")
    assert (table.hand(0), table.known(1, seat=0)) == ("1 orange", "")


@pytest.mark.parametrize("turns", [1, 2])
def test_eu6_a_station_can_be_built_in_a_last_turn(turns: int) -> None:
    """EU6 (ruling), EU8: and is then gone."""
    table = situation(hands=["1 red"], last_turns_left=turns)
    table.play("build paris")
    assert table.stations(0) == ["paris"]
    assert parts(end(table), "stations") == [8, 12]


NOTHING_TO_DRAW: dict[str, Any] = {"deck": "", "face_up": "-, -, -, -, -", "ticket_deck": []}


@every_number_of_players
def test_eu6_a_player_who_can_build_a_station_may_not_pass(players: int) -> None:
    """EU6 (ruling), C13: one blue card pays no route."""
    table = situation(players, hands=["1 blue"], **NOTHING_TO_DRAW)
    assert table.legal == {f"build {city}" for city in CITIES}


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


def test_eu6_the_action_reads_as_a_sentence() -> None:
    """EU6: with the city's name."""
    games = situation(hands=["1 blue"]).games
    texts = {str(games.describe(int(action))) for action in np.flatnonzero(games.masks[0])}
    assert {"build a station in Paris", "build a station in Zürich", "build a station in München"} <= texts


# EU7: the routes that stations use


def test_eu7_a_station_lets_its_owner_use_a_route_of_another_player() -> None:
    """EU7: Paris-Wien, whose first part is the other's; a station at either end of that part will do."""
    own, others = ["frankfurt-munchen", "munchen-wien"], ["frankfurt-paris"]
    for city in ("frankfurt", "paris"):
        table = ended(routes=[own, others], stations=[[city]], holds=[["paris-wien"]])
        assert used(table) == {city: "frankfurt-paris"}
        assert table.final(0)["completed"] == [["paris", "wien", 8]]
        assert parts(table, "tickets") == [8, 0]


@pytest.mark.parametrize("city", ["munchen", "wien", "berlin", "zurich"])
def test_eu7_only_a_route_that_ends_in_the_stations_city_can_be_used(city: str) -> None:
    """EU7: elsewhere the station uses none, and the ticket fails."""
    own, others = ["frankfurt-munchen", "munchen-wien"], ["frankfurt-paris"]
    table = ended(routes=[own, others], stations=[[city]], holds=[["paris-wien"]])
    assert table.final(0)["station_routes"] == [[city, None]]
    assert (table.final(0)["failed"], parts(table, "tickets")) == ([["paris", "wien", 8]], [-8, 0])


def test_eu7_without_a_station_no_route_of_others_is_used() -> None:
    """EU7: nor with another player's station."""
    own, others = ["frankfurt-munchen", "munchen-wien"], ["frankfurt-paris"]
    table = ended(3, routes=[own, others], stations=[[], ["paris"], ["frankfurt"]], holds=[["paris-wien"]])
    assert [table.final(seat)["station_routes"] for seat in range(3)] == [
        [],
        [["paris", None]],
        [["frankfurt", ["frankfurt", "munchen", 0]]],
    ]
    assert parts(table, "tickets") == [-8, 0, 0]


def test_eu7_a_station_uses_one_route() -> None:
    """EU7: two of the other's routes need two stations, in cities where each of them ends."""
    others = ["essen-frankfurt", "essen-kobenhavn"]
    one = ended(routes=[[], others], stations=[["essen"]], holds=[["frankfurt-kobenhavn"]])
    assert (used(one), parts(one, "tickets")) == ({"essen": "essen-frankfurt"}, [-5, 0])
    two = ended(routes=[[], others], stations=[["essen", "frankfurt"]], holds=[["frankfurt-kobenhavn"]])
    assert used(two) == {"essen": "essen-kobenhavn", "frankfurt": "essen-frankfurt"}
    assert parts(two, "tickets") == [5, 0]


def test_eu7_three_stations_join_three_routes_of_two_others() -> None:
    """EU7: without a route of one's own."""
    routes = [[], ["frankfurt-paris", "munchen-wien"], ["frankfurt-munchen"]]
    for cities in (["paris", "munchen", "wien"], ["wien", "frankfurt", "paris"]):
        table = ended(3, routes=routes, stations=[cities], holds=[["paris-wien"]])
        assert set(used(table).values()) == {"frankfurt-paris", "munchen-wien", "frankfurt-munchen"}
        assert parts(table, "tickets") == [8, 0, 0]


def test_eu7_a_station_uses_the_same_route_for_all_tickets() -> None:
    """EU7: either of two tickets could be completed, not both; with the same route both are."""
    own = ["essen-kobenhavn", "berlin-warszawa", "warszawa-wilno", "smolensk-wilno"]
    others = ["essen-frankfurt", "berlin-frankfurt"]
    holds = [["frankfurt-kobenhavn", "frankfurt-smolensk"]]
    table = ended(routes=[own, others], stations=[["frankfurt"]], holds=holds)
    assert (used(table), parts(table, "tickets")) == ({"frankfurt": "berlin-frankfurt"}, [13 - 5, 0])
    own.append("berlin-essen")
    table = ended(routes=[own, others], stations=[["frankfurt"]], holds=holds)
    assert parts(table, "tickets") == [13 + 5, 0]


def test_eu7_several_stations_may_use_the_same_route() -> None:
    """EU7: of one player and of different ones."""
    own = [["frankfurt-munchen", "munchen-wien"], ["barcelona-pamplona", "pamplona-paris", "bruxelles-frankfurt"]]
    routes = [*own, ["frankfurt-paris"]]
    holds = [["paris-wien"], ["barcelona-bruxelles"]]
    table = ended(3, routes=routes, stations=[["paris"], ["frankfurt"], []], holds=holds)
    assert [used(table, seat) for seat in (0, 1)] == [{"paris": "frankfurt-paris"}, {"frankfurt": "frankfurt-paris"}]
    assert parts(table, "tickets") == [8, 8, 0]
    table = ended(routes=[[], ["frankfurt-paris"]], stations=[["paris", "frankfurt"]])
    assert used(table) == {"paris": "frankfurt-paris", "frankfurt": "frankfurt-paris"}


def test_eu7_own_routes_are_not_used() -> None:
    """EU7: a station uses another player's route, or none; of a double route that of the other."""
    table = ended(4, routes=[["frankfurt-paris", "bruxelles-paris"]], stations=[["paris"]])
    assert used(table) == {"paris": None}
    table = ended(4, routes=[["frankfurt-paris"], ["frankfurt-paris 1"]], stations=[["paris"], ["frankfurt"]])
    assert [used(table, seat) for seat in (0, 1)] == [{"paris": "frankfurt-paris 1"}, {"frankfurt": "frankfurt-paris"}]


def test_eu7_routes_claimed_after_the_station_was_built_can_be_used() -> None:
    """EU7: up to the last turn."""
    own = ["frankfurt-munchen", "munchen-wien"]
    table = situation(
        hands=["", "3 orange"], routes=[own], stations=[["paris"]], holds=[["paris-wien"]], to_move=1, last_turns_left=1
    )
    table.play("claim frankfurt-paris")
    assert (used(table), parts(table, "tickets")) == ({"paris": "frankfurt-paris"}, [8, 0])


def test_eu7_a_station_built_in_the_last_turn_uses_a_route() -> None:
    """EU7, EU6 (ruling)."""
    routes = [["frankfurt-munchen", "munchen-wien"], ["frankfurt-paris"]]
    table = situation(hands=["1 red"], routes=routes, holds=[["paris-wien"]], last_turns_left=1)
    table.play("build paris")
    assert (used(table), parts(table, "tickets")) == ({"paris": "frankfurt-paris"}, [8, 0])


def test_eu7_a_route_is_used_for_tickets_only() -> None:
    """EU7, C10: it brings no points, takes no train and stays its owner's."""
    table = ended(routes=[[], ["petrograd-stockholm"]], stations=[["stockholm"]])
    assert used(table) == {"stockholm": "petrograd-stockholm"}
    assert (parts(table, "routes"), table.trains(0), table.routes(0)) == ([0, 21], 45, set())


def test_eu7_its_owner_too_keeps_the_use_of_the_route() -> None:
    """EU7: both complete their tickets with it."""
    routes = [["frankfurt-munchen", "munchen-wien"], ["frankfurt-paris", "essen-frankfurt", "essen-kobenhavn"]]
    table = ended(routes=routes, stations=[["paris"]], holds=[["paris-wien"], ["frankfurt-kobenhavn"]])
    assert parts(table, "tickets") == [8, 5]


def test_eu7_the_most_points_are_made_rather_than_the_most_tickets() -> None:
    """EU7 (ruling): one ticket of 13 points against two of 7 and 5."""
    own = ["berlin-warszawa", "warszawa-wilno", "smolensk-wilno", "essen-kobenhavn", "amsterdam-essen"]
    own += ["frankfurt-paris", "pamplona-paris"]
    others = ["berlin-frankfurt", "essen-frankfurt"]
    holds = [["frankfurt-smolensk", "amsterdam-pamplona", "frankfurt-kobenhavn"]]
    table = ended(routes=[own, others], stations=[["frankfurt"]], holds=holds)
    assert (used(table), parts(table, "tickets")) == ({"frankfurt": "berlin-frankfurt"}, [13 - 7 - 5, 0])
    table = ended(routes=[own, others], stations=[["frankfurt"]], holds=[holds[0][1:]])
    assert (used(table), parts(table, "tickets")) == ({"frankfurt": "essen-frankfurt"}, [7 + 5, 0])


def test_eu7_of_equal_points_the_most_completed_tickets_are_chosen() -> None:
    """EU7 (ruling): two tickets of 5 points rather than one of 10, though its route has the lower number."""
    own = ["angora-constantinople", "constantinople-sofia", "athina-smyrna"]
    own += ["erzurum-sochi", "rostov-sochi", "kharkov-rostov"]
    others = ["angora-erzurum", "angora-smyrna"]
    holds = ["angora-kharkov", "angora-athina", "smyrna-sofia"]
    table = ended(routes=[own, others], stations=[["angora"]], holds=[holds])
    assert (used(table), parts(table, "tickets")) == ({"angora": "angora-smyrna"}, [0, 0])
    assert len(table.final(0)["completed"]) == 2
    table = ended(routes=[own, others], stations=[["angora"]], holds=[holds[:2]])
    assert (used(table), parts(table, "tickets")) == ({"angora": "angora-erzurum"}, [5, 0])


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
    assert parts(table, "tickets") == [8, 0]


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


@every_number_of_players
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
    games = Games(chosen, batch=len(states), autoreset=False, observe=False)
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
    table = situation_any(
        variant=folder,
        routes=[[], ["edinburgh-london", "brest-paris", "paris-zurich"]],
        stations=[["edinburgh", "paris"]],
        holds=[["east-west", "brest-paris"]],
        last_turns_left=1,
    )
    assert used(end(table)) == {"edinburgh": "edinburgh-london", "paris": "brest-paris"}
    assert parts(table, "tickets") == [7 + 5, 0]


# EU8: points at the end


def test_eu8_each_station_not_built_earns_4_points() -> None:
    """EU8."""
    table = ended(4, stations=[[], ["paris"], ["wien", "roma"], THREE])
    assert parts(table, "stations") == [12, 8, 4, 0]
    assert table.scores == [12, 8, 4, 0]


def test_eu8_the_parts_of_the_score_are_routes_tickets_stations_and_european_express() -> None:
    """EU8: no other bonus."""
    table = ended(routes=[["petrograd-stockholm"]], holds=[["kyiv-petrograd"]])
    assert table.final(0)["breakdown"] == {"routes": 21, "tickets": -6, "longest_path": 10, "stations": 12}
    assert table.scores == [37, 12]


def test_eu8_the_longest_path_earns_10_points() -> None:
    """EU8, C17: all who tie get them; nobody without a route does."""
    long, short = ["kyiv-smolensk", "smolensk-wilno"], ["cadiz-lisboa", "cadiz-madrid"]
    assert parts(ended(routes=[long, short]), "longest_path") == [10, 0]
    assert parts(ended(routes=[["barcelona-madrid", "moskva-petrograd"], short]), "longest_path") == [0, 10]
    assert parts(ended(routes=[[*short, "lisboa-madrid"], ["petrograd-stockholm"]]), "longest_path") == [10, 10]
    assert parts(ended(), "longest_path") == [0, 0]


def test_eu8_the_longest_path_passes_over_own_routes_only() -> None:
    """EU8: the route that a station uses joins the ticket's cities, not the path."""
    routes = [["frankfurt-munchen", "munchen-wien"], ["frankfurt-paris", "barcelona-marseille"], ["moskva-petrograd"]]
    routes[0] += ["paris-zurich"]
    routes[1] += ["barcelona-madrid"]
    table = ended(3, routes=routes, stations=[["paris"]], holds=[["paris-wien"]])
    assert used(table) == {"paris": "frankfurt-paris"}
    assert parts(table, "tickets") == [8, 0, 0]
    assert parts(table, "longest_path") == [0, 10, 0]  # 5 spaces of his own, 11 with the other's


def test_eu8_a_route_that_a_station_uses_joins_no_parts_of_the_longest_path() -> None:
    """EU8: a loop of 7 spaces and 4 spaces elsewhere are no path of 11, though the used route lies between them."""
    loop = ["berlin-essen", "berlin-frankfurt", "essen-frankfurt"]
    others = ["frankfurt-paris", "amsterdam-essen", "essen-kobenhavn", "kobenhavn-stockholm"]
    table = ended(routes=[[*loop, "pamplona-paris"], others], stations=[["paris"]], points=[20, 20])
    assert used(table) == {"paris": "frankfurt-paris"}
    assert parts(table, "longest_path") == [0, 10]
    table = ended(routes=[loop, others[1:3]], stations=[["paris"]], points=[20, 20])
    assert parts(table, "longest_path") == [10, 0]


# EU9: ties


def test_eu9_with_equal_points_more_completed_tickets_win() -> None:
    """EU9, C18: also those completed by a station; they decide before stations and paths."""
    routes = [["frankfurt-munchen", "munchen-wien"], ["frankfurt-paris", "marseille-paris"]]
    table = ended(routes=routes, stations=[["paris"]], holds=[["paris-wien"]], points=[10, 4])
    assert table.scores == [10 + 8 + 8, 4 + 12 + 10]
    assert table.ranks == [1, 2]


def test_eu9_then_fewer_stations_built_win() -> None:
    """EU9: before the longer path."""
    table = ended(routes=[["cadiz-lisboa"], ["cadiz-madrid"]], stations=[["paris"], ["wien", "roma"]], points=[20, 14])
    assert table.scores == [20 + 8, 14 + 4 + 10]
    assert table.ranks == [1, 2]


def test_eu9_then_the_longer_longest_path_wins() -> None:
    """EU9: of as many stations built."""
    table = ended(routes=[["cadiz-lisboa"], ["cadiz-madrid"]], stations=[["paris"], ["wien"]], points=[20, 10])
    assert table.scores == [28, 28]
    assert table.ranks == [2, 1]


def test_eu9_players_still_tied_share_the_rank() -> None:
    """EU9, C18: equal points, tickets, stations and paths."""
    routes = [["cadiz-lisboa"], ["barcelona-madrid"], ["cadiz-madrid"]]
    table = ended(4, routes=routes, stations=[["paris"], ["wien"], ["roma"], THREE], points=[20, 20, 10, 99])
    assert table.scores == [28, 28, 28, 99]
    assert table.ranks == [3, 3, 2, 1]


# EU10: what all know


@every_number_of_players
def test_eu10_all_see_where_stations_stand(players: int) -> None:
    """EU10, C20: whose they are, from the own seat on."""
    built = [["paris"], ["wien", "roma"], THREE, [], ["riga"]][:players]
    table = situation(players, stations=built)
    ids = [city.id for city in VARIANT.cities]
    for seat in range(players):
        in_turn = [*built[seat:], *built[:seat]]
        assert table.sees("stations", seat).tolist() == [[city in own for city in ids] for own in in_turn]


@every_number_of_players
def test_eu10_all_see_how_many_stations_are_left(players: int) -> None:
    """EU10, EU1: three at first."""
    built = [["paris"], ["wien", "roma"], THREE, [], ["riga"]][:players]
    table = situation(players, stations=built)
    for seat in range(players):
        assert table.sees("stations_left", seat).tolist() == [3 - len(own) for own in [*built[seat:], *built[:seat]]]


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
