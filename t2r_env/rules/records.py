"""How records are laid out: narrow fields for compiled play, 64-bit fields when the compiler is off.

In plain Python an 8-bit field would overflow loudly where compiled code wraps silently. With 64-bit fields the
reference computes what was meant; comparing it with compiled play by value shows any field that is too narrow.
"""

import math
from typing import Any, TypeAlias

import numpy as np

from t2r_env.rules.compiled import JIT

Record: TypeAlias = Any
"""One row of a structured array; its fields are read and written as attributes (`state.turn`)."""

Field: TypeAlias = tuple[str, str] | tuple[str, str, tuple[int, ...]]

WORD = "u8"
"""A set of up to 64 things, one bit each."""
REAL = "f8"
"""A number that agents reckon with; rules have none."""


_NARROW: dict[np.dtype[Any], list[tuple[str, str, tuple[int, ...]]]] = {}
"""The fields of each record as they were declared: name, narrow type, shape."""


def record_dtype(fields: list[Field]) -> np.dtype[Any]:
    """A structured dtype whose rows are `np.record`, so that plain Python reads fields as compiled code does."""
    dtype = np.dtype((np.record, np.dtype([_widened(field) for field in fields], align=True)))
    _NARROW[dtype] = [(field[0], field[1], field[2] if len(field) == 3 else ()) for field in fields]
    return dtype


def _widened(field: Field) -> Field:
    if JIT or field[1] in (WORD, REAL):
        return field
    return (field[0], "i8", *field[2:])


def pack(record: Record) -> bytes:
    """A record as bytes that do not depend on how this process lays records out (narrow or wide, aligned or not)."""
    fields = _NARROW[record.dtype]
    return b"".join(np.asarray(record[name]).astype("<" + kind).tobytes() for name, kind, _ in fields)


def unpack(data: bytes, record: Record) -> None:
    """Read a record from `pack`'s bytes; ValueError if there are too few or too many, and then nothing is changed."""
    fields = _NARROW[record.dtype]
    expected = sum(np.dtype(kind).itemsize * math.prod(shape) for _, kind, shape in fields)
    if len(data) != expected:
        raise ValueError(f"the state takes {expected} bytes, not {len(data)}")
    start = 0
    for name, kind, shape in fields:
        count = math.prod(shape)
        values = np.frombuffer(data, "<" + kind, count, start)
        record[name] = values.reshape(shape) if shape else values[0]
        start += values.nbytes
