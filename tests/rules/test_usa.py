"""The rules of the base game, on the map of the USA (US1-US5)."""

from typing import Any

import numpy as np
import pytest

from t2r_env import Games, configure
from t2r_env.variants import COLOURS
from tests.situations import CARDS, configuration, count, deal, end, route_name, situation

DECKS = ["anniversary", "classic", "1910", "mega", "big_cities"]


# US1: players, trains, cards


def test_us1_two_to_five_may_play() -> None:
    """US1."""
    for players in (2, 3, 4, 5):
        assert deal(players).games.num_players == players
    for players in (1, 6):
        with pytest.raises(ValueError, match="from 2 to 5"):
            configure("usa", players)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_us1_each_player_begins_with_45_trains_4_cards_and_no_points(players: int) -> None:
    """US1, C5."""
    table = deal(players)
    for seat in range(players):
        assert table.trains(seat) == 45
        assert count(table.hand(seat)).sum() == 4
        assert table.score(seat) == 0


@pytest.mark.parametrize("players", [2, 5])
def test_us1_there_are_12_cards_of_each_colour_and_14_locomotives(players: int) -> None:
    """US1."""
    table = deal(players)
    hands = sum(count(table.hand(seat)) for seat in range(players))
    everywhere = hands + count(table.deck) + count(table.discard) + count(table.face_up_cards)
    assert dict(zip(CARDS, everywhere, strict=True)) == dict.fromkeys(COLOURS, 12) | {"locomotive": 14}


def test_us1_hands_and_face_up_cards_are_dealt_from_all_the_cards() -> None:
    """US1: over many deals each colour is dealt about as often as it has cards.

    Of 3,900 cards 425 of each colour and 496 locomotives are expected (fewer, because of sweeps). The bounds are more
    than five standard deviations away.
    """
    games = Games(configuration("usa", 2), batch=300, observe=False)
    dealt: Any = np.zeros(len(CARDS), np.int64)
    for row in range(300):
        table = games.snapshot(row)
        dealt += [sum(player["hand"][card] for player in table["players"]) for card in CARDS]
        dealt += [table["face_up"].count(card) for card in CARDS]
    assert dealt.sum() == 300 * (2 * 4 + 5)
    assert np.all(dealt[:-1] > 320)
    assert np.all(dealt[:-1] < 540)
    assert 370 < dealt[-1] < 610


# US2: tickets


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_us2_three_starting_tickets_are_offered_to_every_player(players: int) -> None:
    """US2."""
    table = deal(players)
    offered = [ticket for seat in range(players) for ticket in table.offered(seat)]
    assert len(offered) == len(set(offered)) == 3 * players
    assert set(offered).isdisjoint(table.ticket_deck)
    assert len(table.ticket_deck) == 69 - 3 * players


def test_us2_two_or_three_starting_tickets_are_kept() -> None:
    """US2: after one refusal the others are kept automatically; all may be kept."""
    for actions, kept in (
        (["refuse_ticket"], 2),
        (["keep_ticket", "refuse_ticket"], 2),
        (["keep_ticket", "keep_ticket", "refuse_ticket"], 2),
        (["keep_ticket", "keep_ticket", "keep_ticket"], 3),
    ):
        table = deal()
        table.play(*actions)
        assert table.to_move == 1
        table.play_all("keep_ticket")
        assert len(table.tickets(0)) == kept


def test_us2_later_three_are_drawn_and_one_two_or_three_kept() -> None:
    """US2."""
    for actions, kept in (
        (["refuse_ticket", "refuse_ticket"], 1),
        (["refuse_ticket", "keep_ticket", "refuse_ticket"], 1),
        (["keep_ticket", "refuse_ticket", "refuse_ticket"], 1),
        (["keep_ticket", "refuse_ticket", "keep_ticket"], 2),
        (["keep_ticket", "keep_ticket", "keep_ticket"], 3),
    ):
        table = situation()
        table.play("draw_tickets", *actions)
        assert table.to_move == 1
        assert len(table.tickets(0)) == kept


# US3: double routes


@pytest.mark.parametrize(("players", "is_open"), [(2, False), (3, False), (4, True), (5, True)])
def test_us3_with_two_or_three_players_one_claimed_route_closes_a_double_route(players: int, is_open: bool) -> None:
    """US3: whichever route was claimed; in larger games another player may claim the other."""
    routes = ["denver-salt_lake_city", "denver-salt_lake_city 1"]
    for claimed, other in (routes, reversed(routes)):
        table = situation(players, hands=["", "3 yellow, 3 red"], routes=[[claimed]], to_move=1)
        assert f"claim {claimed}" not in table.legal
        assert (f"claim {other}" in table.legal) is is_open


# US4: the longest path


TWELVE = ["calgary-winnipeg", "sault_st_marie-winnipeg"]
"""A path of 12 spaces."""


def test_us4_the_longest_path_earns_10_points() -> None:
    """US4, C17."""
    table = end(situation(routes=[["duluth-helena"], TWELVE], last_turns_left=1))
    assert [table.final(seat)["breakdown"]["longest_path"] for seat in (0, 1)] == [0, 10]
    assert table.scores == [15, 40]


@pytest.mark.parametrize("tickets", DECKS)
def test_us4_the_longer_longest_path_is_the_last_tie_break_in_every_deck(tickets: str) -> None:
    """US4, US5: even where it earns no points. Where it does, the scores are made equal here."""
    bonus = configuration("usa", 2, tickets=tickets).variant.ticket_decks[tickets].bonuses.get("longest_path", 0)
    table = situation(points=[20, 20 - bonus], routes=[["duluth-helena"], TWELVE], tickets=tickets, last_turns_left=1)
    end(table)
    assert table.scores == [20, 20]
    assert table.ranks == [2, 1]


# US5: ticket decks


@pytest.mark.parametrize(
    ("tickets", "size", "starting", "starting_keep", "later", "bonuses"),
    [
        ("anniversary", 69, 3, 2, 3, {"longest_path"}),
        ("classic", 30, 3, 2, 3, {"longest_path"}),
        ("1910", 35, 3, 2, 3, {"globetrotter"}),
        ("mega", 69, 5, 3, 4, {"longest_path", "globetrotter"}),
        ("big_cities", 35, 4, 2, 4, set()),
    ],
)
def test_us5_each_deck_has_its_tickets_offers_and_bonuses(
    tickets: str, size: int, starting: int, starting_keep: int, later: int, bonuses: set[str]
) -> None:
    """US5: as many tickets as possible are refused, at the start and later, when one must be kept."""
    table = deal(tickets=tickets)
    assert len(table.offered(0)) == len(table.offered(1)) == starting
    assert len(table.ticket_deck) == size - 2 * starting
    table.play_all("refuse_ticket")
    assert [len(table.tickets(seat)) for seat in (0, 1)] == [starting_keep, starting_keep]
    table.play("draw_tickets")
    assert len(table.offered(0)) == later
    table.play_all("refuse_ticket")
    assert len(table.tickets(0)) == starting_keep + 1
    table = end(situation(tickets=tickets, last_turns_left=1))
    assert set(table.final(0)["breakdown"]) == {"routes", "tickets"} | bonuses


def test_us5_anniversary_is_the_default() -> None:
    """US5."""
    assert configure("usa").options["tickets"] == "anniversary"


@pytest.mark.parametrize(
    ("tickets", "ticket"),
    [
        ("anniversary", ("los_angeles", "new_york", 20)),
        ("classic", ("los_angeles", "new_york", 21)),
        ("classic", ("denver", "el_paso", 4)),
        ("1910", ("atlanta", "washington", 4)),
        ("mega", ("portland", "vancouver", 2)),
        ("big_cities", ("chicago", "new_york", 5)),
    ],
)
def test_us5_each_deck_has_tickets_of_its_own(tickets: str, ticket: tuple[str, str, int]) -> None:
    """US5: one or two tickets tell the decks apart."""
    table = deal(tickets=tickets)
    everywhere = table.snapshot["ticket_deck"] + [it for seat in table.snapshot["players"] for it in seat["offered"]]
    assert list(ticket) in everywhere


def test_us5_anniversary_and_mega_hold_the_same_tickets() -> None:
    """US5."""
    decks = configuration("usa", 2).variant.ticket_decks
    assert decks["anniversary"].tickets == decks["mega"].tickets
    assert len({route_name(ticket.a, ticket.b) for ticket in decks["mega"].tickets}) == 69


GLOBETROTTER_ROUTES = [
    ["chicago-pittsburgh", "new_york-pittsburgh", "boston-new_york"],
    ["atlanta-raleigh", "raleigh-washington"],
    ["portland-seattle", "seattle-vancouver"],
]


@pytest.mark.parametrize("tickets", ["1910", "mega"])
def test_us5_most_completed_tickets_earn_15_points(tickets: str) -> None:
    """US5: their values do not matter; failed ones don't count."""
    holds = [["chicago-new_york", "boston-chicago"], ["atlanta-washington", "las_vegas-new_york"], []]
    routes = [*GLOBETROTTER_ROUTES[:2], ["calgary-winnipeg", "sault_st_marie-winnipeg"]]
    table = end(situation(3, tickets=tickets, routes=routes, holds=holds, last_turns_left=1))
    assert [len(table.final(seat)["completed"]) for seat in range(3)] == [2, 1, 0]
    assert [table.final(seat)["breakdown"]["globetrotter"] for seat in range(3)] == [15, 0, 0]


def test_us5_all_who_share_most_completed_tickets_earn_15_points() -> None:
    """US5, C17 (ruling)."""
    holds = [["chicago-new_york"], ["atlanta-washington"], ["portland-vancouver", "houston-washington"]]
    table = end(situation(3, tickets="mega", routes=GLOBETROTTER_ROUTES, holds=holds, last_turns_left=1))
    assert [table.final(seat)["breakdown"]["globetrotter"] for seat in range(3)] == [15, 15, 15]
    holds[1] = []
    table = end(situation(3, tickets="mega", routes=GLOBETROTTER_ROUTES, holds=holds, last_turns_left=1))
    assert [table.final(seat)["breakdown"]["globetrotter"] for seat in range(3)] == [15, 0, 15]


@pytest.mark.parametrize("tickets", ["1910", "mega"])
def test_us5_no_completed_ticket_earns_no_bonus(tickets: str) -> None:
    """US5, C17 (ruling): a maximum of zero earns nothing."""
    table = end(situation(tickets=tickets, holds=[["las_vegas-new_york"]], last_turns_left=1))
    assert [table.final(seat)["breakdown"]["globetrotter"] for seat in (0, 1)] == [0, 0]
    assert table.scores == [-19, 0]


def test_us5_bonuses_not_in_force_count_for_nothing() -> None:
    """US5: 1910 has no bonus for the longest path, big_cities has no bonus."""
    routes = [["chicago-pittsburgh", "new_york-pittsburgh"]]
    for tickets, score in (
        ("1910", 6 + 5 + 15),
        ("big_cities", 6 + 5),
        ("anniversary", 6 + 5 + 10),
        ("mega", 6 + 5 + 25),
    ):
        table = end(situation(tickets=tickets, routes=routes, holds=[["chicago-new_york"]], last_turns_left=1))
        assert table.scores == [score, 0]
