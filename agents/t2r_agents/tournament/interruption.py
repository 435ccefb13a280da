"""Ctrl-C by the person at the terminal, told apart from whatever an agent raises by itself."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def heeding_interruptions() -> Iterator[None]:
    """While an agent acts: what the process's own handler of Ctrl-C raises is raised again at the end.

    So Ctrl-C stops an agent at once, also one that catches all exceptions, and the tournament with it; a
    KeyboardInterrupt that an agent raises is the agent's error. Outside the main thread, and in processes that ignore
    Ctrl-C, there is nothing to heed.
    """
    handler = signal.getsignal(signal.SIGINT)
    raised: list[BaseException] = []

    def heed(number: int, frame: FrameType | None) -> None:
        assert callable(handler)
        try:
            handler(number, frame)
        except BaseException as interruption:
            raised.append(interruption)
            raise

    if not callable(handler) or not _install(heed):
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if raised:
            raise raised[0]


def _install(handler: Callable[[int, FrameType | None], object]) -> bool:
    """Install a handler of Ctrl-C; return whether this is the main thread, which alone may."""
    try:
        signal.signal(signal.SIGINT, handler)
    except ValueError:
        return False
    return True
