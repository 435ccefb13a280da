"""Play one game on the terminal against agents.

For example: t2r play --variant new_york --opponents planner
"""

import argparse
import itertools
import secrets
import sys
from pathlib import Path

from t2r_agents.human import HumanAgent
from t2r_agents.play import play
from t2r_env import Games, Replay, configure
from t2r_env.agents import find_agent
from t2r_env.checks import check_integer, check_seed
from t2r_env.commands import UsageError, usage_errors
from t2r_env.commands.options import add_configuration, agents_help, options_given
from t2r_env.render.text import render_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the subcommand takes."""
    add_configuration(parser)
    parser.add_argument(
        "--opponents",
        nargs="+",
        default=["random"],
        metavar="AGENT",
        help=f"for the other seats in turn: {agents_help()} (default: random)",
    )
    parser.add_argument("--seat", type=int, default=0, help="your seat (default: 0, who plays first)")
    parser.add_argument("--seed", type=int, help="seed of the deal and of the agents (default: a random one)")
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="write the replay to this file, also if interrupted (default: none)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Play one game. Returns 130 if interrupted."""
    if arguments.save and (arguments.save.is_dir() or not arguments.save.parent.is_dir()):
        raise UsageError(f"--save must be a file in an existing folder, not {arguments.save}")
    with usage_errors():
        configuration = configure(arguments.variant or "usa", arguments.num_players, **options_given(arguments))
        seed = secrets.randbits(64) if arguments.seed is None else check_seed(arguments.seed)
        others = [(name, find_agent(name, configuration)) for name in arguments.opponents]
        seat = check_integer("--seat", arguments.seat, 0, configuration.num_players - 1)
    person = HumanAgent()
    in_turn = itertools.cycle(others)
    players = [("you", person) if it == seat else next(in_turn) for it in range(configuration.num_players)]
    games = Games(configuration, autoreset=False, record=True)
    games.reset(seeds=[seed])
    names = ", ".join(f"player_{it} is {name}" for it, (name, _) in enumerate(players))
    person.say(f"{configuration}, seed {seed}: {names}\n")
    status = 0
    try:
        for line in play(games, [agent for _, agent in players], seat):
            person.tell(line)
        person.say_all("\n" + render_text(games.snapshot(), configuration, person.width))
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        status = 130
    except ValueError as error:
        raise UsageError(str(error)) from error
    finally:
        if arguments.save:
            Replay.of(games).save(arguments.save)
            person.say(f"the replay is in {arguments.save}\n")
    return status
