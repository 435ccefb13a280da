"""How far work is, on a line of the terminal, or where there is none on a line now and then. It needs no extra."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress

SECONDS = 0.2
"""Between changes of the line."""
SECONDS_BETWEEN_LINES = 10.0
"""Between lines where there is no terminal."""


@contextmanager
def progress_line(title: str) -> Iterator[Callable[[int, int], None]]:
    """Make a function that is told how much is done of how much, and shows it on the standard error output.

    On a terminal the line changes, and vanishes at the end. Otherwise there is a line every ten seconds.
    """
    is_terminal = sys.stderr.isatty()
    seconds, start, end = (SECONDS, "\r", "") if is_terminal else (SECONDS_BETWEEN_LINES, "", "\n")
    is_shown, shown = False, 0.0 if is_terminal else time.monotonic()

    def show(done: int, total: int) -> None:
        nonlocal is_shown, shown
        if time.monotonic() > shown + seconds:
            is_shown, shown = True, time.monotonic()
            print(f"{start}{title}: {100 * done // total} %", end=end, file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if is_terminal and is_shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@contextmanager
def plain_lines(tell: Callable[[], str]) -> Iterator[None]:
    """Print what `tell` returns, and the time so far, on stderr every ten seconds, if that is no terminal."""
    began = time.monotonic()

    def show() -> None:
        print(f"{tell()}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)

    with nullcontext() if sys.stderr.isatty() else repeatedly(show, SECONDS_BETWEEN_LINES):
        yield


@contextmanager
def repeatedly(call: Callable[[], object], seconds: float) -> Iterator[None]:
    """Call a function every `seconds` seconds, in a thread of its own, until the block ends."""
    ended = threading.Event()

    def repeat() -> None:
        with suppress(OSError):  # of a stream that has been closed: nobody reads it any more
            while not ended.wait(seconds):
                call()

    thread = threading.Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
