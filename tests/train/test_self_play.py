"""What the learner learns from: the decisions of all seats of the policy, their rewards, advantages, and inputs."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch

from t2r_agents.policy import Skip
from t2r_env import Games, configure, trajectories
from t2r_env.agents import RandomAgent, find_agent
from t2r_train.inputs import Inputs, hidden_part
from t2r_train.learner import Learner
from t2r_train.network import Network
from t2r_train.pool import LEARNER, TrainingPool
from t2r_train.self_play import Rollout, SelfPlay, advantages_of, draw_from, samples
from t2r_train.settings import Settings
from tests.playing import every_variant
from tests.train.tiny import tiny_settings

SELF_PLAY: dict[str, Any] = {"fixed_opponents": (), "n_steps": 200, "n_envs": 6}


def beginning(settings: Settings, skip: Skip | None = None, seed: int = 1) -> tuple[SelfPlay, Network]:
    """Self-play and a network for it."""
    inputs, (configuration, *_) = Inputs.of(settings), settings.configurations()
    play = SelfPlay(configuration, settings, inputs, TrainingPool(settings), settings.n_envs, seed)
    torch.manual_seed(0)
    observations, hidden = samples(settings, inputs, RandomAgent())
    return play, Network(observations, hidden, inputs.num_actions, settings, skip)


def rollout_of(variant: str, num_players: int, expert: str = "", **others: object) -> tuple[Rollout, SelfPlay]:
    play, network = beginning(tiny_settings(variant, num_players=(num_players,), **others), seed=5)
    agent = find_agent(expert) if expert else None
    return play.collect(network, np.random.default_rng(2), agent), play


@pytest.mark.parametrize(("variant", "num_players"), [("new_york", 2), ("new_york", 4), ("team_asia", 4)])
def test_every_seat_of_the_policy_is_trained_with_its_own_rewards(variant: str, num_players: int) -> None:
    """An expert that chooses as `trajectories` does: the first game of each row is the same there."""
    rollout, play = rollout_of(variant, num_players, "greedy", **SELF_PLAY | {"n_steps": 400})
    zeros = np.zeros(len(rollout), np.float32)
    returns, is_known = advantages_of(rollout, rollout.rewards, zeros, 1.0, 1.0)
    outcomes, _ = advantages_of(rollout, rollout.rank_rewards, zeros, 1.0, 1.0)
    games = list(trajectories(play.games.configuration, agents="greedy", games=6, seed=5, reward="margin"))
    ends = np.where(rollout.over.any(axis=0), rollout.over.argmax(axis=0), 0)
    compared = 0
    for number, game in enumerate(games):
        row, seat = divmod(number, num_players)
        if not rollout.over[:, row].any():
            continue
        own = (rollout.rows == row) & (rollout.seats == seat) & (rollout.steps <= ends[row])
        assert rollout.actions[own].tolist() == game.actions.tolist()
        assert is_known[own].all()
        assert returns[own] == pytest.approx(np.cumsum(game.rewards[::-1])[::-1])
        rank, teams = game.result["rank"], play.games.configuration.num_teams
        assert outcomes[own] == pytest.approx(np.full(own.sum(), 1 - 2 * (rank - 1) / (teams - 1)))
        compared += 1
    assert compared >= num_players


def test_advantages_are_those_of_generalised_advantage_estimation() -> None:
    """One game of two seats, by hand: seat 1's reward for the move of seat 0 belongs to its own decision before."""
    rewards = np.zeros((4, 1, 2), np.float32)
    rewards[:, 0] = [[1, -1], [-2, 2], [4, -4], [8, -8]]
    over = np.array([[False], [False], [False], [True]])
    seats = np.array([0, 1, 0, 1])
    no: Any = np.zeros(4)
    rows = np.zeros(4, np.int64)
    values = np.array([0.5, 0.25, 1.5, 3.0], np.float32)
    decisions = (no, no, no, no, no, no, values, values, np.arange(4), rows, seats)
    rollout = Rollout(*decisions, rewards, np.zeros_like(rewards), over)
    advantages, is_known = advantages_of(rollout, rewards, values, 0.9, 0.8)
    last_0, last_1 = (4 + 8) - 1.5, -8 - 3.0
    first_0 = (1 - 2) + 0.9 * 1.5 - 0.5 + 0.9 * 0.8 * last_0
    first_1 = (2 - 4) + 0.9 * 3.0 - 0.25 + 0.9 * 0.8 * last_1
    assert advantages == pytest.approx([first_0, first_1, last_0, last_1])
    assert is_known.all()


def test_where_a_game_goes_on_the_last_decision_of_each_seat_stands_for_what_follows() -> None:
    rollout, _ = rollout_of("new_york", 2, **SELF_PLAY | {"n_steps": 30})
    assert not rollout.over.any()
    values = np.random.default_rng(0).normal(size=len(rollout)).astype(np.float32)
    advantages, is_known = advantages_of(rollout, rollout.rewards, values, 1.0, 0.0)
    for row in range(6):
        for seat in range(2):
            own = np.flatnonzero((rollout.rows == row) & (rollout.seats == seat))
            assert is_known[own].tolist() == [True] * (len(own) - 1) + [False]
            assert advantages[own[-1]] == 0
            for decision, following in pairwise(own):
                between = slice(rollout.steps[decision], rollout.steps[following])
                earned = rollout.rewards[between, row, seat].sum()
                assert advantages[decision] == pytest.approx(earned + values[following] - values[decision], abs=1e-4)


def test_decisions_of_the_pool_are_not_training_data() -> None:
    rollout, play = rollout_of("new_york", 2, fixed_opponents_share=1.0, latest_policy_share=0.0, n_steps=20)
    assert ((play.seating == LEARNER).sum(axis=1) == 1).all()
    assert (play.seating[rollout.rows, rollout.seats] == LEARNER).all()
    assert 0 < len(rollout) < 20 * 8


def test_actions_are_legal_and_have_the_probabilities_of_the_policy() -> None:
    log_probabilities = torch.log_softmax(torch.tensor([[0.0, -1e8, 1.0, 2.0]]), dim=1).repeat(40_000, 1)
    actions = draw_from(log_probabilities, np.random.default_rng(0))
    shares = np.bincount(actions, minlength=4) / 40_000
    assert shares[1] == 0
    assert shares == pytest.approx(log_probabilities[0].exp().numpy(), abs=0.01)
    rollout, _ = rollout_of("usa", 2, **SELF_PLAY)
    assert rollout.masks[np.arange(len(rollout)), rollout.actions].all()


@every_variant
def test_the_critic_sees_what_the_seat_does_not(variant: str) -> None:
    """Of any two deals that look the same to a seat; the columns are the same whoever it is."""
    configuration = configure(variant)
    games = Games(configuration, batch=20, seed=3)
    games.play_random(30)
    rows, (segments, columns) = np.arange(20), hidden_part(configuration)
    assert columns.shape == (configuration.num_players, segments.size)
    hidden = np.take_along_axis(games.global_state(rows), columns[games.current], axis=1)
    others = games.clone()
    others.set_states(rows, games.determinize(rows, range(20)))
    dealt = np.take_along_axis(others.global_state(rows), columns[others.current], axis=1)
    assert np.array_equal(games.observations, others.observations)
    assert not np.array_equal(hidden, dealt)


def test_the_critic_sees_the_others_hands_in_turn_order() -> None:
    configuration = configure("new_york", 3)
    games = Games(configuration, batch=1, seed=0)
    games.play_random(40)
    (segments, columns), state = hidden_part(configuration), games.global_state([0])[0]
    hands = state[configuration.layout.global_state["hand"].slice].reshape(3, -1)
    for seat in range(3):
        seen = state[columns[seat]][segments["hand"].slice].reshape(2, -1)
        assert np.array_equal(seen, hands[[(seat + 1) % 3, (seat + 2) % 3]])
    assert hands.sum() > 0


@pytest.mark.parametrize("critic", ["observation", "global_state"])
def test_an_exported_policy_computes_what_the_network_does(critic: str) -> None:
    settings = tiny_settings("new_york", critic=critic, net_arch=(12, 9))
    play, network = beginning(settings, Skip(20, 2.5))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.05 * torch.randn_like(parameter))
    play.games.play_random(25)
    policy = network.export([play.games.configuration])
    inputs, hidden, masks = map(torch.from_numpy, play.seen(np.arange(settings.n_envs)))
    log_probabilities, _, outcomes = network(inputs, hidden, masks)
    logits, outcomes_of_policy = policy.logits_and_values(play.games.observations)
    legal = play.games.masks == 1
    expected = np.where(legal, logits, -np.inf)
    expected -= np.logaddexp.reduce(expected, axis=1, keepdims=True)
    assert log_probabilities.detach().numpy()[legal] == pytest.approx(expected[legal], abs=1e-3)
    assert outcomes.detach().numpy() == pytest.approx(outcomes_of_policy, abs=1e-4)
    assert np.array_equal(policy.logits(play.games.observations), logits)
    assert torch.equal(network.log_probabilities(inputs, masks), log_probabilities)
    assert (hidden.shape[1] > 0) == (critic == "global_state")


def test_the_outcomes_do_not_train_what_the_policy_uses() -> None:
    settings = tiny_settings("new_york")
    play, network = beginning(settings)
    network(*map(torch.from_numpy, play.seen(np.arange(settings.n_envs))))[2].sum().backward()
    assert network.outcome_head.weight.grad is not None
    assert network.features.weight.grad is None


def test_bfloat16_is_close_to_float32() -> None:
    settings = tiny_settings("new_york", features_dim=64)
    play, network = beginning(settings)
    play.games.play_random(25)
    inputs, hidden, masks = map(torch.from_numpy, play.seen(np.arange(settings.n_envs)))
    outputs = []
    for network.uses_bfloat16 in (False, True):
        outputs.append(network(inputs, hidden, masks))
        assert outputs[-1][0].dtype == torch.float32
    assert not torch.equal(outputs[0][1], outputs[1][1])
    assert outputs[1][1].tolist() == pytest.approx(outputs[0][1].tolist(), abs=0.05)


def test_the_planner_decides_about_tickets_and_the_policy_does_not_learn_from_it() -> None:
    settings = tiny_settings("usa", features="plan", **SELF_PLAY | {"n_steps": 300})
    play, network = beginning(settings)
    rollout = play.collect(network, np.random.default_rng(2), planner_tickets=True)
    draw, keep = (play.games.layout.actions[name].start for name in ("draw_tickets", "keep_ticket"))
    planned = play.inputs.planned(rollout.inputs)
    assert rollout.is_given.tolist() == (rollout.masks[:, keep] | (planned == draw)).tolist()
    assert (rollout.actions[rollout.is_given] == planned[rollout.is_given]).all()
    assert (rollout.actions[~rollout.is_given] != planned[~rollout.is_given]).mean() > 0.5
    may_draw = rollout.masks[:, draw] & (rollout.masks.sum(axis=1) > 1)
    assert may_draw.tolist() == (planned == draw).tolist()
    assert may_draw.any()
    experience = Learner(network, settings, [play], np.random.default_rng(2))._collect(planner_tickets=True)
    planned = play.inputs.planned(experience.inputs)
    assert (experience.advantages == 0).tolist() == (experience.masks[:, keep] | (planned == draw)).tolist()
