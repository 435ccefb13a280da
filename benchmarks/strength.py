"""How strong the agents are: all pairs of them in every game, and one against itself at every number of players.

    python -m benchmarks.strength --out strength

In every game, with the fewest players that it allows, every agent meets every other one on equally many deals. An agent
that searches, which takes long, may meet each of them in fewer games, on the USA map and in New York only. Then one
agent plays against itself.

The folder holds a folder for each of these tournaments; the same command goes on with what was interrupted, and plays
nothing twice: agents that have changed since want another folder. Beside them `results.json` and `strength.md` are
written anew whenever there is more to tell.
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

from agents.tournament import Tournament
from agents.tournament.columns import point_columns, result_columns
from agents.tournament.folder import Folder, FolderError
from agents.tournament.playing import Entry, warm_up
from agents.tournament.standings import Standing, Standings, compute_standings
from agents.tournament.tournament import Settings
from benchmarks.machine import describe_machine, describe_versions
from t2r_env import VARIANTS, configure
from t2r_env.checks import check_integer

AGENTS = ("random", "greedy", "planner", "racer", "one_step", "long_routes", "one_plan", "ticket_hungry")
SEARCHED = ("usa", "new_york")
"""The games in which the agent that searches plays."""
OPTIONS: dict[str, dict[str, Any]] = {"usa": {"tickets": "classic"}}
"""Of games that are not played with their own defaults."""
COLUMNS = ("wins", "Elo", "score", "tickets made", "failed", "turns", "decisions/s", "forfeits")
"""What is shown of all that the standings tell of an agent."""
NARROWEST = 130
"""Columns that a table takes even where the output is no terminal."""


# What is played


@dataclass(frozen=True)
class Match:
    """A tournament and the folder where it lies."""

    folder: Folder
    settings: Settings

    def check(self) -> None:
        """Raise ValueError or TypeError if it can't be played, or if the folder holds another one."""
        replace(self.settings, games=1).tournament()
        if self.folder.exists() and (held := self.folder.settings()) != self.settings:
            raise FolderError(f"{self.folder.path} holds another tournament: {held.command()}")

    def play(self, processes: int, advance: Callable[[int], object]) -> Tournament:
        """Play what has not been played; `advance` is told how many games there are more."""
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
    """All that a command line asks for."""

    comparisons: list[list[Match]]
    """For each game all pairs of the agents, and the agent that searches with each of them."""
    self_play: list[Match]
    """One agent on all seats, for each game and number of players."""

    @property
    def matches(self) -> list[Match]:
        """All of them, in the order in which they are played."""
        return [*itertools.chain(*self.comparisons), *self.self_play]


def draw_up(arguments: argparse.Namespace) -> Plan:
    """What is to be played. Raises ValueError or TypeError for what can't be."""
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
        rivals = arguments.agents if arguments.search_games and variant in SEARCHED else []
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
    """Whole deals on which each pair meets in so many games; one agent alone plays so many."""
    configuration = configure(variant, players, **OPTIONS.get(variant, {}))
    if len(agents) > 1:
        teams = configuration.num_teams
        pairs = max(1, math.comb(len(agents), 2) / math.comb(teams, 2))
        games = math.ceil(math.ceil(games / teams) * teams * pairs)
    settings = Settings(variant, players, dict(configuration.options), agents, games, arguments.seed)
    return Match(Folder(arguments.out / title), settings)


# What comes out


@dataclass(frozen=True)
class Table:
    """A table for the terminal and for a page."""

    title: str
    headings: list[str]
    """The first column holds names, all others figures."""
    rows: list[list[str]]

    def rich(self) -> RichTable:
        """For the terminal."""
        table = RichTable(title=escape(self.title))
        for number, heading in enumerate(self.headings):
            table.add_column(escape(heading), justify="right" if number else "left", overflow="fold")
        for row in self.rows:
            table.add_row(*map(escape, row))
        return table

    def markdown(self) -> str:
        """For a page."""
        lines = [self.headings, ["---", *["---:"] * (len(self.headings) - 1)], *self.rows]
        rows = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
        return "\n".join([f"**{self.title}**", "", *rows])


@dataclass(frozen=True)
class SelfPlay:
    """What one agent on all seats came to."""

    standing: Standing
    winner_score: float | None
    """Mean of those who won."""


@dataclass
class Report:
    """All that has come out by now."""

    command: str
    comparisons: list[tuple[Settings, Standings]] = field(default_factory=list)
    self_play: list[tuple[Settings, SelfPlay]] = field(default_factory=list)

    def compare(self, settings: Settings, tournaments: Sequence[Tournament]) -> None:
        """Take in the tournaments of a game."""
        standings = compute_standings(list(together(tournaments)), tournaments[0].configuration.variant.team_size)
        self.comparisons.append((settings, standings))

    def play_itself(self, settings: Settings, tournament: Tournament) -> None:
        """Take in a tournament of one agent."""
        finished = [entry for entry in tournament.entries if entry.outcome == "finished"]
        wins = sum(entry.win for entry in finished)
        winner_score = sum(entry.win * entry.score for entry in finished) / wins if wins else None
        standings = compute_standings(tournament.entries, tournament.configuration.variant.team_size)
        self.self_play.append((settings, SelfPlay(standings.agents[0], winner_score)))

    def fields(self) -> dict[str, Any]:
        """All of it, JSON-able."""
        return {
            "command": self.command,
            "machine": describe_machine(),
            "versions": describe_versions(),
            "comparisons": [asdict(settings) | standings.fields() for settings, standings in self.comparisons],
            "self_play": [asdict(settings) | asdict(result) for settings, result in self.self_play],
        }

    def tables(self) -> Iterator[Table]:
        """The short one first."""
        if self.comparisons:
            yield self._wins()
        for settings, standings in self.comparisons:
            yield _matrix(settings, standings)
            yield _figures(settings, standings)
        if self.self_play:
            yield self._alone()

    def markdown(self) -> str:
        """A page of all tables."""
        versions = ", ".join(f"{name} {version}" for name, version in describe_versions().items())
        notes = [note for settings, standings in self.comparisons for note in _notes(settings, standings)]
        text = [
            "# How strong the agents are",
            f"`{self.command}`, on {describe_machine()}, with {versions}.",
            "Each deal is played from all seats, with the fewest players that a game allows. A tie is half a win. Elo"
            " is 1500 on average in each game. Brackets are intervals of 95 %. Scores, tickets and turns (of all seats"
            " together) are means of a game.",
        ]
        return "\n\n".join([*text, *(table.markdown() for table in self.tables()), *notes]) + "\n"

    def save(self, folder: Path) -> None:
        """Write `results.json` and `strength.md`."""
        (folder / "results.json").write_text(json.dumps(self.fields(), indent=2) + "\n", encoding="utf-8")
        (folder / "strength.md").write_text(self.markdown(), encoding="utf-8")

    def _wins(self) -> Table:
        """All agents in all games, who wins most first."""
        wins: dict[str, dict[str, float]] = {}
        for settings, standings in self.comparisons:
            for standing in standings.agents:
                wins.setdefault(standing.agent, {})[settings.variant] = standing.wins.value
        variants = [settings.variant for settings, _ in self.comparisons]
        rows = [
            [agent, *(_percent(own.get(variant)) for variant in variants)]
            for agent, own in sorted(wins.items(), key=lambda item: -fmean(item[1].values()))
        ]
        return Table("share of wins in all games, %", ["agent", *map(_name, variants)], rows)

    def _alone(self) -> Table:
        """One agent on all seats."""
        headings = ["game", "players", "score", "winner's", "tickets made", "kept", "turns"]
        rows = []
        for settings, result in self.self_play:
            own = result.standing
            kept = None if own.completed is None or own.failed is None else own.completed + own.failed
            figures = [(own.score, 1), (result.winner_score, 1), (own.completed, 2), (kept, 2), (own.turns, 1)]
            points = ", ".join(f"{name.replace('_', ' ')} {mean:.1f}" for name, mean in own.parts.items() if mean)
            rows.append([_name(settings.variant), str(settings.players), *(_figure(*each) for each in figures), points])
        agent = self.self_play[0][0].agents[0]
        return Table(f"{agent} on all seats", [*headings, "points"], rows)


def together(tournaments: Sequence[Tournament]) -> Iterator[Entry]:
    """The entries of some tournaments as if they were of one."""
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
    return Table(f"{settings.title()}: points of the row's agent against the column's, %", ["agent", *names], rows)


def _figures(settings: Settings, standings: Standings) -> Table:
    known = point_columns(standings.parts) | result_columns(standings)
    columns = {heading: known[heading] for heading in COLUMNS if heading in known}
    rows = [[standing.agent, *(show(standing) for show in columns.values())] for standing in standings.agents]
    return Table(settings.title(), ["agent", *columns], rows)


def _notes(settings: Settings, standings: Standings) -> Iterator[str]:
    if standings.truncated:
        yield f"{settings.title()}: {standings.truncated} games reached the turn limit and are nobody's win (C19)."
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
    """Play what is missing and tell what came out.

    Returns 2 for a wrong command line, 130 if it was interrupted, 1 if it could not go on; what was played is kept.
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
    console = Console(width=max(Console().width, NARROWEST))
    for table in report.tables():
        console.print(table.rich())
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description="How strong the agents are.")
    parser.add_argument(
        "--variants", nargs="+", default=list(VARIANTS), metavar="VARIANT", help="games, or paths of folders"
    )
    parser.add_argument(
        "--agents", nargs="+", default=list(AGENTS), metavar="AGENT", help=f"default: {' '.join(AGENTS)}"
    )
    parser.add_argument("--games", type=int, default=400, help="of each pair (default: 400)")
    parser.add_argument(
        "--search-agent", default="ismcts:200", metavar="AGENT", help="who searches (default: ismcts:200)"
    )
    parser.add_argument(
        "--search-games", type=int, default=0, help=f"of it and each agent, in {', '.join(SEARCHED)} (default: none)"
    )
    parser.add_argument("--self-agent", default="planner", metavar="AGENT", help="who plays itself (default: planner)")
    parser.add_argument("--self-games", type=int, default=400, help="of it, for each number of players (default: 400)")
    parser.add_argument("--seed", type=int, default=0, help="of the deals and of the agents' chance (default: 0)")
    parser.add_argument(
        "--processes",
        type=int,
        default=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        help="that play at the same time (default: one for each core); the games are the same for every number",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where all of it is kept")
    return parser


def _play(plan: Plan, processes: int, report: Report, out: Path) -> int:
    """Play with a progress bar; the command's status."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), speed_estimate_period=300) as progress:
        task = progress.add_task("games", total=sum(match.settings.games for match in plan.matches))

        def play(match: Match) -> Tournament:
            progress.update(task, description=f"{match.folder.path.name:>24}")
            return match.play(processes, lambda games: progress.advance(task, games))

        try:
            for matches in plan.comparisons:
                report.compare(matches[0].settings, [play(match) for match in matches])
                report.save(out)
            for match in plan.self_play:
                report.play_itself(match.settings, play(match))
                report.save(out)
        except KeyboardInterrupt:
            progress.console.print("interrupted: what was played is kept, and the same command goes on")
            return 130
        except (ChildProcessError, FolderError) as error:
            progress.console.print(f"{error}; what was played is kept")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
