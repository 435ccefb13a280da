"""The folder of a tournament, written while it is played, so that an interrupted tournament can be resumed.

- `tournament.json`: the settings and, at the end, the standings
- `games.csv`: one row for each seat of each game
- `report.html`
"""

import csv
import io
import json
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from agents.tournament.playing import Entry
from agents.tournament.schedule import Fixture
from agents.tournament.standings import Standings
from agents.tournament.tournament import Settings, Tournament
from t2r_env import __version__
from t2r_env.files import naming, replacing


class FolderError(ValueError):
    """A folder does not contain the tournament that is looked for; the message says what is wrong."""


class Folder:
    """The folder of a tournament."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._games, self._settings = path / "games.csv", path / "tournament.json"

    def exists(self) -> bool:
        """Whether the folder contains a tournament."""
        return self._settings.exists()

    # Writing

    def begin(self, settings: Settings) -> None:
        """Create the folder and write the settings. Raises FolderError if the folder contains a tournament already."""
        if self.exists():
            raise FolderError(f"{self.path} contains a tournament already: use --resume to go on with it")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise FolderError(f"--out must be a folder, not the file {self.path}") from None
        self._games.unlink(missing_ok=True)
        self._write_settings(settings)

    def resume(self, settings: Settings) -> Tournament:
        """The tournament of this folder, with the games played so far. Raises FolderError for rows of other games."""
        tournament = settings.tournament()
        tournament.entries = self.entries(tournament.fixtures)
        self.keep(tournament.entries)
        return tournament

    def add(self, entries: Sequence[Entry]) -> None:
        """Write the entries of games that were played, at once."""
        is_new = not self._games.exists()
        with naming(self._games), self._games.open("a", newline="", encoding="utf-8") as file:
            file.write(_as_csv(entries, heading=is_new))
            file.flush()
            os.fsync(file.fileno())

    def finish(self, settings: Settings, entries: Sequence[Entry], standings: Standings) -> None:
        """Write the standings, and the games in order, since several processes end them in another one."""
        self.keep(entries)
        self._write_settings(settings, {"played": len({entry.game for entry in entries})} | standings.fields())

    def keep(self, entries: Sequence[Entry]) -> None:
        """Replace the entries in the file by these."""
        if entries:
            in_order = sorted(entries, key=lambda entry: (entry.game, entry.seat))
            _replace(self._games, _as_csv(in_order, heading=True))
        else:
            self._games.unlink(missing_ok=True)

    def _write_settings(self, settings: Settings, results: dict[str, Any] | None = None) -> None:
        content = {
            "library": __version__,
            "identity": settings.configuration().identity,
            # as a string: other readers of JSON may not hold 64 bits
            "settings": asdict(settings) | {"seed": str(settings.seed)},
            "results": results,
        }
        _replace(self._settings, json.dumps(content, indent=2) + "\n")

    # Reading

    def settings(self) -> Settings:
        """The settings of the tournament of this folder.

        Raises FolderError if there is none, or if the version of the library or the variant's tables have changed.
        """
        try:
            content = json.loads(self._settings.read_text(encoding="utf-8"))
            given = content["settings"]
            settings = Settings(**given | {"seed": int(given["seed"])})
            library, identity = content["library"], content["identity"]
        except OSError as error:
            raise FolderError(f"{self.path} does not contain a tournament: {error}") from None
        except (ValueError, TypeError, KeyError) as error:
            raise FolderError(f"{self._settings} can't be read: {error!r}") from None
        if library != __version__:
            raise FolderError(f"{self.path} was played with version {library} of t2r_env, and this is {__version__}")
        if identity != settings.configuration().identity:
            raise FolderError(f"{self.path} was played with other tables of {settings.variant}")
        return settings

    def entries(self, fixtures: Sequence[Fixture]) -> list[Entry]:
        """The entries of the games that were written as a whole.

        Raises FolderError for a row that does not belong to the games of the tournament.
        """
        if not self._games.exists():
            return []
        text = self._games.read_text(encoding="utf-8")
        complete_lines = text[: text.rfind("\n") + 1]  # the last line may be incomplete
        games: dict[int, list[Entry]] = defaultdict(list)
        for number, row in enumerate(csv.DictReader(io.StringIO(complete_lines)), 2):
            try:
                entry = _entry(row)
                fixture = fixtures[entry.game]
                if (entry.deal, entry.seed, entry.agent) != (fixture.deal, fixture.seed, fixture.seating[entry.seat]):
                    raise ValueError("this row is not of a game of the tournament")
            except (ValueError, KeyError, TypeError, IndexError) as error:
                raise FolderError(f"{self._games}, row {number}: {error!r}") from None
            games[entry.game].append(entry)
        return [entry for entries in games.values() if _is_complete(entries, fixtures) for entry in entries]


def _is_complete(entries: Sequence[Entry], fixtures: Sequence[Fixture]) -> bool:
    return len(entries) == len(fixtures[entries[0].game].seating)


_PLAIN = {field.name: field.type for field in fields(Entry) if field.name != "parts"}


def _entry(row: dict[str, str]) -> Entry:
    plain: dict[str, Any] = {name: kind(row.pop(name)) for name, kind in _PLAIN.items() if callable(kind)}
    return Entry(**plain, parts={name: int(points) for name, points in row.items()})


def _as_csv(entries: Iterable[Entry], *, heading: bool) -> str:
    rows = [entry.row() for entry in entries]
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n")
    if heading:
        writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _replace(path: Path, text: str) -> None:
    with replacing(path) as new:
        new.write_text(text, encoding="utf-8", newline="")
