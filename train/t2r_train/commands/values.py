"""Make a network of values for a game: positions from games of agents, learning, and calibration on other games.

It is made in minutes. Games that are played are kept: after an interruption the same command goes on.

For example: t2r values --variant new_york --out new_york_values
"""

import argparse
from pathlib import Path

from t2r_env.basics.packages import needs
from t2r_env.commands.options import add_configuration, count


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the subcommand takes."""
    add_configuration(parser)
    add = parser.add_argument
    add("--out", type=Path, required=True, metavar="FOLDER", help="where games and values.safetensors are written")
    add("--games", type=count, default=40_000, help="to learn from (default: 40000)")
    add("--check-games", type=count, default=2_000, help="of other agents, to check it with (default: 2000)")
    add("--seed", type=int, default=0, help="of games and network (default: 0)")


def run(arguments: argparse.Namespace) -> int:
    """Learn (`t2r_train.values`)."""
    with needs("train"):
        from t2r_train.values import terminal
    return terminal.run(arguments)
