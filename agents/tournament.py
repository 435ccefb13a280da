"""Agents against each other: every deal is played once for each rotation of its line-up.

    python -m agents.tournament --variant usa --players 2 --agents random greedy --games 1000 --out demo

A line-up says who sits where: every choice of as many agents as there are seats, or, with fewer agents, all of them
over and over, each being the first in turn. In team games a place of the line-up is a team. Rotating it over the seats
on the same deal takes the luck of the deal and of the seat out of the comparison. The same command plays the same
games.
"""

import argparse
import csv
import itertools
import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from t2r_env import Configuration, Games, Replay, __version__, configure
from t2r_env.agents import Agent, Questions, ask, find_agent
from t2r_env.games import LARGEST_SEED, check_number, check_seed
from t2r_env.rules.compiled import compiled
from t2r_env.rules.randomness import mix

DEALS_AT_ONCE = 100
"""Deals whose games are played together; an interruption loses at most so many."""


@dataclass(frozen=True)
class Entry:
    """How one seat of one game came out."""

    deal: int
    seed: int
    """Of the game's deal: `env.reset(seed=...)` deals it again."""
    game: int
    seat: int
    agent: str
    win: float
    """1 shared among the winners, or the winning teams."""
    rank: int
    score: int
    completed: int
    failed: int
    turns: int
    parts: dict[str, int]

    def row(self) -> dict[str, Any]:
        """The entry as a row of results.csv."""
        fields = {name: value for name, value in vars(self).items() if name != "parts"}
        return fields | self.parts


class AgentError(ValueError):
    """An agent does not answer as it should; the message names it."""


@dataclass(frozen=True)
class Fixture:
    """A game to be played."""

    game: int
    deal: int
    seed: int
    seating: tuple[str, ...]
    """Who sits on seat 0, 1, ..."""


class Tournament:
    """Which games are played, by whom, and how they come out.

    Raises ValueError or TypeError for what is not allowed; the message says what is.
    """

    def __init__(self, configuration: Configuration, agents: Sequence[str], games: int, seed: int) -> None:
        self.configuration = configuration
        if not agents or len(set(agents)) < len(agents):
            raise ValueError(f"agents must be one or more, each named once, not {', '.join(agents) or 'none'}")
        self.names = list(agents)
        self.agents: dict[str, Agent] = {name: find_agent(name) for name in agents}
        self.seed = check_seed(seed)
        self.fixtures = self._draw_up(check_number("games", games, 1))
        self._chance = np.random.default_rng(seed).integers(2**64, size=len(self.fixtures), dtype=np.uint64)
        self.entries: list[Entry] = []

    def _draw_up(self, games: int) -> list[Fixture]:
        """Deals until there are games enough: line-ups take turns, and each deal sees all rotations of one."""
        sides, team_size = self.configuration.setup.num_sides, self.configuration.box.team_size
        if len(self.names) >= sides:
            line_ups = list(itertools.combinations(self.names, sides))
        else:  # everybody over and over, each being the first of a line-up once
            line_ups = [
                tuple(itertools.islice(itertools.cycle(self.names[first:] + self.names[:first]), sides))
                for first in range(len(self.names))
            ]
        fixtures: list[Fixture] = []
        for deal, line_up in enumerate(itertools.cycle(line_ups)):
            if len(fixtures) >= games:
                break
            rotations = dict.fromkeys(line_up[first:] + line_up[:first] for first in range(sides))
            seed = (self.seed + deal) % (LARGEST_SEED + 1)
            fixtures += [
                Fixture(len(fixtures) + number, deal, seed, tuple(name for name in sitting for _ in range(team_size)))
                for number, sitting in enumerate(rotations)
            ]
        return fixtures

    def play(self) -> Iterator[int]:
        """Play all games, some at a time; give the number after each part. `entries` holds what is done."""
        for _, part in itertools.groupby(self.fixtures, lambda fixture: fixture.deal // DEALS_AT_ONCE):
            fixtures = list(part)
            self.entries += self._enter(fixtures, self._play_games(fixtures))
            yield len(fixtures)

    def record(self, game: int = 0) -> Replay:
        """One of the games once more, written down."""
        return Replay.of(self._play_games([self.fixtures[game]], record=True))

    def _enter(self, fixtures: list[Fixture], games: Games) -> Iterator[Entry]:
        results = games.results
        winners = results.ranks == 1
        winning_sides = winners.sum(axis=1, keepdims=True) / self.configuration.box.team_size
        wins = winners / np.maximum(1, winning_sides)
        for row, fixture in enumerate(fixtures):
            for seat, agent in enumerate(fixture.seating):
                yield Entry(
                    deal=fixture.deal,
                    seed=fixture.seed,
                    game=fixture.game,
                    seat=seat,
                    agent=agent,
                    win=float(wins[row, seat]),
                    rank=int(results.ranks[row, seat]),
                    score=int(results.scores[row, seat]),
                    completed=int(results.completed[row, seat]),
                    failed=int(results.failed[row, seat]),
                    turns=int(results.turns[row]),
                    parts={name: int(points[row, seat]) for name, points in results.breakdown.items()},
                )

    def _play_games(self, fixtures: list[Fixture], *, record: bool = False) -> Games:
        """Play games to their end."""
        games = Games(self.configuration, batch=len(fixtures), autoreset=False, record=record)
        games.reset(seeds=[fixture.seed for fixture in fixtures])
        sits = np.array([[self.names.index(name) for name in fixture.seating] for fixture in fixtures])
        chance = self._chance[[fixture.game for fixture in fixtures]]
        rows = np.arange(len(fixtures))
        question = 0
        while (running := ~(games.terminated | games.truncated)).any():
            asked = sits[rows, games.current]
            seeds = np.zeros(len(rows), np.uint64)
            _draw_seeds(chance, question, seeds)
            actions = np.zeros(len(rows), np.int64)
            for number, name in enumerate(self.names):
                waiting = rows[running & (asked == number)]
                if waiting.size:
                    actions[waiting] = self._answers_of(name, ask(games, waiting, seeds[waiting]))
            games.step(actions)
            question += 1
        return games

    def _answers_of(self, name: str, questions: Questions) -> NDArray[np.int64]:
        """An agent's answers; AgentError, which names it, if they are not all legal."""
        answers = np.asarray(self.agents[name].act(questions))
        if answers.shape != (len(questions),) or answers.dtype.kind not in "iu":
            raise AgentError(
                f"{name} must give {len(questions)} whole numbers, not {answers.dtype} of shape {answers.shape}"
            )
        in_range = (answers >= 0) & (answers < questions.masks.shape[1])
        legal = in_range & (questions.masks[np.arange(len(questions)), np.where(in_range, answers, 0)] == 1)
        if not legal.all():
            raise AgentError(f"{name} gave {answers[~legal][0]}, which is not legal")
        return answers


@compiled
def _draw_seeds(chance: NDArray[np.uint64], question: int, seeds: NDArray[np.uint64]) -> None:
    """The agents' chance at a question: it depends on the game's word of chance and on the question alone."""
    for game in range(chance.shape[0]):
        seeds[game] = mix(chance[game] ^ mix(np.uint64(question)))


@dataclass(frozen=True)
class Summary:
    """How an agent did in all its games."""

    agent: str
    games: int
    win_rate: float
    win_rate_low: float
    """With `win_rate_high`: the 95 % confidence interval."""
    win_rate_high: float
    score: float
    """Mean, as are all figures below."""
    parts: dict[str, float]
    completed: float
    failed: float
    turns: float
    """Of a whole game, all seats together."""


def summarise(entries: Sequence[Entry]) -> list[Summary]:
    """One summary for each agent, the most successful first."""
    by_agent: dict[str, list[Entry]] = {}
    for entry in entries:
        by_agent.setdefault(entry.agent, []).append(entry)
    summaries = [_summarise_agent(agent, own) for agent, own in by_agent.items()]
    return sorted(summaries, key=lambda summary: -summary.win_rate)


def _summarise_agent(agent: str, entries: Sequence[Entry]) -> Summary:
    win_rate = fmean(entry.win for entry in entries)
    low, high = wilson_interval(win_rate, len({entry.deal for entry in entries}))
    return Summary(
        agent=agent,
        games=len({entry.game for entry in entries}),
        win_rate=win_rate,
        win_rate_low=low,
        win_rate_high=high,
        score=fmean(entry.score for entry in entries),
        parts={name: fmean(entry.parts[name] for entry in entries) for name in entries[0].parts},
        completed=fmean(entry.completed for entry in entries),
        failed=fmean(entry.failed for entry in entries),
        turns=fmean(entry.turns for entry in entries),
    )


def wilson_interval(rate: float, trials: int) -> tuple[float, float]:
    """The 95 % confidence interval of a rate (Wilson 1927), which is sensible at 0 and 1 too.

    Games of one deal are not independent, so a trial is a deal: the interval is rather too wide than too narrow.
    """
    deviates = 1.96**2 / trials
    centre = (rate + deviates / 2) / (1 + deviates)
    width = math.sqrt(deviates * rate * (1 - rate) + deviates**2 / 4) / (1 + deviates)
    return max(0.0, centre - width), min(1.0, centre + width)


def show(summaries: Sequence[Summary], title: str) -> Table:
    """The summaries as a table for the terminal."""
    table = Table(title=title)
    table.add_column("agent", overflow="fold")
    for heading in ("games", "wins", "95 % interval", "score"):
        table.add_column(heading, justify="right")
    parts = [name for name in summaries[0].parts if any(summary.parts[name] for summary in summaries)]
    for heading in (*(name.replace("_", " ") for name in parts), "made", "failed", "turns"):
        table.add_column(heading, justify="right")
    for summary in summaries:
        table.add_row(
            summary.agent,
            str(summary.games),
            f"{summary.win_rate:.1%}",
            f"{summary.win_rate_low:.1%} - {summary.win_rate_high:.1%}",
            f"{summary.score:.1f}",
            *(f"{summary.parts[name]:.1f}" for name in parts),
            f"{summary.completed:.2f}",
            f"{summary.failed:.2f}",
            f"{summary.turns:.1f}",
        )
    return table


def save(folder: Path, tournament: Tournament) -> None:
    """Write results.csv (every seat of every game), results.json (the summary) and replay.json (the first game)."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "results.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, tournament.entries[0].row())
        writer.writeheader()
        writer.writerows(entry.row() for entry in tournament.entries)
    summary = {
        "library": __version__,
        **tournament.configuration.identity,
        "agents": tournament.names,
        "seed": str(tournament.seed),
        "games": len({entry.game for entry in tournament.entries}),
        "summary": [vars(summary) for summary in summarise(tournament.entries)],
    }
    (folder / "results.json").write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    tournament.record().save(folder / "replay.json")


def main(command: Sequence[str] | None = None) -> int:
    """Play a tournament; 2 for a wrong command line, 130 if it was interrupted (what was played is kept)."""
    parser = argparse.ArgumentParser(prog="python -m agents.tournament", description="Agents against each other.")
    parser.add_argument("--variant", default="usa", help="a game, or the path of a folder (default: usa)")
    parser.add_argument("--players", type=int, help="seats (default: the fewest that the game allows)")
    parser.add_argument(
        "--agents",
        nargs="+",
        default=["random", "greedy"],
        metavar="AGENT",
        help="names, or module:Name (default: random greedy)",
    )
    parser.add_argument("--games", type=int, default=1000, help="in all; rounded up to whole deals (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="of the deals and of the agents' chance (default: 0)")
    parser.add_argument("--tickets", help="the ticket deck (default: the game's own default)")
    parser.add_argument("--advanced-technologies", action="store_true", help="in the United Kingdom (UK12)")
    parser.add_argument("--turn-limit", type=int, help="turns of all seats after which a game is truncated (C19)")
    parser.add_argument("--out", type=Path, help="a folder for results.csv, results.json and replay.json")
    arguments = parser.parse_args(command)
    given = {"tickets": arguments.tickets, "turn_limit": arguments.turn_limit}
    options = {name: value for name, value in given.items() if value is not None}
    if arguments.advanced_technologies:
        options["advanced_technologies"] = True
    if arguments.out and arguments.out.exists() and not arguments.out.is_dir():
        parser.error(f"--out must be a folder, and {arguments.out} is a file")
    try:
        configuration = configure(arguments.variant, arguments.players, **options)
        tournament = Tournament(configuration, arguments.agents, arguments.games, arguments.seed)
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    try:
        interrupted = _play(tournament)
    except AgentError as error:
        parser.error(str(error))
    if tournament.entries:
        title = f"{configuration}, tickets {configuration.options['tickets']}"
        # a table has its width even where the output is no terminal
        console = Console(width=max(Console().width, 110))
        console.print(show(summarise(tournament.entries), title))
        if truncated := len({entry.game for entry in tournament.entries if entry.rank == 0}):
            console.print(f"{truncated} games reached the turn limit: nobody's win, and without points (C19)")
        if arguments.out:
            save(arguments.out, tournament)
            print(f"results.csv, results.json and replay.json are in {arguments.out}")
    return 130 if interrupted else 0


def _play(tournament: Tournament) -> bool:
    """Play with a progress bar; True if it was interrupted."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    seats = tournament.configuration.num_players
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("games", total=len(tournament.fixtures))
        try:
            for games in tournament.play():
                progress.advance(task, games)
        except KeyboardInterrupt:
            progress.console.print(f"interrupted after {len(tournament.entries) // seats} games, which are kept")
            return True
    return False


if __name__ == "__main__":
    sys.exit(main())
