"""The rules of Pennsylvania (PA3-PA5, PA8). PA7 is tested with the common rules, the others in `test_set_up`."""

import math
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from t2r_env import Games
from t2r_env.rules.map_game.records import NEUTRAL
from tests.helpers.maps import load_map
from tests.helpers.referee import share_points
from tests.helpers.situations import Table, configuration, end, ended, put, route_name, situation

COMPANIES = {
    "prr": (15, [30, 21, 14, 9, 6]),
    "bo": (10, [20, 14, 9, 5, 2]),
    "erl": (8, [16, 10, 5, 1]),
    "rdg": (7, [14, 9, 5]),
    "lv": (6, [12, 7, 3]),
    "nyc": (5, [10, 6, 3]),
    "wm": (4, [9, 5]),
    "jcl": (3, [8, 5]),
    "brp": (2, [7, 4]),
}
"""The number of shares of each company, and what it pays for each place."""


def game(players: int = 3, **more: Any) -> Table:
    """A game at the beginning of a turn."""
    return situation(players, variant="pennsylvania", **more)


def scored(players: int = 3, **more: Any) -> Table:
    """A game that has just ended."""
    return ended(players, variant="pennsylvania", **more)


def shares_of(company: str, *numbers: int) -> list[str]:
    """Shares of one company; all of them if no number is given."""
    return [f"{company} {number}" for number in numbers or range(1, COMPANIES[company][0] + 1)]


FERRIES = ["buffalo-ontario_buffalo", "buffalo-ontario_buffalo 1", "erie-ontario_erie", "erie-ontario_erie 1"]


def test_pa3_only_the_four_routes_to_ontario_are_ferries() -> None:
    """PA3, C14."""
    routes = load_map("pennsylvania").routes
    assert sorted(route_name(it.a, it.b, it.track) for it in routes if it.ferry) == FERRIES


@pytest.mark.parametrize(
    ("routes", "points"),
    [
        *[([ferry, "buffalo-warren"], 5) for ferry in FERRIES[:2]],
        *[([ferry, "erie-warren"], 5) for ferry in FERRIES[2:]],
        (["buffalo-warren", "erie-warren"], -5),  # which are not in Ontario
        (["erie-ontario_erie", "buffalo-ontario_buffalo", "buffalo-warren"], 5),
    ],
)
def test_pa3_a_ticket_to_ontario_is_met_by_either_port(routes: list[str], points: int) -> None:
    """PA3, C16: through Buffalo or Erie, by either of the parallel routes."""
    assert scored(routes=[routes], holds=[["ontario-warren"]]).parts("tickets") == [points, 0, 0]


def test_pa3_the_two_ports_are_not_joined() -> None:
    """PA3, C16: no path leads from Buffalo through Ontario to Erie and on to Pittsburgh."""
    through_ontario = ["buffalo-ontario_buffalo", "erie-ontario_erie", "erie-youngstown", "pittsburgh-youngstown"]
    table = scored(routes=[through_ontario], holds=[["buffalo-pittsburgh", "ontario-pittsburgh"]])
    assert table.final(0)["completed"] == [["ontario", "pittsburgh", 10]]
    assert table.final(0)["failed"] == [["buffalo", "pittsburgh", 10]]


def test_pa4_sixty_shares_of_nine_companies() -> None:
    """PA4: numbered from 1 in each."""
    assert sum(shares for shares, _ in COMPANIES.values()) == 60
    left = game().snapshot["companies"]
    assert left == {company: list(range(1, shares + 1)) for company, (shares, _) in COMPANIES.items()}


def test_pa4_the_claimer_of_oil_city_warren_may_take_a_share_of_three_companies_or_none() -> None:
    """PA4: the rulebook's example."""
    table = game(hands=["2 orange"])
    table.play("claim oil_city-warren")
    assert (table.phase, table.to_move) == ("take_share", 0)
    assert table.legal == {"take_share prr", "take_share bo", "take_share erl", "take_share none"}
    table.play("take_share prr")
    assert [table.shares(seat) for seat in range(3)] == [{"prr 1"}, set(), set()]
    assert table.snapshot["companies"]["prr"] == list(range(2, 16))
    assert (table.phase, table.to_move) == ("turn", 1)


def test_pa4_shares_are_taken_in_the_order_of_their_numbers() -> None:
    """PA4: whoever takes them, and separately for each company; the lowest left, whichever were taken before."""
    table = game(hands=["1 yellow, 2 green", "1 black", "2 orange"], shares=[[], shares_of("prr", 2, 4)])
    table.play("claim altoona-johnstown", "take_share prr")
    table.play("claim harrisburg-york", "take_share prr")
    table.play("claim oil_city-warren", "take_share bo")
    table.play("claim pittsburgh-wheeling", "take_share prr")
    assert table.shares(0) == {"prr 1", "prr 5"}
    assert table.shares(1) == {"prr 2", "prr 3", "prr 4"}
    assert table.shares(2) == {"bo 1"}


def test_pa4_a_company_sold_out_cannot_be_chosen() -> None:
    """PA4: another one shown on the route may be, whoever holds the shares; if none is left there is no decision."""
    for players in (2, 3):
        table = game(players, hands=["2 orange"], shares=[shares_of("erl"), shares_of("prr")])
        table.play("claim oil_city-warren")
        assert table.legal == {"take_share bo", "take_share none"}
        shares = [shares_of("erl"), [*shares_of("prr"), *shares_of("bo")]]
        table = game(players, hands=["2 orange"], shares=shares)
        table.play("claim oil_city-warren")
        assert (table.phase, table.to_move, table.shares(0)) == ("turn", 1, set(shares_of("erl")))


def test_pa4_the_share_is_chosen_after_the_route_is_paid_and_scored() -> None:
    """PA4, C9 (ruling): pay, place trains, points, discard with C2-C4, share, end of turn."""
    table = game(hands=["2 orange, 1 locomotive"], face_up="red, -, red, red, red", deck="")
    table.play("claim oil_city-warren")
    assert table.phase == "pay"
    assert (table.routes(0), table.score(0), table.discard) == (set(), 0, "")
    table.play("pay 2 orange")
    assert (table.phase, table.to_move, table.snapshot["turn"]) == ("take_share", 0, 1)
    assert (table.routes(0), table.trains(0), table.score(0)) == ({"oil_city-warren"}, 43, 2)
    assert (table.face_up, table.deck, table.discard) == ("red, orange, red, red, red", "1 orange", "")
    table.play("take_share bo")
    assert (table.phase, table.to_move, table.snapshot["turn"]) == ("turn", 1, 2)


@pytest.mark.parametrize("company", ["erl", "none"])
def test_pa4_the_last_round_begins_and_ends_once_the_share_is_chosen(company: str) -> None:
    """PA4, C9 (ruling), C15: each seat has one more turn. A share taken in the last turn counts (PA5)."""
    table = game(hands=["2 orange"], trains=[4])
    table.play("claim oil_city-warren")
    assert (table.phase, table.trains(0), table.snapshot["last_turns_left"]) == ("take_share", 2, None)
    table.play(f"take_share {company}")
    assert (table.to_move, table.snapshot["last_turns_left"]) == (1, 3)
    table = game(hands=["2 orange"], last_turns_left=1)
    table.play("claim oil_city-warren")
    assert (table.phase, table.outcome) == ("take_share", "running")
    table.play(f"take_share {company}")
    assert (table.outcome, table.scores) == ("finished", [2 + (16 if company == "erl" else 0), 0, 0])


def test_pa4_nobody_knows_before_the_end_which_neutral_shares_will_count() -> None:
    """PA4, PA8, C20: determinized, any half of the four may be revealed; the snapshot does not show it."""
    table = game(2, neutral_shares=shares_of("bo", 1, 2, 3, 4), last_turns_left=1)
    assert table.snapshot["revealed_shares"] is None
    revealed = set()
    for seed in range(60):
        guess = Table(table.games.clone())
        put(guess.games, guess.games.determinize([0], [seed]))
        assert guess.games.observations.tolist() == table.games.observations.tolist()
        revealed.add(frozenset(end(guess).revealed_shares))
    assert len(revealed) == 6


@pytest.mark.parametrize(
    ("shares", "points"),
    [
        # by number
        ([["erl 7"], ["erl 4", "erl 5", "erl 6"], ["erl 2", "erl 3"], []], [5, 16, 10, 0]),
        # equal numbers: by the lowest share
        ([["nyc 2", "nyc 3"], ["nyc 1", "nyc 5"], ["nyc 4"]], [6, 10, 3]),
        ([["bo 5"], ["bo 4"], ["bo 3"], ["bo 2"], ["bo 1"]], [2, 5, 9, 14, 20]),
        # more holders than places
        ([["rdg 7"], ["rdg 2", "rdg 3", "rdg 4"], ["rdg 5", "rdg 6"], ["rdg 1"]], [0, 14, 9, 5]),
        # several companies, each by itself
        ([["prr 1", "lv 1"], ["lv 2", "lv 3", "wm 4"], ["wm 1"], ["jcl 3"]], [30 + 7, 12 + 5, 9, 8]),
    ],
)
def test_pa5_companies_pay_their_holders_by_place(shares: list[list[str]], points: list[int]) -> None:
    """PA5: by number of shares, then by the lowest of them."""
    table = scored(len(shares), shares=shares)
    assert table.parts("shares") == table.scores == points


def random_holdings(rng: random.Random) -> list[list[str]]:
    """Random holdings of three: few or many shares, the lowest of each company first, spread more or less evenly."""
    held: list[list[str]] = [[], [], []]
    busy = [rng.random() for _ in held]
    for company, (shares, _) in COMPANIES.items():
        for taken in range(rng.randint(0, shares)):
            rng.choices(held, busy)[0].append(f"{company} {taken + 1}")
    return held


def test_pa8_a_player_who_takes_a_share_chooses_one_of_the_same_route_for_the_neutral_player() -> None:
    """PA8: the top share of any of its companies, including the one just chosen; it can't be declined."""
    for company, expected in (("prr", "prr 2"), ("bo", "bo 1"), ("erl", "erl 1")):
        table = game(2, hands=["2 orange"])
        table.play("claim oil_city-warren", "take_share prr")
        assert (table.phase, table.to_move, table.snapshot["turn"]) == ("neutral_share", 0, 1)
        assert table.legal == {"neutral_share prr", "neutral_share bo", "neutral_share erl"}
        assert (table.shares(0), table.neutral_shares) == ({"prr 1"}, set())
        table.play(f"neutral_share {company}")
        assert (table.shares(0), table.shares(1), table.neutral_shares) == ({"prr 1"}, set(), {expected})
        assert (table.phase, table.to_move, table.snapshot["turn"]) == ("turn", 1, 2)


def test_pa8_a_player_who_declines_a_share_chooses_none_for_the_neutral_player() -> None:
    table = game(2, hands=["2 orange"])
    table.play("claim oil_city-warren", "take_share none")
    assert (table.phase, table.to_move, table.neutral_shares) == ("turn", 1, set())


def test_pa8_the_neutral_player_gets_no_share_of_a_company_sold_out() -> None:
    """PA8: even if the player has just taken its last share; none at all if it was the route's last one."""
    shares = [[], [*shares_of("bo"), *shares_of("erl", *range(1, 8))]]
    table = game(2, hands=["4 red"], shares=shares)
    table.play("claim buffalo-coudersport", "take_share erl")
    assert table.neutral_shares == {"prr 1"}
    table = game(2, hands=["4 green"], shares=shares)
    table.play("claim buffalo-warren", "take_share erl")
    assert table.legal == {"neutral_share prr", "neutral_share brp"}
    table = game(2, hands=["2 purple"], shares=[[], shares_of("rdg", *range(1, 7))])
    table.play("claim harrisburg-reading", "take_share rdg")
    assert (table.phase, table.to_move) == ("turn", 1)
    assert (table.shares(0), table.neutral_shares) == ({"rdg 7"}, set())


def test_pa8_the_last_round_begins_and_ends_once_the_neutral_players_share_is_chosen() -> None:
    """PA8, C9 (ruling), C15: in the last turn it counts. It is the only one, and takes the place before another."""
    table = game(2, hands=["2 orange"], trains=[4])
    table.play("claim oil_city-warren", "take_share erl")
    assert (table.phase, table.snapshot["last_turns_left"]) == ("neutral_share", None)
    table.play("neutral_share bo")
    assert (table.to_move, table.snapshot["last_turns_left"]) == (1, 2)
    table = game(2, hands=["2 orange"], shares=[[], ["bo 2"]], last_turns_left=1)
    table.play("claim oil_city-warren", "take_share erl", "neutral_share bo")
    assert (table.outcome, table.revealed_shares) == ("finished", {"bo 1"})
    assert table.parts("shares") == [16, 14]


def test_pa8_a_player_with_3_the_neutral_with_2_and_the_other_with_1_get_20_and_9() -> None:
    """PA8: the rulebook's example; of three neutral shares two are revealed."""
    for shares, points in (
        ([["bo 1", "bo 2", "bo 3"], ["bo 7"]], [20, 9]),
        ([["bo 7"], ["bo 1", "bo 2", "bo 3"]], [9, 20]),
    ):
        table = scored(2, shares=shares, neutral_shares=["bo 4", "bo 5", "bo 6"])
        assert len(table.revealed_shares) == 2
        assert table.parts("shares") == points
        assert table.scores == points


def test_pa8_random_holdings_are_paid_as_the_referee_says() -> None:
    """PA8, PA5: half of the neutral player's shares, rounded up, are revealed and compete with the players'."""
    rng = random.Random(8)
    for _ in range(200):
        *own, neutral = random_holdings(rng)
        table = scored(2, shares=own, neutral_shares=neutral)
        assert table.revealed_shares <= {*neutral}
        assert len(table.revealed_shares) == (len(neutral) + 1) // 2
        held = [player["shares"] for player in table.snapshot["players"]] + [table.snapshot["revealed_shares"]]
        assert table.parts("shares") == [share_points(load_map("pennsylvania"), held, seat) for seat in (0, 1)]


@pytest.mark.parametrize(("number", "revealed"), [(2, 1), (4, 2), (5, 3)])
def test_pa8_all_halves_are_equally_likely(number: int, revealed: int) -> None:
    """PA8: in 3,000 games each of 2, 6 or 10 halves is revealed equally often, within five standard deviations."""
    neutral = ["prr 3", "bo 1", "bo 2", "wm 4", "brp 2"][:number]
    games = Games(configuration("pennsylvania", 2), batch=3000, seed=0, autoreset=False, observe=False)
    states = np.repeat(game(2, neutral_shares=neutral, last_turns_left=1).games.states, 3000)
    states["rng"] = games.states["rng"]
    put(games, states)
    for _ in range(2):
        games.step(np.full(3000, games.layout.actions["draw_deck"].start))
    assert np.all(games.terminated)
    held, times = int(games.states["shares"][0, NEUTRAL]), Counter(games.states["revealed_shares"].tolist())
    assert all(half | held == held and half.bit_count() == revealed for half in times)
    assert len(times) == math.comb(number, revealed)
    probability = 1 / len(times)
    most = 5 * math.sqrt(3000 * probability * (1 - probability))
    assert all(abs(found - 3000 * probability) < most for found in times.values())
