"""Processes that play in parallel, and how many games each is given at a time."""

import itertools
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from time import perf_counter
from typing import Any, Protocol

from t2r_agents.ray_cluster import check_address, connected
from t2r_agents.tournament.isolation import IsolatedAgent, Limits
from t2r_agents.tournament.playing import Entry, play, warm_up
from t2r_agents.tournament.schedule import Fixture
from t2r_env import Configuration
from t2r_env.agents import Agent, find_agent
from t2r_env.checks import check_integer
from t2r_env.cores import count_cores

DEALS_AT_ONCE = 100
SECONDS_AT_ONCE = 5.0
"""The most deals given to a process at once, and about how long they take. An interruption loses no more than that."""
SECONDS_TO_END = 10.0
"""The time that a process with nothing left to do has to end."""


def make_agents(names: Sequence[str], configuration: Configuration, limits: Limits | None) -> dict[str, Agent]:
    """New agents by name, in processes of their own if there are limits.

    Raises ValueError or TypeError if an agent can't be made or can't play the configuration.
    """
    if limits is None:
        return {name: find_agent(name, configuration) for name in names}
    agents: dict[str, Agent] = {}
    try:
        for name in names:
            agents[name] = agent = IsolatedAgent(name, configuration, limits)
            agent.start()
    except BaseException:
        close_agents(agents)
        raise
    return agents


def close_agents(agents: Mapping[str, Agent]) -> None:
    """End the processes of agents that act in processes of their own."""
    for agent in agents.values():
        if isinstance(agent, IsolatedAgent):
            agent.close()


class Portions:
    """Games given out by whole deals, as many at a time as take a few seconds, judged by the last ones."""

    def __init__(self, fixtures: Sequence[Fixture]) -> None:
        self._deals: deque[list[Fixture]] = deque()
        self._size = 1
        self.put_back(fixtures)

    def take(self) -> list[Fixture]:
        """The next games to play together; an empty list when all have been given out."""
        size = min(self._size, len(self._deals))
        return [fixture for _ in range(size) for fixture in self._deals.popleft()]

    def put_back(self, fixtures: Sequence[Fixture]) -> None:
        """Give these games, which have not been played, out next."""
        deals = [list(games) for _, games in itertools.groupby(fixtures, lambda fixture: fixture.deal)]
        self._deals.extendleft(reversed(deals))

    def __bool__(self) -> bool:
        """Whether there are games to take."""
        return bool(self._deals)

    def adapt(self, entries: Sequence[Entry], seconds: float) -> None:
        """Adapt the size to the time that a portion took, in seconds."""
        deals = len({entry.deal for entry in entries})
        self._size = max(1, min(DEALS_AT_ONCE, int(deals * SECONDS_AT_ONCE / seconds)))


class MakeWorkers(Protocol):
    """What makes workers: `Workers` on this machine, or others that play the same games elsewhere."""

    def __call__(
        self, number: int, configuration: Configuration, agents: Sequence[str], limits: Limits | None = None
    ) -> AbstractContextManager["PlaysPortions"]:
        """So many workers, with agents of their own, found by name. Leaving the context ends them."""
        ...


class PlaysPortions(Protocol):
    """Workers that play."""

    def play(self, portions: Portions) -> Iterator[list[Entry]]:
        """Play all portions; yield the entries as they arrive. Raises ChildProcessError if they can't."""
        ...


class Workers:
    """Processes with agents of their own, found by name. Leaving the context ends the processes."""

    def __init__(
        self, number: int, configuration: Configuration, agents: Sequence[str], limits: Limits | None = None
    ) -> None:
        context = get_context("spawn")
        self._connections: list[Connection[Any, Any]] = []
        self._processes = []
        for _ in range(number):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, configuration, list(agents), limits), daemon=True)
            process.start()
            theirs.close()  # so that the end of the process ends the connection
            self._connections.append(ours)
            self._processes.append(process)

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, error: object, *_: object) -> None:
        for connection in self._connections:
            connection.close()
        for process in self._processes:
            if not error:  # it has nothing to do, and ends when its connection does
                process.join(SECONDS_TO_END)
            process.terminate()
            process.join()

    def play(self, portions: Portions) -> Iterator[list[Entry]]:
        """Play all portions; yield the entries as they arrive.

        Raises ChildProcessError if a process ends by itself.
        """
        busy = [connection for connection in self._connections if _give(connection, portions)]
        while busy:
            for connection in wait(busy):
                assert isinstance(connection, Connection)
                try:
                    entries, seconds = connection.recv()
                except EOFError:
                    raise ChildProcessError(
                        "a process of the tournament has ended: it was killed, or an agent ended it"
                    ) from None
                portions.adapt(entries, seconds)
                if not _give(connection, portions):
                    busy.remove(connection)
                yield entries


def check_workers(processes: int | None, ray: str | None) -> None:
    """Raise ValueError or MissingExtraError if `find_workers` can't be asked for these."""
    if processes is not None:
        check_integer("--processes", processes, 1)
    if ray is not None:
        check_address(ray)


@contextmanager
def find_workers(processes: int | None, ray: str | None) -> Iterator[tuple[int, MakeWorkers]]:
    """How many workers to have, one for each core if it is None, and what makes them; on Ray if there is an address.

    On Ray it is one for each CPU of the cluster. Raises ConnectionError if there is no Ray cluster at the address.
    """
    if ray is None:
        yield processes or count_cores(), Workers
    else:
        from t2r_agents.tournament.ray_workers import STORE_BYTES, RayWorkers

        with connected(ray, processes, store_bytes=STORE_BYTES) as cpus:
            yield processes or cpus, RayWorkers


def _give(connection: "Connection[Any, Any]", portions: Portions) -> bool:
    """Send a process its next games; return whether there were any left."""
    if fixtures := portions.take():
        connection.send(fixtures)
    return bool(fixtures)


def _work(
    connection: "Connection[Any, Any]", configuration: Configuration, names: Sequence[str], limits: Limits | None
) -> None:
    """The main function of a process: play the games it receives until it is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process handles an interruption
    threading.Thread(target=end_with_parent, daemon=True).start()
    agents = make_agents(names, configuration, limits)
    warm_up(configuration, agents)
    while True:
        try:
            fixtures = connection.recv()
        except EOFError:
            break
        began = perf_counter()
        entries = play(configuration, agents, fixtures)
        connection.send((entries, perf_counter() - began))
    close_agents(agents)


def end_with_parent() -> None:
    """End this process when the first one has ended, however it did."""
    if parent := parent_process():
        parent.join()
    os._exit(1)
