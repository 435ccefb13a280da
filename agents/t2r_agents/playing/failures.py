"""The reason of a forfeit: always printable text of limited length, whatever an agent has raised."""

import traceback
from dataclasses import dataclass

LONGEST_REASON, LONGEST_TRACEBACK = 200, 8_000
"""The most characters of each."""


@dataclass(frozen=True)
class Failure:
    """The reason why an agent has not answered a decision with a legal action."""

    reason: str
    traceback: str = ""
    """The traceback, if an error was raised."""


class NoAnswerError(Exception):
    """The error of an isolated agent that gave no answer. The text says why, in one line."""

    def __init__(self, reason: str, traceback: str = "") -> None:
        super().__init__(reason_line(reason))
        self.failure = Failure(reason_line(reason), printable_lines(traceback))


def reason_line(text: str) -> str:
    """Return a reason as one line that is never empty: a game counts as forfeited by the seat that has a reason."""
    return one_line(text) or "no reason given"


def one_line(text: str) -> str:
    """Return printable text of limited length, with single spaces for its spaces and line breaks."""
    start = text[: 10 * LONGEST_REASON]
    printable = "".join(character if character.isprintable() else " " for character in start)
    return " ".join(printable.split())[:LONGEST_REASON]


def failure_of(error: BaseException) -> Failure:
    """Return the failure for an error that an agent has raised."""
    if isinstance(error, NoAnswerError):
        return error.failure
    try:
        lines = traceback.format_exception(error)
    except BaseException:  # the memory may not suffice
        lines = []
    return Failure(describe_error(error), printable_lines("".join(lines)))


def printable_lines(text: str) -> str:
    """Return the text without unprintable characters except line breaks; of a text that is too long, its end."""
    end = text[-LONGEST_TRACEBACK:]
    return "".join(character if character.isprintable() or character == "\n" else " " for character in end)


def describe_error(error: BaseException) -> str:
    """Return the name of an error, and its text if one can be made."""
    name = type.__getattribute__(type(error), "__name__")  # not what a metaclass says
    try:
        return one_line(f"{name}: {error}")
    except BaseException as other:  # making the text runs the agent's code
        return one_line(f"{name}, whose text can't be made ({type.__getattribute__(type(other), '__name__')})")
