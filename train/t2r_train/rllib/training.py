"""A training whose PPO is RLlib's: its runners play the games, on all cores of a machine or of a Ray cluster."""

import logging
import os
import pickle
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from t2r_agents.failures import one_line
from t2r_agents.ray_cluster import check_address, connected
from t2r_env.checks import check_choice, check_integer
from t2r_env.extras import needs

with needs("rllib"):
    import ray
    from ray.exceptions import RayError, RayTaskError
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from t2r_train.checkpoint import CheckpointError
from t2r_train.learner import Learner, learning_rate_at
from t2r_train.network import Network
from t2r_train.ranks import Ranks
from t2r_train.rllib.environment import Runner, RunnerEnvironment, renew, take_endings
from t2r_train.rllib.module import SETTINGS, NetworkModule
from t2r_train.rllib.ppo import NetworkLearner, QuietPPO
from t2r_train.self_play import SelfPlay, TrainingGames
from t2r_train.settings import Settings
from t2r_train.training import Training

NOT_APPLICABLE = ("expert", "kl_reference_decay", "target_kl")
"""The settings that RLlib's PPO has not; they must have their defaults."""
PATIENCE = 600.0
"""Seconds for runners that died to be replaced."""

logger = logging.getLogger(__name__)
_actors = logging.getLogger("ray.rllib.utils.actor_manager")
"""Where RLlib logs what fails in runners."""


class RLlibLearner(Learner):
    """A learner whose iterations are those of RLlib's PPO. Network and optimiser are copies of RLlib's."""

    def __init__(
        self, network: Network, settings: Settings, play: TrainingGames, rng: np.random.Generator, runners: int = 0
    ) -> None:
        """`runners` is the number of processes that play; 0: this one does."""
        super().__init__(network, settings, play, rng)  # type: ignore[arg-type]  # the games are in the runners
        self.runners = runners
        self._algorithm: Any = None
        self._failures = _Failures()

    def iterate(self, progress: float, only_values: bool = False) -> tuple[int, dict[str, float]]:
        """As `Learner.iterate`."""
        algorithm = self._algorithm or self._start()
        latest = self.network.export(self.settings.configuration())
        pool = ray.put(pickle.dumps((self.play.pool, latest)))
        learning_rate = learning_rate_at(self.settings.learning_rate, progress)
        self._foreach_learner(lambda learner: learner.begin(learning_rate, only_values))
        statistics: dict[str, float] = {}
        begun = time.monotonic()
        while not statistics:  # an iteration in which all runners die has no decisions
            algorithm.env_runner_group.foreach_env_runner(lambda runner: renew(runner, pool))
            algorithm.train()
            self._failures.raise_first()
            ((state, statistics),) = self._foreach_learner(NetworkLearner.end)
            if not statistics and time.monotonic() - begun > PATIENCE:
                raise ConnectionError(f"no runner has played for {PATIENCE:.0f} seconds")
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        if self.average is not None:
            self.average.update_parameters(self.network)
        for endings in algorithm.env_runner_group.foreach_env_runner(take_endings):
            for ended in endings:
                self.play.record(ended)
        timesteps = int(statistics.pop("timesteps"))
        rates = {"train/learning_rate": learning_rate, "train/n_epochs": float(self.settings.n_epochs)}
        return timesteps, statistics | rates

    def _foreach_learner(self, function: Callable[[Any], Any]) -> list[Any]:
        results: list[Any] = [it.get() for it in self._algorithm.learner_group.foreach_learner(function)]
        return results

    def _start(self) -> Any:
        """Make the algorithm, with the weights and the state of the optimiser that are here."""
        with _silent():
            self._algorithm = config_of(self.settings, self.runners).build_algo()
        _actors.addFilter(self._failures)
        network, optimizer = self.network.state_dict(), self.optimizer.state_dict()
        self._foreach_learner(lambda learner: learner.restore(network, optimizer))
        self._algorithm.env_runner_group.sync_weights(
            from_worker_or_learner_group=self._algorithm.learner_group, inference_only=True
        )
        return self._algorithm

    def close(self) -> None:
        """Stop the runners."""
        if self._algorithm:
            self._algorithm.stop()
            self._algorithm = None
            _actors.removeFilter(self._failures)


class RLlibTraining(Training):
    """A training as `Training`, with RLlib's PPO: the same folder, files and settings.

    One seat learns in each game; the latest policy, and the opponents of the pool, play the others. A resumed training
    begins new games. Runs do not repeat exactly.

    Raises ValueError for settings that do not apply.
    """

    play: TrainingGames  # type: ignore[assignment]  # the games are in the runners

    def __init__(
        self,
        folder: Path,
        settings: Settings | None = None,
        changes: Mapping[str, Any] = MappingProxyType({}),
        device: str = "auto",
        runners: int | None = None,
        address: str = "",
    ) -> None:
        """As for `Training`, but `device` must be `auto` or `cpu`: it learns on the CPU.

        `runners` is the number of processes that play; 0: this one does; by default that of `default_runners`.
        `address` is that of a Ray cluster, as for `t2r_agents.ray_cluster.connected`.
        """
        self.runners = None if runners is None else check_integer("--runners", runners, 0)
        self.address = address
        check_address(address)
        check_choice("device with --rllib", device, ("auto", "cpu"))
        if Ranks.joined().size > 1:
            raise ValueError("--rllib does not train under torchrun: Ray begins its own processes")
        super().__init__(folder, settings, changes, "cpu")

    def _begin(self, settings: Settings) -> None:
        check_settings(settings, self.runners)
        super()._begin(settings)

    def _new_games(self) -> TrainingGames:  # type: ignore[override]  # likewise
        return TrainingGames(self.settings, self.pool)

    def _check_games(self) -> None:
        if isinstance(self.play, SelfPlay):
            raise CheckpointError("it was begun without --rllib, so it is resumed without --rllib")
        check_settings(self.settings, self.runners)

    def _new_learner(self, network: Network, rng: np.random.Generator) -> Learner:
        return RLlibLearner(network, self.settings, self.play, rng)

    def run(self, report: Callable[[str], None], should_stop: Callable[[], bool]) -> None:
        """As `Training.run`, connected to Ray. Raises ConnectionError if there is no cluster at the address."""
        warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"ray\.")
        logging.getLogger("ray.rllib").setLevel(logging.ERROR)
        learner = self.learner
        assert isinstance(learner, RLlibLearner)
        with connected(self.address, None if self.runners is None else self.runners + 1) as cpus:
            learner.runners = default_runners(self.settings, cpus) if self.runners is None else self.runners
            try:
                super().run(report, should_stop)
            finally:
                learner.close()


def default_runners(settings: Settings, cpus: int) -> int:
    """As many processes as share the games equally, and leave one of a cluster's CPUs to the process that learns."""
    return max(number for number in range(1, max(cpus, 2)) if not settings.n_envs % number)


class _Failures(logging.Filter):
    """Takes what RLlib logs of runners that have failed: each failure twice, the second time with `exc_info`.

    Of a runner that has died it tells in one line; RLlib begins another one. What the games of a runner have raised it
    keeps, to be raised here: another runner would meet the same.
    """

    def __init__(self) -> None:
        super().__init__()
        self._raised: list[RayTaskError] = []

    def filter(self, record: logging.LogRecord) -> bool:
        """Let nothing through."""
        if isinstance(record.msg, RayTaskError) and not isinstance(record.msg.cause, RayError):
            self._raised.append(record.msg)
        elif record.exc_info:
            cause = one_line(record.getMessage().strip().splitlines()[-1])
            logger.warning("a runner has failed; RLlib begins another one: %s", cause)
        return False

    def raise_first(self) -> None:
        """Raise the first error that was raised in a runner since the last call."""
        raised, self._raised = self._raised, []
        if raised:
            raise raised[0]


@contextmanager
def _silent() -> Iterator[None]:
    """Throw away what is written to stderr, also by Ray's C++.

    It warns that runners can't be replaced, because RLlib hands over their configuration through Ray's store. But RLlib
    keeps it there, and a test sees a runner replaced.
    """
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def check_settings(settings: Settings, runners: int | None) -> None:
    """Raise ValueError for settings that do not apply to RLlib's PPO with so many runners."""
    defaults = {entry.name: entry.default for entry in fields(Settings)}
    for name in NOT_APPLICABLE:
        if (value := getattr(settings, name)) != defaults[name]:
            raise ValueError(f"{name} does not apply to --rllib: it must be {defaults[name]!r}, not {value!r}")
    if runners and settings.n_envs % runners:
        raise ValueError(f"n_envs must be a multiple of the number of runners, {runners}, not {settings.n_envs}")
    if settings.batch_size > settings.n_envs * settings.n_steps:
        raise ValueError(f"batch_size must be at most n_envs * n_steps with --rllib, not {settings.batch_size}")


def config_of(settings: Settings, runners: int) -> Any:
    """RLlib's configuration of PPO with these settings. Weights come from the learner."""
    return (
        PPOConfig(algo_class=QuietPPO)
        .environment(
            RunnerEnvironment,
            env_config={SETTINGS: settings},
            disable_env_checking=True,
        )
        .env_runners(
            env_runner_cls=Runner,
            num_env_runners=runners,
            num_envs_per_env_runner=settings.n_envs // max(1, runners),
            gym_env_vectorize_mode="vector_entry_point",
            rollout_fragment_length=settings.n_steps,
        )
        .learners(num_learners=0)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=NetworkModule, model_config={SETTINGS: settings}))
        .training(
            learner_class=NetworkLearner,
            train_batch_size=settings.n_envs * settings.n_steps,
            minibatch_size=settings.batch_size,
            num_epochs=settings.n_epochs,
            lr=settings.learning_rate,
            grad_clip=settings.max_grad_norm,
            grad_clip_by="global_norm",
            gamma=settings.gamma,
            lambda_=settings.gae_lambda,
        )
        .debugging(seed=settings.seed, log_level="ERROR")
    )
