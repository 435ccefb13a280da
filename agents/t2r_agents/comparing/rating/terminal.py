"""The command `t2r rate` and its output on the terminal."""

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from t2r_agents.comparing.rating.estimate import MIN_DEALS
from t2r_agents.comparing.rating.ladder import SHIPPED, Ladder, find_ladders, read_ladders
from t2r_agents.comparing.rating.rating import ALL_GAMES, INTERRUPTED, NARROW, TIME, Rater, Rating
from t2r_agents.comparing.rating.result import write_result
from t2r_agents.comparing.tournament.columns import (
    console,
    percent,
    point_columns,
    print_forfeits,
    table_of,
    text_table,
)
from t2r_agents.comparing.tournament.folder import Folder
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.ratings import Interval
from t2r_agents.comparing.tournament.standings import Results, forfeits_in
from t2r_agents.comparing.tournament.terminal import check_workers, find_workers, show_luck
from t2r_agents.comparing.tournament.tournament import Settings
from t2r_agents.comparing.tournament.workers import Workers
from t2r_agents.playing.policy_file import PolicyError
from t2r_agents.playing.values import Judge
from t2r_env import __version__
from t2r_env.basics.checks import check_integer, check_seed, draw_seed
from t2r_env.basics.plain import plain
from t2r_env.basics.writing import is_new, replacing
from t2r_env.commands import UsageError, check_new_file, usage_errors
from t2r_env.commands.options import absolute_variant, options_given
from t2r_env.commands.progress import plain_lines

DEFAULTS = {"width": 50.0, "max_games": 20_000, "max_seconds": math.inf, "seed": None}
"""The arguments that say which games are played, with what they are if they are not given."""


def run(arguments: argparse.Namespace) -> int:
    """Rate an agent, print its row next to those of the references, and write the ratings to a file if one is named.

    Returns 130 if interrupted, 1 if a process has ended, no game had a result or the file can't be written. Raises
    UsageError for arguments that are not allowed.
    """
    with usage_errors():
        ladders, playing, seed = _prepare(arguments)
    ratings: list[Rating] = []
    faults: list[str] = []
    status = 0
    with ExitStack() as stack:
        found: tuple[int, Workers] | None = None
        for ladder in ladders:
            folder = Folder(_folder(arguments.out, ladder, len(ladders))) if arguments.out else None
            try:
                rater = _rater(ladder, arguments, playing, seed, folder)
                if arguments.luck_adjusted and len(ladders) == 1:
                    Judge(rater.tournament.configuration)  # before the first game, if there are no values
            except OSError as error:  # a full disk, before the first game
                print(f"t2r rate: error: {error}", file=sys.stderr)
                return 1
            except (ValueError, TypeError) as error:  # it can't play this game, or its folder is another's
                faults.append(f"{ladder.title()}: not rated: {error}")
                if len(ladders) == 1:
                    raise UsageError(str(error)) from error
                continue
            try:
                found = found or stack.enter_context(find_workers(arguments.processes, arguments.ray))
            except ConnectionError as error:
                print(f"t2r rate: error: {error}", file=sys.stderr)
                return 1
            status = _rate(rater, arguments, *found, ratings, folder)
            if folder:
                status = status or _write_result(folder, rater)
            if arguments.luck_adjusted and not status:
                status = _less_luck(rater, ratings, folder)
            if folder:
                folder.close()
            if status:
                break
    if len(faults) == len(ladders):
        raise UsageError(faults[0])
    print(*faults, sep="\n", end="\n" if faults else "", file=sys.stderr)
    if len(ratings) > 1:
        console().print(_summary(ratings))
    return _write(arguments, ratings) or status


def _prepare(arguments: argparse.Namespace) -> tuple[list[Ladder], Settings, int]:
    """Return the ladders, settings with the limits of isolated agents, and the seed.

    Raises ValueError, TypeError or OSError.
    """
    arguments.json = arguments.json and arguments.json.absolute()  # an agent may go to another folder
    arguments.out = arguments.out and arguments.out.absolute()
    check_new_file("--json", arguments.json)
    check_workers(arguments.processes, arguments.ray)
    for name, usual in DEFAULTS.items():
        if arguments.out and getattr(arguments, name) is not None:
            raise UsageError(f"--out goes without --{name.replace('_', '-')}: the ladder says which games are played")
        if getattr(arguments, name) is None:
            setattr(arguments, name, 0 if arguments.out and name == "width" else usual)
    check_integer("--max-games", arguments.max_games, 1)
    for flag, value in (("--width", arguments.width), ("--max-seconds", arguments.max_seconds)):
        if not value >= 0:
            raise UsageError(f"{flag} must be a number, at least 0, not {value}")
    seed = draw_seed() if arguments.seed is None else check_seed(arguments.seed)
    variant = absolute_variant("usa" if arguments.variant is None else arguments.variant)
    table = read_ladders(SHIPPED if arguments.ladder is None else arguments.ladder)
    ladders = find_ladders(table, variant, arguments.num_players, options_given(arguments))
    for ladder in ladders if arguments.out else []:
        folder = _folder(arguments.out, ladder, len(ladders))
        if not is_new(folder, Folder.LEFTOVERS) and not Folder(folder).exists():
            raise UsageError(f"--out must be a new or empty folder, or one of the same rating, and {folder} is not")
    limits = (bool(arguments.isolate), arguments.seconds or [], arguments.memory)
    playing = Settings(variant, 0, {}, [arguments.agent], arguments.max_games, seed, *limits, rated=True)
    playing.limits()
    return ladders, playing, seed


def _rater(ladder: Ladder, arguments: argparse.Namespace, playing: Settings, seed: int, folder: Folder | None) -> Rater:
    """Return what rates an agent, with the games that its folder has already; a new folder is begun.

    Raises ValueError, TypeError or OSError if that is not possible.
    """
    if not folder:
        games, record = arguments.max_games, arguments.luck_adjusted
        return Rater(ladder, arguments.agent, games, seed, playing.limits(), arguments.trust, record=record)
    games, seed = ladder.rated_games, ladder.rated_seed
    rater = Rater(ladder, arguments.agent, games, seed, playing.limits(), arguments.trust, record=True, log=folder.log)
    settings = replace(
        playing,
        variant=ladder.variant,
        num_players=ladder.num_players,
        options={**ladder.options},
        agents=rater.names,
        games=games,
        seed=seed,
    )
    folder.begin_or_resume(settings, rater.tournament)
    return rater


def _folder(out: Path, ladder: Ladder, ladders: int) -> Path:
    """Return the folder of a ladder's result: `out` itself if there is but one."""
    return out if ladders == 1 else out / ladder.title().replace(",", "").replace(" ", "_")


def _write_result(folder: Folder, rater: Rater) -> int:
    """Write the result of all games; return the command's status."""
    try:
        folder.keep(rater.entries)
        write_result(folder.path, rater.ladder, rater.agent, rater.entries)
    except (OSError, ValueError) as error:
        print(f"t2r rate: error: {error}", file=sys.stderr)
        return 1
    return 0


def _rate(
    rater: Rater,
    arguments: argparse.Namespace,
    processes: int,
    workers: Workers,
    ratings: list[Rating],
    folder: Folder | None,
) -> int:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    title, most = rater.ladder.title(), rater.ladder.rated_games if arguments.out else arguments.max_games
    progress = Progress(*columns, console=Console(stderr=True))
    task = progress.add_task(f"{title}: games", total=most)

    def report(games: int, interval: Interval | None) -> None:
        so_far = f" {as_text(interval)}" if interval else ""
        progress.update(task, completed=games, description=f"{title}:{so_far} games")

    def tell() -> str:
        shown = progress.tasks[task]
        return f"{shown.description}: {shown.completed:,.0f} of at most {most:,}"

    def keep(entries: list[Entry]) -> None:
        if folder:
            folder.write(rater.tournament.configuration, entries)

    kept = "; the games so far are kept, and the same command goes on" if folder else ""
    with progress, plain_lines(tell):
        try:
            rating = rater.rate(arguments.width, arguments.max_seconds, processes, report, workers, keep)
        except (OSError, ValueError) as error:  # of a process, a server, a full disk, or a game too long for a file
            progress.console.print(f"t2r rate: error: {error}{kept}", markup=False)
            return 1
        except KeyboardInterrupt:
            progress.console.print(f"interrupted before the first deal was over{kept}")
            return 130
    if rating is None:
        print(f"{title}: no game had a result", file=sys.stderr)
        return 1
    ratings.append(rating)
    console().print(*_tables(rating))
    console().print(_explain(rating), highlight=False, markup=False)
    print_forfeits(console(), forfeits_in([entry for entry in rater.entries if entry.deal < rating.deals]))
    if rating.ended == INTERRUPTED and folder:
        print(kept.removeprefix("; "), file=sys.stderr)
    return 130 if rating.ended == INTERRUPTED else 0


def _less_luck(rater: Rater, ratings: list[Rating], folder: Folder | None) -> int:
    """Show the results less luck of the games that the last rating follows from; return the command's status."""
    rating = ratings[-1]
    entries = [entry for entry in rater.entries if entry.deal < rating.deals]
    try:
        adjusted = show_luck(rater.tournament, entries, [rating.agent], folder)
        ratings[-1] = replace(rating, less_luck=next(iter(adjusted), None))
    except PolicyError as error:  # of several games, this one has no values
        print(f"{rating.ladder.title()}: no results less luck: {error}", file=sys.stderr)
    except OSError as error:
        print(f"t2r rate: error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted: results less luck are missing", file=sys.stderr)
        return 130
    return 0


def _tables(rating: Rating) -> Iterator[Table]:
    """Yield tables with the agent's row among those of the references that it met: ratings, and points of a game."""
    ratings = rating.ladder.references | {rating.agent: rating.rating}
    rows = sorted(rating.results.values(), key=lambda row: -ratings[row.agent].value)
    parts = dict.fromkeys(name for row in rows for name, mean in row.parts.items() if mean)
    columns: Mapping[str, Callable[[Results], str]] = {
        "rating": lambda row: as_text(ratings[row.agent]),
        "against it": lambda row: percent(share) if (share := rating.against.get(row.agent)) else "",
        "ms an action": lambda row: f"{1000 / speed:.3g}" if (speed := row.decisions_per_second) else "",
    }
    title = f"{rating.ladder.title()}: ratings of t2r_env {rating.ladder.library}"
    for heading, shown in ((title, columns), ("points of a game", point_columns(list(parts)))):
        yield table_of(rows, shown, heading, bold=rating.agent)


def _explain(rating: Rating) -> str:
    """Return why the games ended, and what the columns mean."""
    ended = {
        NARROW: "its interval is narrower than --width",
        ALL_GAMES: "all games are played",
        TIME: "--max-seconds are over",
        INTERRUPTED: "it was interrupted",
    }[rating.ended]
    few = f"; fewer than {MIN_DEALS} deals: the interval is rough" if rating.deals < MIN_DEALS else ""
    return (
        f"{plain(rating.agent)}: {as_text(rating.rating)} on the scale of t2r_env {rating.ladder.library}, wins"
        f" {percent(rating.own.wins)}, after {rating.own.games} games of {rating.deals} deals, seed {rating.seed};"
        f" {ended}{few}. 95 % intervals; that of the rating holds whenever one stops. Ratings of the references are"
        " from the ladder's table; 'against it' is the share of points that the agent took from them."
    )


def _summary(ratings: Sequence[Rating]) -> Table:
    agent = ratings[0].agent
    references = list(dict.fromkeys(name for rating in ratings for name in rating.ladder.references))
    rows = []
    for rating in ratings:
        values = {name: f"{it.value:.0f}" for name, it in rating.ladder.references.items()}
        rows.append([rating.ladder.title(), as_text(rating.rating), *(values.get(name, "") for name in references)])
    return text_table(f"ratings of {plain(agent)} and of the references", ["game", agent, *references], rows)


def as_text(interval: Interval) -> str:
    """Return a rating with its interval."""
    low, high = (f"{bound:.0f}" if math.isfinite(bound) else "∞" for bound in (interval.low, interval.high))
    return f"{interval.value:.0f} ({'−' if low == '∞' else ''}{low}–{high})"


def _write(arguments: argparse.Namespace, ratings: Sequence[Rating]) -> int:
    """Write the file, if there is one to write and a rating; return the command's status."""
    if not arguments.json or not ratings:
        return 0
    content = {"library": __version__, "ratings": [rating.fields() for rating in ratings]}
    try:
        with replacing(arguments.json) as new:
            new.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        print(f"t2r rate: error: {error}", file=sys.stderr)
        return 1
    return 0
