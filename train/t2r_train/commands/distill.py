"""Give a policy a small network that plays as it does, with which `ismcts:N,FILE` searches quickly.

For example: t2r distill my_policy/policy.safetensors
"""

import argparse
from pathlib import Path

from t2r_env.basics.packages import needs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the subcommand takes."""
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="the file of a policy, which is written again with the network")
    add("--variant", help="path of the folder of the policy's map (default: it comes with the library)")
    add("--decisions", type=int, default=500_000, help="of games of the policy against itself (default: 500000)")
    add("--units", type=int, default=64, help="hidden units of the network (default: 64)")
    add("--seed", type=int, default=0, help="of the games and of the network (default: 0)")


def run(arguments: argparse.Namespace) -> int:
    """Distil (`t2r_train.distill`)."""
    with needs("train"):
        from t2r_train import distill
    return distill.run(arguments)
