"""Writing many small numbers into a vector at once: each call is one or two wide stores, unchecked.

Where indices are checked, or nothing is compiled, loops stand for them.
"""

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from t2r_env.core.compiled import JIT, inlined

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
