"""The statistics of docs/generated_maps.md: published maps, and a thousand generated ones.

    python -m benchmarks.maps --page docs/generated_maps.md
    python -m benchmarks.maps --maps 100

The page's text stays; the table and the time that a new map takes are written between its marks.
"""

import argparse
import heapq
import re
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import numpy as np

from benchmarks.machine import describe_machine
from t2r_env import VARIANTS, Games, generate_map
from t2r_env.checks import check_integer
from t2r_env.variants import GRAY, MapVariant, Ticket, load_variant
from t2r_env.writing import replacing

SIZES = (24, 36, 48)
"""Numbers of cities."""
HEADINGS: Mapping[str, str] = {
    "routes": "routes per city",
    "length": "spaces per route",
    "colour": "spaces per colour",
    "uneven": "most less fewest",
    "double": "double, %",
    "gray": "gray, %",
    "ferries": "ferries, %",
    "tunnels": "tunnels, %",
    "ends": "dead ends, %",
    "tickets": "tickets per city",
    "way": "spaces per ticket",
    "longest": "longest ticket",
    "value": "value less spaces",
    "trains": "spaces per train",
}
"""The statistics, and how the table calls them."""
OPTIONAL = ("ferries", "tunnels")
"""What counts only where there is any."""


def measure(variant: MapVariant) -> dict[str, float]:
    """Return the statistics of a map, in the order of HEADINGS, for the ticket deck that is the default."""
    routes, cities = variant.routes, len(variant.cities)
    tracks = Counter((route.a, route.b) for route in routes)
    degrees = Counter(city for pair in tracks for city in pair)
    spaces = {colour: sum(it.length for it in routes if it.colour == colour) for colour in variant.colours}
    deck = variant.ticket_decks[variant.default_ticket_deck]
    ways = [way_of(variant, ticket) for ticket in deck.tickets]
    return {
        "routes": len(routes) / cities,
        "length": fmean(route.length for route in routes),
        "colour": fmean(spaces.values()),
        "uneven": max(spaces.values()) - min(spaces.values()),
        "double": 100 * sum(number > 1 for number in tracks.values()) / len(tracks),
        "gray": 100 * fmean(route.colour == GRAY for route in routes),
        "ferries": 100 * fmean(route.ferry > 0 for route in routes),
        "tunnels": 100 * fmean(route.tunnel > 0 for route in routes),
        "ends": 100 * sum(number == 1 for number in degrees.values()) / cities,
        "tickets": len(deck.tickets) / cities,
        "way": fmean(ways),
        "longest": max(ways),
        "value": fmean(ticket.points - way for ticket, way in zip(deck.tickets, ways)),
        "trains": sum(route.length for route in routes) / (variant.trains * variant.max_players),
    }


def way_of(variant: MapVariant, ticket: Ticket) -> int:
    """Return the spaces of the shortest way that completes a ticket for its first value."""
    starts, ends = ({it.id for it in variant.cities if name in (it.id, it.region)} for name in (ticket.a, ticket.b))
    neighbours: dict[str, list[tuple[str, int]]] = {}
    for route in variant.routes:
        neighbours.setdefault(route.a, []).append((route.b, route.length))
        neighbours.setdefault(route.b, []).append((route.a, route.length))
    ways, reached = [(0, city) for city in sorted(starts)], set[str]()
    while ways:
        spaces, city = heapq.heappop(ways)
        if city in ends:
            return spaces
        if city not in reached:
            reached.add(city)
            for other, length in neighbours[city]:
                heapq.heappush(ways, (spaces + length, other))
    raise ValueError(f"no way joins {ticket.a} and {ticket.b}")


def published() -> dict[str, dict[str, float]]:
    """Return the statistics of the library's maps by name: the Card Game has none."""
    variants = [variant for variant in map(load_variant, VARIANTS) if isinstance(variant, MapVariant)]
    return {variant.id: measure(variant) for variant in variants}


def ranges(maps: Collection[Mapping[str, float]]) -> dict[str, tuple[float, float]]:
    """Return the least and the largest value of each statistic; of those that are optional, where there are any."""
    values = {name: [it[name] for it in maps if it[name] or name not in OPTIONAL] for name in HEADINGS}
    return {name: (min(entries), max(entries)) for name, entries in values.items()}
