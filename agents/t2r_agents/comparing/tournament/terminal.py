"""The command `t2r tournament` and its output on the terminal."""

import argparse
import math
import re
import shlex
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from t2r_agents.comparing.ray_cluster import check_address, connected
from t2r_agents.comparing.tournament.adjusted import Adjusted, adjust, fewer_games, luck_of_seats, save_luck
from t2r_agents.comparing.tournament.agreement import GAMES, Answers, ask_agents
from t2r_agents.comparing.tournament.columns import (
    console,
    cycle_text,
    percent,
    point_columns,
    print_forfeits,
    result_columns,
    table_of,
    text_table,
)
from t2r_agents.comparing.tournament.folder import Folder, FolderError
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.ratings import Interval
from t2r_agents.comparing.tournament.ray_workers import STORE_BYTES, play_on_ray
from t2r_agents.comparing.tournament.replays import (
    BACK,
    ReplayPage,
    choose_games,
    notable_games,
    pages_there,
    reason_of,
    write_page,
    write_pages,
)
from t2r_agents.comparing.tournament.report import FIGURES, write_report
from t2r_agents.comparing.tournament.standings import Standings, compute_standings
from t2r_agents.comparing.tournament.tournament import Settings, Tournament
from t2r_agents.comparing.tournament.workers import Workers, play_in_processes
from t2r_agents.playing.configuring import configure_for
from t2r_agents.playing.values import Judge
from t2r_env import Replay
from t2r_env.agents import UnavailableError, is_harmless
from t2r_env.basics.checks import check_integer, draw_seed
from t2r_env.basics.cores import count_cores
from t2r_env.basics.plain import plain
from t2r_env.commands import UsageError, usage_errors
from t2r_env.commands.options import absolute_variant, options_given
from t2r_env.commands.progress import plain_lines, progress_line
from t2r_env.commands.replay import Recorded
from t2r_env.render.page_review import PageReview

DEFAULTS = {"agents": ["random", "greedy"], "games": 1000}
LUCK = "luck.csv"
"""The file of the luck of games in a tournament's folder."""


def run(arguments: argparse.Namespace) -> int:
    """Play a tournament, or one game of it again.

    Returns 130 if interrupted, 1 if a process has ended or a file can't be written; the games played are kept. Raises
    UsageError for arguments that are not allowed.
    """
    path = arguments.resume or arguments.out
    folder = Folder(path) if path else None
    try:
        with usage_errors():
            if arguments.replay:
                return _replay(arguments)
            check_workers(arguments.processes, arguments.ray)
            pages = check_integer("--pages", arguments.pages, 0)
            games_asked = check_integer("--agreement", arguments.agreement, 0)
            settings, tournament = _prepare(arguments, folder)
            if arguments.luck_adjusted:
                Judge(tournament.configuration)  # before the first game, if there are no values
        with find_workers(1 if tournament.asks_person else arguments.processes, arguments.ray) as found:
            status = _play(tournament, *found, folder)
        status = _show_and_write(folder, settings, tournament, status, pages, games_asked)
        if arguments.luck_adjusted and not status:
            show_luck(tournament, tournament.entries, tournament.agents, folder)
        if status and folder:
            print(f"to go on: {plain(_resume_command(folder, settings))}", file=sys.stderr)
        return status
    except OSError as error:  # a full disk, or a folder that has become read-only
        kept = "; the games written before are kept, and --resume goes on" if folder else ""
        print(f"t2r tournament: error: {error}{kept}", file=sys.stderr)
        return 1
    finally:
        if folder:
            folder.close()


def check_workers(processes: int | None, ray: str | None) -> None:
    """Raise ValueError or MissingExtraError if `find_workers` can't be asked for these."""
    if processes is not None:
        check_integer("--processes", processes, 1)
    if ray is not None:
        check_address(ray)


@contextmanager
def find_workers(processes: int | None, ray: str | None) -> Iterator[tuple[int, Workers]]:
    """Yield the number of workers, by default one for each core, and the function that plays with them.

    With an address they are on Ray, by default one for each CPU of the cluster. Raises ConnectionError if there is no
    Ray cluster at the address.
    """
    if ray is None:
        yield processes or count_cores(), play_in_processes
    else:
        with connected(ray, processes, store_bytes=STORE_BYTES) as cpus:
            yield processes or cpus, play_on_ray


def _show_and_write(
    folder: Folder | None, settings: Settings, tournament: Tournament, status: int, pages: int, games_asked: int
) -> int:
    """Show the standings and write them; return the command's status, which is that of playing."""
    if tournament.entries:
        standings = compute_standings(tournament.entries, tournament.configuration.variant.team_size)
        _show(standings, settings)
        if folder:  # files come first: who reads the output may have seen enough
            folder.finish(settings, tournament.entries, standings)
            shown = _write_pages(folder, tournament, standings, pages) if not status else []
            answers = ask_all(tournament, games_asked) if not status else None
            write_report(folder.report, settings, tournament, standings, shown, answers)
        if len(standings.agents) > 1:
            print(_best(standings))
        if folder:
            for highlight in notable_games(tournament.entries):
                print(f"{highlight.title} is {highlight.game}: {highlight.result}")
            if folder.forfeits.exists():
                print(f"the tracebacks of forfeits are in {folder.forfeits}")
            print(f"a game again: t2r tournament --replay {folder.path} GAME")
            print(f"the report: {folder.report}")
    return status


def show_luck(
    tournament: Tournament, entries: Sequence[Entry], agents: Collection[str], folder: Folder | None
) -> list[Adjusted]:
    """Show the results of agents in these games less luck, write the luck of each game, and return the results."""
    with progress_line("luck of games") as progress:
        seats = luck_of_seats(tournament, entries, progress)
    adjusted = adjust([it for it in seats if it.entry.agent in agents])
    rows = [
        [
            it.agent,
            str(it.games),
            *_both(it.wins, it.wins_adjusted, "{:.1%}"),
            *_both(it.margin, it.margin_adjusted, "{:.2f}"),
        ]
        for it in adjusted
    ]
    headings = ["agent", "games", "wins", "less luck", "worth games", "margin", "less luck", "worth games"]
    console().print(
        text_table("results less the luck in cards and tickets (95 % intervals over deals)", headings, rows)
    )
    if left_out := len({it.game for it in entries} - {it.entry.game for it in seats}):
        print(
            f"{left_out} games that were not played to their end, or ended otherwise when they were played again, are"
            " left out of this table"
        )
    if folder:
        save_luck(folder.path / LUCK, seats)
        print(f"the luck of each game: {folder.path / LUCK}")
    return adjusted


def _both(raw: Interval, adjusted: Interval, form: str) -> list[str]:
    """Return a result as it is, less luck, and how many times as many games the latter is worth."""
    worth = fewer_games(raw, adjusted)
    return [_interval(raw, form), _interval(adjusted, form), f"× {worth:.2f}" if math.isfinite(worth) else ""]


def _interval(it: Interval, form: str) -> str:
    """Return a mean with its interval, if that is known."""
    half = (it.high - it.low) / 2
    return form.format(it.value) + (f" ± {form.format(half)}" if math.isfinite(half) else "")


def ask_all(tournament: Tournament, games: int) -> Answers | None:
    """Return what the agents answer at the decisions of some games; None if that is interrupted, too."""
    if not games:
        return None
    try:
        with progress_line("games that all agents are asked about") as progress:
            return ask_agents(tournament, games, progress)
    except KeyboardInterrupt:
        print(
            "interrupted: the report says neither how often agents agree, nor how good their chances are",
            file=sys.stderr,
        )
        return None


def _best(standings: Standings) -> str:
    """Return who won most often, or that several did so equally often."""
    most = max(standing.wins.value for standing in standings.agents)
    best = [standing for standing in standings.agents if math.isclose(standing.wins.value, most)]
    if len(best) == 1:
        return f"{plain(best[0].agent)} won most often: {percent(best[0].wins)} of its games"
    names = [plain(standing.agent) for standing in best]
    return f"{', '.join(names[:-1])} and {names[-1]} won equally often: each {most:.1%} of its games"


def _resume_command(folder: Folder, settings: Settings) -> str:
    """Return the command that goes on with a tournament: agents that are not harmless must be repeated."""
    repeated = [] if all(map(is_harmless, settings.agents)) else ["--agents", *settings.agents]
    return shlex.join(["t2r", "tournament", "--resume", str(folder.path), *repeated])


def _write_pages(folder: Folder, tournament: Tournament, standings: Standings, most: int) -> list[ReplayPage]:
    """Return the pages of the games worth a look; those made so far, if this is interrupted."""
    games = choose_games(tournament, standings, most)
    pages: list[ReplayPage] = []
    try:
        with progress_line("replays") as progress:
            pages.extend(write_pages(folder.replays, tournament, games, progress))
    except KeyboardInterrupt:
        print("interrupted: some replays are missing; --replay FOLDER GAME makes them", file=sys.stderr)
    return pages


def _prepare(arguments: argparse.Namespace, folder: Folder | None) -> tuple[Settings, Tournament]:
    """Begin or resume the folder; return the settings, and the tournament with the games played so far."""
    if arguments.resume:
        assert folder
        settings = _resumed(folder, arguments)
        tournament = folder.resume(settings)
    else:
        given, options = _given(arguments)
        chosen: dict[str, Any] = DEFAULTS | {"seed": draw_seed()} | given
        configuration = configure_for(chosen["agents"], given.get("variant"), given.get("num_players"), options)
        chosen["variant"] = given.get("variant", configuration.variant.id)
        chosen |= {"num_players": configuration.num_players, "options": dict(configuration.options)}
        settings = Settings(**chosen)
        tournament = settings.tournament(folder.log if folder else None, record=arguments.luck_adjusted and not folder)
        if len(settings.agents) < 2:
            raise UsageError(f"a tournament compares agents: name two or more, not {settings.agents[0]} alone")
    if tournament.asks_person and arguments.ray is not None:
        raise UsageError("an agent asks a person on the terminal, and workers on Ray have none: leave out --ray")
    if tournament.asks_person and arguments.luck_adjusted and folder:
        raise UsageError("--luck-adjusted plays the games of a folder again, and an agent asks a person: leave one out")
    if folder and not arguments.resume:
        folder.begin(settings)
    return settings, tournament


def _given(arguments: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings that the command names, and the options of the variant."""
    names = [field.name for field in fields(Settings) if field.name not in ("options", "rated")]
    given = {name: getattr(arguments, name) for name in names}
    given = {name: value for name, value in given.items() if value is not None}
    if "variant" in given:
        given["variant"] = absolute_variant(given["variant"])  # it may be resumed from another folder
    return given, options_given(arguments)


def _resumed(folder: Folder, arguments: argparse.Namespace) -> Settings:
    """Return the settings of the tournament of this folder. Raises FolderError if the command names others."""
    settings = folder.settings(trusted=arguments.agents or [])
    if settings.rated:
        raise FolderError(f"{folder.path} has the games of a rating: t2r rate with the same arguments goes on with it")
    present = asdict(settings) | settings.options
    given, options = _given(arguments)
    for name, value in (given | options).items():
        if value != present.get(name):
            asked, known = plain(str(value)), plain(str(present.get(name)))
            raise FolderError(f"{name} must be {known} as in {folder.path}, not {asked}")
    return settings


def _replay(arguments: argparse.Namespace) -> int:
    path, number = arguments.replay
    folder = Folder(Path(path))
    tournament, game = _find_game(folder, number, arguments.agents or [], "--agents")
    file, page = (folder.path / f"game_{game}.{suffix}" for suffix in ("json", "html"))
    replay = tournament.record(game)
    replay.save(file)
    with progress_line(f"pictures of {page.name}") as progress:
        write_page(page, tournament, game, replay, progress=progress)
    print(f"{file} is game {game} (it differs if an agent depends on the time it takes), and {page} shows it")
    return 0


def _find_game(folder: Folder, number: str, trusted: Sequence[str], flag: str) -> tuple[Tournament, int]:
    """Return the tournament of a folder, with the games played so far, and the number of one of its games."""
    settings = folder.settings(trusted, flag)
    tournament = settings.tournament()
    game = int(number) if re.fullmatch("[0-9]{1,9}", number) else -1
    if not 0 <= game < len(tournament.fixtures):
        raise FolderError(f"GAME must be an integer from 0 to {len(tournament.fixtures) - 1}, not {number}")
    tournament.entries = folder.entries(tournament)
    if tournament.is_recorded:
        played = [entry for entry in tournament.entries if entry.game == game]
        if not played:
            raise FolderError(f"game {game} has not been played")
        tournament.entries = folder.with_actions(settings, played)
    tournament.close()
    return tournament, game


def record_game(path: Path, number: str, trusted: Sequence[str], flag: str) -> Recorded:
    """Play a game of the tournament of a folder again, for `t2r replay`; `flag` is that of trusted agents.

    Raises FolderError for what is no such folder or game, and for agents that are neither harmless nor trusted.
    """
    folder = Folder(path)
    tournament, game = _find_game(folder, number, trusted, flag)
    return Recorded(
        tournament.record(game),
        tournament.fixtures[game].seating,
        reason_of(tournament, game),
        folder.replays / f"game_{game}.html",
        BACK,
    )


def write_again(
    path: Path,
    trusted: Sequence[str] = (),
    games_asked: int = GAMES,
    review: Callable[[Replay], PageReview | None] = lambda replay: None,
) -> tuple[Path, Path, Callable[[int], Path]]:
    """Write the report of the games that a folder has so far, for `t2r report`.

    Returns its path, that of the folder of its data, and a function that writes the page of a game, with the `review`
    of it if there is one. Raises FolderError for a folder without games, and for agents that are neither harmless nor
    trusted; ValueError for a wrong number.
    """
    games_asked = check_integer("--agreement", games_asked, 0)
    folder = Folder(path)
    settings = folder.settings(trusted=trusted)
    tournament = settings.tournament()
    tournament.entries = folder.entries(tournament)
    if not tournament.entries:
        raise FolderError(f"{path} has no games yet")
    if tournament.is_recorded:
        tournament.entries = folder.with_actions(settings, tournament.entries)
    standings = compute_standings(tournament.entries, tournament.configuration.variant.team_size)
    pages = list(pages_there(folder.replays, tournament, standings))
    write_report(folder.report, settings, tournament, standings, pages, ask_all(tournament, games_asked))
    tournament.close()
    games = {entry.game for entry in tournament.entries}

    def make_page(game: int) -> Path:
        if game not in games:
            raise FolderError(f"there is no game {game} in this folder")
        folder.replays.mkdir(exist_ok=True)
        page = folder.replays / f"game_{game}.html"
        replay = tournament.record(game)
        write_page(page, tournament, game, replay, each_seat=False, back=BACK, review=review(replay))
        return page

    return folder.report, folder.report.with_name(FIGURES), make_page


def _play(tournament: Tournament, processes: int, workers: Workers, folder: Folder | None) -> int:
    """Play with a progress bar and keep the games; return the command's status."""
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    seats = tournament.configuration.num_players
    hidden = tournament.asks_person  # the bar would overwrite what the person types
    total = len(tournament.fixtures)

    def tell() -> str:
        return f"{len(tournament.entries) // seats:,} of {total:,} games"

    with (
        Progress(*columns, console=Console(stderr=True), speed_estimate_period=300, disable=hidden) as progress,
        nullcontext() if hidden else plain_lines(tell),
    ):
        task = progress.add_task("games", total=total, completed=len(tournament.entries) // seats)
        try:
            for entries in tournament.play(processes, workers):
                if folder:
                    folder.write(tournament.configuration, entries)
                progress.advance(task, len(entries) // seats)
        except KeyboardInterrupt:
            progress.console.print(f"interrupted after {tell()}")
            return 130
        except (ChildProcessError, UnavailableError) as error:
            progress.console.print(f"{error}, after {tell()}", markup=False)
            return 1
    return 0


def _show(standings: Standings, settings: Settings) -> None:
    screen = console()
    screen.print(table_of(standings.agents, result_columns(standings), settings.title()))
    screen.print(table_of(standings.agents, point_columns(standings.parts), "points of a game"))
    if len(standings.agents) > 2:
        names = [standing.agent for standing in standings.agents]
        cells = [
            [name, *(percent(share).replace(" ", "\n") if share else "" for share in shares)]
            for name, shares in zip(names, standings.head_to_head)
        ]
        screen.print(text_table("points of the row's agent against the column's", ["agent", *names], cells))
        screen.print(cycle_text(standings), markup=False)
    if standings.truncated:
        screen.print(f"{standings.truncated} games reached the turn limit: they have no winner and no points (C19)")
    print_forfeits(screen, standings.forfeits)
