"""Fuzz the formats for some minutes: `python -m tests.fuzz --minutes 10 --seed 3 replay policy`.

All targets in turn, round after round. What is found is saved in tests/fuzz/corpus, which the tests try from then on.
The same seed makes the same damages in the same order. Then, as the target `flips`, FLIPS states of each game are
changed, however long that takes; `python -m tests.fuzz.flips` changes more.
"""

import argparse
import itertools
import secrets
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

from tests.fuzz import flips
from tests.fuzz.searching import TARGETS, Found, search

EXAMPLES = 100
"""Files of a target in a round."""
SECONDS = 6
"""The longest that a round may take for each of its files, on average."""
FLIPS = 5_000
"""States changed in each game."""
TARGETS_AND_FLIPS = (*TARGETS, "flips")


class Hanging(BaseException):
    """A round takes too long."""


def main(command: Sequence[str] | None = None) -> int:
    """Fuzz. Returns 1 if anything was found, 0 otherwise."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz the formats of files.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"default: all of {', '.join(TARGETS_AND_FLIPS)}")
    parser.add_argument("--minutes", type=float, default=5.0, help="default: 5")
    parser.add_argument("--seed", type=int, help="default: a random one, which is printed")
    arguments = parser.parse_args(command)
    if unknown := set(arguments.targets) - set(TARGETS_AND_FLIPS):
        parser.error(f"TARGET must be one of {', '.join(TARGETS_AND_FLIPS)}, not {min(unknown)}")
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    print(f"seed {seed}")
    chosen = arguments.targets or TARGETS_AND_FLIPS
    failed = _fuzz([name for name in TARGETS if name in chosen], seed, arguments.minutes)
    if "flips" in chosen and flips.main(["--flips", str(FLIPS), "--seed", str(seed)]):
        failed.append("flips")
    return int(bool(failed))


def _fuzz(names: Sequence[str], seed: int, minutes: float) -> list[str]:
    """Fuzz these targets; return those that failed."""
    counts = {name: Counter[bool]() for name in names}
    failed: list[str] = []
    ends = time.monotonic() + 60 * minutes
    for number in itertools.count(seed):
        for name in names:
            if name not in failed and time.monotonic() < ends:
                counts[name] += _round(name, number, failed)
        if time.monotonic() >= ends or len(failed) == len(names):
            break
    for name, count in counts.items():
        print(f"{name}: {sum(count.values()):,} files, {count[True]:,} accepted{', FAILED' * (name in failed)}")
    return failed


def _round(name: str, seed: int, failed: list[str]) -> Counter[bool]:
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):  # what the library prints
            signal.signal(signal.SIGALRM, _stop)
            signal.alarm(SECONDS * EXAMPLES)
            try:
                return search(TARGETS[name], EXAMPLES, seed)
            finally:
                signal.alarm(0)
    except Found as found:
        traceback.print_exception(found.__cause__ or found)
        print(f"{name}: found {found.save(name)}, which the tests try from now on")
    except Hanging:
        traceback.print_exc()
        print(f"{name}: hangs with --seed {seed}")
    failed.append(name)
    return Counter()


def _stop(*_: object) -> None:
    raise Hanging


if __name__ == "__main__":
    sys.exit(main())
