"""Long runs, each a command: play and checks that would take too long for the tests.

Their figures are in docs/reliability.md. What can be shown in seconds is in the tests beside the code concerned.
"""

import traceback
from pathlib import Path
from typing import Any


def text_of(error: Exception) -> str:
    """An error, and where it was raised."""
    line = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(line.filename).name}:{line.lineno} {line.line})"


def positive_integer(text: str) -> int:
    """The type of an argument that is a number from 1 on."""
    if (number := int(text)) < 1:
        raise ValueError
    return number


def add_numbers(tally: Any, other: Any, *left_out: str) -> None:
    """Add to the numbers and lists of a tally those of another one."""
    for name, value in vars(other).items():
        if name not in left_out:
            setattr(tally, name, getattr(tally, name) + value)
