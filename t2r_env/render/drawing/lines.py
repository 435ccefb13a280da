"""The lines of routes: curves between cities that keep apart, and the spaces along them."""

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
_MOST_SETTLED = 8
"""How many crossings are looked at again. Each takes about half a second; maps that are drawn well have fewer."""
_AT_ONCE = 8
"""How many curves of a connection are compared with others at a time."""
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


class Bending:
    """The choice of a curve for each connection, bent so that it keeps away from other cities and connections."""

    def __init__(
        self,
        places: Mapping[str, Points],
        connections: Mapping[Pair, Connection],
        radius: float,
        thickness: float,
        size: Points,
    ) -> None:
        pairs = sorted(connections, key=lambda pair: (round(_length(places, pair), 3), pair))
        half = {pair: connections[pair].tracks * (thickness + GAP) / 2 for pair in pairs}
        self.pairs, self.half = pairs, half  # the shortest first, since they have the least room
        self.curves: dict[Pair, Points] = {}
        self.alone: dict[Pair, Points] = {}
        for pair in pairs:
            curves, bends = _curves(places[pair[0]], places[pair[1]], connections[pair].length)
            cities = np.array([place for city, place in places.items() if city not in pair]).reshape(-1, 2)
            room = size / 2 - half[pair] - connections[pair].beside - _RIM
            outside = np.maximum(0, np.abs(curves - size / 2) - room).sum(axis=(1, 2))
            self.curves[pair] = curves
            self.alone[pair] = _bent(bends) + 10 * outside + _near_cities(curves, cities, half[pair] + radius + 3)
        self.parts = {pair: _parts(self.curves[pair], places, pair, radius) for pair in pairs}
        self.beside = _neighbours(self.parts, half)
        self.costs: dict[Pair, Points] = {}
        self.chosen: dict[Pair, int] = {}

    def around(self, in_the_way: Sequence[Points]) -> dict[Pair, Points]:
        """Return a curve for each connection that keeps away from rectangles, too; those found before are kept if good.

        The rectangles are left, top, right, bottom.
        """
        before = self.costs
        boxes = np.array(in_the_way).reshape(-1, 1, 1, 4)
        self.costs = {
            pair: np.round(self.alone[pair] + _on_boxes(curves, boxes, self.half[pair] + 1), 3)
            for pair, curves in self.curves.items()
        }
        self.choose([pair for pair in self.pairs if not np.array_equal(self.costs[pair], before.get(pair, ()))])
        for one, other in self.crossing()[:_MOST_SETTLED]:
            self.settle(one, other)
            self.choose([*self.beside[one], *self.beside[other]])
        return {pair: curves[self.chosen[pair]] for pair, curves in self.curves.items()}

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

    def best(self, pair: Pair) -> tuple[int, float]:
        """Return the best curve of a connection while the others stay, and its cost."""
        others, alone, best, found = self.others(pair), self.costs[pair], np.inf, 0
        order = np.argsort(alone, kind="stable")
        for some in np.split(order, range(_AT_ONCE, len(order), _AT_ONCE)):
            if alone[some[0]] >= best:
                break
            costs = np.round(alone[some] + self.depths(pair, some, others), 3)  # the same on all machines
            if costs.min() < best:
                best, found = float(costs.min()), int(some[costs.argmin()])
        return found, best

    def others(self, pair: Pair, neighbours: Sequence[Pair] | None = None) -> "_Others":
        """Return the parts of the curves of neighbours, by default of all that have one, near a connection's curves."""
        neighbours = [it for it in self.beside[pair] if it in self.chosen] if neighbours is None else neighbours
        lines = [self.parts[it].line(self.chosen[it]) for it in neighbours]
        middles, steps = (
            np.concatenate([np.zeros((0, 2)), *(getattr(line, kind) for line in lines)]) for kind in _Parts._fields
        )
        whose = np.repeat(np.arange(len(lines)), [len(line.middles) for line in lines])
        least = np.array([self.half[it] for it in neighbours]) + self.half[pair] + _CLEAR
        near = _close_to(self.parts[pair].middles, middles, max(2 * _SAMPLE, least.max(initial=0)))
        return _Others(middles[near], steps[near], whose[near], least)

    def depths(self, pair: Pair, some: Sequence[int] | NDArray[np.intp], others: "_Others") -> Points:
        """Return for some of a connection's curves how deep they lie on others, added up along them."""
        middles, steps, whose, least = others
        if not len(whose):
            return np.zeros(len(some))
        own = _Parts(*(values[some] for values in self.parts[pair]))
        across, down = (own.middles[:, :, None, axis] - middles[:, axis] for axis in (0, 1))
        away = across * across + down * down
        begins = np.flatnonzero(np.diff(whose, prepend=-1))
        nearest = np.sqrt(np.minimum.reduceat(away, begins, axis=2))
        shared = _SAMPLE * _DEPTH * (np.fmax(0, least[whose[begins]] - nearest) ** 2).sum(axis=(1, 2))
        close = np.nonzero(away < (2 * _SAMPLE) ** 2)
        is_met = _cross(np.column_stack([across[close], down[close]]), own.steps[close[:2]], steps[close[2]])
        met = np.zeros((len(some), len(least)), bool)
        met[close[0][is_met], whose[close[2][is_met]]] = True
        depths: Points = shared + _CROSSED * met.sum(axis=1)
        return depths

    def crossing(self) -> list[tuple[Pair, Pair]]:
        """Return the connections that cross."""
        return [
            (one, other)
            for one in self.pairs
            for other in self.beside[one]
            if one < other and self.depths(one, [self.chosen[one]], self.others(one, [other]))[0] >= _CROSSED
        ]

    def settle(self, one: Pair, other: Pair) -> None:
        """Choose the best curves for two connections together."""
        best, found, alone = np.inf, (self.chosen[one], self.chosen[other]), self.costs[one]
        for it in np.argsort(alone, kind="stable").tolist():
            if alone[it] >= best:
                break
            self.chosen[one] = it
            self.chosen[other], cost = self.best(other)
            cost += alone[it] + float(self.depths(one, [it], self.others(one))[0])
            if cost < best - 1e-3:
                best, found = cost, (it, self.chosen[other])
        self.chosen[one], self.chosen[other] = found


class _Parts(NamedTuple):
    """The short straight parts of a connection's curves, or of one of them; without those at its cities."""

    middles: Points
    """(k, parts, 2); not a number at its cities, where it meets others anyway."""
    steps: Points
    """From the begin of each to its end."""

    def line(self, it: int) -> "_Parts":
        """Return those of one curve that are not at the cities."""
        is_off = ~np.isnan(self.middles[it, :, 0])
        return _Parts(self.middles[it, is_off], self.steps[it, is_off])


class _Others(NamedTuple):
    """Parts of curves of a connection's neighbours."""

    middles: Points
    steps: Points
    whose: NDArray[np.intp]
    """The number of each part's neighbour, in order."""
    least: Points
    """The distance to keep from each neighbour."""


def _length(places: Mapping[str, Points], pair: Pair) -> float:
    return float(np.hypot(*(places[pair[0]] - places[pair[1]])))


def _neighbours(parts: Mapping[Pair, _Parts], half: Mapping[Pair, float]) -> dict[Pair, list[Pair]]:
    """Return for each connection those that one of its curves may meet."""
    pairs, reach = list(parts), np.array(list(half.values()))[:, None] + _CLEAR
    low, high = (np.array(edges) for edges in zip(*(_bounds(it.middles) for it in parts.values()), strict=True))
    is_before = np.all((low - reach)[:, None] < (high + reach)[None], axis=2)
    meets = is_before & is_before.T & ~np.eye(len(pairs), dtype=bool)
    return {pair: [pairs[it] for it in np.flatnonzero(meets[row]).tolist()] for row, pair in enumerate(pairs)}


def _curves(a: Points, b: Points, spaces: int) -> tuple[Points, Points]:
    """Return the curves to choose from, (k, samples, 2), with their bends, (k, 2)."""
    most = _MOST_BENT[spaces] if spaces < len(_MOST_BENT) else np.inf
    bends = np.array([it for it in _BENDS if max(map(abs, it)) <= most])
    steps = np.linspace(0, 1, max(10, int(np.hypot(*(b - a)) / _SAMPLE)))
    normal = np.array([a[1] - b[1], b[0] - a[0]])
    straight = a + steps[:, None] * (b - a)
    aside = np.outer(bends[:, 0], 3 * steps * (1 - steps) ** 2) + np.outer(bends[:, 1], 3 * steps**2 * (1 - steps))
    return straight[None] + aside[:, :, None] * normal, bends


def _bent(bends: Points) -> Points:
    """Return the costs of bends."""
    costs: Points = _BENT * (bends**2).sum(axis=1) + _BENT * (bends[:, 0] - bends[:, 1]) ** 2 / 4
    return costs


def _near_cities(curves: Points, cities: Points, least: float) -> Points:
    """Return the cost of curves for being closer than this to cities."""
    cities = cities[_close_to(curves, cities, least)]
    across, down = (curves[:, :, None, axis] - cities[:, axis] for axis in (0, 1))
    away = np.sqrt(across * across + down * down)
    costs: Points = 3 * _SAMPLE * _DEPTH * (np.maximum(0, least - away) ** 2).sum(axis=(1, 2))
    return costs


def _close_to(curves: Points, points: Points, reach: float) -> NDArray[np.bool_]:
    """Return which points are at most this far from the rectangle around curves."""
    low, high = _bounds(curves)
    is_close: NDArray[np.bool_] = np.all((points > low - reach) & (points < high + reach), axis=1)
    return is_close


def _bounds(curves: Points) -> tuple[Points, Points]:
    """Return the least and the largest coordinates of curves."""
    points = curves.reshape(-1, 2)
    return np.fmin.reduce(points, axis=0, initial=np.inf), np.fmax.reduce(points, axis=0, initial=-np.inf)


def _on_boxes(curves: Points, boxes: Points, half: float) -> Points:
    """Return the cost of curves of this half breadth for lying on rectangles."""
    inside = np.minimum(curves - boxes[..., :2], boxes[..., 2:] - curves).min(axis=-1) + half
    costs: Points = 15 * np.maximum(0, inside).sum(axis=(0, 2))
    return costs


def _parts(curves: Points, places: Mapping[str, Points], pair: Pair, radius: float) -> _Parts:
    """Return the parts of curves."""
    middles = (curves[:, 1:] + curves[:, :-1]) / 2
    for city in pair:
        middles[np.hypot(*np.moveaxis(middles - places[city], -1, 0)) < 2 * radius] = np.nan
    return _Parts(middles, np.diff(curves, axis=1))


def _cross(between: Points, steps: Points, others: Points) -> NDArray[np.bool_]:
    """Return which straight parts cross the others, from the vectors between their middles and along them, (k, 2)."""
    across = np.abs(_turned(steps, others)) / 2
    met: NDArray[np.bool_] = (np.abs(_turned(between, steps)) < across) & (np.abs(_turned(between, others)) < across)
    return met


def _turned(one: Points, other: Points) -> Points:
    """Return the cross products of vectors, (k, 2)."""
    products: Points = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    return products


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
