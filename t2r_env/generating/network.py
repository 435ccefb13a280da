"""The cities and routes of a map."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from t2r_env.basics.sizes import MAX_ROUTES
from t2r_env.generating.dice import Dice
from t2r_env.generating.ground import MOUNTAINS, TUNNELS, WATER, Area, Board, Points, within
from t2r_env.variants.variant import COLOURS, GRAY, Route

LONGEST = 8
"""Spaces of a route."""
LONGEST_DOUBLE = 4
LENGTH_OF_TWO_SYMBOLS = 4
"""From this length on ferries and mountains have two symbols."""
TUNNEL_CARDS = 3
"""A tunnel turns up as many (EU5)."""
_TRIES = 3
_FAR = 1 << 40
_LOOKS = np.arange(1, 16)[:, None]
"""A connection is looked at where it is divided into sixteen parts."""
_CROSSING = {WATER: 3, TUNNELS: 8, MOUNTAINS: 8}
"""At this many of these places at least it lies in an area that it crosses."""


class Connection(NamedTuple):
    """Two cities that are joined by routes: their indices, and the distance in spaces."""

    a: int
    b: int
    length: int
    ground: str
    """The kind of area that it crosses; empty if it crosses none."""


def place_cities(dice: Dice, board: Board, areas: Sequence[Area]) -> Points:
    """Return the points of the cities, (cities, 2), none in water.

    Each is the one of a few tries that is farthest from the cities before it.
    """
    tries = np.zeros((0, 2), np.int64)
    while len(tries) < _TRIES * board.cities:
        more = np.array([(dice.below(1001), dice.below(1001)) for _ in range(2 * _TRIES * board.cities)])
        tries = np.concatenate([tries, more[~within(areas, WATER, more)]])
    scaled, nearest, chosen = tries * board.sides, np.full(len(tries), _FAR), list[int]()
    for first in range(0, _TRIES * board.cities, _TRIES):
        chosen.append(first + int(nearest[first : first + _TRIES].argmax()))
        nearest = np.minimum(nearest, ((scaled - scaled[chosen[-1]]) ** 2).sum(axis=1))
    return tries[chosen]


def connect(cities: Points, board: Board, areas: Sequence[Area], mean: int) -> list[Connection]:
    """Return the connections of cities, whose mean length is about `mean` hundredths of a space."""
    pairs, squares = _joined(cities * board.sides)
    grounds = _grounds(cities[pairs[:, 0]], cities[pairs[:, 1]], areas)
    distances = [math.isqrt(square) for square in squares.tolist()]
    unit = 100 * sum(distances) // (mean * len(distances))
    lengths = [min(LONGEST, max(1, (2 * distance + unit) // (2 * unit))) for distance in distances]
    rows = zip(pairs.tolist(), lengths, grounds, strict=True)
    return [Connection(a, b, length, ground) for (a, b), length, ground in rows]


def _joined(places: Points) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs of cities that are joined, (pairs, 2), and the squares of their distances, (pairs,).

    Two cities are joined if no other one lies in the circle whose diameter their line is. This is the Gabriel graph:
    no two of its lines cross, and it is connected.
    """
    squares = ((places[:, None] - places) ** 2).sum(axis=2)
    np.fill_diagonal(squares, _FAR)
    around = (squares[:, :, None] + squares[:, None, :]).min(axis=0)
    pairs = np.argwhere(np.triu(around > squares, 1))
    return pairs, squares[pairs[:, 0], pairs[:, 1]]


def _grounds(ends: Points, others: Points, areas: Sequence[Area]) -> list[str]:
    """Return the kind of area that each line between two points crosses."""
    looks = ends[:, None] + (others - ends)[:, None] * _LOOKS // 16
    grounds = [""] * len(ends)
    for kind, least in reversed(_CROSSING.items()):  # water counts before mountains
        for index in np.flatnonzero(within(areas, kind, looks).sum(axis=1) >= least):
            grounds[index] = kind
    return grounds


def lay_routes(
    dice: Dice, names: Sequence[str], connections: Sequence[Connection], doubles: int, grays: int
) -> list[Route]:
    """Return the routes of connections between cities of these names.

    `doubles` percent of the connections are double, and `grays` percent of the routes gray, ferries first. The others
    have nearly the same number of spaces of each colour.
    """
    tracks = _count_tracks(dice, connections, doubles)
    colours = _colour(dice, connections, tracks, sum(tracks) * grays // 100)
    return [
        _make_route(names, connection, track, colour)
        for connection, own in zip(connections, colours, strict=True)
        for track, colour in enumerate(own)
    ]


def _count_tracks(dice: Dice, connections: Sequence[Connection], percent: int) -> list[int]:
    """Return the number of routes of each connection. Ferries and long connections are single."""
    number = min(len(connections) * percent // 100, MAX_ROUTES - len(connections))
    short = [index for index, it in enumerate(connections) if it.ground != WATER and it.length <= LONGEST_DOUBLE]
    doubled = set(dice.shuffled(short)[:number])
    return [1 + (index in doubled) for index in range(len(connections))]


def _colour(dice: Dice, connections: Sequence[Connection], tracks: Sequence[int], gray: int) -> list[tuple[str, ...]]:
    """Return the colours of each connection's routes, of which about `gray` are gray.

    The longest ones choose first; each takes the colours that have the fewest spaces.
    """
    colours = [(GRAY,) * number for number in tracks]
    order = dice.shuffled(range(len(connections)))
    order.sort(key=lambda it: connections[it].ground != WATER)
    while gray > 0:
        gray -= tracks[order.pop(0)]
    spaces = dict.fromkeys(dice.shuffled(COLOURS), 0)
    for index in sorted(order, key=lambda it: -connections[it].length):
        colours[index] = tuple(sorted(spaces, key=lambda it: spaces[it])[: tracks[index]])
        for colour in colours[index]:
            spaces[colour] += connections[index].length
    return colours


def _make_route(names: Sequence[str], connection: Connection, track: int, colour: str) -> Route:
    ground, symbols = connection.ground, 1 if connection.length < LENGTH_OF_TWO_SYMBOLS else 2
    return Route(
        a=names[connection.a].lower(),
        b=names[connection.b].lower(),
        track=track,
        length=connection.length,
        colour=colour,
        ferry=symbols if ground == WATER else 0,
        tunnel=TUNNEL_CARDS if ground == TUNNELS else 0,
        mountain=symbols if ground == MOUNTAINS else 0,
    )
