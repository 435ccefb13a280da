"""The learner: imitation, PPO, and its terms."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from t2r_env.agents import find_agent
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


def test_imitation_learns_the_actions_of_the_expert(tmp_path: Path) -> None:
    learner = training(tmp_path, n_envs=32, n_steps=64, features_dim=64, imitation_learning_rate=3e-3).learner
    accuracies = [learner.imitate(find_agent("greedy"), 0.0)[1]["imitation/accuracy"] for _ in range(8)]
    assert accuracies[-1] > accuracies[0] + 0.1


def test_ppo_learns_to_win_against_random(tmp_path: Path) -> None:
    learning = training(
        tmp_path,
        expert="",
        total_timesteps=60_000,
        n_envs=64,
        n_steps=32,
        batch_size=256,
        features_dim=64,
        learning_rate=2e-3,
        fixed_opponents=("random",),
        fixed_opponents_share=0.5,
        latest_policy_share=0.5,
        eval_freq=1000,
        n_eval_episodes=200,
    )
    before = learning._evaluate()["eval/win_rate/random"]
    learning.run(lambda line: None, lambda: False)
    assert learning._evaluate()["eval/win_rate/random"] > before + 0.15


def test_in_the_warmup_of_the_critic_the_values_learn_and_the_actor_does_not(tmp_path: Path) -> None:
    learner = training(tmp_path, expert="", kl_coef=0.0).learner
    before = {name: weights.clone() for name, weights in learner.network.state_dict().items()}
    learner.iterate(0.0, only_values=True)
    changed = {name for name, weights in learner.network.state_dict().items() if not torch.equal(weights, before[name])}
    assert {"value_head.weight", "outcome_head.weight", "critic.0.weight", "hidden_features.weight"} <= changed
    assert not any(name.startswith(("actor", "action_head", "normalise")) for name in changed)


@pytest.mark.parametrize(("name", "less"), [("kl_coef", True), ("clip_range", False)])
def test_a_term_that_holds_the_policy_back_makes_smaller_changes(tmp_path: Path, name: str, less: bool) -> None:
    """A large weight of the divergence from the last policy; a small clip range."""
    changes = {}
    for value in (0.0, 100.0) if less else (1e-4, 10.0):
        learning = training(
            tmp_path / str(value),
            **{"expert": "", "n_epochs": 8, "kl_coef": 0.0, "kl_reference_decay": 0.0, name: value},
        )
        _, statistics = learning.learner.iterate(0.0)
        changes[value] = statistics["train/approx_kl"]
    small, large = (100.0, 0.0) if less else (1e-4, 10.0)
    assert 0 <= changes[small] < 0.5 * changes[large]


def test_no_further_epoch_follows_one_with_a_large_change(tmp_path: Path) -> None:
    for target, epochs in ((0.0, 3.0), (1e-7, 1.0)):
        learner = training(
            tmp_path / str(target), expert="", n_epochs=3, batch_size=16, target_kl=target, learning_rate=1e-2
        ).learner
        assert learner.iterate(0.0)[1]["train/n_epochs"] == epochs


def test_the_reference_follows_slowly(tmp_path: Path) -> None:
    learner = training(tmp_path, expert="", kl_coef=0.1, kl_reference_decay=0.9).learner
    assert learner.reference is not None
    before = learner.network.action_head.weight.detach().clone()
    learner.iterate(0.0)
    moved = learner.network.action_head.weight.detach() - before
    assert (learner.reference.action_head.weight.detach() - before).numpy() == pytest.approx(
        0.1 * moved.numpy(), abs=1e-6
    )
    assert moved.abs().max() > 0


def test_the_policy_that_is_kept_has_averages_of_the_weights_since_imitation(tmp_path: Path) -> None:
    learning = training(tmp_path, average_decay=0.9)
    learner = learning.learner
    learner.imitate(find_agent("greedy"), 0.0)
    assert learner.best_network is learner.network
    iterations = []
    for _ in range(3):
        learner.iterate(0.0)
        iterations.append(learner.network.action_head.weight.detach().clone().numpy())
    expected = 0.9 * (0.9 * iterations[0] + 0.1 * iterations[1]) + 0.1 * iterations[2]
    assert learner.best_network.action_head.weight.detach().numpy() == pytest.approx(expected, abs=1e-6)
    assert learning.policy().layers[-1][0] == pytest.approx(expected.T, abs=1e-6)
    assert np.abs(expected - iterations[-1]).max() > 1e-4


def test_with_a_prior_the_policy_begins_close_to_the_planner(tmp_path: Path) -> None:
    learning = training(tmp_path, expert="", features="plan", prior_weight=3.0)
    games = learning.plays[0].games
    planned = games.observations[:, games.layout.observation["planner_action"].slice]
    rows = np.arange(games.batch)
    odds = probabilities(learning)
    others = np.where((games.masks == 1) & (planned == 0), odds, 0).max(axis=1)
    assert odds[rows, planned.argmax(axis=1)] / others == pytest.approx(np.e**3, rel=0.3)
    learning.save()
    resumed = Training(tmp_path)
    assert np.array_equal(probabilities(resumed), odds)
    agent = find_agent(str(tmp_path / "policy.safetensors"), games.configuration)
    assert agent.act(learning.plays[0].decisions(rows)).tolist() == planned.argmax(axis=1).tolist()
