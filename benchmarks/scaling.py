"""Measure the figures of docs/scaling.md for one core and for threads, one line of JSON each.

    python -m benchmarks.scaling
    python -m benchmarks.scaling --variant new_york --batches 1024 16384

- `step`: nanoseconds of `Games.step` alone for each decision, by batch and number of threads, without the random agent
  that chooses the actions. The best of several rounds, in which the numbers of threads take turns.
- `learning`: microseconds of processor time for each decision that `t2r train` learns from in self-play, and what takes
  them.
"""

import argparse
import cProfile
import inspect
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.machine import describe_machine, describe_versions
from t2r_env import Games
from t2r_env.agents import choose_evenly
from t2r_train.learner import Learner
from t2r_train.network import Network
from t2r_train.self_play import SelfPlay
from t2r_train.settings import settings_for
from t2r_train.training import Training

DECISIONS = 200_000
"""That each round of `step` takes, or more."""
ROUNDS = 5
ITERATIONS = 2
PARTS: dict[str, Callable[..., Any]] = {
    "features": Games._write_features,
    "step": Games.step,
    "global_state": Games.global_state,
    "network": Network.forward,
    "rollout": SelfPlay.collect,
    "together": Learner.iterate,
}
"""The parts of learning that are timed, and the methods that do them."""


def seconds_of_step(variant: str, batch: int, threads: int) -> float:
    """Return seconds of `Games.step` for each decision in one round."""
    games, rng = Games(variant, batch=batch, threads=threads, seed=0), np.random.default_rng(0)
    spent, steps = 0.0, max(10, DECISIONS // batch)
    for _ in range(steps):
        actions = choose_evenly(games.masks, rng.integers(2**63, size=batch, dtype=np.uint64))
        begun = time.perf_counter()
        games.step(actions)
        spent += time.perf_counter() - begun
    return spent / steps / batch


def parts_of_learning(variant: str) -> dict[str, float]:
    """Return seconds of processor time for each decision that is learned from, and what its parts take."""
    alone = {"latest_policy_share": 1.0, "fixed_opponents_share": 0.0, "critic_warmup": 0, "total_timesteps": 10**7}
    with tempfile.TemporaryDirectory() as folder:
        learner = Training(Path(folder), settings_for(variant, alone)).learner
        learner.iterate(0.0)
        profile = cProfile.Profile(time.process_time)
        decisions = sum(profile.runcall(learner.iterate, 0.0)[0] for _ in range(ITERATIONS))
    spent = {it.code: it.totaltime for it in profile.getstats()}
    return {part: spent[inspect.unwrap(method).__code__] / decisions for part, method in PARTS.items()}


def main(command: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description="Threads, and parts of learning.")
    parser.add_argument("--variant", default="usa", help="the name of a variant (default: usa)")
    parser.add_argument("--batches", type=int, nargs="+", default=[64, 1024, 16384], help="default: 64 1024 16384")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="default: 1 2")
    arguments = parser.parse_args(command)
    machine = {"variant": arguments.variant, "machine": describe_machine(), "versions": describe_versions()}
    for batch in arguments.batches:
        rounds = [
            [seconds_of_step(arguments.variant, batch, threads) for threads in arguments.threads] for _ in range(ROUNDS)
        ]
        for threads, best in zip(arguments.threads, np.min(rounds, axis=0), strict=True):
            line = {"what": "step", "batch": batch, "threads": threads, "nanoseconds": round(1e9 * float(best))}
            print(json.dumps(line | machine), flush=True)
    torch.set_num_threads(1)
    parts = {part: round(1e6 * seconds, 1) for part, seconds in parts_of_learning(arguments.variant).items()}
    print(json.dumps({"what": "learning", "microseconds": parts} | machine), flush=True)


if __name__ == "__main__":
    main()
