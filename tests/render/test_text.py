"""The text of a game, from its snapshot."""

import json
import re
from typing import Any

import pytest

from t2r_env import Configuration, Games
from t2r_env.render.shared_text import WIDTH
from t2r_env.render.text import SnapshotError, render_text
from t2r_env.text import changes_text, view_text
from t2r_env.variants import COLOURS
from tests.helpers.playing import Options, decisions_of_every_phase, some_configurations
from tests.helpers.situations import Table, deal, situation


def lines_of(table: Table) -> list[str]:
    return render_text(table.snapshot, table.games.configuration).splitlines()


OFFERED = {"ticket_deck": ["boston-miami", "dallas-new_york", "new_york-seattle"]}
SHARE: dict[str, Any] = {"variant": "pennsylvania", "hands": ["2 orange"]}
CLAIM, PAID = "claim Boston-Montréal (gray, 2)", "claim Oil City-Warren (orange, 2), pay 2 orange"
EXCHANGE = {"variant": "nordic", "hands": ["9 blue, 8 red, 2 locomotive"]}
SPENT = "claim Lieksa-Murmansk (gray, 9), spend 1 red (3 times), spend 1 locomotive"
PAY, SECOND, KEEP = " is to pay for ", " is to draw a second card", ": keep Dallas-New York (11)?"
TAKE, NEUTRAL = " is to take a share for Oil City–Warren", " is to choose a share for the neutral player"


@pytest.mark.parametrize(
    ("position", "actions", "decision", "so_far"),
    [
        ({"hands": ["2 blue, 2 red"]}, "claim boston-montreal", PAY + "Boston–Montréal", CLAIM),
        ({"face_up": "red, blue, red, white, green"}, "draw_face_up 1", SECOND, "take the blue card"),
        ({}, "draw_deck", SECOND, "draw a card from the deck"),
        (OFFERED, "draw_tickets;refuse_ticket", KEEP, "draw tickets, refuse Boston-Miami (12)"),
        (SHARE, "claim oil_city-warren", TAKE, PAID),
        (SHARE, "claim oil_city-warren;take_share erl", NEUTRAL, f"{PAID}, take a share of Erie Lackawanna Railway"),
        (EXCHANGE, f"claim lieksa-murmansk{';spend red' * 3};spend locomotive", PAY + "Lieksa–Murmansk", SPENT),
    ],
)
def test_the_heading_names_the_decision_and_the_actions_so_far(
    position: dict[str, Any], actions: str, decision: str, so_far: str
) -> None:
    """Also whose share is chosen (PA8); cards that are spent alike are counted (NO8)."""
    table = situation(**position)
    table.play(*actions.split(";"))
    assert lines_of(table)[1:3] == [f"Turn 1. player_0{decision}", f"So far: {so_far}"]


def test_c16_a_ticket_is_marked_once_its_cities_are_joined_by_routes_of_its_player() -> None:
    table = situation(4, routes=[["montreal-toronto", "montreal-new_york", "dallas-houston"], ["dallas-houston 1"]])
    snapshot = table.snapshot
    held = [["new_york", "toronto", 3], ["houston", "toronto", 10], ["montreal", "toronto", 1]]
    snapshot["players"][0]["tickets"] = snapshot["players"][1]["tickets"] = held
    text = render_text(snapshot, table.games.configuration)
    assert "  tickets (3): ✓ New York-Toronto (3), · Houston-Toronto (10), ✓ Montréal-Toronto (1)\n" in text
    assert "  tickets (3): · New York-Toronto (3), · Houston-Toronto (10), · Montréal-Toronto (1)\n" in text


@pytest.mark.parametrize("width", [0, -1, 80.5, "80"])
def test_a_width_that_is_not_allowed_and_what_is_no_snapshot_are_told_apart(width: Any) -> None:
    games = Games("usa", 2, seed=0)
    view = games.views()[0]
    writing: list[tuple[Any, ...]] = [(render_text, games.snapshot()), (view_text, view), (changes_text, view, view)]
    for write, *positions in writing:
        with pytest.raises(ValueError, match=r"^width must be an integer, at least 1, not "):
            write(*positions, games.configuration, width)
    with pytest.raises(SnapshotError, match="a snapshot of usa, 2 players must be an object with the variant 'usa'"):
        render_text(games.snapshot() | {"variant": "new_york"}, games.configuration)


def test_a_result_that_is_too_wide_has_a_column_for_each_player() -> None:
    games = Games("legendary_asia", 3, autoreset=False, seed=0)
    games.play_random(10_000)
    rows = render_text(games.snapshot(), games.configuration, 60).rpartition("\n\n")[2].splitlines()
    final = games.snapshot()["final"]
    seats = sorted(range(3), key=lambda seat: final[seat]["rank"])
    assert rows[0].split() == ["Result", *(f"player_{seat}" for seat in seats)]
    scores = [str(final[seat]["score"]) for seat in seats]
    assert next(row.split()[1:] for row in rows if row.startswith("score")) == scores


def check(snapshot: dict[str, Any], chosen: Configuration) -> None:
    """Assert what holds of the text of every position: it keeps to its width, and tells all that there is."""
    text = render_text(json.loads(json.dumps(snapshot)), chosen)
    for width in (80, 100, WIDTH, 160):
        given = render_text(snapshot, chosen, width)
        assert max(map(len, given.splitlines())) <= width
        assert given == text or width != WIDTH
    assert text.endswith("\n")
    assert not re.search("unknown|\0", text)
    turn, seat = snapshot["turn"], snapshot["current_player"]
    if seat is None:
        assert "The game is over: finished\n" in text
        assert "\nResult " in text
        return
    assert re.search(rf"^Turn {turn}\. player_{seat}(’s turn$| is to |: keep )", text, re.MULTILINE)
    so_far = text.partition("\nSo far: ")[2].partition("\nFace-up")[0]
    assert bool(so_far) == bool(snapshot["pending"])
    assert not re.search("_|draw deck|face up|(keep|refuse|share) ticket", so_far)
    left = f"Turns left, this one included: {snapshot['last_turns_left']}\n"
    assert (left in text) == (snapshot["last_turns_left"] is not None)
    if snapshot["routes"]:
        apart = snapshot["set_aside"]
        piles = apart.values() if "hand" in apart else [apart]
        assert ("\n  set aside" in text) == any(any(cards.values()) for cards in piles)
        assert ("\n  drawn " in text) == bool(snapshot["drawn"])
        assert ("\n  revealed " in text) == any(snapshot["revealed"].values())


@some_configurations
def test_every_decision_has_its_text_to_the_end(variant: str, players: int, options: Options) -> None:
    """UK5, UK8, UK12, TA5, TA6, TA10, CG2, CG5-CG8, CG10: the decision, the actions so far, the last turns (C15)."""
    games = Games(variant, players, seed=2, autoreset=False, **options)
    chosen, asked = games.configuration, set()
    for state in decisions_of_every_phase(variant, players, bool(options), 80):
        snapshot = chosen.snapshot(state)
        asked.add(snapshot["phase"])
        check(snapshot, chosen)
    assert asked == {*chosen.phases}
    while games.masks.any():
        games.play_random(9)
        check(games.snapshot(), chosen)


# The Card Game


def card_game(players: int = 2, seat: int = 0, **changes: Any) -> str:
    """The text of a Card Game on its first turn, with some entries of `seat` changed."""
    table = deal(players, variant="card_game")
    table.play_all("keep_ticket")
    snapshot = table.snapshot
    snapshot["players"][seat] |= changes
    return render_text(snapshot, table.games.configuration)


def test_cg10_cg12_a_ticket_is_marked_if_the_pile_suffices_for_it_alone_and_completed_ones_are_named_apart() -> None:
    pile = dict.fromkeys(COLOURS, 0) | {"blue": 1, "red": 3, "locomotive": 1}
    needs = [{"blue": 1}, {"blue": 2}, {"blue": 1, "white": 1, "red": 2}, {"blue": 2, "white": 1}, {"red": 5}]
    text = card_game(on_track=pile, tickets=[["miami", "boston", points, it] for points, it in enumerate(needs, 5)])
    assert re.findall(r"([✓·]) Miami-Boston \((\d): ([^)]*)\)", text) == [
        ("✓", "5", "1 blue"),
        ("✓", "6", "2 blue"),
        ("✓", "7", "1 blue, 1 white and 2 red"),
        ("·", "8", "2 blue and 1 white"),
        ("·", "9", "5 red"),
    ]
    text = card_game(4, seat=3, tickets=[], completed=[["chicago", "new_york", 5, {"yellow": 1}]])
    assert text.endswith("  tickets (0): none\n  completed (1): Chicago-New York (5: 1 yellow)\n")


def test_cg7_the_heading_names_the_set_that_is_being_played() -> None:
    table = deal(variant="card_game")
    table.play_all("keep_ticket")
    hand = table.snapshot["players"][0]["hand"]
    colour = max(COLOURS, key=lambda colour: hand[colour])
    table.play(f"play_set {colour}")
    asked, so_far = "Turn 1. player_0 is to choose the", f"So far: play a set of {colour}"
    assert lines_of(table)[1:3] == [f"{asked} cards of a set", so_far]
    table.play(f"set_cards {hand[colour]}")
    assert lines_of(table)[1:3] == [f"{asked} locomotives of a set", f"{so_far}, lay {hand[colour]} of the colour"]


@pytest.mark.parametrize("variant", ["usa", "card_game"])
def test_c20_of_hidden_cards_and_tickets_on_offer_the_number_is_told_and_no_choice(variant: str) -> None:
    games = Games(variant, 2, seed=0)
    games.step([games.layout.actions["keep_ticket"].start])
    snapshot, whole = games.configuration.snapshot(games.views([0], [1])[0]), games.snapshot()
    lines = render_text(snapshot, games.configuration).splitlines()
    unknown = sum(whole["players"][0]["hand"].values()) - sum(games.states["known"][0, 0].tolist())
    assert next(line.split()[-1] for line in lines if line.startswith("> player_0 ")) == str(unknown)
    offered = len(whole["players"][0]["offered"]) + 1
    assert f"  on offer ({offered}): {offered} unknown" in lines
    assert f"Ticket deck: {len(whole['ticket_deck'])} tickets" in lines
    assert not any(line.startswith("So far") for line in lines)
