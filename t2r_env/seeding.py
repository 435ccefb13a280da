"""Seeds that agents may see, from secrets that they may not.

From the seed of a game follow all hands and decks, so all random numbers for agents come through one-way functions:
BLAKE2b (RFC 7693) makes keys of a secret, the seed of a game or of a tournament, and SipHash-2-4 under such a key makes
a seed for each decision. No function hides a secret that can be guessed: against agents that you don't trust, take a
seed that was drawn at random.
"""

from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env.core.compiled import cached
from t2r_env.core.randomness import siphash
from t2r_env.games import Games

Array = np.ndarray[Any, Any]

_SEED_BYTES = 8
_KEY_BYTES = 16
_DECISION, _OTHER = np.uint64(0), np.uint64(1)
"""The uses of seeds: the first word that is hashed, so that no two uses share a seed."""


def derive_seed(secret: int, purpose: str, number: int) -> int:
    """Return the seed that follows from a secret for a purpose and a number; seed and secret are below 2^64."""
    return int.from_bytes(_derive(secret, purpose, number, _SEED_BYTES), "little")


def derive_key(secret: int, purpose: str, number: int) -> bytes:
    """Return a key of 16 bytes that follows from a secret for a purpose and a number."""
    return _derive(secret, purpose, number, _KEY_BYTES)


def _derive(secret: int, purpose: str, number: int, size: int) -> bytes:
    key, message = secret.to_bytes(_SEED_BYTES, "little"), number.to_bytes(_SEED_BYTES, "little")
    return blake2b(message, digest_size=size, key=key, person=purpose.encode()).digest()


def key_words(keys: list[bytes]) -> NDArray[np.uint64]:
    """Return keys (k) of 16 bytes as the two words each that SipHash takes, (k, 2), as a new array."""
    return np.frombuffer(b"".join(keys), "<u8").astype(np.uint64).reshape(-1, 2)


def agent_keys(seeds: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the keys of the agents of games, (k, 2), from the seeds of the games, (k,), as a new array."""
    return key_words([derive_key(seed, "agents", 0) for seed in seeds.tolist()])


def decision_seeds(games: Games, rows: NDArray[np.int64], keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return seeds for the decisions that these rows (k,) wait for, as a new array (k,).

    Each follows from the row's key, in `keys` (batch, 2), and the number of decisions before.
    """
    derived = np.zeros((len(rows), 1), np.uint64)
    _hash(keys[rows], _DECISION, games.states["decisions"][rows].astype(np.int64), derived)
    return derived[:, 0]


def other_seeds(keys: NDArray[np.uint64], number: int) -> NDArray[np.uint64]:
    """Return this many seeds from each of k keys (k, 2), for all but decisions, as a new array (k, number)."""
    derived = np.zeros((len(keys), number), np.uint64)
    _hash(keys, _OTHER, np.zeros(len(keys), np.int64), derived)
    return derived


def uniform_of(seeds: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Return a number from 0 to below 1 for each of the seeds, as a new array."""
    # a float holds 53 bits exactly; rounding more of them could give 1
    return (seeds >> np.uint64(11)).astype(np.float64) / 2.0**53


@cached
def _hash(keys: Array, purpose: np.uint64, first: Array, derived: Array) -> None:
    """Write the hashes of a purpose and consecutive numbers, from the first on."""
    for row in range(derived.shape[0]):
        for i in range(derived.shape[1]):
            derived[row, i] = siphash(keys[row, 0], keys[row, 1], purpose, np.uint64(first[row] + i))
