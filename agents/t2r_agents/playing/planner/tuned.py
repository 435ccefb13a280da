"""The table of tuned parameters, `tuned.json`, which `python -m benchmarks.tune --write` writes.

A configuration without an entry gets the nearest one of the same variant: that with the nearest number of players (of
two, the smaller), and among those the one with the most options alike. The turn limit plays no part. One entry has the
parameters for all other maps, found on generated ones.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from t2r_env import Configuration
from t2r_env.basics.reading import parse_json, read_text
from t2r_env.basics.writing import replacing

TABLE = Path(__file__).with_name("tuned.json")
MAX_BYTES = 1 << 22
ANY_MAP = "any map"
"""The variant of the entry for maps without one. Its parameters are those for the usual number of trains."""


@dataclass(frozen=True)
class Entry:
    """The parameters for one configuration, and how they were found."""

    variant: str
    num_players: int
    options: dict[str, Any]
    """The options, without the turn limit."""
    parameters: dict[str, int]
    made: dict[str, Any]
    """The command that found the parameters, and their result on deals that the search has not played."""


def options_of(configuration: Configuration) -> dict[str, Any]:
    """Return the options of a configuration that entries name."""
    return {name: value for name, value in configuration.options.items() if name != "turn_limit"}


@cache
def read_table(path: Path = TABLE) -> tuple[Entry, ...]:
    """Return the entries of a table; none if there is no file."""
    return tuple(Entry(**entry) for entry in parse_json(read_text(path, MAX_BYTES))) if path.exists() else ()


def tuned_parameters(configuration: Configuration, table: Sequence[Entry] | None = None) -> Mapping[str, int]:
    """Return the parameters of the nearest entry for a configuration; empty if there is none."""
    options = options_of(configuration)

    def distance(entry: Entry) -> tuple[int, int, int]:
        same = sum(entry.options.get(name) == value for name, value in options.items())
        return abs(entry.num_players - configuration.num_players), entry.num_players, -same

    entries = read_table() if table is None else table
    same_variant = [entry for entry in entries if entry.variant == configuration.variant.id]
    return min(same_variant, key=distance).parameters if same_variant else {}


def any_map_parameters() -> Mapping[str, int]:
    """Return the parameters for maps without an entry, for the usual number of trains; empty if there are none."""
    return next((entry.parameters for entry in read_table() if entry.variant == ANY_MAP), {})


def write_entry(entry: Entry, path: Path = TABLE) -> None:
    """Put an entry into a table, in the place of the one for the same configuration."""
    read_table.cache_clear()
    key = (entry.variant, entry.num_players, entry.options)
    kept = [it for it in read_table(path) if (it.variant, it.num_players, it.options) != key]
    entries = sorted([*kept, entry], key=lambda it: (it.variant, it.num_players, str(it.options)))
    with replacing(path) as new:
        new.write_text(json.dumps([asdict(it) for it in entries], indent=2) + "\n", encoding="utf-8")
    read_table.cache_clear()
