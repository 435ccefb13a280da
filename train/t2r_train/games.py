"""The vector environment of a training: rewards as the learner gets them, and statistics of the games that ended."""

import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from t2r_env.envs.seat_games import LEARNER
from t2r_env.envs.stable_baselines import SeatVecEnv
from t2r_train.pool import TrainingPool
from t2r_train.rewards import rank_reward
from t2r_train.settings import Settings


class TrainingGames(VecEnvWrapper):
    """Games against a pool. Records their results in the pool, and measures the time of environment and opponents."""

    def __init__(self, games: SeatVecEnv, pool: TrainingPool, settings: Settings) -> None:
        super().__init__(games)
        self.pool = pool
        self._settings = settings
        self._num_teams = games.configuration.num_teams
        self._team_size = games.configuration.variant.team_size
        self._ended: list[dict[str, Any]] = []
        self._games, self._seconds = games.games, 0.0

    def reset(self) -> NDArray[np.uint8]:
        """Reset all games; return observations (n_envs, size)."""
        observations: Any = self.venv.reset()
        vectors: NDArray[np.uint8] = observations
        return vectors

    def step_wait(self) -> VecEnvStepReturn:
        """Step all games. Rewards are in `reward_unit`, with the reward for the rank at the end of a game."""
        began = time.perf_counter()
        observations, rewards, dones, infos = self.venv.step_wait()
        rewards = rewards / np.float32(self._settings.reward_unit)
        for row in np.flatnonzero(dones):
            info = infos[row]
            rewards[row] += rank_reward(info, self._num_teams, self._settings)
            self._ended.append(info)
            if info.get("rank"):
                win = 1 - (info["rank"] - 1) / (self._num_teams - 1)
                for index in opponents_of(info["opponents"], self._team_size):
                    self.pool.record(index, win)
        self._seconds += time.perf_counter() - began
        return observations, rewards, dones, infos

    def seconds(self) -> tuple[float, float]:
        """The seconds spent so far in the environment and in its opponents."""
        in_opponents = self._games.opponent_seconds
        return self._seconds - in_opponents, in_opponents

    def statistics(self) -> dict[str, float]:
        """Statistics of the games that have ended since the last call. Truncated games do not count."""
        ended, self._ended = [info for info in self._ended if info.get("rank")], []
        return {
            "rollout/episodes": float(len(ended)),
            "rollout/ep_len_mean": _mean(info["episode"]["l"] for info in ended),
            "rollout/score_mean": _mean(info["score"] for info in ended),
            "rollout/tickets_completed_mean": _mean(info["completed"] for info in ended),
            "rollout/tickets_failed_mean": _mean(info["failed"] for info in ended),
        }


def opponents_of(players: Sequence[int], team_size: int) -> list[int]:
    """The indices in the pool of the players that are not in the learner's team, `players` being those of all seats."""
    team = players.index(LEARNER) // team_size
    return [index for seat, index in enumerate(players) if seat // team_size != team]


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return float(np.mean(listed)) if listed else float("nan")
