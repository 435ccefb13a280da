"""Standings: shares of wins, strengths, head to head, means and rankings, each from made-up games."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.rankings import alpha_rank, find_cycle, margins_of, maximal_lottery, rank
from t2r_agents.comparing.tournament.ratings import games_of, head_to_head, points_by_deal, strengths, wilson_interval
from t2r_agents.comparing.tournament.standings import compute_standings


def entry(**changes: Any) -> Entry:
    parts = {"routes": 30, "tickets": -20}
    where: dict[str, Any] = {"deal": 0, "seed": 0, "game": 0, "seat": 0, "agent": "random", "forfeit": ""}
    result = {"outcome": "finished", "win": 0.0, "rank": 2, "score": 10, "completed": 1, "failed": 2, "parts": parts}
    fields = where | result | {"turns": 80, "decisions": 50, "seconds": 0.5}
    return Entry(**(fields | changes))


def games(*places: Sequence[tuple[str, int]], team_size: int = 1, games_of_a_deal: int = 1) -> list[Entry]:
    """Games in which these agents took these ranks, seat by seat."""
    return [
        entry(deal=game // games_of_a_deal, game=game, seat=seat, agent=agent, rank=rank, win=float(rank == 1))
        for game, teams in enumerate(places)
        for seat, (agent, rank) in enumerate([team for team in teams for _ in range(team_size)])
    ]


A_WINS, B_WINS, TIE = [("a", 1), ("b", 2)], [("a", 2), ("b", 1)], [("a", 1), ("b", 1)]
B_BEATS_C, C_BEATS_B = [("b", 1), ("c", 2)], [("c", 1), ("b", 2)]


def strengths_of(entries: list[Entry], agents: str) -> list[Any]:
    """The strengths of agents whose names are letters."""
    return strengths(points_by_deal(games_of(entries, 1), [*agents]))


# Means and shares


def test_a_standing_counts_games_and_takes_means_and_on_all_seats_has_the_share_of_a_seat() -> None:
    entries = [
        entry(),
        entry(seat=1, agent="b", win=1.0, rank=1, score=50),
        entry(game=1, win=0.5, rank=1, score=30),
        entry(game=1, seat=1, agent="b", win=0.5, rank=1, score=30),
    ]
    first, second = compute_standings(entries).agents
    assert (first.agent, first.games, first.wins.value, first.score) == ("b", 2, 0.75, 40)
    assert (second.agent, second.games, second.wins.value, second.score) == ("random", 2, 0.25, 20)
    assert second.parts == {"routes": 30, "tickets": -20}
    assert (second.completed, second.failed, second.turns) == (1, 2, 80)
    assert second.decisions_per_second == 100
    (standing,) = compute_standings([entry(win=0.5, rank=1), entry(win=0.5, rank=1, seat=1)]).agents
    assert (standing.games, standing.wins.value) == (1, 0.5)


def without_points(game: int, outcome: str, rank: int, forfeit: str = "") -> list[Entry]:
    """A game without points: its first seat, which may have forfeited it, and its second."""
    both = {"game": game, "outcome": outcome, "rank": rank, "score": 0, "turns": 3}
    return [entry(forfeit=forfeit, **both), entry(seat=1, agent="b", **both)]


def test_games_that_were_not_played_to_their_end_count_as_games_but_not_for_the_means() -> None:
    """C19."""
    truncated, forfeited = without_points(1, "truncated", 0), without_points(2, "forfeited", 1, "RuntimeError")
    played = [entry(score=30, rank=1), entry(score=20, seat=1, agent="b")]
    standings = compute_standings([*played, *truncated, *forfeited])
    (standing,) = (it for it in standings.agents if it.agent == "random")
    told = (standing.games, standing.score, standing.turns, standing.forfeits, standings.truncated)
    assert told == (3, 30, 80, 1, 1)
    assert games_of(truncated, 1) == []  # nor for strengths
    for nothing in compute_standings([*truncated, *forfeited]).agents:
        assert (nothing.score, nothing.completed, nothing.turns) == (None, None, None)


def test_forfeits_are_counted_by_reason() -> None:
    games = [without_points(game, "forfeited", 2, reason) for game, reason in enumerate(("late", "ill", "late"))]
    forfeits = compute_standings([seat for game in games for seat in game]).forfeits
    told = [(line.agent, line.reason, line.games, line.first) for line in forfeits]
    assert told == [("random", "late", 2, 0), ("random", "ill", 1, 1)]


def test_the_interval_is_wilsons_and_counts_deals_not_games() -> None:
    """The published example: 0 of 10 gives 0 to 27.8 %; 5 of 10 gives 23.7 % to 76.3 %."""
    for share, low, high in ((0.0, 0.0, 0.2775), (0.5, 0.2366, 0.7634), (1.0, 0.7225, 1.0)):
        interval = wilson_interval(share, 10)
        assert (interval.value, interval.low, interval.high) == pytest.approx((share, low, high), abs=1e-4)
    for standing in compute_standings(games(A_WINS, B_WINS, A_WINS, B_WINS, games_of_a_deal=4)).agents:
        assert standing.wins == wilson_interval(0.5, 1)


# Head to head


def test_head_to_head_is_the_share_of_points_of_those_who_met_teams_as_one_and_nobody_itself() -> None:
    standings = compute_standings(games(A_WINS, A_WINS, TIE, B_WINS))
    assert [standing.agent for standing in standings.agents] == ["a", "b"]
    (none, of_a), (of_b, _) = standings.head_to_head
    assert none is None
    assert of_a == wilson_interval(5 / 8, 4)
    assert of_b == wilson_interval(3 / 8, 4)
    (points,) = points_by_deal(games_of(games([("a", 1), ("b", 2), ("c", 2)]), 1), ["a", "b", "c"])
    assert points.tolist() == [[0, 1, 1], [0, 0, 0.5], [0, 0.5, 0]]
    (points,) = points_by_deal(games_of(games([("a", 1), ("a", 2), ("b", 3)], team_size=2), 2), ["a", "b"])
    assert points.tolist() == [[0, 2], [0, 0]]


# Strengths


NINETY_OF_A_HUNDRED = [A_WINS] * 90 + [B_WINS] * 10


def test_strengths_lie_on_the_elo_scale_also_of_agents_that_are_compared_through_others() -> None:
    """Odds of ten to one are 400 points; the tie added for each pair takes a little off."""
    strong, weak = strengths_of(games(*NINETY_OF_A_HUNDRED), "ab")
    assert strong.value - weak.value == pytest.approx(400 * math.log10(90.5 / 10.5), abs=0.1)
    assert strong.value + weak.value == pytest.approx(3000)
    a, b, c = strengths_of(games(*[A_WINS, B_BEATS_C] * 6, *[B_WINS, C_BEATS_B] * 3), "abc")
    lead = 400 * math.log10(6.5 / 3.5)
    assert (a.value - b.value, b.value - c.value) == pytest.approx((lead, lead), abs=0.1)


def test_strengths_have_intervals_from_resampled_deals_the_same_for_the_same_games() -> None:
    """The games of a deal count as one: the fewer deals, the wider."""
    entries = games(*NINETY_OF_A_HUNDRED)
    alone, tens = (strengths_of(games(*NINETY_OF_A_HUNDRED, games_of_a_deal=it), "ab")[0] for it in (1, 10))
    assert tens.value == pytest.approx(alone.value)
    assert tens.low < alone.low < alone.value < alone.high < tens.high
    assert compute_standings(entries) == compute_standings(entries)


def test_strengths_stay_finite_for_who_wins_everything_or_meets_nobody() -> None:
    entries = [*games(*[A_WINS] * 50), *(entry(deal=99, game=99, seat=seat, agent="c") for seat in range(2))]
    a, b, c = strengths_of(entries, "abc")
    assert 0 < b.value < 1500 < a.value < 3000
    assert c.value == pytest.approx(1500)
    a, b, c = strengths_of(games(*[A_WINS] * 20, *[B_BEATS_C, C_BEATS_B] * 10), "abc")
    assert a.low == a.value == a.high  # how much better it is, nothing tells
    assert b.low < b.value < b.high


def test_the_order_of_the_games_changes_nothing_and_who_wins_more_is_never_behind() -> None:
    """30 wins each rate evenly, whether they come in turn or those of one agent first, as do ties."""
    in_turn, in_blocks = games(*[A_WINS, B_WINS] * 30), games(*[A_WINS] * 30, *[B_WINS] * 30)
    for entries in (in_turn, in_blocks, in_blocks[::-1], games(*[TIE] * 50)):
        for standing in compute_standings(entries).agents:
            assert standing.strength.value == pytest.approx(1500)
    assert compute_standings(games(*[B_WINS] * 39, *[A_WINS] * 61)).agents[0].agent == "a"
    tied, also, loser = compute_standings(games(*[[("a", 1), ("b", 1), ("c", 3)]] * 50)).agents
    assert loser.agent == "c"
    assert tied.strength.value == pytest.approx(also.strength.value, abs=0.01)


# Rankings that do not depend on who else takes part

ROCK_PAPER_SCISSORS = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0.0]])
ONE_AFTER_THE_OTHER = np.array([[0, 0.2, 0.3], [-0.2, 0, 0.1], [-0.3, -0.1, 0]])


@pytest.mark.parametrize("agents", [3, 6, 15])
def test_a_maximal_lottery_loses_to_no_agent(agents: int) -> None:
    """Whatever loses to none is one, and of margins without ties there is one only."""
    rng = np.random.default_rng(agents)
    for _ in range(20):
        given = rng.uniform(-1, 1, (agents, agents))
        margins = (given - given.T) / 2
        lottery = maximal_lottery(margins)
        assert lottery.sum() == pytest.approx(1)
        assert (lottery >= 0).all()
        assert (lottery @ margins >= -1e-6).all()


def test_who_beats_all_others_has_all_of_both_rankings_and_equals_have_equal_parts() -> None:
    assert np.allclose(maximal_lottery(ONE_AFTER_THE_OTHER), [1, 0, 0], atol=1e-6)
    assert np.allclose(alpha_rank(ONE_AFTER_THE_OTHER), [1, 0, 0], atol=1e-6)
    for margins in (ROCK_PAPER_SCISSORS, 0.1 * ROCK_PAPER_SCISSORS, np.zeros((3, 3))):
        assert np.allclose(maximal_lottery(margins), 1 / 3)
        assert np.allclose(alpha_rank(margins), 1 / 3)


def test_alpha_rank_is_the_stationary_distribution_of_spreading_agents() -> None:
    """Two agents alone: the flows between them are equal, and each is a probability of fixation."""
    margin, intensity, population = 0.004, 10.0, 50
    x = margin * intensity
    up, down = ((1 - np.exp(-it)) / (1 - np.exp(-population * it)) for it in (x, -x))
    better, worse = alpha_rank(np.array([[0, margin], [-margin, 0]]))
    assert better + worse == pytest.approx(1)
    assert worse * up == pytest.approx(better * down)


def test_copies_of_an_agent_share_its_part_and_weak_agents_change_nothing_but_elo_moves() -> None:
    """Elo asks how weak the others are; a lottery and alpha-rank do not."""
    points = np.array([[[0, 12, 6, 20], [8, 0, 13, 20], [14, 7, 0, 11], [0, 0, 9, 0.0]]])
    three, four = (margins_of(points[0, :agents, :agents]) for agents in (3, 4))
    for ranking in (maximal_lottery, alpha_rank):
        assert np.allclose(ranking(four)[:3], ranking(three), atol=1e-6)
        assert ranking(four)[3] == pytest.approx(0, abs=1e-6)
    order = [
        sorted(range(3), key=lambda index: -fitted[index].value)
        for fitted in (strengths(points[:, :3, :3]), strengths(points))
    ]
    assert order[0] != order[1]
    copied = np.array([0, 1, 2, 2])
    assert np.allclose(maximal_lottery(three[copied][:, copied])[2:], maximal_lottery(three)[2] / 2, atol=1e-6)


def test_rankings_need_three_agents_that_have_all_met_and_have_intervals_over_deals() -> None:
    """A cycle that noise explains, as of six deals, is not marked."""
    deals = np.zeros((40, 3, 3))
    for deal in range(40):  # 0 beats 1 always, 1 beats 2 always, 2 beats 0 in three of four
        deals[deal, 0, 1] = deals[deal, 1, 2] = 2
        deals[deal, *((2, 0) if deal % 4 else (0, 2))] = 2
    found = rank(deals, head_to_head(deals))
    assert found is not None
    assert [round(share.value, 3) for share in found.lottery] == [0.4, 0.2, 0.4]
    for share in (*found.lottery, *found.alpha_rank):
        assert 0 <= share.low <= share.value <= share.high <= 1
    assert found.lottery[1].high > found.lottery[1].low
    assert found.cycle == [0, 1, 2]
    cycle = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0.0]])
    noisy = np.stack([cycle if deal % 3 else cycle.T for deal in range(6)])
    by_chance = rank(noisy, head_to_head(noisy))
    assert by_chance is not None
    assert by_chance.cycle == []
    assert rank(deals[:, :2, :2], head_to_head(deals[:, :2, :2])) is None
    deals[:, 0, 2] = deals[:, 2, 0] = 0
    assert rank(deals, head_to_head(deals)) is None


def test_the_shortest_cycle_is_found_and_none_where_there_is_none() -> None:
    beats = [[False] * 5 for _ in range(5)]
    for one, other in ((0, 1), (1, 2), (2, 3), (3, 0), (1, 4), (4, 3), (3, 1)):
        beats[one][other] = True
    assert find_cycle(beats) == [1, 2, 3]
    beats[3] = [False] * 5
    assert find_cycle(beats) == []
