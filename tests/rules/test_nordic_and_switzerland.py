"""What the Nordic Countries (NO1-NO5, NO7) and Switzerland (SW1-SW6) have in common.

NO2, SW2, and what NO1, NO3, SW1 and SW3 say of the start, is tested in `test_set_up`.
"""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_env import Games
from t2r_env.variants import COLOURS, GRAY, LOCOMOTIVE, Route
from tests.helpers.maps import load_map
from tests.helpers.situations import CARDS, Table, cards_text, configuration, count, put, route_name, situation


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

POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 9: 27}
"""NO1, SW1, C10; no route of these maps has 7 or 8 spaces."""

EMPTY: dict[str, Any] = {"deck": "", "face_up": "-, -, -, -, -"}


def colour_of(route: Route) -> str:
    """A colour that pays for a route: red if it is gray."""
    return "red" if route.colour == GRAY else route.colour


def exact_hand(route: Route) -> str:
    """Cards that pay for a route in one way: a locomotive for each symbol, and cards of its colour."""
    return cards_text({colour_of(route): route.length - route.ferry, LOCOMOTIVE: route.ferry})


def attempt(game: Game, hand: str, deck: str, *actions: str) -> Table:
    """A game with this hand and deck, in which the first seat has claimed the tunnel and taken these actions."""
    table = situation(variant=game.name, hands=[hand], deck=deck)
    table.play(f"claim {game.example}", *actions)
    return table


# NO1, NO3, NO7; SW1, SW3, SW6: the maps, and what a route takes and earns


@in_both
def test_no3_no7_sw3_sw6_the_map_has_these_double_routes_and_tunnels_and_no_triple_routes(game: Game) -> None:
    """NO3, NO7, SW3, SW6."""
    assert sorted(name.removesuffix(" 1") for name in game.routes if " " in name) == game.doubles.split(", ")
    assert sorted(name for name, route in game.routes.items() if route.tunnel) == game.tunnels.split(", ")


@in_both
def test_no1_sw1_a_route_takes_a_card_and_a_train_for_each_space_and_earns_its_points(game: Game) -> None:
    """NO1, SW1, SW7, C9, C10; NO7, SW6, EU5: for a tunnel three cards are turned up, and for no other route.

    Here none of them demands more. They are discarded with the payment.
    """
    for name, route in game.routes.items():
        hand, harmless = exact_hand(route), "green" if colour_of(route) != "green" else "blue"
        situated: dict[str, Any] = {"hands": ["", hand], "points": [3, 5], "to_move": 1, "reward": "score"}
        table = situation(variant=game.name, deck=f"20 {harmless}", **situated)
        table.play(f"claim {name}")
        assert (table.routes(1), table.trains(0), table.trains(1)) == ({name}, 40, 40 - route.length)
        assert (table.score(0), table.score(1)) == (3, 5 + POINTS[route.length])
        assert table.games.rewards.tolist() == [[0, POINTS[route.length]]]
        assert (table.hand(1), table.phase, table.to_move) == ("", "turn", 0)
        turned_up = 3 if route.tunnel else 0
        assert table.deck == f"{20 - turned_up} {harmless}"
        assert count(table.discard).tolist() == count(f"{hand}, {turned_up} {harmless}").tolist()
        assert table.revealed == table.laid_out == ""


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


@in_both
def test_no5_sw5_on_ordinary_routes_locomotives_stand_in_for_nothing(game: Game) -> None:
    """NO5, SW5: alone they pay for ferries and tunnels, nine of them not for nine cards. Elsewhere they stay."""
    paid = {name for name, route in game.routes.items() if route.ferry or route.tunnel}
    assert situation(variant=game.name, hands=["9 locomotive"], **EMPTY).claims == paid
    for name in game.routes.keys() - paid - {"lieksa-murmansk"}:
        hand = f"{exact_hand(game.routes[name])}, 9 locomotive"
        table = situation(variant=game.name, hands=[hand], **EMPTY)
        table.play(f"claim {name}")
        assert (table.routes(0), table.hand(0), table.to_move) == ({name}, "9 locomotive", 1)


Cards = tuple[int, ...]
"""Numbers of cards by colour, locomotives last."""


def rate(route: Route) -> int:
    """How many cards stand for one: on ferries (NO6) and the route of 9 spaces (NO8), on others none ever do."""
    return 3 if route.ferry else 4 if route.length == 9 else 0


def colours_of(route: Route) -> Sequence[str]:
    """The colours that may pay for a route."""
    return COLOURS if route.colour == GRAY else (route.colour,)


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


def games_with(game: Game, hands: Sequence[Cards]) -> Games:
    """Games in each of which the first seat has one of the hands. No cards are left to be turned up."""
    states = np.repeat(situation(variant=game.name, ticket_deck=[], **EMPTY).games.states[:1], len(hands))
    states["hand"][:, 0] = hands
    states["hand_count"][:, 0] = np.sum(hands, axis=1)
    return games_from(game, states)


def games_from(game: Game, states: Any) -> Games:
    """Games in these states."""
    games = Games(configuration(game.name, 2), batch=len(states), autoreset=False, seed=0)
    put(games, states)
    return games


def claim_of(game: Game, games: Games, name: str) -> int:
    """The action that claims a route."""
    return games.layout.actions["claim"].start + list(game.routes).index(name)


@in_both
def test_no5_to_no8_sw5_a_route_may_be_claimed_only_if_there_is_a_way_to_pay_for_it(game: Game) -> None:
    """NO5-NO8, SW5: and always then; every route of the map, with thousands of hands."""
    hands = [*random_hands(1500, range(12), seed=1), *random_hands(1500, range(8, 40), seed=2)]
    games = games_with(game, hands)
    for name, route in game.routes.items():
        expected = can_pay(np.array(hands), route)
        assert 0 < expected.sum() < len(hands)
        wrong = np.flatnonzero(games.masks[:, claim_of(game, games, name)].astype(np.bool_) != expected)
        assert not wrong.size, f"{name} for {cards_text(dict(zip(CARDS, hands[wrong[0]], strict=True)))}"


# NO7, SW6: tunnels


@in_both
def test_no7_sw6_three_cards_of_the_payments_colour_demand_three_more(game: Game) -> None:
    """NO7, SW6, EU5, C2: payment and turned-up cards lie apart meanwhile; no train is placed yet."""
    for tunnel in game.tunnels.split(", "):
        length, colour = game.routes[tunnel].length, colour_of(game.routes[tunnel])
        table = situation(variant=game.name, hands=[f"{length + 3} {colour}"], deck=f"20 {colour}")
        table.play(f"claim {tunnel}")
        assert (table.phase, table.to_move) == ("tunnel", 0)
        assert (table.revealed, table.laid_out) == (f"3 {colour}", f"{length} {colour}")
        assert (table.deck, table.discard, table.hand(0)) == (f"17 {colour}", "", f"3 {colour}")
        assert (table.routes(0), table.score(0), table.trains(0)) == (set(), 0, 40)
        assert table.legal == {"pay_more 3 cards", "withdraw"}
        table.play("pay_more 3 cards")
        assert (table.routes(0), table.trains(0), table.score(0)) == ({tunnel}, 40 - length, POINTS[length])
        assert (table.discard, table.hand(0), table.to_move) == (f"{length + 6} {colour}", "", 1)


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
@pytest.mark.parametrize(
    ("turned_up", "due"), [("3 yellow", 0), ("2 yellow, 1 locomotive", 1), ("1 red, 2 locomotive", 2)]
)
def test_no7_sw6_after_a_payment_of_locomotives_alone_only_locomotives_are_demanded(
    game: Game, turned_up: str, due: int
) -> None:
    """NO7, SW6, EU5."""
    table = attempt(game, "4 yellow, 5 locomotive", turned_up, "pay 2 locomotive")
    if due:
        assert table.legal == {f"pay_more {due} locomotive", "withdraw"}
        table.play(f"pay_more {due} locomotive")
    assert (table.routes(0), table.hand(0)) == ({game.example}, f"4 yellow, {3 - due} locomotive")


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
