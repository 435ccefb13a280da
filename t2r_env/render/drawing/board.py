"""The places of the parts of a map: routes along curves that keep apart, names where they cover least.

It depends on the variant's tables and the size alone, so it is found once for each.
"""

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from t2r_env.render.drawing.names import Name, Points, Surroundings, place_names
from t2r_env.variants import MapVariant
from t2r_env.variants.variant import GRAY, City, Route

MARGIN = 36
"""Around the cities, for their names."""

GAP = 1.6
"""Between the spaces of a route, and between tracks."""

STAR = 1.9
"""The radius of an attraction's star, by that of cities."""

LONGEST_NAME = 28
"""In letters: longer names of cities are cut off on the map."""

_BENDS = (0.0, 0.07, -0.07, 0.14, -0.14, 0.22, -0.22, 0.32, -0.32)
"""How far a connection may bend, by its length; a straight line is tried first."""
_SAMPLES = 17
_SHARED = 0.8
"""The size of names that three stations or more share, by that of others."""
_BESIDE = 12.0
"""The cost of a place for such a name next to its station, where the numbers of tickets to several countries lie."""
_ROUNDS = 3


class Space(NamedTuple):
    """A space of a route: its centre, its angle in degrees and its length."""

    x: float
    y: float
    angle: float
    length: float


@dataclass(frozen=True)
class Board:
    """A map laid out in a rectangle."""

    width: float
    height: float
    radius: float
    """The radius of the cities."""
    thickness: float
    """The thickness of the routes' spaces."""
    letter: float
    """The size of most names; three stations or more that share one have it smaller (SW7)."""
    origin: tuple[float, float]
    """The point of the variant's coordinates 0, 0."""
    scale: tuple[float, float]
    """The length of the variant's coordinates from 0 to 1."""
    cities: Mapping[str, tuple[float, float]]
    names: Mapping[str, Name]
    """The names of the cities."""
    spaces: Mapping[tuple[str, str, int], Sequence[Space]]
    """The spaces of each route from its first city to its second."""
    drawn: dict[tuple[str | int, ...], str] = field(default_factory=dict)
    """Routes with their owners as they are drawn, filled by the drawing."""


def aspect_of(variant: MapVariant) -> float:
    """Return width by height of the part of a map that has cities, from 1:3 to 3:1; other maps are stretched."""
    low, high = _extent(variant.cities)
    width, height = (high - low) * np.array([variant.aspect, 1])
    return float(np.clip(width / max(height, 1e-9), 1 / 3, 3))


def _extent(cities: Sequence[City]) -> tuple[Points, Points]:
    """Return the least and the largest coordinates of cities."""
    places = np.array([[city.x, city.y] for city in cities])
    return places.min(axis=0), places.max(axis=0)


def height_of(variant: MapVariant, width: float) -> float:
    """Return how high a map of this width is."""
    return (width - 2 * MARGIN) / aspect_of(variant) + 2 * MARGIN


def width_for(variant: MapVariant, height: float) -> float:
    """Return how wide a map of this height is."""
    return (height - 2 * MARGIN) * aspect_of(variant) + 2 * MARGIN


def lay_out(variant: MapVariant, width: float, letter: float = 8.5, height: float | None = None) -> Board:
    """Return the layout of a variant's map of this size, with letters of names about this large at least."""
    return _lay_out(
        variant.cities, variant.routes, width, height or height_of(variant, width), letter, variant.stations is not None
    )


@functools.lru_cache(maxsize=64)
def _lay_out(
    cities: tuple[City, ...], routes: tuple[Route, ...], width: float, height: float, least: float, has_stations: bool
) -> Board:
    inner = np.array([width - 2 * MARGIN, height - 2 * MARGIN])
    low, high = _extent(cities)
    span = np.maximum(high - low, 1e-9)
    places = {city.id: (np.array([city.x, city.y]) - low) / span * inner + MARGIN for city in cities}
    crowd = np.sqrt(inner.prod() / max(1, len(routes)))
    thickness = float(np.clip(crowd * 0.15, least * 0.98 if least > 10 else 6.5, 12.5))
    radius = thickness * 0.62
    letter, shared = float(np.clip(crowd * 0.17, least, 13)), Counter(city.name for city in cities)
    smallest = round(least * 0.8, 2)
    letters = {
        city.id: max(least if least > 10 else smallest, letter * (_SHARED if shared[city.name] > 2 else 1))
        for city in cities
    }
    tracks: dict[tuple[str, str], int] = {}
    for route in routes:
        tracks[route.a, route.b] = max(tracks.get((route.a, route.b), 0), route.track + 1)
    lines = _bend(places, tracks, radius, thickness, np.array([width, height]))
    spaces = {
        (route.a, route.b, route.track): _spaces(
            _beside(lines[route.a, route.b], (route.track - (tracks[route.a, route.b] - 1) / 2) * (thickness + GAP)),
            route.length,
            radius,
        )
        for route in routes
    }
    ends = {city: _pair(place) for city, place in places.items()}
    letters_of_routes = _letters(routes, spaces)
    if has_stations:
        roofs = [station_at(place, radius) for place in ends.values()]
        letters_of_routes = np.concatenate([letters_of_routes, np.array(roofs)])
    around = Surroundings(
        cities=np.array(list(places.values())),
        radius=radius,
        routes=np.array([point for route in spaces.values() for space in route for point in _points_of(space)]),
        reach=thickness / 2,
        letters=letters_of_routes,
        letter_reach=thickness * 0.5,
        size=(width, height),
    )
    rims = {it.id: radius * (STAR if it.attraction else 1) for it in cities}
    sideways = {city: _BESIDE for city, size in letters.items() if size < max(letters.values())}
    return Board(
        width=width,
        height=height,
        radius=radius,
        thickness=thickness,
        letter=letter,
        origin=_pair(MARGIN - low / span * inner),
        scale=_pair(inner / span),
        cities=ends,
        names=place_names(ends, _named(cities), letters, (smallest, least), sideways, rims, around),
        spaces=spaces,
    )


def _pair(point: Points) -> tuple[float, float]:
    return float(point[0]), float(point[1])


# Routes


def _curve(a: Points, b: Points, bend: float) -> Points:
    """Return a quadratic curve between two points that is off their line by `bend` of its length in the middle."""
    steps = np.linspace(0, 1, _SAMPLES)[:, None]
    normal = np.array([a[1] - b[1], b[0] - a[0]])
    middle = (a + b) / 2 + 2 * bend * normal
    curve: Points = (1 - steps) ** 2 * a + 2 * steps * (1 - steps) * middle + steps**2 * b
    return curve


def _bend(
    places: Mapping[str, Points], tracks: Mapping[tuple[str, str], int], radius: float, thickness: float, size: Points
) -> dict[tuple[str, str], Points]:
    """Return a curve for each connection, bent so that it keeps away from other cities and connections."""
    pairs = sorted(tracks, key=lambda pair: (round(float(np.hypot(*(places[pair[0]] - places[pair[1]]))), 3), pair))
    half = {pair: tracks[pair] * (thickness + GAP) / 2 for pair in pairs}
    middles = {pair: (places[pair[0]] + places[pair[1]]) / 2 for pair in pairs}
    reaches = {pair: 0.6 * float(np.hypot(*(places[pair[0]] - places[pair[1]]))) + 40 for pair in pairs}
    """No curve of a pair, with what it keeps away from, is farther from its middle."""

    def is_near(pair: tuple[str, str], point: Points, reach: float = 0.0) -> bool:
        return float(np.hypot(*(middles[pair] - point))) < reaches[pair] + reach

    others = {
        pair: np.array([places[city] for city in places if city not in pair and is_near(pair, places[city])])
        for pair in pairs
    }
    beside = {pair: [it for it in pairs if it != pair and is_near(pair, middles[it], reaches[it])] for pair in pairs}
    inner = slice(2, -2)  # the ends of connections that share a city are close to each other anyway
    chosen: dict[tuple[str, str], Points] = {}
    for _ in range(_ROUNDS):
        for pair in pairs:
            neighbours = [it for it in beside[pair] if it in chosen]
            points = np.concatenate([chosen[it][inner] for it in neighbours]) if neighbours else np.zeros((0, 2))
            widths = np.repeat([half[it] for it in neighbours], _SAMPLES - 4)
            best = np.inf
            for bend in _BENDS:
                if 900 * bend * bend >= best:
                    continue
                curve = _curve(places[pair[0]], places[pair[1]], bend)
                cost = 900 * bend * bend + _depth(curve, others[pair], half[pair] + radius + 4) * 6
                cost += _depth(curve[inner], points, half[pair] + widths + 1)
                cost += 10 * float(np.maximum(0, np.abs(curve / size - 0.5) - 0.49).sum() * size.mean())
                if cost < best - 1e-6:
                    best, chosen[pair] = cost, curve
    return chosen


def _depth(curve: Points, points: Points, least: Any) -> float:
    """Return how much closer than allowed the points are to a curve, added up."""
    if not len(points):
        return 0.0
    distances = np.hypot(*(curve[:, None] - points[None]).transpose(2, 0, 1))
    return float(np.maximum(0, least - distances).sum())


def _beside(line: Points, distance: float) -> Points:
    """Return a line at this distance to the side of another."""
    along = np.gradient(line, axis=0)
    along /= np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)[:, None]
    beside: Points = line + distance * np.column_stack([-along[:, 1], along[:, 0]])
    return beside


def _spaces(line: Points, number: int, radius: float) -> list[Space]:
    """Return spaces of one length along a line, between the cities at its ends."""
    lengths = np.hypot(*np.diff(line, axis=0).T)
    way = np.concatenate([[0], np.cumsum(lengths)])
    start = min(radius + 1.5, way[-1] * 0.2)
    ends = np.linspace(start, way[-1] - start, number + 1)
    x, y = (np.interp(ends, way, line[:, axis]) for axis in (0, 1))
    spaces = []
    for index in range(number):
        dx, dy = x[index + 1] - x[index], y[index + 1] - y[index]
        middle = (ends[index] + ends[index + 1]) / 2
        at_x, at_y = (float(np.interp(middle, way, line[:, axis])) for axis in (0, 1))
        length = max(2.0, float(np.hypot(dx, dy)) - GAP)
        spaces.append(Space(at_x, at_y, float(np.degrees(np.arctan2(dy, dx))), length))
    return spaces


# Names


def sign_of(route: Route) -> int | None:
    """Return the index of the space that bears the sign of a route's colour: one without a symbol. Gray has no sign."""
    index = max(route.ferry + route.mountain, (route.length - 1) // 2)
    return index if route.colour != GRAY and index < route.length else None


def station_at(city: tuple[float, float], radius: float) -> tuple[float, float]:
    """Return where the station of a city stands."""
    return city[0], city[1] - 2.1 * radius


def letter_of(thickness: float, space: Space) -> float:
    """Return the size of the letter on a space."""
    return min(thickness * 0.86, space.length * 0.9)


def _letters(routes: Sequence[Route], spaces: Mapping[tuple[str, str, int], Sequence[Space]]) -> Points:
    """Return the middles of the letters and symbols on routes."""
    middles = [(np.inf, np.inf)]
    for route in routes:
        line = spaces[route.a, route.b, route.track]
        marked = {*range(route.ferry + route.mountain), sign_of(route)}
        middles += [(line[it].x, line[it].y) for it in sorted(marked - {None}) if it < len(line)]
    return np.array(middles)


def _points_of(space: Space) -> list[tuple[float, float]]:
    """Return points along a space."""
    turn = np.radians(space.angle)
    parts = max(2, round(space.length / 5))
    steps = (np.arange(parts) / (parts - 1) - 0.5) * space.length
    return [(space.x + step * float(np.cos(turn)), space.y + step * float(np.sin(turn))) for step in steps]


def _named(cities: Sequence[City]) -> dict[str, str]:
    """Return the names that are written on the map: long ones shortened, and none that are in brackets."""
    return {
        it.id: it.name if len(it.name) <= LONGEST_NAME else f"{it.name[: LONGEST_NAME - 1].rstrip()}…"
        for it in cities
        if not it.name.startswith("(")
    }
