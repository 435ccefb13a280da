"""Why a game was forfeited: always printable text of limited length, whatever an agent has raised."""

import traceback
from dataclasses import dataclass

LONGEST_REASON = 200
"""In characters."""
LONGEST_TRACEBACK = 8_000
"""In characters."""


@dataclass(frozen=True)
class Failure:
    """Why an agent has not answered a decision with a legal action."""

    reason: str
    """One line."""
    traceback: str = ""
    """Lines that say where an error was raised, if one was."""


class NoAnswerError(Exception):
    """An isolated agent gave no answer. The text says why, in one line."""

    def __init__(self, reason: str, traceback: str = "") -> None:
        super().__init__(one_line(reason))
        self.failure = Failure(one_line(reason), printable_lines(traceback))


def one_line(text: str) -> str:
    """The text with its spaces and line breaks as single spaces, without what can't be printed, and cut."""
    start = text[: 10 * LONGEST_REASON]
    printable = "".join(character if character.isprintable() else " " for character in start)
    return " ".join(printable.split())[:LONGEST_REASON]


def failure_of(error: BaseException) -> Failure:
    """What an agent has raised."""
    if isinstance(error, NoAnswerError):
        return error.failure
    try:
        lines = traceback.format_exception(error)
    except BaseException:  # the memory may not suffice
        lines = []
    return Failure(describe_error(error), printable_lines("".join(lines)))


def printable_lines(text: str) -> str:
    """The text without what can't be printed but line breaks; only the end of one that is too long."""
    end = text[-LONGEST_TRACEBACK:]
    return "".join(character if character.isprintable() or character == "\n" else " " for character in end)


def describe_error(error: BaseException) -> str:
    """The name of what was raised, and its text if one can be made."""
    name = type.__getattribute__(type(error), "__name__")  # not what a metaclass says
    try:
        return one_line(f"{name}: {error}")
    except BaseException as other:  # making the text runs the agent's code
        return one_line(f"{name}, whose text can't be made ({type.__getattribute__(type(other), '__name__')})")
