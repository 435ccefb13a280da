"""The throughput of this checkout compared with that of another revision, for every variant and layer.

    python -m benchmarks.compare HEAD~1

The other revision is checked out into a temporary folder, and each revision runs its own `benchmarks.throughput`, in a
process of its own. For every variant and layer the two processes run in turn, a short run each, so that other load of
the machine affects both alike. With one thread, seconds are those of CPU time. Every round starts new processes.

The table shows the best run of each revision, the ratio of the two, and the median of the ratios of successive runs.
A ratio above 1 means that this checkout is faster.
"""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.machine import describe_machine
from benchmarks.throughput import add_arguments
from t2r_agents.comparing.tournament.columns import console, text_table

ROOT = Path(__file__).parents[1]
LAYERS = ("rules", "mask", "observation", "games", "vector", "aec")
"""The layers that are measured by default."""

Pair = tuple[float, float]
"""Decisions per second of this checkout and of the other revision, in two successive runs."""


@contextlib.contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """Make a temporary worktree of the repository at a revision. Raises ValueError if there is no such revision."""
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


@dataclass(frozen=True)
class Worker:
    """A process that measures a checkout with that checkout's own benchmark.

    Its methods raise ValueError with the last line of the process's error output if the process ends.
    """

    process: subprocess.Popen[str]
    errors: IO[str]

    def prepare(self, layer: str, arguments: dict[str, Any]) -> None:
        """Prepare a layer with these arguments of `benchmarks.throughput`, and warm it up."""
        self.request({"layer": layer, "arguments": arguments})

    def run(self, seconds: float) -> float:
        """Run the layer that was prepared; return its decisions per second."""
        rate: float = self.request({"seconds": seconds})
        return rate

    def request(self, request: dict[str, Any]) -> Any:
        """Return the reply to a request, `{}` for the `layers` and `variants` of the checkout."""
        assert self.process.stdin
        assert self.process.stdout
        with contextlib.suppress(BrokenPipeError):  # then there is no reply to read
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        if line := self.process.stdout.readline():
            return json.loads(line)
        self.process.wait()
        self.errors.seek(0)
        raise ValueError((self.errors.read().strip().splitlines() or ["the benchmark ended without a message"])[-1])


@contextlib.contextmanager
def worker_for(tree: Path) -> Iterator[Worker]:
    """Start a worker that measures the checkout in a folder; its process ends with the `with` statement."""
    command = [sys.executable, "-P", str(ROOT / "benchmarks" / "worker.py")]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            command, cwd=tree, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
    ):
        try:
            yield Worker(process, errors)
        finally:
            process.kill()
            if process.stdin:
                with contextlib.suppress(BrokenPipeError):  # a request that was not sent
                    process.stdin.close()


def measure(
    here: Worker, there: Worker, layer: str, arguments: dict[str, Any], runs: int, seconds: float
) -> list[Pair]:
    """Run a layer of both checkouts in turn; which one is first alternates too."""
    for worker in (here, there):
        worker.prepare(layer, arguments)
    pairs = []
    for number in range(runs):
        rates = {worker: worker.run(seconds) for worker in ((there, here) if number % 2 else (here, there))}
        pairs.append((rates[here], rates[there]))
    return pairs


def compare(tree: Path, arguments: argparse.Namespace, screen: Console) -> dict[tuple[str, str], list[Pair]]:
    """Return the pairs of runs of each variant and layer that both checkouts have.

    Raises ValueError if one of them can't measure what the arguments name.
    """
    with worker_for(ROOT) as here, worker_for(tree) as there:
        own, other = here.request({}), there.request({})
    layers = [layer for layer in arguments.layers if layer in other["layers"]]
    if missing := [layer for layer in arguments.layers if layer not in layers]:
        screen.print(f"{arguments.revision} can't measure {', '.join(missing)}")
    variants = arguments.variants or [variant for variant in own["variants"] if variant in other["variants"]]
    names = ("players", "tickets", "advanced_technologies", "batch", "threads")
    given = {name: getattr(arguments, name) for name in names}
    pairs: dict[tuple[str, str], list[Pair]] = {(variant, layer): [] for variant in variants for layer in layers}
    steps = [variant for _ in range(arguments.rounds) for variant in variants]
    for variant in track(steps, "comparing", console=screen, transient=True):
        with worker_for(ROOT) as here, worker_for(tree) as there:
            for layer in layers:
                measured = measure(here, there, layer, {"variant": variant, **given}, arguments.runs, arguments.seconds)
                pairs[variant, layer] += measured
    return pairs


def best_ratio(pairs: Iterable[Pair]) -> float:
    """Return the best run of this checkout divided by the best of the other revision."""
    here, there = zip(*pairs, strict=True)
    return float(max(here) / max(there))


def table_of(pairs: dict[tuple[str, str], list[Pair]], revision: str) -> Table:
    """Return a row for each variant and layer."""
    rows = []
    for (variant, layer), measured in pairs.items():
        here, there = (f"{max(rates):,.0f}" for rates in zip(*measured, strict=True))
        median = statistics.median(one / other for one, other in measured)
        rows.append([variant, layer, here, there, f"{best_ratio(measured):.3f}", f"{median:.3f}"])
    headings = ["variant", "layer", "here", revision, "best / best", "median ratio"]
    return text_table(f"decisions per second on {describe_machine()}", headings, rows)


def main(command: list[str] | None = None) -> int:
    """Compare and print. Returns 0, or 1 if a layer is too slow; exits with 2 for a wrong command line."""
    parser = _parser()
    arguments = parser.parse_args(command)
    for name in ("rounds", "runs"):
        if getattr(arguments, name) < 1:
            parser.error(f"--{name} must be at least 1, not {getattr(arguments, name)}")
    try:
        with checked_out(arguments.revision) as tree:
            pairs = compare(tree, arguments, Console(stderr=True))
    except ValueError as error:
        parser.error(str(error))
    screen = console()
    screen.print(table_of(pairs, arguments.revision))
    slower = [" ".join(name) for name, measured in pairs.items() if best_ratio(measured) < 1 - arguments.tolerance]
    screen.print(f"more than {arguments.tolerance:.0%} slower: {', '.join(slower) or 'none'}", soft_wrap=True)
    return 1 if slower else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.compare",
        description="Compare the throughput of this checkout with another revision.",
    )
    parser.add_argument("revision", help="a commit, branch or tag of this repository")
    parser.add_argument("--variants", nargs="+", metavar="VARIANT", help="default: all that both revisions have")
    add_arguments(parser, list(LAYERS))
    parser.add_argument("--rounds", type=int, default=3, help="how often the processes are started (default: 3)")
    parser.add_argument("--runs", type=int, default=5, help="runs of each layer in a round (default: 5)")
    parser.add_argument("--seconds", type=float, default=0.3, help="length of a run (default: 0.3)")
    parser.add_argument("--tolerance", type=float, default=0.03, help="loss of speed that is allowed (default: 0.03)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
