"""The distinction between Ctrl-C by the person at the terminal and the errors that an agent raises."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType


@contextmanager
def heeding_interruptions() -> Iterator[None]:
    """Let an agent act, and raise again at the end what the process's own handler of Ctrl-C has raised.

    So Ctrl-C stops an agent at once, also one that catches all exceptions, and the tournament with it; a
    KeyboardInterrupt that an agent raises is the agent's error. Outside the main thread, and in processes that ignore
    Ctrl-C, this does nothing.
    """
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler) or current_thread() is not main_thread():
        yield
        return
    raised: list[BaseException] = []

    def heed(number: int, frame: FrameType | None) -> None:
        try:
            handler(number, frame)
        except BaseException as interruption:
            raised.append(interruption)
            raise

    signal.signal(signal.SIGINT, heed)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if raised:
            raise raised[0]
