"""Routes of a player that are lit at the end: the way of a ticket, two ways of one, the longest path."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

Edge = tuple[str, str, int]
"""A route: its two cities, and its track."""

Flow = dict[Edge, str]
"""Routes that ways use, each with the city that it is left at."""


def way(network: Iterable[Edge], starts: Collection[str], ends: Collection[str]) -> list[Edge] | None:
    """Return the fewest routes that join a start to an end, in their order; None if none do."""
    return _way(list(network), starts, ends, {})


def rounds(network: Iterable[Edge], starts: Collection[str], ends: Collection[str]) -> list[Edge] | None:
    """Return the routes of two ways from a start to an end that have no route in common; None if there are no two.

    The second way may take a route of the first one the other way round: neither then needs it.
    """
    edges = list(network)
    for start in starts:
        for end in ends:
            flow: Flow = {}
            if _way(edges, [start], [end], flow) is not None and _way(edges, [start], [end], flow) is not None:
                return [edge for edge in edges if edge in flow]
    return None


def _way(edges: Sequence[Edge], starts: Collection[str], ends: Collection[str], flow: Flow) -> list[Edge] | None:
    """Return a shortest way that respects the flow of another, and add it to the flow."""
    reached: dict[str, list[tuple[Edge, str]]] = {start: [] for start in starts}
    cities = list(starts)
    for city in cities:
        if city in ends:
            for edge, left in reached[city]:
                if edge in flow:
                    del flow[edge]
                else:
                    flow[edge] = left
            return [edge for edge, _ in reached[city]]
        for edge in edges:
            if city in edge[:2] and flow.get(edge) != city:
                other = edge[1] if edge[0] == city else edge[0]
                if other not in reached:
                    reached[other] = [*reached[city], (edge, city)]
                    cities.append(other)
    return None


# The longest path

Group = frozenset[tuple[str, bool]]
"""Cities that kept routes join, each with whether an odd number of these end there."""
Kept = tuple[Edge, "Kept"] | None
"""The routes kept, the last one first."""


def longest_trail(network: Iterable[Edge], lengths: Mapping[Edge, int]) -> list[Edge]:
    """Return the routes of a trail of the greatest length: it uses no route twice but may pass a city again (C17).

    Route after route is kept or left out. What is still to come depends only on the cities between routes taken and
    routes to come: in which groups kept routes join them, which are odd, and how many odd cities, the ends of the
    trail, lie behind. Of equal positions the longest is followed.
    """
    edges = _in_order(list(network))
    last = {city: number for number, edge in enumerate(edges) for city in edge[:2]}
    to_come = sum(lengths[edge] for edge in edges)
    best: tuple[int, Kept] = (0, None)
    positions: dict[tuple[frozenset[Group], int], tuple[int, Kept]] = {(frozenset(), 0): best}
    for number, edge in enumerate(edges):
        to_come -= lengths[edge]
        leaving = [city for city in edge[:2] if last[city] == number]
        after: dict[tuple[frozenset[Group], int], tuple[int, Kept]] = {}
        for (before, ends_before), (length, kept) in positions.items():
            with_it = (_joined(before, edge), length + lengths[edge], (edge, kept))
            for groups, reached, routes in ((before, length, kept), with_it):
                ends = ends_before + sum(odd for group in groups for city, odd in group if city in leaving)
                left = frozenset(frozenset(it for it in group if it[0] not in leaving) for group in groups)
                if ends > 2 or reached + to_come <= best[0]:
                    continue
                if frozenset() in left:  # nothing can be joined to this group any more
                    best = (reached, routes) if len(groups) == 1 and reached > best[0] else best
                elif reached >= after.get((left, ends), (0, None))[0]:
                    after[left, ends] = (reached, routes)
        positions = after
    trail, chain = list[Edge](), best[1]
    while chain:
        trail.append(chain[0])
        chain = chain[1]
    return trail


def walk(trail: Iterable[Edge]) -> list[str]:
    """Return the cities of a trail in the order in which it passes them; none if it has no route."""
    left = list(trail)
    degrees = Counter(city for edge in left for city in edge[:2])
    ahead = [next((city for city in degrees if degrees[city] % 2), left[0][0])] if left else []
    passed: list[str] = []
    while ahead:
        edge = next((it for it in left if ahead[-1] in it[:2]), None)
        if edge is None:
            passed.append(ahead.pop())
        else:
            left.remove(edge)
            ahead.append(edge[1] if edge[0] == ahead[-1] else edge[0])
    return passed[::-1]


def _joined(groups: frozenset[Group], edge: Edge) -> frozenset[Group]:
    """Return the groups after a route is kept."""
    touched = [group for group in groups if any(city in edge[:2] for city, _ in group)]
    odd = dict(it for group in touched for it in group)
    for end in edge[:2]:
        odd[end] = not odd.get(end, False)
    return groups.difference(touched) | {frozenset(odd.items())}


def _in_order(left: list[Edge]) -> list[Edge]:
    """Return routes city by city, so that few cities at a time have both routes taken and routes to come."""
    ordered: list[Edge] = []
    met: set[str] = set()

    def cost(city: str) -> tuple[int, bool, str]:
        new = {end for edge in left if city in edge[:2] for end in edge[:2]} - met - {city}
        return len(new), city not in met, city

    while left:
        chosen = min({end for edge in left for end in edge[:2]}, key=cost)
        taken = [edge for edge in left if chosen in edge[:2]]
        met |= {end for edge in taken for end in edge[:2]}
        ordered += taken
        left = [edge for edge in left if edge not in taken]
    return ordered


def largest_network(network: Iterable[Edge]) -> list[Edge]:
    """Return the routes of the connected part with the most cities (LA6)."""
    parts: list[list[Edge]] = []
    for edge in network:
        touched = [part for part in parts if any(set(edge[:2]) & set(it[:2]) for it in part)]
        parts = [part for part in parts if part not in touched] + [[edge, *(it for part in touched for it in part)]]
    return max(parts, key=lambda part: len({end for it in part for end in it[:2]}), default=[])
