"""A disk that is full, without one."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def full_disk(after: int) -> Iterator[None]:
    """Let no file of this process grow beyond so many bytes: writing more raises OSError, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (after, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
