"""The rules of the base game, on the map of the USA (US1-US5)."""

from typing import Any

import numpy as np
import pytest

from t2r_env import Games, configure
from tests.helpers.situations import CARDS, configuration, deal, end, ended, route_name, situation

DECKS = ["anniversary", "classic", "1910", "mega", "big_cities"]


def test_us1_hands_and_face_up_cards_are_dealt_from_all_the_cards() -> None:
    """US1: over many deals each colour is dealt about as often as it has cards.

    Of 3,900 cards 425 of each colour and 496 locomotives are expected (fewer, because of sweeps). The bounds are more
    than five standard deviations away.
    """
    games = Games(configuration("usa", 2), batch=300, observe=False, seed=0)
    dealt: Any = np.zeros(len(CARDS), np.int64)
    for row in range(300):
        table = games.snapshot(row)
        dealt += [sum(player["hand"][card] for player in table["players"]) for card in CARDS]
        dealt += [table["face_up"].count(card) for card in CARDS]
    assert dealt.sum() == 300 * (2 * 4 + 5)
    assert np.all(dealt[:-1] > 320)
    assert np.all(dealt[:-1] < 540)
    assert 370 < dealt[-1] < 610


TWELVE = ["calgary-winnipeg", "sault_st_marie-winnipeg"]
"""A path of 12 spaces."""


@pytest.mark.parametrize("tickets", DECKS)
def test_us4_the_longer_longest_path_is_the_last_tie_break_in_every_deck(tickets: str) -> None:
    """US4, US5: even where it earns no points. Where it does, the scores are made equal here."""
    bonus = configuration("usa", 2, tickets=tickets).variant.ticket_decks[tickets].bonuses.get("longest_path", 0)
    table = situation(points=[20, 20 - bonus], routes=[["duluth-helena"], TWELVE], tickets=tickets, last_turns_left=1)
    end(table)
    assert table.scores == [20, 20]
    assert table.ranks == [2, 1]


@pytest.mark.parametrize(
    ("tickets", "size", "starting", "keep", "later", "bonuses", "own"),
    [
        ("anniversary", 69, 3, 2, 3, {"longest_path": 10}, [["los_angeles", "new_york", 20]]),
        ("classic", 30, 3, 2, 3, {"longest_path": 10}, [["los_angeles", "new_york", 21], ["denver", "el_paso", 4]]),
        ("1910", 35, 3, 2, 3, {"globetrotter": 15}, [["atlanta", "washington", 4]]),
        ("mega", 69, 5, 3, 4, {"longest_path": 10, "globetrotter": 15}, [["portland", "vancouver", 2]]),
        ("big_cities", 35, 4, 2, 4, {}, [["chicago", "new_york", 5]]),
    ],
)
def test_us5_each_deck_has_its_tickets_offers_and_bonuses(
    tickets: str, size: int, starting: int, keep: int, later: int, bonuses: dict[str, int], own: list[list[Any]]
) -> None:
    """US5: one or two tickets tell the decks apart.

    As many tickets as possible are refused, at the start and later, when one must be kept.
    """
    table = deal(tickets=tickets)
    offered = [it for seat in table.snapshot["players"] for it in seat["offered"]]
    assert all(ticket in table.snapshot["ticket_deck"] + offered for ticket in own)
    assert len(table.offered(0)) == len(table.offered(1)) == starting
    assert len(table.ticket_deck) == size - 2 * starting
    table.play_all("refuse_ticket")
    assert [len(table.tickets(seat)) for seat in (0, 1)] == [keep, keep]
    table.play("draw_tickets")
    assert len(table.offered(0)) == later
    table.play_all("refuse_ticket")
    assert len(table.tickets(0)) == keep + 1
    assert table.games.configuration.deck.bonuses == bonuses
    assert {*ended(tickets=tickets).final(0)["breakdown"]} == {"routes", "tickets", *bonuses}


def test_us5_anniversary_is_the_default_and_holds_the_tickets_of_mega() -> None:
    assert configure("usa").options["tickets"] == "anniversary"
    decks = configuration("usa", 2).variant.ticket_decks
    assert decks["anniversary"].tickets == decks["mega"].tickets
    assert len({route_name(ticket.a, ticket.b) for ticket in decks["mega"].tickets}) == 69


@pytest.mark.parametrize(
    ("holds", "bonus"),
    [
        # their values do not matter; failed ones don't count
        ([["chicago-new_york", "boston-chicago"], ["atlanta-washington", "las_vegas-new_york"], []], [15, 0, 0]),
        # all who share the most: C17 (ruling)
        ([["chicago-new_york"], ["atlanta-washington"], ["las_vegas-new_york"]], [15, 15, 0]),
        # a maximum of zero earns nothing: C17 (ruling)
        ([["las_vegas-new_york"], [], []], [0, 0, 0]),
    ],
)
def test_us5_most_completed_tickets_earn_15_points(holds: list[list[str]], bonus: list[int]) -> None:
    routes = [["chicago-pittsburgh", "new_york-pittsburgh", "boston-new_york"]]
    routes += [["atlanta-raleigh", "raleigh-washington"]]
    assert ended(3, tickets="1910", routes=routes, holds=holds).parts("globetrotter") == bonus
