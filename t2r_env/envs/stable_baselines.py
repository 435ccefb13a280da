"""The Stable-Baselines3 vector environment (needs stable-baselines3, which the extra `train` installs)."""

import os
import time
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from t2r_env.configuration import Configuration, as_configuration
from t2r_env.envs.opponents import AnyOpponents
from t2r_env.envs.seat_games import SeatGames
from t2r_env.games import IllegalAction, Reward, check_number, seeds_from


class SeatVecEnv(VecEnv):
    """Many games as `SeatEnvironment` plays one, for the algorithms of Stable-Baselines3 and sb3-contrib.

    The observation is the vector alone, uint8 (num_envs, size); `env_method("action_masks")` is one array (num_envs,
    actions), as MaskablePPO wants it. Where a game ends the next begins at once, and the game's info has

    - `terminal_observation` and `TimeLimit.truncated`,
    - `episode`: the return `r`, the learner's decisions `l`, and the seconds since the beginning `t`, as from Monitor,
    - `is_success`: whether the learner won, alone or shared, and how the game came out for it (as `SeatEnvironment`'s
      info),
    - `opponents`: who sat on each seat, by the number in the list or pool of opponents; -1 is the learner.

    Parameters are those of `SeatVectorEnvironment`, and `seed`: game i is that of `seed` + i (modulo 2^64).
    """

    def __init__(
        self,
        variant: str | os.PathLike[str] | Configuration = "usa",
        num_players: int | None = None,
        num_envs: int = 1,
        *,
        opponents: AnyOpponents = "random",
        seat: int | Literal["random"] = 0,
        reward: Reward = "rank",
        illegal_action: IllegalAction = "terminate",
        threads: int = 1,
        seed: int = 0,
        **options: Any,
    ) -> None:
        self.games = SeatGames(
            as_configuration(variant, num_players, options),
            batch=check_number("num_envs", num_envs, 1),
            opponents=opponents,
            seat=seat,
            reward=reward,
            illegal_action=illegal_action,
            threads=threads,
        )
        layout = self.games.configuration.layout
        super().__init__(
            self.games.batch, Box(0, 255, (layout.observation.size,), np.uint8), Discrete(layout.actions.size)
        )
        self.seed(seed)
        self._actions = np.zeros(num_envs, np.int64)
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        self._began = time.time()

    @property
    def configuration(self) -> Configuration:
        """What is played."""
        return self.games.configuration

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Let game i of the next `reset` be that of `seed` + i (modulo 2^64), or of one drawn by chance."""
        if seed is None:
            return super().seed()
        self._seeds = [*seeds_from(seed, self.num_envs)]
        return self._seeds

    def reset(self) -> NDArray[np.uint8]:
        """Begin new games, from `seed` if one was given, and otherwise those that follow."""
        seeds = [seed for seed in self._seeds if seed is not None]
        self.games.reset(seeds=seeds or None)
        self._reset_seeds()
        self._reset_options()
        self._returns[:] = 0
        self._lengths[:] = 0
        return self.games.observe()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take note of the actions, (num_envs,)."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Answer every game's decision with the actions noted."""
        games = self.games
        games.step(self._actions)
        rewards, over = games.rewards.astype(np.float32), games.over
        self._returns += games.rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(over)
        if ended.size:
            self._tell_ends(ended, infos)
            games.reset(ended)
            self._returns[ended] = 0
            self._lengths[ended] = 0
        return games.observe(), rewards, over, infos

    def _tell_ends(self, rows: NDArray[np.int64], infos: list[dict[str, Any]]) -> None:
        games = self.games
        vectors = games.games.final_observations
        results = games.games.results_of(rows)
        passed = round(time.time() - self._began, 6)
        for place, row in enumerate(rows):
            seat = int(games.seats[row])
            result = results.of(place, seat)
            infos[row] = result | {
                "terminal_observation": vectors[row, seat].copy(),
                "TimeLimit.truncated": bool(games.truncated[row]),
                "episode": {"r": float(self._returns[row]), "l": int(self._lengths[row]), "t": passed},
                "is_success": result.get("rank") == 1,
                "opponents": games.sitters[row].tolist(),
            }

    def close(self) -> None:
        """There is nothing to close."""

    def action_masks(self) -> NDArray[np.int8]:
        """1 for each legal answer, as a new array (num_envs, actions)."""
        return self.games.masks()

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> Any:
        """What a method of this class gives, for all games at once: `action_masks` is the one that is meant.

        With `indices` only their rows. Raises AttributeError for a method that there is not.
        """
        actions = getattr(self, method_name)(*method_args, **method_kwargs)
        return actions if indices is None else actions[list(self._get_indices(indices))]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The attribute, which all games share, once for each of them."""
        if attr_name == "render_mode":
            return [None for _ in self._get_indices(indices)]
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute, which all games share. Raises ValueError if only some of them are meant."""
        if indices is not None and set(self._get_indices(indices)) != set(range(self.num_envs)):
            raise ValueError(f"all games share {attr_name!r}: it can't be set for some of them")
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: VecEnvIndices = None) -> list[bool]:
        """Games are not wrapped, but their infos are as Monitor's would be."""
        return [issubclass(Monitor, wrapper_class) for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Any]:
        """There are none."""
        return [None for _ in range(self.num_envs)]
