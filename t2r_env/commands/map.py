"""Make a map from a seed: say what it has, write its folder, or draw it.

The folder can be played wherever a variant is named.

For example: t2r map 7 --out maps/seven --png seven.png
             t2r play --variant maps/seven
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from t2r_env.basics.writing import replacing
from t2r_env.commands import usage_errors
from t2r_env.configuration import configure
from t2r_env.generating import RULES, USUAL_RULES, generate_map, write_map
from t2r_env.variants import MapVariant

WIDTH = 1200
"""The width of pictures in pixels."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the subcommand takes."""
    add = parser.add_argument
    add("seed", type=int, help="the same seed gives the same map for ever")
    add("--cities", type=int, default=36, help="number of cities, from 15 to 51 (default: 36)")
    add(
        "--players",
        type=int,
        nargs=2,
        default=[2, 5],
        metavar=("FEWEST", "MOST"),
        help="numbers of players, from 2 to 6 (default: 2 5)",
    )
    add(
        "--rules",
        nargs="*",
        default=USUAL_RULES,
        metavar="RULE",
        help=f"what the map has: some of {', '.join(RULES)}, or nothing (default: {' '.join(USUAL_RULES)})",
    )
    add("--out", type=Path, metavar="FOLDER", help="write the map's folder, a new or empty one (default: none)")
    add("--png", type=Path, metavar="FILE", help="draw the map as PNG; needs the extra render (default: none)")


def run(arguments: argparse.Namespace) -> int:
    """Make the map, and say what it has."""
    chosen = {name: getattr(arguments, name) for name in ("seed", "cities", "players", "rules")}
    with usage_errors():
        variant = generate_map(**chosen)
        if arguments.png:
            draw(variant, arguments.png)
        if arguments.out:
            write_map(arguments.out, **chosen)
    print("\n".join(_describe(variant)))
    return 0


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
