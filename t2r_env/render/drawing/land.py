"""The land under a map: the outlines of a variant's land.svg, placed as its cities are."""

import re
from collections.abc import Mapping

from t2r_env.render.drawing.board import Board
from t2r_env.render.drawing.palette import ABROAD, BORDER, COAST, FRAME, LAND, MOUNTAINS, PAPER, RIVER, WATER
from t2r_env.render.drawing.shapes import element, number, rectangle
from t2r_env.variants import MapVariant

_STYLES: Mapping[str, Mapping[str, object]] = {
    "land": {"fill": LAND, "stroke": COAST, "stroke_width": 1.0, "fill_rule": "evenodd", "stroke_linejoin": "round"},
    "abroad": {
        "fill": ABROAD,
        "stroke": COAST,
        "stroke_width": 0.8,
        "fill_rule": "evenodd",
        "stroke_linejoin": "round",
    },
    "mountains": {"fill": MOUNTAINS, "stroke": BORDER, "stroke_width": 0.6},
    "water": {"fill": WATER, "stroke": COAST, "stroke_width": 0.8, "fill_rule": "evenodd"},
    "lake": {"fill": WATER, "stroke": COAST, "stroke_width": 0.8, "fill_rule": "evenodd"},
    "coast": {"fill": "none", "stroke": COAST, "stroke_width": 1.0},
    "border": {"fill": "none", "stroke": BORDER, "stroke_width": 0.9, "stroke_dasharray": "5 2.5"},
    "river": {"fill": "none", "stroke": RIVER, "stroke_width": 1.4, "stroke_linejoin": "round"},
}


def ground(variant: MapVariant, board: Board) -> str:
    """Return the ground of a map: its land and water, or paper for a map without land."""
    key = ("land",)
    if key not in board.drawn:
        board.drawn[key] = _ground(variant, board)
    return board.drawn[key]


def _ground(variant: MapVariant, board: Board) -> str:
    frame = rectangle(0.5, 0.5, board.width - 1, board.height - 1, "none", stroke=FRAME, **{"class": "edge"})
    if not variant.land:
        return rectangle(0, 0, board.width, board.height, PAPER, **{"class": "paper"}) + frame
    sea = rectangle(0, 0, board.width, board.height, WATER, **{"class": "water"})
    paths = (
        element("path", d=placed(shape.path, board), **{"class": shape.kind}, **_STYLES[shape.kind])
        for shape in variant.land
    )
    name = f"board-{number(board.width)}-{number(board.height)}"  # boards of one size may share it on a page
    inside = element("clipPath", rectangle(0, 0, board.width, board.height, LAND), id=name)
    content = sea + "".join(paths)
    return inside + element("g", content, clip_path=f"url(#{name})", pointer_events="none") + frame


_NUMBERS = {"M": "xy", "L": "xy", "H": "x", "V": "y", "C": "xy", "Q": "xy", "Z": ""}
"""The meanings of the numbers of each command of a path."""
_COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_NUMBER = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")


def placed(path: str, board: Board) -> str:
    """Return path data, in thousandths of the variant's coordinates, in the board's units."""
    ways = {axis: (scale / 1000, origin) for axis, scale, origin in zip("xy", board.scale, board.origin, strict=True)}
    parts = []
    for command, given in _COMMAND.findall(path):
        axes = _NUMBERS[command.upper()]
        written = ""
        for index, text in enumerate(_NUMBER.findall(given)):
            scale, origin = ways[axes[index % len(axes)]]
            value = number(float(text) * scale + (0 if command.islower() else origin))
            written += value if value.startswith("-") or not written else f" {value}"
        parts.append(command + written)
    return "".join(parts)
