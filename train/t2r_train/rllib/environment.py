"""The games of one of RLlib's runners: one seat learns, and the pool plays the others inside the environment."""

import pickle
from collections.abc import Callable, Mapping
from typing import Any, cast

import gymnasium
import numpy as np
import ray
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray
from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner

from t2r_agents.policy import Policy
from t2r_env import Games
from t2r_env.agents import Agent
from t2r_env.checks import Actions
from t2r_env.envs.vector import Infos, SeatVectorEnvironment, Seeds
from t2r_train.pool import LEARNER, TrainingPool, policy_agent
from t2r_train.rewards import rank_rewards
from t2r_train.rllib.module import SETTINGS, empty_network
from t2r_train.self_play import Endings, hidden_columns, hidden_from
from t2r_train.settings import Settings

RANK_REWARD = "rank_reward"
"""In the infos of the last step of a game: the learner's reward for its rank."""
Vectors = NDArray[np.uint8]


class PoolOpponents:
    """The pool of a training, and its latest policy, as the opponents of an environment.

    Where the pool says that the policy plays, the latest policy does, on the seats that the learner has not: in games
    of the policy against itself, and for the learner's teammates.
    """

    def __init__(self, pool: TrainingPool, latest: Policy, teams: NDArray[np.int64]) -> None:
        """`teams`, (seats,), are the team of each seat."""
        self.agents: list[Agent] = []
        self._teams = teams
        self.renew(pool, latest)

    def renew(self, pool: TrainingPool, latest: Policy) -> None:
        """Play with another state of the pool, and another latest policy, in games under way, too."""
        self._pool = pool
        self.agents[:] = [policy_agent(latest, sample=True), *pool.agents]

    def draw(self, seeds: NDArray[np.uint64], seats: NDArray[np.int64]) -> NDArray[np.int64]:
        """As in `t2r_env.envs.opponents.Opponents`."""
        half = np.uint64(32)
        game = seeds[:, 0] << half | seeds[:, 0] >> half  # the other half of the bits decides on the game
        others = (seats[:, None] + 1 + np.arange(seeds.shape[1])) % len(self._teams)
        by_seat = np.zeros((len(seeds), len(self._teams)), np.uint64)
        np.put_along_axis(by_seat, others, seeds, axis=1)
        drawn = self._pool.draw(np.column_stack([game, game, by_seat]), self._teams, self._teams[seats])
        return np.take_along_axis(drawn, others, axis=1) + 1

    def players(self, seating: NDArray[np.int64]) -> NDArray[np.int64]:
        """Who plays by the pool's indices, LEARNER among them, given who plays by those of `agents` (k, seats)."""
        return np.maximum(seating - 1, LEARNER)


class RunnerEnvironment(gymnasium.vector.VectorEnv[Vectors, NDArray[np.int64], NDArray[Any]]):
    """Many games of the native vector environment, with the rewards of a training. The next step resets an ended game.

    An observation is one vector, uint8 (size,): the observation and its features, the mask of the legal actions, and
    what the acting seat can't see, if the critic sees it. RLlib handles the observations of each game by themselves,
    and one array takes it less time than three.

    Until `renew` a policy that has learned nothing stands for the latest one, and the pool has no snapshots.

    A turn limit terminates a game, as all ends do. Infos hold RANK_REWARD, at the end of a game, and nothing else.

    Parameters
    ----------
    config
        SETTINGS, a `Settings`; `num_envs`, the number of games.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.settings: Settings = config[SETTINGS]
        configuration = self.settings.configuration()
        self._teams = np.array(configuration.rules[0].team[: configuration.num_players], np.int64)
        columns = hidden_columns(configuration)
        self._hidden = columns if self.settings.critic == "global_state" else columns[:, :0]
        layout = Games(configuration, **self.settings.observation_options()).layout
        size = layout.observation.size + layout.actions.size + self._hidden.shape[1]
        first = empty_network(self.settings, size).export(configuration)
        self._opponents = PoolOpponents(TrainingPool(self.settings), first, self._teams)
        self._envs = SeatVectorEnvironment(
            configuration,
            num_envs=config["num_envs"],
            opponents=self._opponents,
            seat="random",
            reward=self.settings.reward,
            illegal_action="raise",
            **self.settings.observation_options(),
        )
        self.num_envs, self.metadata = self._envs.num_envs, {"autoreset_mode": AutoresetMode.NEXT_STEP}
        self.single_observation_space = Box(0, 255, (size,), np.uint8)
        self.observation_space = cast("Box", batch_space(self.single_observation_space, self.num_envs))
        self.single_action_space: Discrete = self._envs.single_action_space
        self.action_space: MultiDiscrete = self._envs.action_space
        self._endings: list[Endings] = []

    def reset(self, *, seed: Seeds | None = None, options: dict[str, Any] | None = None) -> tuple[Vectors, Infos]:
        """Begin new games, as `SeatVectorEnvironment.reset` does."""
        observations, _ = self._envs.reset(seed=seed, options=options)
        return self._vectors(observations), {}

    def step(
        self, actions: Actions
    ) -> tuple[Vectors, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Take one action in every game, integers of shape (num_envs,)."""
        observations, rewards, terminated, truncated, _ = self._envs.step(actions)
        rewards /= self.settings.reward_unit
        terminated |= truncated
        infos: Infos = {}
        if (ended := np.flatnonzero(terminated)).size:
            own = np.zeros(self.num_envs, np.float32)
            own[ended] = self._end(ended)
            rewards += self.settings.win_reward * own
            infos = {RANK_REWARD: own, f"_{RANK_REWARD}": terminated.copy()}
        return self._vectors(observations), rewards, terminated, np.zeros_like(terminated), infos

    def _end(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Record the results of games that have ended; return the learner's rewards for its ranks, (rows,)."""
        games = self._envs.games
        results, seating = games.games.results_of(rows), self._opponents.players(games.seating[rows])
        rewards = rank_rewards(results.ranks, int(self._teams.max()) + 1)
        self._endings.append(Endings.of(results, seating, rewards))
        return rewards[np.arange(len(rows)), games.seats[rows]]

    def _vectors(self, observations: dict[str, Any]) -> Vectors:
        parts = [observations["observation"], observations["action_mask"].view(np.uint8)]
        if self._hidden.size:
            games = self._envs.games
            parts.append(hidden_from(games.games, np.arange(self.num_envs), games.seats, self._hidden))
        return np.concatenate(parts, axis=1)

    def renew(self, pool: TrainingPool, latest: Policy) -> None:
        """Play against another state of the pool, and another latest policy."""
        self._opponents.renew(pool, latest)

    def take_endings(self) -> list[Endings]:
        """How games have ended since the last call."""
        endings, self._endings = self._endings, []
        return endings


class Runner(SingleAgentEnvRunner):
    """A process that plays. What its games raise comes back as an error; RLlib's own runner would end, to be replaced
    by one that meets the same error."""

    def apply(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function with this runner as its first argument."""
        return func(self, *args, **kwargs)


def renew(runner: Any, saved: Any) -> None:
    """Let a runner's environment play against the pool and the latest policy in this pickle, which Ray stores."""
    if runner.env is not None:
        runner.env.unwrapped.renew(*pickle.loads(ray.get(saved)))


def take_endings(runner: Any) -> list[Endings]:
    """How games of a runner's environment have ended since the last call."""
    endings: list[Endings] = runner.env.unwrapped.take_endings() if runner.env is not None else []
    return endings
