"""Checks of arguments: each returns the value as the library uses it, or raises ValueError.

The messages say what is allowed and what was given.
"""

import difflib
import operator
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any, SupportsIndex, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Choice = TypeVar("Choice")

Actions: TypeAlias = Sequence[SupportsIndex] | NDArray[np.integer[Any]]
"""One integer for each game. NumPy's ArrayLike would take strings, too."""
Integers: TypeAlias = SupportsIndex | Actions
"""One integer, or several."""

LARGEST_INTEGER = 2**63 - 1
LARGEST_SEED = 2**64 - 1


def as_integer(value: Any) -> int | None:
    """Return the value as an int if it is an integer (Python's, NumPy's, a 0-d array), else None; a bool is none."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def check_integer(name: str, value: Any, least: int, most: int = LARGEST_INTEGER) -> int:
    """Return the value as an integer from `least` to `most`."""
    number = as_integer(value)
    if number is None or not least <= number <= most:
        bounds = f", at least {least}" if most == LARGEST_INTEGER else f" from {least} to {most}"
        raise ValueError(f"{name} must be an integer{bounds}, not {value!r}")
    return number


def check_choice(name: str, value: Any, allowed: tuple[Choice, ...]) -> Choice:
    """Return the value, which must be one of the allowed ones, of exactly their type."""
    if type(value) not in map(type, allowed) or value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(str, allowed))}, not {value!r}")
    chosen: Choice = value
    return chosen


def did_you_mean(given: str, allowed: Iterable[str]) -> str:
    """Return " (did you mean 'usa'?)" for a name that is nearly an allowed one, else nothing."""
    near = difflib.get_close_matches(given.casefold().replace(" ", "_").replace("-", "_"), [*allowed], 1, 0.7)
    return f" (did you mean {near[0]!r}?)" if near else ""


def title_of(called: Callable[..., Any]) -> str:
    """Return the name of a function as Python's own errors about its arguments have it."""
    return f"{called.__qualname__}{'.__init__' if isinstance(called, type) else ''}()"


def check_render_mode(value: str | None, allowed: tuple[str, ...], called: Callable[..., Any]) -> str | None:
    """Return the mode, which must be one of the allowed ones, or None.

    Raises TypeError, and not ValueError: those that ask for pictures first and go on without them wait for that.
    """
    if value is None:
        return None
    try:
        return check_choice("render_mode", value, allowed)
    except ValueError as error:
        raise TypeError(f"{title_of(called)} got an unexpected keyword argument 'render_mode': {error}") from None


# Seeds


def draw_seed(number: int = 1) -> int:
    """Return a seed from the operating system's entropy that is, as the next `number` - 1 are, at most 2^63 - 1.

    So every log holds it, as int64 too.
    """
    return secrets.randbelow(LARGEST_INTEGER + 2 - number)


def check_seed(value: Any) -> int:
    """Return the seed as an integer from 0 to 2^64 - 1.

    A negative np.int64 stands for itself plus 2^64, as in `seeds_told`.
    """
    if isinstance(value, np.int64) and value < 0:
        value = value.view(np.uint64)
    seed = as_integer(value)
    if seed is None or not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"a seed must be an integer from 0 to 2^64 - 1, not {value!r}")
    return seed


def seeds_told(seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return seeds as infos tell them: the same 64 bits as int64, as PyTorch can't index uint64; a new array."""
    return seeds.astype(np.int64)


def check_seeds(seeds: Integers, number: int) -> NDArray[np.uint64]:
    """Return one seed for each of this many rows, (number,); one row may have a single seed without a list."""
    if isinstance(seeds, np.ndarray) and seeds.dtype == np.int64:
        seeds = seeds.view(np.uint64)
    given = [check_seed(seed) for seed in np.atleast_1d(np.asarray(seeds, object))]
    if len(given) != number:
        raise ValueError(f"seeds must hold one seed for each of the {number} rows, not {len(given)}")
    return np.array(given, np.uint64)


def consecutive_seeds(first: Any, number: int) -> list[int]:
    """Return this many seeds: `first`, `first` + 1, ..., modulo 2^64; without a first one, from a random one on."""
    start = draw_seed(number) if first is None else check_seed(first)
    return [(start + game) % (LARGEST_SEED + 1) for game in range(number)]


# Arrays of a batch


def check_rows(rows: Integers, batch: int) -> NDArray[np.int64]:
    """Return rows of a batch as a new array (k,); a single row may stand without a list."""
    given = np.atleast_1d(np.asarray(rows))
    if given.size == 0:
        return np.zeros(0, np.int64)
    if given.ndim != 1 or given.dtype.kind not in "iu" or given.min() < 0 or given.max() >= batch:
        raise ValueError(f"rows must be integers from 0 to {batch - 1}, not {rows!r}")
    return given.astype(np.int64)


def check_distinct_rows(rows: Integers, batch: int) -> NDArray[np.int64]:
    """Return rows of a batch, of which none is there twice, as a new array (k,)."""
    chosen = check_rows(rows, batch)
    if not (chosen[1:] > chosen[:-1]).all() and len(np.unique(chosen)) < len(chosen):
        raise ValueError(f"rows must be different from each other, not {chosen.tolist()}")
    return chosen


def check_seats(seats: Integers, number: int, num_seats: int) -> NDArray[np.int64]:
    """Return one seat for each of this many rows, or one for all of them, as a new array (number,)."""
    given = np.asarray(seats)
    fits = given.shape in ((), (1,), (number,)) and (given.dtype.kind in "iu" or not given.size)
    if not fits or np.any((given < 0) | (given >= num_seats)):
        raise ValueError(f"seats must be integers from 0 to {num_seats - 1}, one or as many as rows, not {seats!r}")
    return np.broadcast_to(given, (number,)).astype(np.int64)


def check_actions(actions: Actions, number: int) -> NDArray[Any]:
    """Return one integer for each of this many rows, (number,), of any integer type and size."""
    try:
        given = np.asarray(actions)
    except ValueError as error:  # lists of several lengths
        raise ValueError(f"actions must be integers of shape ({number},), not {actions!r}") from error
    if given.shape != (number,) or (given.dtype.kind not in "iu" and given.size):
        raise ValueError(f"actions must be integers of shape ({number},), not {given.dtype} of shape {given.shape}")
    return given


def check_buffer(name: str, given: Any, like: NDArray[Any]) -> NDArray[Any]:
    """Return an array that compiled code may write instead of another one, as a plain NumPy array in the same memory.

    Raises ValueError.
    """
    if not isinstance(given, np.ndarray):
        raise ValueError(f"{name} must be a NumPy array, not {type(given).__name__}")
    if (given.shape, given.dtype) != (like.shape, like.dtype):
        raise ValueError(f"{name} must be {like.dtype} of shape {like.shape}, not {given.dtype} of shape {given.shape}")
    missing = [flag for flag in ("C_CONTIGUOUS", "ALIGNED", "WRITEABLE") if not given.flags[flag]]
    if missing:
        raise ValueError(f"{name} must be C-contiguous, aligned and writeable, and is not {' and '.join(missing)}")
    return np.asarray(given)
