"""Write games as data: Parquet files with a row for each decision, and a data card; the same command resumes.

For example: t2r export --variant usa --agents greedy planner --games 10000 --out data
             t2r export results --out data               # the games of a tournament
             t2r export game.json replays --out data     # files of replays, and folders of them
             t2r export data --replay 17 --out game.json
             t2r export data --minari usa/greedy-v0
"""

import argparse
from pathlib import Path
from typing import get_args

from t2r_env.basics.cores import count_cores
from t2r_env.basics.packages import needs
from t2r_env.commands.options import add_configuration, agents_help
from t2r_env.games import Reward


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the subcommand. Those that say what is exported are None unless they are given."""
    parser.add_argument(
        "sources",
        nargs="*",
        type=Path,
        metavar="SOURCE",
        help="the folder of a tournament; or files of replays, and folders of them; with --replay or --minari the"
        " folder of an export (default: agents play)",
    )
    add_configuration(parser)
    parser.add_argument(
        "--agents",
        nargs="+",
        metavar="AGENT",
        help=f"{agents_help()} (default: greedy; those of the tournament, which must be repeated if they have import"
        " paths, ask somebody or search for long)",
    )
    parser.add_argument("--games", type=int, help="number of games (default: 1000)")
    parser.add_argument("--seed", type=int, help="seed of the deals and of the agents (default: a random one)")
    parser.add_argument(
        "--processes",
        type=int,
        help=f"number of processes; the files are the same for every number (default: one for each core,"
        f" {count_cores()})",
    )
    add_content(parser)
    parser.add_argument(
        "--out", type=Path, metavar="PATH", help="the folder to write; with --replay the file (default: write nothing)"
    )
    parser.add_argument("--replay", type=int, metavar="GAME", help="write this game of an export as a replay")
    parser.add_argument(
        "--minari",
        metavar="ID",
        help="make a dataset of Minari of an export; of several agents one for each: usa/mine-v0 becomes"
        " usa/mine-greedy-v0 and so on (default: none)",
    )
    parser.add_argument(
        "--observation",
        choices=("dict", "vector"),
        help="with --minari: observations with their action masks, or vectors alone, with the masks among the infos"
        " (default: dict)",
    )


def add_content(parser: argparse.ArgumentParser) -> None:
    """Add the arguments about what is in the files."""
    group = parser.add_argument_group("what is in the files")
    group.add_argument("--reward", choices=get_args(Reward), help="of returns (default: rank)")
    group.add_argument(
        "--view",
        action="store_const",
        const=True,
        help="add all that the seat knows as text, which is slow (default: without)",
    )
    group.add_argument("--hidden", action="store_const", const=True, help="add the global state (default: without)")
    group.add_argument(
        "--games-per-file",
        type=int,
        metavar="GAMES",
        help="an interrupted export loses the files under way, so slow agents need a small number (default: 1000)",
    )
    group.add_argument("--licence", help="of the data, for its card (default: mit)")


def run(arguments: argparse.Namespace) -> int:
    """Export (`t2r_agents.comparing.export.terminal`)."""
    with needs("data"):
        from t2r_agents.comparing.export import terminal
    return terminal.run(arguments)
