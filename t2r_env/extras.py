"""Extras: packages that the base installation does not have, as in `pip install '.[train]'` in a checkout."""

from collections.abc import Iterator
from contextlib import contextmanager


class MissingExtraError(ModuleNotFoundError):
    """A package of an extra is not installed; the message, one line, says how to install it."""


def how_to_install(extra: str) -> str:
    """Return what installs an extra: from a checkout, or from a wheel, as no package index has t2r_env yet."""
    return f"pip install '.[{extra}]' in a checkout of t2r_env, or pip install 'FILE.whl[{extra}]' with its wheel"


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
            f"{package} is not installed; install what this needs: {how_to_install(extra)}", name=error.name
        ) from error
