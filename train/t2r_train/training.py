"""Training runs, which can be resumed from their checkpoints."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env.basics.packages import needs

with needs("train"):
    import torch
    from torch import Tensor

from t2r_agents.comparing.evaluate import match, result_of
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.standings import Standing
from t2r_agents.playing.policy import Policy, PolicyAgent
from t2r_env import Configuration
from t2r_env.agents import POLICY_SUFFIX, find_agent
from t2r_env.basics.checks import check_choice
from t2r_env.basics.cores import count_threads
from t2r_train.checkpoint import Checkpoint, CheckpointError
from t2r_train.curves import Curves
from t2r_train.experience import Experience
from t2r_train.inputs import Inputs, samples_of
from t2r_train.learner import Learner
from t2r_train.network import has_bfloat16, new_network
from t2r_train.pool import TrainingPool
from t2r_train.ranks import Ranks
from t2r_train.self_play import SelfPlay, spread, statistics_of
from t2r_train.settings import Settings

CHECKPOINT, POLICY = "checkpoint.zip", "policy.safetensors"
SECONDS_BETWEEN_CHECKPOINTS = 120.0
EVALUATION_SEED = 1 << 41
"""The seed of the first game of every evaluation, far from those of training."""
GAMES_SEED = 1 << 42
"""The seed of the first game."""
FEWEST_GAMES = 256
"""The fewest games that are worth a thread of their own."""
GPU_GROUPS = 2
"""The groups of games with a GPU: while it looks at one, the other is stepped. More would be in each other's way, since
all of them run Python between two steps."""
WIN_RATE = "eval/win_rate/"
DEVICES = ("auto", "cpu", "cuda")


class Training:
    """A training run in a folder: `checkpoint.zip`, `policy.safetensors`, `curves.csv`, `curves.png`, TensorBoard's.

    With `keep_every` also earlier policies, such as `policy_1003520.safetensors` after 1,003,520 timesteps.

    Under `torchrun` several processes, the ranks, do it together: each plays its share of the games, and the first one
    writes the files.

    Raises ValueError or TypeError for settings that are not allowed, and CheckpointError if it can't be resumed.
    """

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
        folder: str | os.PathLike[str],
        settings: Settings | None = None,
        changes: Mapping[str, Any] = MappingProxyType({}),
        device: str = "auto",
        threads: int | None = None,
    ) -> None:
        """Begin a training run with these settings; without settings, resume the one in the folder.

        `changes` are new values for settings in t2r_train.settings.CHANGEABLE when it is resumed. `device` is one of
        DEVICES; `auto` is a GPU if there is one. `threads` share the work of the CPU: by default as many as there are.
        """
        self.folder = folder = Path(folder)
        self.ranks = Ranks.joined()
        self.device = self.ranks.device(find_device(device))
        self.threads = count_threads() if threads is None else threads
        torch.set_num_threads(1)  # each thread computes for itself; PyTorch's own would wait for each other
        if settings:
            self._begin(settings)
        else:
            checkpoint = Checkpoint.load(folder / CHECKPOINT)
            changed = checkpoint.settings.changed(changes)
            try:
                self._resume(checkpoint, changed)
            except Exception as error:  # of PyTorch, for what other versions have saved
                raise CheckpointError(f"{folder / CHECKPOINT} can't be resumed: {error!r}") from error
            total = self.settings.total_timesteps
            if "total_timesteps" in changes and total <= self.num_timesteps:
                done = f"{self.num_timesteps:,} timesteps that are done"
                raise ValueError(f"total_timesteps must be more than the {done}, not {total:,}")
        self._done = self.num_timesteps
        if self.ranks.is_first:
            folder.mkdir(parents=True, exist_ok=True)
            self.curves = Curves(folder, self.num_timesteps if self.iterations else -1)
        self._saved = time.monotonic()

    def _begin(self, settings: Settings) -> None:
        for name in (*settings.fixed_opponents, *settings.eval_opponents):
            for configuration in settings.configurations():
                if getattr(find_agent(name, configuration), "asks_person", False):
                    raise ValueError(f"{name} would ask you at each decision: name another opponent")
        initial = Policy.load(settings.initial_policy) if settings.initial_policy else None
        self.num_timesteps = self.iterations = 0
        self.seconds = self._most_progress = 0.0
        self._is_new = True
        inputs = Inputs.of(settings)
        self._make(settings, inputs, *samples_of(settings, inputs))
        if initial:
            for configuration in settings.configurations():
                if configuration.identity in initial.identities:
                    initial.check(configuration)  # raises PolicyError if its features are of another version
            self.learner.network.begin_with(initial, inputs.observation)
        self.policy()  # raises PolicyError for a network, or features, that the file of a policy can't have

    def spread(self) -> None:
        """Let the first games be in all parts of a game; see `t2r_train.self_play.spread`."""
        begun = self.ranks.rank * sum(play.games.batch for play in self.plays)
        spread(self.plays, self.learner.network, first=begun, threads=self.threads)

    def _resume(self, checkpoint: Checkpoint, settings: Settings) -> None:
        state, former = checkpoint.state, checkpoint.settings
        progress = state["progress"]
        self.num_timesteps, self.iterations, self.seconds = (
            progress["num_timesteps"],
            progress["iterations"],
            progress["seconds"],
        )
        self._most_progress = max(progress.get("most_progress", 0.0), _progress(self.num_timesteps, former))
        if len(state["ranks"]) != self.ranks.size:
            raise ValueError(f"it was trained by {len(state['ranks'])} ranks, and these are {self.ranks.size}")
        weights = state["learner"]["network"]
        widths = [len(weights.get(f"{name}.mean", ())) for name in ("features", "hidden_features")]
        self._make(settings, Inputs.of(settings), *(np.zeros((1, width), np.uint8) for width in widths))
        self.learner.set_state(state["learner"])
        self.pool.set_state(state["pool"], self.learner.network)
        own = state["ranks"][self.ranks.rank]
        self.learner.rng.set_state(own["rng"])
        self._is_new = settings.players_shares != former.players_shares
        if not self._is_new:
            for configuration, games in zip(self.configurations, own["games"], strict=True):
                begin = 0
                for play in self._plays_of(configuration):
                    end = begin + play.games.batch
                    play.set_state({name: it[begin:end] for name, it in games.items()})
                    begin = end

    def _make(
        self, settings: Settings, inputs: Inputs, observations: NDArray[np.uint8], hidden: NDArray[np.uint8]
    ) -> None:
        """Make pool, games, network and learner; mean and deviation of the inputs are those of samples (k, size)."""
        gpu_bytes = torch.cuda.get_device_properties(self.device).total_memory if self.device.type == "cuda" else 0
        settings = settings.sized_for(self.threads, gpu_bytes)
        self.settings, self.configurations, self._evaluated = settings, settings.configurations(), 0
        self.pool = TrainingPool(settings)
        network = new_network(settings, inputs, observations, hidden)
        network.uses_bfloat16 = has_bfloat16(self.device)
        own = self.ranks.share("n_envs", settings.n_envs)
        experience = Experience.empty(own * settings.n_steps, inputs, self.device)
        self.plays = self._new_plays(inputs, experience)
        network = network.to(self.device)
        self.learner = Learner(
            network, settings, self.plays, experience, self.ranks, self._add_done, threads=self.threads
        )

    def _new_plays(self, inputs: Inputs, experience: Experience) -> list[SelfPlay]:
        """Return new games of each configuration, this rank's share of them, in groups.

        On the CPU each thread has a group of its own, if that is not too small. With a GPU they are few and large, and
        share the threads: with more threads than cores they would wait for each other.
        """
        settings, ranks, threads = self.settings, self.ranks, self.threads
        number = len(experience) // settings.n_steps
        groups = GPU_GROUPS if self.device.type == "cuda" else threads
        groups = max(1, min(groups, number // FEWEST_GAMES))
        shared = max(1, threads // groups)
        seed = GAMES_SEED + settings.seed * settings.n_envs + self.num_timesteps
        plays, begun = [], 0
        for configuration, batch in zip(self.configurations, settings.envs(number), strict=True):
            first_seed = (seed + ranks.rank * batch) % 2**64
            seeds = np.arange(batch, dtype=np.uint64) + np.uint64(first_seed)
            for group in np.array_split(seeds, max(1, round(groups * batch / number))):
                if group.size:
                    first = begun * settings.n_steps
                    here = experience[first : first + len(group) * settings.n_steps]
                    plays.append(SelfPlay(configuration, settings, inputs, self.pool, here, group, shared))
                    begun += len(group)
            seed += batch * ranks.size
        return plays

    def _plays_of(self, configuration: Configuration) -> list[SelfPlay]:
        return [play for play in self.plays if play.games.configuration == configuration]

    @property
    def is_done(self) -> bool:
        """Whether it is complete."""
        return self.num_timesteps >= self.settings.total_timesteps

    @property
    def done(self) -> int:
        """How many timesteps are done, those of this iteration included.

        Of several ranks' iteration under way only this one's are known.
        """
        return min(self._done, self.settings.total_timesteps)

    def _add_done(self, decisions: int) -> None:
        """Add decisions of the iteration under way to `done`."""
        self._done += decisions

    @property
    def title(self) -> str:
        """Return what it trains, on what, and for how long, as a line."""
        settings, threads = self.settings, self.threads
        games = "; ".join(configuration.title for configuration in self.configurations)
        device = f"{threads} thread{'s' * (threads > 1)}"
        if self.device.type == "cuda":
            device = f"{torch.cuda.get_device_name(self.device)} and {device}"
        ranks = f", {self.ranks.size} ranks" if self.ranks.size > 1 else ""
        return (
            f"a policy for {games}, on {device}{ranks}, {settings.n_envs:,} games in parallel, minibatches of"
            f" {settings.batch_size:,}: {self.num_timesteps:,} of {settings.total_timesteps:,} timesteps are done, in"
            f" {self.folder}"
        )

    @property
    def position(self) -> str:
        """Return how far it is, as a line."""
        minutes = (time.perf_counter() - self._since) / 60
        evaluated = f", evaluated {self._evaluated:,} games" if self._evaluated else ""
        return f"{self.done:,} of {self.settings.total_timesteps:,} timesteps, {minutes:.1f} min{evaluated}"

    def save(self) -> None:
        """Write the checkpoint, and the policy alone."""
        self._saved = time.monotonic()
        groups = [[play.state() for play in self._plays_of(it)] for it in self.configurations]
        games = [_joined(own) for own in groups]
        own = {"rng": self.learner.rng.get_state(), "games": games}
        ranks = self.ranks.gather(own)
        if not self.ranks.is_first:
            return
        progress = {
            "num_timesteps": self.num_timesteps,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "most_progress": self._most_progress,
        }
        state = {"progress": progress, "learner": self.learner.state(), "pool": self.pool.state(), "ranks": ranks}
        self.policy().save(self.folder / POLICY)  # raises PolicyError if weights are too large: the checkpoint stays
        Checkpoint(self.settings, state).save(self.folder / CHECKPOINT)

    def policy(self) -> Policy:
        """Return the current policy, with a card that says how it was trained."""
        settings = vars(self.settings) | {"initial_policy": Path(self.settings.initial_policy).name}  # without folders
        return self.learner.best_network.export(
            self.configurations,
            num_timesteps=self.num_timesteps,
            iterations=self.iterations,
            minutes=round(self.seconds / 60, 1),
            settings={name: value for name, value in settings.items() if name != "options"},
        )

    def _passes(self, freq: int, before: int) -> bool:
        """Whether the last iteration, which began after `before` timesteps, passed a multiple of `freq`."""
        return self.num_timesteps // freq > before // freq

    def run(self, report: Callable[[str], None], should_stop: Callable[[], bool]) -> None:
        """Train to the end, or until `should_stop` returns True between two iterations; then save.

        `report` is called after every iteration, with a line about the win rates after an evaluation and an empty one
        otherwise. The policy is evaluated before the first one, too.
        """
        settings, self._since = self.settings, time.perf_counter() - self.seconds
        was_complete = self.is_done and self.ranks.gather((self.folder / POLICY).exists())[0]
        try:
            if self._is_new and not self.is_done:
                self.spread()
                self._is_new = False
            if not self.iterations and not self.is_done:
                found = self._evaluate()
                if self.ranks.is_first:
                    self.curves.add(0, found)
                report(self._told(found))
            while not self.is_done and not any(self.ranks.gather(should_stop())):
                before, statistics = self.num_timesteps, self._iterate()
                self.seconds = time.perf_counter() - self._since
                if settings.keep_every and self.ranks.is_first and self._passes(settings.keep_every, before):
                    self.policy().save(self.folder / f"policy_{self.num_timesteps}{POLICY_SUFFIX}")
                report(self._told(statistics))
                if any(self.ranks.gather(time.monotonic() - self._saved > SECONDS_BETWEEN_CHECKPOINTS)):
                    self.save()
        finally:
            if self.ranks.is_first:
                self.curves.close()
        if was_complete:
            return  # what has been made of its policy since stays, such as the network for play-outs
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

    def _iterate(self) -> dict[str, float]:
        settings, began = self.settings, time.perf_counter()
        progress = _progress(self.num_timesteps, settings)
        # a warm-up that is over stays over, also with a larger total
        self._most_progress = most = max(self._most_progress, progress)
        only_values, planner_tickets = most < settings.critic_warmup, most < settings.ticket_warmup
        timesteps, statistics = self.learner.iterate(progress, only_values, planner_tickets)
        passed = time.perf_counter() - began
        before, self.num_timesteps = self.num_timesteps, self.num_timesteps + timesteps
        self._done = self.num_timesteps
        self.iterations += 1
        self.pool.share(self.ranks)
        if self._passes(settings.snapshot_freq, before):
            self.pool.add_snapshot(self.learner.network)
        statistics |= statistics_of(self._ended())
        statistics |= {f"rollout/win_rate/{name}": self.pool.win_rates[name] for name in settings.fixed_opponents}
        statistics |= {
            "time/iterations": float(self.iterations),
            "time/time_elapsed": time.perf_counter() - self._since,
            "time/fps": timesteps / passed,
        }
        if self._passes(settings.eval_freq, before) or self.is_done:
            statistics |= self._evaluate()
        if self.ranks.is_first:
            self.curves.add(self.num_timesteps, statistics)
        return statistics

    def _ended(self) -> list[dict[str, NDArray[Any]]]:
        """Return what is known of the games of all ranks that have ended since the last call."""
        own = [part for play in self.plays for part in play.take_scores()]
        return [part for parts in self.ranks.gather(own) for part in parts]

    def _evaluate(self) -> dict[str, float]:
        """Return win rates against the opponents of the evaluation, and the policy's tickets against the last of them.

        With several numbers of players each has its own. The ranks share the matches.
        """
        policy, settings = self.policy(), self.settings
        matches = [(configuration, name) for configuration in self.configurations for name in settings.eval_opponents]
        own = matches[self.ranks.rank :: self.ranks.size]
        self._evaluated = 0

        def play(configuration: Configuration, opponent: str) -> Standing:
            entries: list[Entry] = []
            agent, games = PolicyAgent(policy), settings.n_eval_episodes
            for batch in match(configuration, agent, opponent, games, EVALUATION_SEED):
                entries += batch
                self._evaluated += len(batch) // configuration.num_players
            return result_of(configuration, entries)

        with ThreadPoolExecutor(self.threads) as executor:
            results = list(executor.map(play, *zip(*own, strict=True))) if own else []
        statistics = {}
        for (configuration, name), result in zip(own, results, strict=True):
            players = f"_{configuration.num_players}_players" if len(self.configurations) > 1 else ""
            statistics[f"{WIN_RATE}{name}{players}"] = result.wins.value
            if name == settings.eval_opponents[-1]:
                statistics[f"eval/tickets_completed_mean{players}"] = result.completed or 0.0
                statistics[f"eval/tickets_failed_mean{players}"] = result.failed or 0.0
        self._evaluated = 0
        return {name: value for found in self.ranks.gather(statistics) for name, value in found.items()}


def _joined(groups: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """Return the states of groups of games as one; of no groups, an empty one."""
    names = groups[0] if groups else ()
    return {name: torch.cat([it[name] for it in groups]) for name in names}


def find_device(name: str) -> torch.device:
    """Return the device of one of DEVICES. Raises ValueError for other names, and for a missing GPU."""
    check_choice("device", name, DEVICES)
    has_gpu = torch.cuda.is_available()
    if name == "cuda" and not has_gpu:
        raise ValueError("device must be auto or cpu here: PyTorch finds no GPU")
    return torch.device("cuda" if has_gpu and name != "cpu" else "cpu")


def _progress(num_timesteps: int, settings: Settings) -> float:
    """Return how much of a training run is done after these timesteps, 0 to 1."""
    return min(1.0, num_timesteps / settings.total_timesteps) if settings.total_timesteps else 1.0
