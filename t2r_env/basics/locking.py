"""Locks on files, which end with the process at the latest."""

import os
import sys
from pathlib import Path


def lock_file(path: Path) -> int:
    """Return the descriptor of a file, which is locked until it is closed.

    Raises OSError if another has locked it, or if it can't be read. A file system without locks locks nothing.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # a pipe is not waited for
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        os.close(descriptor)
        raise OSError("another process has it open") from None
    except OSError:
        pass
    return descriptor
