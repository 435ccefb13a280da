"""Folders of tournaments: one that is accepted is resumed, and gives standings and a report.

Of the agents that it may name, only those of the unchanged folder are played: others search for long, or ask a person.
"""

import functools
import json
import tempfile
from operator import attrgetter
from pathlib import Path

from hypothesis.strategies import SearchStrategy

from t2r_agents.comparing.tournament.folder import Folder, FolderError
from t2r_agents.comparing.tournament.report import write_report
from t2r_agents.comparing.tournament.standings import compute_standings
from t2r_env.commands import main as t2r
from tests.fuzz.damage import archive_of, changed_folder, unpacked

SETTINGS, GAMES = "tournament.json", "games.csv"
COMMANDS = ("--variant usa --games 4 --seed 1", "--variant team_asia --games 2 --turn-limit 20 --seed 1")
AGENTS = {"random", "greedy"}


@functools.cache
def valid() -> list[bytes]:
    """Small tournaments, as archives: finished, without standings, and not begun."""
    packed = []
    for command in COMMANDS:
        with tempfile.TemporaryDirectory() as path:
            out = Path(path) / "out"
            few = [*command.split(), "--agents", "random", "greedy", "--processes", "1", "--pages", "0"]
            assert t2r(["tournament", *few, "--out", str(out)]) == 0
            files = {name: (out / name).read_bytes() for name in (SETTINGS, GAMES)}
        without = json.dumps(json.loads(files[SETTINGS]) | {"results": None}).encode()
        for kept in (files, files | {SETTINGS: without}, {SETTINGS: files[SETTINGS]}):
            packed.append(archive_of([*kept.items()]))
    return packed


def inputs() -> SearchStrategy[bytes]:
    return changed_folder(valid())


def use(content: bytes) -> bool:
    """Read the folder, rank its agents and write its report; False if it is refused."""
    with unpacked(content) as path:
        folder = Folder(path)
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
            place = attrgetter("game", "seat")
            assert sorted(folder.entries(tournament), key=place) == sorted(tournament.entries, key=place)
        assert folder.settings() == settings
    return True
