"""Rate an agent: it plays reference agents with fixed ratings until its own rating is precise enough.

For example: t2r rate my_module:MyAgent --variant usa
             t2r rate my_policy/policy.safetensors --variant all --json ratings.json
             t2r rate my_module:MyAgent --variant usa --out my_rating

The references are this release's own agents. So ratings of the same release compare: `greedy` has 1500, and 400 points
are odds of ten to one. Ctrl-C ends the games, and shows the rating so far.
A rating with --out can be checked by others: t2r verify FOLDER.
"""

import argparse
from pathlib import Path

from t2r_agents.commands.tournament import add_luck, add_playing
from t2r_env.basics.packages import needs
from t2r_env.commands.options import add_configuration, agents_help


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the subcommand."""
    parser.add_argument("agent", metavar="AGENT", help=agents_help())
    add_configuration(parser, "of the first ladder that fits what is given; --variant all: of every one that fits")
    parser.add_argument(
        "--width",
        type=float,
        metavar="POINTS",
        help="stop when the rating's 95 %% interval, from end to end, is narrower, but not before 100 deals (default:"
        " 50; with --out all games are played)",
    )
    parser.add_argument(
        "--max-games",
        type=int,
        metavar="GAMES",
        help="the most games, rounded up to whole deals (default: 20000; with --out as many as the ladder says)",
    )
    parser.add_argument(
        "--max-seconds",
        type=float,
        metavar="SECONDS",
        help="stop after this many seconds, when the games under way are over; with --variant all for each ladder"
        " (default: no limit)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        help="seed of the deals and of the agents (default: a random one; with --out the ladder's)",
    )
    add_playing(parser)
    add_ladder(parser)
    add_luck(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the ratings as JSON (default: write nothing)")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="play the games that the ladder says, and write result.json and their replays, which `t2r verify` checks;"
        " with --variant all into a folder for each ladder (default: write nothing)",
    )


def add_ladder(parser: argparse.ArgumentParser) -> None:
    """Add the arguments about the references that agents are rated with."""
    parser.add_argument(
        "--ladder",
        type=Path,
        metavar="FILE",
        help="a table of references of your own, as benchmarks.ladder makes it in the checkout (default: the one that"
        " comes with the library)",
    )
    parser.add_argument(
        "--trust",
        nargs="+",
        default=[],
        metavar="AGENT",
        help="references of that table that have import paths, since importing them runs their code, that ask"
        " a server or that search for long (default: none)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Rate it (`t2r_agents.comparing.rating.terminal`)."""
    with needs("tournament"):
        from t2r_agents.comparing.rating import terminal
    return terminal.run(arguments)
