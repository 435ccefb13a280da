"""Show a recorded game: its actions and how it ended, or a position.

`t2r play --save FILE` and `t2r tournament --replay FOLDER GAME` write replays, and so does `env.replay().save(path)`.
"""

import argparse
import itertools
import json
from pathlib import Path

from t2r_env.checks import check_integer
from t2r_env.commands import usage_errors
from t2r_env.render.text import render_text
from t2r_env.replay import Replay


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the subcommand takes."""
    parser.add_argument("file", type=Path, help="the file of the replay")
    parser.add_argument(
        "--variant", metavar="FOLDER", help="the folder of the variant, if it is your own (default: by its name)"
    )
    parser.add_argument(
        "--position",
        type=int,
        metavar="ACTIONS",
        help="show the position after so many actions, and nothing else (default: all actions, and the last position)",
    )
    parser.add_argument(
        "--json", action="store_true", help="print positions as JSON, as env.snapshot() gives them (default: as text)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Play the game again and show it."""
    with usage_errors():
        replay = Replay.load(arguments.file, arguments.variant)
        position = arguments.position
        if position is not None:
            check_integer("--position", position, 0, len(replay.actions))
    if position is None:
        for number, description in enumerate(replay.descriptions()):
            print(f"{number:>4}  {description}")
        print()
        position = len(replay.actions)
    snapshot = next(itertools.islice(replay.games(), position, None)).snapshot()
    print(json.dumps(snapshot) if arguments.json else render_text(snapshot, replay.configuration).rstrip())
    return 0
