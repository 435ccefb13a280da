"""What commands that compare agents write: folders of tournaments, exports and ratings, and tables of ladders."""

import functools
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

from benchmarks.leaderboard import _row
from t2r_agents.comparing.export import folder as exports
from t2r_agents.comparing.export.played import Look, Texts, play_again
from t2r_agents.comparing.export.reading import read_configuration, read_games
from t2r_agents.comparing.rating.ladder import (
    Ladder,
    LadderError,
    find_ladders,
    make_ladder,
    read_ladders,
    write_ladders,
)
from t2r_agents.comparing.rating.rating import Rater
from t2r_agents.comparing.rating.result import ResultError, schedule_of
from t2r_agents.comparing.rating.verify import verify
from t2r_agents.comparing.tournament import folder as tournaments
from t2r_agents.comparing.tournament.report import write_report
from t2r_agents.comparing.tournament.standings import compute_standings
from t2r_env import ReplayError, configure
from t2r_env.commands import main as t2r
from tests.fuzz.damage import archive_of, pack, parts_of, unpacked, written
from tests.fuzz.texts import check_line


def made_by(command: str, *more: str) -> dict[str, bytes]:
    """The files that a command writes."""
    with tempfile.TemporaryDirectory() as path:
        assert t2r([*command.split(), *more, "--processes", "1", "--out", f"{path}/out"]) == 0
        return parts_of(pack(Path(path, "out")))


# Folders of tournaments

SETTINGS, GAMES = "tournament.json", "games.csv"
AGENTS = {"random", "greedy"}
"""Only those of the unchanged folder are played: others search for long, or ask a person."""


@functools.cache
def tournament_folders() -> list[bytes]:
    """Small tournaments, as archives: finished, without standings, and not begun."""
    packed = []
    for options in ("--variant usa --games 4", "--variant team_asia --games 2 --turn-limit 20"):
        made = made_by(f"tournament {options} --seed 1 --pages 0 --agents random greedy")
        files = {name: made[name] for name in (SETTINGS, GAMES)}
        without = json.dumps(json.loads(files[SETTINGS]) | {"results": None}).encode()
        for kept in (files, files | {SETTINGS: without}, {SETTINGS: files[SETTINGS]}):
            packed.append(archive_of([*kept.items()]))
    return packed


def use_tournament_folder(content: bytes) -> bool:
    """Read and resume the folder, rank its agents and write its report; False if it is refused."""
    with unpacked(content) as path:
        folder = tournaments.Folder(path)
        try:
            settings = folder.settings()
            if not AGENTS.issuperset(settings.agents) or settings.games > 1000:
                return False
            tournament = folder.resume(settings)
        except tournaments.FolderError:
            return False
        if tournament.entries:
            standings = compute_standings(tournament.entries, tournament.configuration.variant.team_size)
            folder.finish(settings, tournament.entries, standings)
            write_report(folder.path / "report.html", settings, tournament, standings)
            place = attrgetter("game", "seat")
            assert sorted(folder.entries(tournament), key=place) == sorted(tournament.entries, key=place)
        assert folder.settings() == settings
    return True


# Folders of exports

TABLE = "00000.parquet"


@functools.cache
def export_folders() -> list[bytes]:
    """Small exports, as archives."""
    packed = []
    for options in ("--variant new_york --games 2", "--variant team_asia --games 1 --turn-limit 20"):
        made = made_by(f"export {options} --seed 1 --agents random")
        packed.append(archive_of([(exports.EXPORT, made[exports.EXPORT]), (TABLE, made[f"{exports.GAMES}/{TABLE}"])]))
    return packed


def use_export_folder(content: bytes) -> bool:
    """Read the folder, replay its games and list their decisions; False if it is refused."""
    with unpacked(content) as path:
        folder = exports.Folder(path)
        (path / exports.GAMES).mkdir()
        (path / TABLE).rename(folder.file(exports.GAMES, 0))
        try:
            configuration = read_configuration(folder)
            games = list(read_games(folder, configuration))
            for game in games:
                game.replay.final()
        except (exports.ExportError, ReplayError):
            return False
        if games:
            played = play_again(games, Texts(configuration), Look())
            assert len(played.decisions) <= sum(len(game.replay.actions) for game in games)
    return True


# Ladders and ratings

REFERENCES = {"random", "greedy", "one_step"}
"""Agents are rated by ladders of these only: they are quick."""


@functools.cache
def small_ladders(games: int, *references: str) -> Sequence[Ladder]:
    """A ladder by which ratings have two games."""
    made = make_ladder(configure("new_york"), "new_york", games, 0, "a test", references=references)
    return [replace(made, rated_games=2)]


@functools.cache
def ladders() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ladders.json"
        write_ladders(file, small_ladders(6, *sorted(REFERENCES)))
        return [file.read_bytes()]


def use_ladder(content: bytes) -> bool:
    """Read the table, list the games of a rating, and rate by some of them; False if it is refused."""
    with written(content, "ladders.json") as file:
        try:
            read = read_ladders(file)
            (ladder,) = find_ladders(read, "new_york", None, {})
            ladder.opponents("racer")
            schedule_of(ladder, "racer")
        except LadderError as error:
            check_line(error)
            return False
        if REFERENCES.issuperset(ladder.references):
            rating = Rater(ladder, "racer", 2, 0).rate(0, 60)
            assert rating is not None
            json.dumps(rating.fields(), allow_nan=False)
        write_ladders(file, read)
        assert read_ladders(file) == read
    return True


@functools.cache
def ratings() -> list[bytes]:
    """The rating of an agent, as an archive."""
    with tempfile.TemporaryDirectory() as path:
        table = Path(path) / "ladders.json"
        write_ladders(table, small_ladders(2, *sorted(AGENTS)))
        made = made_by("rate one_step --variant new_york --ladder", str(table))
        return [archive_of([(name, content) for name, content in made.items() if name.endswith(".json")])]


def use_rating(content: bytes) -> bool:
    """Verify the folder, and show its line and row; False if the rating does not stand."""
    with unpacked(content) as path:
        try:
            result = verify(path, small_ladders(2, *sorted(AGENTS)))
        except ResultError as error:
            check_line(error)
            return False
        for shown in (result.title(), *_row(result)):
            check_line(shown)
    return True
