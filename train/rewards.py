"""What a training rewards: points in a reasonable unit, and winning."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env import Trajectory
from train.settings import Settings


def reward_of_place(result: dict[str, Any], teams: int, settings: Settings) -> float:
    """What a place is worth: linear between the first and the last; nothing if the game was not played to its end."""
    if not result.get("rank"):
        return 0.0
    place: int = result["rank"]
    return settings.win_reward * (1 - 2 * (place - 1) / (teams - 1))


def returns_of(game: Trajectory, teams: int, settings: Settings) -> NDArray[np.float64]:
    """What was still to come at each decision of a game, (T,)."""
    rewards = game.rewards / settings.reward_unit
    if len(rewards):
        rewards[-1] += reward_of_place(game.result, teams, settings)
    returns, coming = np.zeros(len(rewards)), 0.0
    for step in reversed(range(len(rewards))):
        coming = rewards[step] + settings.discount * coming
        returns[step] = coming
    return returns
