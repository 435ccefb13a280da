"""Measure how many decisions a second learners take in, learning included, and what takes their time.

    python -m benchmarks.learning
    python -m benchmarks.learning --variants usa --methods plan --threads 1

One line of JSON for each variant and method, which are

- `plan`: `t2r train` with its defaults, behind the share of the timesteps in which the planner plays tickets;
- `rules`: `t2r train --from-rules`;
- `example`: examples/ppo.py;
- `maskable_ppo`: MaskablePPO of sb3-contrib on `SeatVecEnv` against `planner`, as in examples/stable_baselines.py.

`parts` are microseconds of wall time for each decision: to play a rollout, to estimate advantages, to learn from it.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from benchmarks.machine import describe_machine, describe_versions
from examples import ppo
from t2r_env import Games
from t2r_env.basics.cores import count_threads
from t2r_env.envs.stable_baselines import SeatVecEnv
from t2r_train.settings import FROM_RULES, settings_for
from t2r_train.terminal import setting_of
from t2r_train.training import DEVICES, Training, find_device

WARM_UP = 2
"""Iterations that are not counted."""
METHODS = ("plan", "rules", "example", "maskable_ppo")
PARTS = ("play", "estimate", "learn")
Iteration = tuple[int, tuple[float, ...]]
"""The decisions of an iteration, and the seconds of each of PARTS, or of all together."""


def by_t2r_train(variant: str, given: dict[str, Any], device: str, threads: int) -> Iterator[Iteration]:
    """Yield iterations of `t2r train` with these settings."""
    with tempfile.TemporaryDirectory() as folder:
        training = Training(Path(folder), settings_for(variant, given), device=device, threads=threads)
        training.spread()
        learner = training.learner
        while True:
            times = [_now(device)]
            learner.play()
            times.append(_now(device))
            estimated = learner.estimate()
            times.append(_now(device))
            learner.learn(*estimated, progress=0.5)
            times.append(_now(device))
            yield sum(play.count for play in learner.plays), tuple(np.diff(times).tolist())


def by_example(variant: str, device: str) -> Iterator[Iteration]:
    """Yield iterations of examples/ppo.py."""
    args = ppo.Args(variant=variant, device=device)
    games = Games(variant, args.num_players, args.num_envs, args.seed, reward=args.reward)
    network = ppo.Network(games.observations.shape[1], games.masks.shape[1], args.hidden_size).to(device)
    optimizer = torch.optim.Adam(network.parameters(), lr=args.learning_rate, eps=1e-5)
    while True:
        begun = _now(device)
        rollout = ppo.collect(games, network, args)
        played = _now(device)
        ppo.update(network, optimizer, rollout, args)
        yield args.num_envs * args.n_steps, (played - begun, 0.0, _now(device) - played)


def by_maskable_ppo(variant: str, device: str) -> Iterator[Iteration]:
    """Yield iterations of MaskablePPO, whose parts are not known."""
    env = SeatVecEnv(variant, num_envs=64, opponents="planner", seat="random", reward="margin", seed=0)
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=512, seed=0, device=device)
    while True:
        begun = _now(device)
        model.learn(64 * 64, reset_num_timesteps=False)
        yield 64 * 64, (_now(device) - begun,)


def _now(device: str) -> float:
    """Return the time when a GPU has done all that it was told."""
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter()


def measure(
    method: str, variant: str, given: dict[str, Any], device: str, threads: int, seconds: float
) -> dict[str, Any]:
    """Return what a method takes in, in about this many seconds."""
    torch.set_num_threads(threads)
    if method == "example":
        iterations = by_example(variant, device)
    elif method == "maskable_ppo":
        iterations = by_maskable_ppo(variant, device)
    else:
        iterations = by_t2r_train(variant, (FROM_RULES if method == "rules" else {}) | given, device, threads)
    for _ in range(WARM_UP):
        next(iterations)
    decisions, spent = 0, np.zeros(1)
    while spent.sum() < seconds:
        taken, parts = next(iterations)
        decisions, spent = decisions + taken, spent + parts
    found: dict[str, Any] = {"decisions_per_second": round(decisions / spent.sum())}
    if len(spent) == len(PARTS):
        each = (1e6 * spent / decisions).round(2).tolist()
        found["parts"] = dict(zip(PARTS, each, strict=True))
    return found


def main(command: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.learning", description="Decisions a second of learners."
    )
    add = parser.add_argument
    add("--variants", nargs="+", default=["usa", "new_york"], help="default: usa new_york")
    add("--methods", nargs="+", choices=METHODS, default=METHODS, help="default: all")
    add("--device", choices=DEVICES, default="auto", help="default: a GPU if there is one")
    add("--threads", type=int, default=count_threads(), help="default: one for each core")
    add("--seconds", type=float, default=12.0, help="of each measurement (default: 12)")
    add("--set", nargs="+", default=[], metavar="NAME=VALUE", help="settings of `t2r train`")
    arguments = parser.parse_args(command)
    device, given = find_device(arguments.device).type, dict(map(setting_of, arguments.set))
    machine = describe_machine() if device == "cpu" else f"{torch.cuda.get_device_name()}, {describe_machine()}"
    for variant in arguments.variants:
        for method in arguments.methods:
            line = {"method": method, "variant": variant, "threads": arguments.threads}
            line |= measure(method, variant, given, device, arguments.threads, arguments.seconds)
            versions = describe_versions() | {"torch": torch.__version__}
            print(json.dumps(line | {"machine": machine, "versions": versions}), flush=True)


if __name__ == "__main__":
    main()
