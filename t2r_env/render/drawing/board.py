"""The places of the parts of a map: routes along curves that keep apart, names where they cover least.

It depends on the variant's tables and the size alone, so it is found once for each.
"""

import functools
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from t2r_env.render.drawing.companies import LETTERS, CompanyName, Track, place_company_names
from t2r_env.render.drawing.lines import GAP, Bending, Connection, Pair, Space, beside, starts
from t2r_env.render.drawing.lines import spaces as spaces_along
from t2r_env.render.drawing.names import Name, Points, Surroundings, names_on_routes, place_names
from t2r_env.variants import MapVariant
from t2r_env.variants.variant import GRAY, City, Route

MARGIN = 36
"""Around the cities, for their names."""

STAR = 1.9
"""The radius of an attraction's star, by that of cities."""

LONGEST_NAME = 28
"""In letters: longer names of cities are cut off on the map."""

_TRIES = 3
"""How often names without room are written smaller, and routes bent around them."""
_SMALLER = 0.8
_MOST_STRETCHED = 1.4
"""How much broader or higher than it should be a map may be on a page."""
_ROOMY = 74.0
"""The side of the square that each route has at least on a page, in units."""
_MORE_ROOM = (1.0, 1.15, 1.3)
"""How much larger a map is laid out on which names have no room."""
_SMALL = 9.5
"""The size of letters on a page, in units."""
_SHARED = 0.8
"""The size of names that three stations or more share, by that of others."""
_BESIDE = 12.0
"""The cost of a place for such a name next to its station, where the numbers of tickets to several countries lie."""


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
    is_crowded: bool
    """Whether a name lies on a route, since it has room nowhere."""
    spaces: Mapping[Track, Sequence[Space]]
    """The spaces of each route from its first city to its second."""
    companies: Mapping[Track, CompanyName]
    """The names of the companies of parallel routes, by the first of these routes."""
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


def lay_out_for_room(variant: MapVariant, width: float, height: float) -> Board:
    """Return the layout of a variant's map for a rectangle of a page, which it fills unless it were stretched too much.

    A unit is a pixel; on a crowded map it is less, so that all has room.
    """
    natural, inner = aspect_of(variant), (max(1.0, width - 2 * MARGIN), max(1.0, height - 2 * MARGIN))
    broad = min(inner[0], inner[1] * natural * _MOST_STRETCHED)
    high = min(inner[1], inner[0] / natural * _MOST_STRETCHED)
    larger = max(1.0, _ROOMY / math.sqrt(broad * high / max(1, len(variant.routes))))
    for more in _MORE_ROOM:
        width, height = (round(more * larger * side) + 2 * MARGIN for side in (broad, high))
        board = lay_out(variant, width, _SMALL, height)
        if not board.is_crowded:
            break
    return board


@functools.lru_cache(maxsize=128)
def _lay_out(
    cities: tuple[City, ...], routes: tuple[Route, ...], width: float, height: float, least: float, has_stations: bool
) -> Board:
    inner = np.array([width - 2 * MARGIN, height - 2 * MARGIN])
    low, high = _extent(cities)
    span = np.maximum(high - low, 1e-9)
    places = {city.id: (np.array([city.x, city.y]) - low) / span * inner + MARGIN for city in cities}
    crowd = np.sqrt(inner.prod() / max(1, len(routes)))
    thickness = float(np.clip(crowd * 0.14, least * 0.98 if least > 10 else 6.5, 12.5))
    radius = thickness * 0.62
    letter, shared = float(np.clip(crowd * 0.145, least, 13)), Counter(city.name for city in cities)
    smallest = round(least * 0.8, 2)
    letters = {
        city.id: max(least if least > 10 else smallest, letter * (_SHARED if shared[city.name] > 2 else 1))
        for city in cities
    }
    ends = {city: _pair(place) for city, place in places.items()}
    rims = {it.id: radius * (STAR if it.attraction else 1) for it in cities}
    sideways = {city: _BESIDE for city, size in letters.items() if size < max(letters.values())}
    in_the_way: list[Points] = []
    tight: set[str] = set()
    groups = _groups(routes)
    bending = Bending(places, _connections(groups), radius, thickness, np.array([width, height]))
    for _ in range(_TRIES):
        spaces = _spaces(bending.around(in_the_way), groups, radius, thickness)
        companies = place_company_names(
            _companies(routes), spaces, thickness, np.array(list(ends.values())), radius, (width, height)
        )
        covered = [space for route in spaces.values() for space in route]
        covered += [it.place for it in companies.values()]
        letters_of_routes = _letters(routes, spaces)
        if has_stations:
            roofs = [station_at(place, radius) for place in ends.values()]
            letters_of_routes = np.concatenate([letters_of_routes, np.array(roofs)])
        around = Surroundings(
            cities=np.array(list(places.values())),
            radius=radius,
            routes=np.array([it for space in covered for it in _points_of(space, thickness)]),
            reach=thickness / 2,
            letters=letters_of_routes,
            letter_reach=thickness * 0.5,
            size=(width, height),
        )
        names = place_names(ends, _named(cities), letters, (smallest, least), sideways, rims, around)
        on_routes = names_on_routes(names, around)
        if not on_routes:
            break
        letters |= {city: max(smallest, letters[city] * _SMALLER) for city in on_routes}
        tight |= {*on_routes}  # they are written smaller, and routes make way for them
        in_the_way = [
            (np.array(names[city].box) - [*ends[city]] * 2) * _SMALLER + [*ends[city]] * 2 for city in sorted(tight)
        ]
    return Board(
        width=width,
        height=height,
        radius=radius,
        thickness=thickness,
        letter=letter,
        origin=_pair(MARGIN - low / span * inner),
        scale=_pair(inner / span),
        cities=ends,
        names=names,
        is_crowded=bool(on_routes),
        spaces=spaces,
        companies=companies,
    )


def _pair(point: Points) -> tuple[float, float]:
    return float(point[0]), float(point[1])


# Routes


def _groups(routes: Sequence[Route]) -> dict[Pair, list[Route]]:
    """Return the routes of each connection."""
    groups: dict[Pair, list[Route]] = defaultdict(list)
    for route in routes:
        groups[route.a, route.b].append(route)
    return groups


def _connections(groups: Mapping[Pair, Sequence[Route]]) -> dict[Pair, Connection]:
    return {
        pair: Connection(len(group), min(route.length for route in group), LETTERS * any(it.companies for it in group))
        for pair, group in groups.items()
    }


def _spaces(
    curves: Mapping[Pair, Points], groups: Mapping[Pair, Sequence[Route]], radius: float, thickness: float
) -> dict[Track, list[Space]]:
    """Return the spaces of each route."""
    lengths = {(route.a, route.b, route.track): route.length for group in groups.values() for route in group}
    asides = {key: (key[2] - (len(groups[key[:2]]) - 1) / 2) * (thickness + GAP) for key in lengths}
    begun = starts({key: beside(curves[key[:2]], aside) for key, aside in asides.items()}, radius, thickness)
    return {key: spaces_along(curves[key[:2]], length, *begun[key], asides[key]) for key, length in lengths.items()}


# Names


def _companies(routes: Sequence[Route]) -> dict[tuple[Track, ...], str]:
    """Return the names of companies of parallel routes that have the same ones."""
    groups: dict[tuple[str, str, tuple[str, ...]], list[Track]] = defaultdict(list)
    for route in routes:
        if route.companies:
            groups[route.a, route.b, route.companies].append((route.a, route.b, route.track))
    return {tuple(tracks): " ".join(companies) for (_, _, companies), tracks in groups.items()}


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


def _letters(routes: Sequence[Route], spaces: Mapping[Track, Sequence[Space]]) -> Points:
    """Return the middles of the letters and symbols on routes."""
    middles = [(np.inf, np.inf)]
    for route in routes:
        line = spaces[route.a, route.b, route.track]
        marked = {*range(route.ferry + route.mountain), sign_of(route)}
        middles += [(line[it].x, line[it].y) for it in sorted(marked - {None}) if it < len(line)]
    return np.array(middles)


def _points_of(space: Space, thickness: float) -> list[tuple[float, float]]:
    """Return points along a space: discs around them, as broad as the space, cover it and hardly more."""
    turn = np.radians(space.angle)
    length = max(0.0, space.length - 0.7 * thickness)
    parts = max(2, math.ceil(length / (0.4 * thickness)))
    steps = (np.arange(parts) / (parts - 1) - 0.5) * length
    return [(space.x + step * float(np.cos(turn)), space.y + step * float(np.sin(turn))) for step in steps]


def _named(cities: Sequence[City]) -> dict[str, str]:
    """Return the names that are written on the map: long ones shortened, and none that are in brackets."""
    return {
        it.id: it.name if len(it.name) <= LONGEST_NAME else f"{it.name[: LONGEST_NAME - 1].rstrip()}…"
        for it in cities
        if not it.name.startswith("(")
    }
