"""How far work is, on a line of the terminal. It needs no extra."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SECONDS = 0.2
"""Between changes of the line."""


@contextmanager
def progress_line(title: str) -> Iterator[Callable[[int, int], None]]:
    """Make a function that is told how much is done of how much, and shows it on the standard error output.

    The line is there only if that is a terminal, and vanishes at the end.
    """
    is_terminal = sys.stderr.isatty()
    shown = 0.0

    def show(done: int, total: int) -> None:
        nonlocal shown
        if is_terminal and time.monotonic() > shown + SECONDS:
            shown = time.monotonic()
            print(f"\r{title}: {100 * done // total} %", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if is_terminal and shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
