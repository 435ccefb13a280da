"""Workers on Ray, on one or many machines: like local processes, but one that ends is replaced and loses no games."""

import logging
import os
import pickle
import signal
import socket
import sys
from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from t2r_agents.comparing.tournament.players import Players
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.schedule import Fixture
from t2r_agents.comparing.tournament.workers import Portions, Worker
from t2r_agents.playing.failures import one_line
from t2r_env import __version__

MOST_ENDS = 3
"""The most workers that may end at the same games, or one after the other before their first ones."""
STORE_BYTES = 100 << 20
"""The memory that the processes of a cluster of our own share: results need little."""

logger = logging.getLogger(__name__)


def play_on_ray(number: int, players: Players, portions: Portions) -> Generator[list[Entry], None, None]:
    """Play all portions on the cluster that this process is connected to by `t2r_agents.comparing.ray_cluster`.

    Games whose worker has ended are given to the next one. Raises ChildProcessError if several end at the same games,
    or if none can begin. See `t2r_agents.comparing.tournament.workers.Workers`.
    """
    import ray

    # a worker takes one CPU, and is not made again by Ray: the next one may play on another machine
    remote = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(_Worker)
    setup = __version__, [str(Path(path).absolute()) for path in sys.path], str(players.folder), pickle.dumps(players)
    idle: list[Any] = []
    busy: dict[Any, tuple[Any, list[Fixture]]] = {}
    ends: Counter[int | None] = Counter()

    def begin() -> None:
        """Make a worker; it gets games when it is ready, which may be when the cluster has a CPU for it."""
        worker = remote.remote(*setup)
        busy[worker.begin.remote()] = worker, []

    try:
        for _ in range(number):
            begin()
        while True:
            while idle and (fixtures := portions.take()):
                worker = idle.pop()
                busy[worker.play.remote(fixtures)] = worker, fixtures
            if not portions and not any(fixtures for _, fixtures in busy.values()):
                return
            (done, *_), _ = ray.wait(list(busy), num_returns=1)
            worker, fixtures = busy.pop(done)
            try:
                entries, seconds = ray.get(done)
            except ray.exceptions.RayTaskError as error:
                raise ChildProcessError(f"a worker on Ray can't play: {one_line(str(error.cause))}") from error
            except ray.exceptions.RayError as error:  # it has ended, its machine, or the way to it
                games = fixtures[0].game if fixtures else None
                ends[games] += 1
                _check_ends(ends[games], games, error)
                begin()
                portions.put_back(fixtures)
                continue
            idle.append(worker)
            ends[None] = 0
            if fixtures:
                portions.adapt(entries, seconds)
                yield entries
    finally:
        for worker in [*idle, *(worker for worker, _ in busy.values())]:
            ray.kill(worker)


def _check_ends(ends: int, game: int | None, error: Exception) -> None:
    """Log that a worker has ended, at games from this one on. Raises ChildProcessError if too many have."""
    if ends == MOST_ENDS:
        at = "before their first games" if game is None else f"at the games from {game} on"
        raise ChildProcessError(
            f"{MOST_ENDS} workers on Ray have ended {at}: they were killed, or an agent ended them"
            f" ({one_line(str(error).strip().splitlines()[-1])})"
        )
    logger.warning("a worker on Ray has ended; another one is begun%s", "" if game is None else " and plays its games")


class _Worker:
    """A worker on the cluster, which plays the games that it is given with its own agents."""

    def __init__(self, version: str, paths: Sequence[str], folder: str, players: bytes) -> None:
        self._version, self._players = version, players
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process handles an interruption
        sys.path[:] = [*paths, *(path for path in sys.path if path not in paths)]
        if Path(folder).is_dir():  # there are relative paths in names of agents
            os.chdir(folder)

    def begin(self) -> tuple[list[Entry], float]:
        """Make the agents. Raises the errors of `Players.make`, and RuntimeError for another version here."""
        if self._version != __version__:
            raise RuntimeError(f"{socket.gethostname()} has version {__version__} of t2r_env, not {self._version}")
        players: Players = replace(pickle.loads(self._players), folder=Path.cwd())
        self._worker = Worker(players)
        return [], 0.0

    def play(self, fixtures: Sequence[Fixture]) -> tuple[list[Entry], float]:
        """Return the entries of these games, and the seconds that they took."""
        return self._worker.play(fixtures)
