"""This checkout against another revision of it, run alternately so that the machine's moods strike both alike.

    python -m benchmarks.compare HEAD~1 --variant usa --players 2

Everything after the revision goes to `benchmarks.throughput`; what it measures there is printed for both, with the
ratio of their best runs and of their medians (above 1: this checkout is faster).
"""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.machine import describe_machine

ROOT = Path(__file__).parents[1]


@contextlib.contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """A temporary worktree of the repository at a revision. Raises ValueError if there is no such revision."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        added = _git("worktree", "add", "--detach", str(tree), revision)
        if added.returncode:
            raise ValueError(f"there is no revision {revision!r} to compare with: {added.stderr.strip()}")
        try:
            yield tree
        finally:
            _git("worktree", "remove", "--force", str(tree))


def _git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def measure(tree: Path, options: list[str]) -> dict[str, float]:
    """Decisions per second of each layer, as the benchmark of a tree measures its own code."""
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    command = [sys.executable, "-m", "benchmarks.throughput", *options]
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(done.stderr.strip().splitlines()[-1])
    lines: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["layer"]: line["decisions_per_second"] for line in lines}


def compare(revision: str, options: list[str], rounds: int, console: Console) -> Table:
    """Measure both trees in turn, as often as there are rounds."""
    figures: dict[str, list[dict[str, float]]] = {"here": [], "there": []}
    with checked_out(revision) as there:
        trees = {"here": ROOT, "there": there}
        for number in track(range(rounds), "rounds", console=console, transient=True):
            # who goes first alternates too
            for name in sorted(trees, reverse=bool(number % 2)):
                figures[name].append(measure(trees[name], options))
    table = Table(title=f"decisions per second, {rounds} rounds, on {describe_machine()}")
    for heading in ("layer", "here", revision, "best / best", "median / median"):
        table.add_column(heading, justify="left" if heading == "layer" else "right")
    for layer in figures["here"][0]:
        here, other = ([found[layer] for found in figures[name]] for name in ("here", "there"))
        medians = statistics.median(here) / statistics.median(other)
        table.add_row(
            layer, f"{max(here):,.0f}", f"{max(other):,.0f}", f"{max(here) / max(other):.3f}", f"{medians:.3f}"
        )
    return table


def main(command: list[str] | None = None) -> int:
    """Compare and print; 2 for a wrong command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.compare",
        description="This checkout against another revision.",
        epilog="All other options are those of benchmarks.throughput.",
    )
    parser.add_argument("revision", help="a commit, branch or tag of this repository")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each revision (default: 5)")
    arguments, options = parser.parse_known_args(command)
    if arguments.rounds < 1:
        parser.error(f"--rounds must be at least 1, not {arguments.rounds}")
    defaults = ["--layers", "mask", "observation", "--runs", "3"]
    try:
        table = compare(arguments.revision, [*defaults, *options], arguments.rounds, Console(stderr=True))
    except ValueError as error:
        parser.error(str(error))
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
