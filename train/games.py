"""The games of a training: their rewards as the learner gets them, and what is told of their ends."""

import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from t2r_env.envs.seat_games import LEARNER
from t2r_env.envs.stable_baselines import SeatVecEnv
from train.pool import TrainingPool
from train.rewards import reward_of_place
from train.settings import Settings


class TrainingGames(VecEnvWrapper):
    """Games against a pool, which learns how its opponents do; counts the time that games and opponents take."""

    def __init__(self, games: SeatVecEnv, pool: TrainingPool, settings: Settings) -> None:
        super().__init__(games)
        self.pool = pool
        self._settings = settings
        self._teams = games.configuration.num_teams
        self._team_size = games.configuration.variant.team_size
        self._ended: list[dict[str, Any]] = []
        self._games, self._seconds = games.games, 0.0

    def reset(self) -> NDArray[np.uint8]:
        """Begin all games."""
        observations: Any = self.venv.reset()
        seen: NDArray[np.uint8] = observations
        return seen

    def step_wait(self) -> VecEnvStepReturn:
        """Answer every game's decision."""
        began = time.perf_counter()
        observations, rewards, dones, infos = self.venv.step_wait()
        rewards = rewards / np.float32(self._settings.reward_unit)
        for row in np.flatnonzero(dones):
            info = infos[row]
            place = reward_of_place(info, self._teams, self._settings)
            rewards[row] += place
            self._ended.append(info)
            if info.get("rank"):
                share = 1 - (info["rank"] - 1) / (self._teams - 1)
                for number in opponents_of(info["opponents"], self._team_size):
                    self.pool.note(number, share)
        self._seconds += time.perf_counter() - began
        return observations, rewards, dones, infos

    def clock(self) -> tuple[float, float]:
        """The seconds spent in games so far, and in opponents."""
        in_opponents = self._games.opponent_seconds
        return self._seconds - in_opponents, in_opponents

    def tell(self) -> dict[str, float]:
        """Means of the games that have ended since it was told last."""
        ended, self._ended = [info for info in self._ended if info.get("rank")], []
        return {
            "games/ended": float(len(ended)),
            "games/decisions": _mean(info["episode"]["l"] for info in ended),
            "score/mean": _mean(info["score"] for info in ended),
            "tickets/made": _mean(info["completed"] for info in ended),
            "tickets/failed": _mean(info["failed"] for info in ended),
        }


def opponents_of(sitters: Sequence[int], team_size: int) -> list[int]:
    """The numbers of those who sit on the seats of other sides than the learner's."""
    team = sitters.index(LEARNER) // team_size
    return [number for seat, number in enumerate(sitters) if seat // team_size != team]


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return float(np.mean(listed)) if listed else float("nan")
