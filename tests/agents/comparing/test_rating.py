"""Ratings on a fixed scale: the estimate, the ladders that come along, the games, and `t2r rate`."""

import json
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.ladder import main as make_ladders
from t2r_agents.comparing.rating import ladder as tables
from t2r_agents.comparing.rating.estimate import MIN_DEALS, estimate, looks, margin
from t2r_agents.comparing.rating.ladder import GREEDY, Ladder, LadderError, make_ladder, read_ladders, write_ladders
from t2r_agents.comparing.rating.rating import ALL_GAMES, NARROW, TIME, Rater
from t2r_env import VARIANTS, __version__, configure
from t2r_env.commands import main as t2r
from tests.helpers import odd_agents
from tests.helpers.odd_agents import path_of
from tests.helpers.refusing import refusal

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch

RATINGS = np.array([1300.0, 1500.0, 1700.0])


@pytest.fixture(scope="module")
def ladder() -> Ladder:
    """A small ladder of New York."""
    references = ["random", "one_step", GREEDY, "racer"]
    return make_ladder(configure("new_york"), "new_york", 60, 0, "a test", references=references)


@pytest.fixture(scope="module")
def table(ladder: Ladder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of that ladder, and of one of the USA map."""
    usa = make_ladder(configure("usa", tickets="1910"), "usa", 6, 0, "a test", references=["random", GREEDY])
    path = tmp_path_factory.mktemp("ladders") / "ladders.json"
    write_ladders(path, [ladder, usa])
    return path


# The estimate


def points(rating: float, deals: int = 300) -> tuple[np.ndarray, np.ndarray]:
    """What an agent of this rating wins and loses on average in two games a deal, with each reference in turn."""
    met = np.zeros((deals, 3))
    met[range(deals), np.arange(deals) % 3] = 2
    won = met / (1 + 10 ** ((RATINGS - rating) / 400))
    return won, met - won


@pytest.mark.parametrize("rating", [1100.0, 1500.0, 1950.0])
def test_the_rating_is_that_for_which_the_points_are_expected(rating: float) -> None:
    won, lost = points(rating)
    estimated = estimate(won, lost, RATINGS)
    assert estimated.value == pytest.approx(rating, abs=12)  # the ties that are added draw it to the references
    assert estimated.low < rating < estimated.high
    higher = estimate(won, lost, RATINGS + 100)
    assert (higher.value, higher.low) == pytest.approx((estimated.value + 100, estimated.low + 100))


def test_an_agent_that_wins_or_loses_all_its_games_has_no_bound_on_that_side_and_one_without_games_no_rating() -> None:
    won, lost = points(1500)
    best, worst = estimate(won + lost, 0 * lost, RATINGS), estimate(0 * won, won + lost, RATINGS)
    assert (best.high, worst.low) == (math.inf, -math.inf)
    assert 1700 < best.low < best.value
    assert worst.value < worst.high < 1300
    ones = np.ones((MIN_DEALS, 1))
    tied = estimate(ones, ones, RATINGS[:1])
    assert (tied.low, tied.value, tied.high) == pytest.approx((1300, 1300, 1300))
    with pytest.raises(ValueError, match="a game at least"):
        estimate(np.zeros((0, 3)), np.zeros((0, 3)), RATINGS)


def test_the_interval_holds_at_all_looks_together() -> None:
    """The usual interval for a fixed number of deals misses the truth in many more than 5 % of cases."""
    deals = np.arange(1, 3001)
    sums = np.random.default_rng(0).standard_normal((2000, deals.size)).cumsum(axis=1)
    means = np.abs(sums / deals)[:, MIN_DEALS - 1 :]
    looked = deals[MIN_DEALS - 1 :]
    assert (means > [margin(int(number)) for number in looked]).any(axis=1).mean() < 0.05
    assert (means > 1.96 / np.sqrt(looked)).any(axis=1).mean() > 0.2
    assert list(looks(130)) == [100, 110, 121, 130]
    assert list(looks(40)) == [40]


# Ladders


def test_every_game_has_a_ladder_on_which_greedy_has_1500() -> None:
    ladders = read_ladders()
    assert {ladder.variant for ladder in ladders} == set(VARIANTS)
    for ladder in ladders:
        assert ladder.configuration().identity  # of this release, and of its tables
        assert ladder.references.keys() == set(tables.REFERENCES)
        assert ladder.references[GREEDY].value == pytest.approx(1500)
        assert ladder.references["random"].value == min(reference.value for reference in ladder.references.values())
    assert tables.find_ladders(ladders, "usa", None, {})[0].options["tickets"] == "classic"
    assert tables.find_ladders(ladders, "usa", 4, {})[0].options["tickets"] == "mega"
    assert tables.find_ladders(ladders, "all", None, {}) == ladders


def test_a_ladder_of_other_tables_or_of_another_release_is_refused(ladder: Ladder, table: Path) -> None:
    assert read_ladders(table)[0] == ladder
    for changes, message in (
        ({"rules": "another"}, "other tables or actions than this version has"),
        ({"library": "0.1.0"}, "one of version '0.1.0' of t2r_env, whose agents are its references, and this is"),
        ({"num_players": 1}, "is of no game that there is: num_players of new_york must be an integer from 2 to 4"),
        ({"options": {"x": 1}}, "is of no game that there is: "),
    ):
        with pytest.raises(LadderError, match=message):
            replace(ladder, **changes).configuration()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("references", []),
        ("references", None),
        ("references", {GREEDY: dict.fromkeys(("value", "low", "high"), 1500)}),
        ("references", {GREEDY: {"value": 1500, "low": 1501, "high": 1502}, "random": {}}),
        ("references", {name: dict.fromkeys(("value", "low", "high"), 1e300) for name in (GREEDY, "random")}),
        *(("variant", 3), ("library", None), ("seed", "x"), ("num_players", "2"), ("options", []), ("another", 1)),
    ],
)
def test_a_damaged_table_is_refused(name: str, value: Any, table: Path, tmp_path: Path) -> None:
    content = json.loads(table.read_text(encoding="utf-8"))
    content["ladders"][0][name] = value
    damaged = tmp_path / "damaged.json"
    damaged.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(LadderError, match=r"damaged\.json is no table of ladders"):
        read_ladders(damaged)


# Rating


def test_the_agent_plays_each_reference_equally_often_and_stops_when_its_interval_is_narrow(ladder: Ladder) -> None:
    rater = Rater(ladder, "planner", 5000, 1)
    rating = rater.rate(400, math.inf)
    assert rating is not None
    assert rating.ended == NARROW
    assert rating.rating.high - rating.rating.low < 400
    assert rating.rating.value > 1500
    assert rating.deals in [*looks(2500)]
    assert rating.against.keys() == ladder.references.keys()
    games = Counter(entry.agent for deal in range(rating.deals) for entry in rater._deals[deal])
    assert rating.own.games == games.pop("planner") == 2 * rating.deals
    assert max(games.values()) - min(games.values()) <= 2


def test_a_rating_does_not_depend_on_the_order_in_which_games_end(ladder: Ladder, monkeypatch: Patch) -> None:
    played = [entry for entries in Rater(ladder, "one_plan", 600, 1).tournament.play() for entry in entries]
    deals = [[entry for entry in played if entry.deal == deal] for deal in range(played[-1].deal + 1)]

    def rated(step: int) -> tuple[object, ...]:
        order = [deal for part in range(0, len(deals), 7) for deal in deals[part : part + 7][::step]]
        rater = Rater(ladder, "one_plan", 600, 1)
        monkeypatch.setattr(rater.tournament, "play", lambda *_: (deal for deal in order))
        rating = rater.rate(400, math.inf)
        assert rating is not None
        return rating.rating, rating.deals, rating.ended

    assert rated(1) == rated(-1)
    assert rated(1)[-1] == NARROW


def test_games_end_with_the_last_or_in_time(ladder: Ladder) -> None:
    """What is known is kept. A reference that is rated plays the others."""
    whole, cut = Rater(ladder, "racer", 12, 0).rate(0, math.inf), Rater(ladder, "one_plan", 2000, 0).rate(0, 0)
    assert whole is not None
    assert cut is not None
    assert (whole.ended, whole.deals, cut.ended) == (ALL_GAMES, 6, TIME)
    assert 0 < cut.deals < 1000
    assert whole.against.keys() == {"random", "one_step", GREEDY}
    assert cut.against.keys() <= ladder.references.keys()


def test_a_rating_that_is_interrupted_is_shown_so_far(table: Path, capsys: Capture) -> None:
    assert rate(table, path_of(odd_agents.Interrupting), "--variant", "new_york", "--max-games", "2000") == 130
    assert "it was interrupted" in " ".join(capsys.readouterr().out.split())


# The commands


def rate(table: Path, *arguments: str) -> int:
    return t2r(["rate", *arguments, "--ladder", str(table), "--processes", "1"])


def test_the_command_shows_the_agent_and_writes_a_file(table: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "rating.json"
    assert rate(table, "one_plan", "--variant", "new_york", "--max-games", "20", "--seed", "7", "--json", str(out)) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert f"new_york, 2 players, tickets classic: ratings of t2r_env {__version__}" in printed
    assert all(f"│ {name} " in printed for name in ("one_plan", "random", "one_step", GREEDY, "racer"))
    assert "after 20 games of 10 deals, seed 7; all games are played; fewer than 100 deals" in printed
    (rating,) = json.loads(out.read_text(encoding="utf-8"))["ratings"]
    assert {"variant": "new_york", "seed": "7", "library": __version__}.items() <= rating.items()
    assert (rating["agent"]["agent"], rating["agent"]["games"], len(rating["references"])) == ("one_plan", 20, 4)
    assert rate(table, path_of(odd_agents.Quitting), "--variant", "new_york", "--max-games", "8") == 0
    assert "forfeited 8 games, first 0: " in " ".join(capsys.readouterr().out.split())


def test_all_ladders_of_games_that_the_agent_can_play_are_played(table: Path, capsys: Capture) -> None:
    assert rate(table, "policy", "--variant", "all", "--max-games", "4") == 0
    shown = capsys.readouterr()
    assert "new_york" in shown.out
    assert "usa, 2 players, tickets 1910: not rated: there is no policy for usa, 2 players" in shown.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["human", "--variant", "new_york"], "human asks a person"),
        (["greedy", "--num-players", "3"], "there is no ladder for usa, 3 players; there are: new_york, 2 players"),
        (["greedy", "--width", "-1"], "--width must be a number, at least 0, not -1.0"),
        (["greedy", "--max-seconds", "nan"], "--max-seconds must be a number, at least 0, not nan"),
        (["greedy", "--max-games", "0"], "--max-games must be an integer, at least 1, not 0"),
        (["greedy", "--processes", "0"], "--processes must be an integer, at least 1, not 0"),
        (["greedy", "--seed", "-1"], "a seed must be an integer"),
        (["greedy", "--seconds", "3"], "add --isolate"),
        (["greedy", "--json", "no/such/folder.json"], "--json must be a file in an existing folder"),
        (["greedy", "--out", "x", "--seed", "3"], "--out goes without --seed: the ladder says which games are played"),
        (["greedy", "--ladder", "no_table.json"], "no_table.json"),
    ],
)
def test_a_wrong_command_is_refused(arguments: list[str], message: str, table: Path, capsys: Capture) -> None:
    told = refusal(capsys, t2r, "rate", "--ladder", table, *arguments).splitlines()[-1]
    assert message in told
    assert "benchmarks" not in told  # which a wheel lacks


def test_making_a_ladder_leaves_others_in_place(table: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "ladders.json"
    write_ladders(out, read_ladders(table))
    common = ["--games", "20", "--processes", "1", "--out", str(out)]
    small = ["--references", "random", GREEDY, "policy", *common]
    assert make_ladders(["--variants", "new_york", *small]) == 0
    new_york, usa = read_ladders(out)
    assert [*new_york.references] == ["policy", GREEDY, "random"]
    assert new_york.command.startswith("python -m benchmarks.ladder --variants new_york")
    assert usa == read_ladders(table)[1]
    assert make_ladders(["--variants", "usa", "--num-players", "3", "--tickets", "1910", *small]) == 0
    made = read_ladders(out)
    assert [(it.variant, it.num_players) for it in made] == [("new_york", 2), ("usa", 2), ("usa", 3)]
    assert [*made[2].references] == [GREEDY, "random"]  # no policy comes with the library
    message = refusal(capsys, make_ladders, "--references", "random", "racer", *common)
    assert "must include greedy, whose rating is 1500, not random, racer" in message
    assert read_ladders(out) == made
