"""All randomness of a game comes from one generator, whose state is the record's field `rng`.

The generator is SplitMix64 (Steele, Lea, Flood 2014: Fast splittable pseudorandom number generators): a counter that
advances by a constant, and a mixing function that turns it into 64 well-distributed bits.
"""

from typing import Any

import numpy as np

from t2r_env.core.compiled import inlined, inlined_wrapping

_INCREMENT = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
_LARGEST_DRAWN = np.uint64(2**63 - 1)


@inlined_wrapping
def mix(word: np.uint64) -> np.uint64:
    """Return 64 bits scrambled, one to one."""
    word = (word ^ (word >> np.uint64(30))) * _FIRST_FACTOR
    word = (word ^ (word >> np.uint64(27))) * _SECOND_FACTOR
    return word ^ (word >> np.uint64(31))


@inlined_wrapping
def scrambled(word: np.uint64) -> np.uint64:
    """Return 64 bits that follow from others, and show nothing of them at a glance."""
    return mix(word + _INCREMENT)


@inlined_wrapping
def next_seed(seed: np.uint64) -> np.uint64:
    """Return the seed of the game after the one that began with `seed`, below 2^63."""
    return scrambled(seed) & _LARGEST_DRAWN


@inlined
def seed_rng(state: Any, seed: np.uint64) -> None:
    """Start the record's random numbers: neighbouring seeds give unrelated games."""
    state.rng = mix(seed ^ _SECOND_FACTOR)


@inlined_wrapping
def next_word(word: np.uint64) -> np.uint64:
    """Return the counter's next value; `bounded` makes a number of it."""
    return word + _INCREMENT


@inlined_wrapping
def bounded(word: np.uint64, bound: int) -> np.int64:
    """Return the number from 0 to `bound` - 1 that a counter's value gives: all equally likely to within 1 in 2^24."""
    high_half = mix(word) >> np.uint64(32)
    return np.int64((high_half * np.uint64(bound)) >> np.uint64(32))


# Keyed one-way hashing, for what agents may see


@inlined_wrapping
def _rotated(word: np.uint64, bits: int) -> np.uint64:
    return (word << np.uint64(bits)) | (word >> np.uint64(64 - bits))


@inlined_wrapping
def _sip_rounds(v0: Any, v1: Any, v2: Any, v3: Any, number: int) -> Any:
    for _ in range(number):
        v0 += v1
        v2 += v3
        v1 = _rotated(v1, 13) ^ v0
        v3 = _rotated(v3, 16) ^ v2
        v0 = _rotated(v0, 32)
        v2 += v1
        v0 += v3
        v1 = _rotated(v1, 17) ^ v2
        v3 = _rotated(v3, 21) ^ v0
        v2 = _rotated(v2, 32)
    return v0, v1, v2, v3


@inlined_wrapping
def siphash(key_low: np.uint64, key_high: np.uint64, first: np.uint64, second: np.uint64) -> np.uint64:
    """Return SipHash-2-4 (Aumasson, Bernstein 2012) of two words under a key of 128 bits.

    Without the key nobody can compute it, and nobody can compute the key from it.
    """
    v0, v1 = key_low ^ np.uint64(0x736F6D6570736575), key_high ^ np.uint64(0x646F72616E646F6D)
    v2, v3 = key_low ^ np.uint64(0x6C7967656E657261), key_high ^ np.uint64(0x7465646279746573)
    for word in (first, second, np.uint64(16 << 56)):  # the last word says that there are 16 bytes
        v0, v1, v2, v3 = _sip_rounds(v0, v1, v2, v3 ^ word, 2)
        v0 ^= word
    v0, v1, v2, v3 = _sip_rounds(v0, v1, v2 ^ np.uint64(0xFF), v3, 4)
    return v0 ^ v1 ^ v2 ^ v3


@inlined
def below(state: Any, bound: int) -> np.int64:
    """Return a number from 0 to `bound` - 1, with `bound` 256 at most, from the record's random numbers."""
    state.rng = next_word(state.rng)
    return bounded(state.rng, bound)
