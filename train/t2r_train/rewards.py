"""The rewards of a training: the environment's in another unit, and one for the rank at the end of a game."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env import Trajectory
from t2r_train.settings import Settings


def rank_reward(result: dict[str, Any], num_teams: int, settings: Settings) -> float:
    """The reward for the rank in a result, linear from the first to the last; 0 for a game that was truncated."""
    if not result.get("rank"):
        return 0.0
    rank: int = result["rank"]
    return settings.win_reward * (1 - 2 * (rank - 1) / (num_teams - 1))


def discounted_returns(trajectory: Trajectory, num_teams: int, settings: Settings) -> NDArray[np.float64]:
    """The return from each timestep of a trajectory on, float64 (T,)."""
    rewards = trajectory.rewards / settings.reward_unit
    if len(rewards):
        rewards[-1] += rank_reward(trajectory.result, num_teams, settings)
    returns, following = np.zeros(len(rewards)), 0.0
    for step in reversed(range(len(rewards))):
        following = rewards[step] + settings.gamma * following
        returns[step] = following
    return returns
