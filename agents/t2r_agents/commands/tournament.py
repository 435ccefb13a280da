"""Play a tournament between agents: each deal once for each rotation of the agents over the seats.

For example: t2r tournament --variant usa --agents planner greedy my_module:MyAgent --games 1000 --out results
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from t2r_env.basics.cores import count_cores
from t2r_env.basics.packages import needs
from t2r_env.commands.options import add_configuration, agents_help
from t2r_env.commands.replay import Recorded


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the subcommand. Those of the tournament's settings are None unless they are given."""
    add_configuration(
        parser,
        "that of the policies' files if they agree, else usa with its defaults",
    )
    parser.add_argument("--agents", nargs="+", metavar="AGENT", help=f"{agents_help()} (default: random greedy)")
    parser.add_argument("--games", type=int, help="number of games, rounded up to whole deals (default: 1000)")
    parser.add_argument("--seed", type=int, help="seed of the deals and of the agents (default: a random one)")
    add_playing(parser)
    parser.add_argument(
        "--pages",
        type=int,
        default=6,
        metavar="NUMBER",
        help="with --out, make replay pages of at most this many games: closest, highest score, longest, forfeited"
        " (default: %(default)s)",
    )
    parser.add_argument(
        "--agreement",
        type=int,
        default=20,
        metavar="GAMES",
        help="with --out, ask all agents at the decisions of so many games how often they choose alike; fewer if it"
        " would take more than half a minute (default: %(default)s)",
    )
    add_luck(parser)
    folders = parser.add_mutually_exclusive_group()
    folders.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="write games.csv, tournament.json, report.html and replay pages (default: write nothing)",
    )
    folders.add_argument(
        "--resume",
        type=Path,
        metavar="FOLDER",
        help="go on with the tournament of this folder; with --agents as before if they have import paths,"
        " ask somebody or search for long",
    )
    folders.add_argument(
        "--replay",
        nargs=2,
        metavar=("FOLDER", "GAME"),
        help="play one game of the tournament of this folder again, and write the replay game_GAME.json and"
        " its page there",
    )


def add_playing(parser: argparse.ArgumentParser) -> None:
    """Add the arguments about the processes in which games are played and agents act."""
    parser.add_argument(
        "--processes",
        type=int,
        help="number of processes; the games are the same for every number (default: one for each core,"
        f" {count_cores()}; with --ray one for each CPU of the cluster)",
    )
    parser.add_argument(
        "--ray",
        nargs="?",
        const="",
        metavar="ADDRESS",
        help="let workers on Ray play, which may be on other machines: HOST:PORT of a cluster, auto (the one started on"
        " this machine) or local (one that ends with the command); without ADDRESS that of RAY_ADDRESS, else local"
        " (default: processes on this machine)",
    )
    parser.add_argument(
        "--isolate",
        action="store_const",
        const=True,
        help="let each agent act in a process of its own (default: in the processes that play)",
    )
    parser.add_argument(
        "--seconds",
        nargs="+",
        type=float,
        metavar=("DECISION", "GAME"),
        help="limits in seconds for each decision, and for all decisions of a seat in a game; need --isolate (default:"
        " none)",
    )
    parser.add_argument(
        "--memory",
        type=int,
        metavar="MIB",
        help="limit in MiB of the memory that an agent's process takes beyond what it has at its start; needs --isolate"
        " (default: none)",
    )


def add_luck(parser: argparse.ArgumentParser) -> None:
    """Add the argument about results less luck."""
    parser.add_argument(
        "--luck-adjusted",
        action="store_true",
        help="show wins and margins less the luck in cards and tickets, too, where there is a network of values; with"
        " --out, write that of each game to luck.csv (default: the results alone)",
    )


def record_game(folder: Path, number: str, trusted: Sequence[str], flag: str) -> Recorded:
    """Play a game of the tournament of a folder again (`t2r_agents.comparing.tournament.terminal`)."""
    with needs("tournament"):
        from t2r_agents.comparing.tournament import terminal
    return terminal.record_game(folder, number, trusted, flag)


def run(arguments: argparse.Namespace) -> int:
    """Play it (`t2r_agents.comparing.tournament.terminal`)."""
    with needs("tournament"):
        from t2r_agents.comparing.tournament import terminal
    return terminal.run(arguments)
