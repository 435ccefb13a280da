"""The strength of the agents: each pair of them in every variant, and one agent in self-play.

    python -m benchmarks.strength --out strength

In every variant, with the fewest players that it allows, each pair of agents plays the same number of deals. A search
agent, which is slow, can play fewer games against each of them, in `usa` and `new_york` only. Then one agent plays
against itself with every number of players.

The output folder has a folder for each of these tournaments. The same command resumes after an interruption and plays
no game twice, so use another folder once an agent has changed. `results.json` and `strength.md` beside them are
rewritten after every tournament.
"""

import argparse
import itertools
import json
import math
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table as RichTable

from benchmarks.machine import describe_machine, describe_versions
from t2r_agents.tournament import Tournament
from t2r_agents.tournament.columns import point_columns, result_columns
from t2r_agents.tournament.folder import Folder, FolderError
from t2r_agents.tournament.playing import Entry, warm_up
from t2r_agents.tournament.standings import Standing, Standings, compute_standings
from t2r_agents.tournament.tournament import Settings
from t2r_env import VARIANTS, configure
from t2r_env.checks import check_integer

AGENTS = ("random", "greedy", "planner", "racer", "one_step", "long_routes", "one_plan", "ticket_hungry")
SEARCH_VARIANTS = ("usa", "new_york")
"""The variants in which the search agent plays."""
OPTIONS: dict[str, dict[str, Any]] = {"usa": {"tickets": "classic"}}
"""The options of variants that are not played with their defaults."""
COLUMNS = ("wins", "Elo", "score", "tickets made", "failed", "turns", "decisions/s", "forfeits")
"""The columns of the standings that are shown."""
MIN_WIDTH = 130
"""The width of the tables, in characters, if the terminal is narrower or the output is a file."""


# The tournaments


@dataclass(frozen=True)
class Match:
    """A tournament and its folder."""

    folder: Folder
    settings: Settings

    def check(self) -> None:
        """Raise ValueError or TypeError if it can't be played, or if the folder holds another tournament."""
        replace(self.settings, games=1).tournament()
        if self.folder.exists() and (held := self.folder.settings()) != self.settings:
            raise FolderError(f"{self.folder.path} holds another tournament: {held.command()}")

    def play(self, processes: int, advance: Callable[[int], object]) -> Tournament:
        """Play the games that are missing; `advance` is called with the number of games since its last call."""
        if self.folder.exists():
            tournament = self.folder.resume(self.settings)
        else:
            self.folder.begin(self.settings)
            tournament = self.settings.tournament()
        seats = tournament.configuration.num_players
        advance(len(tournament.entries) // seats)
        warm_up(tournament.configuration, tournament.agents)
        for entries in tournament.play(processes):
            self.folder.add(entries)
            advance(len(entries) // seats)
        return tournament


@dataclass(frozen=True)
class Plan:
    """The tournaments that a command line describes."""

    comparisons: list[list[Match]]
    """For each variant the tournament of all agents, and those of the search agent with each of them."""
    self_play: list[Match]
    """One agent on all seats, for each variant and number of players."""

    @property
    def matches(self) -> list[Match]:
        """All of them, in the order they are played."""
        return [*itertools.chain(*self.comparisons), *self.self_play]


def draw_up(arguments: argparse.Namespace) -> Plan:
    """The plan for a command line. Raises ValueError or TypeError for arguments that are not allowed."""
    if len(set(arguments.agents)) < max(2, len(arguments.agents)):
        raise ValueError(f"--agents must be two or more, each named once, not {', '.join(arguments.agents)}")
    check_integer("--games", arguments.games, 1)
    for name in ("--self-games", "--search-games"):
        check_integer(name, getattr(arguments, name.strip("-").replace("-", "_")), 0)
    if arguments.out.exists() and not arguments.out.is_dir():
        raise ValueError(f"--out must be a folder, and {arguments.out} is a file")
    variants = [configure(variant).variant for variant in arguments.variants]
    if len({loaded.id for loaded in variants}) < len(variants):
        raise ValueError(f"--variants must be different games, not {', '.join(variant.id for variant in variants)}")
    plan = Plan([], [])
    for variant, loaded in zip(arguments.variants, variants):
        rivals = arguments.agents if arguments.search_games and variant in SEARCH_VARIANTS else []
        compared = [_match(arguments, variant, loaded.min_players, arguments.agents, arguments.games, loaded.id)]
        for number, rival in enumerate(rivals):
            pair, title = [arguments.search_agent, rival], f"{loaded.id}_search_{number}"
            compared.append(_match(arguments, variant, loaded.min_players, pair, arguments.search_games, title))
        plan.comparisons.append(compared)
        for players in loaded.player_numbers if arguments.self_games else ():
            alone, title = [arguments.self_agent], f"{loaded.id}_{players}_self"
            plan.self_play.append(_match(arguments, variant, players, alone, arguments.self_games, title))
    for match in plan.matches:
        match.check()
    return plan


def _match(
    arguments: argparse.Namespace, variant: str, players: int, agents: list[str], games: int, title: str
) -> Match:
    """A tournament of complete deals in which each pair plays this many games, or one agent this many in self-play."""
    configuration = configure(variant, players, **OPTIONS.get(variant, {}))
    if len(agents) > 1:
        teams = configuration.num_teams
        pairs = max(1, math.comb(len(agents), 2) / math.comb(teams, 2))
        games = math.ceil(math.ceil(games / teams) * teams * pairs)
    settings = Settings(variant, players, dict(configuration.options), agents, games, arguments.seed)
    return Match(Folder(arguments.out / title), settings)


# The results


@dataclass(frozen=True)
class Table:
    """A table for the terminal and for a Markdown page."""

    title: str
    headings: list[str]
    """The first column holds names, the others numbers."""
    rows: list[list[str]]

    def rich(self) -> RichTable:
        """The table for the terminal."""
        table = RichTable(title=escape(self.title))
        for number, heading in enumerate(self.headings):
            table.add_column(escape(heading), justify="right" if number else "left", overflow="fold")
        for row in self.rows:
            table.add_row(*map(escape, row))
        return table

    def markdown(self) -> str:
        """The table in Markdown."""
        lines = [self.headings, ["---", *["---:"] * (len(self.headings) - 1)], *self.rows]
        rows = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
        return "\n".join([f"**{self.title}**", "", *rows])


@dataclass(frozen=True)
class SelfPlay:
    """The results of one agent on all seats."""

    standing: Standing
    winner_score: float | None
    """The mean score of the winners."""


@dataclass
class Report:
    """All results so far."""

    command: str
    comparisons: list[tuple[Settings, Standings]] = field(default_factory=list)
    self_play: list[tuple[Settings, SelfPlay]] = field(default_factory=list)

    def add_comparison(self, settings: Settings, tournaments: Sequence[Tournament]) -> None:
        """Add the tournaments of a variant."""
        standings = compute_standings(list(together(tournaments)), tournaments[0].configuration.variant.team_size)
        self.comparisons.append((settings, standings))

    def add_self_play(self, settings: Settings, tournament: Tournament) -> None:
        """Add a tournament of one agent."""
        finished = [entry for entry in tournament.entries if entry.outcome == "finished"]
        wins = sum(entry.win for entry in finished)
        winner_score = sum(entry.win * entry.score for entry in finished) / wins if wins else None
        standings = compute_standings(tournament.entries, tournament.configuration.variant.team_size)
        self.self_play.append((settings, SelfPlay(standings.agents[0], winner_score)))

    def fields(self) -> dict[str, Any]:
        """All of it, as JSON has it."""
        return {
            "command": self.command,
            "machine": describe_machine(),
            "versions": describe_versions(),
            "comparisons": [asdict(settings) | standings.fields() for settings, standings in self.comparisons],
            "self_play": [asdict(settings) | asdict(result) for settings, result in self.self_play],
        }

    def tables(self) -> Iterator[Table]:
        """All tables, first the summary."""
        if self.comparisons:
            yield self._wins()
        for settings, standings in self.comparisons:
            yield _matrix(settings, standings)
            yield _figures(settings, standings)
        if self.self_play:
            yield self._alone()

    def markdown(self) -> str:
        """A page with all tables."""
        versions = ", ".join(f"{name} {version}" for name, version in describe_versions().items())
        notes = [note for settings, standings in self.comparisons for note in _notes(settings, standings)]
        text = [
            "# How strong the agents are",
            f"`{self.command}`, on {describe_machine()}, with {versions}.",
            "Each deal is played from all seats, with the fewest players that the variant allows. A tie counts as half"
            " a win. Elo ratings have a mean of 1500 in each variant. Intervals in brackets are 95 % confidence"
            " intervals. Scores, tickets and turns (of all seats together) are means per game.",
        ]
        return "\n\n".join([*text, *(table.markdown() for table in self.tables()), *notes]) + "\n"

    def save(self, folder: Path) -> None:
        """Write `results.json` and `strength.md`."""
        (folder / "results.json").write_text(json.dumps(self.fields(), indent=2) + "\n", encoding="utf-8")
        (folder / "strength.md").write_text(self.markdown(), encoding="utf-8")

    def _wins(self) -> Table:
        """The win rates of all agents in all variants, the strongest agent first."""
        wins: dict[str, dict[str, float]] = {}
        for settings, standings in self.comparisons:
            for standing in standings.agents:
                wins.setdefault(standing.agent, {})[settings.variant] = standing.wins.value
        variants = [settings.variant for settings, _ in self.comparisons]
        rows = [
            [agent, *(_percent(own.get(variant)) for variant in variants)]
            for agent, own in sorted(wins.items(), key=lambda item: -fmean(item[1].values()))
        ]
        return Table("win rate in all variants, %", ["agent", *map(_name, variants)], rows)

    def _alone(self) -> Table:
        """The agent on all seats."""
        headings = ["variant", "players", "score", "winner's score", "tickets made", "kept", "turns"]
        rows = []
        for settings, result in self.self_play:
            own = result.standing
            kept = None if own.completed is None or own.failed is None else own.completed + own.failed
            figures = [(own.score, 1), (result.winner_score, 1), (own.completed, 2), (kept, 2), (own.turns, 1)]
            points = ", ".join(f"{name.replace('_', ' ')} {mean:.1f}" for name, mean in own.parts.items() if mean)
            rows.append(
                [_name(settings.variant), str(settings.num_players), *(_figure(*each) for each in figures), points]
            )
        agent = self.self_play[0][0].agents[0]
        return Table(f"{agent} on all seats", [*headings, "points"], rows)


def together(tournaments: Sequence[Tournament]) -> Iterator[Entry]:
    """The entries of several tournaments as those of one, with deals and games numbered on."""
    deals = games = 0
    for tournament in tournaments:
        for entry in tournament.entries:
            yield replace(entry, deal=deals + entry.deal, game=games + entry.game)
        deals += tournament.fixtures[-1].deal + 1
        games += len(tournament.fixtures)


def _matrix(settings: Settings, standings: Standings) -> Table:
    names = [standing.agent for standing in standings.agents]
    rows = [
        [name, *(_percent(share.value if share else None) for share in shares)]
        for name, shares in zip(names, standings.head_to_head)
    ]
    return Table(f"{settings.title()}: win rate of the row's agent against the column's, %", ["agent", *names], rows)


def _figures(settings: Settings, standings: Standings) -> Table:
    known = point_columns(standings.parts) | result_columns(standings)
    columns = {heading: known[heading] for heading in COLUMNS if heading in known}
    rows = [[standing.agent, *(show(standing) for show in columns.values())] for standing in standings.agents]
    return Table(settings.title(), ["agent", *columns], rows)


def _notes(settings: Settings, standings: Standings) -> Iterator[str]:
    if standings.truncated:
        yield f"{settings.title()}: {standings.truncated} games reached the turn limit and have no winner (C19)."
    for forfeits in standings.forfeits:
        yield f"{settings.title()}: {forfeits.agent} forfeited {forfeits.games} games: `{forfeits.reason}`."


def _name(variant: str) -> str:
    return Path(variant).name.replace("_", " ")


def _percent(share: float | None) -> str:
    return _figure(None if share is None else 100 * share)


def _figure(figure: float | None, digits: int = 1) -> str:
    return "–" if figure is None else f"{figure:.{digits}f}"


# The command


def main(command: Sequence[str] | None = None) -> int:
    """Play the games that are missing and print the results.

    Returns 0, 130 if it was interrupted, or 1 after an error; all games played are kept. Exits with 2 for a wrong
    command line.
    """
    parser = _parser()
    given = sys.argv[1:] if command is None else command
    arguments = parser.parse_args(given)
    report = Report(shlex.join(["python", "-m", "benchmarks.strength", *given]))
    try:
        processes = check_integer("--processes", arguments.processes, 1)
        plan = draw_up(arguments)
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    status = _play(plan, processes, report, arguments.out)
    console = Console(width=max(Console().width, MIN_WIDTH))
    for table in report.tables():
        console.print(table.rich())
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength", description="Compare the strength of agents."
    )
    parser.add_argument(
        "--variants",
        nargs="+",
        default=list(VARIANTS),
        metavar="VARIANT",
        help="names, or paths of folders (default: all)",
    )
    parser.add_argument(
        "--agents", nargs="+", default=list(AGENTS), metavar="AGENT", help=f"default: {' '.join(AGENTS)}"
    )
    parser.add_argument("--games", type=int, default=400, help="games of each pair of agents (default: 400)")
    parser.add_argument(
        "--search-agent",
        default="ismcts:200",
        metavar="AGENT",
        help="an agent that is too slow for --games (default: ismcts:200)",
    )
    parser.add_argument(
        "--search-games",
        type=int,
        default=0,
        help=f"games of the search agent with each agent, in {', '.join(SEARCH_VARIANTS)} (default: 0)",
    )
    parser.add_argument(
        "--self-agent", default="planner", metavar="AGENT", help="the agent in self-play (default: planner)"
    )
    parser.add_argument(
        "--self-games", type=int, default=400, help="games of self-play for each number of players (default: 400)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the deals and of the agents (default: 0)")
    parser.add_argument(
        "--processes",
        type=int,
        default=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        help="number of processes (default: one for each core). It does not change the games",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="the output folder")
    return parser


def _play(plan: Plan, processes: int, report: Report, out: Path) -> int:
    """Play with a progress bar; return the exit status."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), speed_estimate_period=300) as progress:
        task = progress.add_task("games", total=sum(match.settings.games for match in plan.matches))

        def play(match: Match) -> Tournament:
            progress.update(task, description=f"{match.folder.path.name:>24}")
            return match.play(processes, lambda games: progress.advance(task, games))

        try:
            for matches in plan.comparisons:
                report.add_comparison(matches[0].settings, [play(match) for match in matches])
                report.save(out)
            for match in plan.self_play:
                report.add_self_play(match.settings, play(match))
                report.save(out)
        except KeyboardInterrupt:
            progress.console.print("interrupted: all games played are kept, and the same command resumes")
            return 130
        except (ChildProcessError, FolderError) as error:
            progress.console.print(f"{error}; all games played are kept")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
