"""Folders of exports: of one that is accepted, all games can be replayed and become rows again."""

import functools
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from t2r_agents.commands import export
from t2r_agents.comparing.export.folder import EXPORT, GAMES, ExportError, Folder
from t2r_agents.comparing.export.played import Look, Texts, play_again
from t2r_agents.comparing.export.reading import read_configuration, read_games
from t2r_env import ReplayError
from t2r_env.commands import make_parser
from tests.fuzz.damage import archive_of, changed_value, damaged, parts_of

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


@st.composite
def inputs(draw: DrawFn) -> bytes:
    """A folder with a damaged file."""
    files = parts_of(draw(st.sampled_from(valid())))
    name = draw(st.sampled_from(sorted(files)))
    if name == TABLE or draw(st.integers(0, 3)) == 0:
        files[name] = draw(damaged(files[name]))
    else:
        files[name] = draw(changed_value(json.loads(files[name]))).encode(errors="surrogatepass")
    return archive_of([*files.items()])


def use(content: bytes) -> bool:
    """Read the folder, play its games and list their decisions; False if it is refused."""
    files = parts_of(content)
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(Path(path))
        (folder.path / GAMES).mkdir()
        (folder.path / EXPORT).write_bytes(files[EXPORT])
        folder.file(GAMES, 0).write_bytes(files[TABLE])
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
