"""The RLlib environment: all seats of a game, which may be of several policies."""

from collections.abc import Mapping
from typing import Any, SupportsIndex

from t2r_env.basics.packages import needs
from t2r_env.envs.aec import env
from t2r_env.envs.common import Observation

with needs("rllib"):
    from ray.rllib.env.multi_agent_env import MultiAgentEnv

ALL = "__all__"
"""RLlib's name for whether a game has ended."""


class MultiAgentEnvironment(MultiAgentEnv):
    """One game for agents `player_0`, `player_1`, ..., for RLlib's new API stack, one decision at a time.

    The game is that of `t2r_env.env`, action by action. Only the acting agent gets an observation. At the end of the
    game all agents get their last one, each with its last reward, so that RLlib completes the trajectory of each seat.
    RLlib adds up the rewards that an agent gets between two of its decisions.

    Observations, actions, rewards and infos are those of `t2r_env.env`, in dictionaries by agent. Rewards are of all
    agents in every step, and so are `terminateds` and `truncateds`, with `__all__`.

    Raises ValueError or TypeError if an argument is not allowed.

    Parameters
    ----------
    config
        The arguments of `t2r_env.env` by name, as `AlgorithmConfig.environment(env_config=...)` passes them on.

    Attributes
    ----------
    game : AECEnvironment
        The game under way: to look at, not to step.

    Examples
    --------
    >>> from ray.rllib.algorithms.ppo import PPOConfig
    >>> from t2r_env.envs.rllib import MultiAgentEnvironment
    >>> config = PPOConfig().environment(MultiAgentEnvironment, env_config={"variant": "usa", "num_players": 3})
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        self.game = env(**(config or {}))
        self.possible_agents = self.game.possible_agents
        self.agents = list(self.possible_agents)
        super().__init__()
        self.observation_spaces, self.action_spaces = self.game.observation_spaces, self.game.action_spaces
        self.metadata, self.render_mode = self.game.metadata, self.game.render_mode

    def reset(
        self, *, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Any]]:
        """Begin a new game as `AECEnvironment.reset` does; return observation and info of the acting agent."""
        self.game.reset(seed, options)
        return self._observe()

    def step(
        self, action_dict: Mapping[str, SupportsIndex]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Take the action of the acting agent, the only one in `action_dict`.

        Raises ValueError for other agents' actions and after the end, and what `AECEnvironment.step` does; then nothing
        has changed.
        """
        game = self.game
        if self._is_over:
            raise ValueError("call reset() first: the game is over")
        if list(action_dict) != [game.agent_selection]:
            raise ValueError(f"the action must be that of {game.agent_selection} alone, not of {list(action_dict)}")
        game.step(action_dict[game.agent_selection])
        rewards, terminated, truncated = dict(game.rewards), dict(game.terminations), dict(game.truncations)
        terminated[ALL], truncated[ALL] = any(terminated.values()), any(truncated.values())
        observations, infos = self._observe()
        return observations, rewards, terminated, truncated, infos

    @property
    def _is_over(self) -> bool:
        return any(self.game.terminations.values()) or any(self.game.truncations.values())

    def _observe(self) -> tuple[dict[str, Observation], dict[str, Any]]:
        """Return the observation of the acting agent, or after the end those of all agents."""
        game = self.game
        seeing = self.possible_agents if self._is_over else [game.agent_selection]
        return {agent: game.observe(agent) for agent in seeing}, {agent: game.infos[agent] for agent in seeing}

    def render(self) -> Any:
        """Render as `AECEnvironment.render` does."""
        return self.game.render()

    def close(self) -> None:
        """Close as `AECEnvironment.close` does."""
        self.game.close()
