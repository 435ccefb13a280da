"""Pieces of a picture as plain SVG text: shapes, and boxes that are put next to and below each other."""

import functools
import math
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from t2r_env.render.drawing.palette import DARK, DONE, NEW, OPEN, PANELS

FONT = "DejaVu Sans"
"""The font that the raster uses; its letters' widths are below."""

_ASCII = (
    "32 40 46 84 64 95 78 27 39 39 50 84 32 36 32 34 64 64 64 64 64 64 64 64 64 64 34 34 84 84 84 53 100 68 69 70 77 63"
    " 58 77 75 29 29 66 56 86 75 79 60 79 69 63 61 73 68 99 69 61 69 39 34 39 84 50 50 61 63 55 63 62 35 63 63 28 28 58"
    " 28 97 63 61 63 63 41 52 39 63 59 82 59 59 52 64 34 64 84"
)
_WIDTHS = dict(zip(map(chr, range(32, 127)), (int(width) / 100 for width in _ASCII.split()), strict=True))
_WIDTHS |= {"✓": 0.84, "○": 0.87, "★": 0.84, "–": 0.5, "−": 0.84, "·": 0.32}
_OTHER_WIDTH = 0.7
_BOLD = 1.12
REMEMBERED = 1 << 15
"""Pieces of pictures, so that the next picture of a game takes less time."""

TEXT_COLOUR = "#1f2328"
QUIET = "#5b6470"
_CLASSES = {TEXT_COLOUR: "ink", QUIET: "faint", NEW: "new", DONE: "done", OPEN: "open"}
"""The classes of texts by their colours."""


class Box(NamedTuple):
    """SVG in a rectangle of its own, whose upper left corner is the origin."""

    width: float
    height: float
    svg: str


# Shapes


@functools.lru_cache(maxsize=REMEMBERED)
def number(value: float) -> str:
    """Return a number with one decimal at most, which is exact enough for a picture."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def element(tag: str, content: str = "", /, **attributes: object) -> str:
    """Return an element; `_` in the names of attributes stands for `-`, and what is None is left out."""
    begin = _begin(tag, **attributes)
    return f"{begin}>{content}</{tag}>" if content else f"{begin}/>"


@functools.lru_cache(maxsize=REMEMBERED, typed=True)  # typed: 1 and True are equal, but read otherwise
def _begin(tag: str, /, **attributes: object) -> str:
    """Return the start of an element with its attributes. Most of those of a picture are in the next one, too."""
    written = "".join(
        f" {name.rstrip('_').replace('_', '-')}={quoteattr(number(value) if isinstance(value, float) else str(value))}"
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{written}"


def titled(text: str) -> str:
    """Return the title of the element around it, which is shown at the pointer and read aloud."""
    return element("title", _written(text))


@functools.lru_cache(maxsize=REMEMBERED)
def _written(text: str) -> str:
    """Return a text as XML may hold it: control characters are replaced."""
    return escape("".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text))


def at(x: float, y: float, svg: str, scale: float = 1) -> str:
    """SVG moved to a point, and scaled there."""
    scaled = f" scale({scale:.3f})" if scale != 1 else ""
    return f'<g transform="translate({number(x)} {number(y)}){scaled}">{svg}</g>'


def rectangle(x: float, y: float, width: float, height: float, fill: str, **more: object) -> str:
    """Return a rectangle."""
    return element("rect", x=float(x), y=float(y), width=float(width), height=float(height), fill=fill, **more)


def write(x: float, y: float, text: str, size: float, **more: object) -> str:
    """Text whose baseline begins at a point, or is centred there with `text_anchor="middle"`."""
    more.setdefault("class", _CLASSES.get(str(more.get("fill"))))
    return element("text", _written(text), x=float(x), y=float(y), font_size=float(size), **more)


@functools.lru_cache(maxsize=REMEMBERED)
def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """About how wide a text is, by the font of the raster."""
    letters = unicodedata.normalize("NFD", text)
    width = math.fsum(_WIDTHS.get(letter, _OTHER_WIDTH) for letter in letters if not unicodedata.combining(letter))
    return width * size * (_BOLD if bold else 1)


# Boxes


@functools.lru_cache(maxsize=REMEMBERED)
def label(text: str, size: float, fill: str = TEXT_COLOUR, *, bold: bool = False) -> Box:
    """Return a text as a box."""
    svg = write(0, size, text, size, fill=fill, font_weight="bold" if bold else None)
    return Box(width_of(text, size, bold=bold), size * 1.3, svg)


def words(text: str, size: float, fill: str = TEXT_COLOUR, *, bold: bool = False) -> Iterator[Box]:
    """Yield a text as a box for each word."""
    for word in text.split():
        yield label(word, size, fill, bold=bold)


def row(boxes: Iterable[Box], gap: float = 4) -> Box:
    """Return boxes next to each other, centred on one line."""
    return _row(tuple(boxes), gap)


@functools.lru_cache(maxsize=REMEMBERED)
def _row(boxes: tuple[Box, ...], gap: float) -> Box:
    height = max((box.height for box in boxes), default=0.0)
    x, parts = 0.0, []
    for box in boxes:
        parts.append(at(x, (height - box.height) / 2, box.svg))
        x += box.width + gap
    return Box(max(0.0, x - gap), height, "".join(parts))


def flow(boxes: Iterable[Box], width: float, gap: float = 6) -> Box:
    """Return boxes in lines of this width, broken where the next one does not fit."""
    lines: list[list[Box]] = [[]]
    used = 0.0
    for box in boxes:
        if lines[-1] and used + box.width > width:
            lines.append([])
            used = 0
        lines[-1].append(box)
        used += box.width + gap
    return column((row(line, gap) for line in lines if line), 2)


def column(boxes: Iterable[Box], gap: float = 3) -> Box:
    """Return boxes below each other."""
    boxes = [box for box in boxes if box.height]
    y, parts = 0.0, []
    for box in boxes:
        parts.append(at(0, y, box.svg))
        y += box.height + gap
    return Box(max((box.width for box in boxes), default=0.0), max(0.0, y - gap), "".join(parts))


def table(rows: Sequence[Sequence[Box]], gap: float = 10) -> Box:
    """Return boxes in rows and columns: the first column is aligned left, the others right."""
    widths = [max(box.width for box in cells) for cells in zip(*rows, strict=True)]
    lines = []
    for cells in rows:
        height, x, parts = max(box.height for box in cells), 0.0, []
        for index, (box, width) in enumerate(zip(cells, widths, strict=True)):
            parts.append(at(x + (width - box.width if index else 0), (height - box.height) / 2, box.svg))
            x += width + gap
        lines.append(Box(x - gap, height, "".join(parts)))
    return column(lines, 1)


def framed(box: Box, kind: str = "sheet", padding: float = 3) -> Box:
    """Return a box on a panel of some kind."""
    width, height = box.width + 2 * padding, box.height + 2
    return Box(width, height, panel(width, height, kind, 3) + at(padding, 1, box.svg))


def panel(width: float, height: float, kind: str, bend: float) -> str:
    """Return the rounded rectangle of a panel."""
    fill, stroke = PANELS[kind]
    return rectangle(0.5, 0.5, width - 1, height - 1, fill, stroke=stroke, rx=bend, **{"class": kind})


def dark_style() -> str:
    """Return the style that makes a picture dark where pages are; those with a style sheet, page.css, need none."""
    rules = " ".join(f".t2r .{name} {{ {rule} }}" for name, rule in DARK.items())
    return f"<style>@media (prefers-color-scheme: dark) {{ {rules} }}</style>"


def document(width: int, height: float, unit_width: float, unit_height: float, content: str) -> str:
    """Return a picture as an SVG document."""
    return element(
        "svg",
        content,
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=round(height),
        viewBox=f"0 0 {number(unit_width)} {number(unit_height)}",
        font_family=f"{FONT}, sans-serif",
        role="img",
        **{"class": "t2r"},
    )
