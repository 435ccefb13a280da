"""The places of the names of companies next to their routes: off other routes, cities and each other."""

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from t2r_env.render.drawing.lines import Space
from t2r_env.render.drawing.names import Points
from t2r_env.render.drawing.shapes import width_of

Track = tuple[str, str, int]
"""A route: its cities and the number of its track."""

LETTERS = 9.0
"""The size of the names, unless a route is too short for that."""
HEIGHT = 0.95
"""The height of letters, by their size."""
_SMALLER = (1.0, 0.9, 0.8, 0.7)
_LONGEST = 1.2
"""How long names may be, by their route."""
_AWAY = 1.0
"""Between names and the spaces of their route."""
_ALONG = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)
"""The places of a name's middle, by the length of its route."""
_ROUNDS = 4
_COVERED = 100.0
"""The cost of lying on something, and as much for each unit of depth."""


class CompanyName(NamedTuple):
    """The names of the companies of a route, as they are written next to it."""

    text: str
    size: float
    place: Space
    """The rectangle that it takes, of `HEIGHT` by its size; not upside down."""


class Rectangles(NamedTuple):
    """Rectangles that are turned."""

    middles: Points
    halves: Points
    """Half their lengths and heights, (k, 2)."""
    turns: Points
    """In radians, (k,)."""


def rectangles(spaces: Sequence[Space], heights: float | Points) -> Rectangles:
    """Return the rectangles of spaces of these heights."""
    columns = np.array(spaces).reshape(-1, 4)
    halves = np.column_stack([columns[:, 3], np.broadcast_to(heights, len(columns))]) / 2
    return Rectangles(columns[:, :2], halves, np.radians(columns[:, 2]))


def _rectangles_of(names: Sequence[CompanyName]) -> Rectangles:
    return rectangles([it.place for it in names], HEIGHT * np.array([it.size for it in names]))


def overlaps(one: Rectangles, other: Rectangles) -> Points:
    """Return how deep rectangles (rows) lie in others (columns); 0 or less: not at all."""
    away = other.middles[None] - one.middles[:, None]
    turn = other.turns[None] - one.turns[:, None]
    along, across = np.abs(np.cos(turn)), np.abs(np.sin(turn))
    depths = np.full(turn.shape, np.inf)
    for turns, own, others in (
        (one.turns[:, None], one.halves[:, None], other.halves[None]),
        (other.turns[None], other.halves[None], one.halves[:, None]),
    ):
        x = np.abs(away[..., 0] * np.cos(turns) + away[..., 1] * np.sin(turns))
        y = np.abs(away[..., 1] * np.cos(turns) - away[..., 0] * np.sin(turns))
        depths = np.minimum(depths, own[..., 0] + others[..., 0] * along + others[..., 1] * across - x)
        depths = np.minimum(depths, own[..., 1] + others[..., 0] * across + others[..., 1] * along - y)
    return depths


def place_company_names(
    texts: Mapping[tuple[Track, ...], str],
    spaces: Mapping[Track, Sequence[Space]],
    thickness: float,
    cities: Points,
    radius: float,
    size: tuple[float, float],
) -> dict[Track, CompanyName]:
    """Return a place for each text next to its parallel tracks, by the first of them."""
    discs = Rectangles(cities, np.full(cities.shape, 0.9 * radius), np.zeros(len(cities)))
    every = rectangles([space for line in spaces.values() for space in line], thickness)
    whose = np.repeat(np.arange(len(spaces)), [len(line) for line in spaces.values()])
    ranks = {track: rank for rank, track in enumerate(spaces)}
    found: dict[Track, _Places] = {}
    for tracks, text in texts.items():
        others = _some(every, ~np.isin(whose, [ranks[it] for it in tracks]))
        found[tracks[0]] = _places(text, thickness, spaces[tracks[0]], spaces[tracks[-1]], (discs, others), size)
    chosen: dict[Track, int] = {}
    for _ in range(_ROUNDS):
        for track in sorted(found, key=lambda track: (-float(found[track].costs.min()), track)):
            rest = _rectangles_of([found[it].names[chosen[it]] for it in chosen if it != track])
            costs = found[track].costs + _covered(found[track].rectangles, rest)
            chosen[track] = int(np.round(costs, 3).argmin())
    return {track: found[track].names[it] for track, it in chosen.items()}


class _Places(NamedTuple):
    """The places for a text."""

    names: Sequence[CompanyName]
    rectangles: Rectangles
    costs: Points


def _places(
    text: str,
    thickness: float,
    first: Sequence[Space],
    last: Sequence[Space],
    taken: Sequence[Rectangles],
    size: tuple[float, float],
) -> _Places:
    """Return the places for a text next to parallel tracks, in the largest letters for which one is free."""
    for part in _SMALLER:
        names = _beside(text, part, thickness, first, last)
        here = _rectangles_of(names)
        outside = np.abs(here.middles - np.array(size) / 2) + here.halves[:, :1] - np.array(size) / 2
        costs = np.arange(len(names)) + _COVERED * np.maximum(0, outside).sum(axis=1)
        costs += sum(_covered(here, others) for others in taken)
        if costs.min() < _COVERED:
            break
    return _Places(names, here, costs)


def _some(them: Rectangles, which: NDArray[np.bool_]) -> Rectangles:
    return Rectangles(*(values[which] for values in them))


def _covered(here: Rectangles, others: Rectangles) -> Points:
    """Return what it costs rectangles to lie on others."""
    reach = here.halves.sum(axis=1).max() + others.halves.sum(axis=1).max(initial=0)
    low, high = here.middles.min(axis=0) - reach, here.middles.max(axis=0) + reach
    near = _some(others, ((others.middles > low) & (others.middles < high)).all(axis=1))
    depths = overlaps(here, near)
    costs: Points = (_COVERED * ((depths > 0) + np.maximum(0, depths))).sum(axis=1)
    return costs


def _beside(
    text: str, part: float, thickness: float, first: Sequence[Space], last: Sequence[Space]
) -> list[CompanyName]:
    """Return places for a text at the outer sides of the first and the last of parallel tracks, the best first.

    `part` is the size of its letters, by the usual one.
    """
    names = []
    lines = [
        np.array([_end(track[0], -0.5), *((it.x, it.y) for it in track), _end(track[-1], 0.5)])
        for track in (first, last)
    ]
    ways = [np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))]) for line in lines]
    size = part * min(LETTERS, _LONGEST * ways[0][-1] / max(0.1, width_of(text, 1)))
    length = width_of(text, size)
    for along, (line, way, side) in itertools.product(_ALONG, zip(lines, ways, (-1, 1), strict=True)):
        steps = along * way[-1] + np.linspace(-length / 2, length / 2, 9)
        points = np.column_stack([np.interp(steps, way, line[:, axis]) for axis in (0, 1)])
        turn = math.atan2(*(points[-1] - points[0])[::-1])
        normal = side * np.array([-math.sin(turn), math.cos(turn)])
        bulge = ((points - points[4]) @ normal).max()  # the route may be bent
        x, y = points[4] + (bulge + thickness / 2 + _AWAY + HEIGHT * size / 2) * normal
        angle = (math.degrees(turn) + 90) % 180 - 90
        names.append(CompanyName(text, size, Space(float(x), float(y), angle, length)))
    return names


def _end(space: Space, part: float) -> tuple[float, float]:
    """Return an end of a space."""
    turn = math.radians(space.angle)
    return space.x + part * space.length * math.cos(turn), space.y + part * space.length * math.sin(turn)
