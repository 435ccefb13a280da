"""Packages: this one's version, extras that may be missing, and what other packages add.

An extra is what the base installation does not have, as in `pip install '.[train]'` in a checkout. What others add is
found by the names of entry points, and by import paths.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, entry_points, version
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from t2r_env.basics.checks import did_you_mean

try:
    __version__ = version("t2r-env")
except PackageNotFoundError:  # imported from a checkout that is not installed
    __version__ = "not installed"


# Extras


class MissingExtraError(ModuleNotFoundError):
    """A package of an extra is not installed; the message, one line, says how to install it."""


def how_to_install(extra: str) -> str:
    """Return what installs an extra: from a checkout, or from a wheel, as no package index has t2r_env yet."""
    return f"pip install '.[{extra}]' in a checkout of t2r_env, or pip install 'FILE.whl[{extra}]' with its wheel"


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Let an import of packages of this extra that fails say so. Raises MissingExtraError.

    Of blocks within each other the outermost names the extra: it has all that is needed, the inner ones a part.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if not error.name or error.name.startswith("t2r_"):
            raise
        package = error.name.partition(".")[0]
        raise MissingExtraError(
            f"{package} is not installed; install what this needs: {how_to_install(extra)}", name=error.name
        ) from error


# What other packages add


@cache
def names_of(group: str) -> Mapping[str, str]:
    """Return the names in a group of entry points, each with its import path, `module:Name`.

    To read the metadata of all packages takes 20 ms, so it is done once: what is installed later is found by a new
    process.
    """
    return MappingProxyType({entry.name: entry.value for entry in sorted(entry_points(group=group))})


def find_by_path(path: str, title: str, kind: str, names: Iterable[str]) -> Any:
    """Return the object that an import path, `module:Name`, leads to.

    Raises ValueError for anything that is no import path, with the names of this kind that are allowed too, and if
    the path leads nowhere, even if the module fails, with the title of what was asked for.
    """
    module, _, attribute = path.partition(":")
    if not module or not attribute:
        allowed = ", ".join([*names, "and import paths, module:Name"])
        raise ValueError(f"there {kind} {path!r}{did_you_mean(path, names)}; allowed are {allowed}")
    try:
        imported = import_module(module)
    except (Exception, SystemExit) as error:  # whatever the module does
        raise ValueError(f"{title} can't be imported: {error}") from error
    try:
        return attrgetter(attribute)(imported)
    except AttributeError as error:
        raise ValueError(f"{title} can't be found: {error}") from error
