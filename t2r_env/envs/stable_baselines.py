"""The Stable-Baselines3 vector environment (needs stable-baselines3: install the extra `train`)."""

import os
import time
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Unpack

import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from t2r_env.basics.checks import check_integer, consecutive_seeds, seeds_told
from t2r_env.basics.packages import needs
from t2r_env.configuration import Configuration, Options, as_configuration
from t2r_env.core.layout import Layout
from t2r_env.envs.common import Observation, ObservationForm, Observer
from t2r_env.envs.opponents import AnyOpponents
from t2r_env.envs.seat_games import SeatGames
from t2r_env.features import AnyFeatures
from t2r_env.games import IllegalAction, Reward
from t2r_env.variants import Variant

with needs("train"):
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn


class SeatVecEnv(VecEnv):
    """Many games, each the same as in `SeatEnvironment`, for Stable-Baselines3 and sb3-contrib.

    The observation is the vector alone, uint8 (num_envs, size), unless `observation` is `dict` or `graph`, which need a
    `MultiInputPolicy`. `env_method("action_masks")` returns one array (num_envs, actions), which MaskablePPO accepts. A
    game that ends is followed by the next at once; its info holds

    - `terminal_observation` and `TimeLimit.truncated`,
    - `episode`: the return `r`, the number of the learner's decisions `l`, and the time since the beginning `t` in
      seconds, as from Monitor,
    - `is_success`: whether the learner won, alone or shared, and its seat and the result (as in `SeatEnvironment`'s
      info),
    - `seed`: the game's seed, np.int64; `reset_infos` has those of the games under way,
    - `illegal_action`: the illegal action that ended the game, if one did,
    - `opponents`: who played each seat, as an index in the list or pool of opponents; -1 is the learner.

    Parameters are those of `SeatVectorEnvironment`, and `seed`: game i begins from `seed` + i (modulo 2^64), or without
    a seed from a random one.
    """

    render_mode = None

    def __init__(
        self,
        variant: str | os.PathLike[str] | Variant | Configuration = "usa",
        num_players: int | None = None,
        num_envs: int = 1,
        *,
        opponents: AnyOpponents = "random",
        seat: int | Literal["random"] = 0,
        reward: Reward = "rank",
        illegal_action: IllegalAction = "terminate",
        threads: int = 1,
        seed: int | None = None,
        features: AnyFeatures | None = None,
        observation: ObservationForm = "vector",
        **options: Unpack[Options],
    ) -> None:
        self.games = SeatGames(
            as_configuration(variant, num_players, options, SeatVecEnv),
            batch=check_integer("num_envs", num_envs, 1),
            opponents=opponents,
            seat=seat,
            reward=reward,
            illegal_action=illegal_action,
            threads=threads,
            features=features,
        )
        self._observer = Observer(observation, self.games.games)
        super().__init__(self.games.batch, self._observer.space(), Discrete(self._observer.num_actions))
        if seed is not None:
            self.seed(seed)
        self._actions = np.zeros(num_envs, np.int64)
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        self._began = time.time()

    def __repr__(self) -> str:
        return f"<SeatVecEnv {self.games.title}>"

    @property
    def configuration(self) -> Configuration:
        """Variant, players and options."""
        return self.games.configuration

    @property
    def layout(self) -> Layout:
        """The layout of observations and actions."""
        return self.games.games.layout

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Let game i of the next `reset` begin from `seed` + i (modulo 2^64), or from a random seed."""
        if seed is None:
            return super().seed()
        self._seeds = [*consecutive_seeds(seed, self.num_envs)]
        return self._seeds

    def reset(self) -> Observation:
        """Begin new games: from `seed` if one was given, otherwise from the seeds that follow, at first random ones."""
        seeds = [seed for seed in self._seeds if seed is not None]
        self.games.reset(seeds=seeds or None)
        self._reset_seeds()
        self._reset_options()
        self._returns[:] = 0
        self._lengths[:] = 0
        self._tell_seeds(range(self.num_envs))
        return self._observe()

    def _observe(self) -> Observation:
        return self._observer.observe(self.games.observe(), self.games.masks(), self.games.seats)

    def _tell_seeds(self, rows: Iterable[int]) -> None:
        seeds = seeds_told(self.games.games.seeds)
        for row in rows:
            self.reset_infos[row] = {"seed": seeds[row]}

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the actions, (num_envs,), for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Take the actions in all games."""
        games = self.games
        games.step(self._actions)
        rewards, over = games.rewards.astype(np.float32), games.over
        self._returns += games.rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(over)
        if ended.size:
            self._write_infos(ended, infos)
            games.reset(ended)
            self._tell_seeds(ended)
            self._returns[ended] = 0
            self._lengths[ended] = 0
        return self._observe(), rewards, over, infos

    def _write_infos(self, rows: NDArray[np.int64], infos: list[dict[str, Any]]) -> None:
        """Write the infos of games that have ended."""
        games = self.games
        vectors = games.games.final_observations
        results, forfeited = games.games.results_of(rows), games.forfeited(rows, self._actions)
        seeds = seeds_told(games.games.seeds)
        nothing = np.zeros_like(games.games.masks[0])
        passed = round(time.time() - self._began, 6)
        for index, row in enumerate(rows):
            ending, seat = self._observer.of_size(games.ending(row, results, index)), int(games.seats[row])
            infos[row] = ending | {
                "terminal_observation": self._observer.observe_one(vectors[row, seat].copy(), nothing, seat),
                "TimeLimit.truncated": bool(games.truncated[row]),
                "episode": {"r": float(self._returns[row]), "l": int(self._lengths[row]), "t": passed},
                "is_success": ending.get("rank") == 1,
                "seed": seeds[row],
                "opponents": games.seating[row].tolist(),
            }
        for row in forfeited:
            infos[row]["illegal_action"] = int(self._actions[row])

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def action_masks(self) -> NDArray[np.int8]:
        """Return masks, 1 for each legal action, as a new array (num_envs, actions)."""
        return self._observer.masks(self.games.masks())

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> Any:
        """Call a method of this class once for all games; return its result, with `indices` only their rows of it.

        Meant for `action_masks`. Raises AttributeError if there is no such method.
        """
        result = getattr(self, method_name)(*method_args, **method_kwargs)
        return result if indices is None else result[list(self._get_indices(indices))]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return the attribute, which all games share, once for each game."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute, which all games share. Raises ValueError unless `indices` are all games."""
        if indices is not None and set(self._get_indices(indices)) != set(range(self.num_envs)):
            raise ValueError(f"indices must be all games to set {attr_name!r}, which they share")
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: VecEnvIndices = None) -> list[bool]:
        """True for Monitor, as the infos are those of Monitor, though the games are not wrapped."""
        return [issubclass(Monitor, wrapper_class) for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Any]:
        """None for each game: there are no pictures."""
        return [None for _ in range(self.num_envs)]
