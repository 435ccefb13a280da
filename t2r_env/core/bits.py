"""Sets as bit masks. A set of routes or of tickets is a row of two 64-bit words; a set of cities is one word."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from t2r_env.core.compiled import count_bits, inlined, lowest_bit

ONE = np.uint64(1)
NONE = np.uint64(0)


@inlined
def bit(index: int) -> np.uint64:
    """Return the word in which only this bit (0 to 63) is set."""
    return ONE << np.uint64(index)


@inlined
def lowest(word: np.uint64) -> np.uint64:
    """Return the word with only its lowest set bit."""
    return word ^ without_lowest(word)


@inlined
def without_lowest(word: np.uint64) -> np.uint64:
    """Return the word with its lowest set bit cleared."""
    return word & (word - ONE)


@inlined
def add(words: np.ndarray[Any, Any], index: int) -> None:
    """Put `index` into the set."""
    words[index >> 6] |= bit(index & 63)


@inlined
def contains(words: np.ndarray[Any, Any], index: int) -> bool:
    """Whether `index` is in the set."""
    return (words[index >> 6] >> np.uint64(index & 63)) & ONE != NONE


@inlined
def remove(words: np.ndarray[Any, Any], index: int) -> None:
    """Take `index` out of the set."""
    words[index >> 6] &= ~bit(index & 63)


@inlined
def count(words: np.ndarray[Any, Any]) -> int:
    """Return how many members the set has."""
    return count_bits(words[0]) + count_bits(words[1])


@inlined
def ones(word: np.uint64) -> Iterator[int]:
    """Yield the members of a set of one word, the lowest first."""
    while word != NONE:
        yield lowest_bit(word)
        word = without_lowest(word)


@inlined
def members(words: np.ndarray[Any, Any]) -> Iterator[int]:
    """Yield the members of a set, the lowest first."""
    for word in range(2):
        left = words[word]
        while left != NONE:
            yield 64 * word + lowest_bit(left)
            left = without_lowest(left)


def bitset_of(numbers: Iterable[int], words: int) -> list[np.uint64]:
    """Return a set of numbers as this many 64-bit words, in plain Python."""
    whole = sum(1 << number for number in numbers)
    return [np.uint64(whole >> 64 * word & (1 << 64) - 1) for word in range(words)]
