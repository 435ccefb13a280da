"""Standings: shares of wins, strengths, head to head, and means, each from made-up games."""

import math
from collections.abc import Sequence
from typing import Any

import pytest

from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.ratings import games_of, points_by_deal, strengths, wilson_interval
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


def without_points(**changes: Any) -> list[Entry]:
    """A game without points: its first seat with these changes, and its second."""
    outcome = {"outcome": changes["outcome"], "rank": changes["rank"], "game": changes["game"], "score": 0, "turns": 3}
    return [entry(**changes | outcome), entry(seat=1, agent="b", **outcome)]


def test_games_that_were_not_played_to_their_end_count_as_games_but_not_for_the_means() -> None:
    """C19."""
    truncated = without_points(game=1, outcome="truncated", rank=0)
    forfeited = without_points(game=2, outcome="forfeited", rank=1, forfeit="RuntimeError")
    played = [entry(score=30, rank=1), entry(score=20, seat=1, agent="b")]
    standings = compute_standings([*played, *truncated, *forfeited])
    standing = next(standing for standing in standings.agents if standing.agent == "random")
    assert (standing.games, standing.score, standing.turns, standing.forfeits) == (3, 30, 80, 1)
    assert standings.truncated == 1
    for nothing in compute_standings([*truncated, *forfeited]).agents:
        assert (nothing.score, nothing.completed, nothing.turns) == (None, None, None)


def test_forfeits_are_counted_by_reason() -> None:
    reasons = ["late", "ill", "late"]
    entries = [
        without_points(game=game, outcome="forfeited", rank=2, forfeit=reason) for game, reason in enumerate(reasons)
    ]
    forfeits = compute_standings([seat for game in entries for seat in game]).forfeits
    assert [(line.agent, line.reason, line.games, line.first) for line in forfeits] == [
        ("random", "late", 2, 0),
        ("random", "ill", 1, 1),
    ]


def test_the_interval_is_wilsons_and_counts_deals_not_games() -> None:
    """The published example: 0 of 10 gives 0 to 27.8 %; 5 of 10 gives 23.7 % to 76.3 %."""
    for share, low, high in ((0.0, 0.0, 0.2775), (0.5, 0.2366, 0.7634), (1.0, 0.7225, 1.0)):
        interval = wilson_interval(share, 10)
        assert (interval.value, interval.low, interval.high) == pytest.approx((share, low, high), abs=1e-4)
    for standing in compute_standings(games(A_WINS, B_WINS, A_WINS, B_WINS, games_of_a_deal=4)).agents:
        assert standing.wins == wilson_interval(0.5, 1)


# Head to head


def test_head_to_head_is_the_share_of_points_of_those_who_met() -> None:
    standings = compute_standings(games(A_WINS, A_WINS, TIE, B_WINS))
    assert [standing.agent for standing in standings.agents] == ["a", "b"]
    (none, of_a), (of_b, _) = standings.head_to_head
    assert none is None
    assert of_a == wilson_interval(5 / 8, 4)
    assert of_b == wilson_interval(3 / 8, 4)


def test_in_head_to_head_every_pair_of_a_game_meets_teams_as_one_and_nobody_itself() -> None:
    entries = games([("a", 1), ("b", 2), ("c", 2)])
    (points,) = points_by_deal(games_of(entries, 1), ["a", "b", "c"])
    assert points.tolist() == [[0, 1, 1], [0, 0, 0.5], [0, 0.5, 0]]
    entries = games([("a", 1), ("a", 2), ("b", 3)], team_size=2)
    (points,) = points_by_deal(games_of(entries, 2), ["a", "b"])
    assert points.tolist() == [[0, 2], [0, 0]]


# Strengths


def ninety_of_a_hundred() -> list[Entry]:
    return games(*([A_WINS] * 90 + [B_WINS] * 10))


def test_strengths_lie_on_the_elo_scale() -> None:
    """Odds of ten to one are 400 points; the tie added for each pair takes a little off."""
    points = points_by_deal(games_of(ninety_of_a_hundred(), 1), ["a", "b"])
    strong, weak = strengths(points)
    assert strong.value - weak.value == pytest.approx(400 * math.log10(90.5 / 10.5), abs=0.1)
    assert strong.value + weak.value == pytest.approx(3000)


def test_strengths_are_compared_through_others() -> None:
    a_beats_b, b_beats_c = [("a", 1), ("b", 2)], [("b", 1), ("c", 2)]
    b_beats_a, c_beats_b = [("b", 1), ("a", 2)], [("c", 1), ("b", 2)]
    entries = games(*([a_beats_b, b_beats_c] * 6 + [b_beats_a, c_beats_b] * 3))
    a, b, c = strengths(points_by_deal(games_of(entries, 1), ["a", "b", "c"]))
    lead = 400 * math.log10(6.5 / 3.5)
    assert (a.value - b.value, b.value - c.value) == pytest.approx((lead, lead), abs=0.1)


def test_strengths_have_intervals_from_resampled_deals_the_same_for_the_same_games() -> None:
    """The games of a deal count as one: the fewer deals, the wider."""
    games_of_their_own = strengths(points_by_deal(games_of(ninety_of_a_hundred(), 1), ["a", "b"]))[0]
    pairs = games(*([A_WINS] * 90 + [B_WINS] * 10), games_of_a_deal=10)
    by_deals = strengths(points_by_deal(games_of(pairs, 1), ["a", "b"]))[0]
    assert by_deals.value == pytest.approx(games_of_their_own.value)
    assert by_deals.low < games_of_their_own.low < games_of_their_own.value < games_of_their_own.high < by_deals.high
    assert compute_standings(ninety_of_a_hundred()) == compute_standings(ninety_of_a_hundred())


def test_strengths_stay_finite_for_who_wins_everything_or_meets_nobody() -> None:
    entries = [*games(*[A_WINS] * 50), *(entry(deal=99, game=99, seat=seat, agent="c") for seat in range(2))]
    a, b, c = strengths(points_by_deal(games_of(entries, 1), ["a", "b", "c"]))
    assert 1500 < a.value < 3000
    assert 0 < b.value < 1500
    assert c.value == pytest.approx(1500)


def test_the_order_of_the_games_changes_nothing_and_who_wins_more_is_never_behind() -> None:
    """30 wins each rate evenly, whether they come in turn or those of one agent first."""
    in_turn, in_blocks = games(*[A_WINS, B_WINS] * 30), games(*[A_WINS] * 30, *[B_WINS] * 30)
    for entries in (in_turn, in_blocks, in_blocks[::-1]):
        for standing in compute_standings(entries).agents:
            assert standing.strength.value == pytest.approx(1500)
    assert compute_standings(games(*[B_WINS] * 39, *[A_WINS] * 61)).agents[0].agent == "a"


def test_ties_rate_evenly_also_those_of_several_others_in_forfeited_games() -> None:
    first, second = compute_standings(games(*[TIE] * 50)).agents
    assert first.strength.value == second.strength.value == pytest.approx(1500)
    tied, also, loser = compute_standings(games(*[[("a", 1), ("b", 1), ("c", 3)]] * 50)).agents
    assert loser.agent == "c"
    assert tied.strength.value == pytest.approx(also.strength.value, abs=0.01)


def test_truncated_games_do_not_count_for_strengths() -> None:
    """C19."""
    assert games_of([entry(rank=0), entry(rank=0, seat=1)], 1) == []
