"""How text is laid out, and compared with what is typed."""

import itertools
import unicodedata
from collections.abc import Mapping, Sequence

from t2r_env.render.signs import count_signs

_GAP = " "
"""Between columns; cells begin with a space, too."""


def in_columns(cells: Sequence[str], width: int) -> list[str]:
    """Cells in as many columns as fit the width, to be read downwards."""
    for number in range(len(cells), 0, -1):
        height = -(-len(cells) // number)
        columns = [cells[start : start + height] for start in range(0, len(cells), height)]
        widths = [max(map(len, column)) for column in columns]
        if sum(widths) + len(_GAP) * (len(widths) - 1) <= width or number == 1:
            rows = itertools.zip_longest(*columns, fillvalue="")
            return [_GAP.join(f"{cell:<{it}}" for cell, it in zip(row, widths)).rstrip() for row in rows]
    return []


def counted(number: int, thing: str) -> str:
    """A number of things as text."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def missing_text(missing: Mapping[str, int]) -> str:
    """Cards that are missing, as signs."""
    return f"missing {count_signs(missing)}" if missing else "all cards in hand"


def plain(text: str) -> str:
    """Text as anybody can type it: lower case, without accents, with single spaces."""
    letters = unicodedata.normalize("NFKD", " ".join(text.casefold().split()))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
