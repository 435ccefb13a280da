"""All hyperparameters of a training run, with the defaults of each variant.

They have the names of Stable-Baselines3 where it has one.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, get_args

import numpy as np

from t2r_env import Configuration, configure
from t2r_env.basics.checks import check_choice, check_integer, check_seed
from t2r_env.games import Reward

Critic = Literal["observation", "global_state"]

EXPLOIT_TIMESTEPS = 1_000_000
"""The default of `total_timesteps` for `t2r exploit`."""
LARGE_GPU = 24 << 30
"""The bytes of a GPU that has room for more games."""


MOST_DECISIONS = 1 << 26
"""The most decisions of an iteration."""


@dataclass(frozen=True)
class Settings:
    """The settings of a training run of one policy. Raises ValueError or TypeError for values that are not allowed.

    A timestep is a decision of the policy that learns, in whichever seat. An iteration takes `n_steps` actions in each
    of `n_envs` games and then learns from those that were the policy's.
    """

    variant: str = "usa"
    num_players: tuple[int, ...] = ()
    """The numbers of players of its games: one policy learns them all. Empty: the fewest that the variant allows."""
    players_shares: tuple[float, ...] = (1.0,)
    """The shares of the games, in proportion, with each of `num_players`; the last one stands for those that follow."""
    options: dict[str, Any] = field(default_factory=dict)
    """The options of the variant."""
    total_timesteps: int = 10_000_000
    """Decisions of the policy that learns."""
    seed: int = 0
    """Seeds the network, the games and the minibatches."""

    # Network: fully connected layers with ReLU
    features: str = "plan"
    """The derived features that follow the observation, as in `Games(features=...)`. Empty for none."""
    features_dim: int = 256
    """Units of the first layer, which actor and critic share. Its inputs are normalised."""
    net_arch: tuple[int, ...] = (256,)
    """Units of the hidden layers behind it. Actor and critic each have such layers of their own."""
    critic: Critic = "global_state"
    """The critic's inputs: those of the policy, or also what is hidden from its seat."""
    prior_weight: float = 5.0
    """The number added to the logit of the planner's action, which the features tell. Training then begins close to the
    planner's play, with e to the power of this as odds to any other action; the network learns when to deviate. 0: it
    begins with arbitrary play."""
    initial_policy: str = ""
    """The file of a policy to begin with, of the same layers. What it lacks, for more players, is learned."""

    # Rewards
    reward: Reward = "margin"
    reward_unit: float = 50.0
    """The environment's rewards are divided by this, whichever `reward` it is."""
    win_reward: float = 1.0
    """Added at the end of a game: this much for the first rank, minus this much for all others."""
    gae_lambda: float = 0.9
    """The lambda of generalised advantage estimation (Schulman et al. 2016)."""

    critic_warmup: float = 0.03
    """The share of PPO's timesteps, at the beginning, in which only the values learn. For a policy that begins well
    (prior_weight), while its values are not known yet."""
    ticket_warmup: float = 0.3
    """The share of PPO's timesteps, at the beginning, in which the planner decides when to draw tickets, and which to
    keep. The random actions of a beginner make tickets fail, so it would learn to have few before it can play."""

    # PPO
    n_envs: int = 0
    """Games played in parallel. 0: as the device likes it (`sized_for`), as for the two that follow."""
    n_steps: int = 0
    """Actions taken in each game in an iteration."""
    batch_size: int = 0
    """Decisions of a minibatch, about: the minibatches of an iteration are equally large."""
    n_epochs: int = 1
    """Passes over the timesteps of an iteration."""
    learning_rate: float = 5e-4
    """Falls linearly to a tenth."""
    clip_range: float = 0.1
    ent_coef: float = 0.0
    """The weight of the entropy bonus. Falls linearly to a tenth."""
    vf_coef: float = 0.5
    """The weight of the value loss."""
    average_timesteps: int = 400_000
    """The policy that is evaluated and kept has exponential moving averages of the weights, over about this many
    timesteps, but at least four iterations. 0: the weights of the last iteration."""

    # Opponents
    fixed_opponents: tuple[str, ...] = ("planner",)
    """Agents that are in the pool from the first to the last iteration."""
    latest_policy_share: float = 0.2
    """The share of games in which the policy plays all seats. In the others it plays those of one team."""
    fixed_opponents_share: float = 0.7
    """The share of games against fixed opponents. Those against snapshots have the rest."""
    snapshot_freq: int = 0
    """Timesteps between snapshots, at least one iteration. 0: those of 25 iterations, if all were the policy's."""

    # Evaluation
    eval_freq: int = 0
    """Timesteps between evaluations, at least an iteration. (Stable-Baselines3's counts calls of `step`.) 0: a tenth of
    `total_timesteps`, but at least those of 20 iterations, if all were the policy's."""
    eval_opponents: tuple[str, ...] = ("planner", "racer")
    n_eval_episodes: int = 400
    """Games against each of them."""
    keep_every: int = 0
    """Timesteps after which the policy so far is kept in a file of its own, again and again. 0: none is kept."""

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if len(set(self.num_players)) < len(self.num_players):
            raise ValueError(f"num_players must name each number once, not {', '.join(map(str, self.num_players))}")
        for share in self.players_shares:
            _check_within("each of players_shares", share, math.inf)
        if not any(self._shares()):
            raise ValueError("players_shares must be more than 0 for one of num_players")
        for name in _COUNTS:
            check_integer(name, getattr(self, name), 1)
        for name in ("total_timesteps", "average_timesteps", "snapshot_freq", "eval_freq", "keep_every", *_SIZES):
            check_integer(name, getattr(self, name), 0)
        if self.n_steps == 1:
            raise ValueError("n_steps must be at least 2: what a decision was worth shows at the seat's next one")
        if len(self.players_shares) > max(1, len(self.num_players)):
            raise ValueError("players_shares must have one share for each of num_players at most")
        for units in self.net_arch:
            check_integer("each of net_arch", units, 1)
        for name, choices in (("reward", Reward), ("critic", Critic)):
            check_choice(name, getattr(self, name), get_args(choices))
        for name in _COEFFICIENTS:
            _check_within(name, getattr(self, name), math.inf)
        for name in _SHARES:
            _check_within(name, getattr(self, name), 1)
        if not self.reward_unit:
            raise ValueError("reward_unit must be more than 0")
        if self.fixed_opponents_share + self.latest_policy_share > 1:
            raise ValueError("fixed_opponents_share and latest_policy_share must add up to 1 at most")
        if len(set(self.fixed_opponents)) < len(self.fixed_opponents):
            raise ValueError(f"fixed_opponents must name each agent once, not {', '.join(self.fixed_opponents)}")

    def changed(self, changes: Mapping[str, Any]) -> "Settings":
        """Return these settings with some changed for a training run that has begun.

        Raises ValueError for settings that are not in CHANGEABLE, and for values that are not allowed.
        """
        if fixed := sorted(changes.keys() - set(CHANGEABLE)):
            raise ValueError(f"{fixed[0]} can't change in a training that has begun, only {', '.join(CHANGEABLE)}")
        return replace(self, **changes)

    def sized_for(self, threads: int, gpu_bytes: int = 0) -> "Settings":
        """Return these settings with sizes for a number of threads, or a GPU's memory, where none are given."""
        if gpu_bytes:
            if self.features:  # which take most of the time: fewer decisions, and the policy changes more often
                n_envs, n_steps, batch_size = 8192, 16, 4096
            else:
                n_envs, n_steps, batch_size = 32768 if gpu_bytes >= LARGE_GPU else 8192, 32, 8192
        else:
            n_envs = 512 if threads == 1 else 1024  # enough that the network's products have large batches
            n_steps, batch_size = 32768 // n_envs, 2048
        n_envs, n_steps = self.n_envs or n_envs, self.n_steps or n_steps
        if n_envs * n_steps > MOST_DECISIONS:
            raise ValueError(
                f"n_envs times n_steps must be {MOST_DECISIONS:,} at most, not {n_envs:,} times {n_steps:,}"
            )
        return replace(
            self,
            n_envs=n_envs,
            n_steps=n_steps,
            batch_size=self.batch_size or batch_size,
            snapshot_freq=self.snapshot_freq or 25 * n_envs * n_steps,
            eval_freq=self.eval_freq or max(20 * n_envs * n_steps, self.total_timesteps // 10),
        )

    def observation_options(self) -> dict[str, Any]:
        """Return the arguments of `Games` for its observations."""
        return {"features": self.features} if self.features else {}

    def configurations(self) -> tuple[Configuration, ...]:
        """Return the configurations to play. Raises ValueError or TypeError if there is no such configuration."""
        return tuple(configure(self.variant, number, **self.options) for number in self.num_players or (None,))

    def envs(self, number: int) -> list[int]:
        """Return how many of a number of games each of the configurations has, by `players_shares`."""
        bounds = np.cumsum([0.0, *self._shares()])
        return [int(games) for games in np.diff(np.round(bounds / bounds[-1] * number))]

    def _shares(self) -> tuple[float, ...]:
        """Return `players_shares` for each of the configurations."""
        number = max(1, len(self.num_players))
        return (self.players_shares + self.players_shares[-1:] * number)[:number]


_SIZES = ("n_envs", "n_steps", "batch_size")
_COUNTS = ("features_dim", "n_epochs", "n_eval_episodes")
_COEFFICIENTS = (
    *("reward_unit", "win_reward", "prior_weight"),
    *("learning_rate", "clip_range", "ent_coef", "vf_coef"),
)
_SHARES = (*("gae_lambda", "critic_warmup", "ticket_warmup", "fixed_opponents_share", "latest_policy_share"),)

CHANGEABLE = (
    *("total_timesteps", "learning_rate", "clip_range", "ent_coef", "n_epochs", "batch_size"),
    *("fixed_opponents_share", "latest_policy_share", "snapshot_freq", "eval_freq", "n_eval_episodes"),
    *("players_shares", "average_timesteps", "ticket_warmup", "keep_every"),
)
"""The settings that may change when a training run is resumed."""

VARIANT_SETTINGS: dict[str, dict[str, Any]] = {
    "new_york": {"total_timesteps": 6_000_000, "prior_weight": 3.0, "reward_unit": 15.0, "learning_rate": 1e-3},
}
"""The defaults of a variant where they differ from those of `Settings`."""

FROM_RULES: dict[str, Any] = {
    "features": "",
    "reward": "score",
    "prior_weight": 0.0,
    "critic_warmup": 0.0,
    "ticket_warmup": 0.0,
    "fixed_opponents": (),
    "fixed_opponents_share": 0.0,
    "latest_policy_share": 1.0,
    "clip_range": 0.2,
    "ent_coef": 0.1,
    "gae_lambda": 0.95,
}
"""The settings of `--from-rules`: nothing of the planner, neither as prior and features nor as an opponent."""


def _check_within(name: str, value: float, largest: float) -> None:
    """Raise ValueError if it is not a finite number from 0 to `largest`."""
    if not 0 <= value <= largest or math.isinf(value):
        limits = "at least 0" if math.isinf(largest) else f"from 0 to {largest}"
        raise ValueError(f"{name} must be a number {limits}, not {value!r}")


def settings_for(variant: str, given: dict[str, Any]) -> Settings:
    """Return the settings for a variant; `given` ones come first. Raises ValueError for a name that is no setting."""
    names = {entry.name for entry in fields(Settings)}
    if unknown := sorted(given.keys() - names):
        raise ValueError(f"there is no setting {unknown[0]!r}; settings are: {', '.join(sorted(names))}")
    return Settings(**(VARIANT_SETTINGS.get(variant, {}) | given | {"variant": variant}))


FLAGS = ("variant", "num_players", "total_timesteps", "seed", "keep_every")
"""The settings for which `t2r train` has a flag of their own."""
DEFAULTS: dict[str, Any] = {
    entry.name: entry.default for entry in fields(Settings) if entry.name not in FLAGS and entry.name != "options"
}
"""The settings that its `--set` takes, with their defaults."""
