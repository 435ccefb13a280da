"""Train a policy in self-play with PPO, from the planner's play on.

It begins as the planner plays (prior_weight) and learns when to deviate.

For example: t2r train --variant new_york --out my_policy
             t2r train --variant new_york --from-rules --out from_nothing
             t2r train --resume my_policy
"""

import argparse
from pathlib import Path

from t2r_env.basics.packages import needs
from t2r_env.commands.options import add_configuration, count
from t2r_train.settings import CHANGEABLE, DEFAULTS, FROM_RULES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the subcommand. Those for settings are None unless they are given."""
    add_folders(parser)
    add_configuration(parser, several_players=True)
    add_training(parser, "by variant")
    parser.add_argument(
        "--from-rules",
        action="store_true",
        help="learn from the rules alone, without the planner's features, prior and play (default: with them): "
        + ", ".join(f"{name}={_as_text(value)}" for name, value in FROM_RULES.items()),
    )


def add_folders(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that begin a training run in a folder, or resume the one there."""
    folders = parser.add_mutually_exclusive_group(required=True)
    folders.add_argument("--out", type=Path, metavar="FOLDER", help="where to write checkpoint, policy and curves")
    folders.add_argument(
        "--resume",
        type=Path,
        metavar="FOLDER",
        help=f"continue the training run in this folder; these settings may change: {', '.join(CHANGEABLE)}",
    )


def add_training(parser: argparse.ArgumentParser, timesteps: str) -> None:
    """Add the arguments for the settings of a training run; `timesteps` says how many it takes by default."""
    add = parser.add_argument
    add("--total-timesteps", type=count, metavar="TIMESTEPS", help=f"decisions of the learner (default: {timesteps})")
    add("--seed", type=int, help="of network, games and minibatches (default: 0)")
    add(
        "--keep-every",
        type=count,
        metavar="TIMESTEPS",
        help="keep the policy after so many timesteps, again and again, as policy_TIMESTEPS.safetensors (default: 0,"
        " only the last one is kept)",
    )
    add("--device", choices=("auto", "cpu", "cuda"), default="auto", help="auto: a GPU if there is one (default: auto)")
    add("--threads", type=int, help="for games, features and networks (default: one for each core)")
    add(
        "--set",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=VALUE",
        help="other settings (t2r_train.settings explains them; some defaults depend on the variant): "
        + ", ".join(f"{name}={_as_text(default)}" for name, default in DEFAULTS.items()),
    )


def _as_text(default: object) -> str:
    return ",".join(map(str, default)) if isinstance(default, tuple) else str(default)


def run(arguments: argparse.Namespace) -> int:
    """Train (`t2r_train.terminal`)."""
    with needs("train"):
        from t2r_train import terminal
    return terminal.run(arguments)
