"""Reading files that others may have written: never more than a stated limit, and no value that only seems right.

All functions raise ValueError for content that is not allowed, and OSError for what can't be read.
"""

import errno
import io
import json
import math
import os
import stat
import zipfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

from t2r_env.basics.plain import plain

MAX_DIGITS = 100
"""The most digits of an integer in JSON or TOML."""
MAX_NESTING = 32
"""Lists and objects inside each other in JSON or TOML."""
MAX_CONTENTS_BYTES = 1 << 17
"""The most bytes of an archive's table of contents, with the archive's comment."""

Path = str | os.PathLike[str]


# Files


class BoundedFile(io.BufferedReader):
    """A file from which at most `left` bytes may be read. Reading more raises ValueError."""

    left: int
    what: str
    """The name of the file that may not be larger, for the message."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Read this many bytes, by default the rest."""
        most = self.left + 1
        content = super().read(most if size is None or size < 0 else min(size, most))
        if len(content) > self.left:
            raise ValueError(f"{self.what} is larger than allowed")
        self.left -= len(content)
        return content


def open_file(path: Path, most: int) -> BoundedFile:
    """Open a regular file of at most this many bytes to be read. Pipes and devices are refused, and not waited for.

    Raises ValueError if the file is larger, OSError if there is none or it can't be read.
    """
    # without O_NONBLOCK the system would wait until somebody writes into a pipe
    raw = io.FileIO(path, opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0)))
    try:
        status = os.fstat(raw.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "Not a regular file", os.fspath(path))
        if status.st_size > most:
            raise ValueError(f"{path} has {status.st_size:,} bytes, and at most {most:,} are allowed")
        file = BoundedFile(raw)
        file.left, file.what = most, str(path)
        return file
    except BaseException:
        raw.close()
        raise


def read_bytes(path: Path, most: int) -> bytes:
    """Return the content of a regular file of at most this many bytes."""
    with open_file(path, most) as file:
        return file.read()


def read_text(path: Path, most: int) -> str:
    """Return the UTF-8 text of a regular file of at most this many bytes."""
    return read_bytes(path, most).decode()


# Values


def parse_json(text: str) -> Any:
    """Return the value of a JSON text.

    Besides what is no JSON, refused are numbers that are not finite, integers of more than MAX_DIGITS digits, a key
    that an object has twice, nesting deeper than MAX_NESTING, and halves of surrogate pairs.
    """
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_finite,
            parse_constant=_refuse_constant,
        )
    except RecursionError:
        raise ValueError(f"lists and objects must be nested at most {MAX_NESTING} deep") from None
    check_values(value)
    return value


def check_values(value: Any) -> None:
    """Refuse values as of JSON or TOML that are nested too deeply, integers with too many digits, and half surrogates.

    What comes after may then show each of them, write it and recurse into it.
    """
    level = [value]
    for _ in range(MAX_NESTING + 1):
        for entry in level:
            if isinstance(entry, int) and abs(entry) >= 10**MAX_DIGITS:
                raise ValueError(f"an integer must have at most {MAX_DIGITS} digits")
            if isinstance(entry, str):
                _check_characters(entry)
        tables = [entry for entry in level if isinstance(entry, dict)]
        level = [part for entry in level if isinstance(entry, dict | list) for part in entry]
        level += [value for table in tables for value in table.values()]
        if not level:
            return
    raise ValueError(f"lists and objects must be nested at most {MAX_NESTING} deep")


def _check_characters(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"a text must not hold half of a surrogate pair, as {shown(text)} does") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        double, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"an object must have the key {shown(double)} only once")
    return entries


def _integer(digits: str) -> int:
    if len(digits.removeprefix("-")) > MAX_DIGITS:
        raise ValueError(f"an integer must have at most {MAX_DIGITS} digits, not {len(digits)}")
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"a number must be finite, not {shown(digits)}")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"a number must be finite, not {name}")


def shown(value: Any, most: int = 200) -> str:
    """Return a value as an error message shows it: plain, and cut off after this many characters."""
    text = repr(value)
    return plain(text) if len(text) <= most else f"{plain(text[:most])}..."


# Archives


@contextmanager
def open_archive(path: Path, most: int, parts: Mapping[str, int]) -> Iterator[zipfile.ZipFile]:
    """Open a zip archive of at most `most` bytes. `read_part` reads a part.

    `parts` are the names of the parts that it may have and their limits in bytes, unpacked, which are checked before.
    Raises ValueError, or what zipfile raises for a damaged archive.
    """
    with open_file(path, most) as file:
        file.left, file.what = MAX_CONTENTS_BYTES, "the table of contents"
        with zipfile.ZipFile(file) as archive:
            _check_contents(archive.infolist(), parts)
            file.left, file.what = most, "the archive"
            yield archive


def _check_contents(entries: Collection[zipfile.ZipInfo], parts: Mapping[str, int]) -> None:
    names = [entry.filename for entry in entries]
    if len(set(names)) < len(names):
        raise ValueError("each of its parts must have another name")
    for entry in entries:
        if entry.filename not in parts:
            raise ValueError(f"its parts must be {', '.join(parts)}, not {shown(entry.filename)}")
        most = parts[entry.filename]
        if entry.file_size > most:
            raise ValueError(
                f"its part {entry.filename} has {entry.file_size:,} bytes unpacked, and at most {most:,} are allowed"
            )
        # other methods unpack more at once than is asked for
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"its part {entry.filename} must be stored or deflated")


def read_part(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Return a part of an archive, of at most this many bytes, even if the table of contents says otherwise."""
    if name not in archive.namelist():
        raise ValueError(f"its part {name} is missing")
    with archive.open(name) as part:
        content = part.read(most + 1)
    if len(content) > most:
        raise ValueError(f"its part {name} has more than the {most:,} bytes that are allowed")
    return content
