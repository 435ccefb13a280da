"""What each map game begins with, and what scores and decides ties at its end, as its rules page says."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pytest

from t2r_env import configure
from t2r_env.variants import COLOURS, LOCOMOTIVE
from tests.helpers.maps import MAP_GAMES, load_map
from tests.helpers.situations import CARDS, Table, count, deal, ended, route_name, situation


class Page(NamedTuple):
    """What the first rules of a page say."""

    players: Sequence[int]
    trains: int
    hand: int
    cards: dict[str, int]
    tickets: int
    """Those that are offered at the start, and those of the ticket deck."""
    starting: tuple[int, int]
    """How many starting tickets are offered, and how many of them must be kept."""
    later: tuple[int, int]
    """The same for later draws."""
    closed_up_to: int
    """With so many players or fewer one claimed route closes a double route."""


BASE = dict.fromkeys(COLOURS, 12) | {LOCOMOTIVE: 14}
"""US1."""

PAGES = {
    "usa": Page((2, 3, 4, 5), 45, 4, BASE, 69, (3, 2), (3, 1), 3),
    "new_york": Page(
        (2, 3, 4), 15, 2, dict.fromkeys(COLOURS, 6) | {"white": 0, "yellow": 0, LOCOMOTIVE: 8}, 18, (2, 1), (2, 1), 2
    ),
    "united_kingdom": Page((2, 3, 4), 35, 5, BASE | {LOCOMOTIVE: 20}, 57, (5, 3), (3, 1), 2),
    "pennsylvania": Page((2, 3, 4, 5), 45, 4, BASE, 50, (5, 3), (4, 1), 3),
    "legendary_asia": Page((2, 3, 4, 5), 45, 4, BASE, 30, (4, 2), (3, 1), 3),
    "europe": Page((2, 3, 4, 5), 45, 4, BASE, 40, (4, 2), (3, 1), 3),
    "team_asia": Page((4, 6), 27, 4, BASE, 60, (5, 3), (4, 1), 4),
    "india": Page((2, 3, 4), 45, 4, BASE, 58, (4, 2), (3, 1), 3),
    "nordic": Page((2, 3), 40, 4, BASE, 46, (5, 2), (3, 1), 2),
    "switzerland": Page((2, 3), 40, 4, BASE, 46, (5, 2), (3, 1), 2),
}
"""US1-US3, NY1-NY3, UK1, UK3, UK4, PA1, PA2, LA1-LA3, EU1-EU3, TA1, TA3, TA4, TA7, IN1-IN3, NO1-NO3, SW1-SW3."""

LONG = {
    "legendary_asia": {"ankara-colombo", "astrakhan-hanoi", "calcutta-moscow", "karachi-khabarovsk"}
    | {"kobe-omsk", "krasnoyarsk-singapore"},
    "europe": {"athina-edinburgh", "brest-petrograd", "cadiz-stockholm", "danzig-lisboa"}
    | {"erzurum-kobenhavn", "moskva-palermo"},
}
"""LA2, EU2: the long tickets; `tickets` above are the regular ones."""

COUNTRIES = ("deutschland", "france", "italia", "osterreich")
TWICE = {"switzerland": {f"{one}-{';'.join(it for it in COUNTRIES if it != one)}" for one in COUNTRIES}}
"""SW8: the tickets of which there are two; all others are there once."""

SCORED: dict[str, tuple[dict[str, int], set[str], list[str]]] = {
    "usa": ({"longest_path": 10}, set(), ["longest_path"]),
    "new_york": ({"attractions": 1}, set(), []),
    "united_kingdom": ({}, {"technologies"}, ["longest_path"]),
    "pennsylvania": ({"globetrotter": 15}, {"shares"}, ["longest_path"]),
    "legendary_asia": ({"explorer": 10}, {"mountains"}, ["mountain_routes"]),
    "europe": ({"longest_path": 10}, {"stations"}, ["stations_left", "longest_path"]),
    "team_asia": ({"longest_path": 10, "globetrotter": 10}, set(), ["longest_path"]),
    "india": ({"longest_path": 10}, {"grand_tour"}, ["longest_path"]),
    "nordic": ({"globetrotter": 10}, set(), ["longest_path"]),
    "switzerland": ({"longest_path": 10}, set(), ["longest_path"]),
}
"""The bonuses, what else scores besides routes and tickets, and what decides ties after completed tickets."""

ALL_LEAVE = ("nordic", "switzerland")
"""NO2, SW2: where all refused tickets leave the game, also later ones."""

every_game = pytest.mark.parametrize("game", MAP_GAMES)
every_number_of_players = pytest.mark.parametrize(
    ("game", "players"), [(game, players) for game, page in PAGES.items() for players in page.players]
)
with_long_tickets = pytest.mark.parametrize("game", LONG)


@pytest.mark.parametrize("game", [*PAGES, "card_game"])
def test_so_many_players_may_play(game: str) -> None:
    """US1, NY1, UK1, PA1, LA1, EU1, TA1, IN1, NO1, SW1, CG1; the message says how many."""
    allowed = PAGES[game].players if game in PAGES else (2, 3, 4)
    for players in allowed:
        assert configure(game, players).num_players == players
    named = "4.*6" if game == "team_asia" else f"from {allowed[0]} to {allowed[-1]}"
    for players in {*range(9)} - {*allowed}:
        with pytest.raises(ValueError, match=f"num_players of {game} must be .*{named}, not {players}"):
            configure(game, players)


@every_number_of_players
def test_trains_hands_and_face_up_cards_at_the_start(game: str, players: int) -> None:
    """US1, NY1, UK1, PA1, LA1, EU1, TA1, TA3, IN1, NO1, SW1, C1, C3, C5: nothing else, no points either."""
    page, table = PAGES[game], deal(players, variant=game)
    everywhere = count(table.deck) + count(table.discard) + count(table.face_up_cards)
    assert table.games.num_players == players
    for seat, player in enumerate(table.snapshot["players"]):
        assert (table.trains(seat), count(table.hand(seat)).sum(), table.score(seat)) == (page.trains, page.hand, 0)
        assert not player.get("stations")
        assert not player.get("technologies")
        assert not any(player.get("shares", {}).values())
        everywhere += count(table.hand(seat))
    assert dict(zip(CARDS, everywhere, strict=True)) == page.cards
    assert count(table.face_up_cards).sum() == 5
    for team, _ in enumerate(table.snapshot.get("teams", [])):
        assert (table.rack(team), table.rack_tickets(team)) == ("", set())


@every_number_of_players
def test_starting_tickets_are_offered_to_every_player(game: str, players: int) -> None:
    """US2, NY2, UK3, PA2, LA2, EU2, TA4, IN2, NO2, SW2: of long ones, where there are any, one.

    Each ticket is there once, or twice (SW8).
    """
    long, twice = LONG.get(game, set()), TWICE.get(game, set())
    for seed in range(5):
        table = deal(players, seed=seed, variant=game)
        offered = [table.offered(seat) for seat in range(players)]
        assert [len(tickets) for tickets in offered] == [PAGES[game].starting[0]] * players
        assert [len(long.intersection(tickets)) for tickets in offered] == [bool(long)] * players
        everywhere = Counter([*itertools.chain(*offered), *table.ticket_deck])
        assert {ticket for ticket, number in everywhere.items() if number == 2} == twice
        assert max(everywhere.values()) <= 2
        assert everywhere.total() - len(long.intersection(everywhere)) == PAGES[game].tickets
        assert long.isdisjoint(table.ticket_deck)


@every_game
def test_the_score_has_these_parts_and_ties_go_by_completed_tickets_and_then_these_criteria(game: str) -> None:
    """US4, NY5, NY6, UK10, UK13, PA6, PA9, LA6, LA7, EU8, EU9, TA12, IN5, IN7, NO9, NO10, SW9, SW10: no others.

    What they mean is tested once each: as C17, C18, US4, US5, NY5, LA6, LA7 and EU9. Two trains or fewer trigger the
    last round (C15), in Team Asia four of a team together (TA11).
    """
    bonuses, others, criteria = SCORED[game]
    variant, table = load_map(game), ended(PAGES[game].players[0], variant=game)
    assert variant.ticket_decks[variant.default_ticket_deck].bonuses == bonuses
    assert {*table.final(0)["breakdown"]} == {"routes", "tickets", *bonuses, *others}
    assert variant.tie_breaks == ("completed_tickets", *criteria)
    assert variant.last_round_trains == (4 if game == "team_asia" else 2)


def choices(offered: int, keep: int) -> Iterator[tuple[bool, ...]]:
    """Which of the offered tickets are kept: all choices that there are."""
    return (kept for kept in itertools.product([True, False], repeat=offered) if sum(kept) >= keep)


def decide(table: Table, seat: int, kept: Sequence[bool]) -> None:
    """Let a seat keep some tickets; the game keeps those that must be kept."""
    for keep in kept:
        if (table.phase, table.to_move) == ("keep_ticket", seat):
            assert table.legal == {"keep_ticket", "refuse_ticket"}
            table.play("keep_ticket" if keep else "refuse_ticket")


@every_game
def test_enough_starting_tickets_are_kept_and_refused_ones_go_under_the_deck_or_leave_the_game(game: str) -> None:
    """US2, NY2, UK3, PA2, TA4, IN2, C5 (ruling): seat by seat, in the order offered.

    LA2, EU2, NO2, SW2: they leave the game.
    """
    seats = range(PAGES[game].players[0])
    for kept in choices(*PAGES[game].starting):
        table = deal(len(seats), variant=game)
        below, offered = table.ticket_deck, [table.offered(seat) for seat in seats]
        for seat in seats:
            decide(table, seat, kept)
        chosen = [sorted(itertools.compress(own, kept)) for own in offered]
        assert [table.every_ticket(seat) for seat in seats] == chosen
        refused = [ticket for own in offered for ticket, keep in zip(own, kept, strict=True) if not keep]
        assert table.ticket_deck == (below if game in LONG or game in ALL_LEAVE else [*below, *refused])


@every_game
def test_later_tickets_are_drawn_from_the_top_and_refused_ones_go_under_the_deck_or_leave_the_game(game: str) -> None:
    """US2, NY2, UK3, PA2, LA2, EU2, TA7, IN2, C12: at least one is kept, the last automatically.

    NO2, SW2: refused ones leave the game.
    """
    number, keep = PAGES[game].later
    for kept in choices(number, keep):
        table = situation(PAGES[game].players[0], variant=game)
        deck = table.ticket_deck
        assert len(deck) == PAGES[game].tickets
        table.play("draw_tickets")
        assert table.offered(0) == deck[:number]
        decide(table, 0, kept)
        held = {*itertools.compress(deck, kept)}
        refused = [ticket for ticket in deck[:number] if ticket not in held]
        assert table.ticket_deck == [*deck[number:], *(refused if game not in ALL_LEAVE else [])]
        if table.phase == "share":  # with one ticket there is no choice (TA7)
            table.play(min(table.legal))
        assert (table.phase, table.to_move) == ("turn", 1)
        assert table.tickets(0) | (table.rack_tickets(0) if game == "team_asia" else set()) == held


@with_long_tickets
def test_starting_tickets_are_dealt_from_two_shuffled_decks(game: str) -> None:
    """LA2, EU2, C5: in 200 deals every seat is offered every long and every regular ticket."""
    for seat in (0, 1):
        offered = {ticket for seed in range(200) for ticket in deal(seed=seed, variant=game).offered(seat)}
        assert len(offered) == PAGES[game].tickets + len(LONG[game])


def doubles(game: str) -> list[tuple[str, str]]:
    """The double routes of a map, in both orders."""
    tracks = Counter((it.a, it.b) for it in load_map(game).routes if not it.separate)
    pairs = [(route_name(a, b), route_name(a, b, 1)) for (a, b), number in tracks.items() if number == 2]
    return [order for pair in pairs for order in (pair, pair[::-1])]


@pytest.mark.parametrize(
    ("game", "players"),
    [
        (game, players)
        for game, page in PAGES.items()
        if game != "team_asia"  # TA9
        for players in sorted({2, page.closed_up_to, page.closed_up_to + 1} & {*page.players})
    ],
)
def test_with_few_players_one_claimed_route_closes_a_double_route(game: str, players: int) -> None:
    """US3, NY3, UK4, PA1, PA3, LA3, EU3, IN3, NO3, SW3, C11: of every pair.

    In larger games another player may claim the other. The hand has enough cards for every route.
    """
    openers = [it.id for it in load_map(game).all_technologies if not it.effect]
    hand = ", ".join([*(f"8 {colour}" for colour in load_map(game).colours), "8 locomotive"])
    is_open = players > PAGES[game].closed_up_to
    for claimed, other in doubles(game):
        for seat in {0, 1, players - 1}:
            table = situation(
                players,
                variant=game,
                hands=[*[""] * seat, hand],
                deck="",
                routes=[[claimed]],
                technologies=[openers] * players,
                to_move=seat,
            )
            assert claimed not in table.claims
            assert (other in table.claims) is (is_open and seat > 0)
