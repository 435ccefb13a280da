"""Sets as bit masks, and how they and other small numbers are written into vectors.

A set of routes or of tickets is a row of two 64-bit words; a set of cities is one word.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from t2r_env.core.compiled import JIT, count_bits, inlined, lowest_bit

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
        word &= word - ONE


@inlined
def members(words: np.ndarray[Any, Any]) -> Iterator[int]:
    """Yield the members of a set, the lowest first."""
    for word in range(2):
        left = words[word]
        while left != NONE:
            yield 64 * word + lowest_bit(left)
            left &= left - ONE


def bitset_of(numbers: Iterable[int], words: int) -> list[np.uint64]:
    """Return a set of numbers as this many 64-bit words, in plain Python."""
    whole = sum(1 << number for number in numbers)
    return [np.uint64(whole >> 64 * word & (1 << 64) - 1) for word in range(words)]


# Writing into vectors: wide stores, unchecked; where indices are checked or nothing is compiled, loops instead

if JIT and not numba.config.BOUNDSCHECK:

    @intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
    def write_bits(typing_context: Any, word: Any, size: Any, start: Any, vector: Any) -> Any:
        """Write the lowest bits of a 64-bit word, `size` of them, into a vector of uint8, as zeros and ones.

        Two wide stores do it for any size: one for the first of them, one for the last, which may overlap.
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word, size, start, vector = arguments
            first = builder.gep(_data(context, builder, signature.args[3], vector), [start])
            for width in (32, 16, 8, 4, 2, 1):
                largest = 64 if width == 32 else 2 * width - 1
                is_enough = builder.icmp_signed(">=", size, size.type(width))
                with builder.if_then(builder.and_(is_enough, builder.icmp_signed("<=", size, size.type(largest)))):
                    for skipped in (size.type(0), builder.sub(size, size.type(width))):
                        some = builder.trunc(builder.lshr(word, skipped), ir.IntType(width))
                        flags = builder.bitcast(some, ir.VectorType(ir.IntType(1), width))
                        numbers = builder.zext(flags, ir.VectorType(ir.IntType(8), width))
                        _store(builder, numbers, builder.gep(first, [skipped]))
            return context.get_dummy_value()

        return types.void(types.uint64, types.int64, types.int64, vector), generate

    @intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]  # Numba has no types
    def copy_bytes(typing_context: Any, numbers: Any, count: Any, start: Any, vector: Any) -> Any:
        """Copy the first of 8-bit numbers, `count` of them, which is a constant, into a vector of uint8."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            numbers, _, start, vector = arguments
            together = ir.IntType(8 * count.literal_value).as_pointer()
            source = builder.bitcast(_data(context, builder, signature.args[0], numbers), together)
            target = builder.gep(_data(context, builder, signature.args[3], vector), [start])
            _store(builder, builder.load(source, align=1), target)
            return context.get_dummy_value()

        return types.void(numbers, count, types.int64, vector), generate

    def _data(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
        """Return the address of an array's 8-bit numbers, which lie next to each other."""
        assert array_type.layout == "C"
        assert array_type.dtype.bitwidth == 8
        return context.make_array(array_type)(context, builder, array).data

    def _store(builder: Any, value: Any, place: Any) -> None:
        """Store a value of any width at any byte."""
        builder.store(value, builder.bitcast(place, value.type.as_pointer()), align=1)

else:

    @inlined
    def write_bits(word: Any, size: int, start: int, vector: Any) -> None:
        """Write the lowest bits of a 64-bit word, `size` of them, into a vector of uint8, as zeros and ones."""
        for index in range(size):
            vector[np.uint64(start + index)] = (word >> np.uint64(index)) & np.uint64(1)

    @inlined
    def copy_bytes(numbers: Any, count: int, start: int, vector: Any) -> None:
        """Copy the first of 8-bit numbers, `count` of them, which is a constant, into a vector of uint8."""
        for index in range(count):
            vector[np.uint64(start + index)] = numbers[index]
