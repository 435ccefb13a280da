"""A training from its first lesson to its last update; it may be interrupted, and goes on from its checkpoint."""

import io
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import KVWriter, Logger
from stable_baselines3.common.utils import FloatSchedule

from agents.policy import Policy
from t2r_env import Configuration
from t2r_env.agents import find_agent
from t2r_env.envs.stable_baselines import SeatVecEnv
from train.checkpoint import Checkpoint, model_bytes, rng, set_rng
from train.curves import Curves
from train.evaluate import match, standing
from train.games import TrainingGames
from train.imitation import give_lesson
from train.network import network_arguments, policy_of
from train.pool import TrainingPool, player
from train.settings import Settings

CHECKPOINT, POLICY = "checkpoint.zip", "policy.zip"
SECONDS_BETWEEN_CHECKPOINTS = 120.0
EVALUATION_SEED = 1 << 41
"""Of the first deal on which policies are evaluated, far from those of games that are learned from."""
GAMES_SEED = 1 << 42
"""Likewise of the first game that is learned from."""


class Figures(KVWriter):
    """Takes what Stable-Baselines3 logs."""

    def __init__(self) -> None:
        self.latest: dict[str, float] = {}

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        """Keep the figures."""
        self.latest = {name: float(value) for name, value in key_values.items()}

    def close(self) -> None:
        """There is nothing to close."""


class Training:
    """A training in a folder: `checkpoint.zip`, `policy.zip`, `curves.csv`, `curves.png`, TensorBoard's files.

    Raises ValueError or TypeError for settings that can't be, and CheckpointError for a file that is no checkpoint.
    """

    settings: Settings
    configuration: Configuration
    model: MaskablePPO
    games: SeatVecEnv
    pool: TrainingPool
    lessons: int
    """Games of the teacher that were looked at."""
    updates: int
    seconds: float
    """All that it has taken."""

    def __init__(
        self, folder: Path, settings: Settings | None = None, changes: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        """A new training with these settings; without them, the one whose checkpoint lies in the folder.

        `changes` are settings (of train.settings.CHANGEABLE) that are others from now on.
        """
        self.folder = folder
        if settings:
            self._begin(settings)
        else:
            self._resume(Checkpoint.load(folder / CHECKPOINT), changes)
        folder.mkdir(parents=True, exist_ok=True)
        self._figures = Figures()
        self.model.set_logger(Logger(None, [self._figures]))
        # until the lessons are over, nothing of this training has been told
        self.curves = Curves(folder, -1 if settings or self._has_lessons else self.step)
        self._saved = time.monotonic()

    def _begin(self, settings: Settings) -> None:
        self.settings, self.configuration = settings, settings.configuration()
        for name in (*settings.fixed, *settings.evaluate_against, settings.teacher):
            if name:  # there may be no teacher
                find_agent(name, self.configuration)
        games = SeatVecEnv(
            self.configuration,
            num_envs=settings.environments,
            seat="random",
            reward=settings.reward,
            illegal_action="raise",
        )
        self.model = MaskablePPO(
            "MlpPolicy",
            games,
            n_steps=settings.rollout,
            batch_size=settings.batch,
            n_epochs=settings.epochs,
            gamma=settings.discount,
            gae_lambda=settings.gae_lambda,
            clip_range=settings.clip,
            ent_coef=settings.entropy,
            vf_coef=settings.value,
            max_grad_norm=settings.largest_gradient,
            seed=settings.seed,
            policy_kwargs=network_arguments(self.configuration, settings),
            device="cpu",
        )
        self.lessons = self.updates = 0
        self.seconds = 0.0
        self.pool = TrainingPool(settings, self.policy())
        games.games.opponents = self.pool
        self._play(games)

    def _resume(self, checkpoint: Checkpoint, changes: Mapping[str, Any]) -> None:
        self.settings, state = checkpoint.settings.changed(changes), checkpoint.state
        self.configuration = self.settings.configuration()
        games: SeatVecEnv = state["games"]
        self.lessons, self.updates, self.seconds = state["lessons"], state["updates"], state["seconds"]
        self.model = MaskablePPO.load(io.BytesIO(checkpoint.model), env=games, force_reset=False, device="cpu")
        pool = games.games.opponents
        assert isinstance(pool, TrainingPool)
        pool.settings = self.settings
        self.pool = pool
        self._play(games)
        set_rng(state["chance"])

    def _play(self, games: SeatVecEnv) -> None:
        """Let the algorithm play these games."""
        self.games = games
        # the algorithm has given them its own seed; once they have begun, theirs no longer matters
        games.seed(GAMES_SEED + self.settings.seed * self.settings.environments)
        self._training_games = TrainingGames(games, self.pool, self.settings)
        self.model.env = self._training_games

    @property
    def step(self) -> int:
        """The learner's decisions so far."""
        return int(self.model.num_timesteps)

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to learn."""
        return not self._has_lessons and self.step >= self.settings.steps

    @property
    def _has_lessons(self) -> bool:
        return bool(self.settings.teacher) and self.lessons < self.settings.lessons

    def policy(self) -> Policy:
        """The policy as it is now."""
        return policy_of(self.model.policy, self.configuration)

    def save(self) -> None:
        """Write the checkpoint, and the policy alone."""
        state = {
            "games": self.games,
            "lessons": self.lessons,
            "updates": self.updates,
            "seconds": self.seconds,
            "chance": rng(),
        }
        policy = self.described_policy()
        Checkpoint(self.settings, policy, model_bytes(self.model), state).save(self.folder / CHECKPOINT)
        policy.save(self.folder / POLICY)
        self._saved = time.monotonic()

    def described_policy(self) -> Policy:
        """The policy as it is now, with how it was made."""
        return policy_of(
            self.model.policy,
            self.configuration,
            lessons=self.lessons,
            steps=self.step,
            updates=self.updates,
            minutes=round(self.seconds / 60, 1),
            settings={name: value for name, value in vars(self.settings).items() if name != "options"},
        )

    def run(self, tell: Callable[[str], None], stops: Callable[[], bool]) -> None:
        """Go on until everything is learned, or until `stops` says so between two updates; then save.

        `tell` is called after every lesson and update, with a line on how good the policy is whenever that was tried.
        """
        try:
            while not self.is_done and not stops():
                began = time.perf_counter()
                figures = self._take_lesson() if self._has_lessons else self._update()
                self.seconds += time.perf_counter() - began
                wins = [
                    f"{share:.1%} against {name[5:]}" for name, share in figures.items() if name.startswith("wins/")
                ]
                tell(f"{self.step:,} decisions: wins {', '.join(wins)}" if wins else "")
                if time.monotonic() - self._saved > SECONDS_BETWEEN_CHECKPOINTS:
                    self.save()
        finally:
            self.curves.close()
        self.save()
        self.curves.plot()

    def _take_lesson(self) -> dict[str, float]:
        """Look at some of the teacher's games; return how it went."""
        figures = give_lesson(self.model, self.configuration, self.settings, self.lessons)
        self.lessons += self.settings.lesson_games
        if not self._has_lessons:
            # what Adam remembers of the lessons would be wrong for what comes
            self.model.policy.optimizer.state.clear()
            figures |= self._evaluate()
            self.curves.add(0, figures)
        return figures

    def _update(self) -> dict[str, float]:
        """Play some games and learn from them; return how it went."""
        settings, model = self.settings, self.model
        self.pool.renew(self.policy())
        model.lr_schedule = FloatSchedule(settings.learning_rate * (1 - 0.9 * min(1.0, self.step / settings.steps)))
        began, before = time.perf_counter(), self._training_games.clock()
        decisions = settings.rollout * settings.environments
        model.learn(decisions, reset_num_timesteps=False, log_interval=decisions)  # of which nothing is logged
        passed = time.perf_counter() - began
        after = self._training_games.clock()
        in_games, in_opponents = after[0] - before[0], after[1] - before[1]
        self.updates += 1
        if self.updates % settings.snapshot_every == 0:
            self.pool.keep(self.policy())
        model.logger.dump(self.step)
        figures = self._figures.latest | self._training_games.tell()
        figures |= {f"pool/{name}": share for name, share in self.pool.shares.items() if "snapshot" not in name}
        figures |= {
            "time/minutes": (self.seconds + passed) / 60,
            "time/decisions_per_second": decisions / passed,
            "time/share_of_environment": in_games / passed,
            "time/share_of_opponents": in_opponents / passed,
        }
        if self.updates % settings.evaluate_every == 0 or self.is_done:
            figures |= self._evaluate()
        self.curves.add(self.step, figures)
        return figures

    def _evaluate(self) -> dict[str, float]:
        """How the policy does against fixed opponents."""
        agent = player(self.policy(), sample=False)
        figures = {}
        for name in self.settings.evaluate_against:
            batches = match(self.configuration, agent, name, self.settings.evaluation_games, EVALUATION_SEED)
            result = standing(self.configuration, [entry for entries in batches for entry in entries])
            figures[f"wins/{name}"] = result.wins.value
            if name == self.settings.evaluate_against[-1]:
                figures |= {"evaluation/made": result.completed or 0.0, "evaluation/failed": result.failed or 0.0}
        return figures
