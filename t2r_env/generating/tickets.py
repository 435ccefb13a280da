"""The tickets of a map: the value of each is the length of its shortest way, as in the published games."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from t2r_env.generating.dice import Dice
from t2r_env.generating.network import Connection

SHORTEST, LONGEST = 4, 22
"""Spaces of a ticket's shortest way."""
NUMBER_OF_LONG = 6
"""Long tickets of a map, as in Europe and Legendary Asia."""
_FAR = 1 << 40


class Pair(NamedTuple):
    """Two cities, by index, and the spaces of the shortest way between them."""

    a: int
    b: int
    spaces: int


def find_pairs(cities: int, connections: Sequence[Connection]) -> list[Pair]:
    """Return the pairs of cities that may be on a ticket: no route joins them."""
    ways = _shortest_ways(cities, connections)
    fit = np.triu((ways >= SHORTEST) & (ways <= LONGEST), 1)
    for it in connections:
        fit[it.a, it.b] = False
    return [Pair(int(a), int(b), int(ways[a, b])) for a, b in np.argwhere(fit)]


def _shortest_ways(cities: int, connections: Sequence[Connection]) -> NDArray[np.int64]:
    """Return the spaces of the shortest way between each two cities, (cities, cities)."""
    ways = np.full((cities, cities), _FAR)
    np.fill_diagonal(ways, 0)
    for it in connections:
        ways[it.a, it.b] = ways[it.b, it.a] = it.length
    for city in range(cities):  # the algorithm of Floyd and Warshall
        ways = np.minimum(ways, ways[:, city, None] + ways[city])
    return ways


def choose_tickets(dice: Dice, pairs: Sequence[Pair], number: int) -> list[Pair]:
    """Return so many tickets, or all if there are fewer.

    Each is, of some pairs, the one whose cities have the fewest tickets so far.
    """
    uses, chosen = Counter[int](), list[Pair]()
    shuffled, share = dice.shuffled(pairs), max(1, len(pairs) // number)
    for first in range(0, share * min(number, len(pairs)), share):
        pair = min(shuffled[first : first + share], key=lambda it: uses[it.a] + uses[it.b])
        uses.update(pair[:2])
        chosen.append(pair)
    return sorted(chosen)


def choose_long_tickets(dice: Dice, pairs: Sequence[Pair]) -> list[Pair]:
    """Return the longest pairs of which no two share a city."""
    chosen, used = list[Pair](), set[int]()
    for pair in sorted(dice.shuffled(pairs), key=lambda it: -it.spaces):
        if len(chosen) < NUMBER_OF_LONG and used.isdisjoint(pair[:2]):
            chosen.append(pair)
            used.update(pair[:2])
    return sorted(chosen)
