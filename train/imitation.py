"""The first lessons: a network learns to answer as an agent does, and what its positions are worth."""

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from torch.nn import functional

from t2r_env import Configuration, trajectories
from train.network import weigh
from train.rewards import returns_of
from train.settings import Settings

FIRST_LESSON = 1 << 40
"""The seed of the first game of lessons, far from those of games that are played later."""


def give_lesson(model: MaskablePPO, configuration: Configuration, settings: Settings, done: int) -> dict[str, float]:
    """Look at the next of the teacher's games against itself, `done` having been seen; return how it went.

    The loss is the cross entropy of the teacher's answers, and the squared error of what its games came to.
    """
    network, optimizer = model.policy, model.policy.optimizer
    network.set_training_mode(True)
    for group in optimizer.param_groups:
        group["lr"] = settings.lesson_rate * (1 - 0.9 * done / settings.lessons)
    games = list(
        trajectories(
            configuration,
            agents=settings.teacher,
            games=settings.lesson_games,
            seed=FIRST_LESSON + settings.seed * settings.lessons + done,
            reward=settings.reward,
            batch=settings.lesson_games,
        )
    )
    teams = configuration.num_teams
    observations = np.concatenate([game.observations for game in games])
    masks = np.concatenate([game.masks for game in games])
    actions = np.concatenate([game.actions for game in games])
    returns = np.concatenate([returns_of(game, teams, settings) for game in games]).astype(np.float32)
    agreements, errors = [], []
    for _ in range(settings.lesson_epochs):
        order = torch.randperm(len(actions)).numpy()
        for begin in range(0, len(order), settings.lesson_batch):
            rows = order[begin : begin + settings.lesson_batch]
            expert_actions = torch.as_tensor(actions[rows])
            logits, values = weigh(network, torch.as_tensor(observations[rows]), torch.as_tensor(masks[rows]))
            error = functional.mse_loss(values, torch.as_tensor(returns[rows]))
            loss = functional.cross_entropy(logits, expert_actions) + settings.lesson_value * error
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]  # PyTorch's
            optimizer.step()
            agreements.append((logits.argmax(dim=1) == expert_actions).float().mean().item())
            errors.append(error.item())
    return {"lessons/agreement": float(np.mean(agreements)), "lessons/value_loss": float(np.mean(errors))}
