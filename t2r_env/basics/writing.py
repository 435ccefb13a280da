"""Writing files, or lines of them, in one step, and folders that are new."""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield the path of a new file to write, which then replaces the one at `path`.

    If writing fails or is interrupted, the file that was there before stays, and nothing is left of the new one. A link
    where the new file is to be is not followed.

    >>> with replacing("game.json") as new:
    ...     new.write_text(text)
    """
    target = Path(path)
    new = target.with_name(f"{target.name}.new")
    try:
        with naming(target):
            new.unlink(missing_ok=True)
            yield new
            new.replace(target)
    except BaseException:
        with suppress(OSError):  # the first error is the one to tell
            new.unlink(missing_ok=True)
        raise


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Have errors of the operating system name a file: those of a full disk name none."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), os.fspath(path)) from None


def is_new(folder: Path, leftovers: Collection[str] = ()) -> bool:
    """Whether there is nothing at a path yet, or an empty folder: a command may fill it without harm to other files.

    `leftovers` are names that a command leaves there if it is killed at its beginning. Raises OSError for a folder that
    can't be read.
    """
    if not folder.exists():
        return not folder.is_symlink()
    return folder.is_dir() and {file.name for file in folder.iterdir()} <= {*leftovers}


def append_line(path: Path, line: str) -> None:
    """Add a line to a file as UTF-8. Lines that several processes or threads write do not mix. Raises OSError."""
    with naming(path), path.open("ab", buffering=0) as file:
        file.write(f"{line}\n".encode(errors="replace"))
