"""Tournaments: who sits where, what is counted, what is left on disk, and what is said of a wrong command."""

import csv
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents import tournament as tournaments
from agents.tournament import Entry, Tournament, main, summarise, wilson_interval
from t2r_env import Replay, configure
from t2r_env.agents import Questions, RandomAgent


class First:
    """Always gives the first legal answer."""

    def act(self, questions: Questions) -> NDArray[np.int64]:
        """The least legal action of each question."""
        return np.array([np.flatnonzero(mask)[0] for mask in questions.masks], np.int64)


class Last:
    """Always gives the last legal answer."""

    def act(self, questions: Questions) -> NDArray[np.int64]:
        """The greatest legal action of each question."""
        return np.array([np.flatnonzero(mask)[-1] for mask in questions.masks], np.int64)


FIRST, LAST = f"{__name__}:First", f"{__name__}:Last"


def play(agents: list[str], players: int = 2, games: int = 4, seed: int = 0) -> Tournament:
    tournament = Tournament(configure("usa", players), agents, games, seed)
    for _ in tournament.play():
        pass
    return tournament


def entry(**changes: Any) -> Entry:
    fields: dict[str, Any] = {
        "deal": 0,
        "seed": 0,
        "game": 0,
        "seat": 0,
        "agent": "random",
        "win": 0.0,
        "rank": 2,
        "score": 10,
        "completed": 1,
        "failed": 2,
        "turns": 80,
        "parts": {"routes": 30, "tickets": -20},
    }
    return Entry(**(fields | changes))


def test_two_agents_play_every_deal_from_both_seats() -> None:
    entries = play([FIRST, LAST], games=6).entries
    assert len({entry.game for entry in entries}) == 6
    assert Counter((entry.deal, entry.seat, entry.agent) for entry in entries) == {
        (deal, seat, agent): 1 for deal in range(3) for seat in range(2) for agent in (FIRST, LAST)
    }
    assert len({(entry.deal, entry.seed) for entry in entries}) == len({entry.deal for entry in entries}) == 3


def seatings(agents: list[str], players: int, games: int) -> list[str]:
    """Who sits where in each game, by their places in the list."""
    tournament = Tournament(configure("usa", players), agents, games, 0)
    return ["".join("ABC"[agents.index(name)] for name in fixture.seating) for fixture in tournament.fixtures]


def test_with_more_agents_than_seats_every_pair_meets_equally_often() -> None:
    assert seatings(["random", FIRST, LAST], 2, 6) == ["AB", "BA", "AC", "CA", "BC", "CB"]


def test_with_fewer_agents_than_seats_every_line_up_is_rotated_and_everybody_sits_equally_often() -> None:
    assert seatings([FIRST, LAST], 3, 6) == ["ABA", "BAA", "AAB", "BAB", "ABB", "BBA"]


def test_a_seating_is_played_once_on_a_deal() -> None:
    assert seatings([FIRST, LAST], 4, 4) == ["ABAB", "BABA", "BABA", "ABAB"]
    assert seatings([FIRST], 3, 2) == ["AAA", "AAA"]
    tournament = Tournament(configure("usa", 4), [FIRST, LAST], 4, 0)
    assert [fixture.deal for fixture in tournament.fixtures] == [0, 0, 1, 1]


def test_games_are_rounded_up_to_whole_deals() -> None:
    assert len(seatings(["random", FIRST, LAST], 3, 4)) == 6


def test_seeds_go_round() -> None:
    tournament = Tournament(configure("usa", 2), ["random"], 2, 2**64 - 1)
    assert [fixture.seed for fixture in tournament.fixtures] == [2**64 - 1, 0]


def test_the_same_tournament_gives_the_same_results_and_another_seed_others() -> None:
    again = [play(["random", FIRST], seed=seed).entries for seed in (1, 1, 2)]
    assert again[0] == again[1] != again[2]


def test_a_game_does_not_depend_on_the_games_played_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    together = play(["random"], games=6).entries
    monkeypatch.setattr(tournaments, "DEALS_AT_ONCE", 1)
    assert play(["random"], games=6).entries == together


def test_scores_are_the_sum_of_their_parts_and_wins_of_a_game_add_up_to_one() -> None:
    entries = play(["random"], players=4, games=8).entries
    assert all(entry.score == sum(entry.parts.values()) for entry in entries)
    games = {entry.game for entry in entries}
    assert [sum(entry.win for entry in entries if entry.game == game) for game in games] == [1.0] * len(games)


def test_who_ties_for_first_place_shares_the_win() -> None:
    (summary,) = summarise([entry(win=0.5, rank=1), entry(win=0.5, rank=1, seat=1)])
    assert summary.win_rate == 0.5


def test_a_summary_counts_games_and_takes_means() -> None:
    winner = entry(agent="b", win=1.0, rank=1, score=50, seat=1)
    first, second = summarise([entry(), entry(game=1, win=1.0, score=30), winner])
    assert (first.agent, first.games, first.win_rate, first.score) == ("b", 1, 1.0, 50)
    assert (second.agent, second.games, second.win_rate, second.score) == ("random", 2, 0.5, 20)
    assert second.parts == {"routes": 30, "tickets": -20}
    assert (second.completed, second.failed, second.turns) == (1, 2, 80)


def test_the_interval_counts_deals_not_games() -> None:
    of_one_deal = [entry(game=game, win=game % 2) for game in range(4)]
    (summary,) = summarise(of_one_deal)
    assert (summary.win_rate_low, summary.win_rate_high) == wilson_interval(0.5, 1)


def test_the_interval_is_wilsons() -> None:
    """The published example: 0 of 10 gives 0 to 27.8 %; 5 of 10 gives 23.7 % to 76.3 %."""
    assert wilson_interval(0.0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson_interval(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson_interval(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)


def test_a_tournament_leaves_its_games_its_summary_and_a_replay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["--agents", "random", FIRST, "--games", "4", "--tickets", "classic", "--out", str(out)]) == 0
    with (out / "results.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["game"], row["seat"]) for row in rows] == [
        (str(game), str(seat)) for game in range(4) for seat in (0, 1)
    ]
    assert all(int(row["score"]) == int(row["routes"]) + int(row["tickets"]) + int(row["longest_path"]) for row in rows)
    summary = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert (summary["games"], summary["seed"], summary["options"]["tickets"]) == (4, "0", "classic")
    scores = {line["agent"]: line["score"] for line in summary["summary"]}
    assert scores["random"] == np.mean([int(row["score"]) for row in rows if row["agent"] == "random"])
    final = Replay.load(out / "replay.json").final().snapshot()["final"]
    assert [str(seat["score"]) for seat in final] == [rows[0]["score"], rows[1]["score"]]
    printed = capsys.readouterr().out
    assert "random" in printed
    assert "usa, 2 players" in printed


def test_a_tournament_of_the_card_game_counts_the_parts_of_its_score(tmp_path: Path) -> None:
    assert main(["--variant", "card_game", "--agents", "random", "greedy", "--games", "4", "--out", str(tmp_path)]) == 0
    with (tmp_path / "results.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8
    assert all(int(row["score"]) == int(row["tickets"]) + int(row["big_cities"]) for row in rows)


def test_an_interrupted_tournament_keeps_what_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(tournament: Tournament) -> Iterator[int]:
        tournament.entries += tournament._enter(first := tournament.fixtures[:4], tournament._play_games(first))
        yield 4
        raise KeyboardInterrupt

    monkeypatch.setattr(Tournament, "play", interrupted)
    assert main(["--agents", "random", "--games", "100", "--out", str(tmp_path)]) == 130
    summary = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert summary["games"] == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agents", "nobody"], "there is no agent 'nobody'; known are random, "),
        (["--agents", "no_such_module:Agent"], "can't be imported"),
        (["--variant", "mars"], "unknown variant 'mars'"),
        (["--players", "6"], "num_players of usa must be a whole number from 2 to 5, not 6"),
        (["--games", "0"], "games must be a whole number, at least 1, not 0"),
        (["--seed", "-1"], "a seed must be a whole number from 0 to 2^64 - 1, not -1"),
        (["--tickets", "gold"], "usa has no tickets 'gold'"),
        (["--turn-limit", "0"], "turn_limit of usa must be a whole number from 1 to 30000, not 0"),
        (["--agents", "random", "random"], "agents must be one or more, each named once, not random, random"),
        (["--out", __file__], "--out must be a folder, and"),
    ],
)
def test_a_wrong_command_is_answered_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--agents", "random", *arguments])
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


class Fractional:
    """No good agent: its answers are no whole numbers."""

    def act(self, questions: Questions) -> NDArray[np.float64]:
        """A half for each question."""
        return np.full(len(questions), 0.5)


class Reckless:
    """No good agent: it always passes."""

    def act(self, questions: Questions) -> NDArray[np.int64]:
        """The action `pass` for each question."""
        return np.full(len(questions), questions.configuration.layout.actions["pass"].start)


@pytest.mark.parametrize(
    ("agent", "message"),
    [("Fractional", "must give 4 whole numbers, not float64"), ("Reckless", "gave 107, which is not legal")],
)
def test_an_agent_that_answers_wrongly_is_named(agent: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--agents", f"{__name__}:{agent}", "--games", "4"])
    assert stopped.value.code == 2
    assert f"{__name__}:{agent} {message}" in capsys.readouterr().err


def test_games_that_reach_the_turn_limit_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """C19."""
    assert main(["--agents", "random", "--games", "3", "--turn-limit", "5"]) == 0
    assert "3 games reached the turn limit" in capsys.readouterr().out


def test_agents_get_no_more_than_their_seat_may_know(monkeypatch: pytest.MonkeyPatch) -> None:
    """C20: what a tournament shows an agent is the known state of the asked seat."""
    seen: list[Questions] = []

    class Spy(RandomAgent):
        def act(self, questions: Questions) -> NDArray[np.int64]:
            seen.append(questions)
            return super().act(questions)

    monkeypatch.setattr(tournaments, "find_agent", lambda name: Spy())
    play(["spy"], games=2)
    assert len(seen) > 50
    for questions in seen:
        assert not questions.views["generator"].any()
        assert not questions.views["deck"].any()
        assert (questions.views["ticket_queue"] == -1).all()
