"""Workers on Ray, on one machine or on many: as `Workers`, but one that ends is replaced and loses nothing."""

import logging
import os
import pickle
import signal
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from t2r_agents.failures import one_line
from t2r_agents.tournament.isolation import Limits
from t2r_agents.tournament.playing import Entry, play, warm_up
from t2r_agents.tournament.schedule import Fixture
from t2r_agents.tournament.workers import Portions, make_agents
from t2r_env import Configuration, __version__
from t2r_env.agents import Agent

MOST_ENDS = 3
"""So many workers may end at the same games, or one after the other before their first ones."""
STORE_BYTES = 100 << 20
"""Of the memory that the processes of a cluster of our own share: results need little."""

logger = logging.getLogger(__name__)


class RayWorkers:
    """Workers on the Ray cluster that this process is connected to by `t2r_agents.ray_cluster`.

    Leaving the context ends them.
    """

    def __init__(
        self, number: int, configuration: Configuration, agents: Sequence[str], limits: Limits | None = None
    ) -> None:
        import ray

        self._ray = ray
        # a worker takes one CPU, and is not made again by Ray: the next one may play on another machine
        make = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(_Worker)
        paths = [str(Path(path).absolute()) for path in sys.path]
        setup = pickle.dumps((configuration, list(agents), limits))
        self._make: Callable[[], Any] = lambda: make.remote(__version__, paths, str(Path.cwd()), setup)
        self._busy: dict[Any, tuple[Any, list[Fixture]]] = {}
        self._idle: list[Any] = []
        self._ends: Counter[int | None] = Counter()
        for _ in range(number):
            self._begin()

    def __enter__(self) -> "RayWorkers":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in [*self._idle, *(worker for worker, _ in self._busy.values())]:
            self._ray.kill(worker)

    def play(self, portions: Portions) -> Iterator[list[Entry]]:
        """Play all portions; yield the entries as they arrive.

        Games whose worker has ended are given to the next one. Raises ChildProcessError if several end at the same
        games, or if none can begin.
        """
        while True:
            while self._idle and (fixtures := portions.take()):
                self._call(self._idle.pop(), "play", fixtures)
            if not portions and not any(fixtures for _, fixtures in self._busy.values()):
                return
            (done, *_), _ = self._ray.wait(list(self._busy), num_returns=1)
            worker, fixtures = self._busy.pop(done)
            try:
                entries, seconds = self._ray.get(done)
            except self._ray.exceptions.RayTaskError as error:
                raise ChildProcessError(f"a worker on Ray can't play: {one_line(str(error.cause))}") from error
            except self._ray.exceptions.RayError as error:  # it has ended, its machine, or the way to it
                self._replace(fixtures, error)
                portions.put_back(fixtures)
                continue
            self._idle.append(worker)
            self._ends[None] = 0
            if fixtures:
                portions.adapt(entries, seconds)
                yield entries

    def _begin(self) -> None:
        """Make a worker; it gets games when it is ready, which may be when the cluster has a CPU for it."""
        self._call(self._make(), "begin")

    def _call(self, worker: Any, method: str, fixtures: Sequence[Fixture] = ()) -> None:
        self._busy[getattr(worker, method).remote(*([fixtures] if fixtures else []))] = worker, list(fixtures)

    def _replace(self, fixtures: Sequence[Fixture], error: Exception) -> None:
        """Begin a worker for one that has ended. Raises ChildProcessError if too many have."""
        games = fixtures[0].game if fixtures else None
        self._ends[games] += 1
        if self._ends[games] == MOST_ENDS:
            at = f"at the games from {games} on" if fixtures else "before their first games"
            raise ChildProcessError(
                f"{MOST_ENDS} workers on Ray have ended {at}: they were killed, or an agent ended them"
                f" ({one_line(str(error).strip().splitlines()[-1])})"
            )
        logger.warning("a worker on Ray has ended; another one is begun%s", " and plays its games" if fixtures else "")
        self._begin()


class _Worker:
    """What runs on the cluster: it plays the games that it is given with agents of its own."""

    def __init__(self, version: str, paths: Sequence[str], folder: str, setup: bytes) -> None:
        self._version, self._setup = version, setup
        self._agents: dict[str, Agent] = {}
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process handles an interruption
        sys.path[:] = [*paths, *(path for path in sys.path if path not in paths)]
        if Path(folder).is_dir():  # there are relative paths in names of agents
            os.chdir(folder)

    def begin(self) -> tuple[list[Entry], float]:
        """Make the agents. Raises what `make_agents` does, and RuntimeError if another version is installed here."""
        if self._version != __version__:
            raise RuntimeError(f"{socket.gethostname()} has version {__version__} of t2r_env, not {self._version}")
        self._configuration, names, limits = pickle.loads(self._setup)
        self._agents = make_agents(names, self._configuration, limits)
        warm_up(self._configuration, self._agents)
        return [], 0.0

    def play(self, fixtures: Sequence[Fixture]) -> tuple[list[Entry], float]:
        """The entries of these games, and the seconds that they took."""
        began = perf_counter()
        entries = play(self._configuration, self._agents, fixtures)
        return entries, perf_counter() - began
