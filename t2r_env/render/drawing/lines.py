"""The lines of routes: curves between cities that keep apart, and the spaces along them."""

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from t2r_env.render.drawing.names import Points

Pair = tuple[str, str]
"""The cities of a connection, which has one route or several tracks."""

GAP = 1.6
"""Between the spaces of a route, and between tracks."""

_STRAIGHT = (0.0, 0.0)
_BOWS = tuple((bend, bend) for bend in (0.1, -0.1, 0.2, -0.2, 0.3, -0.3, 0.42, -0.42))
_WAVES = tuple(it for it in itertools.product((0.0, 0.1, -0.1, 0.2, -0.2, 0.34, -0.34), repeat=2) if it[0] != it[1])
_BENDS = (_STRAIGHT, *_BOWS, *_WAVES)
"""How far a connection leaves the straight line at a third and at two thirds of it, by its length."""
_MOST_BENT = (0.0, 0.12, 0.3)
"""The most for connections of one space and of two: spaces are straight, so they would lie off their cities."""
_BENT = 500.0
"""The cost of bends."""
_DEPTH = 0.25
"""The cost of lying on another connection, by the square of how deep, along the curve."""
_CROSSED = 2000.0
"""The cost of crossing one."""
_SAMPLE = 7.0
"""The distance of the points of a curve that are compared with others."""
_ROUNDS = 6
_CLEAR = 1.5
"""Between connections."""
_RIM = 3.0
"""Between a connection and the rim of the map."""
_FARTHEST = 2.0
"""How far from its city a route may begin, by its thickness beyond the rim."""


class Space(NamedTuple):
    """A space of a route: its centre, its angle in degrees and its length."""

    x: float
    y: float
    angle: float
    length: float


class Connection(NamedTuple):
    """Two cities that routes join."""

    tracks: int
    length: int
    """The spaces of the shortest of its routes."""
    beside: float = 0.0
    """How much room what is written next to it takes, in units."""


def bend(
    places: Mapping[str, Points],
    connections: Mapping[Pair, Connection],
    radius: float,
    thickness: float,
    size: Points,
    in_the_way: Sequence[Points],
) -> dict[Pair, Points]:
    """Return a curve for each connection, bent so that it keeps away from other cities, connections and rectangles."""
    bending = _Bending(places, connections, radius, thickness, size, in_the_way)
    bending.choose(bending.pairs)
    for one, other in bending.crossing():
        bending.settle(one, other)
        bending.choose([*bending.beside[one], *bending.beside[other]])
    return {pair: bending.curves[pair][0][bending.chosen[pair]] for pair in connections}


class _Bending:
    """The choice of a curve for each connection."""

    def __init__(
        self,
        places: Mapping[str, Points],
        connections: Mapping[Pair, Connection],
        radius: float,
        thickness: float,
        size: Points,
        in_the_way: Sequence[Points],
    ) -> None:
        pairs = sorted(connections, key=lambda pair: (round(_length(places, pair), 3), pair))
        half = {pair: connections[pair].tracks * (thickness + GAP) / 2 for pair in pairs}
        self.pairs, self.half = pairs, half  # the shortest first, since they have the least room
        self.curves = {pair: _curves(places[pair[0]], places[pair[1]], connections[pair].length) for pair in pairs}
        self.beside = _neighbours(places, pairs)
        self.alone = {
            pair: _costs_alone(
                *self.curves[pair],
                pair,
                places,
                half[pair] + radius + 3,
                size / 2 - half[pair] - connections[pair].beside - _RIM,
                in_the_way,
                half[pair] + 1,
                size / 2,
            )
            for pair in pairs
        }
        self.inner = {pair: _off_cities(self.curves[pair][0], places, pair, radius) for pair in pairs}
        self.low = {pair: np.fmin.reduce(lines, axis=1) for pair, lines in self.inner.items()}
        self.high = {pair: np.fmax.reduce(lines, axis=1) for pair, lines in self.inner.items()}
        self.chosen: dict[Pair, int] = {}

    def choose(self, pairs: Sequence[Pair]) -> None:
        """Choose the best curves for connections, and again for the neighbours of curves that change."""
        stale = set(pairs)
        for _ in range(_ROUNDS):
            for pair in [it for it in self.pairs if it in stale]:
                before = self.chosen.get(pair)
                self.chosen[pair], _ = self.best(pair)
                stale.discard(pair)
                if self.chosen[pair] != before:
                    stale.update(self.beside[pair])

    def others(self, pair: Pair) -> "_Lines":
        """Return the curves chosen for the neighbours of a connection."""
        return self.lines([it for it in self.beside[pair] if it in self.chosen], self.half[pair] + _CLEAR)

    def lines(self, pairs: Sequence[Pair], half: float) -> "_Lines":
        """Return the curves chosen for connections, from which one of this half breadth keeps away."""
        chosen = [(pair, self.chosen[pair]) for pair in pairs]
        return _Lines(
            [self.inner[pair][it] for pair, it in chosen],
            np.array([self.low[pair][it] for pair, it in chosen]).reshape(-1, 2),
            np.array([self.high[pair][it] for pair, it in chosen]).reshape(-1, 2),
            np.array([self.half[pair] + half for pair in pairs]),
        )

    def depth(self, pair: Pair, it: int, others: "_Lines") -> float:
        """Return how deep one of a connection's curves lies on others."""
        return others.depth(self.inner[pair][it], self.low[pair][it], self.high[pair][it])

    def best(self, pair: Pair) -> tuple[int, float]:
        """Return the best curve of a connection while the others stay, and its cost."""
        others, best, found = self.others(pair), np.inf, 0
        for it in np.argsort(self.alone[pair], kind="stable").tolist():
            if self.alone[pair][it] >= best:
                break
            cost = self.alone[pair][it] + self.depth(pair, it, others)
            if cost < best - 1e-3:  # less than that may differ from machine to machine
                best, found = cost, it
        return found, best

    def crossing(self) -> list[tuple[Pair, Pair]]:
        """Return the connections that cross."""
        return [
            (one, other)
            for one in self.pairs
            for other in self.beside[one]
            if one < other and self.depth(one, self.chosen[one], self.lines([other], self.half[one])) >= _CROSSED
        ]

    def settle(self, one: Pair, other: Pair) -> None:
        """Choose the best curves for two connections together."""
        best, found = np.inf, (self.chosen[one], self.chosen[other])
        for it in np.argsort(self.alone[one], kind="stable").tolist():
            if self.alone[one][it] >= best:
                break
            self.chosen[one] = it
            self.chosen[other], cost = self.best(other)
            cost += self.alone[one][it] + self.depth(one, it, self.others(one))
            if cost < best - 1e-3:
                best, found = cost, (it, self.chosen[other])
        self.chosen[one], self.chosen[other] = found


def _length(places: Mapping[str, Points], pair: Pair) -> float:
    return float(np.hypot(*(places[pair[0]] - places[pair[1]])))


def _neighbours(places: Mapping[str, Points], pairs: Sequence[Pair]) -> dict[Pair, list[Pair]]:
    """Return for each connection those that it may meet: no curve leads farther from its middle than the reach."""
    middles = np.array([(places[a] + places[b]) / 2 for a, b in pairs])
    reaches = np.array([0.6 * _length(places, pair) + 20 for pair in pairs])
    near = np.hypot(*(middles[:, None] - middles[None]).transpose(2, 0, 1)) < reaches[:, None] + reaches[None]
    return {
        pair: [pairs[it] for it in np.flatnonzero(near[row]).tolist() if it != row] for row, pair in enumerate(pairs)
    }


def _curves(a: Points, b: Points, spaces: int) -> tuple[Points, Points]:
    """Return the curves to choose from, (k, samples, 2), with their bends, (k, 2)."""
    most = _MOST_BENT[spaces] if spaces < len(_MOST_BENT) else np.inf
    bends = np.array([it for it in _BENDS if max(map(abs, it)) <= most])
    steps = np.linspace(0, 1, int(np.clip(np.hypot(*(b - a)) / _SAMPLE, 10, 60)))
    normal = np.array([a[1] - b[1], b[0] - a[0]])
    straight = a + steps[:, None] * (b - a)
    aside = np.outer(bends[:, 0], 3 * steps * (1 - steps) ** 2) + np.outer(bends[:, 1], 3 * steps**2 * (1 - steps))
    return straight[None] + aside[:, :, None] * normal, bends


def _costs_alone(
    lines: Points,
    bends: Points,
    pair: Pair,
    places: Mapping[str, Points],
    least: float,
    room: Points,
    in_the_way: Sequence[Points],
    half: float,
    middle: Points,
) -> Points:
    """Return what each curve costs whatever the others are: its bends, and what it does to other cities and the rim.

    `room` is how far from the middle of the map it may go.
    """
    cities = np.array([place for city, place in places.items() if city not in pair]).reshape(-1, 2)
    costs = _BENT * (bends**2).sum(axis=1) + _BENT * (bends[:, 0] - bends[:, 1]) ** 2 / 4
    costs += 10 * np.maximum(0, np.abs(lines - middle) - room).sum(axis=(1, 2))
    away = np.hypot(*np.moveaxis(lines[:, :, None] - cities, -1, 0))
    costs += 3 * _SAMPLE * _DEPTH * (np.maximum(0, least - away) ** 2).sum(axis=(1, 2))
    boxes = np.array(in_the_way).reshape(-1, 1, 1, 4)
    inside = np.minimum(lines[None] - boxes[..., :2], boxes[..., 2:] - lines[None]).min(axis=-1) + half
    costs += 15 * np.maximum(0, inside).sum(axis=(0, 2))
    rounded: Points = np.round(costs, 3)
    return rounded


def _off_cities(lines: Points, places: Mapping[str, Points], pair: Pair, radius: float) -> Points:
    """Return lines without their points at their own cities, where they meet others anyway: those are not a number."""
    kept = lines.copy()
    for city in pair:
        kept[np.hypot(*np.moveaxis(lines - places[city], -1, 0)) < 1.5 * radius] = np.nan
    return kept


class _Lines:
    """Lines from which another one is to keep away."""

    def __init__(self, lines: Sequence[Points], low: Points, high: Points, least: Points) -> None:
        """Take lines with their least and largest coordinates, (k, 2), and the distance to keep from each, (k,)."""
        self.lines, self.least = lines, least
        self.low, self.high = low - least[:, None], high + least[:, None]

    def depth(self, line: Points, low: Points, high: Points) -> float:
        """Return how much closer than allowed a line is to each of the others, added up along it.

        `low` and `high` are its least and largest coordinates, (2,).
        """
        is_near = (high > self.low) & (low < self.high)
        near = np.flatnonzero(is_near.all(axis=1))
        if not len(near):
            return 0.0
        lines, least = [self.lines[it] for it in near.tolist()], self.least[near]
        points = np.concatenate(lines)
        away = np.hypot(line[:, 0, None] - points[None, :, 0], line[:, 1, None] - points[None, :, 1])
        nearest = np.fmin.reduceat(away, np.cumsum([0, *map(len, lines[:-1])]), axis=1)
        shared = _SAMPLE * _DEPTH * (np.fmax(0, least - nearest) ** 2).sum()
        close = np.flatnonzero((nearest < _SAMPLE).any(axis=0))
        return float(shared + _CROSSED * sum(_crosses(line, lines[it]) for it in close.tolist()))


def _crosses(line: Points, other: Points) -> bool:
    """Return whether two lines cross."""
    (p, r), (q, s) = ((it[:-1], np.diff(it, axis=0)) for it in (line, other))
    between = q[None] - p[:, None]
    across = r[:, None, 0] * s[None, :, 1] - r[:, None, 1] * s[None, :, 0]
    across[across == 0] = np.nan  # they are parallel
    first = (between[..., 0] * s[None, :, 1] - between[..., 1] * s[None, :, 0]) / across
    second = (between[..., 0] * r[:, None, 1] - between[..., 1] * r[:, None, 0]) / across
    return bool(((first >= 0) & (first <= 1) & (second >= 0) & (second <= 1)).any())


def beside(line: Points, distance: float) -> Points:
    """Return a line at this distance to the side of another."""
    moved: Points = line + distance * _normals(line)
    return moved


def _normals(line: Points) -> Points:
    """Return the directions to the side of each point of a line."""
    along = np.gradient(line, axis=0)
    along /= np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)[:, None]
    return np.column_stack([-along[:, 1], along[:, 0]])


def starts(
    lines: Mapping[tuple[str, str, int], Points], radius: float, thickness: float
) -> dict[tuple[str, str, int], tuple[float, float]]:
    """Return how far from each of its ends each route begins: where it is clear of the others at that city."""
    first, last = radius + 1.5, radius + _FARTHEST * thickness
    steps = np.arange(first, last, 1.0)
    ends: dict[str, list[tuple[tuple[str, str, int], int, Points]]] = defaultdict(list)
    for key, line in lines.items():
        ends[key[0]].append((key, 0, _along(line, steps)))
        ends[key[1]].append((key, 1, _along(line[::-1], steps)))
    found = {key: [first, first] for key in lines}
    for there in ends.values():
        for (one, side, points), (other, other_side, others) in itertools.combinations(there, 2):
            close = np.flatnonzero(np.hypot(*(points - others).T) < thickness + 2)
            if len(close) and one[:2] != other[:2]:
                found[one][side] = max(found[one][side], float(steps[close[-1]]) + 1)
                found[other][other_side] = max(found[other][other_side], float(steps[close[-1]]) + 1)
    together = {
        pair: np.max([found[key] for key in group], axis=0)
        for pair, group in itertools.groupby(lines, lambda key: key[:2])
    }
    return {key: (float(together[key[:2]][0]), float(together[key[:2]][1])) for key in lines}


def _along(values: Points, distances: Points, line: Points | None = None) -> Points:
    """Return values of points of a line, or these points themselves, at distances along it, up to its end."""
    way = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(values if line is None else line, axis=0).T))])
    return np.column_stack([np.interp(distances, way, values[:, axis]) for axis in (0, 1)])


def spaces(line: Points, number: int, begin: float, end: float, aside: float) -> list[Space]:
    """Return spaces of one length at the side of a line, from and to a distance of its ends."""
    way = float(np.hypot(*np.diff(line, axis=0).T).sum())
    room = 0.8 * way / (number + 1.5)  # for each end at most
    places = np.linspace(min(begin, room), way - min(end, room), 2 * number + 1)
    moved = _along(line, places) + aside * _along(_normals(line), places, line)
    corners, middles = moved[::2], moved[1::2]
    return [
        Space(float(x), float(y), float(np.degrees(np.arctan2(dy, dx))), max(2.0, float(np.hypot(dx, dy)) - GAP))
        for (x, y), (dx, dy) in zip(middles, np.diff(corners, axis=0), strict=True)
    ]
