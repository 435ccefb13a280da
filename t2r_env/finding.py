"""Finding what other packages add: by the names of entry points, and by import paths."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from t2r_env.checks import did_you_mean


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
