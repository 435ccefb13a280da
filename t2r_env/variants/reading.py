"""Reading the files of a folder: named values that know their place, so that an error can say where it is.

A row of a CSV file and a table of a TOML file are both `Fields`. Each reader checks one value and returns it with
its type; all raise `VariantError` for a value that is not allowed.
"""

import codecs
import csv
import hashlib
import io
import json
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from t2r_env.basics.reading import check_values, read_bytes, shown

MAX_TABLE_BYTES = 1 << 16
"""The most bytes of a TOML file."""
MAX_ROWS_BYTES = 1 << 18
"""The most bytes of a CSV file."""
MAX_ROWS = 5_000
"""The most rows of a CSV file."""
MAX_TEXT = 100
"""Characters of a name or an id."""
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_IDENTIFIER = re.compile("[a-z0-9_]+")


class VariantError(ValueError):
    """A folder does not describe a game. The message names the file, the row or key, and what is allowed."""


def listed(names: Iterable[object]) -> str:
    """Return names as a sentence shows them."""
    return ", ".join(str(name) for name in names)


@dataclass(frozen=True)
class Names:
    """The keys of a table or the columns of a file: those it needs, and what the others are when left out."""

    required: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = field(default_factory=dict)

    def __or__(self, others: "Names") -> "Names":
        """Return these names and others."""
        return Names(self.required + others.required, {**self.defaults, **others.defaults})

    def check(self, where: str, kind: str, prefix: str, given: Collection[str]) -> None:
        """Refuse an unknown name and a missing one."""
        allowed = f"allowed are {listed([*self.required, *self.defaults])}"
        for name in given:
            if name not in self.required and name not in self.defaults:
                raise VariantError(f"{where}: unknown {kind} {shown(prefix + name)}; {allowed}")
        for name in self.required:
            if name not in given:
                raise VariantError(f"{where}: {kind} {prefix + name!r} is missing; {allowed}")


@dataclass(frozen=True)
class Fields:
    """Named values, and the place where they stand."""

    where: str
    values: Mapping[str, Any]
    prefix: str = ""

    def error(self, message: str) -> VariantError:
        """Return the error that something at this place is wrong."""
        return VariantError(f"{self.where}: {message}")

    def wrong(self, key: str, allowed: str) -> VariantError:
        """Return the error that one value is not what is allowed."""
        return self.error(f"{self.prefix}{key} must be {allowed}, not {shown(self.values[key])}")

    def integer(self, key: str, least: int, most: int) -> int:
        """Return an integer within limits."""
        value = self._converted(key, int)
        if type(value) is not int or not least <= value <= most:
            raise self.wrong(key, f"an integer from {least} to {most}")
        return value

    def number(self, key: str, least: float, most: float) -> float:
        """Return a number within limits."""
        value = self._converted(key, float)
        if type(value) not in (int, float) or not least <= value <= most:
            raise self.wrong(key, f"a number from {least} to {most}")
        return float(value)

    def text(self, key: str) -> str:
        """Text for people to read."""
        value = self.values[key]
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise self.wrong(key, "one line of text")
        return self._short(key, value)

    def identifier(self, key: str) -> str:
        """Return an id, by which programs name something."""
        value = self.values[key]
        if not isinstance(value, str) or not _IDENTIFIER.fullmatch(value):
            raise self.wrong(key, "an id of lowercase letters a-z, digits and _")
        return self._short(key, value)

    def choice(self, key: str, allowed: Collection[str], described: str) -> str:
        """Return one of some names, which the description tells a person."""
        value = self.values[key]
        if not isinstance(value, str) or value not in allowed:
            raise self.wrong(key, described)
        return value

    def _short(self, key: str, value: str) -> str:
        if len(value) > MAX_TEXT:
            raise self.wrong(key, f"at most {MAX_TEXT} characters long")
        return value

    def _converted(self, key: str, kind: Callable[[Any], Any]) -> Any:
        return self.values[key]


class Row(Fields):
    """A row of a CSV file: all its values are text."""

    def mark(self, key: str) -> bool:
        """Whether a cell is marked."""
        return self.choice(key, ("", "0", "1"), "1, 0 or nothing") == "1"

    def several(self, key: str) -> list["Row"]:
        """Return the values of a cell that has any number of them, split by semicolons: each as a row of its own."""
        text = self.values[key]
        return [Row(self.where, {key: value}) for value in text.split(";")] if text else []

    def _converted(self, key: str, kind: Callable[[Any], Any]) -> Any:
        text = self.values[key]
        try:
            return kind(text) if _NUMBER.fullmatch(text) else text
        except ValueError:
            return text


class Table(Fields):
    """A table of a TOML file: its values have types."""

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self.values[key]
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false")
        return value

    def choices(self, key: str, allowed: Sequence[str]) -> tuple[str, ...]:
        """Return a list of some names, each at most once."""
        value = self.values[key]
        known = isinstance(value, list) and all(name in allowed for name in value)
        if not known or len(set(value)) < len(value):
            raise self.wrong(key, f"a list that names each at most once of {listed(allowed)}")
        return tuple(value)

    def with_keys(self, names: Names) -> "Table":
        """Return this table, which must have these keys."""
        names.check(self.where, "key", self.prefix, self.values)
        return Table(self.where, {**names.defaults, **self.values}, self.prefix)

    def table(self, key: str, names: Names) -> "Table":
        """Return a table with these keys."""
        return self._table(key).with_keys(names)

    def tables(self, key: str, names: Names) -> dict[str, "Table"]:
        """Return one or more tables with these keys, each under an id of its own."""
        table = self._table(key)
        for name in table.values:
            if not _IDENTIFIER.fullmatch(name) or len(name) > MAX_TEXT:
                raise self.error(
                    f"{key} must name its tables by lowercase letters a-z, digits and _, not {shown(name)}"
                )
        if not table.values:
            raise self.wrong(key, "at least one table")
        return {name: table.table(name, names) for name in table.values}

    def integers(self, key: str, names: Iterable[str], least: int, most: int) -> dict[str, int]:
        """Return integers under some of these names, in the order of the names; those left out are left out."""
        table = self.table(key, Names(defaults=dict.fromkeys(names)))
        given = [name for name, value in table.values.items() if value is not None]
        return {name: table.integer(name, least, most) for name in given}

    def _table(self, key: str) -> "Table":
        value = self.values[key]
        if not isinstance(value, dict):
            raise self.wrong(key, "a table")
        return Table(self.where, value, f"{self.prefix}{key}.")


class Folder:
    """A folder's files. Their values are remembered: the digest of them is the folder's identity."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._values: dict[str, Any] = {}

    def table(self, name: str, defaults: Mapping[str, Any]) -> Table:
        """Return a TOML file with any keys; those with defaults may be left out."""
        file = str(self.path / name)
        text = self.text(name, MAX_TABLE_BYTES)
        try:
            values = tomllib.loads(text)
            check_values(values)
        except (ValueError, RecursionError) as error:  # a syntax error, or what is too long or nested too deeply
            raise VariantError(f"{file}: must be valid TOML: {error}") from None
        self._values[name] = values
        return Table(file, {**defaults, **values})

    def rows(self, name: str, columns: Names) -> list[Row]:
        """Return the rows of a CSV file with these columns, at least one; blank rows are skipped."""
        file = self.path / name
        records = self._records(name)
        line, header = next(records, (1, []))
        columns.check(f"{file}:{line}", "column", "", header)
        if len(set(header)) < len(header):
            raise VariantError(f"{file}:{line}: each column must stand only once in {listed(header)}")
        rows, given = list[Row](), list[dict[str, str]]()
        for line, cells in records:
            if len(rows) == MAX_ROWS:
                raise VariantError(f"{file}:{line}: at most {MAX_ROWS:,} rows are allowed")
            if len(cells) != len(header):
                raise VariantError(f"{file}:{line}: must have {len(header)} cells ({listed(header)}), not {len(cells)}")
            given.append(dict(zip(header, cells, strict=True)))
            rows.append(Row(f"{file}:{line}", {**columns.defaults, **given[-1]}))
        if not rows:
            raise VariantError(f"{file}:{line}: at least one row must follow the columns' names")
        self._values[name] = given
        return rows

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        return (self.path / name).exists()

    def digest(self) -> str:
        """SHA-256 of the values in the files read so far: comments and blank lines have no part in it."""
        return hashlib.sha256(json.dumps(sorted(self._values.items()), default=str).encode()).hexdigest()

    def text(self, name: str, most: int) -> str:
        """Return the text of a file with a number of bytes at most."""
        file = self.path / name
        try:
            content = read_bytes(file, most)
        except OSError as error:
            raise VariantError(f"{file}: must be a file that can be read ({error.strerror})") from None
        except ValueError as error:
            raise VariantError(str(error)) from None
        content = content.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise VariantError(f"{file}:{line}: must be UTF-8 text") from None

    def _records(self, name: str) -> Iterator[tuple[int, list[str]]]:
        """Yield the cells of a CSV file's rows, each with the line where the row begins."""
        reader = csv.reader(io.StringIO(self.text(name, MAX_ROWS_BYTES), newline=""), strict=True)
        line = 1
        try:
            for cells in reader:
                if any(cells):
                    yield line, cells
                line = reader.line_num + 1
        except csv.Error as error:
            raise VariantError(f"{self.path / name}:{line}: must be valid CSV: {error}") from None


class Files(Folder):
    """The texts of files in memory, which stand for a folder; `name` is what errors call it."""

    def __init__(self, name: str, texts: Mapping[str, str]) -> None:
        super().__init__(Path(name))
        self._texts = texts

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        return name in self._texts

    def text(self, name: str, most: int) -> str:
        """Return the text of a file, however long it is."""
        return self._texts[name]
