"""The Gymnasium vector environment: many games at once in one process, stepped in compiled code."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, SupportsIndex, TypeAlias, Unpack, cast

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from t2r_env.basics.checks import (
    Actions,
    as_integer,
    check_choice,
    check_integer,
    check_seed,
    consecutive_seeds,
    seeds_told,
)
from t2r_env.configuration import Configuration, Options, as_configuration
from t2r_env.core.layout import Layout
from t2r_env.envs.common import (
    HasSpec,
    Observation,
    ObservationForm,
    ObservationSpace,
    Observer,
)
from t2r_env.envs.opponents import AnyOpponents
from t2r_env.envs.seat_games import SeatGames
from t2r_env.features import AnyFeatures
from t2r_env.games import IllegalAction, Reward
from t2r_env.render.display import RENDER_FPS, RENDER_MODES, Display, RenderSeat
from t2r_env.variants import Variant

Infos = dict[str, Any]
Seeds: TypeAlias = SupportsIndex | Sequence[SupportsIndex | None] | NDArray[np.integer[Any]]
"""One seed, from which those of the other games are counted, or one for each game."""


class SeatVectorEnvironment(HasSpec, gymnasium.vector.VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many games, each the same as in `SeatEnvironment`, decision by decision.

    Observations, action masks, rewards and infos are those of the single environment as arrays with a row for each
    game, new ones in every step: `observation` uint8 (num_envs, size), `action_mask` int8 (num_envs, actions), rewards
    float64, terminations and truncations bool. Infos are dictionaries of arrays, each `name` with a mask `_name` of the
    games that have it.

    Raises ValueError or TypeError if an argument is not allowed, and in the mode `human` MissingExtraError if there is
    a display, but not the extra `render`.

    Parameters
    ----------
    num_envs
        The number of games.
    autoreset_mode
        When a game that has ended is followed by the next (Gymnasium's AutoresetMode). `NextStep`: in the next step,
        whose action is ignored and whose reward is 0. `SameStep`: in the step that ends the game, whose infos hold the
        learner's last observation (`final_obs`) and all infos of the ended game (`final_info`); the others, such as
        `seed` and `action_mask`, are of the next game, as its observation is. `Disabled`: at
        `reset(options={"reset_mask": mask})`; until then the actions of ended games are ignored.
    threads
        The number of threads that share a step inside the core. The games are the same for every number.
    render_mode
        `human`: `reset` and `step` show pictures of the first 16 games in a window, or without a display print texts of
        all. `rgb_array`: `render()` returns pictures, uint8 (800, 1200, 3). Pictures need the extra `render`. `ansi`:
        `render()` returns texts.
    variant, num_players, opponents, seat, reward, illegal_action, render_seat, features, observation, options
        As for `SeatEnvironment`.
    """

    single_observation_space: ObservationSpace
    observation_space: ObservationSpace
    single_action_space: Discrete
    action_space: MultiDiscrete

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
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
        render_seat: RenderSeat = None,
        features: AnyFeatures | None = None,
        observation: ObservationForm = "dict",
        **options: Unpack[Options],
    ) -> None:
        mode = autoreset_mode.value if isinstance(autoreset_mode, AutoresetMode) else autoreset_mode
        self.autoreset_mode = AutoresetMode(
            check_choice("autoreset_mode", mode, tuple(it.value for it in AutoresetMode))
        )
        self.games = SeatGames(
            as_configuration(variant, num_players, options, SeatVectorEnvironment),
            batch=check_integer("num_envs", num_envs, 1),
            opponents=opponents,
            seat=seat,
            reward=reward,
            illegal_action=illegal_action,
            threads=threads,
            features=features,
        )
        self.num_envs = self.games.batch
        self._display = Display(self.games.games, render_mode, render_seat, SeatVectorEnvironment)
        self.render_mode = self._display.mode
        self.metadata = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS, "autoreset_mode": self.autoreset_mode}
        self._observer = Observer(observation, self.games.games)
        self.single_observation_space = self._observer.space()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.single_action_space = Discrete(self._observer.num_actions)
        self.action_space = cast("MultiDiscrete", batch_space(self.single_action_space, self.num_envs))

    def __repr__(self) -> str:
        return f"<SeatVectorEnvironment {self.games.title}>"

    @property
    def configuration(self) -> Configuration:
        """Variant, players and options."""
        return self.games.configuration

    @property
    def layout(self) -> Layout:
        """The layout of observations and actions."""
        return self.games.games.layout

    def reset(self, *, seed: Seeds | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Infos]:
        """Begin new games: game i from `seed` + i (modulo 2^64), or from a list of seeds.

        A seed of None, and each without `seed`, stands for the one that follows from the last, at first a random one.
        `options={"reset_mask": mask}`, mask being bool of shape (num_envs,), begins new games only where the mask is
        true. Other options are ignored. Raises ValueError or TypeError for seeds and masks that are not allowed.
        """
        rows = self._rows_to_reset(options)
        seeds = self._seeds(seed)
        is_seeded = as_integer(seed) is not None or not self.games.has_begun
        self.games.reset(rows, [seeds[row] for row in rows])
        self._display.forget(rows.tolist())
        super().reset(seed=seeds[0] if is_seeded else None)
        self._display.show(self.games.seats, self.metadata)
        masks = self.games.masks()
        return self._observe(masks), self._standing(masks, rows)

    def _rows_to_reset(self, options: dict[str, Any] | None) -> NDArray[np.int64]:
        if not options or "reset_mask" not in options:
            return np.arange(self.num_envs)
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise ValueError(f"reset_mask must be a bool array of shape ({self.num_envs},), not {mask!r}")
        if not mask.any():
            raise ValueError("reset_mask must be true for at least one game")
        return np.flatnonzero(mask)

    def _seeds(self, seed: Seeds | None) -> list[int]:
        if seed is None:
            seed = [None] * self.num_envs
        if as_integer(seed) is not None or not isinstance(seed, Sequence | np.ndarray):
            return consecutive_seeds(seed, self.num_envs)
        if len(seed) != self.num_envs:
            raise ValueError(
                f"seed must be one integer, or a list of {self.num_envs}, one for each game, not {len(seed)}"
            )
        return [
            self.games.following_seed(row) if given is None else check_seed(given) for row, given in enumerate(seed)
        ]

    def step(
        self, actions: Actions
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Take one action in every game: integers of shape (num_envs,).

        Raises what `SeatEnvironment.step` does; then nothing has changed.
        """
        games = self.games
        over = games.over
        last = self._display.before(actions)
        games.step(actions)
        self._display.last = last
        if self.autoreset_mode == AutoresetMode.NEXT_STEP and over.any():
            games.reset(np.flatnonzero(over))
        rewards, terminated, truncated = games.rewards.copy(), games.terminated.copy(), games.truncated.copy()
        ended = np.flatnonzero((terminated | truncated) & (self.autoreset_mode != AutoresetMode.DISABLED or ~over))
        infos = self._endings(ended, np.asarray(actions)) if ended.size else {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and ended.size:
            infos = self._final_infos(ended, infos)
            games.reset(ended)
            self._display.forget(ended.tolist())
        self._display.show(self.games.seats, self.metadata)
        masks = self.games.masks()
        infos |= self._standing(masks)
        return self._observe(masks), rewards, terminated, truncated, infos

    def _observe(self, masks: NDArray[np.int8]) -> Observation:
        return self._observer.observe(self.games.observe(), masks, self.games.seats)

    def _endings(self, rows: NDArray[np.int64], actions: NDArray[Any]) -> Infos:
        """Return how games ended: the learners' results in these rows, or the illegal actions that ended them."""
        results, seats = self.games.games.results_of(rows), self.games.seats[rows]
        each = np.flatnonzero(results.ranks[np.arange(len(rows)), seats])

        def own(values: NDArray[np.int64]) -> NDArray[np.int64]:
            return values[each, seats[each]]

        result = {
            "score": own(results.scores),
            "rank": own(results.ranks),
            "breakdown": {name: own(points) for name, points in results.breakdown.items()},
            "completed": own(results.completed),
            "failed": own(results.failed),
            "scores": self._observer.of_seats(results.scores[each]),
            "ranks": self._observer.of_seats(results.ranks[each]),
        }
        forfeited = self.games.forfeited(rows, actions)
        illegal = {"illegal_action": actions[forfeited].astype(np.int64)}
        told = self._spread({"seat": seats}, rows)
        return told | self._spread(result, rows[each]) | self._spread(illegal, forfeited)

    def _final_infos(self, rows: NDArray[np.int64], endings: Infos) -> Infos:
        """Return the infos of ended games in the mode SAME_STEP."""
        vectors, masks = self.games.observe(), self.games.masks()
        final = np.full(self.num_envs, None, dtype=object)
        for row in rows:
            final[row] = self._observer.observe_one(vectors[row], masks[row], self.games.seats[row])
        mask = np.zeros(self.num_envs, np.bool_)
        mask[rows] = True
        told = endings | self._standing(masks, rows)
        return {"final_obs": final, "_final_obs": mask, "final_info": told, "_final_info": mask.copy()}

    def _standing(self, masks: NDArray[np.int8], rows: NDArray[np.int64] | None = None) -> Infos:
        """Return the entries that the infos of these rows, by default of all, always have, given the masks of all."""
        seeds, masks = seeds_told(self.games.games.seeds), self._observer.masks(masks)
        if rows is not None:
            return self._spread({"seed": seeds[rows], "action_mask": masks[rows]}, rows)
        everywhere = np.ones(self.num_envs, np.bool_)
        return {"seed": seeds, "_seed": everywhere, "action_mask": masks, "_action_mask": everywhere.copy()}

    def _spread(self, values: Mapping[str, Any], rows: NDArray[np.int64]) -> Infos:
        """Return infos of these rows (k,) as Gymnasium has them: no entries if there is no row.

        Values are arrays (k, ...) by name, or dictionaries of such. They become arrays (num_envs, ...), zero elsewhere,
        each with its mask of the rows.
        """
        if not rows.size:
            return {}
        infos: Infos = {}
        for name, value in values.items():
            if isinstance(value, Mapping):
                infos[name] = self._spread(value, rows)
            else:
                infos[name] = np.zeros((self.num_envs, *value.shape[1:]), value.dtype)
                infos[name][rows] = value
            infos[f"_{name}"] = np.zeros(self.num_envs, np.bool_)
            infos[f"_{name}"][rows] = True
        return infos

    def action_masks(self) -> NDArray[np.int8]:
        """Return masks, 1 for each legal action, as a new array (num_envs, actions)."""
        return self.games.masks()

    def render(self) -> tuple[Any, ...] | None:
        """Return one entry for each game, as `SeatEnvironment.render` does; None in the mode `human`.

        Gymnasium's RecordVideo for vector environments puts pictures in a grid, as `t2r_env.render.frames.grid_of`.
        """
        if self.render_mode in (None, "human"):
            return None
        self.games.check_begun()
        return tuple(self._display.render(row, seat) for row, seat in enumerate(self.games.seats.tolist()))

    def close(self, **kwargs: Any) -> None:
        """Close the window of the mode `human`. Games can go on, and be closed again."""
        super().close(**kwargs)
        self._display.close()
