"""Extras: packages that the base installation does not have, as in `pip install 't2r-env[train]'`."""

from collections.abc import Iterator
from contextlib import contextmanager


class MissingExtraError(ModuleNotFoundError):
    """A package of an extra is not installed; the message, one line, says how to install it."""


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Let an import of packages of this extra that fails say so. Raises MissingExtraError."""
    try:
        yield
    except MissingExtraError:
        raise
    except ModuleNotFoundError as error:
        if not error.name or error.name.startswith("t2r_"):
            raise
        package = error.name.partition(".")[0]
        raise MissingExtraError(
            f"{package} is not installed; install what this needs: pip install 't2r-env[{extra}]'", name=error.name
        ) from error
