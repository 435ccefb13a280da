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
OFFERED = 3
"""Regular tickets offered to a player at a time."""
_REGULAR = 65
"""With long tickets the others have at most this percentage of the longest one's spaces."""
_CHOICE = 4
"""A regular ticket is chosen from this many pairs."""
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


def choose_decks(dice: Dice, pairs: Sequence[Pair], number: int, *, has_long: bool) -> dict[str, list[Pair]]:
    """Return the tickets of each deck: this number of regular ones, or all pairs if there are fewer, and long ones."""
    if not has_long:
        return {"main": _choose_regular(dice, pairs, number)}
    most = max(pair.spaces for pair in pairs) * _REGULAR // 100
    regular, long = ([it for it in pairs if (it.spaces > most) == is_long] for is_long in (False, True))
    return {"main": _choose_regular(dice, regular, number), "long": _choose_long(dice, long)}


def _choose_regular(dice: Dice, pairs: Sequence[Pair], number: int) -> list[Pair]:
    """Return this number of tickets, or all if there are fewer: the longer a way, the rarer.

    Each is, of a few pairs, the one whose cities have the fewest tickets so far.
    """
    likely = sorted(pairs, key=lambda it: dice.below(1000) * it.spaces**2)
    uses, chosen = Counter[int](), list[Pair]()
    for first in range(min(number, len(pairs))):
        pair = min(likely[first : _CHOICE * number : number], key=lambda it: uses[it.a] + uses[it.b])
        uses.update((pair.a, pair.b))
        chosen.append(pair)
    return sorted(chosen)


def _choose_long(dice: Dice, pairs: Sequence[Pair]) -> list[Pair]:
    """Return the longest pairs of which no two share a city; if there are too few, fewer than NUMBER_OF_LONG."""
    chosen, used = list[Pair](), set[int]()
    for pair in sorted(dice.shuffled(pairs), key=lambda it: -it.spaces):
        if len(chosen) < NUMBER_OF_LONG and used.isdisjoint((pair.a, pair.b)):
            chosen.append(pair)
            used.update((pair.a, pair.b))
    return sorted(chosen)
