"""Tune an agent's parameters for one game: search those that win the most against a pool of agents.

For example: t2r tune --variant usa --num-players 2 --against planner:v1 racer long_routes --out tuned
"""

import argparse
from pathlib import Path

from t2r_env.commands.options import add_configuration, agents_help
from t2r_env.cores import count_cores
from t2r_env.extras import needs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the subcommand takes. Those of the search's settings are None unless they are given."""
    add_configuration(parser)
    parser.add_argument("--agent", help="the agent to tune, a name or an import path (default: planner)")
    parser.add_argument(
        "--against",
        nargs="+",
        metavar="AGENT",
        help=f"the pool: {agents_help()} (default: planner:v1 racer long_routes one_plan)",
    )
    parser.add_argument(
        "--only", nargs="+", metavar="PARAMETER", help="tune these; the others stay as they are (default: all)"
    )
    for name, text in {
        "games": "games of each candidate, against all of the pool together (default: 400)",
        "sweeps": "rounds of steps of single parameters, before the generations (default: 3)",
        "generations": "generations of CMA-ES (default: 10); with --resume they may be more than before",
        "population": "candidates of a generation (default: 14)",
        "validation-games": "games of result and start each, on fresh deals, at the end (default: 4000)",
        "seed": "seed of the search and of the deals (default: a random one)",
    }.items():
        parser.add_argument(f"--{name}", type=int, metavar="NUMBER", help=text)
    parser.add_argument(
        "--step", type=float, help="first step of sweeps, in units of a parameter's range (default: 0.2)"
    )
    parser.add_argument(
        "--start",
        metavar="FILE",
        help="where the search starts: a JSON file of parameters by name, or table (what planner plays with at present)"
        " or defaults (what it would play with without the table) (default: table)",
    )
    parser.add_argument(
        "--sigma", type=float, help="first standard deviation of each parameter, in units of its range (default: 0.05)"
    )
    parser.add_argument(
        "--margin-weight",
        type=float,
        metavar="WEIGHT",
        help="what a mean margin of 100 points counts beside the share of wins (default: 0.25)",
    )
    parser.add_argument(
        "--mirror-weight",
        type=float,
        metavar="WEIGHT",
        help="what 100 points of the winner's mean score count in games of the candidate alone (default: 0)",
    )
    parser.add_argument(
        "--processes",
        type=int,
        default=count_cores(),
        help="number of processes; the result is the same for every number (default: one for each core, %(default)s)",
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="put the result into the table that planner plays by, if it is better than the start (default: only show)",
    )
    folders = parser.add_mutually_exclusive_group(required=True)
    folders.add_argument(
        "--out", type=Path, metavar="FOLDER", help="keep the search in this folder, a new one (no default)"
    )
    folders.add_argument("--resume", type=Path, metavar="FOLDER", help="go on with the search of this folder")


def run(arguments: argparse.Namespace) -> int:
    """Search (`t2r_agents.tuning.terminal`)."""
    with needs("tune"):
        from t2r_agents.tuning import terminal
    return terminal.run(arguments)
