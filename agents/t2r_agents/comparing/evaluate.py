"""Measure how strong a policy, or another agent, is: matches against agents, each deal played from all seats."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from t2r_env.basics.packages import needs

with needs("tournament"):
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import track

from t2r_agents.comparing.tournament.columns import console, percent, point_columns, print_forfeits, text_table
from t2r_agents.comparing.tournament.players import Player, Players
from t2r_agents.comparing.tournament.playing import Entry, play
from t2r_agents.comparing.tournament.schedule import make_schedule
from t2r_agents.comparing.tournament.standings import Standing, Standings, compute_standings
from t2r_agents.playing.configuring import configure_for
from t2r_agents.playing.policy import PolicyAgent
from t2r_env import Configuration
from t2r_env.agents import AnyAgent, UnavailableError, agent_names, find_agent, is_policy_file
from t2r_env.basics.checks import check_integer, check_seed
from t2r_env.basics.plain import plain
from t2r_env.commands import usage_errors
from t2r_env.commands.options import options_given
from t2r_env.commands.progress import plain_lines

POLICY_AGENT = "policy"
"""The name of the policy among the agents of a match."""
OPPONENT = "opponent"
"""The name of an opponent that is an object, or has the name of the policy."""
BATCH = 200
"""Games played in parallel."""


def match(
    configuration: Configuration, agent: Player, opponent: AnyAgent, games: int, seed: int = 0
) -> Iterable[list[Entry]]:
    """Play an agent, which is named `policy`, against another; yield the entries of each batch of games.

    Every deal is played in each order of seats. In team games each agent plays all seats of a team. An opponent that is
    named, and may remember, gets a new instance for each game: what it saw in one deal tells it nothing of another.
    """
    name = opponent if isinstance(opponent, str) and opponent != POLICY_AGENT else OPPONENT
    agents: dict[str, Player] = {POLICY_AGENT: agent}
    if isinstance(opponent, str):
        agents[name] = Players(configuration, (opponent,)).make()[opponent]
    else:
        agents[name] = find_agent(opponent, configuration)
    fixtures = make_schedule(list(agents), configuration.num_teams, configuration.variant.team_size, games, seed)
    for begin in range(0, len(fixtures), BATCH):
        yield play(configuration, agents, fixtures[begin : begin + BATCH])


def result_of(configuration: Configuration, entries: Sequence[Entry]) -> Standing:
    """Return the result of the policy in a match."""
    return _own(compute_standings(entries, configuration.variant.team_size))


def _own(standings: Standings) -> Standing:
    return next(agent for agent in standings.agents if agent.agent == POLICY_AGENT)


def run(arguments: argparse.Namespace) -> int:
    """Play the matches and print a table (`t2r evaluate`).

    Returns 0, 1 if the server of an agent does not answer, or 130 if interrupted. Raises UsageError for arguments that
    are not allowed.
    """
    with usage_errors():
        configuration, agent = _find(arguments)
        check_integer("--games", arguments.games, 1)
        check_seed(arguments.seed)
        Players(configuration, tuple(arguments.against)).make()  # before the first game, if one can't play
    teams, team_size = configuration.num_teams, configuration.variant.team_size
    # whole deals: as many games against each opponent
    arguments.games = len(make_schedule([POLICY_AGENT, OPPONENT], teams, team_size, arguments.games, arguments.seed))
    screen = console()
    what = f"{plain(arguments.agent)}: {configuration}, {arguments.games} games against each, seed {arguments.seed}"
    screen.print(what, markup=False)
    matches, status = {}, 0
    try:
        for name in dict.fromkeys(arguments.against):
            matches[name] = _play(configuration, agent, name, arguments)
    except KeyboardInterrupt:
        screen.print("interrupted; the matches that were complete:")
        status = 130
    except UnavailableError as error:
        print(f"t2r evaluate: error: {error}", file=sys.stderr)
        screen.print("the matches that were complete:")
        status = 1
    _show(screen, arguments.agent, matches)
    return status


def _play(configuration: Configuration, agent: Player, opponent: str, arguments: argparse.Namespace) -> Standings:
    """Return the standings of a match; meanwhile a bar, or a line now and then, says how far it is."""
    entries: list[Entry] = []
    batches = match(configuration, agent, opponent, arguments.games, arguments.seed)
    total = -(-arguments.games // BATCH)

    def tell() -> str:
        return f"{len(entries) // configuration.num_players:,} of {arguments.games:,} games against {opponent}"

    screen = Console(stderr=True)
    with plain_lines(tell):
        for batch in track(
            batches, escape(plain(opponent)), total, console=screen, transient=True, disable=not screen.is_terminal
        ):
            entries += batch
    return compute_standings(entries, configuration.variant.team_size)


def _find(arguments: argparse.Namespace) -> tuple[Configuration, Player]:
    """Return what is to be played, and the agent: that of a policy's file, or one with this name."""
    name = arguments.agent
    is_file = is_policy_file(name) or (name not in agent_names() and Path(name).is_file())
    agents = (f"policy:{name}" if is_file else name, *arguments.against)
    configuration = configure_for(agents, arguments.variant, arguments.num_players, options_given(arguments))
    if is_file:
        agent = PolicyAgent(name, sample=arguments.sample)
        agent.check(configuration)
        return configuration, agent
    if arguments.sample:
        raise ValueError(f"--sample needs the file of a policy, and {name!r} is an agent")
    return configuration, Players(configuration, (name,)).make()[name]


def _show(screen: Console, agent: str, matches: dict[str, Standings]) -> None:
    results = {name: _own(standings) for name, standings in matches.items()}
    parts = dict.fromkeys(name for result in results.values() for name, points in result.parts.items() if points)
    columns = point_columns(list(parts))
    rows = [
        [name, str(result.games), percent(result.wins), *(form(result) for form in columns.values())]
        for name, result in results.items()
    ]
    if rows:
        screen.print(text_table("", ["against", "games", "wins", *columns], rows))
    for name, standings in matches.items():
        names = {POLICY_AGENT: agent, OPPONENT: name}
        print_forfeits(screen, [replace(it, agent=names.get(it.agent, it.agent)) for it in standings.forfeits])
