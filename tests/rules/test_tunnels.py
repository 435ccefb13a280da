"""Tunnels (TA10), on the map of Team Asia."""

from collections.abc import Sequence
from typing import Any

import pytest

from t2r_env.variants import GRAY, Route
from tests.helpers.maps import load_map
from tests.helpers.situations import Table, cards_text, count, knowing, put, route_name
from tests.rules.test_team_asia import game, known_on_rack

VARIANT = load_map("team_asia")

TUNNELS = {route_name(route.a, route.b, route.track): route for route in VARIANT.routes if route.tunnel}


def laid_out(table: Table, where: str) -> str:
    """The cards laid out from hand or rack."""
    return cards_text(table.snapshot["set_aside"][where])


def attempt(deck: str, *actions: str, hand: str = "3 yellow", rack: str = "", **more: Any) -> Table:
    """A game with this deck, in which the first seat has claimed Kabul-Kashgar and taken these actions.

    It takes three yellow cards, and four are turned up for it.
    """
    table = game(hands=[hand], racks=[rack], deck=deck, **more)
    table.play("claim kabul-kashgar", *actions)
    return table


def colour_of(route: Route) -> str:
    """A colour that pays for a route: red if it is gray."""
    return "red" if route.colour == GRAY else route.colour


def test_ta10_each_tunnel_turns_up_four_five_or_six_cards() -> None:
    """TA10: here all are of the payment's colour, so as many more are due; they lie apart from the deck."""
    turned_up = dict.fromkeys(["kabul-kashgar", "kabul-rawalpindi", "kabul-sukkur"], 4)
    turned_up |= dict.fromkeys(["junction_east-junction_south", "junction_west-lahore", "junction_west-rawalpindi"], 5)
    turned_up |= dict.fromkeys(["cawnpore-kathmandu", "delhi-kathmandu", "junction_south-lhasa"], 6)
    turned_up |= {"kashgar-rawalpindi": 6}
    assert turned_up.keys() == TUNNELS.keys()
    for tunnel, number in turned_up.items():
        colour, length = colour_of(TUNNELS[tunnel]), TUNNELS[tunnel].length
        table = game(hands=[f"{length} {colour}"], racks=["10 locomotive"], deck=f"20 {colour}")
        table.play(f"claim {tunnel}", f"pay {length} {colour}")
        assert (table.phase, table.to_move, table.revealed) == ("tunnel", 0, f"{number} {colour}")
        assert (table.deck, table.discard) == (f"{20 - number} {colour}", "")
        assert table.snapshot["subject"]["due"] == number
        assert table.legal == {f"pay_more {number} locomotive", "withdraw"}
        table.play(f"pay_more {number} locomotive")
        assert (table.routes(0), table.trains(0), table.to_move) == ({tunnel}, 27 - length, 1)
        assert table.score(0) == VARIANT.points[length]
        assert count(table.discard).sum() == length + 2 * number


def test_ta10_without_a_demand_the_route_is_claimed() -> None:
    """TA10: automatically; the turned-up cards are discarded with the payment. None are for other routes."""
    for route in VARIANT.routes:
        name, colour = route_name(route.a, route.b, route.track), colour_of(route)
        harmless = "green" if colour != "green" else "blue"
        table = game(hands=[f"{route.length} {colour}"], deck=f"20 {harmless}")
        table.play(f"claim {name}")
        assert (table.phase, table.to_move, table.routes(0)) == ("turn", 1, {name})
        assert (table.score(0), table.trains(0), table.hand(0)) == (VARIANT.points[route.length], 27 - route.length, "")
        assert table.deck == f"{20 - route.tunnel} {harmless}"
        assert count(table.discard).tolist() == count(f"{route.length} {colour}, {route.tunnel} {harmless}").tolist()
        assert table.revealed == laid_out(table, "hand") == laid_out(table, "rack") == ""


def test_ta10_the_discard_is_shuffled_when_the_deck_is_used_up() -> None:
    """TA10, C2: two cards come from the deck, then two from the reshuffled discard, without the payment."""
    table = attempt("2 red", discard="9 white", hand="7 yellow")
    assert (table.routes(0), table.snapshot["reshuffled"]) == ({"kabul-kashgar"}, True)
    assert (table.deck, table.discard) == ("7 white", "2 white, 3 yellow, 2 red")
    demanding = attempt("2 red", discard="9 yellow", hand="7 yellow")
    assert (demanding.phase, demanding.revealed) == ("tunnel", "2 yellow, 2 red")
    assert (demanding.deck, demanding.discard) == ("7 yellow", "")
    # the moment it is empty, when its last card is turned up; the turned-up cards are discarded later
    table = attempt("2 yellow, 2 red", discard="5 blue", hand="5 yellow")
    assert (table.phase, table.deck, table.discard, table.revealed) == ("tunnel", "5 blue", "", "2 yellow, 2 red")
    table.play("pay_more 2 cards")
    assert (table.deck, table.discard) == ("5 blue", "7 yellow, 2 red")


def test_ta10_if_no_card_exists_there_is_no_risk() -> None:
    """TA10, C2, C3: the payment then becomes the deck and fills the empty slot."""
    table = attempt("", face_up="blue, -, blue, blue, blue")
    assert (table.routes(0), table.to_move, table.score(0)) == ({"kabul-kashgar"}, 1, 4)
    assert (table.face_up, table.deck, table.discard) == ("blue, yellow, blue, blue, blue", "2 yellow", "")


@pytest.mark.parametrize(
    ("action", "deck", "hand"),
    [("pay_more 1 cards", "5 yellow, 3 red", ""), ("withdraw", "1 yellow, 3 red", "4 yellow")],
)
def test_ta10_all_that_was_spent_or_turned_up_is_discarded_together(action: str, deck: str, hand: str) -> None:
    """TA10, C2: payment, demand and turned-up cards; only then is the deck renewed. What is taken back is not spent."""
    table = attempt("1 yellow, 3 red", hand="4 yellow")
    assert (table.phase, table.deck, table.discard) == ("tunnel", "", "")
    table.play(action)
    assert (table.deck, table.discard, table.hand(0)) == (deck, "", hand)


def test_ta10_exactly_what_is_demanded_is_paid() -> None:
    """TA10, TA6: with cards of the colour and locomotives in any mix, from hand and rack."""
    own: dict[str, Any] = {"hand": "4 yellow, 1 locomotive", "rack": "1 yellow, 1 locomotive"}
    table = attempt("2 yellow, 2 red", "pay 3 yellow", "from_rack nothing", **own)
    assert table.legal == {"pay_more 2 cards", "pay_more 1 cards, 1 locomotive", "pay_more 2 locomotive", "withdraw"}
    table.play("pay_more 1 cards, 1 locomotive")
    assert table.phase == "from_rack"
    subject = {"route": ["kabul", "kashgar", 0], "colour": "yellow", "cards": 1, "locomotives": 1}
    assert table.snapshot["subject"] == subject
    splits = ("nothing", "1 cards", "1 locomotive", "1 cards, 1 locomotive")
    assert table.legal == {f"from_rack {split}" for split in splits}
    table.play("from_rack 1 cards")
    assert (table.routes(0), table.score(0), table.to_move) == ({"kabul-kashgar"}, 4, 1)
    assert (table.hand(0), table.rack(0)) == ("1 yellow", "1 locomotive")
    assert table.deck == "6 yellow, 2 red, 1 locomotive"


@pytest.mark.parametrize("split", ["nothing", "1 cards", "1 locomotive", "2 cards", "2 cards, 1 locomotive"])
def test_ta10_a_player_who_can_pay_may_withdraw(split: str) -> None:
    """TA10 (ruling): each card returns to the hand or rack it came from; the route stays free; the turn ends.

    C2: what is laid out is in no hand, rack or discard meanwhile; no train is placed. Turned-up cards are discarded.
    """
    hand, rack = "3 yellow, 2 locomotive", "2 yellow, 1 locomotive"
    table = attempt("9 yellow", "pay 2 yellow, 1 locomotive", f"from_rack {split}", hand=hand, rack=rack)
    payment = count("2 yellow, 1 locomotive")
    assert (count(laid_out(table, "hand")) + count(laid_out(table, "rack"))).tolist() == payment.tolist()
    assert (count(table.hand(0)) + count(table.rack(0)) + payment).tolist() == count(f"{hand}, {rack}").tolist()
    assert (table.phase, table.discard, table.trains(0)) == ("tunnel", "", 27)
    assert "pay_more 3 cards, 1 locomotive" in table.legal
    table.play("withdraw")
    assert (table.hand(0), table.rack(0)) == (hand, rack)
    assert (table.routes(0), table.score(0), table.trains(0)) == (set(), 0, 27)
    assert (table.phase, table.to_move, table.snapshot["turn"]) == ("turn", 1, 2)
    assert (table.deck, table.discard) == ("5 yellow", "4 yellow")
    assert laid_out(table, "hand") == laid_out(table, "rack") == table.revealed == ""
    assert "claim kabul-kashgar" in table.legal  # with the rack


@pytest.mark.parametrize(
    ("hand", "rack", "actions"),
    [
        ("4 yellow", "", []),
        ("3 yellow, 1 locomotive", "", ["pay 3 yellow"]),
        ("2 yellow, 1 red", "2 yellow", ["from_rack 1 cards"]),
        ("", "4 yellow", []),
        ("3 yellow, 9 red", "1 locomotive", ["pay 2 yellow, 1 locomotive"]),
    ],
)
def test_ta10_a_player_who_cannot_pay_withdraws_automatically(hand: str, rack: str, actions: Sequence[str]) -> None:
    """TA10: one card is missing in hand and rack; the teammate's hand and the opponents' rack do not count."""
    others = "9 yellow, 2 locomotive"
    table = game(hands=[hand, others, others, others], racks=[rack, others], deck="2 yellow, 2 red")
    table.play("claim kabul-kashgar", *actions)
    assert (table.phase, table.to_move, table.routes(0), table.score(0)) == ("turn", 1, set(), 0)
    assert (table.hand(0), table.rack(0)) == (hand, rack)


def test_ta10_all_see_what_is_laid_out_and_turned_up_and_know_what_is_taken_back() -> None:
    """TA10, C20, TA2: whether it comes from hand or rack; the other cards stay hidden."""
    own: dict[str, Any] = {"hand": "6 yellow, 1 locomotive", "rack": "1 yellow, 1 red"}
    table = attempt("4 yellow", "pay 2 yellow, 1 locomotive", "from_rack 1 cards", **own)
    from_hand, from_rack = count("1 yellow, 1 locomotive"), count("1 yellow")
    for seat in range(4):
        assert table.sees("set_aside", seat).tolist() == [from_hand.tolist(), from_rack.tolist()]
        assert table.sees("revealed", seat).tolist() == count("4 yellow").tolist()
    table.play("withdraw")
    for observer in range(4):
        assert (table.known(observer, seat=0), table.known(observer, seat=1)) == ("1 yellow, 1 locomotive", "")
        assert [known_on_rack(table, observer, team) for team in (0, 1)] == ["1 yellow", ""]


@pytest.mark.parametrize(("before", "after"), [("", "3 yellow"), ("2 yellow", "3 yellow"), ("4 yellow", "4 yellow")])
def test_ta10_a_card_known_before_is_not_known_twice(before: str, after: str) -> None:
    """TA10, C20, TA2: of four yellow cards in the hand or on the rack three are laid out and taken back."""
    hand = knowing(before, game(hands=["1 blue, 4 yellow"], deck="60 yellow"))
    rack = knowing(before, game(racks=["1 blue, 4 yellow"], deck="60 yellow"), "rack")
    for table in (hand, rack):
        table.play("claim kabul-kashgar")
        assert (table.to_move, table.routes(0)) == (1, set())
    assert (hand.hand(0), rack.rack(0)) == ("1 blue, 4 yellow",) * 2
    for observer in range(4):
        assert hand.known(observer, seat=0) == known_on_rack(rack, observer, team=0) == after


def test_ta10_a_failed_attempt_is_not_a_pass() -> None:
    """TA10, C13: three have passed, the fourth fails at a tunnel, and the game goes on."""
    table = game(hands=["", "", "", "1 white"], face_up="-, -, -, -, -", deck="", ticket_deck=[])
    table.play("pass", "pass", "pass")
    state = table.games.states[0]
    state.deck[:], state.deck_count = count("1 white"), 1
    put(table.games)
    table.play("claim kabul-rawalpindi")
    assert (table.outcome, table.to_move, table.routes(3)) == ("running", 0, set())
    assert table.sees("passes", 0).tolist() == [0]


def test_ta10_a_failed_attempt_is_a_turn_of_the_last_round() -> None:
    """TA10, TA11: the last one ends the game, and earns nothing."""
    table = attempt("30 locomotive", last_turns_left=2)
    assert (table.outcome, table.snapshot["last_turns_left"], table.routes(0)) == ("running", 1, set())
    last = attempt("30 locomotive", last_turns_left=1)
    assert (last.outcome, last.scores) == ("finished", [0, 0, 0, 0])


def test_ta10_a_claimed_tunnel_may_trigger_the_last_round_and_a_failed_attempt_does_not() -> None:
    """TA10, TA11."""
    assert attempt("20 red", trains=[4, 3, 27, 27]).snapshot["last_turns_left"] == 4
    assert attempt("20 yellow", trains=[4, 3, 27, 27]).snapshot["last_turns_left"] is None
