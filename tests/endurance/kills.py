"""`python -m tests.endurance.kills`: kill tournaments and trainings at random moments, and resume them.

Whatever the moment, the resumed one must come to the result of one that was never killed, byte for byte: the same
games, standings, policy and curves, but for the columns that hold times.

The tests use `is_killed`, which kills at a chosen operation on files instead, and so reaches each of the moments that
matter without many tries.
"""

import argparse
import csv
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.progress import Progress

from t2r_agents.playing.policy_file import POLICY, read_layers

ROOT = Path(__file__).parents[2]
OPERATIONS = ("open", "os.rename", "os.remove", "os.mkdir")
"""The audit events of Python that announce a change of files."""

TIMES = ("seconds", "minutes", "decisions_per_second")
"""The columns and entries that hold times. Those of curves begin with `time/`."""

Result = dict[str, Any]


def is_killed(run: Callable[[], object], folder: Path, operation: int) -> bool:
    """Run in a forked process, which is killed just before the given operation (from 0) on files in a folder.

    Returns whether it was killed. Raises ChildProcessError if it ended by an error before that.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python's warning of a fork beside threads
        child = os.fork()
    if not child:
        try:
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            left = iter(range(operation))

            def count(event: str, arguments: tuple[Any, ...]) -> None:
                is_there = event in OPERATIONS and Path(str(arguments[0])).is_relative_to(folder)
                if is_there and next(left, None) is None:
                    os.kill(os.getpid(), signal.SIGKILL)

            sys.addaudithook(count)
            run()
            os._exit(0)
        finally:
            os._exit(1)  # it must not return into the caller's program
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status not in (0, -signal.SIGKILL):
        raise ChildProcessError(f"the process ended with status {status}")
    return status != 0


def result_of_tournament(folder: Path) -> Result:
    """The games and the standings, without times."""
    with (folder / "games.csv").open(encoding="utf-8") as file:
        games = [row | {"seconds": ""} for row in csv.DictReader(file)]
    content = json.loads((folder / "tournament.json").read_text(encoding="utf-8"))
    return {"games": games, "tournament": _without_times(content)}


def result_of_training(folder: Path) -> Result:
    """The policy's weights and card and the curves, without times.

    Means in the curves are rounded: in another process, sums of the same numbers may differ in their last digits.
    """
    card, layers = read_layers(folder / "policy.safetensors", POLICY)
    weights = [array.tobytes() for part in layers for layer in part for array in layer]
    with (folder / "curves.csv").open(encoding="utf-8") as file:
        rows = [*(reader := csv.DictReader(file))]
    names = [it for it in reader.fieldnames or () if it == "time/total_timesteps" or "time/" not in it]
    curves = [{name: round(float(row[name]), 5) for name in names if row[name]} for row in rows]
    return {"weights": weights, "card": _without_times(card), "curves": curves}


def _without_times(value: Any) -> Any:
    """JSON without the entries that hold times."""
    if isinstance(value, dict):
        return {name: _without_times(entry) for name, entry in value.items() if name not in TIMES}
    return [_without_times(entry) for entry in value] if isinstance(value, list) else value


# The command

TOURNAMENT = ["--variant", "new_york", "--agents", "random", "greedy", "one_step", "--games", "600", "--seed", "0"]
TRAINING = [
    *("--variant", "new_york", "--total-timesteps", "4096", "--threads", "1", "--set"),
    *("features_dim=16", "net_arch=16", "n_envs=8", "n_steps=32"),
    *("batch_size=64", "n_epochs=2", "snapshot_freq=400", "eval_freq=800", "n_eval_episodes=8"),
    *("fixed_opponents=random,greedy", "eval_opponents=random"),
]
EVERY_ITERATION = (
    "import sys, t2r_train.training, t2r_env.commands; t2r_train.training.SECONDS_BETWEEN_CHECKPOINTS = 0;"
    " sys.exit(t2r_env.commands.main(['train', *sys.argv[1:]]))"
)
"""A program that trains and writes a checkpoint after every iteration."""

TOURNAMENTS = ["-m", "t2r_env", "tournament", "--processes", "2"]
KINDS: dict[str, tuple[list[str], list[str], str, Callable[[Path], Result]]] = {
    "tournament": (TOURNAMENTS, TOURNAMENT, "tournament.json", result_of_tournament),
    "training": (["-c", EVERY_ITERATION], TRAINING, "checkpoint.zip", result_of_training),
}
"""Of each kind: its program, its arguments, the file from which it can be resumed, and its result."""


def main(command: Sequence[str] | None = None) -> int:
    """Kill and resume; return 1 if a result differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.endurance.kills", description="Kill -9 and resume.")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--times", type=int, default=30, help="kills (default: 30)")
    parser.add_argument("--seed", type=int, default=0, help="of the moments (default: 0)")
    arguments = parser.parse_args(command)
    result_of, rng = KINDS[arguments.kind][-1], random.Random(arguments.seed)
    with TemporaryDirectory() as temporary, Progress() as progress:
        start(arguments.kind, Path(temporary, "compiling")).wait()
        whole, began = Path(temporary, "whole"), time.perf_counter()
        start(arguments.kind, whole).wait()
        seconds = time.perf_counter() - began
        expected = result_of(whole)
        progress.console.print(f"seed {arguments.seed}; without being killed it takes {seconds:.0f} s")
        task, kills, others = progress.add_task("kills", total=arguments.times), 0, 0
        for number in itertools.count(1):
            folder = Path(temporary, str(number))
            for _ in kill_and_resume(arguments.kind, folder, rng, seconds, arguments.times - kills):
                kills += 1
                progress.advance(task)
            others += result_of(folder) != expected
            if kills == arguments.times:
                break
        print(f"{kills} kills of {number} {arguments.kind}s, {others} with another result than without them")
    return 1 if others else 0


def kill_and_resume(kind: str, folder: Path, rng: random.Random, seconds: float, times: int) -> Iterator[None]:
    """Begin, kill after at most so many seconds and resume until it has come to its end; yield at each kill.

    Raises ChildProcessError if it ends by an error.
    """
    for kill in itertools.count():
        process = start(kind, folder)
        try:
            if status := process.wait(timeout=rng.uniform(0, seconds) if kill < times else None):
                raise ChildProcessError(f"the {kind} ended with status {status} after {kill} kills")
            return
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            yield


def start(kind: str, folder: Path) -> "subprocess.Popen[bytes]":
    """Begin it in a folder, or resume it there if it can be."""
    program, arguments, file, _ = KINDS[kind]
    command = ["--resume", str(folder)] if (folder / file).exists() else [*arguments, "--out", str(folder)]
    return subprocess.Popen(
        [sys.executable, *program, *command], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


if __name__ == "__main__":
    sys.exit(main())
