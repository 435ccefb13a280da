"""Strategies that damage what is valid: bytes, JSON values, tables and archives."""

import copy
import csv
import io
import json
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy


@contextmanager
def written(content: bytes, name: str) -> Iterator[Path]:
    """A file of this content, in a folder of its own, which is then removed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_bytes(content)
        yield file


@contextmanager
def unpacked(archive: bytes, within: str = "") -> Iterator[Path]:
    """A folder with the files of an archive, within another one."""
    with tempfile.TemporaryDirectory() as path:
        for name, content in parts_of(archive).items():
            file = Path(path) / within / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        yield Path(path)


RAW = (
    *("NaN", "-Infinity", "1e999", "-0", "1.0", "0.5e-3", "01", "'", "", "[", "}", '{"a": 1, "a": 2}'),
    *("9" * 101, "9" * 6000, "[" * 5000 + "]" * 5000, "[" * 60 + "]" * 60, r'"\ud800"', r'{"\udc00": 0}', '"\x00"'),
)
"""JSON text in place of a value, much of it not allowed."""
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 7, 100, 2**31, 2**63, 2**64, -(2**63) - 1, 10**30, 0.5, -1.5, 1e308),
    *([], {}, [[]], [0, 1], {"a": {"b": [1]}}, [None] * 40, [True], {"": ""}),
    *("", "0", "x", "random", "usa", "card_game", "../..", "/etc/passwd", "\0", "Zürich", "\U0001f682", "x" * 5000),
    *("18446744073709551616", "-1", "1_000", " 1", "\u0661"),
)
CELLS = (
    *("", "0", "1", "-1", "2", "99", "1.5", "1e3", "nan", "inf", "x", "A", "gray", "locomotive", "red;blue", "bern"),
    *(";", '"', '"a', "a,b", "\n", "\r", "\0", "\t", "Zürich", "é" * 300, "9" * 400, "9" * 5000, "0x10", "1_0"),
    "\u0661",
)


@st.composite
def damaged(draw: DrawFn, content: bytes) -> bytes:
    """The content with up to four small damages; none at all is possible."""
    changed = bytearray(content)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(changed)))
        match draw(st.sampled_from(("flip", "put", "insert", "delete", "cut", "repeat", "blank"))):
            case "flip" if at < len(changed):
                changed[at] ^= 1 << draw(st.integers(0, 7))
            case "put" if at < len(changed):
                changed[at] = draw(st.integers(0, 255))
            case "insert":
                changed[at:at] = draw(st.binary(max_size=8))
            case "delete":
                del changed[at : at + draw(st.integers(1, 40))]
            case "cut":
                del changed[at:]
            case "repeat":
                changed[at:at] = changed[at : at + draw(st.integers(1, 200))]
            case "blank":
                length = len(changed[at : at + 16])
                changed[at : at + length] = draw(st.sampled_from((b"\0", b"\xff", b" ", b"9"))) * length
    return bytes(changed)


def any_damaged(contents: Sequence[bytes]) -> SearchStrategy[bytes]:
    """One of several contents, damaged."""
    return st.sampled_from(contents).flatmap(damaged)


@st.composite
def changed_json(draw: DrawFn, content: bytes) -> bytes:
    """JSON with other values."""
    return draw(changed_value(json.loads(content))).encode(errors="surrogatepass")


def any_changed_json(contents: Sequence[bytes]) -> SearchStrategy[bytes]:
    """One of several files of JSON, damaged as bytes or with other values."""
    return st.one_of(any_damaged(contents), st.sampled_from(contents).flatmap(changed_json))


@st.composite
def changed_folder(draw: DrawFn, folders: Sequence[bytes], may_lack: bool = False) -> bytes:
    """One of several folders, each an archive, of which one file has other values, is damaged as bytes or lacks."""
    files = parts_of(draw(st.sampled_from(folders)))
    name = draw(st.sampled_from(sorted(files)))
    kind = draw(st.integers(0, 7))
    if kind == 0 and may_lack:
        del files[name]
    elif kind < 2 or name.endswith(".parquet"):
        files[name] = draw(damaged(files[name]))
    else:
        is_table = name.endswith(".csv")
        files[name] = draw(changed_table(files[name].decode()) if is_table else changed_json(files[name]))
    return archive_of([*files.items()])


@st.composite
def changed_value(draw: DrawFn, value: Any, raw: bool = True) -> str:
    """A JSON value with up to three of its parts replaced, removed, doubled or moved, as text."""
    changed = [copy.deepcopy(value)]
    marks: dict[str, str] = {}
    for number in range(draw(st.integers(0, 3))):
        holder, key = _a_place(draw, changed)
        match draw(st.sampled_from(("value", "raw", "near", "remove", "double", "copy"))):
            case "remove" if holder is not changed:
                del holder[key]
            case "double" if isinstance(holder, list) and holder is not changed:
                holder.insert(key, copy.deepcopy(holder[key]))
            case "double" if isinstance(holder, dict):
                holder[draw(st.sampled_from(("", "x", f"{key}s", "variant", "\0")))] = copy.deepcopy(holder[key])
            case "copy":
                other, at = _a_place(draw, changed)
                holder[key] = copy.deepcopy(other[at])
            case "raw" if raw:
                mark = f"mark {number} "
                marks[json.dumps(mark)] = draw(st.sampled_from(RAW))
                holder[key] = mark
            case "near" if isinstance(holder[key], int):
                holder[key] += draw(st.sampled_from((-1, 1, 10, -1000)))
            case _:
                holder[key] = copy.deepcopy(draw(st.sampled_from(VALUES)))
    text = json.dumps(changed[0], ensure_ascii=draw(st.booleans()))
    for mark, put in marks.items():
        text = text.replace(mark, put)
    return text


def _a_place(draw: DrawFn, root: list[Any]) -> tuple[Any, Any]:
    """A list or an object and one of its keys, at any depth."""
    holder: Any = root
    key: Any = 0
    while isinstance(inner := holder[key], list | dict) and inner and draw(st.integers(0, 3)):
        holder, key = inner, draw(st.sampled_from([*inner] if isinstance(inner, dict) else range(len(inner))))
    return holder, key


@st.composite
def changed_table(draw: DrawFn, text: str) -> bytes:
    """A CSV text with up to three of its cells, rows or columns changed."""
    rows = list(csv.reader(io.StringIO(text)))
    for _ in range(draw(st.integers(0, 3))):
        if not rows:
            break
        at = draw(st.integers(0, len(rows) - 1))
        column = draw(st.integers(0, max(0, len(rows[at]) - 1)))
        match draw(st.sampled_from(("cell", "cell", "cell", "copy", "remove", "double", "column", "short", "many"))):
            case "cell" if rows[at]:
                rows[at][column] = draw(st.sampled_from(CELLS))
            case "copy" if rows[at]:
                other = rows[draw(st.integers(0, len(rows) - 1))]
                rows[at][column] = other[min(column, len(other) - 1)] if other else ""
            case "remove":
                del rows[at]
            case "double":
                rows.insert(at, list(rows[at]))
            case "column":
                for row in rows:
                    del row[column : column + 1]
            case "short":
                del rows[at][column:]
            case "many":
                rows[at:at] = [list(rows[at]) for _ in range(draw(st.sampled_from((5, 80, 200))))]
    written = io.StringIO()
    csv.writer(written, lineterminator=draw(st.sampled_from(("\n", "\r\n")))).writerows(rows)
    return written.getvalue().encode()


def archive_of(parts: Sequence[tuple[str, bytes]], compression: int = zipfile.ZIP_STORED) -> bytes:
    """An archive of these parts, of which two may have the same name."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compression) as archive:
        for name, part in parts:
            information = zipfile.ZipInfo(name)  # of a date that does not change
            information.compress_type = compression
            if name in archive.NameToInfo:
                del archive.NameToInfo[name]  # otherwise it warns
            archive.writestr(information, part)
    return content.getvalue()


def pack(folder: Path, pattern: str = "*") -> bytes:
    """An archive of the files in a folder."""
    files = sorted(file for file in folder.rglob(pattern) if file.is_file())
    return archive_of([(str(file.relative_to(folder)), file.read_bytes()) for file in files])


def parts_of(archive: bytes) -> dict[str, bytes]:
    """The parts of an archive that a test has made."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


@st.composite
def changed_archive(draw: DrawFn, parts: Mapping[str, bytes]) -> bytes:
    """An archive with up to two of its parts changed."""
    entries = list(parts.items())
    methods = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]
    for _ in range(draw(st.integers(0, 2))):
        if not entries:
            break
        at = draw(st.integers(0, len(entries) - 1))
        name, content = entries[at]
        match draw(st.sampled_from(("name", "remove", "double", "exchange", "bomb", "add", "method"))):
            case "name":
                entries[at] = draw(st.sampled_from(("", "x", "../x", "/etc/x", f"{name}/", f"a/{name}", "\0"))), content
            case "remove":
                del entries[at]
            case "double":
                entries.append((name, content[: draw(st.integers(0, len(content)))]))
            case "exchange":
                entries[at] = name, entries[draw(st.integers(0, len(entries) - 1))][1]
            case "bomb":
                entries[at] = name, draw(st.sampled_from((b"\0", b"{"))) * 100_000_000
                methods = [zipfile.ZIP_DEFLATED]
            case "add":
                entries += [(f"part_{number}", b"") for number in range(draw(st.sampled_from([1, 9, 3000])))]
            case "method":
                methods = [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
    return archive_of(entries, draw(st.sampled_from(methods)))
