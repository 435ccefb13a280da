"""Folders of exports: of one that is accepted, all games can be replayed and become rows again."""

import functools
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis.strategies import SearchStrategy

from t2r_agents.commands import export
from t2r_agents.comparing.export.folder import EXPORT, GAMES, ExportError, Folder
from t2r_agents.comparing.export.played import Look, Texts, play_again
from t2r_agents.comparing.export.reading import read_configuration, read_games
from t2r_env import ReplayError
from t2r_env.commands import make_parser
from tests.fuzz.damage import archive_of, changed_folder, unpacked

TABLE = "00000.parquet"
COMMANDS: Sequence[Sequence[str]] = (
    ("--variant", "new_york", "--agents", "random", "--games", "2", "--seed", "1"),
    ("--variant", "team_asia", "--agents", "random", "--games", "1", "--turn-limit", "20", "--seed", "1"),
)


@functools.cache
def valid() -> list[bytes]:
    """Small exports, as archives."""
    packed = []
    for command in COMMANDS:
        with tempfile.TemporaryDirectory() as path:
            out = Path(path) / "out"
            parser = make_parser({"export": export})
            arguments = parser.parse_args(["export", *command, "--processes", "1", "--out", str(out)])
            assert export.run(arguments) == 0
            parts = [(EXPORT, (out / EXPORT).read_bytes()), (TABLE, (out / GAMES / TABLE).read_bytes())]
        packed.append(archive_of(parts))
    return packed


def inputs() -> SearchStrategy[bytes]:
    """A folder with a damaged file."""
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
