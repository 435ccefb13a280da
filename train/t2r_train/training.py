"""A training from imitation to the last iteration of PPO. It can be interrupted, and resumed from its checkpoint."""

import io
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import KVWriter, Logger
from stable_baselines3.common.utils import FloatSchedule

from t2r_agents.policy import Policy
from t2r_env import Configuration
from t2r_env.agents import find_agent
from t2r_env.envs.stable_baselines import SeatVecEnv
from t2r_train.checkpoint import Checkpoint, CheckpointError, model_bytes, random_states, set_random_states
from t2r_train.curves import Curves
from t2r_train.evaluate import match, result_of
from t2r_train.games import TrainingGames
from t2r_train.imitation import imitate
from t2r_train.network import export_policy, policy_kwargs
from t2r_train.pool import TrainingPool, policy_agent
from t2r_train.settings import Settings

CHECKPOINT, POLICY = "checkpoint.zip", "policy.zip"
SECONDS_BETWEEN_CHECKPOINTS = 120.0
EVALUATION_SEED = 1 << 41
"""The seed of the first game of every evaluation, far from the seeds of imitation and of PPO."""
PPO_SEED = 1 << 42
"""The seed of the first game of PPO, likewise."""
WIN_RATE = "eval/win_rate/"


class LogBuffer(KVWriter):
    """Keeps what Stable-Baselines3 logs."""

    def __init__(self) -> None:
        self.latest: dict[str, float] = {}

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        """Keep the values."""
        self.latest = {name: float(value) for name, value in key_values.items()}

    def close(self) -> None:
        """Do nothing: there is no file to close."""


class Training:
    """A training in a folder: `checkpoint.zip`, `policy.zip`, `curves.csv`, `curves.png`, TensorBoard's files.

    Raises ValueError or TypeError for settings that are not allowed, and CheckpointError if it can't be resumed.
    """

    settings: Settings
    configuration: Configuration
    model: MaskablePPO
    games: SeatVecEnv
    pool: TrainingPool
    imitated_games: int
    """The expert's games that it has learned from so far."""
    iterations: int
    """Iterations of PPO so far."""
    seconds: float
    """The time it has taken so far."""

    def __init__(
        self, folder: Path, settings: Settings | None = None, changes: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        """Begin a training with these settings; without settings, resume the one in the folder.

        `changes` are new values for settings in t2r_train.settings.CHANGEABLE when it is resumed.
        """
        self.folder = folder
        if settings:
            self._begin(settings)
        else:
            checkpoint = Checkpoint.load(folder / CHECKPOINT)
            self.settings = checkpoint.settings.changed(changes)
            try:
                self._resume(checkpoint)
            except Exception as error:  # of the pickles' classes, which may be those of other versions
                raise CheckpointError(f"{folder / CHECKPOINT} can't be resumed: {error!r}") from error
        folder.mkdir(parents=True, exist_ok=True)
        self._log = LogBuffer()
        self.model.set_logger(Logger(None, [self._log]))
        # before the end of imitation there is no row to keep
        self.curves = Curves(folder, -1 if settings or self._is_imitating else self.num_timesteps)
        self._saved = time.monotonic()

    def _begin(self, settings: Settings) -> None:
        self.settings, self.configuration = settings, settings.configuration()
        for name in (*settings.fixed_opponents, *settings.eval_opponents, settings.expert):
            if name:  # without an expert it is empty
                find_agent(name, self.configuration)
        games = SeatVecEnv(
            self.configuration,
            num_envs=settings.n_envs,
            seat="random",
            reward=settings.reward,
            illegal_action="raise",
        )
        self.model = MaskablePPO(
            "MlpPolicy",
            games,
            n_steps=settings.n_steps,
            batch_size=settings.batch_size,
            n_epochs=settings.n_epochs,
            gamma=settings.gamma,
            gae_lambda=settings.gae_lambda,
            clip_range=settings.clip_range,
            ent_coef=settings.ent_coef,
            vf_coef=settings.vf_coef,
            max_grad_norm=settings.max_grad_norm,
            seed=settings.seed,
            policy_kwargs=policy_kwargs(self.configuration, settings),
            device="cpu",
        )
        self.imitated_games = self.iterations = 0
        self.seconds = 0.0
        self.pool = TrainingPool(settings, self.policy())
        games.games.opponents = self.pool
        self._set_games(games)

    def _resume(self, checkpoint: Checkpoint) -> None:
        state = checkpoint.state
        self.configuration = self.settings.configuration()
        games: SeatVecEnv = state["games"]
        self.imitated_games, self.iterations = state["imitated_games"], state["iterations"]
        self.seconds = state["seconds"]
        self.model = MaskablePPO.load(io.BytesIO(checkpoint.model), env=games, force_reset=False, device="cpu")
        pool = games.games.opponents
        assert isinstance(pool, TrainingPool)
        pool.settings = self.settings
        self.pool = pool
        self._set_games(games)
        set_random_states(state["random_states"])

    def _set_games(self, games: SeatVecEnv) -> None:
        """Make these the games that the algorithm plays."""
        self.games = games
        # the algorithm has given them its own seed; once they have begun, theirs no longer matters
        games.seed(PPO_SEED + self.settings.seed * self.settings.n_envs)
        self._training_games = TrainingGames(games, self.pool, self.settings)
        self.model.env = self._training_games

    @property
    def num_timesteps(self) -> int:
        """Timesteps of PPO so far: decisions of the learner."""
        return int(self.model.num_timesteps)

    @property
    def is_done(self) -> bool:
        """Whether imitation and PPO are complete."""
        return not self._is_imitating and self.num_timesteps >= self.settings.total_timesteps

    @property
    def _is_imitating(self) -> bool:
        return bool(self.settings.expert) and self.imitated_games < self.settings.imitation_games

    def policy(self) -> Policy:
        """The current policy."""
        return export_policy(self.model.policy, self.configuration)

    def save(self) -> None:
        """Write the checkpoint, and the policy alone."""
        state = {
            "games": self.games,
            "imitated_games": self.imitated_games,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "random_states": random_states(),
        }
        policy = self.documented_policy()
        Checkpoint(self.settings, policy, model_bytes(self.model), state).save(self.folder / CHECKPOINT)
        policy.save(self.folder / POLICY)
        self._saved = time.monotonic()

    def documented_policy(self) -> Policy:
        """The current policy, with a card that says how it was trained."""
        return export_policy(
            self.model.policy,
            self.configuration,
            imitated_games=self.imitated_games,
            num_timesteps=self.num_timesteps,
            iterations=self.iterations,
            minutes=round(self.seconds / 60, 1),
            settings={name: value for name, value in vars(self.settings).items() if name != "options"},
        )

    def run(self, report: Callable[[str], None], should_stop: Callable[[], bool]) -> None:
        """Train to the end, or until `should_stop` returns True between two iterations; then save.

        `report` is called after every iteration, of imitation too, with a line about the win rates after an evaluation
        and an empty one otherwise.
        """
        try:
            while not self.is_done and not should_stop():
                began = time.perf_counter()
                statistics = self._imitate() if self._is_imitating else self._iterate()
                self.seconds += time.perf_counter() - began
                wins = [
                    f"{rate:.1%} against {name.removeprefix(WIN_RATE)}"
                    for name, rate in statistics.items()
                    if name.startswith(WIN_RATE)
                ]
                report(f"{self.num_timesteps:,} timesteps: wins {', '.join(wins)}" if wins else "")
                if time.monotonic() - self._saved > SECONDS_BETWEEN_CHECKPOINTS:
                    self.save()
        finally:
            self.curves.close()
        self.save()
        self.curves.plot()

    def _imitate(self) -> dict[str, float]:
        """Learn from some of the expert's games; return statistics."""
        statistics = imitate(self.model, self.configuration, self.settings, self.imitated_games)
        self.imitated_games += self.settings.imitation_rollout_games
        if not self._is_imitating:
            # Adam's averages of the imitation's gradients would mislead PPO
            self.model.policy.optimizer.state.clear()
            statistics |= self._evaluate()
            self.curves.add(0, statistics)
        return statistics

    def _iterate(self) -> dict[str, float]:
        """One iteration of PPO; return statistics."""
        settings, model = self.settings, self.model
        self.pool.update(self.policy())
        progress = min(1.0, self.num_timesteps / settings.total_timesteps)
        model.lr_schedule = FloatSchedule(settings.learning_rate * (1 - 0.9 * progress))
        began, before = time.perf_counter(), self._training_games.seconds()
        timesteps = settings.timesteps_per_iteration
        model.learn(timesteps, reset_num_timesteps=False, log_interval=timesteps)  # it never dumps its log itself
        passed = time.perf_counter() - began
        in_environment, in_opponents = (
            now - then for now, then in zip(self._training_games.seconds(), before, strict=True)
        )
        self.iterations += 1
        if self.iterations % settings.snapshot_freq == 0:
            self.pool.add_snapshot(self.policy())
        model.logger.dump(self.num_timesteps)
        statistics = self._log.latest | self._training_games.statistics()
        statistics |= {
            f"rollout/win_rate/{name}": rate for name, rate in self.pool.win_rates.items() if "snapshot" not in name
        }
        statistics |= {
            "time/iterations": float(self.iterations),
            "time/time_elapsed": self.seconds + passed,
            "time/fps": timesteps / passed,
            "time/environment_share": in_environment / passed,
            "time/opponents_share": in_opponents / passed,
        }
        if self.iterations % settings.eval_freq == 0 or self.is_done:
            statistics |= self._evaluate()
        self.curves.add(self.num_timesteps, statistics)
        return statistics

    def _evaluate(self) -> dict[str, float]:
        """Win rates against the opponents of the evaluation, and the policy's tickets against the last of them."""
        agent = policy_agent(self.policy(), sample=False)
        statistics = {}
        for name in self.settings.eval_opponents:
            batches = match(self.configuration, agent, name, self.settings.n_eval_episodes, EVALUATION_SEED)
            result = result_of(self.configuration, [entry for entries in batches for entry in entries])
            statistics[f"{WIN_RATE}{name}"] = result.wins.value
            if name == self.settings.eval_opponents[-1]:
                statistics["eval/tickets_completed_mean"] = result.completed or 0.0
                statistics["eval/tickets_failed_mean"] = result.failed or 0.0
        return statistics
