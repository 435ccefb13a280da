"""Games as bytes: a mark and a checksum, a heading of JSON, and the state record.

The heading names the configuration and the layout of the record, so that bytes of another game or of another layout are
refused, the seed, and the caller's note.
"""

import hashlib
import json
import re
import reprlib
import zlib
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from t2r_env.basics.checks import LARGEST_SEED
from t2r_env.basics.reading import check_values, parse_json
from t2r_env.configuration import Configuration
from t2r_env.core import records
from t2r_env.core.records import Record
from t2r_env.rules.names import PHASES

MAX_SAVED_BYTES = 1 << 20
"""The most bytes of a saved game, its note included."""


class SavedGame(NamedTuple):
    """The game that `pack_game` was given."""

    state: np.ndarray[Any, Any]
    """(1,); its fields have not been checked."""
    seed: int
    note: Any


def pack_game(configuration: Configuration, state: Record, seed: int, note: Any) -> bytes:
    """Return a game as bytes. `note` is anything JSON-able; what can't be a key of JSON is read as a text.

    Raises ValueError if the note is not that, or too large (MAX_SAVED_BYTES).
    """
    check_values(note)  # what can't be read again is not written
    try:
        heading = json.dumps(_identity(configuration) | {"seed": str(seed), "note": note}, allow_nan=False).encode()
    except TypeError as error:
        raise ValueError(f"note must be JSON-able: {error}") from error
    saved = _seal(heading + b"\n" + records.pack(state))
    _check_size(saved)
    return saved


def unpack_game(configuration: Configuration, saved: object) -> SavedGame:
    """Return the game that `pack_game` made the bytes of.

    Raises ValueError if the bytes are damaged, too many, of another configuration, or of another layout of the record.
    """
    if isinstance(saved, bytes):
        _check_size(saved)
    if not isinstance(saved, bytes) or saved != _seal(content := saved[len(_seal(b"")) :]):
        raise ValueError("saved must be the bytes that get_state() returned, but they are damaged or something else")
    heading, _, body = content.partition(b"\n")
    try:
        fields: dict[str, Any] = parse_json(heading.decode())
        missing = {*_identity(configuration), "seed", "note"} - fields.keys()
    except (ValueError, AttributeError):
        missing = {"heading"}
    if missing:
        raise ValueError(f"saved must be the bytes that get_state() returned, but their {min(missing)} is missing")
    for name, value in _identity(configuration).items():
        if fields[name] != value:
            raise ValueError(f"the saved state has {name} {reprlib.repr(fields[name])}, but this game has {value!r}")
    state = configuration.ruleset.new_states(1)
    records.unpack(body, state[0])
    return SavedGame(state, _read_seed(fields["seed"]), fields["note"])


def _identity(configuration: Configuration) -> dict[str, Any]:
    """Return the identities that a saved game depends on."""
    return configuration.identity | {"state": state_identity(configuration)}


@lru_cache(maxsize=32)
def state_identity(configuration: Configuration) -> str:
    """Return a hash of the state record's fields, and of the numbers of phases and parts of the score in it."""
    fields = [(name, *field) for name, field in records.fields_of(configuration.ruleset.state).items()]
    phases = {name: PHASES.index(name) for name in configuration.phases}
    content = f"{fields} {phases} {dict(configuration.score_parts)}"
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def _read_seed(given: object) -> int:
    if isinstance(given, str) and re.fullmatch("[0-9]{1,20}", given) and int(given) <= LARGEST_SEED:
        return int(given)
    raise ValueError(f"the seed of a saved game must be a 64-bit number in a string, not {reprlib.repr(given)}")


def _check_size(saved: bytes) -> None:
    if len(saved) > MAX_SAVED_BYTES:
        raise ValueError(f"a saved game must have at most {MAX_SAVED_BYTES:,} bytes, not {len(saved):,}")


def _seal(content: bytes) -> bytes:
    """Put a mark and a checksum before the content."""
    return b"t2r_env state 1\n%08x\n" % zlib.crc32(content) + content
