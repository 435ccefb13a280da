"""Reviews of recorded games: what decisions were worth, what luck did, and the command that tells it."""

import json
from dataclasses import replace
from pathlib import Path
from unittest.mock import create_autospec

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_agents.comparing.review import Review, review_game, summarise
from t2r_agents.comparing.review.page import page_review
from t2r_agents.comparing.review.review import MISTAKE, Choices
from t2r_agents.comparing.review.tables import rows_of
from t2r_agents.playing.beliefs import Beliefs
from t2r_agents.playing.values import Judge
from t2r_env import Replay
from t2r_env.agents import Decisions
from t2r_env.commands import main as t2r
from t2r_env.render.replay_page import content_of, render_replay_html
from tests.helpers import odd_agents
from tests.helpers.acting import decisions_in
from tests.helpers.odd_agents import path_of
from tests.helpers.recorded import game_of
from tests.helpers.refusing import refusal
from tests.helpers.situations import situation

Capture = pytest.CaptureFixture[str]


def positions_of(replay: Replay, words: str) -> list[int]:
    return [number for number, text in enumerate(replay.descriptions()) if words in text]


@pytest.fixture(scope="module")
def replay() -> Replay:
    """A game of the policy against itself."""
    return game_of("policy", "new_york", 2)


@pytest.fixture(scope="module")
def review(replay: Replay) -> Review:
    return review_game(replay, ["planner", "policy"])


def test_decisions_luck_and_the_rest_add_up_to_the_result(review: Review) -> None:
    result = (review.replay.final().results.ranks[0] == 1).astype(float)
    result /= result.sum()
    total = review.chances[0] + (review.decision + review.luck + review.rest).sum(axis=0)
    assert np.allclose(total, result)
    assert np.allclose(review.chances[-1], result)
    summary = summarise(review)
    parts = (summary.even, summary.deal, summary.own_decisions, summary.others_decisions, summary.luck, summary.rest)
    assert np.allclose(sum(parts), result)
    assert np.allclose(summary.result, result)
    assert summary.is_over


def test_a_decision_costs_nothing_where_the_agent_would_do_the_same(review: Review) -> None:
    planner, policy = review.choices
    for choices in (planner, policy):
        same = choices.actions == review.actions
        assert same.any()
        assert not choices.decision[same].any()
        assert not choices.error[same].any()
    assert not policy.decision.any()  # it has played this game
    assert planner.decision.any()
    assert (planner.error[planner.decision.any(axis=1)] > 0).all()


def test_a_blunder_is_found_and_told(replay: Replay) -> None:
    position = next(it for it in positions_of(replay, "claim") if it > len(replay.actions) // 2)
    decisions = decisions_in(replay.until(position).final())
    values = Judge(replay.configuration).look_ahead(decisions, 64).values(decisions.views["current"])
    review = review_game(replace(replay, actions=(*replay.actions[:position], int(np.nanargmin(values)))))
    assert np.flatnonzero(review.mistakes()).tolist() == [position]
    (moment,) = summarise(review, ["anna", "bert"]).costliest
    assert moment.position == position
    assert moment.change <= -MISTAKE
    assert moment.text.startswith(("anna: ", "bert: "))
    assert "; policy would " in moment.text


def test_only_what_noise_does_not_explain_is_a_mistake_and_moments_begin_with_the_greatest(review: Review) -> None:
    number, seats = len(review.luck), review.seats
    decision, luck, error = np.zeros((number, 2)), np.zeros((number, 2)), np.zeros(number)
    for position, loss, noise in ((3, 0.1, 0.02), (5, 0.2, 0.05), (7, 0.3, 0.31), (9, 0.02, 0), (11, -0.4, 0.1)):
        decision[position, seats[position]], error[position] = -loss, noise
    for position, change in ((4, -0.3), (6, 0.2), (8, 0.25)):
        luck[position, seats[position]] = change
    told = replace(review, luck=luck, choices=[Choices("planner", review.choices[0].opinions, decision, error)])
    assert np.flatnonzero(told.mistakes()).tolist() == [3, 5]
    summary = summarise(told, most=2)
    assert [(it.position, it.change, it.error) for it in summary.costliest] == [(5, -0.2, 0.05), (3, -0.1, 0.02)]
    assert [(it.position, it.change) for it in summary.luckiest] == [(4, -0.3), (8, 0.25)]
    assert summary.mistakes.tolist() == np.bincount(seats[[3, 5]], minlength=2).tolist()


def test_the_interval_of_a_decision_is_students_over_deals(replay: Replay) -> None:
    class Fixed(Judge):
        """Finds what was played worth 0, 0.1, 0.2 and 0.3 in four deals, and the agent's choice nothing."""

        calls = 0

        def after(self, decisions: Decisions, actions: NDArray[np.int64], deals: int = 4) -> NDArray[np.float64]:
            self.calls += 1
            worth = np.arange(deals) / 10 * (self.calls == 1)
            return np.broadcast_to(worth[:, None], (len(decisions), deals, 2))

    review = review_game(replay, ["greedy"], deals=4, judge=Fixed(replay.configuration))
    differs = review.decision.any(axis=1)
    assert review.decision[differs] == pytest.approx(0.15)
    assert review.choices[0].error[differs] == pytest.approx(3.1824 * 0.12910 / 2, abs=1e-4)


def test_luck_is_what_came_less_what_could_have_come(review: Review) -> None:
    """Payments and claims without tunnels leave nothing to chance."""
    certain, drawn = positions_of(review.replay, ": pay "), positions_of(review.replay, "from the deck")
    for luck in (review.luck, review.known_luck):  # judged from everything, and as the seat knew the game
        assert abs(luck[certain]).max() < 1e-9
        assert abs(luck[drawn]).max() > 0.005
    assert np.allclose(review.luck.sum(axis=1), 0)
    assert review.luck_error[certain].max() < 1e-9
    assert (review.luck_error[drawn] > 0).any()


def test_luck_as_a_seat_knew_it_is_that_of_its_own_draws(review: Review) -> None:
    assert review.known_luck[-1] == 0  # the end shows what was hidden
    shown = page_review(review)
    for seat in range(2):
        own = np.flatnonzero(review.seats == seat).tolist()
        told = shown.summarise(seat)
        assert told["rows"].keys() == {seat}
        assert {it["position"] for it in told["luckiest"]} | {*told["costliest"]} <= {*own}
        values = [row[0] for row in told["rows"][seat]]
        assert sum(values[:-1]) == pytest.approx(values[-1], abs=1e-3)


def test_what_a_seat_knew_and_what_it_could_think_of_the_others_is_judged_apart_from_everything(review: Review) -> None:
    judge, beliefs = Judge(review.configuration), Beliefs(review.configuration)
    assert review.ticket_chances is not None
    for seat in range(2):
        looking = np.full(len(review.states), seat)
        assert np.array_equal(review.known[:, seat], judge.judge(review.states, looking, sees_all=False).chances)
        believed = beliefs.believe(review.states, looking).by_seat(looking).tickets
        np.testing.assert_array_equal(review.ticket_chances[:, seat], believed)
    assert not np.allclose(review.known[10, 0], review.known[10, 1])
    assert not np.allclose(review.known[:-1, 0], review.chances[:-1])


@pytest.mark.parametrize("from_true", [True, False])
def test_play_outs_judge_decisions_with_an_interval(replay: Replay, from_true: bool) -> None:
    first, again = (review_game(replay.until(12), ["greedy"], rollouts=6, from_true=from_true) for _ in range(2))
    assert np.array_equal(first.decision, again.decision)
    differs = first.choices[0].actions != first.actions
    assert differs.any()
    assert set(np.unique(abs(first.decision[:, 0] * 12).round(6) % 1)) == {0}  # sixths of a game, halves for ties
    assert (first.choices[0].error[differs] >= 0).all()


def test_the_first_agent_plays_the_games_by_which_all_agents_choices_are_judged(replay: Replay) -> None:
    acts = odd_agents.First().act, odd_agents.Last().act
    first, last = (create_autospec(act, side_effect=act) for act in acts)
    review_game(replay.until(8), [first, last], rollouts=2)
    asked = [sum(len(call.args[0]) for call in agent.call_args_list) for agent in (first, last)]
    assert asked[0] > 100
    assert asked[1] == 8


def test_a_game_that_was_broken_off_ends_with_the_chances_there(replay: Replay) -> None:
    """An illegal action at the end is no decision. The policy reviews what it has played itself."""
    review = review_game(replay.until(9))
    summary = summarise(review)
    assert not summary.is_over
    assert 0 < summary.result[0] < 1
    assert ([choices.agent for choices in review.choices], summary.costliest) == (["policy"], [])
    forfeited = replace(replay, actions=(*replay.actions[:9], 10_000), illegal_action="terminate")
    assert len(review_game(forfeited).luck) == len(review.luck) == 9


def test_what_can_not_be_reviewed_is_refused(replay: Replay) -> None:
    with pytest.raises(ValueError, match="there is nothing to review"):
        review_game(replay.until(0))
    with pytest.raises(ValueError, match="rollouts must be"):
        review_game(replay, rollouts=-1)
    with pytest.raises(ValueError, match="HumanAgent would ask you at each decision"):
        review_game(replay, ["human"])
    with pytest.raises(ValueError, match="may remember, and can't play all seats of games to their end"):
        review_game(replay, [path_of(odd_agents.First)], rollouts=2)


def test_of_an_agent_that_may_remember_an_instance_of_its_own_thinks_for_each_seat(replay: Replay) -> None:
    """Else it would know what the other seat holds."""
    review = review_game(replay, [path_of(odd_agents.Remembering, "instance")])
    assert len(review.choices[0].opinions) == len(replay.actions)
    named = review_game(replay, [path_of(odd_agents.Counting), odd_agents.COUNTING])  # of an object copies
    of_class, of_object = ([it.action for it in choices.opinions] for choices in named.choices)
    assert of_class == of_object


# The command


@pytest.fixture
def file(replay: Replay, tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    replay.save(path)
    return path


def test_the_command_tells_parts_mistakes_and_luck(file: Path, capsys: Capture) -> None:
    assert t2r(["review", str(file), "--names", "anna", "bert", "--agents", "planner", "--table"]) == 0
    told = capsys.readouterr().out
    for words in ("anna", "decisions against planner", "would have played", "changed the acting seat's chance most:"):
        assert words in told


def test_json_parquet_and_a_page_have_all_of_it(file: Path, tmp_path: Path, review: Review, capsys: Capture) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    page, table = tmp_path / "review.html", tmp_path / "review.parquet"
    files = ["--parquet", str(table), "--page", str(page), "--seat", "1"]
    assert t2r(["review", str(file), "--agents", "planner", "policy", "--json", *files]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["decisions"] == json.loads(json.dumps(rows_of(review)))
    assert told["agents"] == ["planner", "policy"]
    assert len(told["summary"]["luckiest"]) == 5
    assert [row["luck"] for row in parquet.read_table(table).to_pylist()] == [row["luck"] for row in rows_of(review)]
    content = content_of(text := page.read_text(encoding="utf-8"))
    assert len(text) < 1_000_000
    assert content["agents"] == ["planner", "policy"]
    assert content["review"]["reliability"].keys() == {"known"}
    assert content["review"]["measured_on"].startswith("2,000 games of ")
    (view,) = content["views"]
    assert view["chances"][-1] == review.known[-1, 1].tolist()
    assert view["chances"][10] in review.known[:, 1].round(4).tolist()


def test_a_row_tells_a_decision_of_its_seat_and_what_came_after_it(review: Review) -> None:
    for position, row in enumerate(rows_of(review)):
        seat = review.seats[position]
        assert row["seat"] == seat
        assert row["before"] == review.chances[position].round(4).tolist()
        assert row["after"] == review.chances[position + 1].round(4).tolist()
        assert row["known"] == review.known[position, seat].round(4).tolist()
        for choices, told in zip(review.choices, row["agents"], strict=True):
            values = choices.opinions[position].values
            assert told["value"] == (None if values is None else round(float(values[seat]), 4))


@pytest.mark.parametrize("last", ["white, 5", "from the deck"])
def test_c20_a_seats_page_of_a_review_is_the_same_byte_for_byte_whatever_it_cannot_know(last: str) -> None:
    """The other's tickets differ, and its hand unless the seat draws from what is left of the deck."""
    pages, everything = set(), set()
    for hand, ticket in (("2 blue", "denver-el_paso"), ("2 green", "new_york-seattle")):
        hand = "2 blue" if last == "from the deck" else hand
        holds = [["calgary-phoenix", ticket], ["boston-miami", "dallas-new_york"]]
        games = situation(hands=[hand, "5 white, 2 red"], holds=holds).games
        draw = games.configuration.layout.actions["draw_deck"].start
        first = Replay(games.configuration, games.get_state(), (draw, draw))
        own = first.final()
        action = next(it for it in own.masks[0].nonzero()[0].tolist() if last in str(own.describe(it)))
        replay = Replay(games.configuration, games.get_state(), (draw, draw, action))
        review = review_game(replay, ["planner", "greedy"])
        pages.add(render_replay_html(review.replay, seat=1, review=page_review(review)))
        everything.add(render_replay_html(review.replay, review=page_review(review)))
    assert len(pages) == 1
    (view,) = content_of(*pages)["views"]
    assert any(view["opinions"])
    assert bool(view["sum"]["luckiest"]) == (last == "from the deck")
    assert len(everything) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seat", "0"], "--seat needs --page"),
        (["--page", "/nowhere/page.html"], "--page must be a file in an existing folder"),
        (["--parquet", "/nowhere/rows.parquet"], "--parquet must be a file in an existing folder"),
        (["--from-true"], "--from-true needs --rollouts"),
        (["--json", "--table"], "--json goes without --table"),
        (["--agents", "nobody"], "nobody"),
        (["17"], "needs the folder of a tournament"),
    ],
)
def test_wrong_arguments_are_refused(file: Path, arguments: list[str], message: str, capsys: Capture) -> None:
    assert message in refusal(capsys, t2r, "review", file, *arguments)
