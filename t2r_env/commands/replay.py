"""Show a recorded game: its actions and how it ended, or a position; as a page, an animation or a picture.

`t2r play --save FILE` writes replays, and so does `env.replay().save(path)`. With the folder of a tournament and the
number of one of its games, that game is played again by its agents.

For example: t2r replay game.json --html game.html --agent planner
             t2r replay results 17 --html
"""

import argparse
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from t2r_env.basics.checks import check_integer
from t2r_env.basics.writing import replacing
from t2r_env.commands import UsageError, check_new_file, find_commands, usage_errors
from t2r_env.commands.options import agents_help
from t2r_env.commands.progress import progress_line
from t2r_env.render.text import render_text
from t2r_env.replay import Replay, ReplayError

ANIMATION_WIDTH, PICTURE_WIDTH = 900, 1200
"""In pixels, if no other width is given."""
BESIDE = Path()
"""Stands for the place where a page is written if no file is named."""
SPEED = 2.0
"""The frames a second of animations, by default."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the subcommand takes."""
    add_game(parser)
    parser.add_argument(
        "--position",
        type=int,
        metavar="ACTIONS",
        help="show only the position after this many actions (default: all actions, and the last position)",
    )
    parser.add_argument(
        "--json", action="store_true", help="print positions as JSON, as env.snapshot() gives them (default: as text)"
    )
    parser.add_argument(
        "--save",
        type=Path,
        metavar="FILE",
        help="with --position, write the game up to there as a replay, to be played on with t2r play --from (default:"
        " none)",
    )
    parser.add_argument("--title", metavar="NAME", help="with --save, a name for the position (default: none)")
    files = parser.add_argument_group("files to write", "With one of these, nothing is printed of the game.")
    files.add_argument(
        "--html",
        nargs="?",
        const=BESIDE,
        type=Path,
        metavar="FILE",
        help="write a page for a browser, which needs no network (default: none); without FILE beside the replay, or"
        " where the tournament's report links to it",
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
        help="names of the players, as those of their agents (default: none; those of the tournament's agents)",
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


def add_game(parser: argparse.ArgumentParser, agents_flag: str = "--agents") -> None:
    """Add the arguments that name a recorded game (`find_recorded`); the agents of a tournament have a flag."""
    parser.add_argument("file", type=Path, help="the file of the replay, or the folder of a tournament")
    parser.add_argument("game", nargs="?", metavar="GAME", help="the number of a game of the tournament")
    parser.add_argument(
        "--variant", metavar="FOLDER", help="the folder of the variant, if it is your own (default: by its name)"
    )
    parser.add_argument(
        agents_flag,
        dest="played_by",
        nargs="+",
        metavar="AGENT",
        help="repeat the agents of the tournament, if some have import paths, since their code is run, ask somebody or"
        " search for long (default: none)",
    )


@dataclass(frozen=True)
class Recorded:
    """A recorded game, and what is known of it in addition."""

    replay: Replay
    names: Sequence[str] = ()
    reason: str = ""
    """Why it was forfeited, if it was."""
    page: Path = BESIDE
    """The file that its page is written to if no other one is named."""
    back: str = ""
    """The address of the page that links to it there."""


def run(arguments: argparse.Namespace) -> int:
    """Play the game again and show it, or write it to files."""
    if arguments.file.is_dir() and arguments.game is None and (positions := list_positions(arguments.file)):
        print("\n".join(positions))
        return 0
    check_game(arguments)
    if arguments.html == BESIDE and not arguments.game:
        arguments.html = arguments.file.with_suffix(".html")
    files = {"--html": arguments.html, "--gif": arguments.gif, "--webp": arguments.webp}
    files["--png"] = Path(arguments.png[1]) if arguments.png else None
    for flag, file in files.items():
        if file != BESIDE:
            check_new_file(flag, file)
    _check_use(arguments, [flag for flag, file in files.items() if file])
    with usage_errors():
        recorded = find_recorded(arguments.file, arguments.game, arguments.variant, arguments.played_by or ())
        replay = recorded.replay
        if any(files.values()):
            _write(recorded, arguments)
            return 0
        position = arguments.position
        if position is not None:
            check_integer("--position", position, 0, len(replay.actions))
        if arguments.save:
            replay.until(position, arguments.title or "").save(arguments.save)
            print(f"{arguments.save} has the game up to there: t2r play --from {arguments.save} plays on")
            return 0
    if position is None:
        for number, description in enumerate(replay.descriptions()):
            print(f"{number:>4}  {description}")
        print()
        position = len(replay.actions)
    snapshot = next(itertools.islice(replay.games(), position, None)).snapshot()
    print(json.dumps(snapshot) if arguments.json else render_text(snapshot, replay.configuration).rstrip())
    return 0


def check_game(arguments: argparse.Namespace) -> None:
    """Raise UsageError for a game without a tournament, a tournament without a game, and what goes with one alone."""
    is_folder = arguments.file.is_dir()
    if is_folder and arguments.game is None:
        raise UsageError(f"{arguments.file} is a folder: name a game of its tournament, as in FOLDER 0")
    if arguments.game is not None and not is_folder:
        raise UsageError(f"GAME {arguments.game} needs the folder of a tournament, not the file {arguments.file}")
    if is_folder and arguments.variant:
        raise UsageError("--variant goes without GAME: a tournament names its own")
    if arguments.played_by and not is_folder:
        raise UsageError("the agents of a tournament need its folder and GAME")


def find_recorded(
    file: Path, game: str | None, variant: str | None, agents: Sequence[str], flag: str = "--agents"
) -> Recorded:
    """Return the replay in a file, or the game of a tournament, whose code is found by the name of its subcommand.

    `variant` is the folder of the file's variant if it is one of your own; `agents` are those of the tournament that
    may be run though its folder alone is not trusted, and `flag` that by which the command names them. Raises
    ValueError and OSError.
    """
    if game is None:
        return Recorded(Replay.load(file, variant))
    tournaments = find_commands().get("tournament")
    if not tournaments:
        raise UsageError("games of tournaments need t2r_agents, which is not installed")
    recorded: Recorded = tournaments.record_game(file, game, agents, flag)
    return recorded


def list_positions(folder: Path) -> list[str]:
    """Return a line for each replay in a folder: its name if it has one, the game, and where it stops.

    Files that are no replays are named with what is wrong; there are no lines if none is one.
    """
    lines, is_any = [], False
    for file in sorted(folder.glob("*.json")):
        try:
            replay = Replay.load(file)
        except (ReplayError, OSError) as error:
            lines.append(f"{file}: {error}")
            continue
        is_any = True
        name = f"{replay.name}: " if replay.name else ""
        lines.append(f"{file}: {name}{replay.configuration.title}, {replay.final().standing}")
    return lines if is_any else []


def _check_use(arguments: argparse.Namespace, written: list[str]) -> None:
    """Raise UsageError for an argument that says something of a file that is not written, or of a text that is not."""
    pictures, animations = {"--gif", "--webp", "--png"}, {"--gif", "--webp"}
    for flag, is_given, needed in (
        ("--seat", arguments.seat is not None, {"--html", *pictures}),
        ("--names", arguments.names, {"--html", *pictures}),
        ("--agent", arguments.agent, {"--html"}),
        ("--width", arguments.width is not None, pictures),
        ("--speed", arguments.speed is not None, animations),
        ("--by-turn", arguments.by_turn, animations),
    ):
        if is_given and not needed & set(written):
            raise UsageError(f"{flag} needs {' or '.join(sorted(needed))}")
    if arguments.save and (arguments.position is None or written):
        raise UsageError("--save needs --position, and goes without files of other kinds")
    if arguments.title and not arguments.save:
        raise UsageError("--title needs --save")
    check_new_file("--save", arguments.save)
    if written and (arguments.json or arguments.position is not None):
        raise UsageError(f"{written[0]} goes without --json and --position, which print")


def _write(recorded: Recorded, arguments: argparse.Namespace) -> None:
    from t2r_env.agents import find_agent
    from t2r_env.render.animation import render_turn, save_animation
    from t2r_env.render.replay_page import save_replay_html

    replay, names, reason = recorded.replay, arguments.names or recorded.names, recorded.reason
    seat, width, configuration = arguments.seat, arguments.width, replay.configuration
    if seat is not None:
        check_integer("--seat", seat, 0, configuration.num_players - 1)
    if arguments.png:
        turn = arguments.png[0]
        turn = check_integer("TURN of --png", int(turn) if turn.isdecimal() else turn, 0)
        size = PICTURE_WIDTH if width is None else width
        picture = render_turn(replay, turn, seat=seat, width=size, names=names, reason=reason)
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
                    names=names,
                    reason=reason,
                    progress=progress,
                )
    if arguments.html:
        agent = find_agent(arguments.agent, configuration) if arguments.agent else None
        if getattr(agent, "asks_person", False):
            raise ValueError(f"--agent {arguments.agent} would ask you at each decision: name another agent")
        is_linked = arguments.html == BESIDE
        page = recorded.page if is_linked else arguments.html
        page.parent.mkdir(exist_ok=True)
        with progress_line(f"pictures of {page.name}") as progress:
            save_replay_html(
                page,
                replay,
                names=names,
                seat=seat,
                agent=agent,
                agent_name=arguments.agent or "",
                reason=reason,
                back=recorded.back if is_linked else "",
                progress=progress,
            )
        if is_linked:
            print(f"{page} shows game {arguments.game} of {arguments.file}")
