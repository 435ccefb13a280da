"""How strong a policy is: matches against agents, each deal played from all seats.

python -m t2r_train.evaluate CHECKPOINT --variant usa --against greedy planner
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from t2r_agents.policy import Policy, PolicyAgent
from t2r_agents.tournament.columns import percent, point_columns
from t2r_agents.tournament.command import NARROWEST
from t2r_agents.tournament.playing import Entry, play
from t2r_agents.tournament.schedule import make_schedule
from t2r_agents.tournament.standings import Standing, compute_standings
from t2r_env import Configuration, configure
from t2r_env.agents import Agent, AnyAgent, find_agent
from t2r_env.checks import check_integer, check_seed

POLICY_AGENT = "policy"
"""The name of the policy among the agents of a match."""
BATCH = 200
"""Games played in parallel."""


def match(
    configuration: Configuration, agent: Agent, opponent: AnyAgent, games: int, seed: int = 0
) -> Iterable[list[Entry]]:
    """Play an agent, which is named `policy`, against another; yield the entries of each batch of games.

    Every deal is played in each order of seats. In team games each agent plays all seats of a team.
    """
    name = opponent if isinstance(opponent, str) and opponent != POLICY_AGENT else "opponent"
    agents = {POLICY_AGENT: agent, name: find_agent(opponent, configuration)}
    fixtures = make_schedule(list(agents), configuration.num_teams, configuration.variant.team_size, games, seed)
    for begin in range(0, len(fixtures), BATCH):
        yield play(configuration, agents, fixtures[begin : begin + BATCH])


def result_of(configuration: Configuration, entries: Sequence[Entry]) -> Standing:
    """The result of the policy in a match."""
    standings = compute_standings(entries, configuration.variant.team_size)
    return next(agent for agent in standings.agents if agent.agent == POLICY_AGENT)


def main(command: Sequence[str] | None = None) -> int:
    """Play the matches and print a table. Returns 0, or 130 if interrupted; exits with 2 for a wrong command line."""
    parser = argparse.ArgumentParser(prog="python -m t2r_train.evaluate", description="Play a policy against agents.")
    parser.add_argument("policy", metavar="CHECKPOINT", help="the file of a policy, or a checkpoint of t2r_train.ppo")
    parser.add_argument("--variant", help="must be that of the policy, which is the default")
    parser.add_argument("--num-players", type=int, help="must be that of the policy, which is the default")
    parser.add_argument(
        "--against",
        nargs="+",
        default=["random", "greedy", "planner"],
        metavar="AGENT",
        help="default: random greedy planner",
    )
    parser.add_argument(
        "--games", type=int, default=2000, help="against each agent, rounded up to whole deals (default: 2000)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the deals and of the agents (default: 0)")
    parser.add_argument(
        "--sample", action="store_true", help="sample actions from the policy instead of the most probable one"
    )
    arguments = parser.parse_args(command)
    try:
        policy = Policy.load(arguments.policy)
        configuration = configure(
            policy.identity["variant"] if arguments.variant is None else arguments.variant,
            policy.identity["num_players"] if arguments.num_players is None else arguments.num_players,
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
    results = {}
    try:
        for name, opponent in opponents.items():
            batches = match(configuration, agent, opponent, arguments.games, arguments.seed)
            total = -(-arguments.games // BATCH)
            tracked = track(batches, name, total, console=console, transient=True)
            results[name] = result_of(configuration, [entry for entries in tracked for entry in entries])
    except KeyboardInterrupt:
        console.print("interrupted; the matches that were complete:")
    _show(console, results)
    return 0 if len(results) == len(opponents) else 130


def _show(console: Console, results: dict[str, Standing]) -> None:
    """Print a table with a row for each opponent."""
    if not results:
        return
    parts = dict.fromkeys(name for result in results.values() for name, points in result.parts.items() if points)
    columns = point_columns(list(parts))
    table = Table("against", "games", "wins")
    for name in columns:
        table.add_column(name, justify="right")
    for name, result in results.items():
        table.add_row(name, str(result.games), percent(result.wins), *(form(result) for form in columns.values()))
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
