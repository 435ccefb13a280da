"""Values: what networks of values read and tell, their files, and play-outs."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from t2r_agents.playing.beliefs import Beliefs
from t2r_agents.playing.policy_file import PolicyError
from t2r_agents.playing.values import Judge, ValueInputs, Values, find_judge, judge_decisions
from t2r_agents.playing.values.inputs import DEBT, POINTS
from t2r_agents.playing.values.judge import chances_at_end
from t2r_agents.playing.values.network import SHIPPED
from t2r_agents.playing.values.rollouts import play_out
from t2r_env import Games, configure
from t2r_env.agents import RandomAgent, find_agent, opinions
from t2r_env.core.layout import Segments
from tests.agents.playing.test_policy import change
from tests.helpers.acting import decisions_in

CONFIGURATION = configure("new_york", 2)
NEW_YORK = SHIPPED / "new_york_classic_2.safetensors"


def some_games(variant: str = "new_york", num_players: int | None = None, decisions: int = 20) -> Games:
    """Games in the middle, and one at its start."""
    games = Games(variant, num_players, batch=6, seed=4, autoreset=False)
    games.step(RandomAgent().act(decisions_in(games)))
    others = Games(variant, num_players, batch=6, seed=4, autoreset=False)
    others.play_random(decisions, seed=1)
    games.set_states(np.arange(1, 6), others.states[1:])
    return games


@pytest.mark.parametrize(("variant", "num_players"), [("new_york", 3), ("team_asia", 4), ("card_game", 2)])
def test_what_a_seat_can_not_know_does_not_change_its_inputs(variant: str, num_players: int) -> None:
    games = some_games(variant, num_players)
    inputs = ValueInputs(games.configuration)
    states, others = games.states, games.determinize(None, range(6))
    known, dealt, seen = (inputs.write(it, games.current, sees_all=False) for it in (states, others, games.views()))
    assert known.shape == (6, inputs.known.size)
    assert known.tolist() == dealt.tolist() == seen.tolist()
    everything, dealt = (inputs.write(it, games.current, sees_all=True) for it in (states, others))
    assert everything.shape == (6, inputs.everything.size)
    assert not np.array_equal(dealt, everything)


def test_a_seat_that_is_not_to_act_is_looked_at_as_if_it_were_and_everything_has_all_hands_in_turn_order() -> None:
    games = some_games(num_players=3)
    inputs = ValueInputs(games.configuration)
    everything = inputs.write(games.states, games.current, sees_all=True)
    for distance, name in enumerate(("hand", "hand_1", "hand_2")):
        seats = (games.current + distance) % 3
        hands = games.states["hand"][np.arange(6), seats]
        known = inputs.write(games.states, seats, sees_all=False)
        assert np.array_equal(inputs.write(games.views(None, seats), seats, sees_all=False), known)
        assert np.array_equal(known[:, inputs.known["hand"].slice], hands)
        assert np.array_equal(everything[:, inputs.everything[name].slice], hands)


def test_the_standing_counts_open_tickets_against_their_seat() -> None:
    games = Games("new_york", 2, seed=1)
    while games.states["turn"][0] == 0:
        games.step([games.layout.actions["keep_ticket"].start])
    tickets = games.snapshot()["players"]
    inputs = ValueInputs(CONFIGURATION)
    for sees_all, counted in ((True, (0, 1)), (False, (0,))):
        segments = inputs.everything if sees_all else inputs.known
        vector = inputs.write(games.states, np.zeros(1, np.int64), sees_all=sees_all)[0]
        standing = vector[segments["standing"].slice].reshape(segments["standing"].shape)
        for seat in range(2):
            open_points = sum(points for _, _, points in tickets[seat]["tickets"]) if seat in counted else 0
            assert (standing[seat, POINTS], standing[seat, DEBT]) == (0, open_points)


def test_chances_are_shared_among_all_seats_and_the_end_is_the_result() -> None:
    games = some_games(decisions=30)
    judge = Judge(CONFIGURATION)
    for sees_all in (True, False):
        chances, margins = judge.judge(games.states, sees_all=sees_all)
        assert chances.shape == margins.shape == (6, 2)
        assert np.allclose(chances.sum(axis=1), 1)
    while not games.terminated.all():
        games.step(np.where(games.terminated, 0, games.masks.argmax(axis=1)))
    chances, margins = judge.judge(games.states, sees_all=False)
    scores, ranks = games.results.scores, games.results.ranks
    assert np.array_equal(chances, (ranks == 1) / (ranks == 1).sum(axis=1, keepdims=True))
    assert np.array_equal(margins, scores - scores[:, ::-1])


@pytest.mark.parametrize("variant", ["new_york", "card_game"])
def test_what_a_seat_knows_is_not_judged_as_if_it_were_all(variant: str) -> None:
    games = some_games(variant)
    with pytest.raises(ValueError, match="states must be whole"):
        Judge(games.configuration).judge(games.views(), sees_all=True)


@pytest.mark.parametrize("sees_all", [True, False])
def test_what_a_network_tells_begins_with_the_team_that_looks(sees_all: bool) -> None:
    games = some_games(num_players=3)
    inputs = ValueInputs(games.configuration)
    told = np.array([3.0, 2, 1, 30, 20, 10], np.float32)  # logits and margins in turn order
    layers = [(np.zeros((it.size, 6), np.float32), told) for it in (inputs.known, inputs.everything)]
    identity, (known, everything) = games.configuration.identity, layers
    values = Values(identity, inputs.version, inputs.known, inputs.everything, (known,), (everything,))
    for seat in range(3):
        chances, margins = Judge(games.configuration, values).judge(games.states, np.full(6, seat), sees_all=sees_all)
        in_turn = [seat, (seat + 1) % 3, (seat + 2) % 3]
        assert (margins[:, in_turn] == [30, 20, 10]).all()
        assert (np.diff(chances[:, in_turn]) < 0).all()


def test_actions_are_judged_by_what_the_seat_knows_alone_and_equal_face_up_cards_alike() -> None:
    """C20."""
    games = some_games()
    decisions, judge = decisions_in(games), Judge(CONFIGURATION)
    values = judge.look_ahead(decisions).values(decisions.views["current"])
    assert np.array_equal(np.isnan(values), decisions.masks == 0)
    assert 0 <= np.nanmin(values) <= np.nanmax(values) <= 1
    cards, of_cards = decisions.views["face_up"], values[:, :5]
    equal = (cards[:, :, None] == cards[:, None]) & ~np.isnan(of_cards[:, :, None]) & (np.eye(5) == 0)
    assert equal.any()
    assert (of_cards[:, :, None] == of_cards[:, None])[equal].all()
    games.set_states(None, games.determinize(None, range(6)))
    again = judge.look_ahead(decisions_in(games)).values(decisions.views["current"])
    np.testing.assert_array_equal(again, values)
    alone = [judge.look_ahead(it).values(it.views["current"])[0] for it in decisions.split()]
    np.testing.assert_array_equal(np.stack(alone), values)


def test_errors_are_those_of_the_chosen_value_and_of_differences_to_it_over_the_same_deals() -> None:
    decisions = decisions_in(some_games())
    judge, seats = Judge(CONFIGURATION), decisions.views["current"]
    chosen, other = (np.array([row.nonzero()[0][it] for row in decisions.masks]) for it in (0, -1))
    errors = judge.look_ahead(decisions).standard_errors(seats, chosen)
    rows = np.arange(len(seats))
    values, others = (judge.after(decisions, it)[rows, :, seats] for it in (chosen, other))
    assert errors[rows, chosen] == pytest.approx(values.std(axis=1, ddof=1) / 8**0.5)
    differs = chosen != other
    assert errors[rows, other][differs] == pytest.approx(((others - values).std(axis=1, ddof=1) / 8**0.5)[differs])
    assert (np.isnan(errors) == (decisions.masks == 0)).all()


def test_an_error_is_no_larger_than_the_difference_of_two_chances_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    decisions = decisions_in(some_games())
    large = np.where(decisions.masks == 1, 0.5, np.nan)
    monkeypatch.setattr("t2r_agents.playing.values.judge.Outlook.standard_errors", lambda *_: large)
    errors = [opinion.action_errors for opinion in opinions(find_agent("policy"), decisions)]
    np.testing.assert_array_equal(errors, 2 * large)


def test_agents_tell_what_the_network_says_and_planners_their_plan() -> None:
    decisions = decisions_in(some_games())
    for agent in ("policy", "ismcts:8"):
        told = opinions(find_agent(agent), decisions)
        expected = judge_decisions(decisions, np.array([opinion.action for opinion in told]))
        for opinion, known in zip(told, expected, strict=True):
            for name, value in known._asdict().items():
                np.testing.assert_array_equal(getattr(opinion, name), value)
        believed = Beliefs(decisions.configuration).of(decisions).by_seat(decisions.views["current"])
        np.testing.assert_array_equal([opinion.ticket_chances for opinion in told], believed.tickets)
        np.testing.assert_array_equal([opinion.card_counts for opinion in told], believed.cards)
    reasons = [opinion.reason for opinion in opinions(find_agent("planner"), decisions)]
    assert reasons[0] == ""  # it chooses tickets
    assert any(reason.startswith("It collects for ") and "missing for its plan" in reason for reason in reasons)


def test_without_a_network_for_the_game_values_are_unknown() -> None:
    configuration = configure("usa", 2, tickets="big_cities")
    assert find_judge(configuration) is None
    decisions = decisions_in(Games(configuration))
    assert judge_decisions(decisions, decisions.masks.argmax(axis=1)) == [(None, None, None)]
    with pytest.raises(PolicyError, match="there is no network of values for usa, 2 players, tickets big_cities"):
        Judge(configuration)


# Files


def test_a_network_is_the_same_after_saving_and_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    values, file = Values.load(NEW_YORK), tmp_path / "values.safetensors"
    values.save(file)
    loaded, states = Values.load(file), some_games().states
    for sees_all in (True, False):
        told, again = (Judge(CONFIGURATION, it).judge(states, sees_all=sees_all) for it in (values, loaded))
        assert np.array_equal(told.chances, again.chances)
    assert loaded.training == values.training
    changes: list[dict[str, Any]] = [{"format": "t2r_env policy 4"}, {"version": "1"}, {"known": {"hand": [-1]}}]
    for changed in changes:
        values.save(file)
        change(file, changed)
        with pytest.raises(PolicyError, match="not a network of values"):
            Values.load(file)


def test_a_network_for_another_game_or_other_features_is_refused() -> None:
    values = Values.load(NEW_YORK)
    with pytest.raises(PolicyError, match="was trained for new_york, 2 players, not for new_york, 3 players"):
        Judge(configure("new_york", 3), values)
    with pytest.raises(PolicyError, match="with other features than these; train it again"):
        Judge(CONFIGURATION, replace(values, version=values.version + 1))
    first, *others = [(name, shape, "") for name, shape in values.everything.shapes.items()]
    renamed = Segments.of([("moon", first[1], ""), *others])
    with pytest.raises(PolicyError, match="reads moon, which is missing here; train it again"):
        Judge(CONFIGURATION, replace(values, everything=renamed))


@pytest.mark.parametrize("file", sorted(SHIPPED.glob("*.safetensors")), ids=lambda file: file.stem)
def test_networks_that_come_with_the_library_fit_it_and_know_something(file: Path) -> None:
    identity = Values.load(file).identity
    configuration = configure(identity["variant"], identity["num_players"], **identity["options"])
    assert find_judge(configuration) is not None
    calibration = Values.load(file).training["calibration"]
    even = (1 / configuration.num_teams) * (1 - 1 / configuration.num_teams)  # the Brier score of no knowledge
    assert calibration["everything"]["brier"]["middle"][0] < calibration["known"]["brier"]["middle"][0] < even


# Play-outs


def test_the_same_seeds_play_positions_out_alike() -> None:
    states, seeds = some_games().states, np.arange(6, dtype=np.uint64)
    first, again, other = (play_out(CONFIGURATION, states, RandomAgent(), it) for it in (seeds, seeds, seeds[::-1]))
    assert np.array_equal(first.scores, again.scores)
    assert (first.ranks > 0).all()
    assert not np.array_equal(first.scores, other.scores)


@pytest.mark.parametrize(("variant", "num_players"), [("team_asia", 6), ("new_york", 3)])
def test_the_chances_at_the_end_are_shared_by_teams_that_win(variant: str, num_players: int) -> None:
    games = Games(variant, num_players, batch=3, seed=0, autoreset=False)
    games.play_random(1000)
    team = games.configuration.rules[0].team[:num_players]
    both = team < 2
    ranks = np.stack([np.where(team == 1, 1, 2), np.where(both, 1, 3), np.zeros(num_players)]).astype(np.int64)
    chances = chances_at_end(games.configuration, replace(games.results, ranks=ranks))
    assert chances[0].tolist() == (team == 1).tolist()
    assert chances[1].tolist() == (both / 2).tolist()
    assert chances[2] == pytest.approx(1 / games.configuration.num_teams)
