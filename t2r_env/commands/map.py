"""Make a map from a seed, or read one: say what it has, draw it, or write a seed's map as a folder.

The folder can be played wherever a variant is named.

For example: t2r map 7 --out maps/seven
             t2r map maps/seven --png seven.png
             t2r play --variant maps/seven
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from t2r_env.basics.writing import replacing
from t2r_env.commands import UsageError, usage_errors
from t2r_env.configuration import configure
from t2r_env.generating import RULES, USUAL_RULES, generate_map, write_map
from t2r_env.variants import MapVariant, load_variant

WIDTH = 1200
"""The width of pictures in pixels."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the subcommand takes."""
    add = parser.add_argument
    add("map", help="a seed, which gives the same map for ever; or the name of a variant, or path of its folder")
    add("--cities", type=int, help="number of cities, from 15 to 51 (default: 36)")
    add(
        "--players",
        type=int,
        nargs=2,
        metavar=("FEWEST", "MOST"),
        help="numbers of players, from 2 to 6 (default: 2 5)",
    )
    add(
        "--rules",
        nargs="*",
        metavar="RULE",
        help=f"what the map has: some of {', '.join(RULES)}, or nothing (default: {' '.join(USUAL_RULES)})",
    )
    add("--out", type=Path, metavar="FOLDER", help="write the map's folder, a new or empty one (default: none)")
    add("--png", type=Path, metavar="FILE", help="draw the map as PNG; needs the extra render (default: none)")


def run(arguments: argparse.Namespace) -> int:
    """Make or read the map, and say what it has."""
    chosen = {name: value for name in ("cities", "players", "rules") if (value := getattr(arguments, name)) is not None}
    is_seed = re.fullmatch(r"-?\d+", arguments.map)
    with usage_errors():
        if is_seed:
            chosen["seed"] = int(arguments.map)
        elif chosen or arguments.out:
            raise UsageError(f"--cities, --players, --rules and --out need a seed, not {arguments.map}")
        variant = generate_map(**chosen) if is_seed else _read(arguments.map)
        if arguments.out:
            write_map(arguments.out, **chosen)
        if arguments.png:
            draw(variant, arguments.png)
    print("\n".join(_describe(variant)))
    return 0


def _read(source: str) -> MapVariant:
    """Return the map of a variant. Raises ValueError if there is none."""
    variant = load_variant(source)
    if not isinstance(variant, MapVariant):
        raise UsageError(f"{variant.name} has no map")
    return variant


def _describe(variant: MapVariant) -> Iterator[str]:
    players = ", ".join(map(str, variant.player_numbers))
    yield f"{variant.name}, for {players} players with {variant.trains} trains each"
    counts = {kind: sum(getattr(it, kind) > 0 for it in variant.routes) for kind in ("ferry", "tunnel", "mountain")}
    kinds = "".join(f", {number} of them with {kind}" for kind, number in counts.items() if number)
    yield f"{len(variant.cities)} cities, {len(variant.routes)} routes{kinds}"


def draw(variant: MapVariant, file: Path) -> None:
    """Write the picture of an empty board as PNG. Raises OSError and MissingExtraError."""
    from t2r_env.render.raster import png_of
    from t2r_env.render.svg import render_board_svg

    configuration = configure(variant)
    picture = render_board_svg(configuration.snapshot(configuration.opening[0]), configuration, width=WIDTH)
    with replacing(file) as new:
        new.write_bytes(png_of(picture))
