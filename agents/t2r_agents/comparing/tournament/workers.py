"""The processes that play in parallel, and the number of games that each is given at a time."""

import itertools
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from time import perf_counter
from typing import TypeAlias

from t2r_agents.comparing.tournament.players import Players
from t2r_agents.comparing.tournament.playing import Entry, play, warm_up
from t2r_agents.comparing.tournament.schedule import Fixture

DEALS_AT_ONCE = 100
SECONDS_AT_ONCE = 5.0
"""The limits of the deals given to a process at once, in number and time. An interruption loses no more than these."""


class Portions:
    """The games, given out by whole deals, as many at a time as take a few seconds, judged by the last ones."""

    def __init__(self, fixtures: Sequence[Fixture]) -> None:
        self._deals: deque[list[Fixture]] = deque()
        self._size = 1
        self.put_back(fixtures)

    def take(self) -> list[Fixture]:
        """Return the next games to play together; an empty list when all have been given out."""
        size = min(self._size, len(self._deals))
        return [fixture for _ in range(size) for fixture in self._deals.popleft()]

    def put_back(self, fixtures: Sequence[Fixture]) -> None:
        """Give these games, which have not been played, out next."""
        deals = [list(games) for _, games in itertools.groupby(fixtures, lambda fixture: fixture.deal)]
        self._deals.extendleft(reversed(deals))

    def __bool__(self) -> bool:
        """Return whether there are games to take."""
        return bool(self._deals)

    def adapt(self, entries: Sequence[Entry], seconds: float) -> None:
        """Adapt the size to the time that a portion took, in seconds."""
        deals = len({entry.deal for entry in entries})
        self._size = max(1, min(DEALS_AT_ONCE, int(deals * SECONDS_AT_ONCE / seconds)))


Workers: TypeAlias = Callable[[int, Players, Portions], Generator[list[Entry], None, None]]
"""A function that plays all portions by a number of workers with agents of their own. It yields entries as they arrive,
and raises ChildProcessError if the workers can't play. When it ends, so do they."""


def play_in_processes(number: int, players: Players, portions: Portions) -> Generator[list[Entry], None, None]:
    """Play all portions in processes on this machine; see `Workers`."""
    pool = ProcessPoolExecutor(number, get_context("spawn"), initializer=_begin, initargs=(players,))
    try:
        with deferring_interruptions():  # here all processes start
            busy = {pool.submit(_play, portions.take()) for _ in range(number) if portions}
        while busy:
            done, busy = wait(busy, return_when=FIRST_COMPLETED)
            for future in sorted(done, key=lambda it: it.exception() is not None):  # games that were played are kept
                entries, seconds = future.result()
                portions.adapt(entries, seconds)
                if portions:
                    busy.add(pool.submit(_play, portions.take()))
                yield entries
    except BrokenProcessPool:
        raise ChildProcessError("a process of the tournament has ended: it was killed, or an agent ended it") from None
    finally:
        with deferring_interruptions():
            for process in [*pool._processes.values()]:  # neither games nor what agents have begun are waited for
                process.kill()
            pool.shutdown(cancel_futures=True)


@contextmanager
def deferring_interruptions() -> Iterator[None]:
    """Let Ctrl-C wait for the end of the block. It does not reach processes that are started in it.

    A process that is only just starting would print where it was interrupted, and one that starts it would not find it.
    Outside the main thread, which alone is interrupted, and on Windows this does nothing.
    """
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []
    former = signal.signal(signal.SIGINT, lambda number, _: received.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which new processes inherit
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, former)
        if received:
            signal.raise_signal(signal.SIGINT)


class Worker:
    """The agents of one process, which play the games that it is given."""

    def __init__(self, players: Players) -> None:
        """Make the agents. Raises the errors of `Players.make`."""
        self._players, self._agents = players, players.make()
        warm_up(players.configuration, self._agents)

    def play(self, fixtures: Sequence[Fixture]) -> tuple[list[Entry], float]:
        """Return the entries of these games, and the seconds that they took."""
        began = perf_counter()
        players = self._players
        entries = play(players.configuration, self._agents, fixtures, record=players.record, log=players.log)
        return entries, perf_counter() - began


_worker: Worker
"""The worker of this process, if it is one of `play_in_processes`."""


def _begin(players: Players) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process handles an interruption
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # for what agents start
    threading.Thread(target=end_with_parent, daemon=True).start()
    _worker = Worker(players)


def _play(fixtures: Sequence[Fixture]) -> tuple[list[Entry], float]:
    return _worker.play(fixtures)


def end_with_parent() -> None:
    """End this process when the first one has ended, however it did."""
    if parent := parent_process():
        parent.join()
    os._exit(1)
