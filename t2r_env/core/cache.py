"""The cache of machine code.

It lies in a folder named after a digest of all sources that a function can reach, since Numba itself would look at
the function's own file alone. The folder is in `T2R_ENV_CACHE_DIR`, or in the user's cache folder.
"""

import atexit
import contextlib
import errno
import functools
import hashlib
import os
import pickle
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import numba
import numpy as np

_PACKAGE = Path(__file__).parent.parent
_KEPT = 12
"""The latest folders of machine code that are kept."""
_MARK = "t2r_env machine code"
"""The name of a file in each of them: folders without it are somebody else's."""
_SAID, _SESSION = "said", 3600.0
"""The file next to them whose time tells when people were last told of compiling; for how many seconds they know."""


def cache_root() -> Path | None:
    """Return the folder that holds the folders of machine code; it need not exist. None for a user without a home."""
    if given := os.environ.get("T2R_ENV_CACHE_DIR"):
        return Path(given).absolute() / "t2r_env"
    return _users_root()


def _users_root() -> Path | None:
    if sys.platform == "win32":
        given, usual = os.environ.get("LOCALAPPDATA"), ("AppData", "Local")
    else:
        given, usual = os.environ.get("XDG_CACHE_HOME"), (".cache",)
    try:
        return Path(given or Path.home().joinpath(*usual)) / "t2r_env"
    except RuntimeError:  # there is neither HOME nor an entry of the user
        return None


def is_news() -> bool:
    """Whether people have not been told of compiling within the last hour, by any process; now they have."""
    root = cache_root()
    if root is None:
        return True
    said = root / _SAID
    with contextlib.suppress(OSError):
        if time.time() - said.stat().st_mtime < _SESSION:
            return False
    with contextlib.suppress(OSError):  # a folder that can only be read
        said.parent.mkdir(parents=True, exist_ok=True)
        said.touch()
    return True


@functools.cache
def cache_folder(source: Path, is_quick: bool) -> Path | None:
    """Return the folder for machine code of functions in this file, which can be written; None if there is none.

    If the proper folder can only be read, what is in it is linked from another one, where the rest is kept.
    """
    versions = (numba.__version__, np.__version__, str(numba.config.BOUNDSCHECK), sys.version, str(is_quick))
    digest = hashlib.sha256(" ".join(versions).encode())
    for path in _sources_of(source):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    name, proper = digest.hexdigest()[:20], cache_root()
    filled = proper / name if proper and os.access(proper / name / _MARK, os.R_OK) else None
    refused: dict[Path, str] = {}
    for root in _roots(is_filled=filled is not None):
        if root in refused:
            continue
        folder = root / name
        if reason := _why_not_kept_in(folder):
            refused[root] = f"in {root} ({reason})"
            continue
        if filled and folder != filled:
            _link(filled, folder)
        _remove_damaged(folder)
        _remove_old(root)
        return folder
    say_not_kept(" or ".join(refused.values()) or "without a home folder")
    return None


@functools.cache
def say_not_kept(where: str) -> None:
    """Say on stderr, once, where machine code can't be written."""
    print(
        f"t2r_env: machine code can't be kept {where}, so every process will compile it again: let T2R_ENV_CACHE_DIR"
        " name a folder that can be written",
        file=sys.stderr,
    )


def _roots(is_filled: bool) -> Iterable[Path]:
    """Yield the folders that may hold that of machine code; the proper one, which may be filled already, is first."""
    if root := cache_root():
        yield root
    if root := _users_root():
        yield root
    if is_filled and (root := _temporary_root()):
        yield root


def _why_not_kept_in(folder: Path) -> str:
    """Make a folder of machine code and note its use; return why it can't be written, if so.

    Where the disk is full, a folder that is there can be used: noting takes no room.
    """
    mark = folder / _MARK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not mark.exists():
            mark.write_text("made by t2r_env, which removes old ones\n")
        mark.touch()  # its time says when the folder was used last
        if not all(os.access(path, os.W_OK) for path in (folder, *folder.iterdir())):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        return error.strerror or type(error).__name__
    return ""


def _link(filled: Path, folder: Path) -> None:
    """Let the files of a folder of machine code stand in another one. Numba replaces files, and writes into none."""
    for path in filled.rglob("*.nb?"):
        own = folder / path.relative_to(filled)
        own.parent.mkdir(exist_ok=True)
        if not os.path.lexists(own):
            try:
                own.symlink_to(path)
            except FileExistsError:  # another process was quicker
                pass
            except OSError:  # Windows lets few people make links
                with contextlib.suppress(OSError):  # a full disk
                    shutil.copyfile(path, own)


@functools.cache
def _temporary_root() -> Path | None:
    """Make a folder that is removed at the end of this process."""
    try:
        folder = tempfile.mkdtemp(prefix="t2r_env_")
    except OSError:
        return None
    made_by = os.getpid()

    def remove() -> None:
        if os.getpid() == made_by:  # and no process that was forked from it
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return Path(folder)


def _sources_of(source: Path) -> Iterable[Path]:
    """Return the files that functions in a file can reach: the library's rules, and the file's own package."""
    own = [source] if source.is_file() else []
    if not source.is_relative_to(_PACKAGE):
        folder = source.parent
        while (folder.parent / "__init__.py").exists():
            folder = folder.parent
        own = sorted(folder.rglob("*.py")) if (folder / "__init__.py").exists() else sorted(folder.glob("*.py"))
    rules = [*(_PACKAGE / "core").rglob("*.py"), *(_PACKAGE / "rules").rglob("*.py")]
    return [*sorted(rules), _PACKAGE / "basics" / "sizes.py", *own]


class _Nothing:
    """A stand-in for every object of a file that is only read to its end."""

    def __new__(cls, *arguments: object) -> "_Nothing":
        return super().__new__(cls)

    def __call__(self, *arguments: object) -> "_Nothing":
        return self

    def __setstate__(self, state: object) -> None:
        pass


class _Reader(pickle.Unpickler):
    """Reads a pickle without making its objects."""

    def find_class(self, module: str, name: str) -> type[_Nothing]:
        """Return what stands for all classes."""
        return _Nothing


def _remove_damaged(folder: Path) -> None:
    """Remove files that were cut off while they were written: Numba would fail to read them."""
    for path in folder.rglob("*.nb?"):
        try:
            with path.open("rb") as file:
                for _ in range(2 if path.suffix == ".nbi" else 1):  # an index is two pickles
                    _Reader(file).load()
        except Exception:  # reading what is no pickle may raise any error
            with contextlib.suppress(OSError):
                path.unlink()


def _remove_old(root: Path) -> None:
    """Remove all folders of machine code but the latest: each change of a source begins a new one."""
    marks = sorted(root.glob(f"*/{_MARK}"), key=lambda mark: mark.stat().st_mtime, reverse=True)
    for mark in marks[_KEPT:]:
        shutil.rmtree(mark.parent, ignore_errors=True)
