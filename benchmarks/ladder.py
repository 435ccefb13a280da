"""The ladders that `t2r rate` rates agents with: the references play among themselves, and are rated.

    python -m benchmarks.ladder                                                      # all that the library comes with
    python -m benchmarks.ladder --variants usa --num-players 3 --out my_ladders.json

A ladder belongs to a release, so they are made for each release. By default these are the ladders of every game with
the fewest players (USA with the classic tickets), and of USA with the mega tickets and 4 players. Each takes the place
of the table's own of that configuration as soon as it is ready; other ladders of the table stay.
"""

import argparse
import math
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from t2r_agents.comparing.rating.ladder import (
    POLICY,
    REFERENCES,
    SHIPPED,
    LadderError,
    make_ladder,
    read_ladders,
    write_ladders,
)
from t2r_env import VARIANTS, Configuration, configure
from t2r_env.agents import find_agent
from t2r_env.basics.checks import check_integer, check_seed
from t2r_env.basics.cores import count_cores
from t2r_env.commands.options import absolute_variant

CONFIGURATIONS: tuple[tuple[str, int | None, dict[str, Any]], ...] = (
    ("usa", None, {"tickets": "classic"}),
    ("usa", 4, {"tickets": "mega"}),
    *((variant, None, {}) for variant in VARIANTS if variant != "usa"),
)
"""Variant, number of players and options; the first one of a variant is what `t2r rate` takes without more."""


def main(command: Sequence[str] | None = None) -> int:
    """Make the ladders. Returns 0, or 130 if interrupted; those that are ready are in the table. Exits with 2 for a
    wrong command line."""
    given = sys.argv[1:] if command is None else list(command)
    parser = _parser()
    arguments = parser.parse_args(given)
    try:
        for name in ("games", "processes"):
            check_integer(f"--{name}", getattr(arguments, name), 1)
        check_seed(arguments.seed)
        chosen = [(variant, configure(variant, players, **options)) for variant, players, options in _chosen(arguments)]
        table = read_ladders(arguments.out) if arguments.out.exists() else []
        references = {it: playing(arguments.references, it) for _, it in chosen}
    except (TypeError, ValueError, OSError) as error:
        parser.error(str(error))
    said = shlex.join(["python", "-m", "benchmarks.ladder", *given])
    try:
        for variant, configuration in track(chosen, "ladders", console=Console(stderr=True)):
            names = references[configuration]
            pairs = math.comb(len(names), 2) / math.comb(configuration.num_teams, 2)
            games = math.ceil(arguments.games * pairs)
            ladder = make_ladder(
                configuration, variant, games, arguments.seed, said, references=names, processes=arguments.processes
            )
            same = [it.fits(ladder.variant, ladder.num_players, ladder.options) for it in table]
            table = [ladder if is_same else it for it, is_same in zip(table, same)] + [ladder] * (not any(same))
            write_ladders(arguments.out, table)
    except KeyboardInterrupt:
        print("interrupted: the ladders that were ready are in the table", file=sys.stderr)
        return 130
    except LadderError as error:
        parser.error(str(error))
    return 0


def playing(references: Sequence[str], configuration: Configuration) -> list[str]:
    """Return the references without POLICY where none comes with the library. Raises ValueError for unknown ones."""
    names = []
    for name in references:
        try:
            find_agent(name, configuration)
            names.append(name)
        except ValueError:
            if name != POLICY:
                raise
    return names


def _chosen(arguments: argparse.Namespace) -> list[tuple[str, int | None, dict[str, Any]]]:
    options = {} if arguments.tickets is None else {"tickets": arguments.tickets}
    if arguments.num_players is None and not options:
        return [it for it in CONFIGURATIONS if it[0] in arguments.variants] + [
            (absolute_variant(variant), None, {}) for variant in arguments.variants if variant not in VARIANTS
        ]
    return [(absolute_variant(variant), arguments.num_players, options) for variant in arguments.variants]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladder", description="Make ladders for `t2r rate`.")
    add = parser.add_argument
    add("--variants", nargs="+", default=list(VARIANTS), metavar="VARIANT", help="names, or paths (default: all)")
    add("--num-players", type=int, metavar="NUMBER", help="(default: as above)")
    add("--tickets", metavar="DECK", help="(default: as above)")
    usual = " ".join(REFERENCES)
    add("--references", nargs="+", default=list(REFERENCES), metavar="AGENT", help=f"with greedy (default: {usual})")
    add("--games", type=int, default=100, help="games of each pair of references (default: 100)")
    add("--seed", type=int, default=0, help="seed of the deals and of the agents (default: 0)")
    add("--processes", type=int, default=count_cores(), help="number of processes (default: one for each core)")
    add("--out", type=Path, default=SHIPPED, metavar="FILE", help="the table (default: the library's)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
