"""Play against agents, on the terminal or in the browser.

For example: t2r play --variant new_york --opponents planner
             t2r play --browser --variant usa --num-players 3 --opponents planner ismcts:500
             t2r play --browser --watch --opponents planner policy
             t2r play --browser          # to choose in the browser, or to go on with a game
             t2r play --from game.json 41 --opponents planner
             t2r play --from game.json 41 --finish 200 --opponents planner policy
"""

import argparse
import itertools
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.configuring import configure_for
from t2r_agents.playing.human import HumanAgent, screen_width
from t2r_env import Configuration, Games, Replay
from t2r_env.agents import Agent, Decisions, choose_actions, find_agent, step_agents
from t2r_env.basics.checks import check_integer, check_seed, draw_seed
from t2r_env.basics.packages import needs
from t2r_env.commands import UsageError, check_new_file, usage_errors
from t2r_env.commands.opening import open_in_browser
from t2r_env.commands.options import OPTIONS, absolute_variant, add_configuration, agents_help, options_given
from t2r_env.commands.progress import progress_line
from t2r_env.commands.replay import find_recorded
from t2r_env.render.narration import Narrator, Snapshot
from t2r_env.render.replay_steps import position_at
from t2r_env.render.text import render_text
from t2r_env.rules.text import Description
from t2r_env.seeding import agent_keys, decision_seeds

if TYPE_CHECKING:
    from t2r_agents.browser.table import Table
    from t2r_agents.browser.tables import Tables

_OPPONENT, _STUDENT = "random", "planner"
"""The opponents by default: of a new game, and where a position is played on."""
_GAMES, _HOST = Path("t2r_games"), "127.0.0.1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the subcommand."""
    add_configuration(parser, "that of the opponents' files if they agree, else usa with its defaults")
    parser.add_argument(
        "--opponents",
        nargs="+",
        metavar="AGENT",
        help=f"for the other seats in turn: {agents_help()} (default: {_OPPONENT}; with --from {_STUDENT})",
    )
    parser.add_argument(
        "--seat",
        type=int,
        nargs="+",
        metavar="SEAT",
        help="your seat; in the browser of several people theirs (default: 0, who plays first)",
    )
    parser.add_argument("--seed", type=int, help="seed of the deal and of the agents (default: a random one)")
    parser.add_argument(
        "--save",
        type=Path,
        metavar="FILE",
        help="on the terminal: write the replay to this file, also if interrupted (default: none)",
    )
    add_from(parser)
    browser = parser.add_argument_group("in the browser", "Games are saved after each action.")
    browser.add_argument(
        "--browser", action="store_true", help="play on pages that this command serves (default: on the terminal)"
    )
    browser.add_argument(
        "--own-windows",
        action="store_true",
        help="give each person an address of its own (default: several people take turns at one screen)",
    )
    browser.add_argument(
        "--watch", action="store_true", help="watch the agents play on all seats (default: a person plays seat 0)"
    )
    browser.add_argument("--games", type=Path, metavar="FOLDER", help=f"where games are kept (default: {_GAMES})")
    browser.add_argument("--port", type=int, help="port to listen on (default: 8765, or any that is free)")
    browser.add_argument(
        "--host",
        help="address of the network interface to listen on, 0.0.0.0 for all; any but the loopback lets other machines"
        " in, unencrypted"
        f" (default: {_HOST})",
    )
    browser.add_argument("--no-open", action="store_true", help="only print the address (default: open it)")


def add_from(parser: argparse.ArgumentParser) -> None:
    """Add the arguments about a position that is played on."""
    group = parser.add_argument_group(
        "from a position", "The same cards come as in the recorded game, as long as the same is drawn."
    )
    group.add_argument(
        "--from",
        dest="start",
        nargs="+",
        metavar="GAME",
        help="play on from a step of a recorded game: FILE STEP, or FOLDER GAME STEP of a tournament; STEP counts as"
        " the page of the replay does, with everything in view; without STEP from where the file stops, as with"
        " positions that were saved. Your seat is by default the one to act (default: a new deal)",
    )
    group.add_argument(
        "--finish",
        type=int,
        metavar="GAMES",
        help="let agents play all seats from there to the end, so many times, and show the distribution of the results:"
        " --opponents are those of seats 0, 1, ... in turn, --save writes all results as CSV (default: you play)",
    )
    group.add_argument(
        "--redeal",
        action="store_true",
        help="with --finish, deal again all that the seat to act can't know (default: hands and tickets stay, and what"
        " lies face down is shuffled)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Play, and return the exit status: 130 if a game on the terminal is interrupted."""
    _check_start(arguments)
    if arguments.finish is not None:
        return _finish(arguments)
    return _play_in_browser(arguments) if arguments.browser else _play_on_terminal(arguments)


def _check_start(arguments: argparse.Namespace) -> None:
    """Raise UsageError for arguments that go with no position, or with no other one."""
    if arguments.start is None:
        for flag, is_given in (("--finish", arguments.finish is not None), ("--redeal", arguments.redeal)):
            if is_given:
                raise UsageError(f"{flag} needs --from GAME STEP")
        return
    given = [name for name in ("num_players", *OPTIONS) if getattr(arguments, name) is not None]
    if arguments.finish is None and arguments.seed is not None:
        given.append("seed")
    if given:
        raise UsageError(f"--{given[0].replace('_', '-')} goes without --from: the recorded game says it")
    if arguments.redeal and arguments.finish is None:
        raise UsageError("--redeal needs --finish")
    if arguments.finish is not None and (arguments.browser or arguments.seat):
        raise UsageError("--finish is for agents on all seats: it goes without --browser and --seat")


def _start(arguments: argparse.Namespace) -> tuple[Replay, Sequence[str]]:
    """Return the game up to the position that is played on from, and the names of its agents if they are known.

    Raises ValueError and OSError.
    """
    first, *rest = arguments.start
    is_folder = Path(first).is_dir()
    if not (1 <= len(rest) <= 2 if is_folder else len(rest) <= 1):
        raise UsageError(f"--from takes FILE STEP, or FOLDER GAME STEP, not {' '.join(arguments.start)}")
    game = rest[0] if is_folder else None
    steps = rest[1:] if is_folder else rest
    recorded = find_recorded(Path(first), game, arguments.variant, arguments.opponents or (), "--opponents")
    if not steps:
        return recorded.replay.until(len(recorded.replay.actions)), recorded.names
    if not steps[0].isdecimal():
        raise ValueError(f"STEP must be a number of a step, not {steps[0]}")
    return recorded.replay.until(position_at(recorded.replay, int(steps[0]))), recorded.names


def _running(replay: Replay) -> Games:
    """Return a game that can be played on, with its history. Raises ValueError if it is over."""
    games = replay.final()
    if games.terminated[0] or games.truncated[0]:
        raise ValueError("the game is over at this position: choose a step before")
    return games


def _finish(arguments: argparse.Namespace) -> int:
    """Let agents play a position to its end many times, and show how it ends; 130 if that is interrupted."""
    with needs("tournament"):
        from t2r_agents.comparing.tournament.finishing import finish
        from t2r_agents.comparing.tournament.finishing_terminal import show_distributions, write_rows
    check_new_file("--save", arguments.save)
    with usage_errors():
        number = check_integer("--finish", arguments.finish, 1)
        seed = draw_seed() if arguments.seed is None else check_seed(arguments.seed)
        replay, names = _start(arguments)
        games = _running(replay)
        in_turn = itertools.cycle(arguments.opponents or names or [_STUDENT])
        agents = [next(in_turn) for _ in range(games.num_players)]
        print(f"{games.configuration.title}: {games.standing}, played on {number} times, seed {seed}", flush=True)
        finished, status = [], 0
        try:
            with progress_line("games") as progress:
                for game in finish(games, agents, number, seed, from_knowledge=arguments.redeal):
                    finished.append(game)
                    progress(len(finished), number)
        except KeyboardInterrupt:
            print(f"interrupted after {len(finished)} of {number} games", file=sys.stderr)
            status = 130
    if arguments.save and finished:
        with usage_errors():
            write_rows(arguments.save, finished)
    if finished:
        show_distributions(finished, games.configuration.variant.team_size)
    return status


def _play_on_terminal(arguments: argparse.Namespace) -> int:
    if given := [
        name for name in ("own_windows", "watch", "games", "port", "host", "no_open") if getattr(arguments, name)
    ]:
        raise UsageError(f"--{given[0].replace('_', '-')} needs --browser")
    if arguments.seat and len(arguments.seat) > 1:
        raise UsageError("on the terminal one person plays; several can with --browser")
    check_new_file("--save", arguments.save)
    with usage_errors():
        games, opponents, beginning = _game(arguments)
        configuration = games.configuration
        others = [(name, find_agent(name, configuration)) for name in opponents]
        (seat,) = _seats(arguments, configuration, int(games.current[0]) if arguments.start else 0)
    person = HumanAgent()
    in_turn = itertools.cycle(others)
    players = [("you", person) if it == seat else next(in_turn) for it in range(configuration.num_players)]
    names = ", ".join(f"player_{it} is {name}" for it, (name, _) in enumerate(players))
    print(f"{configuration}, {beginning}: {names}")
    status = 0
    try:
        for line in _play(games, [agent for _, agent in players], seat):
            print(line)
        print("\n" + render_text(games.snapshot(), configuration, screen_width()), end="")
    except KeyboardInterrupt as reason:
        print(f"\n{str(reason) or 'interrupted'}", file=sys.stderr)
        status = 130
    except ValueError as error:
        raise UsageError(str(error)) from error
    finally:
        if arguments.save:
            Replay.of(games).save(arguments.save)
            print(f"the replay is in {arguments.save}")
    return status


def _game(arguments: argparse.Namespace) -> tuple[Games, Sequence[str], str]:
    """Return the game to be played on the terminal, the opponents in turn, and where it begins, in words."""
    if arguments.start:
        games = _running(_start(arguments)[0])
        return games, arguments.opponents or [_STUDENT], games.standing
    opponents = arguments.opponents or [_OPPONENT]
    configuration = configure_for(opponents, arguments.variant, arguments.num_players, options_given(arguments))
    seed = draw_seed() if arguments.seed is None else check_seed(arguments.seed)
    games = Games(configuration, autoreset=False, record=True, seed=0)
    games.reset(seeds=[seed])
    return games, opponents, f"seed {seed}"


def _play(games: Games, agents: Sequence[Agent], seat: int) -> Iterator[str]:
    """Play the game under way to its end; yield the lines that a seat reads, as far as it may know them (C20)."""
    keys = agent_keys(games.seeds)
    narrator = Narrator(games.configuration, seat)
    row, seating = np.zeros(1, np.int64), np.arange(games.num_players)[None]
    descriptions: list[Description] = []

    def snapshot() -> Snapshot:
        return games.configuration.snapshot(games.views(row, [seat])[0])

    def choose(agent: Agent, decisions: Decisions, _: NDArray[np.int64]) -> NDArray[np.int64]:
        actions = choose_actions(agent, decisions)
        descriptions.append(games.describe(actions[0]))
        return actions

    before = snapshot()
    while not (games.terminated[0] or games.truncated[0]):
        step_agents(games, row, agents, seating, decision_seeds(games, row, keys), choose)
        after = snapshot()
        yield from narrator.narrate(before, after, descriptions.pop())
        before = after


def _seats(arguments: argparse.Namespace, configuration: Configuration, usual: int = 0) -> list[int]:
    """Return the seats of people, by default one. Raises ValueError."""
    if arguments.watch:
        if arguments.seat:
            raise ValueError("--watch leaves no seat to people: give it without --seat")
        return []
    seats = [check_integer("--seat", seat, 0, configuration.num_players - 1) for seat in arguments.seat or [usual]]
    if len(set(seats)) < len(seats):
        raise ValueError(f"--seat must be different seats, not {' '.join(map(str, seats))}")
    return seats


_CHOSEN = ("variant", "num_players", "opponents", "seat", "seed", "start", *OPTIONS)
"""The arguments of a new game; without any, games are chosen on the page."""


def _play_in_browser(arguments: argparse.Namespace) -> int:
    with needs("play"):
        from t2r_agents.browser.network import code_text, listen, own_origin, shared_origin
        from t2r_agents.browser.server import Service
        from t2r_agents.browser.serving import Server
        from t2r_agents.browser.tables import Tables
    if arguments.save:
        raise UsageError("--save is for the terminal; in the browser every game is saved in the folder --games")
    folder, host = arguments.games or _GAMES, arguments.host or _HOST
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--games must be a folder, and {folder} is a file")
    if arguments.port is not None:
        with usage_errors():
            check_integer("--port", arguments.port, 0, 65535)
    variant = arguments.variant and absolute_variant(arguments.variant)
    opponents = arguments.opponents or [_STUDENT if arguments.start else _OPPONENT]
    tables = Tables(folder, [variant] if variant else [], opponents)
    with usage_errors():
        listener = listen(host, arguments.port)
    with listener:
        own, shared = own_origin(listener), shared_origin(listener)
        service = Service(tables, host, shared)
        paths = [f"/{service.token}/"]
        print(f"All games: {own}{paths[0]}")
        if arguments.watch or any(getattr(arguments, name) is not None for name in _CHOSEN):
            with usage_errors():
                table = _begin(arguments, tables, variant, opponents)
            service.seat_at(table)
            for screen in table.screens:
                names = ", ".join(table.players[seat].shown for seat in screen.seats) or "watch"
                paths.append(f"/table/{screen.key}/")
                address = f"{shared or own}{paths[-1]}"
                print(f"{table.configuration}, {names}: {address}")
                if shared and sys.stdout.isatty() and _has_blocks(sys.stdout.encoding):
                    print(code_text(address))
        print(f"Games are kept in {folder}. Ctrl-C stops the server.", flush=True)
        if shared:
            print(
                f"Other machines may connect, to {shared}, and what is sent can be read on the way. The list of games"
                " shows the addresses for others, and their codes.",
                file=sys.stderr,
            )
        if not arguments.no_open:
            open_in_browser(own + (paths[-1] if len(paths) == 2 else paths[0]))
        Server(service, listener).run_until_stopped()
    return 0


def _has_blocks(encoding: str) -> bool:
    """Whether an encoding has the blocks that codes are drawn with."""
    try:
        return bool("▀▄█".encode(encoding))
    except UnicodeEncodeError:
        return False


def _begin(arguments: argparse.Namespace, tables: "Tables", variant: str | None, opponents: Sequence[str]) -> "Table":
    """Begin the game that the arguments describe, of this variant if one is named. Raises ValueError and OSError."""
    if arguments.start:
        replay, _ = _start(arguments)
        games = _running(replay)
        people, in_turn = _seats(arguments, replay.configuration, int(games.current[0])), itertools.cycle(opponents)
        players = [None if seat in people else next(in_turn) for seat in range(games.num_players)]
        return tables.begin_from(variant or replay.configuration.variant.id, replay, players, arguments.own_windows)
    configuration = configure_for(opponents, variant, arguments.num_players, options_given(arguments))
    people, in_turn = _seats(arguments, configuration), itertools.cycle(opponents)
    players = [None if seat in people else next(in_turn) for seat in range(configuration.num_players)]
    seed = None if arguments.seed is None else check_seed(arguments.seed)
    named = variant or configuration.variant.id
    return tables.begin(named, configuration, players, own_windows=arguments.own_windows, seed=seed)
