"""The strength of the agents: each pair of them in every variant, one agent in self-play, and the best people.

    python -m benchmarks.strength --page docs/strength.md

In every variant, with the fewest players that it allows, each pair of agents plays the same number of deals. A search
agent, which is slow, can play fewer games against each of them, in `usa` and `new_york` only. Then one agent plays
against itself with every number of players, and in the configuration in which results of the best people are known
(`PEOPLE`). The page holds the ratings of the ladders (`benchmarks.ladder`) too, which are not made anew here.

The output folder has a folder for each of these tournaments. The same command resumes after an interruption and plays
no game twice. The folder that it chooses by itself is named after the sources, so that games of agents that have
changed since are not counted. `results.json` and `strength.md` beside them are rewritten after every tournament.
"""

import argparse
import hashlib
import itertools
import json
import math
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table as RichTable

from benchmarks.machine import describe_machine, describe_versions
from t2r_agents.rating.ladder import Ladder, read_ladders
from t2r_agents.tournament import Tournament
from t2r_agents.tournament.columns import point_columns, result_columns
from t2r_agents.tournament.folder import Folder, FolderError
from t2r_agents.tournament.playing import Entry, warm_up
from t2r_agents.tournament.standings import Standing, Standings, compute_standings
from t2r_agents.tournament.tournament import Settings
from t2r_env import VARIANTS, Configuration, configure
from t2r_env.agents import find_agent
from t2r_env.checks import check_integer
from t2r_env.cores import count_cores
from t2r_env.writing import replacing

POLICY = ("policy",)
"""Plays where one comes with the library."""
AGENTS = (
    *("random", "greedy", "planner", "planner:v1", "racer", "one_step", "long_routes", "one_plan", "ticket_hungry"),
    *POLICY,
)
SEARCH_VARIANTS = ("usa", "new_york")
"""The variants in which the search agent plays."""
OPTIONS: dict[str, dict[str, Any]] = {"usa": {"tickets": "classic"}}
"""The options of variants that are not played with their defaults."""
SOURCES = tuple(Path(__file__).parents[1] / folder for folder in ("t2r_env", "agents"))
"""The folders that decide how games go."""
SUFFIXES = (".py", ".csv", ".toml", ".json", ".zip")
"""Of the files there that do, but for those of RATINGS."""
RATINGS = SOURCES[1] / "t2r_agents" / "rating"


@dataclass(frozen=True)
class People:
    """What is known of games of people: means over the winners."""

    name: str
    variant: str
    num_players: int
    options: dict[str, Any]
    games: int
    score: float
    routes: float
    tickets: float
    kept: float
    """Tickets held at the end."""
    turns: float
    """Of one player."""


PEOPLE = People(
    name="finalists of 2025",  # semi-finals and finals of the online world tournament
    variant="usa",
    num_players=4,
    options={"tickets": "mega"},
    games=27,
    score=157.1,
    routes=69.8,
    tickets=73.4,
    kept=6.4,
    turns=35.4,
)
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
        if self.folder.exists() and (held := self.folder.settings(self.settings.agents)) != self.settings:
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
    mirrors: list[Match]
    """Likewise where people have played; then those of the policy, if one is there for it."""

    @property
    def matches(self) -> list[Match]:
        """All of them, in the order they are played."""
        return [*itertools.chain(*self.comparisons), *self.self_play, *self.mirrors]


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
    plan = Plan([], [], [])
    for variant, loaded in zip(arguments.variants, variants):
        agents = _able(arguments.agents, _configuration(variant, loaded.min_players))
        rivals = agents if arguments.search_games and variant in SEARCH_VARIANTS else []
        compared = [_match(arguments, variant, loaded.min_players, agents, arguments.games, loaded.id)]
        for number, rival in enumerate(rivals):
            pair, title = [arguments.search_agent, rival], f"{loaded.id}_search_{number}"
            compared.append(_match(arguments, variant, loaded.min_players, pair, arguments.search_games, title))
        plan.comparisons.append(compared)
        for players in loaded.player_numbers if arguments.self_games else ():
            alone, title = [arguments.self_agent], f"{loaded.id}_{players}_self"
            plan.self_play.append(_match(arguments, variant, players, alone, arguments.self_games, title))
    if arguments.self_games and PEOPLE.variant in arguments.variants:
        configuration = configure(PEOPLE.variant, PEOPLE.num_players, **PEOPLE.options)
        for agent in dict.fromkeys([arguments.self_agent, *_able(POLICY, configuration)]):
            folder = Folder(arguments.out / f"{PEOPLE.variant}_people_{len(plan.mirrors)}")
            plan.mirrors.append(Match(folder, _settings(arguments, configuration, [agent], arguments.self_games)))
    for match in plan.matches:
        match.check()
    return plan


def _able(agents: Sequence[str], configuration: Configuration) -> list[str]:
    """The agents, without `policy` where none comes with the library for a configuration."""

    def can_play(agent: str) -> bool:
        try:
            find_agent(agent, configuration)
        except ValueError:
            return agent not in POLICY  # others are told of when the match is checked
        return True

    return [agent for agent in agents if can_play(agent)]


def _configuration(variant: str, players: int) -> Configuration:
    return configure(variant, players, **OPTIONS.get(variant, {}))


def _settings(
    arguments: argparse.Namespace, configuration: Configuration, agents: list[str], games: int, variant: str = ""
) -> Settings:
    options = dict(configuration.options)
    variant = variant or configuration.variant.id
    return Settings(variant, configuration.num_players, options, agents, games, arguments.seed)


def sources_digest(*others: Path) -> str:
    """A text that changes with what decides how games go: rules, tables, agents, policies; and with other folders."""
    digest = hashlib.sha256()
    files = (path for folder in (*SOURCES, *others) for path in folder.rglob("*") if path.suffix in SUFFIXES)
    for file in sorted(path for path in files if RATINGS not in path.parents):
        digest.update(str(file.relative_to(SOURCES[0].parent)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def _match(
    arguments: argparse.Namespace, variant: str, players: int, agents: list[str], games: int, title: str
) -> Match:
    """A tournament of complete deals in which each pair plays this many games, or one agent this many in self-play."""
    configuration = _configuration(variant, players)
    if len(agents) > 1:
        teams = configuration.num_teams
        pairs = max(1, math.comb(len(agents), 2) / math.comb(teams, 2))
        games = math.ceil(math.ceil(games / teams) * teams * pairs)
    return Match(Folder(arguments.out / title), _settings(arguments, configuration, agents, games, variant))


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


@dataclass(frozen=True)
class Winners:
    """Means over the winners of an agent's games with itself; a shared victory counts in part."""

    agent: str
    games: int
    score: float
    parts: dict[str, float]
    kept: float
    """Tickets held at the end."""
    completed: float
    turns: float
    """Of one player."""

    @classmethod
    def of(cls, entries: Sequence[Entry], num_players: int) -> "Winners":
        """Those of these games, of which one or more were played to their end."""
        won = [entry for entry in entries if entry.outcome == "finished" and entry.win]
        games = sum(entry.win for entry in won)

        def mean(figures: Iterable[float]) -> float:
            return sum(entry.win * figure for entry, figure in zip(won, figures)) / games

        return cls(
            agent=won[0].agent,
            games=len({entry.game for entry in won}),
            score=mean(entry.score for entry in won),
            parts={name: mean([entry.parts[name] for entry in won]) for name in won[0].parts},
            kept=mean(entry.completed + entry.failed for entry in won),
            completed=mean(entry.completed for entry in won),
            turns=mean(entry.turns for entry in won) / num_players,
        )


@dataclass
class Report:
    """All results so far."""

    command: str
    comparisons: list[tuple[Settings, Standings]] = field(default_factory=list)
    self_play: list[tuple[Settings, SelfPlay]] = field(default_factory=list)
    winners: list[Winners] = field(default_factory=list)
    """Where people have played."""
    ladders: list[Ladder] = field(default_factory=read_ladders)

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
            "winners": [asdict(winners) for winners in self.winners],
            "people": asdict(PEOPLE),
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
        if self.winners:
            yield self._beside_people()
        yield ratings_table(self.ladders)

    def markdown(self) -> str:
        """A page with all tables."""
        versions = ", ".join(f"{name} {version}" for name, version in describe_versions().items())
        notes = [note for settings, standings in self.comparisons for note in _notes(settings, standings)]
        text = [
            "# How strong the agents are",
            f"`{self.command}`, on {describe_machine()}, with {versions}.",
            "Each deal is played from all seats, with the fewest players that the variant allows. A tie counts as half"
            " a win. Elo ratings have a mean of 1500 in each variant. Intervals in brackets are 95 % confidence"
            " intervals. Scores, tickets and turns (of all seats together) are means per game. The ratings of the"
            " last table are on the fixed scale of `t2r rate`.",
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

    def _beside_people(self) -> Table:
        """The winners of the agents' games with themselves beside those of people."""
        people = PEOPLE
        rows: list[tuple[str, str, Callable[[Winners], str]]] = [
            ("games", str(people.games), lambda it: str(it.games)),
            ("points", f"{people.score:.1f}", lambda it: f"{it.score:.1f}"),
            ("of routes", f"{people.routes:.1f}", lambda it: f"{it.parts['routes']:.1f}"),
            ("of tickets", f"{people.tickets:.1f}", lambda it: f"{it.parts['tickets']:.1f}"),
            (
                "of bonuses",
                f"{people.score - people.routes - people.tickets:.1f}",
                lambda it: f"{it.score - it.parts['routes'] - it.parts['tickets']:.1f}",
            ),
            ("tickets held", f"{people.kept:.1f}", lambda it: f"{it.kept:.1f}"),
            ("tickets made", "–", lambda it: f"{it.completed:.1f}"),
            ("turns of a player", f"{people.turns:.1f}", lambda it: f"{it.turns:.1f}"),
        ]
        return Table(
            f"winners in {people.variant}, {people.num_players} players, tickets {people.options['tickets']}: people,"
            " and agents on all seats",
            ["mean", people.name, *(it.agent for it in self.winners)],
            [[name, known, *map(show, self.winners)] for name, known, show in rows],
        )


def ratings_table(ladders: Sequence[Ladder]) -> Table:
    """The ratings of the agents in all ladders, the strongest agent first."""
    ratings = [{row.agent: row.rating.value for row in (*it.references, *it.agents)} for it in ladders]
    names = {name for own in ratings for name in own}
    means = {name: fmean(own[name] for own in ratings if name in own) for name in names}
    rows = [
        [name, *(_figure(own.get(name), 0) for own in ratings)] for name in sorted(names, key=lambda it: -means[it])
    ]
    return Table("ratings", ["agent", *(_name(ladder.title()) for ladder in ladders)], rows)


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
    if arguments.out is None:
        arguments.out = Path("build") / "strength" / sources_digest()
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
    if arguments.page and not status:
        with replacing(arguments.page) as new:
            new.write_text(report.markdown(), encoding="utf-8")
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
        default=count_cores(),
        help="number of processes (default: one for each core). It does not change the games",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="the output folder (default: one in build/strength, by the sources)"
    )
    parser.add_argument(
        "--page", type=Path, metavar="FILE", help="write the page here, too, when all is played (default: nowhere else)"
    )
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
            for match in plan.mirrors:
                report.winners.append(Winners.of(play(match).entries, match.settings.num_players))
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
