"""What the Nordic Countries (NO3-NO5, NO7) and Switzerland (SW3-SW6) have in common.

NO2, SW2, and what NO1, NO3, SW1 and SW3 say of the start, is tested in `test_set_up`.
"""

from typing import Any, NamedTuple

import numpy as np
import pytest

from t2r_env import Games
from t2r_env.variants import LOCOMOTIVE, Route
from tests.helpers.maps import load_map
from tests.helpers.payments import Due, can_pay, colours_of, games_with, random_hands
from tests.helpers.situations import CARDS, Table, cards_text, configuration, count, route_name, situation


class Game(NamedTuple):
    """One of the two games."""

    name: str
    doubles: str
    """The double routes."""
    tunnels: str
    example: str
    """A tunnel of two yellow spaces."""

    @property
    def routes(self) -> dict[str, Route]:
        """The routes of its map by name."""
        return {route_name(route.a, route.b, route.track): route for route in load_map(self.name).routes}


NORDIC = Game(
    "nordic",
    "bergen-oslo, boden-kiruna, boden-umea, helsinki-stockholm, karlskrona-kobenhavn, karlskrona-norrkoping,"
    " kiruna-narvik, kristiansand-stavanger, mo_i_rana-trondheim, norrkoping-stockholm, orebro-oslo, orebro-stockholm,"
    " stockholm-sundsvall, sundsvall-umea",
    "andalsnes-lillehammer, bergen-oslo, bergen-oslo 1, kiruna-narvik, kiruna-narvik 1, kristiansand-stavanger,"
    " lillehammer-oslo, lillehammer-trondheim, mo_i_rana-trondheim, ostersund-trondheim",
    "andalsnes-lillehammer",
)
SWITZERLAND = Game(
    "switzerland",
    "bellinzona-lugano, bellinzona-wassen, bern-fribourg, bern-luzern, fribourg-lausanne, geneve-lausanne, luzern-zug,"
    " schaffhausen-winterthur, schwyz-wassen, schwyz-zug, winterthur-zurich, zug-zurich",
    "baden-basel, basel-delemont, basel-deutschland_basel, basel-olten, bellinzona-locarno, bellinzona-lugano,"
    " bellinzona-lugano 1, bellinzona-wassen, bellinzona-wassen 1, brig-interlaken, brig-italia_brig, brig-locarno,"
    " brig-sion, brig-wassen, brusio-chur, brusio-davos, brusio-italia_brusio, chur-davos, chur-sargans, chur-wassen,"
    " davos-italia_davos, davos-osterreich_davos, davos-sargans, delemont-france_delemont,"
    " delemont-la_chaux_de_fonds, delemont-solothurn, france_la_chaux_de_fonds-la_chaux_de_fonds,"
    " france_martigny-martigny, italia_locarno-locarno, italia_lugano-lugano, la_chaux_de_fonds-neuchatel,"
    " la_chaux_de_fonds-yverdon, lausanne-martigny, locarno-lugano, martigny-sion, osterreich_st_gallen-st_gallen,"
    " osterreich_vaduz-vaduz, pfaffikon-sargans, sargans-vaduz, schwyz-wassen, schwyz-wassen 1, st_gallen-vaduz",
    "basel-delemont",
)

in_both = pytest.mark.parametrize("game", [NORDIC, SWITZERLAND], ids=["nordic", "switzerland"])


EMPTY: dict[str, Any] = {"deck": "", "face_up": "-, -, -, -, -"}


def attempt(game: Game, hand: str, deck: str, *actions: str) -> Table:
    """A game with this hand and deck, in which the first seat has claimed the tunnel and taken these actions."""
    table = situation(variant=game.name, hands=[hand], deck=deck)
    table.play(f"claim {game.example}", *actions)
    return table


# NO3, NO7; SW3, SW6: the maps


@in_both
def test_no3_no7_sw3_sw6_the_map_has_these_double_routes_and_tunnels_and_no_triple_routes(game: Game) -> None:
    """NO3, NO7, SW3, SW6: for each tunnel three cards are turned up."""
    assert sorted(name.removesuffix(" 1") for name in game.routes if " " in name) == game.doubles.split(", ")
    tunnels = {name: route.tunnel for name, route in game.routes.items() if route.tunnel}
    assert tunnels == dict.fromkeys(game.tunnels.split(", "), 3)


# NO4, SW4: face-up locomotives


@in_both
@pytest.mark.parametrize(
    ("first", "second", "hand"),
    [
        ("draw_face_up 0", "draw_face_up 1", "2 locomotive"),
        ("draw_face_up 2", "draw_face_up 0", "1 blue, 1 locomotive"),
        ("draw_face_up 0", "draw_face_up 2", "1 blue, 1 locomotive"),
        ("draw_deck", "draw_face_up 1", "1 red, 1 locomotive"),
        ("draw_face_up 1", "draw_deck", "1 red, 1 locomotive"),
    ],
)
def test_no4_sw4_a_face_up_locomotive_may_be_the_first_card_or_the_second_one(
    game: Game, first: str, second: str, hand: str
) -> None:
    """NO4, SW4: a player may take two; then the turn is over."""
    table = situation(variant=game.name, face_up="locomotive, locomotive, blue, blue, blue", deck="9 red")
    table.play(first)
    assert (table.phase, table.to_move) == ("second_card", 0)
    assert table.legal == {"draw_deck", *(f"draw_face_up {slot}" for slot in range(5))}
    table.play(second)
    assert (table.hand(0), table.phase, table.to_move) == (hand, "turn", 1)


@in_both
def test_no4_sw4_a_locomotive_turned_up_as_a_replacement_or_the_last_card_may_be_taken(game: Game) -> None:
    """NO4, SW4, C3, C8: the last one automatically; if nothing is left the turn ends with one card."""
    for slot, hand in ((0, "1 blue, 1 locomotive"), (1, "2 locomotive")):
        table = situation(variant=game.name, face_up="blue, locomotive, blue, blue, blue", deck="9 locomotive")
        table.play(f"draw_face_up {slot}", f"draw_face_up {slot}")
        assert (table.hand(0), table.to_move) == (hand, 1)
    for face_up, hand in (("blue, locomotive", "1 blue, 1 locomotive"), ("locomotive, -", "1 locomotive")):
        table = situation(variant=game.name, face_up=f"{face_up}, -, -, -", deck="")
        table.play("draw_face_up 0")
        assert (table.hand(0), table.to_move, table.face_up_cards) == (hand, 1, "")


@pytest.mark.parametrize(
    ("variant", "face_up", "deck", "discard"),
    [
        ("switzerland", "red, red, red, red, red", "15 red", "1 blue, 1 green, 3 locomotive"),
        ("nordic", "locomotive, locomotive, blue, green, locomotive", "20 red", ""),
        ("united_kingdom", "locomotive, locomotive, blue, green, locomotive", "20 red", ""),
    ],
)
def test_three_face_up_locomotives_are_swept_in_switzerland_and_stay_in_two_games(
    variant: str, face_up: str, deck: str, discard: str
) -> None:
    """SW4, C4; NO4, UK2: here before the second card is chosen."""
    start = "locomotive, locomotive, blue, green, white"
    table = situation(variant=variant, face_up=start, deck="1 locomotive", discard="20 red")
    table.play("draw_face_up 4")
    assert (table.face_up, table.deck, table.discard) == (face_up, deck, discard)
    assert table.phase == "second_card"


@pytest.mark.parametrize("variant", ["nordic", "united_kingdom"])
def test_no4_uk2_three_locomotives_among_the_first_face_up_cards_stay(variant: str) -> None:
    """NO4, UK2, C5: it happens in some of 500 deals, and nothing is discarded in any."""
    states = Games(configuration(variant, 2), batch=500, seed=0).states
    assert np.any((states["face_up"] == CARDS.index(LOCOMOTIVE)).sum(axis=1) >= 3)
    assert not np.any(states["discard"])


# NO5, SW5: where locomotives can be paid


def due_for(route: Route) -> Due:
    """What is to be paid for a route: on ferries (NO6) and the route of 9 spaces (NO8) other cards stand for it."""
    rate = 3 if route.ferry else 4 if route.length == 9 else 0
    takes_locomotives = bool(route.ferry or route.tunnel)
    return Due(route.length, route.ferry, colours_of(route), rate, takes_locomotives, route.length == 9)


def claim_of(game: Game, games: Games, name: str) -> int:
    """The action that claims a route."""
    return games.layout.actions["claim"].start + list(game.routes).index(name)


@in_both
def test_no5_to_no8_sw5_a_route_may_be_claimed_only_if_there_is_a_way_to_pay_for_it(game: Game) -> None:
    """NO5-NO8, SW5: and always then; every route of the map, with thousands of hands. No cards can be turned up."""
    hands = [*random_hands(1500, range(12), seed=1), *random_hands(1500, range(8, 40), seed=2)]
    games = games_with(situation(variant=game.name, ticket_deck=[], **EMPTY), hands)
    for name, route in game.routes.items():
        expected = can_pay(np.array(hands), due_for(route))
        assert 0 < expected.sum() < len(hands)
        wrong = np.flatnonzero(games.masks[:, claim_of(game, games, name)].astype(np.bool_) != expected)
        assert not wrong.size, f"{name} for {cards_text(dict(zip(CARDS, hands[wrong[0]], strict=True)))}"


# NO7, SW6: tunnels


@in_both
def test_no5_no7_sw5_sw6_locomotives_stand_in_for_any_cards_of_a_tunnel(game: Game) -> None:
    """NO5, NO7, SW5, SW6: of the payment and of what is demanded; turned-up locomotives demand more, too.

    Three cards never stand for a locomotive here (NO7).
    """
    table = attempt(game, "3 yellow, 4 locomotive, 9 red", "1 yellow, 1 red, 1 locomotive")
    assert table.legal == {"pay 2 yellow", "pay 1 yellow, 1 locomotive", "pay 2 locomotive"}
    table.play("pay 1 yellow, 1 locomotive")
    assert table.snapshot["subject"]["due"] == 2
    assert table.legal == {"pay_more 2 cards", "pay_more 1 cards, 1 locomotive", "pay_more 2 locomotive", "withdraw"}
    table.play("pay_more 1 cards, 1 locomotive")
    assert (table.routes(0), table.hand(0)) == ({game.example}, "1 yellow, 9 red, 2 locomotive")


@in_both
@pytest.mark.parametrize("able", [True, False])
def test_no7_sw6_a_player_may_withdraw_and_must_if_he_cannot_pay(game: Game, able: bool) -> None:
    """NO7, SW6, EU5, C20: the payment returns to the hand, where all know it to be; the turn ends.

    In the Nordic Countries, too, nine red cards don't pay for what is demanded.
    """
    hand = f"2 yellow, 9 red, {3 if able else 0} locomotive"
    table = attempt(game, hand, "3 yellow", *(["pay 2 yellow", "withdraw"] if able else []))
    assert (table.phase, table.to_move, table.routes(0), table.trains(0)) == ("turn", 1, set(), 40)
    assert (count(table.hand(0)).tolist(), table.score(0)) == (count(hand).tolist(), 0)
    assert (table.known(1, 0), table.deck, table.discard) == ("2 yellow", "3 yellow", "")
