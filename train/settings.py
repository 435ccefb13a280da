"""What a training depends on: all hyperparameters, in one place, with each game's own."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, get_args

from t2r_env import Configuration, configure
from t2r_env.checks import check_choice, check_integer, check_seed
from t2r_env.games import Reward


@dataclass(frozen=True)
class Settings:
    """A training of one policy."""

    variant: str = "usa"
    players: int | None = None
    """The fewest that the game allows, without."""
    options: dict[str, Any] = field(default_factory=dict)
    steps: int = 10_000_000
    """Decisions of the learner in all, those it imitates not counted."""
    seed: int = 0

    # The network: layers of so many units, max(0, x) between them
    trunk: int = 512
    """The first layer, which weighing answers and judging positions share; its inputs are normalised."""
    heads: tuple[int, ...] = (256,)
    """The layers of each of the two behind it."""

    # What is rewarded
    reward: Reward = "margin"
    reward_unit: float = 50.0
    """So many points are a reward of 1; `rank` and `win` are divided by it, too."""
    win_reward: float = 1.0
    """Besides, for the first place, shared or not; the last costs as much."""
    discount: float = 1.0
    gae_lambda: float = 0.95
    """Of generalised advantage estimation (Schulman and others 2016)."""

    # First: imitation of an agent
    teacher: str = "planner"
    """Empty for none."""
    lessons: int = 8_192
    """Games of the teacher against itself."""
    lesson_games: int = 256
    """Games that are looked at together, and then forgotten."""
    lesson_batch: int = 512
    lesson_epochs: int = 2
    lesson_value: float = 0.1
    """The weight of the value's loss."""
    lesson_rate: float = 1e-3
    """The learning rate; it falls to a tenth."""

    # Then: PPO (Schulman and others 2017) with masked answers (Huang and Ontañón 2020)
    environments: int = 256
    """Games played together."""
    rollout: int = 128
    """Decisions in each of them between two updates."""
    batch: int = 2048
    epochs: int = 4
    learning_rate: float = 3e-4
    """It falls to a tenth."""
    clip: float = 0.2
    entropy: float = 0.005
    value: float = 0.5
    """The weight of the value's loss."""
    largest_gradient: float = 0.5

    # Opponents
    fixed: tuple[str, ...] = ("random", "greedy", "planner")
    """Agents that always play."""
    fixed_share: float = 0.4
    latest_share: float = 0.35
    """The policy of the last update. Earlier ones have the rest."""
    snapshots: int = 12
    """How many earlier ones are kept."""
    snapshot_every: int = 20
    """Updates."""

    # Evaluation
    evaluate_every: int = 25
    """Updates."""
    evaluate_against: tuple[str, ...] = ("random", "greedy", "planner")
    evaluation_games: int = 400

    def __post_init__(self) -> None:
        check_seed(self.seed)
        check_integer("steps", self.steps, 0)
        for name in _COUNTS:
            check_integer(name, getattr(self, name), 1)
        check_integer("lessons", self.lessons, 0)
        for width in self.heads:
            check_integer("each of heads", width, 1)
        check_choice("reward", self.reward, get_args(Reward))
        for name in _AMOUNTS:
            _check_within(name, getattr(self, name), math.inf)
        for name in _SHARES:
            _check_within(name, getattr(self, name), 1)
        if not self.reward_unit:
            raise ValueError("reward_unit must be more than 0")
        if self.fixed_share + self.latest_share > 1:
            raise ValueError("fixed_share and latest_share must be 1 together, or less")
        if len(set(self.fixed)) < len(self.fixed):
            raise ValueError(f"fixed must name each agent once, not {', '.join(self.fixed)}")
        if (self.rollout * self.environments - 1) % self.batch == 0:
            raise ValueError(
                f"{self.rollout * self.environments} decisions in batches of {self.batch} leave one alone, whose"
                " advantage has no spread: choose another batch"
            )

    def changed(self, changes: Mapping[str, Any]) -> "Settings":
        """These settings with others in the middle of a training. Raises ValueError for what can't change then."""
        if fixed := sorted(changes.keys() - set(CHANGEABLE)):
            raise ValueError(f"{fixed[0]} can't change in a training that has begun, only {', '.join(CHANGEABLE)}")
        return replace(self, **changes)

    def configuration(self) -> Configuration:
        """What is played. Raises ValueError or TypeError if it can't be."""
        return configure(self.variant, self.players, **self.options)


_COUNTS = (
    *("trunk", "lesson_games", "lesson_batch", "lesson_epochs", "environments", "rollout", "batch", "epochs"),
    *("snapshots", "snapshot_every", "evaluate_every", "evaluation_games"),
)
_AMOUNTS = (
    *("reward_unit", "win_reward", "lesson_value", "lesson_rate", "learning_rate", "clip", "entropy", "value"),
    "largest_gradient",
)
_SHARES = ("discount", "gae_lambda", "fixed_share", "latest_share")

CHANGEABLE = ("steps", "learning_rate", "fixed_share", "latest_share", "snapshot_every", "evaluate_every")
"""What may be otherwise when a training goes on."""

GAMES: dict[str, dict[str, Any]] = {
    "usa": {"options": {"tickets": "classic"}, "lessons": 12_288},
    "new_york": {
        "steps": 6_000_000,
        "trunk": 256,
        "reward_unit": 15.0,
        "lessons": 8_192,
        "environments": 512,
        "rollout": 64,
    },
}
"""What is otherwise by game."""


def _check_within(name: str, value: float, most: float) -> None:
    """Raise ValueError if it is no finite number from 0 to `most`."""
    if not 0 <= value <= most or math.isinf(value):
        limits = "from 0 on" if math.isinf(most) else f"from 0 to {most}"
        raise ValueError(f"{name} must be a number {limits}, not {value!r}")


def settings_for(variant: str, given: dict[str, Any]) -> Settings:
    """The settings of a game, with those that were given. Raises ValueError for a name that is no setting."""
    names = {entry.name for entry in fields(Settings)}
    if unknown := sorted(given.keys() - names):
        raise ValueError(f"there is no setting {unknown[0]!r}; settings are: {', '.join(sorted(names))}")
    own = GAMES.get(variant, {})
    options = own.get("options", {}) | given.get("options", {})
    return Settings(**(own | given | {"variant": variant, "options": options}))
