"""Make a network of beliefs for a game: what the other seats probably hold, by what they have done.

It learns from games of agents, in minutes. Games that are played are kept: after an interruption the same command goes
on.

For example: t2r beliefs --variant europe --out europe_beliefs
"""

import argparse
from pathlib import Path

from t2r_env.basics.packages import needs
from t2r_env.commands.options import add_configuration, count


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the subcommand takes."""
    add_configuration(parser)
    add = parser.add_argument
    add("--out", type=Path, required=True, metavar="FOLDER", help="where games and beliefs.safetensors are written")
    add("--games", type=count, default=16_384, help="to learn from (default: 16384)")
    add("--check-games", type=count, default=2_048, help="of other agents, to check it with (default: 2048)")
    add("--seed", type=int, default=0, help="of games and network (default: 0)")


def run(arguments: argparse.Namespace) -> int:
    """Learn (`t2r_train.beliefs`)."""
    with needs("train"):
        from t2r_train.beliefs import terminal
    return terminal.run(arguments)
