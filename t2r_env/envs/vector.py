"""The Gymnasium vector environment: many games at once, without processes and without Python for each of them."""

import os
from collections.abc import Sequence
from typing import Any, Literal, cast

import gymnasium
import numpy as np
from gymnasium.spaces import Dict, Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from t2r_env.configuration import Configuration, as_configuration
from t2r_env.core.layout import Layout
from t2r_env.envs.opponents import AnyOpponents
from t2r_env.envs.seat_games import SeatGames
from t2r_env.envs.single import RENDER_MODES, Observation, observation_space
from t2r_env.games import IllegalAction, Reward, check_choice, check_number, seeds_from
from t2r_env.render.text import render_text

Infos = dict[str, Any]


class SeatVectorEnvironment(gymnasium.vector.VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many games as `SeatEnvironment` plays one, decision by decision the same.

    Observations, action masks, rewards and infos are those of the single environment in arrays with a row for each
    game, new ones for every step: `observation` uint8 (num_envs, size), `action_mask` int8 (num_envs, actions), rewards
    float64, ends bool. Infos are dictionaries of arrays, each `name` with a mask `_name` of the games that have it.

    Parameters
    ----------
    num_envs
        How many games.
    autoreset_mode
        When the next game begins where one has ended (Gymnasium's AutoresetMode). `NextStep`: in the next step, whose
        action is then ignored and whose reward is 0. `SameStep`: in the step that ends the game, whose infos have what
        the learner saw at the end (`final_obs`) and how the game came out (`final_info`). `Disabled`: when
        `reset(options={"reset_mask": mask})` says so; until then the actions of ended games are ignored.
    threads
        How many threads share a step inside the core; the games are the same for every number.
    render_mode
        `ansi`: `render()` returns texts. `human`: `reset` and `step` print them.
    variant, num_players, opponents, seat, reward, illegal_action, options
        As for `SeatEnvironment`.

    Raises ValueError or TypeError for any argument that is not allowed; the message says what is.
    """

    single_observation_space: Dict
    observation_space: Dict
    single_action_space: Discrete
    action_space: MultiDiscrete

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
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        mode = autoreset_mode.value if isinstance(autoreset_mode, AutoresetMode) else autoreset_mode
        self.autoreset_mode = AutoresetMode(
            check_choice("autoreset_mode", mode, tuple(it.value for it in AutoresetMode))
        )
        if render_mode is not None:
            check_choice("render_mode", render_mode, tuple(RENDER_MODES))
        self.games = SeatGames(
            as_configuration(variant, num_players, options),
            batch=check_number("num_envs", num_envs, 1),
            opponents=opponents,
            seat=seat,
            reward=reward,
            illegal_action=illegal_action,
            threads=threads,
        )
        self.num_envs = self.games.batch
        self.metadata = {"render_modes": RENDER_MODES, "render_fps": 1, "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self.single_observation_space = observation_space(self.layout)
        self.observation_space = cast("Dict", batch_space(self.single_observation_space, self.num_envs))
        self.single_action_space = Discrete(self.layout.actions.size)
        self.action_space = cast("MultiDiscrete", batch_space(self.single_action_space, self.num_envs))

    @property
    def configuration(self) -> Configuration:
        """What is played."""
        return self.games.configuration

    @property
    def layout(self) -> Layout:
        """Where observations and actions lie."""
        return self.configuration.layout

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Infos]:
        """Begin new games: from `seed` + i, from a list of seeds, or those that follow (where None stands for one).

        `options={"reset_mask": mask}`, mask being bool of shape (num_envs,), begins them only where the mask says so.
        Other options are ignored. Raises ValueError or TypeError for seeds and masks that are none.
        """
        rows = self._rows_to_reset(options)
        seeds = self._seeds(seed)
        self.games.reset(rows, [seeds[row] for row in rows])
        super().reset(seed=seeds[0] if isinstance(seed, int | np.integer) else None)
        self._show()
        return self._observe(), {}

    def _rows_to_reset(self, options: dict[str, Any] | None) -> NDArray[np.int64]:
        if not options or "reset_mask" not in options:
            return np.arange(self.num_envs)
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise ValueError(f"the reset_mask must be an array of bool of shape ({self.num_envs},), not {mask!r}")
        if not mask.any():
            raise ValueError("the reset_mask must be true for at least one game")
        return np.flatnonzero(mask)

    def _seeds(self, seed: int | list[int | None] | None) -> list[int]:
        if seed is None:
            seed = [None] * self.num_envs
        if not isinstance(seed, Sequence | np.ndarray):
            return seeds_from(seed, self.num_envs)
        if len(seed) != self.num_envs:
            raise ValueError(f"there must be one seed, or one for each of the {self.num_envs} games, not {len(seed)}")
        return [self.games.following_seed(row) if given is None else given for row, given in enumerate(seed)]

    def step(
        self, actions: ArrayLike
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Answer every game's decision: integers of shape (num_envs,).

        Raises what `SeatEnvironment.step` does, with nothing changed.
        """
        games = self.games
        over = games.over
        games.step(actions)
        if self.autoreset_mode == AutoresetMode.NEXT_STEP and over.any():
            games.reset(np.flatnonzero(over))
        rewards, terminated, truncated = games.rewards.copy(), games.terminated.copy(), games.truncated.copy()
        ended = np.flatnonzero((terminated | truncated) & (self.autoreset_mode != AutoresetMode.DISABLED or ~over))
        infos = self._results(ended)
        if self.autoreset_mode == AutoresetMode.SAME_STEP and ended.size:
            infos = self._final_infos(ended, infos)
            games.reset(ended)
        self._show()
        return self._observe(), rewards, terminated, truncated, infos

    def _observe(self) -> Observation:
        return {"observation": self.games.observe(), "action_mask": self.games.masks()}

    def _results(self, rows: NDArray[np.int64]) -> Infos:
        """How the games of these rows came out for their learners, where they were played to their end."""
        if not rows.size:
            return {}
        results, seats = self.games.games.results_of(rows), self.games.seats[rows]
        each = np.arange(len(rows))
        scored = results.ranks[each, seats] > 0
        if not scored.any():
            return {}

        def spread(values: NDArray[np.int64]) -> NDArray[np.int64]:
            spread_out = np.zeros(self.num_envs, np.int64)
            spread_out[rows[scored]] = values[each, seats][scored]
            return spread_out

        masks = np.zeros(self.num_envs, np.bool_)
        masks[rows[scored]] = True
        parts = {name: spread(points) for name, points in results.breakdown.items()}
        infos = {
            "score": spread(results.scores),
            "rank": spread(results.ranks),
            "breakdown": _with_masks(parts, masks),
            "completed": spread(results.completed),
            "failed": spread(results.failed),
        }
        return _with_masks(infos, masks)

    def _final_infos(self, rows: NDArray[np.int64], results: Infos) -> Infos:
        """What SAME_STEP tells of ended games."""
        seen = self._observe()
        final = np.full(self.num_envs, None, dtype=object)
        for row in rows:
            final[row] = {name: array[row] for name, array in seen.items()}
        mask = np.zeros(self.num_envs, np.bool_)
        mask[rows] = True
        return _with_masks({"final_obs": final, "final_info": results}, mask)

    def action_masks(self) -> NDArray[np.int8]:
        """1 for each legal answer, as a new array (num_envs, actions)."""
        return self.games.masks()

    def _show(self) -> None:
        if self.render_mode == "human":
            print("\n".join(self._texts()))

    def _texts(self) -> tuple[str, ...]:
        self.games.check_begun()
        games = self.games.games
        return tuple(render_text(games.snapshot(row), self.configuration) for row in range(self.num_envs))

    def render(self) -> tuple[str, ...] | None:
        """The games as texts in the mode `ansi`; in the mode `human` they have been printed already."""
        return self._texts() if self.render_mode == "ansi" else None


def _with_masks(values: Infos, mask: NDArray[np.bool_]) -> Infos:
    """Infos by name, each with its mask of the games that have it, as Gymnasium wants them."""
    return {key: entry for name, value in values.items() for key, entry in ((name, value), (f"_{name}", mask.copy()))}
