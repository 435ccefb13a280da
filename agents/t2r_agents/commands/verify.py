"""Check the result of a rating, which `t2r rate --out FOLDER` has written: play all of its games again.

For example: t2r verify my_rating

The references of this release must act as they did, the agent's actions must be legal, and the scores and the rating
must follow. One line says whether the rating stands, or which game fails.
"""

import argparse
import sys
from pathlib import Path

from t2r_agents.commands.rate import add_ladder
from t2r_env.basics.packages import needs
from t2r_env.commands import UsageError, usage_errors


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the subcommand."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder with result.json and replays")
    add_ladder(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check it, and print one line. Returns 1 if it does not stand. Raises UsageError if there is none."""
    with needs("tournament"):
        from t2r_agents.comparing.rating.ladder import SHIPPED, read_ladders
        from t2r_agents.comparing.rating.result import RESULT, ResultError
        from t2r_agents.comparing.rating.verify import verify
    folder = arguments.folder
    if not (folder / RESULT).is_file():
        raise UsageError(f"FOLDER must have a {RESULT}, as `t2r rate --out FOLDER` writes it, and {folder} has none")
    with usage_errors():
        ladders = read_ladders(SHIPPED if arguments.ladder is None else arguments.ladder)
        try:
            result = verify(folder, ladders, arguments.trust)
        except ResultError as error:
            print(f"the rating does not stand: {error}", file=sys.stderr)
            return 1
    print(f"the rating stands: {result.title()}")
    return 0
