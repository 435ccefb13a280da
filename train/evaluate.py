"""How good a policy is: matches against agents, each deal from all seats.

python -m train.evaluate CHECKPOINT --variant usa --against greedy planner
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from agents.policy import Policy, PolicyAgent
from agents.tournament.columns import percent, point_columns
from agents.tournament.command import NARROWEST
from agents.tournament.playing import Entry, play
from agents.tournament.schedule import make_schedule
from agents.tournament.standings import Standing, compute_standings
from t2r_env import Configuration, configure
from t2r_env.agents import Agent, AnyAgent, find_agent
from t2r_env.checks import check_integer, check_seed

LEARNER = "policy"
BATCH = 200
"""Games that are played together."""


def match(
    configuration: Configuration, agent: Agent, opponent: AnyAgent, games: int, seed: int = 0
) -> Iterable[list[Entry]]:
    """Games of an agent, by the name of `policy`, against another; what is played together comes together.

    Every deal is played for each order of seats. In team games a side is a team.
    """
    name = opponent if isinstance(opponent, str) and opponent != LEARNER else "opponent"
    agents = {LEARNER: agent, name: find_agent(opponent, configuration)}
    fixtures = make_schedule(list(agents), configuration.num_teams, configuration.variant.team_size, games, seed)
    for begin in range(0, len(fixtures), BATCH):
        yield play(configuration, agents, fixtures[begin : begin + BATCH])


def standing(configuration: Configuration, entries: Sequence[Entry]) -> Standing:
    """How the policy did in a match."""
    standings = compute_standings(entries, configuration.variant.team_size)
    return next(agent for agent in standings.agents if agent.agent == LEARNER)


def main(command: Sequence[str] | None = None) -> int:
    """Play the matches and show a table. Returns 2 for a wrong command line, 130 if interrupted."""
    parser = argparse.ArgumentParser(prog="python -m train.evaluate", description="Matches of a policy against agents.")
    parser.add_argument("policy", metavar="CHECKPOINT", help="a policy's file or a checkpoint of train.ppo")
    parser.add_argument("--variant", help="the game (default: that of the policy; another is refused)")
    parser.add_argument("--players", type=int, help="seats (default: those of the policy)")
    parser.add_argument("--against", nargs="+", default=["random", "greedy", "planner"], metavar="AGENT")
    parser.add_argument("--games", type=int, default=2000, help="against each; rounded up to whole deals (2000)")
    parser.add_argument("--seed", type=int, default=0, help="of the deals and of the agents' chance (0)")
    parser.add_argument("--sample", action="store_true", help="draw answers by the policy's probabilities")
    arguments = parser.parse_args(command)
    try:
        policy = Policy.load(arguments.policy)
        configuration = configure(
            policy.identity["variant"] if arguments.variant is None else arguments.variant,
            policy.identity["num_players"] if arguments.players is None else arguments.players,
            **policy.identity["options"],
        )
        agent = PolicyAgent(policy, sample=arguments.sample)
        agent.check(configuration)
        check_integer("games", arguments.games, 1)
        check_seed(arguments.seed)
        opponents: dict[str, Any] = {name: find_agent(name, configuration) for name in arguments.against}
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    console = Console()
    console.width = max(console.width, NARROWEST)
    console.print(f"{arguments.policy}: {configuration}, {arguments.games} games against each, seed {arguments.seed}")
    standings = {}
    try:
        for name, opponent in opponents.items():
            batches = match(configuration, agent, opponent, arguments.games, arguments.seed)
            total = -(-arguments.games // BATCH)
            played = track(batches, name, total, console=console, transient=True)
            standings[name] = standing(configuration, [entry for entries in played for entry in entries])
    except KeyboardInterrupt:
        console.print("interrupted; what was finished:")
    _show(console, standings)
    return 0 if len(standings) == len(opponents) else 130


def _show(console: Console, standings: dict[str, Standing]) -> None:
    """A row for each opponent."""
    if not standings:
        return
    parts = dict.fromkeys(name for it in standings.values() for name, points in it.parts.items() if points)
    columns = point_columns(list(parts))
    table = Table("against", "games", "wins")
    for name in columns:
        table.add_column(name, justify="right")
    for name, it in standings.items():
        table.add_row(name, str(it.games), percent(it.wins), *(form(it) for form in columns.values()))
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
