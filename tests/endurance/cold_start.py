"""`python -m tests.endurance.cold_start`: many processes begin at once without any compiled code, and play.

Each compiles all of the core and writes it into the same cache, in which no other's writing may do harm. All must play
the same games; so must one more process, which then finds the cache filled.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from t2r_env import VARIANTS, Games

PLAY = [sys.executable, "-c", "from tests.endurance.cold_start import digest_of_games; print(digest_of_games())"]


def main(command: Sequence[str] | None = None) -> int:
    """Return 1 if a process played other games. Raises CalledProcessError if one fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.endurance.cold_start", description=__doc__)
    parser.add_argument("--processes", type=int, default=8)
    processes = parser.parse_args(command).processes
    with TemporaryDirectory() as cache:
        digests, seconds = play_in(processes, cache)
        print(f"{processes} processes without a cache: {seconds:.0f} s")
        again, seconds = play_in(1, cache)
        kept = sum(path.stat().st_size for path in Path(cache).rglob("*.nbc"))
        print(f"one that finds it, {kept / 2**20:.1f} MiB: {seconds:.1f} s")
    is_same = len({*digests, *again}) == 1
    print("all played the same games" if is_same else f"DIFFERENT GAMES: {digests + again}")
    return 0 if is_same else 1


def play_in(processes: int, cache: str) -> tuple[list[str], float]:
    """What so many processes print that begin at once with this cache folder, and the time they take together, in s."""
    began, environment = time.perf_counter(), os.environ | {"T2R_ENV_CACHE_DIR": cache}

    def play(_: int) -> str:
        return subprocess.check_output(PLAY, cwd=Path(__file__).parents[2], env=environment, text=True)

    with ThreadPoolExecutor(processes) as threads:
        printed = list(threads.map(play, range(processes)))
    return printed, time.perf_counter() - began


def digest_of_games() -> str:
    """A digest of random games of every variant: of all that they hold and show."""
    digest = hashlib.sha256()
    for variant in VARIANTS:
        games = Games(variant, batch=20, seed=1)
        games.play_random(400, seed=2)
        copies = games.determinize(None, range(20))
        for array in (games.states, games.finished, games.views(), copies):
            for name in array.dtype.names or ():
                digest.update(array[name].tobytes())
        digest.update(games.masks.tobytes() + games.observations.tobytes())
    return digest.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
