"""The rules that all map games share (C1-C20), most of them tested by a position on the map of the USA.

What closes a double route (C11) is tested in `test_set_up`, for every map.
For ferries (C14) and groups of cities (C16) the map is changed, since the USA has none.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from t2r_env import Games, configure
from t2r_env.variants import LOCOMOTIVE
from tests.helpers.maps import load_map
from tests.helpers.situations import (
    CARDS,
    Table,
    changed_variant,
    configuration,
    count,
    deal,
    end,
    ended,
    route_name,
    situation,
)
from tests.variants.folders import mark

# C2: deck and discard


@pytest.mark.parametrize(
    ("deck", "discard", "actions", "after", "left"),
    [
        ("1 red", "3 yellow, 2 black", ["draw_deck"], "3 yellow, 2 black", ""),
        ("1 red", "3 yellow, 2 black", ["draw_face_up 0"], "3 yellow, 2 black", ""),
        ("2 red", "3 yellow", ["draw_deck", "draw_deck"], "3 yellow", ""),
        ("1 red", "", ["draw_deck"], "", ""),
        ("3 red", "2 yellow", ["draw_deck", "draw_deck"], "1 red", "2 yellow"),
    ],
)
def test_the_discard_becomes_the_deck_the_moment_it_is_empty(
    deck: str, discard: str, actions: list[str], after: str, left: str
) -> None:
    """C2: not only when the next card is drawn; if there is a discard, and not before."""
    table = situation(deck=deck, discard=discard)
    table.play(*actions)
    assert (table.deck, table.discard) == (after, left)
    assert table.snapshot["reshuffled"] == bool(discard and not left)


def test_the_discard_is_shuffled_when_it_becomes_the_deck() -> None:
    """C2: the same discard gives different decks."""
    drawn = set()
    for seed in range(20):
        table = situation(deck="1 red", discard="1 yellow, 1 black", seed=seed)
        table.play("draw_deck", "draw_deck")
        drawn.add(table.hand(0))
    assert drawn == {"1 yellow, 1 red", "1 black, 1 red"}


@pytest.mark.parametrize(
    ("before", "deck", "after"),
    [
        # discarded card by card, the first card alone would become the deck
        ("red, red, red, red, red", "", ("red, red, red, red, red", "3 blue", "")),
        ("red, red, red, red, red", "1 red", ("red, red, red, red, red", "1 red", "3 blue")),
        # first the deck, then the face-up cards: the lowest empty slots (C3, ruling)
        ("red, -, red, -, red", "", ("red, blue, red, blue, red", "1 blue", "")),
        ("-, red, -, -, -", "", ("blue, red, blue, blue, -", "", "")),
    ],
)
def test_all_that_a_claim_spends_is_discarded_together(before: str, deck: str, after: tuple[str, str, str]) -> None:
    """C2, C3, C9."""
    table = situation(hands=["3 blue"], face_up=before, deck=deck)
    table.play("claim montreal-new_york")
    assert (table.face_up, table.deck, table.discard) == after


# C3: the face-up cards


def test_a_taken_card_is_replaced_from_the_deck_before_the_next_choice() -> None:
    """C3: the replacement may be taken as second card, which is replaced too."""
    table = situation(deck="9 red")
    table.play("draw_face_up 1")
    assert (table.face_up, table.deck) == ("purple, red, orange, white, green", "8 red")
    table.play("draw_face_up 1")
    assert (table.face_up, table.deck) == ("purple, red, orange, white, green", "7 red")
    assert table.hand(0) == "1 blue, 1 red"
    table = situation(deck="")  # with an empty deck the slot stays empty
    table.play("draw_face_up 1")
    assert table.face_up == "purple, -, orange, white, green"


# C4: three face-up locomotives


def test_three_face_up_locomotives_discard_all_five_cards() -> None:
    """C4: before the second card is chosen, which is one of the new face-up cards."""
    table = situation(face_up="locomotive, locomotive, blue, green, white", deck="1 locomotive", discard="20 red")
    table.play("draw_face_up 4")
    assert table.face_up == "red, red, red, red, red"
    assert (table.deck, table.discard) == ("15 red", "1 blue, 1 green, 3 locomotive")
    table.play("draw_face_up 0")
    assert table.hand(0) == "1 white, 1 red"


def test_the_face_up_cards_are_swept_again_and_again() -> None:
    """C4: the first five new cards are locomotives too, and are discarded in turn."""
    face_up = "locomotive, locomotive, blue, blue, blue"
    table = situation(face_up=face_up, deck="6 locomotive", discard="30 red", seed=1)
    table.play("draw_face_up 4")
    assert table.discard == "5 locomotive"
    assert count(table.face_up_cards).sum() == 5
    assert count(table.face_up_cards)[-1] < 3
    assert (count(table.deck) + count(table.face_up_cards)).tolist() == count("2 blue, 30 red, 3 locomotive").tolist()
    assert table.phase == "second_card"


def test_empty_slots_are_filled_before_a_sweep() -> None:
    """C4: a sweep discards the cards that have just filled the slots, too.

    Six blue cards renew the deck, two of them fill the slots, and all five face-up cards are swept. The four cards left
    in the deck and one of the five are turned up. A sweep before the slots are filled would leave three locomotives in
    the discard.
    """
    table = situation(hands=["6 blue"], face_up="locomotive, locomotive, locomotive, -, -", deck="")
    table.play("claim portland-salt_lake_city")
    assert table.discard == ""
    assert count(table.deck).sum() == 4
    assert count(table.deck)[-1] >= 2
    assert table.face_up.startswith("blue, blue, blue, blue")


TWO = "locomotive, locomotive"
THREE = f"{TWO}, locomotive"


@pytest.mark.parametrize(
    ("hand", "face_up", "route", "after"),
    [
        # more than three locomotives, for lack of other cards, are swept like three
        ("5 blue", f"{THREE}, locomotive, white", "atlanta-miami", "5 blue"),
        # just enough cards, and just enough that are no locomotives: swept until one locomotive is left in the deck
        ("3 blue", f"{THREE}, -, -", "montreal-new_york", "3 blue, 2 locomotive"),
        # with three locomotives among each five of ten cards the sweep could never end; with two it ends (ruling)
        ("2 white, 3 locomotive", f"{THREE}, blue, blue", "denver-phoenix", None),
        ("3 white, 2 locomotive", f"{THREE}, blue, blue", "denver-phoenix", "3 white, 2 locomotive"),
    ],
)
def test_a_payment_can_cause_a_sweep(hand: str, face_up: str, route: str, after: str | None) -> None:
    """C4: the cards paid are the deck; those that are not face up after it are the deck again."""
    table = situation(hands=[hand], face_up=face_up, deck="")
    everything = count(hand) + count(table.face_up_cards)
    table.play(f"claim {route}")
    assert table.face_up_cards == (after or "2 blue, 3 locomotive")
    assert (count(table.deck) + count(table.face_up_cards)).tolist() == everything.tolist()
    assert (table.to_move, table.discard) == (1, "")


@pytest.mark.parametrize(
    ("face_up", "deck", "discard", "after"),
    [
        # two locomotives
        ("locomotive, blue, blue, blue, blue", "1 locomotive", "20 red", "locomotive, blue, blue, blue, locomotive"),
        # fewer than three other cards, without those in hands (ruling)
        (f"{TWO}, blue, blue, blue", "8 locomotive", "", f"{TWO}, blue, blue, locomotive"),
        # fewer than five cards (ruling)
        (f"{THREE}, blue, blue", "", "", f"{THREE}, -, -"),
    ],
)
def test_locomotives_stay_when_they_are_too_few_or_too_few_cards_could_replace_them(
    face_up: str, deck: str, discard: str, after: str
) -> None:
    """C4: with too few other cards the sweep could never end."""
    table = situation(hands=["5 red", "5 red"], face_up=face_up, deck=deck, discard=discard)
    table.play("draw_face_up 4")
    assert (table.face_up, table.discard) == (after, "")


@pytest.mark.parametrize("locomotives", [6, 8])
def test_a_deck_of_five_beside_a_discard_never_changes_places_with_the_face_up_cards_for_ever(locomotives: int) -> None:
    """C4 (ruling): the discard is reshuffled with the cards swept and counts among the others, so the sweeps end."""
    face_up = "locomotive, locomotive, blue, blue, blue"
    table = situation(face_up=face_up, deck=f"{locomotives} locomotive", discard="1 red", seed=3)
    table.play("draw_face_up 4")
    assert table.face_up_cards == "2 blue, 1 red, 2 locomotive"
    assert (count(table.deck) + count(table.discard))[-1] == locomotives


@pytest.mark.parametrize("hand", ["3 white, 3 locomotive", "2 white, 4 locomotive"])
def test_a_deck_of_six_never_changes_places_with_the_face_up_cards_for_ever(hand: str) -> None:
    """C4 (ruling): after the first sweep a card is left in the deck, so the sweeps end."""
    face_up = f"{THREE}, blue, blue"
    table = situation(hands=[hand], face_up=face_up, deck="")
    table.play("claim calgary-winnipeg")
    assert count(table.face_up_cards).sum() == 5
    assert count(table.face_up_cards)[-1] < 3


# C5: set-up


def test_games_of_different_seeds_are_shuffled_differently() -> None:
    """C5: cards and tickets."""
    tables = [deal(seed=seed) for seed in range(10)]
    assert len({(table.face_up, table.hand(0), table.hand(1)) for table in tables}) == 10
    assert len({tuple(table.ticket_deck) for table in tables}) == 10


def test_three_face_up_locomotives_are_swept_in_the_set_up() -> None:
    """C5, C4: it happens in a few of 400 deals."""
    states = Games(configuration("usa", 2), batch=400, seed=0).states
    swept = states["discard"].any(axis=1)
    assert 0 < swept.sum() < 40
    assert np.all(states["discard"][swept].sum(axis=1) % 5 == 0)
    assert np.all(states["discard"][swept, -1] >= 3)
    assert np.all((states["face_up"] == CARDS.index(LOCOMOTIVE)).sum(axis=1) < 3)


# C6: the starting choice is simultaneous


def test_starting_tickets_are_held_only_when_all_have_chosen() -> None:
    """C6 (ruling): until then every count stays as it was."""
    table = deal(3)
    below = table.ticket_deck
    table.play("refuse_ticket", "keep_ticket", "keep_ticket", "keep_ticket", "keep_ticket")
    assert [table.tickets(seat) for seat in range(3)] == [set(), set(), set()]
    for seat in range(3):
        assert table.sees("ticket_count", seat).tolist() == [0, 0, 0]
        assert table.sees("ticket_deck_count", seat).tolist() == [len(below)]
    assert table.ticket_deck == below
    table.play("refuse_ticket")
    assert [len(table.tickets(seat)) for seat in range(3)] == [2, 3, 2]
    assert len(table.ticket_deck) == len(below) + 2


def test_each_player_alone_sees_which_starting_tickets_he_has_decided_to_keep() -> None:
    """C6 (ruling), C20."""
    table = deal(2)
    first, _, third = table.offered(0)
    table.play("keep_ticket", "refuse_ticket")  # the last one must be kept
    assert table.to_move == 1
    tickets = configuration("usa", 2).deck.tickets
    kept = np.flatnonzero(table.sees("kept", 0))
    assert {route_name(tickets[number].a, tickets[number].b) for number in kept} == {first, third}
    assert not table.sees("kept", 1).any()


# C7: who begins


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_seat_0_plays_first_and_play_goes_round_as_all_can_see(players: int) -> None:
    """C7 (ruling), C20: they see who takes the next turn, which at the start is seat 0."""
    table = deal(players)
    assert table.next_turn_seen == [0] * players
    table.play_all("keep_ticket")
    for turn in range(2 * players + 1):
        assert (table.phase, table.to_move, table.snapshot["turn"]) == ("turn", turn % players, turn + 1)
        assert table.next_turn_seen == [(turn + 1) % players] * players
        table.play("draw_deck", "draw_deck")


# C8: drawing train cards


COLOURED = "purple, blue, orange, white, green"


@pytest.mark.parametrize(
    ("face_up", "deck", "actions", "hand"),
    [
        # two cards, each face up or blind
        (COLOURED, "9 red", ["draw_face_up 0", "draw_face_up 1"], "1 purple, 1 blue"),
        (COLOURED, "9 red", ["draw_face_up 3", "draw_deck"], "1 white, 1 red"),
        (COLOURED, "9 red", ["draw_deck", "draw_face_up 4"], "1 green, 1 red"),
        (COLOURED, "9 red", ["draw_deck", "draw_deck"], "2 red"),
        # a locomotive drawn blind counts as one card, a face-up one is the only card
        (COLOURED, "9 locomotive", ["draw_deck", "draw_deck"], "2 locomotive"),
        ("blue, locomotive, blue, blue, blue", "9 red", ["draw_face_up 1"], "1 locomotive"),
        # one card, if no card is left or only face-up locomotives (ruling)
        ("blue, -, -, -, -", "", ["draw_face_up 0"], "1 blue"),
        ("blue, locomotive, locomotive, -, -", "", ["draw_face_up 0"], "1 blue"),
        ("locomotive, locomotive, -, -, -", "1 blue", ["draw_deck"], "1 blue"),
        # the only second card that may be taken is taken automatically, face up or blind
        ("blue, red, locomotive, -, -", "", ["draw_face_up 0"], "1 blue, 1 red"),
        (f"blue{', locomotive' * 4}", "3 locomotive", ["draw_face_up 0"], "1 blue, 1 locomotive"),
    ],
)
def test_two_cards_are_drawn_or_one_if_it_is_a_face_up_locomotive_or_the_only_one(
    face_up: str, deck: str, actions: list[str], hand: str
) -> None:
    """C8."""
    table = situation(face_up=face_up, deck=deck)
    for action, phase in zip(actions, ("turn", "second_card"), strict=False):
        assert (table.phase, table.to_move) == (phase, 0)
        table.play(action)
    assert (table.hand(0), table.phase, table.to_move) == (hand, "turn", 1)


@pytest.mark.parametrize(
    ("first", "deck"), [("draw_face_up 0", "9 red"), ("draw_deck", "9 red"), ("draw_face_up 0", "9 locomotive")]
)
def test_a_face_up_locomotive_is_never_the_second_card(first: str, deck: str) -> None:
    """C8: nor one that has replaced the first card. It can't be declined: only draws are legal."""
    table = situation(face_up="blue, locomotive, blue, blue, blue", deck=deck)
    table.play(first)
    taken = {"draw_face_up 0"} if deck == "9 locomotive" else set()
    assert table.legal == {"draw_face_up 0", "draw_face_up 2", "draw_face_up 3", "draw_face_up 4", "draw_deck"} - taken


def test_a_hand_has_no_limit() -> None:
    """C8: all but the last cards of the variant lie in one hand."""
    everything = "12 purple, 12 blue, 12 orange, 12 white, 12 green, 12 yellow, 11 black, 11 red, 9 locomotive"
    table = situation(hands=[everything], face_up="black, red, locomotive, locomotive, -", deck="3 locomotive")
    table.play("draw_deck", "draw_deck")
    assert count(table.hand(0)).sum() == count(everything).sum() + 2


# C9: claiming a route


@pytest.mark.parametrize("hand", ["3 blue", "1 blue, 2 locomotive", "3 locomotive"])
def test_montreal_new_york_takes_three_blue_cards(hand: str) -> None:
    """C9: the rulebook's first example; locomotives stand in for any of them. The turn then ends (C8)."""
    table = situation(hands=[hand])
    assert "montreal-new_york" in table.claims
    table.play("claim montreal-new_york")
    assert table.routes(0) == {"montreal-new_york"}
    assert (table.hand(0), table.discard) == ("", hand)
    assert (table.trains(0), table.trains(1)) == (42, 45)
    assert (table.phase, table.to_move, table.snapshot["turn"]) == ("turn", 1, 2)
    for other in ("", "2 blue", "2 blue, 9 red", "3 red", "2 locomotive"):
        assert "montreal-new_york" not in situation(hands=[other]).claims


def test_montreal_toronto_takes_three_cards_of_any_one_colour() -> None:
    """C9: the rulebook's second example, a gray route."""
    for colour in CARDS[:-1]:
        table = situation(hands=[f"3 {colour}"])
        table.play("claim montreal-toronto")
        assert (table.routes(0), table.discard) == ({"montreal-toronto"}, f"3 {colour}")
    assert "montreal-toronto" not in situation(hands=["2 blue, 2 red, 2 green"]).claims


@pytest.mark.parametrize(
    ("hand", "route", "payments"),
    [
        ("4 blue, 5 red, 3 locomotive", "new_york", "3 blue; 2 blue, 1 locomotive; 1 blue, 2 locomotive; 3 locomotive"),
        (
            "3 blue, 1 green, 1 red, 2 locomotive",
            "toronto",
            "3 blue; 2 blue, 1 locomotive; 1 blue, 2 locomotive; 1 green, 2 locomotive; 1 red, 2 locomotive",
        ),
    ],
)
def test_the_player_chooses_among_all_payments(hand: str, route: str, payments: str) -> None:
    """C9: the number of locomotives; for a gray route the colour, too. Other colours don't pay a coloured one."""
    table = situation(hands=[hand])
    table.play(f"claim montreal-{route}")
    assert table.legal == {f"pay {payment}" for payment in payments.split("; ")}
    table.play("pay 1 blue, 2 locomotive")
    assert table.discard == "1 blue, 2 locomotive"
    assert (count(table.hand(0)) + count(table.discard)).tolist() == count(hand).tolist()


def test_a_player_needs_a_train_for_each_space() -> None:
    """C9."""
    assert "calgary-winnipeg" in situation(hands=["6 white"], trains=[6]).claims
    assert "calgary-winnipeg" not in situation(hands=["6 white"], trains=[5]).claims


# C10: points for routes


@pytest.mark.parametrize(
    ("variant", "route", "hand", "points"),
    [
        ("usa", "atlanta-nashville", "1 red", 1),
        ("usa", "boston-montreal", "2 red", 2),
        ("usa", "montreal-new_york", "3 blue", 4),
        ("new_york", "chelsea-soho", "4 purple", 7),
        ("usa", "atlanta-miami", "5 blue", 10),
        ("usa", "calgary-winnipeg", "6 white", 15),
        ("pennsylvania", "baltimore-cumberland", "6 blue, 1 locomotive", 18),
        ("europe", "petrograd-stockholm", "8 red", 21),
        ("india", "calcutta-madras", "6 red, 2 locomotive", 21),
        ("nordic", "lieksa-murmansk", "9 red", 27),
    ],
)
def test_points_for_a_route_count_at_once(variant: str, route: str, hand: str, points: int) -> None:
    """C10, NY4, PA7, EU1, IN1, NO1: by its length; nobody else's points change."""
    table = situation(hands=["", hand], points=[15], to_move=1, reward="score", variant=variant, deck="")
    table.play(f"claim {route}")
    assert (table.score(0), table.score(1)) == (15, points)
    assert table.games.rewards.tolist() == [[0, points]]
    assert table.trains(1) == load_map(variant).trains - count(hand).sum()


# C12: drawing tickets


@pytest.mark.parametrize("left", [0, 1, 2])
def test_fewer_tickets_are_drawn_when_fewer_are_left(left: int) -> None:
    """C12: one of two may be refused; a single one is kept automatically; none can be drawn if none are left."""
    deck = ["denver-el_paso", "boston-miami"][:left]
    table = situation(ticket_deck=deck)
    assert ("draw_tickets" in table.legal) is bool(left)
    if left:
        table.play("draw_tickets")
        if left == 2:
            assert table.offered(0) == deck
            table.play("refuse_ticket")
        assert table.tickets(0) == {deck[-1]}
        assert table.ticket_deck == deck[:-1]
        assert (table.phase, table.to_move) == ("turn", 1)


def test_all_are_kept_when_fewer_are_drawn_than_must_be_kept(tmp_path: Path) -> None:
    """C12: with a ticket deck of which two must be kept, and one or two left."""
    old = "later = { offered = 3, keep = 1 }"
    strict = changed_variant(tmp_path, {"variant.toml": (old, "later = { offered = 3, keep = 2 }")})
    table = situation(variant=strict, ticket_deck=["denver-el_paso"])
    table.play("draw_tickets")
    assert table.tickets(0) == {"denver-el_paso"}
    table = situation(variant=strict, ticket_deck=["denver-el_paso", "boston-miami"])
    table.play("draw_tickets")
    assert table.tickets(0) == {"denver-el_paso", "boston-miami"}


def test_any_number_of_tickets_may_be_held() -> None:
    """C12: one player takes the whole ticket deck."""
    table = deal(2)
    table.play_all("keep_ticket")
    while table.ticket_deck:
        table.play("draw_tickets")
        table.play_all("keep_ticket")
        table.play("draw_deck", "draw_deck")
    assert len(table.tickets(0)) == 69 - 3


# C13: passing


def stuck(players: int = 2, face_up: str = "-, -, -, -, -", ticket_deck: tuple[str, ...] = (), **more: Any) -> Table:
    """A position in which no train card can be drawn; routes may still be claimed."""
    return situation(players, face_up=face_up, deck="", ticket_deck=ticket_deck, **more)


@pytest.mark.parametrize(
    ("there", "actions"),
    [
        ({}, {"pass"}),
        # cards that pay a free route for which he lacks the trains
        ({"hands": ["5 red"], "trains": [0]}, {"pass"}),
        ({"face_up": "-, -, -, locomotive, -"}, {"draw_face_up 3"}),
        ({"ticket_deck": ("denver-el_paso",)}, {"draw_tickets"}),
        ({"hands": ["2 yellow"], "trains": [2], "routes": [[], ["dallas-houston"]]}, None),
    ],
)
def test_a_player_passes_who_can_do_nothing_and_no_other(there: dict[str, Any], actions: set[str] | None) -> None:
    """C13 (ruling): the turn is then over."""
    table = stuck(**there)
    assert table.legal == (actions or {f"claim {name}" for name in table.claims})
    table.play(min(table.legal))
    assert (table.to_move, table.outcome) == (1, "running")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_game_ends_and_is_scored_when_all_have_passed_in_succession(players: int) -> None:
    """C13 (ruling): at once, without a last round."""
    table = stuck(players, holds=[["denver-el_paso"]], to_move=1)
    for _ in range(players):
        assert table.outcome == "running"
        table.play("pass")
    assert (table.phase, table.outcome) == ("ended", "finished")
    assert bool(table.games.terminated[0])
    assert table.scores == [-4] + [0] * (players - 1)


def test_passes_that_are_not_in_succession_do_not_end_the_game() -> None:
    """C13 (ruling): three passes in a game of three, but with a claim and a draw between them."""
    table = stuck(3, hands=["", "1 red", ""])
    table.play("pass", "claim atlanta-nashville")  # the card spent becomes the deck and fills a slot
    assert (table.face_up, table.deck) == ("red, -, -, -, -", "")
    table.play("draw_face_up 0")
    assert table.to_move == 0
    table.play("pass", "pass")
    assert (table.to_move, table.outcome) == (2, "running")
    assert "claim dallas-houston" in table.legal


# C14: ferries


@pytest.mark.parametrize("symbols", [1, 2, 4, 5])
def test_a_ferry_takes_a_locomotive_for_each_symbol(symbols: int, tmp_path: Path) -> None:
    """C14, C9: a white route of six; the other spaces are paid as usual, or with more locomotives."""
    mark(changed_variant(tmp_path, {}) / "routes.csv", "ferry", {"calgary,winnipeg,0": symbols}, 0)
    others = 6 - symbols
    too_few = (f"9 white, {symbols - 1} locomotive", f"{others - 1} white, {symbols} locomotive")
    for too_little in (*too_few, f"{others} red, {symbols} locomotive"):
        assert "calgary-winnipeg" not in situation(variant=tmp_path, hands=[too_little]).claims
    table = situation(variant=tmp_path, hands=["5 white, 6 red, 7 locomotive"])
    table.play("claim calgary-winnipeg")
    payments = {f"pay {6 - number} white, {number} locomotive" for number in range(symbols, 6)}
    assert table.legal == payments | {"pay 6 locomotive"}
    table.play("pay 1 white, 5 locomotive")
    assert (table.hand(0), table.discard) == ("4 white, 6 red, 2 locomotive", "1 white, 5 locomotive")


# C15: the last round


@pytest.mark.parametrize(("left", "last_turns_left"), [(0, 3), (1, 3), (2, 3), (3, None)])
def test_two_trains_or_fewer_trigger_one_more_turn_for_each_seat(left: int, last_turns_left: int | None) -> None:
    """C15: starting with the next seat, ending with his. Three do not."""
    table = situation(3, hands=["", "3 blue"], trains=[45, 3 + left], to_move=1)
    table.play("claim montreal-new_york")
    assert (table.trains(1), table.snapshot["last_turns_left"]) == (left, last_turns_left)
    if last_turns_left is None:
        return
    seats = []
    while table.phase != "ended":
        if table.phase == "turn":
            seats.append(table.to_move)
            assert table.snapshot["last_turns_left"] == 4 - len(seats)
        table.play("draw_deck")
    assert seats == [2, 0, 1]
    assert (table.outcome, bool(table.games.terminated[0])) == ("finished", True)


def test_a_later_fall_changes_nothing() -> None:
    """C15: in the last round other seats fall to two trains or fewer."""
    table = situation(3, hands=["2 green", "3 blue", "3 red"], trains=[3, 5, 5], to_move=1)
    table.play("claim montreal-new_york", "claim chicago-duluth")
    assert table.trains(2) == 2
    table.play("claim new_york-pittsburgh 1")
    assert (table.trains(0), table.to_move) == (1, 1)
    table.play("draw_deck", "draw_deck")
    assert table.outcome == "finished"


def test_a_last_turn_is_a_turn_like_any_other() -> None:
    """C15: the seat that triggered the last round may claim in its own last turn."""
    table = situation(2, hands=["1 red, 3 blue"], trains=[4])
    table.play("claim montreal-new_york", "draw_deck", "draw_deck")
    assert "draw_tickets" in table.legal
    table.play("claim atlanta-nashville")
    assert table.trains(0) == 0
    assert (table.outcome, table.final(0)["breakdown"]["routes"]) == ("finished", 5)


# C16: tickets


def test_a_ticket_adds_its_value_if_its_cities_are_joined_and_else_it_is_subtracted() -> None:
    """C16: directly or through other cities. Both may be reached, but not joined to each other."""
    routes = [["boston-montreal", "montreal-toronto", "pittsburgh-toronto", "pittsburgh-washington"]]
    table = ended(routes=routes, holds=[["boston-washington"]])
    assert table.final(0)["completed"] == [["boston", "washington", 4]]
    assert table.final(0)["breakdown"] == {"routes": 2 + 4 + 2 + 2, "tickets": 4, "longest_path": 10}
    assert table.scores == [24, 0]
    routes = [["boston-montreal", "pittsburgh-washington"]]
    table = ended(routes=routes, holds=[["boston-washington", "duluth-el_paso"]])
    assert table.final(0)["failed"] == [["boston", "washington", 4], ["duluth", "el_paso", 10]]
    assert table.final(0)["breakdown"] == {"routes": 4, "tickets": -14, "longest_path": 10}
    assert table.scores == [0, 0]


GROUPS = dict.fromkeys(("dallas", "houston", "el_paso"), "texas") | dict.fromkeys(("denver", "helena"), "rockies")


@pytest.mark.parametrize(
    ("ticket", "routes", "points"),
    [
        ("denver-texas", "denver-santa_fe, el_paso-santa_fe", 4),
        ("denver-texas", "denver-oklahoma_city, dallas-oklahoma_city", 4),
        ("denver-texas", "denver-santa_fe, dallas-houston", -4),
        # the cities of a group are not joined to each other
        ("houston-kansas_city", "el_paso-oklahoma_city, kansas_city-oklahoma_city", -5),
        # a group joins no routes that end at its cities
        ("denver-atlanta", "denver-santa_fe, el_paso-santa_fe, houston-new_orleans, atlanta-new_orleans", -4),
        # both ends may be groups
        ("rockies-texas", "denver-santa_fe, el_paso-santa_fe", 4),
        ("rockies-texas", "denver-helena, denver-oklahoma_city, dallas-oklahoma_city", 4),
        ("rockies-texas", "helena-omaha, kansas_city-omaha, kansas_city-oklahoma_city, dallas-oklahoma_city", 4),
        ("rockies-texas", "denver-helena, dallas-houston", -4),
        ("rockies-texas", "helena-omaha, kansas_city-omaha, denver-santa_fe, dallas-houston", -4),
    ],
)
def test_a_ticket_that_names_a_group_is_met_by_any_of_its_cities(
    tmp_path: Path, ticket: str, routes: str, points: int
) -> None:
    """C16."""
    named = "denver-texas" if ticket == "houston-kansas_city" else ticket
    changed_variant(tmp_path, {"tickets.csv": ("mega,denver,el_paso,4", f"mega,{named.replace('-', ',')},4")})
    mark(tmp_path / "cities.csv", "region", GROUPS)
    assert ended(variant=tmp_path, holds=[[ticket]], routes=[routes.split(", ")]).parts("tickets") == [points, 0]


# C17: the longest path


TWELVE, ALSO_TWELVE = ["calgary-winnipeg", "sault_st_marie-winnipeg"], ["el_paso-houston", "el_paso-los_angeles"]
"""Two paths of 12 spaces."""


@pytest.mark.parametrize(
    ("routes", "winners"),
    [
        # spaces are counted: two routes of six are longer than four of one and two
        ([TWELVE, ["portland-seattle", "atlanta-nashville", "nashville-saint_louis", "dallas-houston"]], [True, False]),
        # all who share the maximum get the bonus
        ([TWELVE, ALSO_TWELVE, ["duluth-helena"]], [True, True, False]),
        # but a maximum of zero earns nothing (ruling)
        ([[], []], [False, False]),
    ],
)
def test_all_who_share_the_longest_path_get_its_bonus(routes: list[list[str]], winners: list[bool]) -> None:
    """C17, US4. That it is the longest trail is tested in `test_trails`, with thousands of networks."""
    assert ended(len(routes), routes=routes).parts("longest_path") == [10 * wins for wins in winners]


# C18: ranks


def ranked(**more: Any) -> Table:
    """An ended game without bonuses, with given points for routes."""
    return ended(max(2, len(more["points"])), tickets="big_cities", **more)


NEW_YORK = ["chicago-pittsburgh", "new_york-pittsburgh"]
"""It completes a ticket of 5 points."""


@pytest.mark.parametrize(
    ("points", "routes", "holds", "scores", "ranks"),
    [
        # before tickets and paths
        ([11, 12, 10], [TWELVE], [], [11, 12, 10], [2, 1, 3]),
        # completed tickets before the longer path
        ([10, 15], [NEW_YORK, TWELVE], [["chicago-new_york"]], [15, 15], [1, 2]),
        # counted, not weighed; failed ones do not count: one of 5 and a path of 7, one of 7 and a path of 5
        (
            [10, 13],
            [NEW_YORK, ["montreal-toronto", "chicago-toronto"]],
            [["chicago-new_york"], ["chicago-montreal", "houston-kansas_city"]],
            [15, 15],
            [2, 1],
        ),
        # then the longer path (US4)
        ([15, 15], [["duluth-helena"], TWELVE], [], [15, 15], [2, 1]),
        # two share the first rank, the next is third
        ([15, 15, 15], [TWELVE, ALSO_TWELVE, ["duluth-helena"]], [], [15, 15, 15], [1, 1, 3]),
        # the same criteria for all lower ranks (ruling)
        (
            [5, 10, 30, 10, 10],
            [NEW_YORK, ["duluth-helena"], [], ["miami-new_orleans"], TWELVE],
            [["chicago-new_york"]],
            [10, 10, 30, 10, 10],
            [2, 4, 1, 4, 3],
        ),
    ],
)
def test_most_points_win_then_more_completed_tickets_then_the_longer_path(
    points: list[int], routes: list[list[str]], holds: list[list[str]], scores: list[int], ranks: list[int]
) -> None:
    """C18."""
    table = ranked(points=points, routes=routes, holds=holds)
    assert (table.scores, table.ranks) == (scores, ranks)


@pytest.mark.parametrize(
    ("reward", "expected"), [("rank", [0.5, 0.5, -1]), ("win", [0.5, 0.5, 0]), ("score", [0, 0, 0])]
)
def test_players_who_share_a_rank_share_its_reward(reward: str, expected: list[float]) -> None:
    """C18."""
    table = ranked(points=[15, 15, 14], reward=reward)
    assert table.ranks == [1, 1, 3]
    assert table.games.rewards.tolist() == [expected]


# C19: the turn limit


@pytest.mark.parametrize("reward", ["rank", "win", "score", "margin"])
def test_a_game_that_reaches_the_turn_limit_is_truncated_and_not_scored(reward: str) -> None:
    """C19 (ruling): the turns of all seats count together; points for routes stay as they are."""
    table = situation(3, routes=[TWELVE], holds=[["denver-el_paso"]], turn_limit=7, reward=reward)
    for turn in range(1, 8):
        assert (table.snapshot["turn"], table.outcome) == (turn, "running")
        table.play("draw_deck", "draw_deck")
    assert (table.phase, table.outcome) == ("ended", "truncated")
    assert (bool(table.games.terminated[0]), bool(table.games.truncated[0])) == (False, True)
    assert table.games.rewards.tolist() == [[0, 0, 0]]
    assert table.snapshot["final"] is None
    assert table.games.results.ranks.tolist() == table.games.results.scores.tolist() == [[0, 0, 0]]
    assert [table.score(seat) for seat in range(3)] == [30, 0, 0]
    assert not table.games.masks.any()


def test_the_starting_choice_is_not_a_turn() -> None:
    """C19: a limit of one turn leaves one turn."""
    table = deal(turn_limit=1)
    table.play_all("keep_ticket")
    assert (table.phase, table.to_move) == ("turn", 0)
    table.play("draw_deck", "draw_deck")
    assert table.outcome == "truncated"


def test_a_game_that_ends_in_the_turn_of_the_limit_has_ended() -> None:
    """C19, C15, C13: it is scored and not truncated."""
    table = end(situation(turn_limit=9, turn=9, last_turns_left=1, routes=[TWELVE]))
    assert (bool(table.games.terminated[0]), bool(table.games.truncated[0])) == (True, False)
    assert table.games.rewards.tolist() == [[1, -1]]
    table = stuck(turn_limit=9, turn=8)
    table.play("pass", "pass")
    assert (table.outcome, table.ranks) == ("finished", [1, 1])


def test_the_turn_limit_is_a_thousand_turns_by_default() -> None:
    """C19."""
    assert configure("usa").options["turn_limit"] == 1000
    table = situation(turn=999)
    table.play("draw_deck", "draw_deck", "draw_deck")
    assert table.outcome == "running"
    table.play("draw_deck")
    assert table.outcome == "truncated"


# C20: what a player can know


def test_cards_taken_face_up_are_known_to_be_in_the_hand() -> None:
    """C20: locomotives too."""
    table = situation(face_up="blue, locomotive, red, green, white", deck="9 yellow")
    table.play("draw_face_up 0", "draw_face_up 2")
    table.play("draw_face_up 1")
    assert [table.known(observer, seat=0) for observer in (0, 1)] == ["1 blue, 1 red"] * 2
    assert [table.known(observer, seat=1) for observer in (0, 1)] == ["1 locomotive"] * 2


def test_blind_draws_and_starting_hands_are_not_known() -> None:
    """C20."""
    table = deal(2)
    table.play_all("keep_ticket")
    table.play("draw_deck", "draw_deck")
    assert (table.known(1, seat=0), table.known(0, seat=1)) == ("", "")
    assert table.sees("hand_count", 1).tolist() == [4, 6]


def test_spending_takes_from_the_known_cards_first() -> None:
    """C20: of five blue cards two are known; three are spent."""
    table = situation(hands=["3 blue"], face_up="blue, blue, red, red, red", deck="9 yellow")
    table.play("draw_face_up 0", "draw_face_up 1")
    assert table.known(1, seat=0) == "2 blue"
    table.play("draw_deck", "draw_deck", "claim montreal-new_york")
    assert (table.hand(0), table.known(1, seat=0)) == ("2 blue", "")


def test_a_reshuffle_reveals_nothing_about_hands() -> None:
    """C20 (ruling): that all other cards lie in the one hidden hand is not deduced."""
    table = situation(hands=["1 green", ""], face_up="-, -, -, -, -", deck="1 red")
    table.play("draw_deck")
    assert table.known(1, seat=0) == ""
