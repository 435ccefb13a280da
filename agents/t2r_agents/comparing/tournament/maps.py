"""Which routes each agent claims how often, as maps for the report."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from t2r_agents.comparing.tournament.playing import Entry
from t2r_env import Configuration
from t2r_env.basics.plain import plain
from t2r_env.render.drawing.board import Board, aspect_of, lay_out
from t2r_env.render.drawing.land import ground
from t2r_env.render.drawing.shapes import TEXT_COLOUR, element, number, titled, write
from t2r_env.variants import MapVariant
from t2r_env.variants.variant import Route

WIDTH = 640
"""The width that maps are laid out for."""
MOST = 12
"""Agents that have a map: the strongest."""
NAMED = 5
"""Routes that are named below a map."""
THICKEST = 10.0
"""The width of the line of the route that is claimed most often."""


@dataclass(frozen=True)
class RouteMap:
    """The routes that an agent claims."""

    agent: str
    svg: str
    often: str
    """The routes that it claims most often, in words."""


def shares_of(entries: Sequence[Entry], agents: Sequence[str], routes: int) -> NDArray[np.float64]:
    """Return how often each agent has each route at the end, by its seats in games played to their end."""
    counts, seats = np.zeros((len(agents), routes)), np.zeros(len(agents))
    numbers = {agent: index for index, agent in enumerate(agents)}
    for entry in entries:
        if entry.outcome == "finished" and entry.agent in numbers:
            seats[numbers[entry.agent]] += 1
            counts[numbers[entry.agent], [int(it) for it in entry.claimed.split()]] += 1
    shares: NDArray[np.float64] = counts / np.maximum(1, seats)[:, np.newaxis]
    return shares


def is_high(configuration: Configuration) -> bool:
    """Whether maps are higher than broad, so that more of them fit into a row."""
    variant = configuration.variant
    return isinstance(variant, MapVariant) and aspect_of(variant) < 1


def route_maps(
    configuration: Configuration, entries: Sequence[Entry], agents: Sequence[str], colours: Sequence[str]
) -> tuple[str, list[RouteMap]]:
    """Return what all maps share, and a map for each of the first agents; nothing if no game of a map is finished."""
    variant = configuration.variant
    if not isinstance(variant, MapVariant):
        return "", []
    shown = agents[:MOST]
    shares = shares_of(entries, shown, len(variant.routes))
    most = shares.max(initial=0)
    if not most:
        return "", []
    board = lay_out(variant, WIDTH)
    cities = {city.id: city.name for city in variant.cities}
    names = [f"{cities[route.a]}–{cities[route.b]}" for route in variant.routes]
    maps = [
        RouteMap(
            agent,
            _map(board, variant.routes, names, shares[row], most, colours[row % len(colours)], agent),
            _often(names, shares[row]),
        )
        for row, agent in enumerate(shown)
    ]
    return _shared(variant, board), maps


def _often(names: Sequence[str], shares: NDArray[np.float64]) -> str:
    """Return the routes with the largest shares; of two tracks between cities the share of both together."""
    added: dict[str, float] = {}
    for name, share in zip(names, shares, strict=True):
        added[name] = added.get(name, 0) + float(share)
    best = sorted(added.items(), key=lambda it: -it[1])[:NAMED]
    return ", ".join(f"{name} {share:.0%}" for name, share in best if share)


def _shared(variant: MapVariant, board: Board) -> str:
    """Return the ground with all routes, and the names, which each map uses."""
    routes = "".join(
        element("path", d=_line(board, route), fill="none", stroke="#8d959e", stroke_width=1.2)
        for route in variant.routes
    )
    cities = "".join(
        element("circle", cx=x, cy=y, r=board.radius * 0.6, fill="#ffffff", stroke="#555b63", **{"class": "city"})
        for x, y in board.cities.values()
    )
    below = element("g", ground(variant, board) + routes, id="map-ground")
    return below + element("g", cities + "".join(_names(board)), id="map-names")


def _names(board: Board) -> Iterator[str]:
    for name in board.names.values():
        for line, x, y in name.lines:
            yield write(x, y, line, name.size, text_anchor="middle", fill=TEXT_COLOUR, **{"class": "ink"})


def _map(
    board: Board,
    routes: Sequence[Route],
    names: Sequence[str],
    shares: NDArray[np.float64],
    most: float,
    colour: str,
    agent: str,
) -> str:
    lines = "".join(
        element(
            "path",
            titled(f"{name}: {share:.0%}"),
            d=_line(board, route),
            fill="none",
            stroke=colour,
            stroke_width=number(1.5 + (THICKEST - 1.5) * share / most),
            stroke_opacity=number(0.3 + 0.7 * share / most),
        )
        for route, name, share in zip(routes, names, shares, strict=True)
        if share
    )
    return element(
        "svg",
        titled(f"Routes that {plain(agent)} claims") + '<use href="#map-ground"/>' + lines + '<use href="#map-names"/>',
        viewBox=f"0 0 {number(board.width)} {number(board.height)}",
        role="img",
        **{"class": "map"},
    )


def _line(board: Board, route: Route) -> str:
    """Return path data along the spaces of a route."""
    spaces = board.spaces[route.a, route.b, route.track]
    points = [(space.x, space.y) for space in spaces]
    for end, sign in ((0, -1), (-1, 1)):
        space, turn = spaces[end], math.radians(spaces[end].angle)
        reach = sign * space.length / 2
        point = (space.x + reach * math.cos(turn), space.y + reach * math.sin(turn))
        points.insert(0 if sign < 0 else len(points), point)
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
