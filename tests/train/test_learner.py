"""The learner: PPO, and its terms."""

import copy
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import t2r_train.learner
from t2r_env.agents import decisions_of, find_agent
from t2r_train.learner import Learner
from t2r_train.recorded import Recorded
from t2r_train.training import Training
from tests.train.tiny import tiny_settings


def training(folder: Path, **others: Any) -> Training:
    return Training(folder, tiny_settings(**others))


def probabilities(training: Training) -> Any:
    """The policy's probabilities at the decisions of the games under way."""
    play, network = training.plays[0], training.learner.network
    inputs = torch.from_numpy(play.games.observations)
    with torch.inference_mode():
        return network.log_probabilities(inputs, torch.from_numpy(play.games.masks).bool()).exp().numpy()


def test_ppo_learns_to_win_against_random(tmp_path: Path) -> None:
    sizes = {"total_timesteps": 60_000, "n_envs": 64, "n_steps": 32, "batch_size": 256, "features_dim": 64}
    opponents = {"fixed_opponents": ("random",), "fixed_opponents_share": 0.5, "latest_policy_share": 0.5}
    seldom = {"eval_freq": 1_000_000, "n_eval_episodes": 200}
    learning = training(tmp_path, learning_rate=2e-3, **sizes, **opponents, **seldom)
    before = learning._evaluate()["eval/win_rate/random"]
    learning.run(lambda line: None, lambda: False)
    assert learning._evaluate()["eval/win_rate/random"] > before + 0.15


def test_in_the_warmup_of_the_critic_the_values_learn_and_the_actor_does_not(tmp_path: Path) -> None:
    learner = training(tmp_path).learner
    before = {name: weights.clone() for name, weights in learner.network.state_dict().items()}
    learner.iterate(0.0, only_values=True)
    changed = {name for name, weights in learner.network.state_dict().items() if not torch.equal(weights, before[name])}
    assert {"value_head.weight", "outcome_head.weight", "critic.0.weight", "hidden_features.weight"} <= changed
    assert not any(name.startswith(("actor", "action_head", "normalise")) for name in changed)


def test_decisions_that_the_planner_took_are_not_learned_from_by_an_entropy_bonus_either(tmp_path: Path) -> None:
    learner = training(tmp_path, features="plan", ticket_warmup=1.0).learner
    learner.play(planner_tickets=True)
    rows, *_ = learner.estimate()
    learner._policy_weight.fill_(1)
    learner._ent_coef.fill_(1)
    given = learner.experience.is_given[rows]
    for some, is_learned_from in ((rows[given], False), (rows[~given], True)):
        _, *gradients = learner._gradients(some, torch.ones(len(some)))
        (bias,) = (it for it in gradients if it.shape == learner.network.action_head.bias.shape)
        assert bias.any() == is_learned_from


def test_a_small_clip_range_makes_smaller_changes_and_an_entropy_bonus_keeps_the_policy_open(tmp_path: Path) -> None:
    changes, losses = [], []
    for value in (1e-4, 10.0):
        learner = training(tmp_path / str(value), n_epochs=8, clip_range=value).learner
        changes.append(learner.iterate(0.0)[1]["train/approx_kl"])
        learner = training(tmp_path / f"open_{value}", n_epochs=8, ent_coef=value, learning_rate=1e-2).learner
        losses.append([learner.iterate(0.0)[1]["train/entropy_loss"] for _ in range(3)][-1])
    assert 0 <= changes[0] < 0.5 * changes[1]
    assert losses[1] < losses[0]


def test_learning_rate_and_entropy_bonus_fall_to_a_tenth(tmp_path: Path) -> None:
    learner = training(tmp_path, ent_coef=0.5, learning_rate=0.01).learner
    for progress, left in ((0.0, 1.0), (0.5, 0.55), (1.0, 0.1)):
        _, statistics = learner.iterate(progress)
        assert statistics["train/learning_rate"] == pytest.approx(0.01 * left)
        assert learner._ent_coef.item() == pytest.approx(0.5 * left)


def test_each_decision_is_in_one_minibatch_and_has_the_same_weight(tmp_path: Path) -> None:
    """Also where all minibatches have one size, as a recorded step of the optimiser needs it."""
    learner = training(tmp_path).learner
    rows = torch.arange(5, 105)
    for step, sizes in ((learner._learn_from, [50, 50]), (Recorded(learner._learn_from), [64, 64])):
        learner._step = step
        batches, all_weights = zip(*learner._minibatches(rows, 100), strict=True)
        assert [len(batch) for batch in batches] == sizes
        weights = torch.cat(all_weights)
        assert torch.cat(batches)[weights > 0].sort().values.tolist() == rows.tolist()
        assert weights[weights > 0].tolist() == pytest.approx([2 / 100] * 100)


@pytest.mark.parametrize("average_timesteps", [1000, 1])
def test_the_policy_that_is_kept_averages_four_iterations_at_least(tmp_path: Path, average_timesteps: int) -> None:
    learning = training(tmp_path, average_timesteps=average_timesteps)
    learner, expected = learning.learner, np.zeros(1)
    assert learner.best_network is learner.network
    for iteration in range(3):
        learner.play()
        rows, number, explained = learner.estimate()
        learner.learn(rows, number, explained, 0.0)
        weights = learner.network.action_head.weight.detach().clone().numpy()
        left = np.exp(-number / max(average_timesteps, 4 * number)) if iteration else 0
        expected = left * expected + (1 - left) * weights
    assert learner.best_network.action_head.weight.detach().numpy() == pytest.approx(expected, abs=1e-6)
    assert learning.policy().layers[-1][0] == pytest.approx(expected.T, abs=1e-6)
    assert np.abs(expected - weights).max() > 1e-4


def test_with_a_prior_the_policy_begins_close_to_the_planner(tmp_path: Path) -> None:
    learning = training(tmp_path, features="plan", prior_weight=3.0)
    games = learning.plays[0].games
    planned = games.observations[:, games.layout.observation["planner_action"].slice]
    rows = np.flatnonzero(planned.any(axis=1))  # the policy's decisions
    odds = probabilities(learning)
    others = np.where((games.masks == 1) & (planned == 0), odds, 0).max(axis=1)
    actions = planned[rows].argmax(axis=1)
    assert len(rows) > 2
    assert odds[rows, actions] / others[rows] == pytest.approx(np.e**3, rel=0.3)
    learning.save()
    resumed = Training(tmp_path)
    assert np.array_equal(probabilities(resumed), odds)
    agent = find_agent(str(tmp_path / "policy.safetensors"), games.configuration)
    decisions = decisions_of(games, rows, np.zeros(len(rows), np.uint64))
    assert agent.act(decisions).tolist() == actions.tolist()


def test_threads_that_share_a_minibatch_learn_what_one_learns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(t2r_train.learner, "FEWEST_DECISIONS", 16)
    learned, used = [], set()
    gradients = Learner._gradients

    def counted(learner: Learner, rows: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, ...]:
        used.add(threading.get_ident())
        return gradients(learner, rows, weights)

    monkeypatch.setattr(Learner, "_gradients", counted)
    for threads in (1, 3):
        learner = Training(tmp_path / str(threads), tiny_settings(), threads=threads).learner
        assert learner._parts == threads
        learner.network.uses_bfloat16 = False
        learner.play()
        rows, number, _ = learner.estimate()
        statistics = learner._learn_from(rows, torch.full((number,), 1 / number))
        gradients_of_all = [it.grad.flatten() for it in learner.network.parameters() if it.grad is not None]
        learned.append(torch.cat([statistics, *gradients_of_all]).tolist())
    assert len(used) > 1
    assert learned[0] == pytest.approx(learned[1], abs=1e-5)


def test_what_was_learned_on_a_gpu_goes_on_on_the_cpu(tmp_path: Path) -> None:
    here, there = (training(tmp_path / name).learner for name in ("here", "there"))
    here.iterate(0.0)
    state = copy.deepcopy(here.state())
    for group in state["optimizer"]["param_groups"]:
        group["capturable"] = True  # a GPU's optimiser can be recorded
    there.set_state(state)
    there.rng.set_state(here.rng.get_state())
    assert not there.optimizer.param_groups[0]["capturable"]
    for play, other in zip(here.plays, there.plays, strict=True):
        other.set_state(play.state())
    assert here.iterate(0.5) == there.iterate(0.5)
