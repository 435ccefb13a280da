"""Folders of exports: of one that is accepted, all games can be replayed and become rows again."""

import functools
import tempfile
from pathlib import Path

from hypothesis.strategies import SearchStrategy

from t2r_agents.comparing.export.folder import EXPORT, GAMES, ExportError, Folder
from t2r_agents.comparing.export.played import Look, Texts, play_again
from t2r_agents.comparing.export.reading import read_configuration, read_games
from t2r_env import ReplayError
from t2r_env.commands import main as t2r
from tests.fuzz.damage import archive_of, changed_folder, unpacked

TABLE = "00000.parquet"
COMMANDS = ("--variant new_york --games 2 --seed 1", "--variant team_asia --games 1 --turn-limit 20 --seed 1")


@functools.cache
def valid() -> list[bytes]:
    """Small exports, as archives."""
    packed = []
    for command in COMMANDS:
        with tempfile.TemporaryDirectory() as path:
            out = Path(path) / "out"
            assert t2r(["export", *command.split(), "--agents", "random", "--processes", "1", "--out", str(out)]) == 0
            packed.append(archive_of([(file.name, file.read_bytes()) for file in (out / EXPORT, out / GAMES / TABLE)]))
    return packed


def inputs() -> SearchStrategy[bytes]:
    return changed_folder(valid())


def use(content: bytes) -> bool:
    """Read the folder, play its games and list their decisions; False if it is refused."""
    with unpacked(content) as path:
        folder = Folder(path)
        (path / GAMES).mkdir()
        (path / TABLE).rename(folder.file(GAMES, 0))
        try:
            configuration = read_configuration(folder)
            games = list(read_games(folder, configuration))
            for game in games:
                game.replay.final()
        except (ExportError, ReplayError):
            return False
        if games:
            played = play_again(games, Texts(configuration), Look())
            assert len(played.decisions) <= sum(len(game.replay.actions) for game in games)
    return True
