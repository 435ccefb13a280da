"""Sets as bit masks. A set of routes or of tickets is a row of two 64-bit words; a set of cities is one word."""

import numpy as np

from t2r_env.rules.compiled import count_bits, inlined
from t2r_env.rules.records import Record

ONE = np.uint64(1)
NONE = np.uint64(0)


@inlined
def bit(index: int) -> np.uint64:
    """The word in which only this bit (0 to 63) is set."""
    return ONE << np.uint64(index)


@inlined
def without_lowest(word: np.uint64) -> np.uint64:
    """The word with its lowest set bit cleared."""
    return word & (word - ONE)


@inlined
def add(words: Record, index: int) -> None:
    """Put `index` into the set."""
    words[index >> 6] |= bit(index & 63)


@inlined
def contains(words: Record, index: int) -> bool:
    """Whether `index` is in the set."""
    return (words[index >> 6] >> np.uint64(index & 63)) & ONE != NONE


@inlined
def remove(words: Record, index: int) -> None:
    """Take `index` out of the set."""
    words[index >> 6] &= ~bit(index & 63)


@inlined
def count(words: Record) -> int:
    """How many are in the set."""
    return count_bits(words[0]) + count_bits(words[1])
