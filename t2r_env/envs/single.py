"""The Gymnasium environment: one seat learns, opponents play the others inside `step`."""

import copy
import os
from typing import Any, Literal, SupportsIndex, Unpack

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from t2r_env.basics.checks import seeds_told
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
from t2r_env.rules.text import Description
from t2r_env.variants import VARIANTS, Variant, load_variant

_ONLY_ROW = np.zeros(1, np.int64)


class SeatEnvironment(HasSpec, gymnasium.Env[Observation, np.int64]):
    """One seat of a game. Each step takes one of its actions and ends when it is to act again, or at the end.

    Raises ValueError or TypeError if an argument is not allowed, and in the mode `human` MissingExtraError if there is
    a display, but not the extra `render`.

    Observation
        A dictionary. `observation`: uint8, (size,), what the seat sees; `layout.observation` names its parts.
        `action_mask`: int8, (actions,), 1 for each legal action, all zero after the end; also `action_masks()`. With
        `observation="vector"` the vector alone, with `observation="graph"` the tables of docs/graph.md.
    Action
        An integer; `layout.actions` names the blocks and `describe` says what an action means.
    Reward
        The seat's rewards since its last decision, summed, whoever acted or ended the game.
    Terminated, truncated
        By the rules or an illegal action; by the turn limit (C19).
    Info
        `action_mask`: the mask, the same array as in the observation. `seed`: the game's seed, np.int64, which deals it
        again (negative if one from 2^63 on was given; none is drawn). At the end of each game `seat`, the learner's;
        and if it was played to its end (not truncated) score, rank, breakdown, the number of tickets that the seat
        completed and failed, and `scores` and `ranks` of all seats, int64 (seats,); or if an illegal action ended the
        game, `illegal_action`: that action. Infos are for the experimenter: all hands follow from the seed, so keep it
        from what chooses actions.

    Parameters
    ----------
    variant, num_players, options
        As for `t2r_env.configure`. A `Configuration` may stand for all of them. With `gymnasium.make` any id takes
        another `variant`, such as the folder of a map of one's own; the id in `spec` is then that of the map.
    opponents
        Who plays the other seats: an agent as for `t2r_env.agents.find_agent` (a name, an import path, a class, an
        object, or a function of `Decisions`), a list of agents, one for each seat after the learner's in turn order, or
        a `t2r_env.OpponentPool`, from which each of these seats gets one in every game.
    seat
        The learner's seat. `random` draws one for every game.
    reward
        As for `t2r_env.env`: `rank`, `win`, `score` or `margin`.
    illegal_action
        `terminate`: the reward is -1 and the game ends; the first time a warning is logged. `raise`:
        IllegalActionError, and nothing changes.
    render_mode
        As for `t2r_env.env`: `human`, `rgb_array` or `ansi`.
    render_seat
        Whose view is shown in every render mode: by default that of the learner; a seat; or `all`, everything.
    features
        Derived features that follow the observation in the same vector, as for `t2r_env.Games`.
    observation
        `dict`: the vector and the action mask. `vector`: the vector alone, a Box space; the mask is in the info.
        `graph`, or its size: tables that have the same columns for every map (docs/graph.md).

    Examples
    --------
    >>> import gymnasium, t2r_env
    >>> env = gymnasium.make("t2r_env/usa-v0", num_players=3, opponents="random")
    >>> observation, info = env.reset(seed=1)
    >>> over = False
    >>> while not over:
    ...     action = env.action_space.sample(observation["action_mask"])
    ...     observation, reward, terminated, truncated, info = env.step(action)
    ...     over = terminated or truncated
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}
    observation_space: ObservationSpace
    action_space: Discrete

    def __init__(
        self,
        variant: str | os.PathLike[str] | Variant | Configuration = "usa",
        num_players: int | None = None,
        *,
        opponents: AnyOpponents = "random",
        seat: int | Literal["random"] = 0,
        reward: Reward = "rank",
        illegal_action: IllegalAction = "terminate",
        render_mode: str | None = None,
        render_seat: RenderSeat = None,
        features: AnyFeatures | None = None,
        observation: ObservationForm = "dict",
        **options: Unpack[Options],
    ) -> None:
        self._seats = SeatGames(
            as_configuration(variant, num_players, options, SeatEnvironment),
            opponents=opponents,
            seat=seat,
            reward=reward,
            illegal_action=illegal_action,
            features=features,
        )
        self._display = Display(self._seats.games, render_mode, render_seat, SeatEnvironment)
        self.render_mode = self._display.mode
        self._observer = Observer(observation, self._seats.games)
        self.observation_space = self._observer.space()
        self.action_space = Discrete(self._observer.num_actions)

    def __repr__(self) -> str:
        return f"<SeatEnvironment {self._seats.title}>"

    @property
    def games(self) -> SeatGames:
        """The game under way as a batch of one, to be looked at, not stepped. Raises ResetNeeded before `reset`."""
        self._seats.check_begun()
        return self._seats

    @property
    def seat(self) -> int:
        """The learner's seat in this game."""
        return int(self.games.seats[0])

    @property
    def configuration(self) -> Configuration:
        """Variant, players and options."""
        return self._seats.configuration

    @property
    def layout(self) -> Layout:
        """The layout of observations and actions."""
        return self._seats.games.layout

    def reset(
        self, *, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game from `seed`; without one, from the seed that follows from the last, at first a random one.

        The seed settles the deal, the learner's seat, the opponents and their random choices. `options` are ignored.
        Raises ValueError if the seed is not an integer from 0 to 2^64 - 1.
        """
        is_seeded = seed is not None or not self._seats.has_begun
        self._seats.reset(seeds=None if seed is None else [seed])
        self._display.forget([0])
        super().reset(seed=int(self._seats.games.seeds[0]) if is_seeded else None)
        self._display.show(self._seats.seats, self.metadata)
        return self._observe()

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action, let the opponents play, and return at the seat's next decision or at the end.

        Raises ResetNeeded before `reset` and after the end, and IllegalActionError if the action is not an integer or,
        with `illegal_action="raise"`, not legal; then nothing has changed.
        """
        games = self.games
        if games.over[0]:
            raise ResetNeeded("call reset() first: the game is over")
        chosen = games.games.one_action(action)
        last = self._display.before(chosen)
        games.step(chosen)
        self._display.last = last
        self._display.show(self._seats.seats, self.metadata)
        terminated, truncated = bool(games.terminated[0]), bool(games.truncated[0])
        observation, info = self._observe()
        if terminated or truncated:
            info |= self._observer.of_size(games.ending(0, games.games.results))
            if games.forfeited(_ONLY_ROW, chosen).size:
                info["illegal_action"] = int(chosen[0])
        return observation, float(games.rewards[0]), terminated, truncated, info

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        """Return the observation, and the entries that infos always have."""
        mask, seat = self._seats.masks()[0], int(self._seats.seats[0])
        info = {"seed": seeds_told(self._seats.games.seeds)[0], "action_mask": self._observer.masks(mask)}
        return self._observer.observe_one(self._seats.observe()[0], mask, seat), info

    def action_masks(self) -> NDArray[np.int8]:
        """Return the mask, 1 for each legal action, as a new array (actions,); sb3-contrib looks for this name."""
        return self._observer.masks(self.games.masks()[0])

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the game as the learner knows it: text in the mode `ansi`; None in the mode `human`, which shows it.

        In the mode `rgb_array` a picture, uint8 (800, 1200, 3), in which the action last given to `step` is named and
        all that has changed since is highlighted; raises MissingExtraError without the extra `render`.
        """
        return None if self.render_mode in (None, "human") else self._display.render(0, self.seat)

    def close(self) -> None:
        """Close the window of the mode `human`."""
        self._display.close()

    def _repr_svg_(self) -> str | None:
        """Return the picture that notebooks show."""
        return self._display.draw(0, self.seat) if self._seats.has_begun else None

    def snapshot(self) -> dict[str, Any]:
        """Return everything about the game as a JSON-able dictionary (docs/snapshots.md)."""
        return self.games.games.snapshot()

    def describe(self, action: SupportsIndex) -> Description:
        """Return an action at the present decision as a JSON-able dictionary, whose `str` reads as a sentence."""
        return self.games.games.describe(action)

    def clone(self) -> "SeatEnvironment":
        """Return an independent copy, also in the middle of a game."""
        return copy.deepcopy(self)


def register() -> None:
    """Register every variant with Gymnasium, for `gymnasium.make("t2r_env/usa-v0")` and `make_vec`."""
    for variant in VARIANTS:
        gymnasium.register(
            load_variant(variant).environment_id,
            entry_point="t2r_env.envs.single:SeatEnvironment",
            vector_entry_point="t2r_env.envs.vector:SeatVectorEnvironment",
            kwargs={"variant": variant},
        )
