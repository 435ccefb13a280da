"""Measure `Games.step` by threads for docs/scaling.md, one line of JSON for each batch and number of threads.

    python -m benchmarks.scaling
    python -m benchmarks.scaling --variant new_york --batches 1024 16384 --features plan

Nanoseconds for each decision, without the random agent that chooses the actions: the best of several rounds, in which
the numbers of threads take turns.
"""

import argparse
import json
import time
from collections.abc import Sequence

import numpy as np

from benchmarks.machine import describe_machine, describe_versions
from t2r_env import Games
from t2r_env.agents import choose_evenly

DECISIONS, DECISIONS_WITH_FEATURES = 200_000, 20_000
"""That each round takes, or more."""
ROUNDS = 5


def seconds_of_step(variant: str, batch: int, threads: int, features: str | None) -> float:
    """Return seconds of `Games.step` for each decision in one round."""
    games, rng = Games(variant, batch=batch, threads=threads, features=features, seed=0), np.random.default_rng(0)
    spent, steps = 0.0, max(10, (DECISIONS_WITH_FEATURES if features else DECISIONS) // batch)
    for _ in range(steps):
        actions = choose_evenly(games.masks, rng.integers(2**63, size=batch, dtype=np.uint64))
        begun = time.perf_counter()
        games.step(actions)
        spent += time.perf_counter() - begun
    return spent / steps / batch


def main(command: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description="Games.step by threads.")
    parser.add_argument("--variant", default="usa", help="the name of a variant (default: usa)")
    parser.add_argument("--batches", type=int, nargs="+", default=[64, 1024, 16384], help="default: 64 1024 16384")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="default: 1 2")
    parser.add_argument("--features", help="derived features, such as plan (default: none)")
    arguments = parser.parse_args(command)
    machine = {
        "variant": arguments.variant,
        "features": arguments.features,
        "machine": describe_machine(),
        "versions": describe_versions(),
    }
    for batch in arguments.batches:
        rounds = [
            [seconds_of_step(arguments.variant, batch, threads, arguments.features) for threads in arguments.threads]
            for _ in range(ROUNDS)
        ]
        for threads, best in zip(arguments.threads, np.min(rounds, axis=0), strict=True):
            line = {"what": "step", "batch": batch, "threads": threads, "nanoseconds": round(1e9 * float(best))}
            print(json.dumps(line | machine), flush=True)


if __name__ == "__main__":
    main()
