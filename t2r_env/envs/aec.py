"""The PettingZoo environment: agents take turns, one decision at a time."""

import copy
import inspect
import os
import reprlib
from collections.abc import Callable, Mapping
from typing import Any, Concatenate, ParamSpec, SupportsIndex, TypeVar, Unpack, get_args

import numpy as np
import pettingzoo
from gymnasium.error import ResetNeeded
from gymnasium.logger import warn
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray
from pettingzoo.utils.env_logger import EnvLogger

from t2r_env.basics.checks import LARGEST_INTEGER, draw_seed
from t2r_env.configuration import Configuration, Options, as_configuration
from t2r_env.core.layout import Layout
from t2r_env.envs.common import (
    Observation,
    ObservationForm,
    ObservationSpace,
    Observer,
    warn_of_illegal_action,
)
from t2r_env.features import AnyFeatures
from t2r_env.games import Games, IllegalAction, IllegalActionError, Reward
from t2r_env.history.saving import unpack_game
from t2r_env.render.display import RENDER_FPS, RENDER_MODES, Display, RenderSeat
from t2r_env.replay import Replay
from t2r_env.rules.names import outcomes
from t2r_env.rules.text import Description
from t2r_env.variants import VARIANTS, Variant, load_variant

Entry = TypeVar("Entry")
Environment = TypeVar("Environment")

_MADE_BY_RESET = {"num_agents", *pettingzoo.AECEnv.__annotations__}
_NOTE = ("reward", "agents", "rewards", "cumulative_rewards")
"""The keys of the note in a saved state: the name of the rewards, the agents left, and the rewards of each."""
_RESET_NEEDED = "call reset() first: no game has begun"


class AECEnvironment(pettingzoo.AECEnv[str, Observation, np.int64 | None]):
    """One game for agents `player_0`, `player_1`, ..., one decision at a time.

    An agent acts several times in a row if several decisions of its own follow each other: a claim and its payment, a
    set and its cards, each of the tickets on offer. `step` checks everything itself, so no wrappers are needed.

    Raises ValueError or TypeError if an argument is not allowed, and in the mode `human` MissingExtraError if there is
    a display, but not the extra `render`.

    Observation
        A dictionary. `observation`: uint8, (size,), what the seat sees; `layout.observation` names its parts.
        `action_mask`: int8, (actions,), 1 for each legal action; all zero for a seat that is not to act. With
        `observation="vector"` the vector alone, with `observation="graph"` the tables of docs/graph.md.
    Action
        An integer; `layout.actions` names the blocks and `describe` says what an action means.
    Rewards
        `last()` returns them, every agent's final ones included: after the end each agent is selected once more, in the
        order of seats, for its `step(None)`.
    Infos
        `action_mask`: what the mask of the agent's observation is now. Once a game was played to its end (not
        truncated) score, rank, breakdown, and the number of tickets that the agent completed and failed; or if an
        illegal action ended the game, the offender's `illegal_action`: that action. The seed is not among them, because
        all hands follow from it, and infos go to the agents: `games.seeds[0]` and the replay tell it.

    Parameters
    ----------
    variant, num_players, options
        As for `t2r_env.configure`. A `Configuration` may stand for all of them.
    render_mode
        `human`: `reset` and `step` show a picture in a window, or without a display print text. `rgb_array`: `render()`
        returns a picture, uint8 (800, 1200, 3). Pictures need the extra `render`. `ansi`: `render()` returns text.
    reward
        `rank`: +1 for the first rank, -1 for the last, linear between, ties averaged; zero before the end. `win`: 1,
        shared among the winners. `score`: points as they are scored; the sum is the final score. `margin`: the change
        of the lead over the best opponent (negative for all but the leader).
    illegal_action
        `terminate`, the default of `env`: the acting agent's reward is -1, the others' 0, and the game ends, as in
        PettingZoo's own games; the first time a warning is logged. Programs that try actions without the mask need it,
        such as RLlib's check of environments. `raise`, the default of this class and of `raw_env`: IllegalActionError,
        and nothing changes. An action that is not a 64-bit integer raises IllegalActionError in either case.
    features
        Derived features that follow the observation in the same vector, as for `t2r_env.Games`.
    render_seat
        Whose view is shown in every render mode: by default that of the acting seat; a seat; or `all`, everything.
    observation
        `dict`: the vector and the action mask. `vector`: the vector alone; the mask is in the info.
        `graph`, or its size: tables that have the same columns for every map (docs/graph.md).

    Examples
    --------
    >>> import t2r_env
    >>> env = t2r_env.env("usa", num_players=3)
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, terminated, truncated, info = env.last()
    ...     over = terminated or truncated
    ...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    """

    observation_spaces: dict[str, ObservationSpace]
    action_spaces: dict[str, Discrete]  # type: ignore[assignment]  # narrower than PettingZoo's, and never written to

    def __init__(
        self,
        variant: str | os.PathLike[str] | Variant | Configuration = "usa",
        num_players: int | None = None,
        render_mode: str | None = None,
        reward: Reward = "rank",
        illegal_action: IllegalAction = "raise",
        features: AnyFeatures | None = None,
        render_seat: RenderSeat = None,
        observation: ObservationForm = "dict",
        **options: Unpack[Options],
    ) -> None:
        self._games = Games(
            as_configuration(variant, num_players, options, AECEnvironment),
            reward=reward,
            autoreset=False,
            illegal_action=illegal_action,
            record=True,
            features=features,
            seed=0,
        )
        loaded = self.configuration.variant
        self.metadata = {
            "name": f"{loaded.id}_v{loaded.environment_version}",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
            "render_fps": RENDER_FPS,
        }
        self._display = Display(self._games, render_mode, render_seat, AECEnvironment)
        self.render_mode = self._display.mode
        self.possible_agents = self.configuration.agents
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observer = Observer(observation, self._games)
        self.observation_spaces = {agent: self._observer.space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self._observer.num_actions) for agent in self.possible_agents}
        self.state_space = Box(0, 255, (self.layout.global_state.size,), np.uint8)
        self._illegal: int | None = None
        """The illegal action that ended the game."""
        self._has_begun = False
        self._has_warned = False

    def __getattr__(self, name: str) -> Any:
        if name in _MADE_BY_RESET:
            raise AttributeError(_RESET_NEEDED)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        standing = self._games.standing if self._has_begun else "call reset() first"
        return f"<AECEnvironment {self.configuration.title}, reward {self._games.reward}: {standing}>"

    @property
    def games(self) -> Games:
        """The game under way as a batch of one, to be looked at, not stepped. Raises ResetNeeded before `reset`."""
        if not self._has_begun:
            raise ResetNeeded(_RESET_NEEDED)
        return self._games

    @property
    def configuration(self) -> Configuration:
        """Variant, players and options."""
        return self._games.configuration

    @property
    def layout(self) -> Layout:
        """The layout of observations, global states and actions."""
        return self._games.layout

    def observation_space(self, agent: str) -> ObservationSpace:
        """Return the space of an agent's observations: always the same object."""
        return _of(agent, self.observation_spaces)

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions: always the same object."""
        return _of(agent, self.action_spaces)

    # Playing

    def reset(self, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game from `seed`; without one, from the seed that follows from the last, at first a random one.

        `reset(seed=s + i)` begins game i of `Games(seed=s)`. `options` are ignored. Raises ValueError if the seed is
        not an integer from 0 to 2^64 - 1.
        """
        if seed is None and not self._has_begun:
            seed = draw_seed()
        self._games.reset(seeds=None if seed is None else [seed])
        self._start(self.possible_agents)
        self._display.show(self._games.current, self.metadata)

    def _start(
        self,
        agents: list[str],
        rewards: list[float] | None = None,
        cumulative_rewards: list[float] | None = None,
        illegal: int | None = None,
    ) -> None:
        """Set PettingZoo's attributes: the agents left, their last rewards, and their rewards since they acted.

        `illegal` is the illegal action that ended the game.
        """
        self._has_begun = True
        self._illegal = illegal
        self._display.forget([0])
        self.agents = list(agents)
        zeros = [0.0] * len(agents)
        self.rewards = dict(zip(agents, rewards or zeros, strict=True))
        self._cumulative_rewards = dict(zip(agents, cumulative_rewards or zeros, strict=True))
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self._select()

    def step(self, action: SupportsIndex | None) -> None:
        """Take the action of `agent_selection`, or once the game is over, `step(None)` for each agent.

        With no agents left a warning is logged and nothing happens. Raises IllegalActionError, and nothing has changed,
        if the action is not legal (see `illegal_action`) or comes after the end.
        """
        games = self.games
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._remove(agent, action)
            return
        chosen = games.one_action(action)
        last = self._display.before(chosen)
        games.step(chosen)
        self._display.last = last
        cumulative = self._cumulative_rewards
        cumulative[agent] = 0.0
        for other, reward in zip(self.possible_agents, games.rewards[0].tolist(), strict=True):
            self.rewards[other] = reward
            cumulative[other] += reward
        if games.states["outcome"][0] == outcomes.FORFEITED:
            self._illegal = int(chosen[0])
            if not self._has_warned:
                self._has_warned = True
                warn_of_illegal_action(self._illegal, self._seats[agent])
        self._select()
        self._display.show(self._games.current, self.metadata)

    def _select(self) -> None:
        """Select the agent that is to act, or after the end the first of those left."""
        games = self._games
        nothing = np.zeros(self._observer.num_actions, np.int8)
        self.infos = {agent: {"action_mask": nothing.copy()} for agent in self.agents}
        if not (games.terminated[0] or games.truncated[0]):
            self.agent_selection = self.possible_agents[games.current[0]]
            self.infos[self.agent_selection]["action_mask"] = self._observer.masks(games.masks[0].copy())
            return
        self.agent_selection = self.agents[0] if self.agents else self.possible_agents[-1]
        self.terminations = dict.fromkeys(self.agents, bool(games.terminated[0]))
        self.truncations = dict.fromkeys(self.agents, bool(games.truncated[0]))
        results = games.results
        for agent, info in self.infos.items():
            info |= results.of(0, self._seats[agent])
        offender = self.possible_agents[games.current[0]]
        if games.states["outcome"][0] == outcomes.FORFEITED and self._illegal is not None and offender in self.infos:
            self.infos[offender]["illegal_action"] = self._illegal

    def _remove(self, agent: str, action: object) -> None:
        """Take the last step of an agent whose game is over, as PettingZoo requires it."""
        if action is not None:
            raise IllegalActionError(f"the action of {agent} must be None after the end of the game, not {action!r}")
        self.agents.remove(agent)
        for entries in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del entries[agent]
        self._clear_rewards()
        if self.agents:
            self.agent_selection = self.agents[0]

    # Looking

    def last(self, observe: bool = True) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Return the observation of `agent_selection`, its rewards since it acted, terminated, truncated and its info.

        With `observe=False` the observation is None. Raises AttributeError before `reset`, as PettingZoo's own games.
        """
        return super().last(observe)

    def observe(self, agent: str) -> Observation:
        """Return the observation of any agent, at any time, as new arrays. Raises ValueError for another name."""
        games = self.games
        seat = _of(agent, self._seats)
        if seat == games.current[0]:
            return self._observer.observe_one(games.observations[0].copy(), games.masks[0].copy(), seat)
        return self._observer.observe_one(games.observe(seats=seat)[0], np.zeros_like(games.masks[0]), seat)

    def state(self) -> NDArray[np.uint8]:
        """Return the global state, hidden things included, as a new uint8 array (size,), for centralised training."""
        global_state: NDArray[np.uint8] = self.games.global_state()[0]
        return global_state

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the game, as the acting seat knows it (see `render_seat`): text in the mode `ansi`.

        In the mode `rgb_array` a picture, in which the last action is highlighted; raises MissingExtraError without the
        extra `render`. In the mode `human` None: it is shown, each picture for 1 / `metadata["render_fps"]` seconds.
        """
        games = self.games
        if self.render_mode is None:
            warn('render() shows nothing without a render mode: create the environment with render_mode="ansi"')
            return None
        self._display.show(self._games.current, self.metadata)
        return self._display.render(0, games.current[0])

    def _repr_svg_(self) -> str | None:
        """Return the picture that notebooks show."""
        return self._display.draw(0, self._games.current[0]) if self._has_begun else None

    def close(self) -> None:
        """Close the window of the mode `human`."""
        self._display.close()

    def snapshot(self) -> dict[str, Any]:
        """Return everything about the game as a JSON-able dictionary (docs/snapshots.md)."""
        return self.games.snapshot()

    def describe(self, action: SupportsIndex) -> Description:
        """Return an action at the present decision as a JSON-able dictionary, as `Games.describe` does."""
        return self.games.describe(action)

    def replay(self) -> Replay:
        """Return the game so far, which can be saved and replayed."""
        return Replay.of(self.games)

    # Copying and saving

    def clone(self) -> "AECEnvironment":
        """Return an independent copy, also in the middle of a game."""
        return copy.deepcopy(self)

    def get_state(self) -> bytes:
        """Return the game as bytes, with the rewards that `last()` has not returned yet and the agents left.

        Any environment and any `Games` of the same variant, players and options can load them, on any machine.
        """
        games = self.games
        note = {
            "reward": games.reward,
            "agents": self.agents,
            "rewards": list(self.rewards.values()),
            "cumulative_rewards": list(self._cumulative_rewards.values()),
        }
        return games.get_state(note=note if self._illegal is None else note | {"illegal_action": self._illegal})

    def set_state(self, saved: bytes) -> None:
        """Go on from bytes of `get_state`; `reset` is not needed before.

        Rewards start from zero if the bytes come from a `Games`, or from an environment with other rewards. Raises
        ValueError, and changes nothing, as `Games.set_state` does, and if the rewards and agents saved with the state
        are none that an environment has at that point of the game.
        """
        game = unpack_game(self.configuration, saved)
        # notes of other kinds are those of a Games
        note = game.note if isinstance(game.note, dict) and game.note.keys() >= {*_NOTE} else None
        if note is not None:
            self._check_note(note, bool(game.state["outcome"][0] != outcomes.RUNNING))
        self._games.set_state(saved)
        if note is None:
            self._start(self.possible_agents)
        else:
            is_same = note["reward"] == self._games.reward
            rewards, cumulative_rewards = (note[it] if is_same else None for it in ("rewards", "cumulative_rewards"))
            self._start(note["agents"], rewards, cumulative_rewards, note.get("illegal_action"))

    def _check_note(self, note: Mapping[str, Any], is_over: bool) -> None:
        """Raise ValueError if a note is none that `get_state` saves with a game that is over, or under way."""
        everybody, names = self.possible_agents, _NOTE[2:]
        # after the end they leave one after the other
        present = [everybody[left:] for left in range(len(everybody) + 1)] if is_over else [everybody]
        fits = note.keys() - {"illegal_action"} == {*_NOTE} and note["reward"] in get_args(Reward)
        fits &= isinstance(note.get("illegal_action", 0), int)
        if not fits or note["agents"] not in present or not all(_are_rewards(note[it], note["agents"]) for it in names):
            raise ValueError(
                f"the note of the saved state must have one of {', '.join(get_args(Reward))} as reward, the agents"
                f" {everybody}, after the end without the first ones, and for each a finite number in rewards and"
                f" cumulative_rewards, and perhaps an integer as illegal_action, not {reprlib.repr(note)}"
            )


def _are_rewards(values: object, agents: list[str]) -> bool:
    """Whether values read from JSON may be the rewards of these agents: not infinite, nor NaN."""
    return (
        isinstance(values, list)
        and len(values) == len(agents)
        and all(type(it) in (int, float) and abs(it) <= LARGEST_INTEGER for it in values)
    )


def _of(agent: str, entries: Mapping[str, Entry]) -> Entry:
    """Return the entry of an agent; ValueError if there is no such agent."""
    try:
        return entries[agent]
    except (KeyError, TypeError):
        raise ValueError(f"agent must be one of {', '.join(entries)}, not {agent!r}") from None


raw_env = AECEnvironment
"""The name that PettingZoo's modules have for a game without wrappers: an illegal action raises IllegalActionError."""


def env(
    variant: str | os.PathLike[str] | Variant | Configuration = "usa",
    num_players: int | None = None,
    render_mode: str | None = None,
    reward: Reward = "rank",
    illegal_action: IllegalAction = "terminate",
    features: AnyFeatures | None = None,
    render_seat: RenderSeat = None,
    observation: ObservationForm = "dict",
    **options: Unpack[Options],
) -> AECEnvironment:
    """Return an `AECEnvironment` in which an illegal action ends the game with a warning, as in PettingZoo's own games.

    All else is as in `raw_env`, which is the class itself; its documentation has the parameters.
    """
    return AECEnvironment(
        variant, num_players, render_mode, reward, illegal_action, features, render_seat, observation, **options
    )


Parameters = ParamSpec("Parameters")


def env_of(
    make: Callable[Concatenate[str, Parameters], Environment], name: str, variant: str, module: str
) -> Callable[Parameters, Environment]:
    """Return the function of a module that has the name `name` there and here: `make`, with the variant given."""

    def of_variant(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Environment:
        return make(variant, *args, **kwargs)

    signature = inspect.signature(make)
    kind = AECEnvironment if make is env else make
    of_the_rest = [it for it in signature.parameters.values() if it.name != "variant"]
    shown = signature.replace(parameters=of_the_rest, return_annotation=kind)
    of_variant.__signature__ = shown  # type: ignore[attr-defined]  # where inspect looks for it
    of_variant.__doc__ = f"""The PettingZoo environment `t2r_env.{name}("{variant}", ...)`.\n\n    {kind.__doc__}"""
    of_variant.__module__, of_variant.__name__, of_variant.__qualname__ = module, name, name
    return of_variant


def register() -> None:
    """Register every variant with PettingZoo, for `pettingzoo.make("aec", "t2r_env/usa-v0")`.

    Before 1.27 PettingZoo had no such registry; then there is nothing to do.
    """
    if not hasattr(pettingzoo, "register"):
        return
    for variant in VARIANTS:
        pettingzoo.register("aec", load_variant(variant).environment_id, env, kwargs={"variant": variant})
