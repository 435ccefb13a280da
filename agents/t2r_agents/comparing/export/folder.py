"""The folder of an export, written file by file, so that an interrupted export goes on.

- `export.json`: what the games follow from, and at the end figures of them
- `decisions/NUMBER.parquet`, `games/NUMBER.parquet`: the rows of some games each
- `README.md`: the data card
- `lock`: locked by the process that writes
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from t2r_agents.comparing.export.played import Look
from t2r_agents.comparing.export.tables import game_schema
from t2r_env import Configuration, __version__
from t2r_env.basics.locking import lock_file
from t2r_env.basics.reading import parse_json, read_text, shown
from t2r_env.basics.writing import is_new, replacing

EXPORT, CARD, DECISIONS, GAMES, LOCK = "export.json", "README.md", "decisions", "games", "lock"
FORMAT = "t2r_env export 1"
MAX_BYTES = 1 << 22
"""The limit of export.json."""


class ExportError(ValueError):
    """The error of a folder that can't be exported to, or that has no such export. The message says what is wrong."""


@dataclass(frozen=True)
class Settings:
    """The settings from which the files of an export follow."""

    source: Mapping[str, Any]
    """The settings of its games (`sources.Source.settings`)."""
    games: int
    games_per_file: int
    look: Look
    licence: str

    @property
    def files(self) -> int:
        """The number of files of each table."""
        return -(-self.games // self.games_per_file)


class Folder:
    """The folder of an export."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()  # an agent may go to another folder

    def exists(self) -> bool:
        """Return whether the folder contains an export, whole or not."""
        return (self.path / EXPORT).is_file()

    def file(self, table: str, number: int) -> Path:
        """Return a file of the table `decisions` or `games`."""
        return self.path / table / f"{number:05}.parquet"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder for other processes. Raises ExportError if another one writes there."""
        (self.path / LOCK).touch()
        try:
            descriptor = lock_file(self.path / LOCK)
        except OSError as error:
            raise ExportError(f"{self.path} can't be written: {error}") from None
        try:
            yield
        finally:
            os.close(descriptor)

    # The settings

    def begin(self, settings: Settings, configuration: Configuration) -> None:
        """Create the folder with its settings, or go on with the export that has the same ones.

        Raises ExportError if the folder has other settings or other files, and OSError if it can't be written.
        """
        content = _content(settings, configuration)
        for name in (EXPORT, CARD, DECISIONS, GAMES, LOCK):  # a stranger's folder must not make us write elsewhere
            if (self.path / name).is_symlink():
                raise ExportError(f"{self.path / name} must not be a symbolic link")
        if self.exists():
            _check_same(self.path, self.content(), content)
        elif not is_new(self.path, {f"{EXPORT}.new"}):
            raise ExportError(f"--out must be a new or empty folder, or one of an export, and {self.path} is not")
        else:
            self.path.mkdir(parents=True, exist_ok=True)
            self._write(content)
        for table in (DECISIONS, GAMES):
            (self.path / table).mkdir(exist_ok=True)

    def content(self) -> dict[str, Any]:
        """Return what is in export.json. Raises ExportError if the folder has none, or another one."""
        file = self.path / EXPORT
        try:
            content = parse_json(read_text(file, MAX_BYTES))
        except OSError as error:
            raise ExportError(f"{self.path} is no folder of an export: {error.strerror}: {EXPORT}") from None
        except ValueError as error:
            raise ExportError(f"{file} can't be read: {error}") from None
        try:
            is_known = content["format"] == FORMAT and isinstance(content["settings"]["source"], dict)
        except (KeyError, TypeError):
            is_known = False
        if not is_known:
            raise ExportError(f"{file} must be of the format {FORMAT!r}")
        return dict(content)

    def finish(self, settings: Settings, configuration: Configuration, figures: Mapping[str, Any], card: str) -> None:
        """Write the figures and the data card. Raises OSError."""
        self._write(_content(settings, configuration) | {"figures": figures})
        with replacing(self.path / CARD) as new:
            new.write_text(card, encoding="utf-8", newline="\n")

    def _write(self, content: Mapping[str, Any]) -> None:
        with replacing(self.path / EXPORT) as new:
            new.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")

    # The tables

    def missing(self, files: int) -> list[int]:
        """Return the numbers of the files that are still to be written. Raises ExportError if one is damaged.

        A file of games is written after that of their decisions, so it stands for both.
        """
        numbers = []
        for number in range(files):
            if not self.file(GAMES, number).exists():
                numbers.append(number)
                continue
            games = self.games(number, ["decisions"])
            rows = read_footer(self.file(DECISIONS, number)).num_rows
            if rows != (expected := sum(games["decisions"].to_pylist())):
                raise ExportError(f"{self.file(DECISIONS, number)} must have {expected} rows, not {rows}: {_REPAIR}")
        return numbers

    def games(self, number: int, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the rows of one file of games, by default with all columns. Raises ExportError if it is damaged."""
        file = self.file(GAMES, number)
        try:
            if not pq.read_schema(file).equals(game_schema()):
                raise pa.ArrowInvalid("it has other columns")
            table = pq.read_table(file, columns=columns, page_checksum_verification=True)
            table.validate(full=True)
            return table
        except (OSError, pa.ArrowException) as error:
            raise _damaged(file, error) from None

    def numbers(self) -> list[int]:
        """Return the numbers of the files of games that there are."""
        names = [file.name for file in (self.path / GAMES).glob("*.parquet")]
        return sorted(int(name[:-8]) for name in names if re.fullmatch(r"[0-9]{5,}\.parquet", name))

    @contextmanager
    def writing(self, table: str, number: int, schema: pa.Schema) -> Iterator[pq.ParquetWriter]:
        """Yield a writer of a file, which is there when all is written."""
        with (
            replacing(self.file(table, number)) as new,
            pq.ParquetWriter(new, schema, compression="zstd", write_page_checksum=True) as writer,
        ):
            yield writer


_REPAIR = "delete the files of this number, then export again by the same command"


def read_footer(file: Path) -> pq.FileMetaData:
    """Return what a Parquet file says of itself. Raises ExportError if it is damaged or missing."""
    try:
        return pq.read_metadata(file)
    except (OSError, pa.ArrowException) as error:
        raise _damaged(file, error) from None


def _damaged(file: Path, error: Exception) -> ExportError:
    reason = str(error).partition("\n")[0]
    return ExportError(f"{file} is damaged ({reason}): {_REPAIR}")


def _content(settings: Settings, configuration: Configuration) -> dict[str, Any]:
    given = asdict(settings)
    given |= given.pop("look")
    given.pop("text")
    return {"format": FORMAT, "library": __version__, "identity": configuration.identity, "settings": given}


def _check_same(path: Path, present: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    """Raise ExportError if an export has other settings than are asked for."""
    for name, was, given in _pairs(present, json.loads(json.dumps(asked))):
        if was != given:
            raise ExportError(f"{path} has an export with {name} {shown(was)}, not {shown(given)}: name another folder")


def _pairs(present: Mapping[str, Any], asked: Mapping[str, Any]) -> Iterable[tuple[str, Any, Any]]:
    """Yield names of settings with both values, of objects those of their entries."""
    for name, value in asked.items():
        was = present.get(name)
        if isinstance(value, dict) and isinstance(was, dict) and name != "options":
            yield from _pairs(was, value)
        else:
            yield name, was, value
