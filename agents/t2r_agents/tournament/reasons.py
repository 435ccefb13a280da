"""Why a game was forfeited: always one line of printable text, whatever an agent has raised."""

LONGEST_REASON = 200
"""In characters."""


def one_line(text: str) -> str:
    """The text with its spaces and line breaks as single spaces, without what can't be printed, and cut."""
    start = text[: 10 * LONGEST_REASON]
    printable = "".join(character if character.isprintable() else " " for character in start)
    return " ".join(printable.split())[:LONGEST_REASON]


def describe_error(error: BaseException) -> str:
    """The name of what was raised, and its text if one can be made."""
    name = type.__getattribute__(type(error), "__name__")  # not what a metaclass says
    try:
        return one_line(f"{name}: {error}")
    except BaseException as other:  # making the text runs the agent's code
        return one_line(f"{name}, whose text can't be made ({type.__getattribute__(type(other), '__name__')})")
