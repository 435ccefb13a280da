"""Records: one annotated class for each, from which its NumPy dtype is made.

    class State(Record):
        turn: int = int32()
        hand: Array = int8(MAX_SEATS, CARD_TYPES)

A class has the fields of its bases too, each once, in the order of the bases. The class is for editors and type
checkers: an instance is a row of a structured array (`np.record`) with these fields, read and written as attributes.

Fields are narrow for compiled play and 64 bits wide when the compiler is off: comparing both by value shows any field
that is too narrow.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from t2r_env.core.compiled import JIT

Array: TypeAlias = np.ndarray[Any, Any]


class Field(NamedTuple):
    """The narrow type and the shape of a field."""

    kind: str
    shape: tuple[int, ...]


def _fields_of(kind: str) -> Callable[..., Any]:
    """Return the function that makes fields of a type: with these lengths, or a single one without any."""
    return lambda *lengths: Field(kind, lengths)


int8, int16, int32, int64 = _fields_of("i1"), _fields_of("i2"), _fields_of("i4"), _fields_of("i8")
"""Fields of signed integers."""
float32, float64 = _fields_of("f4"), _fields_of("f8")
"""Fields of floats. Rules have none."""
bitset = _fields_of("u8")
"""Fields of 64-bit words: sets of up to 64 things, one bit each; also random numbers."""
flag = _fields_of("u1")
"""Fields of booleans, a byte each, as Numba has no arrays of them in records: `array.view(np.bool_)`."""


class Record:
    """The base of all annotated records."""


GAP = "gap"
"""The field of the bytes at a record's end that belong to no other one. NumPy copies records field by field: without it
a copy would have whatever was in memory before, and equal records would differ as bytes."""

_DECLARED: dict[np.dtype[Any], dict[str, Field]] = {}
"""The fields of each dtype as they were declared."""


def dtype_of(record: type[Record]) -> np.dtype[Any]:
    """Return a structured dtype whose rows are `np.record`, so that plain Python reads fields as compiled code does.

    The fields lie from the widest to the narrowest; what fills up the last word is a field, too (`GAP`).
    """
    fields: dict[str, Field] = {}
    for part in reversed(record.__mro__):
        fields |= {name: value for name, value in vars(part).items() if isinstance(value, Field)}
    widened = [
        (name, "i8" if not JIT and kind.startswith("i") else kind, shape) for name, (kind, shape) in fields.items()
    ]
    by_width = sorted(widened, key=lambda field: np.dtype(field[1]).alignment, reverse=True)  # so none is between them
    width = np.dtype(by_width, align=True).itemsize - np.dtype(by_width).itemsize
    gap = [(GAP, "u1", (width,))] if width else []
    dtype = np.dtype((np.record, np.dtype([*by_width, *gap], align=True)))
    _DECLARED[dtype] = fields
    return dtype


def fields_of(dtype: np.dtype[Any]) -> dict[str, Field]:
    """Return the fields of a dtype that `dtype_of` made, as they were declared."""
    return _DECLARED[dtype]


def clear_gap(records: Array) -> None:
    """Zero what fills up the records: whoever made them elsewhere may have left anything there."""
    if GAP in (records.dtype.names or ()):
        records[GAP] = 0


def frozen_copy(records: Array) -> Array:
    """Return a copy of an array of records that nobody can write to, nor make writeable again."""
    return np.frombuffer(records.tobytes(), records.dtype)


def pack(record: Any) -> bytes:
    """Return a record as bytes that do not depend on how this process lays records out (narrow or wide, aligned)."""
    fields = fields_of(record.dtype)
    return b"".join(np.asarray(record[name]).astype("<" + field.kind).tobytes() for name, field in fields.items())


def unpack(data: bytes, record: Any) -> None:
    """Read a record from `pack`'s bytes. Raises ValueError, and changes nothing, if there are too few or too many."""
    fields = fields_of(record.dtype)
    expected = sum(np.dtype(field.kind).itemsize * math.prod(field.shape) for field in fields.values())
    if len(data) != expected:
        raise ValueError(f"a state takes {expected} bytes, not {len(data)}")
    start = 0
    for name, field in fields.items():
        count = math.prod(field.shape)
        values = np.frombuffer(data, "<" + field.kind, count, start)
        record[name] = values.reshape(field.shape) if field.shape else values[0]
        start += values.nbytes
