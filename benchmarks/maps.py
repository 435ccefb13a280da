"""The statistics of docs/generated_maps.md: published maps, and a thousand generated ones.

    python -m benchmarks.maps --page docs/generated_maps.md
    python -m benchmarks.maps --maps 100

The page's text stays; the table and the time that a new map takes are written between its marks.
"""

import argparse
import heapq
import sys
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import numpy as np
from rich.progress import track

from benchmarks.machine import describe_machine
from benchmarks.markdown import table, write_parts
from t2r_env import VARIANTS, Games, configure, generate_map
from t2r_env.basics.checks import check_integer
from t2r_env.variants import GRAY, MapVariant, Ticket, load_variant

SIZES = (24, 36, 48)
"""Numbers of cities."""
HEADINGS: Mapping[str, str] = {
    "routes": "routes per city",
    "length": "spaces per route",
    "colour": "spaces per colour",
    "uneven": "difference between colours, spaces",
    "double": "double connections, %",
    "gray": "gray routes, %",
    "ferries": "ferries, %",
    "tunnels": "tunnels, %",
    "ends": "cities with one neighbour, %",
    "tickets": "tickets per city",
    "way": "spaces per ticket",
    "longest": "spaces of the longest ticket",
    "value": "value of a ticket less its spaces",
    "trains": "spaces per train of all players",
}
"""The statistics, and how the table calls them."""
OPTIONAL = ("ferries", "tunnels")
"""Those that count only where there is any."""


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


def compare(number: int) -> list[list[str]]:
    """Return a row for each statistic: on the published maps, and on this many generated ones of each size."""
    within = ranges([*published().values()])
    columns = [[f"{shown(least)} to {shown(most)}" for least, most in within.values()]]
    for cities in SIZES:
        maps = [measure(generate_map(seed, cities)) for seed in track(range(number), f"{cities} cities")]
        ends = [np.percentile([it[name] for it in maps], (0, 100, 5, 95)).tolist() for name in HEADINGS]
        columns.append(["{} to {} ({} to {})".format(*map(shown, it)) for it in ends])
    return [[*row] for row in zip(HEADINGS.values(), *columns)]


def table_of_published() -> str:
    """Return the statistics of each published map as a table."""
    rows = [[name.replace("_", " "), *map(shown, it.values())] for name, it in published().items()]
    return table("the published maps", ["", *HEADINGS.values()], rows)


def shown(value: float) -> str:
    """Return a value with as many digits as it deserves."""
    return f"{round(value, 2):.3g}"


def measure_cost(number: int) -> str:
    """Return the processor time that each of this many new maps takes, as a sentence."""
    first = Games(configure(generate_map(number)), seed=0)
    first.step(first.masks.argmax(axis=1))  # all is compiled
    times = []
    for seed in track(range(number), "new maps"):
        began = time.process_time()
        variant = generate_map(seed)
        made = time.process_time()
        games = Games(configure(variant), seed=seed)
        games.step(games.masks.argmax(axis=1))
        times.append((made - began, time.process_time() - made))
    generating, preparing = 1000 * np.median(times, axis=0)
    total = 1000 * np.array(times).sum(axis=1)
    return (
        f"A new map of 36 cities costs {np.median(total):.1f} ms of processor time, from the seed to a `Games` that has"
        f" taken its first step: {generating:.1f} ms to make it and {preparing:.1f} ms to prepare its records (medians"
        f" of {number} maps; 95 % of them cost less than {np.percentile(total, 95):.1f} ms; {describe_machine()})."
    )


def main(command: Sequence[str] | None = None) -> int:
    """Measure, print, and write both parts into the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.maps", description="Measure generated maps.")
    parser.add_argument("--maps", type=int, default=1000, help="for each number of cities (default: 1000)")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write into this page, too (default: only print)")
    arguments = parser.parse_args(command)
    try:
        number = check_integer("--maps", arguments.maps, 1)
    except ValueError as error:
        parser.error(str(error))
    comparison = table("published and generated", ["", "published", *(f"{it} cities" for it in SIZES)], compare(number))
    parts = {
        "statistics": f"{comparison}\n\n{table_of_published()}",
        "cost": measure_cost(100),
    }
    try:
        write_parts(parts, arguments.page)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
