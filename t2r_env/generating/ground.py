"""The ground of a map: water, which routes cross by ferry, and mountains, through which they have tunnels.

All is computed in whole numbers, so that it is the same on every machine. A point is a place on the board in
thousandths of its width and height, as an int64 array (..., 2).
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from t2r_env.generating.dice import Dice

Points: TypeAlias = NDArray[np.int64]

WATER, TUNNELS, MOUNTAINS = "water", "tunnels", "mountains"
"""The kinds of areas. Mountains that have tunnels are of a kind of their own."""

_QUARTER = [(1000, 0), (924, 383), (707, 707), (383, 924)]
_CIRCLE = np.array(
    [*_QUARTER, *((-y, x) for x, y in _QUARTER), *((-x, -y) for x, y in _QUARTER), *((y, -x) for x, y in _QUARTER)]
)
"""Points of a circle around 0, 0, whose radius is 1000."""


class Board(NamedTuple):
    """A board: the proportion of its sides, and how many cities it has."""

    sides: tuple[int, int]
    """Width and height in small whole numbers. Distances are measured in points times these."""
    cities: int

    @property
    def side(self) -> int:
        """The side of a square as large as the board, as a distance."""
        return math.isqrt(1_000_000 * self.sides[0] * self.sides[1])

    @property
    def spacing(self) -> int:
        """The side of a square in which there is one city, as a distance."""
        return math.isqrt(self.side**2 // self.cities)


class Area(NamedTuple):
    """A part of the board: its kind, and its outline, (16, 2)."""

    kind: str
    outline: Points

    def holds(self, points: Points) -> NDArray[np.bool_]:
        """Return whether points (..., 2) lie in it, (...): rays from those cross the outline an odd number of times."""
        x, y = points[..., 0, None], points[..., 1, None]
        (x1, y1), (x2, y2) = self.outline.T, np.roll(self.outline, -1, axis=0).T
        side = (x2 - x1) * (y - y1) - (x - x1) * (y2 - y1)
        crossed = ((y1 > y) != (y2 > y)) & ((side > 0) == (y2 > y1))
        inside: NDArray[np.bool_] = crossed.sum(axis=-1) % 2 == 1
        return inside

    def path(self) -> str:
        """Return the outline as a closed smooth curve: path data of SVG."""
        after = (self.outline + np.roll(self.outline, -1, axis=0)) // 2
        (x, y), curves = after[-1], np.concatenate([self.outline, after], axis=1)
        return f"M{x} {y}" + "".join(f"Q{a} {b} {c} {d}" for a, b, c, d in curves.tolist()) + "Z"


def draw_area(dice: Dice, kind: str, board: Board, centre: Sequence[int], length: int, width: int) -> Area:
    """Return an area around a point, turned anyhow, with a wavy outline.

    Its length is given in percent of the board's side, its width in percent of the spacing of cities.
    """
    x, y = _CIRCLE[dice.below(len(_CIRCLE))]
    oval = _CIRCLE * (length * board.side // 200, width * board.spacing // 200)
    turned = oval @ np.array([[x, y], [-y, x]]) // 1_000_000
    waves = np.array([[dice.between(75, 125)] for _ in _CIRCLE])  # percent
    return Area(kind, np.array(centre) + turned * waves // (100 * np.array(board.sides)))


def anywhere(dice: Dice) -> tuple[int, int]:
    """Return a point of the board."""
    return dice.below(1001), dice.below(1001)


def at_the_rim(dice: Dice) -> tuple[int, int]:
    """Return a point at the rim of the board."""
    along, side = dice.below(1001), 1000 * dice.below(2)
    return (along, side) if dice.below(2) else (side, along)


def draw_water(dice: Dice, board: Board) -> list[Area]:
    """Return a sea at the rim of the board, and sounds and lakes inside."""
    sea = draw_area(dice, WATER, board, at_the_rim(dice), dice.between(60, 100), dice.between(120, 220))
    lakes = [
        draw_area(dice, WATER, board, anywhere(dice), dice.between(35, 70), dice.between(70, 110))
        for _ in range(dice.between(2, 3))
    ]
    return [sea, *lakes]


def draw_mountains(dice: Dice, board: Board, kinds: Sequence[str]) -> list[Area]:
    """Return ranges of mountains of each of these kinds."""
    return [
        draw_area(dice, kind, board, anywhere(dice), dice.between(40, 75), dice.between(90, 160))
        for kind in kinds
        for _ in range(dice.between(2, 3))
    ]


def within(areas: Sequence[Area], kind: str, points: Points) -> NDArray[np.bool_]:
    """Return whether points (..., 2) lie in an area of a kind, (...)."""
    found: NDArray[Any] = np.zeros(points.shape[:-1], np.bool_)
    for area in areas:
        if area.kind == kind:
            found |= area.holds(points)
    return found
