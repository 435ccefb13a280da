"""The rules of the Card Game (CG0-CG14; C6-C8, C19 and C20 as they hold there)."""

import itertools
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from t2r_env import Games
from t2r_env.variants import COLOURS, LOCOMOTIVE, CardVariant, load_variant
from tests.helpers.card_referee import cards_in_play, final
from tests.helpers.card_situations import NO_FACE_UP, CardTable, deal, scoring, situation
from tests.helpers.example_map import write_example_card_game
from tests.helpers.situations import CARDS, cards_text, configuration, count, route_name

TICKETS = {route_name(it.a, it.b): it for it in configuration("card_game", 2).deck.tickets}

BONUSES = {"new_york": 15, "los_angeles": 12, "chicago": 12, "dallas": 10, "seattle": 8, "miami": 8}
"""CG13."""

VARIANT = Counter(dict.fromkeys(COLOURS, 10) | {LOCOMOTIVE: 16})
"""CG1."""


def hand_counts(table: CardTable) -> list[int]:
    """How many cards each hand has."""
    return [int(count(table.hand(seat)).sum()) for seat in range(table.games.num_players)]


def wait(table: CardTable) -> None:
    """A turn in which only phase 1 changes anything: tickets are drawn and refused."""
    table.play("draw_tickets")
    table.play_all("refuse_ticket")


def test_cg0_there_is_nothing_that_only_map_games_know() -> None:
    """CG0: no routes, trains and so on, neither in the game nor in what a player observes, and no claim (C9)."""
    table = deal()
    actions = "draw_face_up draw_deck draw_tickets play_set set_cards set_locomotives play_three keep_ticket"
    assert {*table.games.layout.actions} == {*actions.split(), "refuse_ticket", "complete", "pass", "stop"}
    assert not table.snapshot.get("routes")
    assert table.snapshot.keys().isdisjoint({"teams", "companies", "neutral_shares", "revealed_shares", "technologies"})
    for player in table.snapshot["players"]:
        assert player.keys() == {"hand", "score", "tickets", "offered", "yard", "on_track", "completed"}
    observed = set(table.games.layout.observation)
    assert observed.isdisjoint({"trains", "claimed", "passes", "subject_route", "rack", "shares", "technologies"})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_cg1_cg2_the_set_up(players: int) -> None:
    """CG1, CG2: of 96 cards a locomotive, dealt openly (C20), and 7 more each; 5 face up; of 46 tickets 6 to each."""
    table = deal(players)
    assert cards_in_play(table.snapshot) == VARIANT
    assert (count(table.face_up_cards).sum(), count(table.deck).sum()) == (5, 96 - 8 * players - 5)
    offered = [table.offered(seat) for seat in range(players)]
    assert [len(tickets) for tickets in offered] == [6] * players
    assert sorted([*table.ticket_deck, *itertools.chain(*offered)]) == sorted(TICKETS)
    assert (len(TICKETS), hand_counts(table)) == (46, [8] * players)
    for observer, seat in itertools.product(range(players), repeat=2):
        assert table.known(observer, seat) == "1 locomotive"
        assert count(table.hand(seat))[-1] >= 1


def test_cg2_three_locomotives_among_the_first_face_up_cards_stay() -> None:
    """CG2, CG6."""
    states = Games(configuration("card_game", 2), batch=300, seed=1).states
    assert np.any((states["face_up"] == CARDS.index(LOCOMOTIVE)).sum(axis=1) >= 3)
    assert not states["discard"].any()


def test_cg2_at_least_one_ticket_is_kept() -> None:
    """CG2: after five refusals the sixth is kept automatically."""
    table = deal()
    (*_, last) = table.offered(0)
    table.play(*["refuse_ticket"] * 5)
    assert table.to_move == 1
    table.play_all("keep_ticket")
    assert (table.tickets(0), len(table.tickets(1))) == ({last}, 6)


def test_cg2_refused_starting_tickets_are_shuffled_back_into_the_ticket_deck() -> None:
    """CG2: together with those in it; they may end up anywhere in it."""
    tops, bottoms = 0, 0
    for seed in range(20):
        table = deal(seed=seed)
        before = table.ticket_deck
        refused = {*table.offered(0)[1:], *table.offered(1)[1:]}
        for _ in range(2):
            table.play("keep_ticket", *["refuse_ticket"] * 5)
        assert sorted(table.ticket_deck) == sorted([*before, *refused])
        assert [ticket for ticket in table.ticket_deck if ticket not in refused] != before
        tops += table.ticket_deck[0] in refused
        bottoms += table.ticket_deck[-1] in refused
    assert 0 < tops < 20
    assert 0 < bottoms < 20


def test_cg2_a_variant_whose_cards_are_all_dealt_begins_with_the_last_turns(tmp_path: Path) -> None:
    """CG2, CG9: of 30 cards 27 are in hands and 3 face up, so the deck is empty from the beginning."""
    folder = write_example_card_game(tmp_path)
    variant = folder / "variant.toml"
    text = variant.read_text(encoding="utf-8")
    variant.write_text(text.replace("starting_hand = 3", "starting_hand = 9"), encoding="utf-8")
    table = deal(3, variant=folder)
    table.play_all("keep_ticket")
    assert (hand_counts(table), count(table.face_up_cards).sum(), table.deck) == ([9, 9, 9], 3, "")
    assert (table.to_move, table.snapshot["last_turns_left"]) == (0, 3)


def test_cg4_a_card_of_each_of_the_players_own_rows_moves_to_his_pile() -> None:
    """CG4, CG3: as his turn begins, automatically; nobody else's rows move."""
    yards = [{"blue": "2 blue"}, {"green": "3 green", "red": "1 red, 1 locomotive", "black": "2 black"}]
    table = situation(3, yards=yards)
    wait(table)
    assert (table.phase, table.to_move) == ("turn", 1)
    assert table.yard(1) == {"green": "2 green", "red": "1 locomotive", "black": "1 black"}
    assert table.on_track(1) == "1 green, 1 black, 1 red"
    assert table.yard(0) == {"blue": "2 blue"}
    assert (table.on_track(0), table.on_track(2)) == ("", "")


def test_cg4_coloured_cards_move_before_locomotives() -> None:
    """CG4 (ruling)."""
    table = situation(yards=[{}, {"blue": "2 blue, 2 locomotive"}])
    piles = ["1 blue", "2 blue", "2 blue, 1 locomotive", "2 blue, 2 locomotive"]
    rows = [{"blue": "1 blue, 2 locomotive"}, {"blue": "2 locomotive"}, {"blue": "1 locomotive"}, {}]
    for pile, row in zip([*piles, piles[-1]], [*rows, {}], strict=True):
        wait(table)
        assert (table.on_track(1), table.yard(1)) == (pile, row)
        wait(table)
        assert (table.on_track(1), table.yard(1)) == (pile, row)


@pytest.mark.parametrize(
    ("more", "legal"),
    [
        ({}, "pass"),
        ({"hands": ["1 blue, 1 red"]}, "pass"),
        ({"hands": ["5 locomotive"]}, "pass"),
        ({"hands": ["3 blue"], "yards": [{"blue": "1 blue"}]}, "pass"),
        ({"hands": ["3 blue"], "yards": [{}, {"blue": "3 blue"}]}, "pass"),
        ({"hands": ["1 blue, 1 green, 1 red"], "yards": [{}, {"green": "1 green"}]}, "pass"),
        ({"hands": ["1 blue, 1 green, 1 red"], "yards": [{"red": "1 locomotive"}]}, "pass"),
        ({"deck": "1 red"}, "draw_deck"),
        ({"face_up": "-, -, -, locomotive, -"}, "draw_face_up 3"),
        ({"ticket_deck": ["dallas-miami"]}, "draw_tickets"),
        ({"hands": ["2 blue"]}, "play_set blue"),
        ({"hands": ["1 blue, 1 locomotive"]}, "play_set blue"),
        ({"hands": ["1 blue, 1 green, 1 red"]}, "play_three blue, green, red"),
    ],
)
def test_cg5_a_player_passes_who_can_do_nothing_and_no_other(more: dict[str, Any], legal: str) -> None:
    """CG5 (ruling): passing is a decision of its own."""
    nothing: dict[str, Any] = {"face_up": NO_FACE_UP, "deck": "", "ticket_deck": [], "last_turns_left": 2}
    table = situation(**nothing | more)
    assert table.legal == {legal}
    hand = table.hand(0)
    table.play(legal)
    assert legal != "pass" or (table.to_move, table.hand(0)) == (1, hand)


def test_cg6_a_face_up_card_is_replaced_at_once_and_a_locomotive_is_the_only_one() -> None:
    """CG6, C8: never the second, neither one that was face up before nor one that has just been turned up.

    C20: all know where a face-up card went.
    """
    table = situation(face_up="blue, locomotive, green, white, white", deck="4 red")
    table.play("draw_face_up 1")
    assert (table.phase, table.to_move) == ("turn", 1)
    assert (table.hand(0), table.face_up) == ("1 locomotive", "blue, red, green, white, white")
    table = situation(face_up="blue, locomotive, green, white, white", deck="4 locomotive")
    table.play("draw_face_up 0")
    assert table.face_up == "locomotive, locomotive, green, white, white"
    assert table.legal == {"draw_face_up 2", "draw_face_up 3", "draw_face_up 4", "draw_deck", "stop"}
    table.play("draw_deck")  # a blind one counts as one card
    assert (table.hand(0), table.known(1, seat=0), table.to_move) == ("1 blue, 1 locomotive", "1 blue", 1)
    table.play("draw_deck")
    assert (table.hand(1), table.phase) == ("1 locomotive", "second_card")
    table.play("draw_face_up 2")
    assert (table.hand(1), table.known(0, seat=1)) == ("1 green, 1 locomotive", "1 green")


def test_cg6_three_face_up_locomotives_are_not_swept() -> None:
    """CG6: nor are five."""
    table = situation(face_up="locomotive, locomotive, blue, blue, blue", deck="8 locomotive")
    table.play("draw_face_up 4")
    assert table.face_up == "locomotive, locomotive, blue, blue, locomotive"
    table.play("draw_face_up 3")
    table.play("draw_face_up 2", "stop")
    assert table.face_up_cards == "5 locomotive"
    assert count(table.discard)[-1] == 16 - 5 - 5


@pytest.mark.parametrize(
    ("face_up", "deck", "action"),
    [
        (NO_FACE_UP, "1 red", "draw_deck"),
        ("-, -, red, -, -", "", "draw_face_up 2"),
        (NO_FACE_UP, "1 locomotive", "draw_deck"),
        ("locomotive, -, red, -, locomotive", "", "draw_face_up 2"),
    ],
)
def test_cg6_the_turn_ends_if_no_card_is_left_or_only_locomotives_face_up(face_up: str, deck: str, action: str) -> None:
    """CG6, CG9, C8: a single last card may be drawn; the turn then ends automatically."""
    table = situation(face_up=face_up, deck=deck)
    table.play(action)
    assert (hand_counts(table), table.phase, table.to_move) == ([1, 0], "turn", 1)
    assert not {"draw_deck", "draw_face_up 2"} & table.legal


def test_cg7_a_set_has_two_or_more_cards_of_a_colour_with_or_without_locomotives() -> None:
    """CG7 (ruling): at least one card of the colour; more than an opponent's row, locomotives counted on both sides."""
    table = situation(hands=["3 blue, 1 red, 2 locomotive"])
    blue = {"2 blue", "3 blue"} | {f"{n} blue, {more} locomotive" for n in (1, 2, 3) for more in (1, 2)}
    assert table.sets() == blue | {"1 red, 1 locomotive", "1 red, 2 locomotive"}
    assert situation(hands=["6 locomotive"]).sets() == set()
    assert situation(hands=["1 blue, 1 red"]).sets() == set()
    robbing = situation(hands=["3 blue, 2 locomotive"], yards=[{}, {"blue": "2 blue, 1 locomotive"}])
    assert robbing.sets() == {"2 blue, 2 locomotive", "3 blue, 1 locomotive", "3 blue, 2 locomotive"}


def test_cg7_three_cards_are_of_three_colours_without_locomotives() -> None:
    table = situation(hands=["2 blue, 1 white, 1 yellow, 1 red, 3 locomotive"])
    threes = {"blue, white, yellow", "blue, white, red", "blue, yellow, red", "white, yellow, red"}
    assert table.actions("play_three") == threes
    assert situation(hands=["4 blue, 4 red, 6 locomotive"]).actions("play_three") == set()
    table.play("play_three blue, white, red")
    assert table.yard(0) == {"blue": "1 blue", "white": "1 white", "red": "1 red"}
    assert (table.hand(0), table.to_move) == ("1 blue, 1 yellow, 3 locomotive", 1)


def test_cg7_the_robbed_opponent_discards_the_whole_row_at_once() -> None:
    """CG7: its locomotives too; his other rows and his pile stay, as do the robber's other rows."""
    yards = [{"red": "2 red"}, {"blue": "1 blue, 2 locomotive", "green": "2 green"}]
    table = situation(3, hands=["3 blue, 2 locomotive"], yards=yards, on_track=["", "1 blue"])
    table.play_set("blue", 3, 1)
    assert table.discard == "1 blue, 2 locomotive"
    assert table.yard(0) == {"blue": "3 blue, 1 locomotive", "red": "2 red"}
    assert table.yard(1) == {"green": "1 green"}  # whose turn has begun
    assert table.on_track(1) == "1 blue, 1 green"
    assert table.hand(0) == "1 locomotive"


def test_cg7_the_example_of_the_rulebook() -> None:
    """CG7: three blue cards rob one that was played with a red and a yellow one."""
    table = situation(hands=["1 blue, 1 yellow, 1 red", "3 blue"])
    table.play("play_three blue, yellow, red")
    table.play_set("blue", 3)
    assert (table.yard(1), table.discard) == ({"blue": "3 blue"}, "1 blue")
    assert table.on_track(0) == "1 yellow, 1 red"
    assert table.yard(0) == {}


@pytest.mark.parametrize("kept", [set(), {0}, {3}, {1, 2}, {0, 1, 2, 3}])
def test_cg8_four_tickets_are_drawn_and_any_number_kept(kept: set[int]) -> None:
    """CG8: none included; the refused ones go under the ticket deck, unshuffled."""
    table = situation(holds=[["dallas-miami"]])
    top = table.ticket_deck
    table.play("draw_tickets")
    assert table.offered(0) == top[:4]
    for index in range(4):
        assert table.legal == {"keep_ticket", "refuse_ticket"}
        table.play("keep_ticket" if index in kept else "refuse_ticket")
    assert (table.phase, table.to_move) == ("turn", 1)
    assert table.tickets(0) == {"dallas-miami", *(top[index] for index in kept)}
    assert table.ticket_deck == [*top[4:], *(top[index] for index in range(4) if index not in kept)]


def test_cg8_fewer_are_drawn_if_fewer_are_left_and_none_if_none_are() -> None:
    """CG8: all of them may be refused."""
    tickets = list(TICKETS)[:3]
    table = situation(ticket_deck=tickets)
    wait(table)
    assert (table.to_move, table.tickets(0), table.ticket_deck) == (1, set(), tickets)
    table.play("draw_tickets")
    table.play_all("keep_ticket")
    assert (table.tickets(1), table.ticket_deck) == (set(tickets), [])
    assert "draw_tickets" not in table.legal


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("action", ["draw_deck", "draw_face_up 2"])
def test_cg9_after_the_last_card_has_left_the_deck_everybody_has_one_turn(players: int, action: str) -> None:
    """CG9: drawn or turned up; the player whose turn it was has the last of these turns."""
    table = situation(players, deck="1 red", to_move=1, ticket_deck=["dallas-miami"])
    table.play(action)
    assert (table.deck, table.to_move, table.phase) == ("", 1, "second_card")
    assert table.snapshot["last_turns_left"] is None
    table.play("stop")
    for number, seat in enumerate([*range(2, players), 0, 1]):
        assert (table.phase, table.to_move) == ("turn", seat)
        assert table.snapshot["last_turns_left"] == players - number
        assert table.snapshot["scoring_round"] == 1
        wait(table)
    assert table.outcome == ("finished" if players < 4 else "running")
    assert table.snapshot["scoring_round"] == (1 if players < 4 else 2)


def test_cg9_after_the_last_card_face_up_ones_can_still_be_drawn_in_this_turn_and_the_last_ones() -> None:
    """CG9 (ruling): their slots are not refilled, and the discard is not reshuffled."""
    table = situation(face_up="blue, green, green, white, locomotive", deck="1 red")
    discard = table.discard
    table.play("draw_face_up 0")
    assert (table.face_up, table.deck) == ("red, green, green, white, locomotive", "")
    assert table.legal == {"draw_face_up 0", "draw_face_up 1", "draw_face_up 2", "draw_face_up 3", "stop"}
    table.play("draw_face_up 0")
    assert (table.hand(0), table.face_up) == ("1 blue, 1 red", "-, green, green, white, locomotive")
    assert (table.to_move, table.snapshot["last_turns_left"]) == (1, 2)
    table.play("draw_face_up 4")
    assert (table.hand(1), table.face_up) == ("1 locomotive", "-, green, green, white, -")
    assert (table.to_move, table.deck, table.discard) == (0, "", discard)


def test_cg9_the_discard_is_not_reshuffled_when_a_row_is_robbed_in_the_last_turns() -> None:
    """CG9 (ruling): empty face-up slots stay empty too."""
    table = situation(hands=["2 blue"], yards=[{}, {"blue": "1 blue"}], face_up=NO_FACE_UP, deck="", last_turns_left=2)
    before = count(table.discard)
    table.play_set("blue", 2)
    assert (table.deck, table.face_up) == ("", NO_FACE_UP)
    assert count(table.discard).tolist() == (before + count("1 blue")).tolist()


def test_cg9_a_last_turn_has_both_phases_and_nothing_moves_after_it() -> None:
    """CG9, CG4: cards still in a rail yard complete nothing."""
    holds = [["new_york-chicago"], ["chicago-new_york"]]
    yards = [{"blue": "2 blue"}, {"yellow": "2 yellow"}]
    more: dict[str, Any] = {"deck": "", "face_up": NO_FACE_UP, "ticket_deck": ["dallas-miami"], "last_turns_left": 2}
    table = situation(hands=["", "2 red"], yards=yards, holds=holds, **more)
    wait(table)
    assert (table.to_move, table.on_track(1), table.yard(1)) == (1, "1 yellow", {"yellow": "1 yellow"})
    table.play_set("red", 2)
    assert table.legal == {"complete chicago-new_york", "stop"}  # player 0 can complete nothing
    assert (table.to_move, table.on_track(0), table.on_track(1)) == (1, "", "1 yellow")
    assert table.yard(0) == {"blue": "2 blue"}
    assert table.yard(1) == {"yellow": "1 yellow", "red": "2 red"}


def test_cg10_a_ticket_is_completed_with_the_cards_that_it_states() -> None:
    """CG10: no fewer; a locomotive may replace each of them."""
    for ticket, stated in TICKETS.items():
        cards = dict(stated.cards)
        table = scoring(holds=[[ticket]], on_track=[cards_text(cards)])
        assert table.legal == {f"complete {ticket}", "stop"}
        table.play(f"complete {ticket}")
        assert (table.outcome, table.completed(0)) == ("finished", {ticket})
        colour, number = next(iter(cards)), sum(cards.values())
        fewer = cards | {colour: cards[colour] - 1}
        assert scoring(holds=[[ticket]], on_track=[cards_text(fewer)]).completed(0) == set()
        instead = scoring(holds=[[ticket]], on_track=[cards_text(fewer | {LOCOMOTIVE: 1})])
        assert instead.legal == {f"complete {ticket}", "stop"}
        assert scoring(holds=[[ticket]], on_track=[f"{number} locomotive"]).phase == "complete"
        assert scoring(holds=[[ticket]], on_track=[f"{number - 1} locomotive"]).outcome == "finished"


def test_cg10_tickets_are_completed_with_the_pile_alone() -> None:
    """CG10: not with the hand, the rail yard or another player's pile."""
    table = scoring(
        3,
        hands=["1 blue, 1 locomotive"],
        yards=[{"blue": "2 blue, 1 locomotive"}],
        on_track=["3 yellow", "3 blue, 1 locomotive"],
        holds=[["new_york-chicago"]],
    )
    assert (table.outcome, table.completed(0)) == ("finished", set())


def test_cg10_cards_of_the_colour_are_used_before_locomotives() -> None:
    """CG10 (ruling): the cards used are discarded, the others stay on the pile."""
    table = scoring(holds=[["dallas-miami"]], on_track=["2 green, 1 blue, 3 locomotive"])
    before = count(table.discard)
    table.play("complete dallas-miami")
    assert table.on_track(0) == "1 blue, 1 green, 2 locomotive"
    assert count(table.discard).tolist() == (before + count("1 green, 1 locomotive")).tolist()


def test_cg10_a_card_serves_one_ticket() -> None:
    """CG10: which ticket is the player's choice."""
    holds = [["dallas-miami", "dallas-raleigh", "chicago-dallas"]]  # green and red twice, green and yellow
    for ticket, left in (("dallas-raleigh", "1 yellow"), ("chicago-dallas", "1 red")):
        table = scoring(holds=holds, on_track=["1 green, 1 yellow, 1 red"])
        assert table.actions("complete") == set(holds[0])
        table.play(f"complete {ticket}")
        assert (table.outcome, table.completed(0), table.on_track(0)) == ("finished", {ticket}, left)


def test_cg10_every_player_chooses_beginning_with_seat_0() -> None:
    """CG10, C6: seats without a choice are skipped, and it does not matter who took the last turn.

    CG12, C20: all can see who plays on, the seat after the one that took the last turn.
    """
    holds = [["new_york-chicago"], ["chicago-new_york"], [], ["dallas-miami"]]
    piles = ["1 blue", "1 yellow", "5 locomotive", "1 green, 1 red"]
    table = scoring(4, holds=holds, on_track=piles, to_move=2)
    for seat in (0, 1, 3):
        assert (table.phase, table.to_move, table.next_turn_seen) == ("complete", seat, [3] * 4)
        table.play("stop")
    assert (table.phase, table.to_move) == ("turn", 3)


def test_cg11_with_two_or_three_players_the_game_ends_with_the_first_scoring() -> None:
    for players in (2, 3):
        table = scoring(players, holds=[["new_york-chicago"]], on_track=["1 blue"])
        assert table.outcome == "running"
        table.play("stop")
        assert (table.outcome, table.phase, table.legal) == ("finished", "ended", set())
        assert table.games.terminated.all()


def test_cg12_with_four_players_all_cards_but_those_in_hands_make_a_new_deck() -> None:
    """CG12: used, left on track, in rail yards, face up or discarded before; hands stay."""
    table = situation(
        4,
        hands=["3 green, 1 locomotive", "2 white", "", "5 red"],
        face_up="red, -, locomotive, -, blue",
        deck="",
        yards=[{"blue": "2 blue, 2 locomotive"}, {}, {"red": "1 red"}],
        on_track=["2 blue, 1 yellow", "", "", "1 purple, 1 locomotive"],
        holds=[["new_york-chicago"]],
        to_move=2,
        last_turns_left=1,
    )
    assert count(table.discard).sum() > 0
    table.play("draw_face_up 0", "stop", "complete new_york-chicago")
    assert (table.phase, table.to_move, table.outcome) == ("turn", 3, "running")
    assert hand_counts(table) == [8, 6, 5, 9]
    for seat, hand in enumerate(["3 green, 1 locomotive", "2 white", "1 red", "5 red"]):
        assert np.all(count(table.hand(seat)) >= count(hand))
        assert (table.yard(seat), table.on_track(seat)) == ({}, "")
    assert (table.discard, count(table.face_up_cards).sum()) == ("", 5)
    assert count(table.deck).sum() == 96 - 28 - 5
    assert cards_in_play(table.snapshot) == VARIANT
    assert table.snapshot["last_turns_left"] is None
    assert table.snapshot["scoring_round"] == 2


def test_cg12_the_new_deck_is_shuffled() -> None:
    """CG12: the four cards dealt differ from game to game; nobody else sees them."""
    hands = set()
    for seed in range(5):
        table = scoring(4, seed=seed)
        hands.add(table.hand(0))
        assert [table.known(1, seat) for seat in range(4)] == [""] * 4
    assert len(hands) > 1


@pytest.mark.parametrize(
    ("cards", "last"), [(0, 0), (1, 1), (6, 2), (15, 3), (16, 0), (19, 1), (21, 2), (22, 3), (30, 2)]
)
def test_cg12_cards_are_dealt_one_at_a_time_from_the_seat_after_the_last_turn(cards: int, last: int) -> None:
    """CG12: four to each seat, or until the deck is empty; then up to five are turned up, and that seat plays on.

    If the deck is then empty, every seat has one last turn, that seat first (ruling).
    """
    pile = Counter(([LOCOMOTIVE] * 16 + ["purple"] * 10 + ["blue"] * 10)[:cards])
    hands = [cards_text(VARIANT - pile)]
    more: dict[str, Any] = {"face_up": NO_FACE_UP, "deck": "", "ticket_deck": ["dallas-miami"], "last_turns_left": 1}
    table = situation(4, hands=hands, on_track=[cards_text(pile)], to_move=last, **more)
    before = [96 - cards, 0, 0, 0]
    assert hand_counts(table) == before
    wait(table)
    following = [(last + 1 + number) % 4 for number in range(4)]
    dealt = Counter(itertools.islice(itertools.cycle(following), min(cards, 16)))
    assert hand_counts(table) == [before[seat] + dealt[seat] for seat in range(4)]
    assert count(table.face_up_cards).sum() == min(5, max(0, cards - 16))
    assert count(table.deck).sum() == max(0, cards - 21)
    assert (table.phase, table.to_move) == ("turn", following[0])
    if cards > 21:
        assert table.snapshot["last_turns_left"] is None
        return
    for number, seat in enumerate(following):
        assert (table.to_move, table.snapshot["last_turns_left"]) == (seat, 4 - number)
        wait(table)
    assert table.outcome == "finished"


def end(players: int = 2, **more: object) -> CardTable:
    """A game whose final scoring gave nobody a choice."""
    table = scoring(players, **{"scoring_round": 2 if players == 4 else 1} | more)
    assert table.outcome == "finished"
    return table


def test_cg13_a_completed_ticket_brings_the_cards_of_the_big_cities_that_it_names() -> None:
    """CG13: of both its cities, if both are big; a city named on nobody's ticket goes to nobody."""
    for ticket in TICKETS:
        table = end(4, completed=[[], [ticket]])
        bonus = sum(BONUSES.get(city, 0) for city in ticket.split("-"))
        assert bonus > 0
        assert table.parts("big_cities") == table.scores == [0, bonus, 0, 0]


def test_cg12_cg13_tickets_of_both_scorings_count_for_big_cities() -> None:
    """CG12, CG13: a ticket left over may be completed in the second one, which ends the game; here two against one."""
    table = scoring(
        4,
        scoring_round=2,
        completed=[["seattle-denver"], ["seattle-phoenix"]],
        holds=[["seattle-los_angeles"]],
        on_track=["1 white, 1 black"],
    )
    table.play("complete seattle-los_angeles")
    assert (table.outcome, table.completed(0)) == ("finished", {"seattle-denver", "seattle-los_angeles"})
    assert table.parts("big_cities") == [8 + 12, 0, 0, 0]
    assert table.parts("tickets") == [9, 0, 0, 0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_cg13_cg14_big_cities_and_ranks_of_random_games_are_those_of_the_referee(players: int) -> None:
    """CG13, CG14: whatever tickets are completed and failed; scores may be negative."""
    rng, variant = random.Random(13), load_variant("card_game")
    assert isinstance(variant, CardVariant)
    for _ in range(15):
        piles: list[list[list[str]]] = [[[] for _ in range(players)] for _ in range(4)]
        for ticket in TICKETS:
            rng.choice(rng.choice(piles)).append(ticket)
        completed, failed, *_ = piles
        points = [sum(TICKETS[ticket].points for ticket in own) for own in completed]
        snapshot = end(players, completed=completed, holds=failed, points=points).snapshot
        assert snapshot["final"] == final(variant, snapshot)


@pytest.mark.parametrize(
    ("points", "completed", "scores", "ranks"),
    [
        # most points, even against more tickets and bonus cards
        ([0, 21, 7, -3], [["seattle-los_angeles"], []], [20, 21, 7, -3], [2, 1, 3, 4]),
        # more tickets, before bonus cards, of which the other has two to one
        ([0, 10], [["seattle-los_angeles"], ["dallas-raleigh", "dallas-winnipeg"]], [20, 20, 0, 0], [2, 1, 3, 3]),
        # bonus cards are counted, not weighed, and a shared one counts (CG13, ruling)
        ([0, 5], [["seattle-los_angeles"], ["new_york-portland"], ["seattle-denver"]], [20, 20, 8, 0], [1, 2, 3, 4]),
    ],
)
def test_cg14_most_points_win_then_more_completed_tickets_then_more_bonus_cards(
    points: list[int], completed: list[list[str]], scores: list[int], ranks: list[int]
) -> None:
    table = end(4, points=points, completed=completed)
    assert (table.scores, table.ranks) == (scores, ranks)


def test_cg14_players_still_tied_share_the_rank() -> None:
    """CG14: failed tickets and cards left over do not break a tie."""
    completed = [["chicago-montreal"], ["dallas-raleigh"]]
    holds = [[], ["chicago-new_york"]]
    table = end(4, points=[0, 7], completed=completed, holds=holds, hands=["4 red"], reward="win")
    assert table.scores == [12, 12, 0, 0]
    assert table.ranks == [1, 1, 3, 3]
    assert table.games.rewards.tolist() == [[0.5, 0.5, 0, 0]]


def test_c19_a_game_that_reaches_the_turn_limit_is_truncated() -> None:
    """C19: it is not scored, and no row of a rail yard moves (CG4)."""
    table = situation(turn=49, turn_limit=50, yards=[{"blue": "2 blue"}], holds=[["dallas-miami"]], points=[4])
    table.play("draw_deck", "stop")
    assert table.outcome == "running"
    table.play("draw_deck", "stop")
    assert (table.outcome, table.legal) == ("truncated", set())
    assert table.games.truncated.all()
    assert [table.score(0), table.snapshot["final"]] == [4, None]
    assert (table.yard(0), table.on_track(0)) == ({"blue": "2 blue"}, "")
