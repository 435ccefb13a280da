"""Imitation: the network learns to choose the expert's actions, and the value of its positions."""

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from torch.nn import functional

from t2r_env import Configuration, trajectories
from t2r_train.network import logits_and_values
from t2r_train.rewards import discounted_returns
from t2r_train.settings import Settings

IMITATION_SEED = 1 << 40
"""The seed of the expert's first game, far from the seeds of evaluation and of PPO."""


def imitate(model: MaskablePPO, configuration: Configuration, settings: Settings, played: int) -> dict[str, float]:
    """Let the expert play the next games against itself and learn from them; return the statistics to log.

    `played` is the number of the expert's games before. The loss is the cross entropy of the expert's actions plus
    `imitation_vf_coef` times the mean squared error of the values.
    """
    network, optimizer = model.policy, model.policy.optimizer
    network.set_training_mode(True)
    for group in optimizer.param_groups:
        group["lr"] = settings.imitation_learning_rate * (1 - 0.9 * played / settings.imitation_games)
    games = list(
        trajectories(
            configuration,
            agents=settings.expert,
            games=settings.imitation_rollout_games,
            seed=IMITATION_SEED + settings.seed * settings.imitation_games + played,
            reward=settings.reward,
            batch=settings.imitation_rollout_games,
        )
    )
    num_teams = configuration.num_teams
    observations = np.concatenate([game.observations for game in games])
    masks = np.concatenate([game.masks for game in games])
    actions = np.concatenate([game.actions for game in games])
    returns = np.concatenate([discounted_returns(game, num_teams, settings) for game in games]).astype(np.float32)
    accuracies, value_losses = [], []
    for _ in range(settings.imitation_epochs):
        order = torch.randperm(len(actions)).numpy()
        for begin in range(0, len(order), settings.imitation_batch_size):
            rows = order[begin : begin + settings.imitation_batch_size]
            expert_actions = torch.as_tensor(actions[rows])
            logits, values = logits_and_values(
                network, torch.as_tensor(observations[rows]), torch.as_tensor(masks[rows])
            )
            value_loss = functional.mse_loss(values, torch.as_tensor(returns[rows]))
            loss = functional.cross_entropy(logits, expert_actions) + settings.imitation_vf_coef * value_loss
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]  # PyTorch's
            optimizer.step()
            accuracies.append((logits.argmax(dim=1) == expert_actions).float().mean().item())
            value_losses.append(value_loss.item())
    return {"imitation/accuracy": float(np.mean(accuracies)), "imitation/value_loss": float(np.mean(value_losses))}
