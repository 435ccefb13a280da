"""What stands for each colour on the terminal: a sign that reads without colours, and a style of terminals (rich's)."""

from collections.abc import Mapping
from typing import NamedTuple

from t2r_env.rules.snapshot import UNKNOWN
from t2r_env.variants.variant import GRAY, LOCOMOTIVE


class Sign(NamedTuple):
    """The sign of a colour."""

    letter: str
    style: str
    """Foreground and background, so that it reads on dark and light terminals."""


SIGNS: Mapping[str, Sign] = {
    "purple": Sign("P", "white on magenta"),
    "blue": Sign("B", "white on blue"),
    "orange": Sign("O", "black on dark_orange"),
    "white": Sign("W", "black on white"),
    "green": Sign("G", "black on green"),
    "yellow": Sign("Y", "black on yellow"),
    "black": Sign("K", "white on black"),
    "red": Sign("R", "white on red"),
    LOCOMOTIVE: Sign("L", "black on bright_cyan"),
    GRAY: Sign("A", "black on bright_black"),  # any one colour
    UNKNOWN: Sign("?", ""),
}
"""The signs of train cards and of routes."""


def count_signs(cards: Mapping[str, int]) -> str:
    """Cards by colour as signs, those of which there are none left out: '2B 1R 1L'."""
    return " ".join(f"{number}{SIGNS[card].letter}" for card, number in cards.items() if number)
