"""The parallel PettingZoo environment: all agents act in each step, and those who are not to act wait."""

import copy
import os
from collections.abc import Mapping
from typing import Any, Literal, SupportsIndex, Unpack

import numpy as np
import pettingzoo
from gymnasium.error import ResetNeeded
from gymnasium.logger import warn
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray

from t2r_env.basics.checks import as_integer, check_choice
from t2r_env.configuration import Configuration, Options, as_configuration
from t2r_env.core.layout import Layout
from t2r_env.envs.aec import AECEnvironment
from t2r_env.envs.common import Observation, ObservationSpace
from t2r_env.features import AnyFeatures
from t2r_env.games import IllegalAction, IllegalActionError, Reward
from t2r_env.history.information_state import SEEN_BY_ALL
from t2r_env.render.display import RenderSeat
from t2r_env.rules.names import outcomes
from t2r_env.variants import VARIANTS, Variant, load_variant

ByAgent = dict[str, Any]


class ParallelEnvironment(pettingzoo.ParallelEnv[str, Observation, np.int64]):
    """One game for agents `player_0`, `player_1`, ..., all of which give an action in each step.

    The game is that of `t2r_env.env`, decision by decision. The agent whose decision it is has its legal actions; the
    others have one, `wait`, which is the last number of the action space. Multi-agent learners in the form of
    BenchMARL, XuanCe and EPyMARL expect this.

    Raises ValueError or TypeError if an argument is not allowed, and in the mode `human` MissingExtraError if there is
    a display, but not the extra `render`.

    Observation
        A dictionary. `observation`: uint8, (size,), what the seat sees; `layout.observation` of `game` names its parts.
        `action_mask`: int8, (actions + 1,), 1 for each legal action; `wait` is the last, and the only one after the
        end. With `observation="vector"` the vector alone. Whether another agent has a choice within its move, such as
        how to pay, tells of its hand (C20): while it has one, those that wait get their last observation again.
    Action
        An integer. All but `wait` are those of `t2r_env.env`.
    Rewards
        What the step has earned each agent.
    Infos
        `action_mask`: the same mask. Those of the end are as in `AECEnvironment`.

    Parameters
    ----------
    variant, num_players, render_mode, reward, features, render_seat, options
        As for `t2r_env.env`.
    illegal_action
        `terminate`: an illegal action of the agent that is to act ends the game, as in `t2r_env.env`; actions of others
        are taken as `wait`, with a warning the first time. `raise`: IllegalActionError, and nothing changes.
    observation
        `dict` or `vector`. The tables of a graph have no row for `wait`.

    Attributes
    ----------
    game : AECEnvironment
        The game under way: to look at, not to step.
    wait : int
        The number of the action `wait`: as many actions has the game.

    Examples
    --------
    >>> import t2r_env
    >>> env = t2r_env.parallel_env("usa", num_players=3)
    >>> observations, infos = env.reset(seed=1)
    >>> while env.agents:
    ...     actions = {
    ...         agent: env.action_space(agent).sample(observations[agent]["action_mask"]) for agent in env.agents
    ...     }
    ...     observations, rewards, terminations, truncations, infos = env.step(actions)
    """

    def __init__(
        self,
        variant: str | os.PathLike[str] | Variant | Configuration = "usa",
        num_players: int | None = None,
        render_mode: str | None = None,
        reward: Reward = "rank",
        illegal_action: IllegalAction = "terminate",
        features: AnyFeatures | None = None,
        render_seat: RenderSeat = None,
        observation: Literal["dict", "vector"] = "dict",
        **options: Unpack[Options],
    ) -> None:
        self.game = game = AECEnvironment(
            as_configuration(variant, num_players, options, ParallelEnvironment),
            None,
            render_mode,
            reward,
            illegal_action,
            features,
            render_seat,
            check_choice("observation", observation, ("dict", "vector")),
        )
        self.metadata = game.metadata | {"is_parallelizable": True}
        self.render_mode = game.render_mode
        self.possible_agents = game.possible_agents
        self.agents: list[str] = []
        self.wait = game.layout.actions.size
        self.state_space = game.state_space
        self.observation_spaces = {
            agent: self._with_wait(game.observation_space(agent)) for agent in game.possible_agents
        }
        self.action_spaces: dict[str, Discrete] = {  # type: ignore[assignment]  # narrower than PettingZoo's
            agent: Discrete(self.wait + 1) for agent in game.possible_agents
        }
        self._seen: dict[str, NDArray[np.uint8]] = {}
        """The last vector that each agent observed."""
        self._raises = illegal_action == "raise"
        self._has_warned = False

    @property
    def layout(self) -> Layout:
        """The layout of observations, global states and actions; `wait` follows the actions."""
        return self.game.layout

    def _with_wait(self, space: ObservationSpace) -> ObservationSpace:
        if not isinstance(space, Dict):
            return space
        mask = Box(0, 1, (self.wait + 1,), np.int8)
        return Dict({"observation": space["observation"], "action_mask": mask})

    def __repr__(self) -> str:
        return repr(self.game).replace("AECEnvironment", "ParallelEnvironment", 1)

    @property
    def configuration(self) -> Configuration:
        """Variant, players and options."""
        return self.game.configuration

    def observation_space(self, agent: str) -> ObservationSpace:
        """Return the space of an agent's observations: always the same object."""
        self.game.observation_space(agent)  # raises ValueError for another name
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions: always the same object."""
        self.game.action_space(agent)
        return self.action_spaces[agent]

    def reset(
        self, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], ByAgent]:
        """Begin a new game as `AECEnvironment.reset` does; return observations and infos of all agents."""
        self.game.reset(seed, options)
        self.agents = list(self.possible_agents)
        self._seen.clear()
        return self._observe()

    def step(
        self, actions: Mapping[str, SupportsIndex]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], ByAgent]:
        """Take the action of the agent that is to act; the others wait.

        Raises ResetNeeded before `reset` and after the end, ValueError unless each agent gives an action, and what
        `AECEnvironment.step` does; then nothing has changed.
        """
        game = self.game
        if not self.agents:
            raise ResetNeeded("call reset() first: no game is under way")
        given: object = actions
        if not isinstance(given, Mapping) or given.keys() != set(self.agents):
            raise ValueError(
                f"actions must be a dictionary with one of each of {', '.join(self.agents)}, not {actions!r}"
            )
        self._check_waiting(actions)
        game.step(actions[game.agent_selection])
        rewards, terminated, truncated = dict(game.rewards), dict(game.terminations), dict(game.truncations)
        if any(terminated.values()) or any(truncated.values()):
            self.agents = []
        observations, infos = self._observe()
        return observations, rewards, terminated, truncated, infos

    def _check_waiting(self, actions: Mapping[str, SupportsIndex]) -> None:
        """Raise IllegalActionError, or warn once, if an agent that is not to act does not wait."""
        for agent, action in actions.items():
            if agent == self.game.agent_selection or as_integer(action) == self.wait:
                continue
            told = f"the action {action!r} of {agent} was not legal: it is not to act, and must wait ({self.wait})"
            if self._raises:
                raise IllegalActionError(told)
            if not self._has_warned:
                self._has_warned = True
                warn(f"{told}. It was taken as that. This warning comes once")

    def _observe(self) -> tuple[dict[str, Observation], ByAgent]:
        """Return observations and infos of all agents, with `wait` in the masks."""
        game, observations, infos = self.game, {}, {}
        state = game.games.states[0]
        is_seen_by_all = state["outcome"] != outcomes.RUNNING or state["phase"] in SEEN_BY_ALL
        for agent in self.possible_agents:
            if is_seen_by_all or agent == game.agent_selection or agent not in self._seen:
                observed = game.observe(agent)
                self._seen[agent] = observed["observation"] if isinstance(observed, dict) else observed
            vector, info = self._seen[agent].copy(), game.infos[agent]
            mask = np.append(info["action_mask"], np.int8(not info["action_mask"].any()))
            infos[agent] = info | {"action_mask": mask}
            is_dict = isinstance(self.observation_spaces[agent], Dict)
            observations[agent] = {"observation": vector, "action_mask": mask} if is_dict else vector
        return observations, infos

    def state(self) -> NDArray[np.uint8]:
        """Return the global state, hidden things included, as a new uint8 array (size,), for centralised training."""
        return self.game.state()

    def render(self) -> Any:
        """Render as `AECEnvironment.render` does."""
        return self.game.render()

    def close(self) -> None:
        """Close as `AECEnvironment.close` does."""
        self.game.close()

    def clone(self) -> "ParallelEnvironment":
        """Return an independent copy, also in the middle of a game."""
        return copy.deepcopy(self)


parallel_env = ParallelEnvironment
"""The name that PettingZoo's modules have for a parallel environment."""


def register() -> None:
    """Register every variant with PettingZoo, for `pettingzoo.make("parallel", "t2r_env/usa-v0")`.

    Before 1.27 PettingZoo had no such registry; then there is nothing to do.
    """
    if not hasattr(pettingzoo, "register"):
        return
    for variant in VARIANTS:
        pettingzoo.register("parallel", load_variant(variant).environment_id, parallel_env, kwargs={"variant": variant})
