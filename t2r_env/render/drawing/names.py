"""The places of names on a map: each nearest to its own city, off the letters of routes and off other names."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from t2r_env.render.drawing.shapes import width_of

Points = NDArray[np.float64]
"""Points, (k, 2)."""
Boxes = NDArray[np.float64]
"""Rectangles, (k, 4): left, top, right, bottom."""

LINE = 1.08
"""The height of a line, by the size of its letters."""
_BASELINE = 0.84
_GAPS = (3.0, 6.0, 10.0, 15.0, 21.0)
"""Distances of names from the rims of their cities."""
_SLIDES = (0.0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75)
"""How far a name is moved along its city, by its own width or height; half of it: the name begins or ends there."""
_SMALLER = (1.0, 0.9, 0.8)
_FAULT = 1000.0
"""The cost of a name on a letter or another name, or nearer to another city."""
_ON_ROUTE = 400.0
"""The cost of a name on a route: smaller letters are better than that."""
_TOO_SMALL = 200.0
_TROUBLE = 150.0
"""Names whose places cost more are tried smaller, too, and everywhere around their cities."""
_STEP = 2.5
"""Between those places."""
_FARTHEST = 28.0
"""How far from the rim of its city a name may be."""
_ROUNDS = 8
_AROUND = 40.0
"""A limit: things farther from all places of a name have no part in its choice."""


class Name(NamedTuple):
    """A name as it is written on the map."""

    size: float
    lines: Sequence[tuple[str, float, float]]
    """Each line with the middle of its baseline."""
    box: tuple[float, float, float, float]
    """Left, top, right, bottom."""


class Surroundings(NamedTuple):
    """The things that names keep away from."""

    cities: Points
    radius: float
    routes: Points
    """Points along the routes."""
    reach: float
    """How far the routes reach from there."""
    letters: Points
    letter_reach: float
    size: tuple[float, float]
    """The width and height of the map."""


class _Candidates(NamedTuple):
    """The places for a name."""

    ways: Sequence[tuple[Sequence[str], float]]
    """The lines of each, and the size of their letters."""
    boxes: Boxes
    costs: Points

    def name(self, rank: int) -> Name:
        """Return the name at one of the places."""
        lines, letter = self.ways[rank]
        left, top, right, bottom = self.boxes[rank].tolist()
        baselines = (top + letter * (_BASELINE + LINE * line) for line in range(len(lines)))
        return Name(
            letter,
            [(it, (left + right) / 2, y) for it, y in zip(lines, baselines, strict=True)],
            (left, top, right, bottom),
        )


def place_names(
    cities: Mapping[str, tuple[float, float]],
    names: Mapping[str, str],
    sizes: Mapping[str, float],
    least: tuple[float, float],
    sideways: Mapping[str, float],
    rims: Mapping[str, float],
    around: Surroundings,
) -> dict[str, Name]:
    """Return a place for each name; letters are smaller where there is no room, down to the first of `least`.

    Names smaller than the second are chosen only where each larger one would be on a letter or on another name, or
    nearer to another city.

    `rims` are the radii of the cities; `sideways` is the cost of a place to the right or left of a city.
    """
    given = {
        city: (names[city], cities[city], sizes[city], least, sideways.get(city, 0.0), rims[city]) for city in names
    }
    found = {city: _candidates(_places, _SMALLER[:1], *it, around) for city, it in given.items()}
    chosen: dict[str, int] = {}
    _choose(found, chosen)
    for city in [it for it in chosen if _cost(found, chosen, it) >= _TROUBLE]:
        usual, all_places = (_candidates(it, _SMALLER, *given[city], around) for it in (_places, _all_places))
        found[city] = _joined(usual, all_places)
    _choose(found, chosen)
    return {city: found[city].name(chosen[city]) for city in names}


def names_on_routes(names: Mapping[str, Name], around: Surroundings) -> list[str]:
    """Return the cities whose names lie on routes."""
    boxes = np.array([name.box for name in names.values()]).reshape(-1, 4)
    nearest = _distances(boxes, around.routes).min(axis=1, initial=np.inf)
    return [city for city, away in zip(names, nearest, strict=True) if away < around.reach - 0.5]


def _choose(found: Mapping[str, _Candidates], chosen: dict[str, int]) -> None:
    """Choose places for all names, those with the least room first; then again while others change."""
    order = sorted(found, key=lambda city: (-float(found[city].costs.min()), city))
    for _ in range(_ROUNDS):
        before = dict(chosen)
        for city in order:
            others = np.array([found[it].boxes[chosen[it]] for it in chosen if it != city]).reshape(-1, 4)
            reach = found[city].boxes[:, :2].min(axis=0) - 3, found[city].boxes[:, 2:].max(axis=0) + 3
            others = others[((others[:, 2:] > reach[0]) & (others[:, :2] < reach[1])).all(axis=1)]
            costs = found[city].costs + _shared(found[city].boxes, others).sum(axis=1)
            chosen[city] = int(np.round(costs, 3).argmin())  # rounded, so that it is the same everywhere
        for one, other in _conflicts(found, chosen):
            _settle(found, chosen, one, other)
        if chosen == before:
            break


def _cost(found: Mapping[str, _Candidates], chosen: Mapping[str, int], city: str) -> float:
    """Return what the place of a name costs."""
    others = np.array([found[it].boxes[chosen[it]] for it in chosen if it != city]).reshape(-1, 4)
    place = chosen[city]
    return float(found[city].costs[place] + _shared(found[city].boxes[place : place + 1], others).sum())


def _joined(one: _Candidates, other: _Candidates) -> _Candidates:
    """Return more places."""
    return _Candidates(
        [*one.ways, *other.ways], np.concatenate([one.boxes, other.boxes]), np.concatenate([one.costs, other.costs])
    )


def _conflicts(found: Mapping[str, _Candidates], chosen: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield pairs of cities whose names are in each other's way."""
    cities = list(chosen)
    boxes = np.array([found[city].boxes[chosen[city]] for city in cities]).reshape(-1, 4)
    for one, other in np.argwhere(np.triu(_shared(boxes, boxes), 1) > 0).tolist():
        yield cities[one], cities[other]


def _settle(found: Mapping[str, _Candidates], chosen: dict[str, int], one: str, other: str) -> None:
    """Choose the best places for two names together."""
    rest = np.array([found[it].boxes[chosen[it]] for it in chosen if it not in (one, other)]).reshape(-1, 4)
    costs = [found[it].costs + _shared(found[it].boxes, rest).sum(axis=1) for it in (one, other)]
    both = costs[0][:, None] + costs[1][None] + _shared(found[one].boxes, found[other].boxes)
    best = int(np.round(both, 3).argmin())
    chosen[one], chosen[other] = divmod(best, len(costs[1]))


def _candidates(
    places: Callable[[float, float, float], tuple[Points, Points]],
    parts: Sequence[float],
    name: str,
    place: tuple[float, float],
    size: float,
    least: tuple[float, float],
    sideways: float,
    rim: float,
    around: Surroundings,
) -> _Candidates:
    """Return places for a name, with their costs."""
    ways: list[tuple[Sequence[str], float]] = []
    boxes, costs = [np.zeros((0, 4))], [np.zeros(0)]
    smallest, usual = least
    for letter in dict.fromkeys(max(smallest, round(size * part, 2)) for part in parts):
        for lines in _ways(name):
            width, height = max(width_of(line, letter) for line in lines), letter * LINE * len(lines)
            middles, cost = places(width, height, rim)
            half = np.array([width, height]) / 2
            found = np.concatenate([place + middles - half, place + middles + half], axis=1)
            is_sideways = (found[:, 0] > place[0]) | (found[:, 2] < place[0])
            smaller = (size - letter) * 12 + _TOO_SMALL * (letter < usual)
            ways += [(lines, letter)] * len(found)
            boxes.append(found)
            costs.append(cost + smaller + 3 * (len(lines) - 1) + sideways * is_sideways)
    together = np.concatenate(boxes)
    return _Candidates(ways, together, np.concatenate(costs) + _covered(together, np.array(place), around))


def _ways(name: str) -> Iterator[list[str]]:
    """Yield a name in one line, and in two or three."""
    yield [name]
    parts = [part for part in re.split(r"(?<=[-/])| ", name) if part]
    joined = [part if part.endswith("-") else f"{part} " for part in parts]
    if len(parts) > 1:
        cuts = range(1, len(parts))
        yield min(
            (["".join(joined[:cut]).strip(), "".join(joined[cut:]).strip()] for cut in cuts),
            key=lambda lines: max(map(len, lines)),
        )


def _places(width: float, height: float, rim: float) -> tuple[Points, Points]:
    """Return the usual middles of a name around its city, nearest first, and what each costs."""
    middles, costs = [], []
    for gap in _GAPS:
        for right, down in ((1, 0), (-1, 0), (0, -1), (0, 1)):
            for slide in _SLIDES:
                across = right * (gap + rim + width / 2) + abs(down) * slide * width
                middles.append((across, down * (gap + rim + height / 2) + abs(right) * slide * 1.6 * height))
                costs.append(1.2 * gap + 5 * abs(slide))
    allowed = _gaps(np.array(middles), width, height, rim) < _FARTHEST
    return np.array(middles)[allowed], np.array(costs)[allowed]


def _all_places(width: float, height: float, rim: float) -> tuple[Points, Points]:
    """Return middles of a name everywhere around its city, for those that have no room at the usual places."""
    half = np.array([width, height]) / 2
    reach = half + rim + _FARTHEST
    across, down = (np.arange(-most, most, _STEP) for most in reach)
    middles = np.stack(np.meshgrid(across, down, indexing="ij"), axis=-1).reshape(-1, 2)
    gaps = _gaps(middles, width, height, rim)
    allowed = (gaps >= _GAPS[0]) & (gaps < _FARTHEST)
    return middles[allowed], 1.2 * gaps[allowed] + 5


def _gaps(middles: Points, width: float, height: float, rim: float) -> Points:
    """Return how far names with these middles are from the rim of their city, which is at 0, 0."""
    gaps: Points = np.hypot(*np.maximum(0, np.abs(middles) - np.array([width, height]) / 2).T) - rim
    return gaps


def _covered(boxes: Boxes, place: Points, around: Surroundings) -> Points:
    """Return what each place costs for what it covers."""

    reach = np.abs(boxes - np.tile(place, 2)).max(axis=0) + _AROUND

    def near(points: Points) -> Points:
        away = points - place
        close: Points = points[((away > -reach[:2]) & (away < reach[2:])).all(axis=1)]
        return close

    own, others = _distances(boxes, place[None])[:, 0], near(around.cities)
    others = others[(others != place).any(axis=1)]
    away = _distances(boxes, others).min(axis=1) if len(others) else np.full(len(boxes), np.inf)
    on_route = (_distances(boxes, near(around.routes)) < around.reach + 0.5).sum(axis=1)
    costs = 9.0 * on_route + _ON_ROUTE * (on_route > 0)
    costs += _FAULT * (_distances(boxes, near(around.letters)) < around.letter_reach).sum(axis=1)
    costs += _FAULT * ((away <= own + 1) | (away < around.radius + 1))
    costs += 1.5 * np.maximum(0, 10 - (away - own))
    outside = np.maximum(0, 3 - boxes[:, :2]) + np.maximum(0, boxes[:, 2:] - np.array(around.size) + 3)
    sums: Points = costs + 300 * outside.sum(axis=1)
    return sums


def _distances(boxes: Boxes, points: Points) -> Points:
    """Return the distances of boxes (rows) from points (columns); 0 inside."""
    x = np.maximum(boxes[:, None, 0] - points[None, :, 0], points[None, :, 0] - boxes[:, None, 2])
    y = np.maximum(boxes[:, None, 1] - points[None, :, 1], points[None, :, 1] - boxes[:, None, 3])
    x, y = np.maximum(0, x), np.maximum(0, y)
    distances: Points = np.sqrt(x * x + y * y)
    return distances


def _shared(boxes: Boxes, others: Boxes) -> Points:
    """Return the costs of boxes (rows) for what they have in common with others (columns)."""
    least, most = (
        np.maximum(boxes[:, None, :2], others[None, :, :2]),
        np.minimum(boxes[:, None, 2:], others[None, :, 2:]),
    )
    sides = np.maximum(0, most - least + np.array([3.0, 1.0]))
    area = sides.prod(axis=2)
    costs: Points = area + _FAULT * (area > 0)
    return costs
