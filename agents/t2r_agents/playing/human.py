"""The agent `human`: a person chooses each action, at the terminal or through a pipe."""

import shutil
import sys
import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from t2r_env.agents import Decisions
from t2r_env.basics.plain import print_text
from t2r_env.render.text import render_text

PROMPT = "Your choice (? for help): "
_HELP = """\
Type the number of an action, or a part of its text that no other action has.
Accents and capital letters do not matter. Or type
  board  to see the game and the actions again
  q      to quit"""
_PIPE_WIDTH = 80
"""The width of the text where the output is not a terminal."""


class HumanAgent:
    """An agent that asks a person for the action of each decision, one game after the other.

    It prints what the acting seat knows (C20) and the legal actions, and reads lines from the standard input until one
    names an action. `q` and the end of the input raise KeyboardInterrupt.
    """

    asks_person = True
    """Makes a tournament play in one process and show no progress, so that a person can use the terminal."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return the person's action for each decision, shape (k,)."""
        actions = np.zeros(len(decisions), np.int64)
        for row, decision in enumerate(decisions.split()):
            title = f"Game {row + 1} of {len(decisions)}\n" if len(decisions) > 1 else ""
            actions[row] = _ask(decision, title)
        return actions


def _ask(decision: Decisions, title: str) -> int:
    view, configuration = decision.views[0], decision.configuration
    actions: dict[str, int] = {}
    for action in np.flatnonzero(decision.masks[0]):
        actions.setdefault(str(configuration.text.describe(view, int(action))), int(action))
    texts = list(actions)  # each once, for example of equal face-up cards
    width = screen_width()
    board = render_text(configuration.snapshot(view), configuration, width)
    listed = "\n".join(in_columns([f"{number:>3}  {text}" for number, text in enumerate(texts, 1)], width))
    answer = shown = f"\n{title}{board}\n{listed}"
    while True:
        print_text(answer)
        typed = _read()
        if typed in ("q", "quit"):
            raise KeyboardInterrupt("the person has quit")
        if typed in ("?", "help"):
            answer = _HELP
        elif typed == "board":
            answer = shown
        else:
            try:
                return actions[find_text(texts, typed)]
            except ValueError as error:
                answer = str(error)


def _read() -> str:
    try:
        typed = input(PROMPT).strip()
    except EOFError:
        raise KeyboardInterrupt("the input has ended") from None
    if not sys.stdin.isatty():  # a terminal shows by itself what is typed
        print_text(typed)
    return typed


def find_text(texts: Sequence[str], typed: str) -> str:
    """Return the text with this number, counted from 1, or the only one that equals or contains what was typed.

    Raises ValueError if no text fits, or several do.
    """
    allowed = f"type a number from 1 to {len(texts)}, or a part of one text"
    if typed.isdecimal():
        if not 1 <= int(typed) <= len(texts):
            raise ValueError(f"There is no number {typed}: {allowed}.")
        return texts[int(typed) - 1]
    wanted = _plain(typed)
    fitting = [text for text in texts if wanted and wanted in _plain(text)]
    for text in fitting:
        if len(fitting) == 1 or _plain(text) == wanted:
            return text
    raise ValueError(f"{len(fitting) or 'No'} actions contain {typed!r}: {allowed}.")


def _plain(text: str) -> str:
    """Return text in lower case, without accents, with single spaces."""
    letters = unicodedata.normalize("NFKD", " ".join(text.casefold().split()))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def screen_width() -> int:
    """Return the number of characters on a line of the terminal; 80 where the output is not a terminal."""
    return max(_PIPE_WIDTH, shutil.get_terminal_size().columns) if sys.stdout.isatty() else _PIPE_WIDTH


def in_columns(cells: Sequence[str], width: int) -> list[str]:
    """Return lines with the cells in as many columns as fit the width, to be read downwards."""
    longest = max(map(len, cells)) + 1
    height = -(-len(cells) // max(1, width // longest))
    return ["".join(f"{cell:<{longest}}" for cell in cells[row::height]).rstrip() for row in range(height)]
