"""The terminal that a person plays on, or the pipes that stand for one."""

import re
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, TextIO

from t2r_env.render.signs import SIGNS

if TYPE_CHECKING:
    from rich.text import Text

PIPE_WIDTH = 80
"""Where the screen is no terminal: the same output everywhere."""
_TERMINAL = (80, 24)
"""The size of a terminal that does not tell its own."""
_SMALLEST = (40, 6)
_MORE = "-- {} more: Enter shows them, or type your choice: "

_LETTERS = "".join(sign.letter for sign in SIGNS.values() if sign.style)
_COLOURED = re.compile(rf"(?<![\w'])(?:\d*([{_LETTERS}])|({'|'.join(SIGNS)})s?)(?![\w'])")
"""A sign, with or without a number before it, or the name of a colour."""
_STYLES = {key: sign.style for name, sign in SIGNS.items() for key in (sign.letter, name)}


class Screen:
    """Writes text, page by page on a terminal, in colours where rich is installed and the terminal has some.

    The text is the same without colours (`t2r_env.render.signs`).
    """

    def __init__(self, keyboard: TextIO | None = None, screen: TextIO | None = None) -> None:
        """The standard input and output by default, whatever they are when they are used."""
        self._given = keyboard, screen
        self._lines = 0  # written since something was typed

    @property
    def _keyboard(self) -> TextIO:
        return self._given[0] or sys.stdin

    @property
    def _screen(self) -> TextIO:
        return self._given[1] or sys.stdout

    @property
    def width(self) -> int:
        """The longest line that fits, in characters."""
        return self._size()[0] if self._screen.isatty() else PIPE_WIDTH

    def _size(self) -> tuple[int, int]:
        size = shutil.get_terminal_size(_TERMINAL)
        return max(size.columns, _SMALLEST[0]), max(size.lines, _SMALLEST[1])

    def show(self, text: str) -> str:
        """Write lines, long ones folded; where they fill a terminal, wait for Enter before the next page.

        Anything else that is typed there ends the text and is returned, otherwise nothing.
        """
        is_terminal = self._screen.isatty() and self._keyboard.isatty()
        width, height = self._size() if is_terminal else (self.width, 0)
        lines = [part for line in text.splitlines() for part in _fold(line, width)]
        for number, line in enumerate(lines):
            rows = -(-len(line) // width) or 1  # a word, such as a path, may be longer than a line
            if is_terminal and self._lines + rows > height - 1:
                left = len(lines) - number
                if typed := self.ask(_MORE.format(f"{left} line{'s' * (left > 1)}")):
                    return typed
            self._lines += rows
            self._write(line + "\n")
        return ""

    def ask(self, prompt: str) -> str:
        """The line that is typed, without spaces around it. Raises EOFError at the end of the input."""
        self._write(prompt)
        self._lines = 0
        line = self._keyboard.readline()
        if not line:
            self._write("\n")
            raise EOFError
        if not self._keyboard.isatty():  # a terminal shows what is typed by itself
            self._write(line.rstrip("\n") + "\n")
        return line.strip()

    def _write(self, text: str) -> None:
        screen = self._screen
        encoding = getattr(screen, "encoding", None) or "utf-8"
        text = text.encode(encoding, "replace").decode(encoding)
        if not (screen.isatty() and _write_in_colours(text, screen)):
            screen.write(text)
        screen.flush()


def _fold(line: str, width: int) -> list[str]:
    """A line as lines that fit, the further ones indented."""
    if len(line) <= width:
        return [line]
    return textwrap.wrap(line, width, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False)


def _write_in_colours(text: str, screen: TextIO) -> bool:
    """Write with rich, which knows what the terminal can show; return False if it is not installed."""
    try:
        from rich.console import Console
        from rich.text import Text
    except ImportError:
        return False
    Console(file=screen, highlight=False).print(_in_colours(Text(text)), soft_wrap=True, end="")
    return True


def _in_colours(text: "Text") -> "Text":
    for found in _COLOURED.finditer(text.plain):
        text.stylize(_STYLES[found[1] or found[2]], *found.span())
    return text
