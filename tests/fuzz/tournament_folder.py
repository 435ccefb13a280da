"""Folders of tournaments: one that is accepted is resumed, and gives standings and a report.

Of the agents that it may name, only those of the unchanged folder are played: others search for long, or ask a person.
"""

import functools
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from t2r_agents.comparing.tournament.folder import Folder, FolderError
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.report import write_report
from t2r_agents.comparing.tournament.standings import compute_standings
from t2r_env.commands import main as t2r
from tests.fuzz.damage import archive_of, changed_table, changed_value, damaged, parts_of

SETTINGS, GAMES = "tournament.json", "games.csv"
COMMANDS: Sequence[Sequence[str]] = (
    ("--variant", "usa", "--agents", "random", "greedy", "--games", "4", "--seed", "1"),
    ("--variant", "team_asia", "--agents", "random", "greedy", "--games", "2", "--turn-limit", "20", "--seed", "1"),
)
AGENTS = {"random", "greedy"}


@functools.cache
def valid() -> list[bytes]:
    """Small tournaments, as archives: finished, and not begun."""
    packed = []
    for command in COMMANDS:
        with tempfile.TemporaryDirectory() as path:
            out = Path(path) / "out"
            assert t2r(["tournament", *command, "--processes", "1", "--pages", "0", "--out", str(out)]) == 0
            files = {name: (out / name).read_bytes() for name in (SETTINGS, GAMES)}
        packed += [archive_of([*files.items()]), archive_of([(SETTINGS, files[SETTINGS])])]
    return packed


@st.composite
def inputs(draw: DrawFn) -> bytes:
    """A folder with a damaged file."""
    files = parts_of(draw(st.sampled_from(valid())))
    name = draw(st.sampled_from(sorted(files)))
    if draw(st.integers(0, 3)) == 0:
        files[name] = draw(damaged(files[name]))
    elif name == SETTINGS:
        content = json.loads(files[name])
        if draw(st.booleans()):  # what is read, rather than the standings
            content["results"] = None
        files[name] = draw(changed_value(content)).encode(errors="surrogatepass")
    else:
        files[name] = draw(changed_table(files[name].decode()))
    return archive_of([*files.items()])


def _place(entry: Entry) -> tuple[int, int]:
    return entry.game, entry.seat


def use(content: bytes) -> bool:
    """Read the folder, rank its agents and write its report; False if it is refused."""
    with tempfile.TemporaryDirectory() as path:
        for name, file in parts_of(content).items():
            (Path(path) / name).write_bytes(file)
        folder = Folder(Path(path))
        try:
            settings = folder.settings()
            if not AGENTS.issuperset(settings.agents) or settings.games > 1000:
                return False
            tournament = folder.resume(settings)
        except FolderError:
            return False
        if tournament.entries:
            standings = compute_standings(tournament.entries, tournament.configuration.variant.team_size)
            folder.finish(settings, tournament.entries, standings)
            write_report(folder.path / "report.html", settings, tournament, standings)
            assert sorted(folder.entries(tournament), key=_place) == sorted(tournament.entries, key=_place)
        assert folder.settings() == settings
    return True
