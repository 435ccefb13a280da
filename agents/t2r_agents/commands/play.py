"""Play against agents, on the terminal or in the browser.

For example: t2r play --variant new_york --opponents planner
             t2r play --browser --variant usa --num-players 3 --opponents planner ismcts:500
             t2r play --browser --watch --opponents planner policy
             t2r play --browser          # to choose in the browser, or to go on with a game
"""

import argparse
import itertools
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from t2r_agents.human import HumanAgent, screen_width
from t2r_env import Configuration, Games, Replay, configure
from t2r_env.agents import Agent, Decisions, choose_actions, find_agent, step_agents
from t2r_env.checks import check_integer, check_seed, draw_seed
from t2r_env.commands import UsageError, usage_errors
from t2r_env.commands.opening import open_in_browser
from t2r_env.commands.options import OPTIONS, absolute_variant, add_configuration, agents_help, options_given
from t2r_env.extras import needs
from t2r_env.render.narration import Narrator, Snapshot
from t2r_env.render.text import render_text
from t2r_env.rules.text import Description
from t2r_env.seeding import agent_keys, decision_seeds

if TYPE_CHECKING:
    from t2r_agents.browser.table import Table
    from t2r_agents.browser.tables import Tables

_OPPONENT = "random"
_GAMES, _HOST = Path("t2r_games"), "127.0.0.1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the subcommand."""
    add_configuration(parser)
    parser.add_argument(
        "--opponents",
        nargs="+",
        metavar="AGENT",
        help=f"for the other seats in turn: {agents_help()} (default: {_OPPONENT})",
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


def run(arguments: argparse.Namespace) -> int:
    """Play, and return the exit status: 130 if a game on the terminal is interrupted."""
    return _play_in_browser(arguments) if arguments.browser else _play_on_terminal(arguments)


def _play_on_terminal(arguments: argparse.Namespace) -> int:
    if given := [
        name for name in ("own_windows", "watch", "games", "port", "host", "no_open") if getattr(arguments, name)
    ]:
        raise UsageError(f"--{given[0].replace('_', '-')} needs --browser")
    if arguments.seat and len(arguments.seat) > 1:
        raise UsageError("on the terminal one person plays; several can with --browser")
    if arguments.save and (arguments.save.is_dir() or not arguments.save.parent.is_dir()):
        raise UsageError(f"--save must be a file in an existing folder, not {arguments.save}")
    with usage_errors():
        configuration = configure(arguments.variant or "usa", arguments.num_players, **options_given(arguments))
        seed = draw_seed() if arguments.seed is None else check_seed(arguments.seed)
        others = [(name, find_agent(name, configuration)) for name in arguments.opponents or [_OPPONENT]]
        (seat,) = _seats(arguments, configuration)
    person = HumanAgent()
    in_turn = itertools.cycle(others)
    players = [("you", person) if it == seat else next(in_turn) for it in range(configuration.num_players)]
    games = Games(configuration, autoreset=False, record=True, seed=0)
    games.reset(seeds=[seed])
    names = ", ".join(f"player_{it} is {name}" for it, (name, _) in enumerate(players))
    print(f"{configuration}, seed {seed}: {names}")
    status = 0
    try:
        for line in _play(games, [agent for _, agent in players], seat):
            print(line)
        print("\n" + render_text(games.snapshot(), configuration, screen_width()), end="")
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        status = 130
    except ValueError as error:
        raise UsageError(str(error)) from error
    finally:
        if arguments.save:
            Replay.of(games).save(arguments.save)
            print(f"the replay is in {arguments.save}")
    return status


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


def _seats(arguments: argparse.Namespace, configuration: Configuration) -> list[int]:
    """Return the seats of people. Raises ValueError."""
    if arguments.watch:
        if arguments.seat:
            raise ValueError("--watch leaves no seat to people: give it without --seat")
        return []
    seats = [check_integer("--seat", seat, 0, configuration.num_players - 1) for seat in arguments.seat or [0]]
    if len(set(seats)) < len(seats):
        raise ValueError(f"--seat must be different seats, not {' '.join(map(str, seats))}")
    return seats


_CHOSEN = ("variant", "num_players", "opponents", "seat", "seed", *OPTIONS)
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
    variant = absolute_variant(arguments.variant or "usa")
    opponents = arguments.opponents or [_OPPONENT]
    tables = Tables(folder, [variant], opponents)
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


def _begin(arguments: argparse.Namespace, tables: "Tables", variant: str, opponents: Sequence[str]) -> "Table":
    """Begin the game that the arguments describe. Raises ValueError and OSError."""
    configuration = configure(variant, arguments.num_players, **options_given(arguments))
    people, in_turn = _seats(arguments, configuration), itertools.cycle(opponents)
    players = [None if seat in people else next(in_turn) for seat in range(configuration.num_players)]
    seed = None if arguments.seed is None else check_seed(arguments.seed)
    return tables.begin(variant, configuration, players, own_windows=arguments.own_windows, seed=seed)
