"""The ladders that `t2r rate` rates agents with: the references play among themselves, then rate other agents.

    python -m benchmarks.ladder                                                      # all that the library comes with
    python -m benchmarks.ladder --variants usa --num-players 3 --out my_ladders.json

By default it makes the ladders of every game with the fewest players (USA with the classic tickets), and of USA with
the mega tickets and 4 players. Each takes the place of the table's own of that configuration as soon as it is ready;
other ladders of the table stay.
"""

import argparse
import math
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from t2r_agents.rating.ladder import REFERENCES, SHIPPED, Ladder, LadderError, make_ladder, read_ladders, write_ladders
from t2r_agents.rating.rating import INTERRUPTED, Rater
from t2r_agents.tournament.players import Players
from t2r_agents.tournament.playing import warm_up
from t2r_env import VARIANTS, Configuration, configure
from t2r_env.agents import find_agent
from t2r_env.checks import check_integer, check_seed
from t2r_env.commands.options import absolute_variant

AGENTS = ("one_plan", "planner", "policy")
"""The agents that the table holds beside the references, where they can play; those that search are slow."""
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
        for name in ("games", "max_games", "processes"):
            check_integer(f"--{name.replace('_', '-')}", getattr(arguments, name), 1)
        check_seed(arguments.seed)
        chosen = [(variant, configure(variant, players, **options)) for variant, players, options in _chosen(arguments)]
        table = read_ladders(arguments.out) if arguments.out.exists() else []
        for _, configuration in chosen:
            Players(configuration, tuple(arguments.references)).make()
    except (TypeError, ValueError, OSError) as error:
        parser.error(str(error))
    said = shlex.join(["python", "-m", "benchmarks.ladder", *given])
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        try:
            for variant, configuration in chosen:
                ladder = _make(variant, configuration, arguments, said, progress)
                table = _put(table, ladder)
                write_ladders(arguments.out, table)
        except KeyboardInterrupt:
            progress.console.print("interrupted: the ladders that were ready are in the table")
            return 130
        except LadderError as error:
            parser.error(str(error))
    return 0


def _make(
    variant: str, configuration: Configuration, arguments: argparse.Namespace, said: str, progress: Progress
) -> Ladder:
    """A ladder with all its rows."""
    teams, number = configuration.num_teams, len(arguments.references)
    games = math.ceil(arguments.games * math.comb(number, 2) / math.comb(teams, 2))
    task = progress.add_task(f"{configuration}, references", total=games)
    warm_up(configuration, Players(configuration, tuple(arguments.references)).make())
    ladder = make_ladder(
        configuration,
        variant,
        games,
        arguments.seed,
        said,
        references=arguments.references,
        processes=arguments.processes,
        advance=lambda games: progress.advance(task, games),
    )
    for agent in arguments.agents:
        try:
            find_agent(agent, configuration)
        except ValueError as error:
            progress.console.print(f"{configuration}: without {agent}: {error}", markup=False)
            continue
        task = progress.add_task(f"{configuration}, {agent}", total=arguments.max_games)
        rater = Rater(ladder, agent, arguments.max_games, arguments.seed, trusted=arguments.references)
        rating = rater.rate(
            arguments.width,
            arguments.max_seconds,
            arguments.processes,
            lambda games, _, task=task: progress.update(task, completed=games),  # type: ignore[misc]  # a default binds this round's task
        )
        if rating and rating.ended == INTERRUPTED:
            raise KeyboardInterrupt
        if rating:
            ladder = replace(ladder, agents=sorted([*ladder.agents, rating.row], key=lambda row: -row.rating.value))
    return ladder


def _put(table: Sequence[Ladder], ladder: Ladder) -> list[Ladder]:
    """The table with this ladder in the place of that of its configuration, or at the end."""
    same = [it.fits(ladder.variant, ladder.num_players, ladder.options) for it in table]
    return [ladder if is_same else it for it, is_same in zip(table, same)] + ([] if any(same) else [ladder])


def _chosen(arguments: argparse.Namespace) -> list[tuple[str, int | None, dict[str, Any]]]:
    options = {} if arguments.tickets is None else {"tickets": arguments.tickets}
    if arguments.num_players is None and not options:
        return [it for it in CONFIGURATIONS if it[0] in arguments.variants] + [
            (absolute_variant(variant), None, {}) for variant in arguments.variants if variant not in VARIANTS
        ]
    return [(absolute_variant(variant), arguments.num_players, options) for variant in arguments.variants]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladder", description="Make ladders for `t2r rate`.")
    parser.add_argument("--variants", nargs="+", default=list(VARIANTS), metavar="VARIANT", help="names, or paths")
    parser.add_argument("--num-players", type=int, metavar="NUMBER", help="(default: as above)")
    parser.add_argument("--tickets", metavar="DECK", help="(default: as above)")
    parser.add_argument(
        "--references",
        nargs="+",
        default=list(REFERENCES),
        metavar="AGENT",
        help=f"agents that will not change, greedy among them (default: {' '.join(REFERENCES)})",
    )
    parser.add_argument(
        "--games", type=int, default=1000, help="games of each pair of references (default: %(default)s)"
    )
    parser.add_argument(
        "--agents",
        nargs="*",
        default=list(AGENTS),
        metavar="AGENT",
        help=f"other agents, where they can play (default: {' '.join(AGENTS)})",
    )
    parser.add_argument("--width", type=float, default=50.0, help="of their ratings' intervals (default: %(default)g)")
    parser.add_argument("--max-games", type=int, default=10_000, help="of each of them (default: %(default)s)")
    parser.add_argument("--max-seconds", type=float, default=math.inf, help="of each of them (default: no limit)")
    parser.add_argument("--seed", type=int, default=0, help="of the deals and of the agents (default: 0)")
    parser.add_argument("--processes", type=int, default=1, help="number of processes (default: 1)")
    parser.add_argument("--out", type=Path, default=SHIPPED, metavar="FILE", help="the table (default: the library's)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
