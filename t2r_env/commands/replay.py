"""Show a recorded game: its actions and how it ended, or a position; as a page, an animation or a picture.

`t2r play --save FILE` and `t2r tournament --replay FOLDER GAME` write replays, and so does `env.replay().save(path)`.

For example: t2r replay game.json --html game.html --agent planner
"""

import argparse
import itertools
import json
from pathlib import Path

from t2r_env.checks import check_integer
from t2r_env.commands import UsageError, usage_errors
from t2r_env.commands.options import agents_help
from t2r_env.commands.progress import progress_line
from t2r_env.render.text import render_text
from t2r_env.replay import Replay
from t2r_env.writing import replacing

ANIMATION_WIDTH, PICTURE_WIDTH = 900, 1200
"""In pixels, if no other width is given."""
SPEED = 2.0
"""The frames a second of animations, by default."""


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
        help="show only the position after this many actions (default: all actions, and the last position)",
    )
    parser.add_argument(
        "--json", action="store_true", help="print positions as JSON, as env.snapshot() gives them (default: as text)"
    )
    files = parser.add_argument_group("files to write", "With one of these, nothing is printed of the game.")
    files.add_argument(
        "--html", type=Path, metavar="FILE", help="write a page for a browser, which needs no network (default: none)"
    )
    files.add_argument(
        "--gif", type=Path, metavar="FILE", help="write an animation as GIF; needs the extra render (default: none)"
    )
    files.add_argument("--webp", type=Path, metavar="FILE", help="the same as WebP (default: none)")
    files.add_argument(
        "--png",
        nargs=2,
        metavar=("TURN", "FILE"),
        help="write the position after a turn as PNG; needs the extra render; turn 0 is the choice of tickets before"
        " the first (default: none)",
    )
    what = parser.add_argument_group("what they show")
    what.add_argument(
        "--seat", type=int, help="what this seat knew, and nothing else of the game (default: everything)"
    )
    what.add_argument(
        "--names",
        nargs="+",
        metavar="NAME",
        help="names of the players for the page, as those of their agents (default: none)",
    )
    what.add_argument(
        "--agent",
        help=f"on the page, what this agent would do at each decision, and how it weighs the actions: {agents_help()}"
        " (default: none)",
    )
    what.add_argument(
        "--width",
        type=int,
        metavar="PIXELS",
        help=f"of animations and PNG (default: {ANIMATION_WIDTH} and {PICTURE_WIDTH})",
    )
    what.add_argument(
        "--speed", type=float, metavar="FRAMES", help=f"frames a second of animations (default: {SPEED:g})"
    )
    what.add_argument(
        "--by-turn", action="store_true", help="one frame for each turn in animations (default: for each step)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Play the game again and show it, or write it to files."""
    files = {"--html": arguments.html, "--gif": arguments.gif, "--webp": arguments.webp}
    files["--png"] = Path(arguments.png[1]) if arguments.png else None
    for flag, file in files.items():
        if file and (file.is_dir() or not file.parent.is_dir()):
            raise UsageError(f"{flag} must be a file in an existing folder, not {file}")
    _check_use(arguments, [flag for flag, file in files.items() if file])
    with usage_errors():
        replay = Replay.load(arguments.file, arguments.variant)
        if any(files.values()):
            _write(replay, arguments)
            return 0
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


def _check_use(arguments: argparse.Namespace, written: list[str]) -> None:
    """Raise UsageError for an argument that says something of a file that is not written, or of a text that is not."""
    pictures, animations = {"--gif", "--webp", "--png"}, {"--gif", "--webp"}
    for flag, is_given, needed in (
        ("--seat", arguments.seat is not None, {"--html", *pictures}),
        ("--names", arguments.names, {"--html"}),
        ("--agent", arguments.agent, {"--html"}),
        ("--width", arguments.width is not None, pictures),
        ("--speed", arguments.speed is not None, animations),
        ("--by-turn", arguments.by_turn, animations),
    ):
        if is_given and not needed & set(written):
            raise UsageError(f"{flag} needs {' or '.join(sorted(needed))}")
    if written and (arguments.json or arguments.position is not None):
        raise UsageError(f"{written[0]} goes without --json and --position, which print")


def _write(replay: Replay, arguments: argparse.Namespace) -> None:
    from t2r_env.agents import find_agent
    from t2r_env.render.animation import render_turn, save_animation
    from t2r_env.render.replay_page import save_replay_html

    seat, width, configuration = arguments.seat, arguments.width, replay.configuration
    if seat is not None:
        check_integer("--seat", seat, 0, configuration.num_players - 1)
    if arguments.png:
        turn = arguments.png[0]
        turn = check_integer("TURN of --png", int(turn) if turn.isdecimal() else turn, 0)
        picture = render_turn(replay, turn, seat=seat, width=PICTURE_WIDTH if width is None else width)
        with replacing(arguments.png[1]) as new:
            new.write_bytes(picture)
    for chosen in ("gif", "webp"):
        if file := getattr(arguments, chosen):
            with progress_line(f"frames of {file.name}") as progress:
                save_animation(
                    file,
                    replay,
                    file_format=chosen,
                    seat=seat,
                    width=ANIMATION_WIDTH if width is None else width,
                    frames_per_second=SPEED if arguments.speed is None else arguments.speed,
                    turns_only=arguments.by_turn,
                    progress=progress,
                )
    if arguments.html:
        agent = find_agent(arguments.agent, configuration) if arguments.agent else None
        if getattr(agent, "asks_person", False):
            raise ValueError(f"--agent {arguments.agent} would ask you at each decision: name another agent")
        with progress_line(f"pictures of {arguments.html.name}") as progress:
            save_replay_html(
                arguments.html,
                replay,
                names=arguments.names or (),
                seat=seat,
                agent=agent,
                agent_name=arguments.agent or "",
                progress=progress,
            )
