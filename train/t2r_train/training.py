"""Training runs from imitation to the last iteration of PPO, which can be resumed from their checkpoints."""

import copy
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from t2r_agents.policy import Policy, PolicyAgent
from t2r_agents.tournament.playing import Entry
from t2r_env.agents import POLICY_SUFFIX, find_agent
from t2r_env.checks import check_choice
from t2r_train.checkpoint import Checkpoint, CheckpointError
from t2r_train.curves import Curves
from t2r_train.evaluate import match, result_of
from t2r_train.inputs import Inputs
from t2r_train.learner import Learner
from t2r_train.network import has_bfloat16, new_network
from t2r_train.pool import TrainingPool
from t2r_train.ranks import Ranks
from t2r_train.self_play import SelfPlay, samples, statistics_of
from t2r_train.settings import Settings

CHECKPOINT, POLICY = "checkpoint.zip", "policy.safetensors"
SECONDS_BETWEEN_CHECKPOINTS = 120.0
EVALUATION_SEED = 1 << 41
"""The seed of the first game of every evaluation, far from the seeds of imitation and of PPO."""
GAMES_SEED = 1 << 42
"""The seed of the first game of PPO, far from the others."""
WIN_RATE = "eval/win_rate/"
DEVICES = ("auto", "cpu", "cuda")


class Training:
    """A training run in a folder: `checkpoint.zip`, `policy.safetensors`, `curves.csv`, `curves.png`, TensorBoard's.

    With `keep_every` also earlier policies, such as `policy_1003520.safetensors` after 1,003,520 timesteps.

    Under `torchrun` several processes, the ranks, do it together: each plays its share of the games, and the first one
    writes the files.

    Raises ValueError or TypeError for settings that are not allowed, and CheckpointError if it can't be resumed.
    """

    imitated_timesteps: int
    """The expert's decisions that it has learned from so far."""
    num_timesteps: int
    """Timesteps of PPO so far: decisions of the policy that learns."""
    iterations: int
    """Iterations of PPO so far."""
    seconds: float
    """The time it has taken so far."""
    curves: Curves
    """Only the first rank has them."""

    def __init__(
        self,
        folder: Path,
        settings: Settings | None = None,
        changes: Mapping[str, Any] = MappingProxyType({}),
        device: str = "auto",
    ) -> None:
        """Begin a training run with these settings; without settings, resume the one in the folder.

        `changes` are new values for settings in t2r_train.settings.CHANGEABLE when it is resumed. `device` is one of
        DEVICES; `auto` is a GPU if there is one.
        """
        self.folder = folder
        self.ranks = Ranks.joined()
        self.device = self.ranks.device(find_device(device))
        if settings:
            self._begin(settings)
        else:
            checkpoint = Checkpoint.load(folder / CHECKPOINT)
            self.settings = checkpoint.settings.changed(changes)
            try:
                self._resume(checkpoint)
            except Exception as error:  # of the pickles' classes, which may be those of other versions
                raise CheckpointError(f"{folder / CHECKPOINT} can't be resumed: {error!r}") from error
            total = self.settings.total_timesteps
            if "total_timesteps" in changes and total <= self.num_timesteps:
                done = f"{self.num_timesteps:,} timesteps that are done"
                raise ValueError(f"total_timesteps must be more than the {done}, not {total:,}")
        if self.ranks.is_first:
            folder.mkdir(parents=True, exist_ok=True)
            self.curves = Curves(folder, self.num_timesteps if self._has_been_evaluated else -1)
        self._saved = time.monotonic()

    def _begin(self, settings: Settings) -> None:
        self._set(settings)
        for name in (*settings.fixed_opponents, *settings.eval_opponents, settings.expert):
            for configuration in self.configurations if name else ():  # without an expert it is empty
                find_agent(name, configuration)
        initial = Policy.load(settings.initial_policy) if settings.initial_policy else None
        self.imitated_timesteps = self.num_timesteps = self.iterations = 0
        self.seconds = 0.0
        self.pool = TrainingPool(settings)
        self.plays = self._new_plays()
        rank = self.ranks.rank
        observations, hidden = samples(settings, self.inputs, find_agent("greedy"))
        self._learn(observations, hidden, np.random.default_rng((settings.seed, rank) if rank else settings.seed))
        if initial:
            self.learner.network.begin_with(initial, self.inputs.observation)

    def _set(self, settings: Settings) -> None:
        self.settings, self.configurations, self.inputs = settings, settings.configurations(), Inputs.of(settings)
        self._evaluated = 0

    def _new_plays(self) -> list[SelfPlay]:
        """Return new games of each configuration: this rank's share of them."""
        settings, size = self.settings, self.ranks.size
        own = settings.envs(self.ranks.share("n_envs", settings.n_envs))
        seed = GAMES_SEED + settings.seed * settings.n_envs + self.num_timesteps
        plays = []
        for configuration, batch in zip(self.configurations, own, strict=True):
            if batch:
                first = seed + self.ranks.rank * batch
                plays.append(SelfPlay(configuration, settings, self.inputs, self.pool, batch, first))
            seed += batch * size
        return plays

    def _resume(self, checkpoint: Checkpoint) -> None:
        state = checkpoint.state
        self._set(self.settings)
        self.imitated_timesteps, self.num_timesteps = state["imitated_timesteps"], state["num_timesteps"]
        self.iterations, self.seconds = state["iterations"], state["seconds"]
        ranks = [(state["plays"], state["rng"]), *state.get("other_ranks", [])]
        if len(ranks) != self.ranks.size:
            raise ValueError(f"it was trained by {len(ranks)} ranks, and these are {self.ranks.size}")
        self.pool = state["pool"]
        self.pool.settings = self.settings
        plays, rng = ranks[self.ranks.rank]
        has_new_shares = self.settings.players_shares != checkpoint.settings.players_shares
        self.plays = self._new_plays() if has_new_shares else plays
        for play in self.plays:
            play.pool, play.settings = self.pool, self.settings
        weights = checkpoint.learner["network"]
        widths = [len(weights.get(f"{name}.mean", ())) for name in ("features", "hidden_features")]
        observations, hidden = (np.zeros((1, width), np.uint8) for width in widths)
        self._learn(observations, hidden, rng)
        self.learner.set_state(checkpoint.learner)

    def _learn(self, observations: NDArray[np.uint8], hidden: NDArray[np.uint8], rng: np.random.Generator) -> None:
        settings = self.settings
        network = new_network(settings, self.inputs, observations, hidden)
        network.uses_bfloat16 = settings.precision == "bfloat16" or (
            settings.precision == "auto" and has_bfloat16(self.device)
        )
        self.learner = Learner(network.to(self.device), settings, self.plays, rng, self.ranks, self._add_done)
        self._done = self.imitated_timesteps, self.num_timesteps

    @property
    def is_done(self) -> bool:
        """Whether imitation and PPO are complete."""
        return not self._is_imitating and self.num_timesteps >= self.settings.total_timesteps

    @property
    def done(self) -> tuple[int, int]:
        """How many decisions of the imitation and timesteps of PPO are done, those of this iteration included.

        Of several ranks' iteration under way only this one's are known.
        """
        imitated, played = self._done
        return min(imitated, self.settings.imitation_timesteps), min(played, self.settings.total_timesteps)

    def _add_done(self, decisions: int) -> None:
        """Add decisions of the iteration under way to `done`."""
        imitated, played = self._done
        self._done = (imitated + decisions, played) if self._is_imitating else (imitated, played + decisions)

    @property
    def title(self) -> str:
        """Return what it trains, on what, and for how long, as a line."""
        games = "; ".join(configuration.title for configuration in self.configurations)
        threads = torch.get_num_threads()
        device = f"{threads} thread{'s' * (threads > 1)}" if self.device.type == "cpu" else str(self.device)
        ranks = f", {self.ranks.size} ranks" if self.ranks.size > 1 else ""
        return (
            f"a policy for {games}, on {device}{ranks}: {self.num_timesteps:,} of {self.settings.total_timesteps:,}"
            f" timesteps are done, in {self.folder}"
        )

    @property
    def position(self) -> str:
        """Return how far it is, as a line."""
        settings, minutes, (imitated, played) = self.settings, (time.perf_counter() - self._since) / 60, self.done
        evaluated = f", evaluated {self._evaluated:,} games" if self._evaluated else ""
        if self._is_imitating:
            return f"{imitated:,} of {settings.imitation_timesteps:,} decisions imitated, {minutes:.1f} min{evaluated}"
        return f"{played:,} of {settings.total_timesteps:,} timesteps, {minutes:.1f} min{evaluated}"

    @property
    def _is_imitating(self) -> bool:
        return bool(self.settings.expert) and self.imitated_timesteps < self.settings.imitation_timesteps

    @property
    def _has_been_evaluated(self) -> bool:
        """Whether the first evaluation is done: before PPO, behind the imitation if there is one."""
        return self.iterations > 0 or bool(self.settings.expert and not self._is_imitating)

    def save(self) -> None:
        """Write the checkpoint, and the policy alone."""
        self._saved = time.monotonic()
        plays = [copy.copy(play) for play in self.plays]
        for play in plays:
            del play.pool  # all have the same
        _, *others = self.ranks.gather((plays, self.learner.rng))
        if not self.ranks.is_first:
            return
        state = {
            "pool": self.pool,
            "plays": plays,
            "rng": self.learner.rng,
            "imitated_timesteps": self.imitated_timesteps,
            "num_timesteps": self.num_timesteps,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "other_ranks": others,
        }
        Checkpoint(self.settings, self.learner.state(), state).save(self.folder / CHECKPOINT)
        self.policy().save(self.folder / POLICY)

    def policy(self) -> Policy:
        """Return the current policy, with a card that says how it was trained."""
        settings = vars(self.settings) | {"initial_policy": Path(self.settings.initial_policy).name}  # without folders
        return self.learner.best_network.export(
            self.configurations,
            imitated_timesteps=self.imitated_timesteps,
            num_timesteps=self.num_timesteps,
            iterations=self.iterations,
            minutes=round(self.seconds / 60, 1),
            settings={name: value for name, value in settings.items() if name != "options"},
        )

    def _keep(self, timesteps: int) -> None:
        """Keep the policy if these last timesteps passed a multiple of `keep_every`."""
        every, now = self.settings.keep_every, self.num_timesteps
        if every and self.ranks.is_first and now // every > (now - timesteps) // every:
            self.policy().save(self.folder / f"policy_{now}{POLICY_SUFFIX}")

    def run(self, report: Callable[[str], None], should_stop: Callable[[], bool]) -> None:
        """Train to the end, or until `should_stop` returns True between two iterations; then save.

        `report` is called after every iteration, of imitation too, with a line about the win rates after an evaluation
        and an empty one otherwise. A policy that begins well, without imitation, is evaluated before the first one.
        """
        self._since = time.perf_counter() - self.seconds
        try:
            if not self._has_been_evaluated and not self._is_imitating and not self.is_done:
                report(self._told(self._evaluate_first()))
            while not self.is_done and not any(self.ranks.gather(should_stop())):
                statistics = self._imitate() if self._is_imitating else self._iterate()
                self.seconds = time.perf_counter() - self._since
                report(self._told(statistics))
                if any(self.ranks.gather(time.monotonic() - self._saved > SECONDS_BETWEEN_CHECKPOINTS)):
                    self.save()
        finally:
            if self.ranks.is_first:
                self.curves.close()
        self.save()
        if self.ranks.is_first:
            self.curves.plot()

    def _told(self, statistics: Mapping[str, float]) -> str:
        """Return a line about the win rates of an evaluation; an empty one if there was none."""
        wins = [
            f"{rate:.1%} against {name.removeprefix(WIN_RATE)}"
            for name, rate in statistics.items()
            if name.startswith(WIN_RATE)
        ]
        return f"{self.num_timesteps:,} timesteps: wins {', '.join(wins)}" if wins else ""

    def _imitate(self) -> dict[str, float]:
        settings = self.settings
        expert = find_agent(settings.expert)
        progress = self.imitated_timesteps / settings.imitation_timesteps
        timesteps, statistics = self.learner.imitate(expert, progress)
        self.imitated_timesteps += timesteps
        self._done = self.imitated_timesteps, self.num_timesteps
        if not self._is_imitating:
            # Adam's averages of the imitation's gradients would mislead PPO
            self.learner.optimizer.state.clear()
            self._ended()  # of the expert's games
            statistics |= self._evaluate_first(statistics)
        return statistics

    def _iterate(self) -> dict[str, float]:
        settings, began = self.settings, time.perf_counter()
        progress = min(1.0, self.num_timesteps / settings.total_timesteps)
        only_values, planner_tickets = progress < settings.critic_warmup, progress < settings.ticket_warmup
        timesteps, statistics = self.learner.iterate(progress, only_values, planner_tickets)
        passed = time.perf_counter() - began
        self.num_timesteps += timesteps
        self._done = self.imitated_timesteps, self.num_timesteps
        self._keep(timesteps)
        self.iterations += 1
        self.pool.share(self.ranks)
        if self.iterations % settings.snapshot_freq == 0:
            self.pool.add_snapshot(self.learner.network.export(self.configurations))
        statistics |= statistics_of(self._ended())
        statistics |= {
            f"rollout/win_rate/{name}": rate for name, rate in self.pool.win_rates.items() if "snapshot" not in name
        }
        statistics |= {
            "time/iterations": float(self.iterations),
            "time/time_elapsed": time.perf_counter() - self._since,
            "time/fps": timesteps / passed,
        }
        if self.iterations % settings.eval_freq == 0 or self.is_done:
            statistics |= self._evaluate()
        if self.ranks.is_first:
            self.curves.add(self.num_timesteps, statistics)
        return statistics

    def _ended(self) -> list[dict[str, NDArray[Any]]]:
        """Return what is known of the games of all ranks that have ended since the last call."""
        own = [part for play in self.plays for part in play.ended()]
        return [part for parts in self.ranks.gather(own) for part in parts]

    def _evaluate_first(self, statistics: Mapping[str, float] = MappingProxyType({})) -> dict[str, float]:
        """Evaluate before PPO, and begin the curves with the result and these statistics."""
        found = self._evaluate()
        if self.ranks.is_first:
            self.curves.add(0, {**statistics, **found})
        return found

    def _evaluate(self) -> dict[str, float]:
        """Return win rates against the opponents of the evaluation, and the policy's tickets against the last of them.

        With several numbers of players each has its own. The ranks share the matches.
        """
        agent, settings = PolicyAgent(self.policy()), self.settings
        matches = [(configuration, name) for configuration in self.configurations for name in settings.eval_opponents]
        statistics = {}
        self._evaluated = 0
        for configuration, name in matches[self.ranks.rank :: self.ranks.size]:
            entries: list[Entry] = []
            for batch in match(configuration, agent, name, settings.n_eval_episodes, EVALUATION_SEED):
                entries += batch
                self._evaluated += len(batch) // configuration.num_players
            result = result_of(configuration, entries)
            players = f"_{configuration.num_players}_players" if len(self.configurations) > 1 else ""
            statistics[f"{WIN_RATE}{name}{players}"] = result.wins.value
            if name == settings.eval_opponents[-1]:
                statistics[f"eval/tickets_completed_mean{players}"] = result.completed or 0.0
                statistics[f"eval/tickets_failed_mean{players}"] = result.failed or 0.0
        self._evaluated = 0
        return {name: value for found in self.ranks.gather(statistics) for name, value in found.items()}


def find_device(name: str) -> torch.device:
    """Return the device of one of DEVICES. Raises ValueError for other names, and for a missing GPU."""
    check_choice("device", name, DEVICES)
    has_gpu = torch.cuda.is_available()
    if name == "cuda" and not has_gpu:
        raise ValueError("device must be auto or cpu here: PyTorch finds no GPU")
    return torch.device("cuda" if has_gpu and name != "cpu" else "cpu")
