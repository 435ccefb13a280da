"""Many pictures of a game in little space: pieces of SVG that many of them share are kept once."""

import re

_STYLE = re.compile(r"<style>[^<]*</style>")
_TOKENS = re.compile(r"<(?:text|title)\b[^>]*>[^<]*</\w+>|<[^>]*>")
"""Elements with text, and the beginnings and ends of the others."""


def without_style(svg: str) -> str:
    """Return a picture without its own style, which pages with page.css need not have and may refuse."""
    return _STYLE.sub("", svg)


Piece = str | tuple[str | int, ...]
"""An element without others inside, as text; or the beginning of an element, and the numbers of the pieces inside."""


class Pieces:
    """A table of the pieces of SVG documents. A document is the number of its outermost piece.

    `<g fill="red"><rect/><rect/></g>` is the piece `("<g fill=\\"red\\">", 0, 0)` if `<rect/>` is piece 0.
    """

    def __init__(self) -> None:
        self.table: list[Piece] = []
        self._numbers: dict[Piece, int] = {}

    def add(self, svg: str) -> int:
        """Return the number of a document of `render_svg`, whose pieces are added to the table.

        Only `text` and `title` hold text, and no `>` is in it; `style` is left out, since pages have a style sheet.
        """
        numbers, table = self._numbers, self.table
        inside: list[list[str | int]] = [[]]
        for token in _TOKENS.findall(without_style(svg)):
            if token[1] != "/" and token[1] != "t" and token[-2] != "/":
                inside.append([token])
                continue
            piece: Piece = tuple(inside.pop()) if token[1] == "/" else token
            number = numbers.get(piece)
            if number is None:
                number = numbers[piece] = len(table)
                table.append(piece)
            inside[-1].append(number)
        return int(inside[0][0])
