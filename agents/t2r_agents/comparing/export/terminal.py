"""The command `t2r export` and its output on the terminal."""

import argparse
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from t2r_agents.comparing.export.card import count, write_card
from t2r_agents.comparing.export.folder import Folder, Settings
from t2r_agents.comparing.export.played import Look
from t2r_agents.comparing.export.reading import read_replay
from t2r_agents.comparing.export.sources import AgentGames, ReplayFiles, Source, TournamentGames
from t2r_agents.comparing.export.workers import Writer, shards_of, write_all
from t2r_agents.comparing.tournament import folder as tournaments
from t2r_agents.comparing.tournament.tournament import Settings as TournamentSettings
from t2r_agents.playing.configuring import configure_for
from t2r_env.basics.checks import check_integer, check_seed, draw_seed
from t2r_env.basics.cores import count_cores
from t2r_env.commands import UsageError, usage_errors
from t2r_env.commands.options import absolute_variant, options_given

DEFAULTS = {"reward": "rank", "view": False, "hidden": False, "games_per_file": 1000, "licence": "mit"}
OF_AGENTS = ("num_players", "games", "seed", "tickets", "advanced_technologies", "turn_limit")
"""The arguments that say what agents play, besides variant and agents."""


def run(arguments: argparse.Namespace) -> int:
    """Export games, or write a replay or datasets of Minari from an export.

    Returns 130 if interrupted and 1 if a process has ended or a file can't be written; the files that are complete are
    kept. Raises UsageError for arguments that are not allowed.
    """
    if arguments.observation and not arguments.minari:
        raise UsageError("--observation goes with --minari: other files have the vector and the mask")
    if arguments.replay is not None or arguments.minari:
        with usage_errors():
            return _use(arguments)
    if not arguments.out:
        raise UsageError("--out is missing: the folder to write")
    with usage_errors():
        folder = Folder(arguments.out)
        processes = count_cores() if arguments.processes is None else arguments.processes
        check_integer("--processes", processes, 1)
        source = _source(arguments, folder)
        source.reader.begin()
        settings = _settings(arguments, source)
        folder.begin(settings, source.configuration)
    try:
        with folder.locked():
            return _export(folder, source, settings, processes)
    except ValueError as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        print(f"t2r export: error: {error}; what is written is kept, and the same command goes on", file=sys.stderr)
        return 1


def _settings(arguments: argparse.Namespace, source: Source) -> Settings:
    given = {name: value for name in DEFAULTS if (value := getattr(arguments, name)) is not None}
    content: dict[str, Any] = DEFAULTS | given
    check_integer("--games-per-file", content["games_per_file"], 1)
    look = Look(content["reward"], view=content["view"], hidden=content["hidden"])
    return Settings(source.settings(), len(source), content["games_per_file"], look, content["licence"])


def _use(arguments: argparse.Namespace) -> int:
    """Write a replay or datasets of Minari from an export. Raises ValueError or OSError if that is not possible."""
    flag = "--replay" if arguments.minari is None else "--minari"
    for name in ("agents", "processes", *OF_AGENTS, *DEFAULTS):
        if getattr(arguments, name) is not None:
            raise ValueError(f"{flag} goes without --{name.replace('_', '-')}: the games are exported already")
    if len(arguments.sources) != 1:
        raise ValueError(f"{flag} needs one SOURCE, the folder of an export")
    (path,) = arguments.sources
    if arguments.minari is None:
        if not arguments.out:
            raise ValueError("--out is missing: the file of the replay")
        read_replay(path, arguments.replay, arguments.variant).save(arguments.out)
        return 0
    if arguments.replay is not None or arguments.out:
        raise ValueError("--minari goes without --replay and --out: Minari has a place for its datasets")
    from t2r_agents.comparing.export.episodes import write_datasets

    form: Any = arguments.observation or "dict"
    print(*write_datasets(path, arguments.minari, arguments.variant, form), sep="\n")
    return 0


# What is exported


def _source(arguments: argparse.Namespace, folder: Folder) -> Source:
    """Return the games that the arguments name. Raises ValueError, TypeError or OSError if they are not allowed."""
    paths = arguments.sources
    if not paths:
        return _agent_games(arguments, folder)
    for name in OF_AGENTS:
        if getattr(arguments, name) is not None:
            raise ValueError(f"--{name.replace('_', '-')} goes without SOURCE, whose games are played already")
    if len(paths) == 1 and tournaments.Folder(paths[0]).exists():
        if arguments.variant is not None:
            raise ValueError("--variant goes without the folder of a tournament, which names its own")
        return _tournament_games(tournaments.Folder(paths[0]), arguments.agents or [])
    if arguments.agents:
        raise ValueError("--agents goes without replays, whose games are played already")
    files = ReplayFiles(_files(paths), arguments.variant and absolute_variant(arguments.variant))
    files.check()
    return files


def _agent_games(arguments: argparse.Namespace, folder: Folder) -> AgentGames:
    agents = arguments.agents or ["greedy"]
    given = None if arguments.variant is None else absolute_variant(arguments.variant)
    configuration = configure_for(agents, given, arguments.num_players, options_given(arguments))
    if len(set(agents)) < len(agents):
        raise ValueError(f"--agents must be different names, not {', '.join(agents)}")
    games = check_integer("--games", 1000 if arguments.games is None else arguments.games, 1)
    options, seed = dict(configuration.options), _seed(arguments, folder)
    return AgentGames(
        TournamentSettings(given or configuration.variant.id, configuration.num_players, options, agents, games, seed)
    )


def _seed(arguments: argparse.Namespace, folder: Folder) -> int:
    """Return the seed that is given; else that of the export to go on with, or a random one."""
    if arguments.seed is not None:
        return check_seed(arguments.seed)
    source: dict[str, Any] = folder.content()["settings"]["source"] if folder.exists() else {}
    return int(source["seed"]) if "seed" in source else draw_seed()


def _tournament_games(folder: tournaments.Folder, trusted: list[str]) -> TournamentGames:
    played = folder.settings(trusted=trusted)
    tournament = played.tournament()
    tournament.close()
    if tournament.asks_server:  # which would be asked again, and paid
        raise ValueError(f"the games of agents that ask a server are kept as replays: export {folder.replays}")
    entries = folder.entries(tournament)
    if not entries:
        raise ValueError(f"{folder.path} has no games yet")
    return TournamentGames(played, entries)


def _files(paths: list[Path]) -> list[Path]:
    """Return the files of replays that are named, and those in the folders that are named, in order."""
    files: list[Path] = []
    for path in paths:
        found = sorted(path.glob("*.json")) if path.is_dir() else [path]
        if not found:
            raise ValueError(f"SOURCE must be the folder of a tournament or have replays (*.json): {path} has none")
        files += [file.absolute() for file in found]
    return files


# Exporting


def _export(folder: Folder, source: Source, settings: Settings, processes: int) -> int:
    """Write the files that are missing with a progress bar, then the card; return the command's status."""
    missing = folder.missing(settings.files)
    writer = Writer(folder, source.configuration, source.reader, settings.look)
    shards = shards_of(source, settings.games_per_file, missing)
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    complete = sum(folder.games(number, ["game"]).num_rows for number in range(settings.files) if number not in missing)
    with Progress(*columns, console=Console(stderr=True), speed_estimate_period=300) as progress:
        task = progress.add_task("games", total=settings.games, completed=complete)
        try:
            with closing(write_all(writer, shards, min(processes, len(missing)))) as writing:
                for games in writing:
                    progress.advance(task, games)
        except KeyboardInterrupt:
            progress.console.print("interrupted: the files that are complete are kept, and the same command goes on")
            return 130
    figures = count(folder, settings.files, settings.games)
    folder.finish(settings, source.configuration, figures, write_card(settings, source.configuration, figures))
    print(f"{figures['games']} games with {figures['decisions']} decisions are in {folder.path}")
    if figures["left_out"]:
        print(f"{figures['left_out']} games are left out: played again, they ended otherwise than the tournament says")
    return 0
