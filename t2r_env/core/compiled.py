"""Compile rule functions with Numba.

Every rule is a plain Python function over records, which `compiled`, `inlined` and `cached` bind to `numba.njit`. With
`NUMBA_DISABLE_JIT=1` functions stay as they are: the same text runs under the debugger and serves as the reference.
"""

import functools
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.ma  # Numba imports it when it first sees an array: a process forked meanwhile would wait for ever
from numba.core import event, types
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic, overload

from t2r_env.core import quick_start
from t2r_env.core.cache import cache_folder, is_news, say_not_kept

Function = TypeVar("Function", bound=Callable[..., Any])

JIT: bool = not numba.config.DISABLE_JIT
"""False when the rules run as plain Python (`NUMBA_DISABLE_JIT=1`)."""

OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
"""The options for all rules. Rules allocate nothing, so no reference is counted: counting costs a fifth of the time."""


def compiled(function: Function) -> Function:
    """Bind a rule function that other compiled functions call."""
    return _bind(function, {})


def inlined(function: Function) -> Function:
    """Bind a small rule function that becomes part of its callers' machine code: a call would cost more."""
    return _bind(function, {"forceinline": True})


def inlined_wrapping(function: Function) -> Function:
    """Bind a small function whose unsigned 64-bit arithmetic is meant to wrap, as it does in compiled code."""
    if JIT:
        return inlined(function)

    @functools.wraps(function)
    def wrapping(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return wrapping  # type: ignore[return-value]  # functools.wraps keeps the signature


def cached(function: Function) -> Function:
    """Bind a function that Python calls, with arrays: passing single records from Python is slow."""
    folder = cache_folder(Path(function.__code__.co_filename), quick_start.IS_USED) if JIT else None
    if folder is None:
        return _bind(function, {})
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
    try:
        bound = _bind(function, {}, is_cached=True)
    finally:
        numba.config.CACHE_DIR = before
    _keep_if_possible(bound, folder)
    return bound


def _keep_if_possible(function: Any, folder: Path) -> None:
    """Let a function go on that can't be saved, as on a full disk: Numba lets the call of it fail."""
    save = function._cache.save_overload

    def save_if_possible(*arguments: Any) -> None:
        try:
            save(*arguments)
        except OSError as error:
            say_not_kept(f"in {folder.parent} ({error.strerror})")

    function._cache.save_overload = save_if_possible


def for_record(functions: Mapping[np.dtype[Any], Callable[..., Any]]) -> Callable[..., Any]:
    """Return a function that stands for the one of these that is for its first argument's dtype.

    Compiled functions that call it have the choice made while they are compiled.
    """

    def choose(record: Any, *arguments: Any) -> Any:
        return functions[record.dtype](record, *arguments)

    if quick_start.IS_USED:
        chosen = quick_start.Choice(choose)
        chosen.by_type = {numba.from_dtype(dtype): function for dtype, function in functions.items()}
        return cast(Callable[..., Any], chosen)
    if JIT:

        @overload(choose, strict=False, jit_options=OPTIONS)  # type: ignore[untyped-decorator]  # Numba has no types
        def choose_by_type(record: Any, *arguments: Any) -> Any:
            for dtype, function in functions.items():
                if numba.from_dtype(dtype) == record:
                    return cast(Any, function).py_func
            return None

    return choose


def _bind(function: Function, options: Mapping[str, Any], is_cached: bool = False) -> Function:
    if not JIT:
        return function
    if quick_start.IS_USED:
        return cast(Function, quick_start.bind(function, {**OPTIONS, **options}, is_cached))
    return cast(Function, numba.njit(cache=is_cached, **OPTIONS, **options)(function))


_NEWS = (
    "t2r_env: compiling what is used for the first time, and keeping it; a game takes ten to twenty seconds, and so do"
    " some agents"
)


class _CompileNotice(event.Listener):  # type: ignore[misc]  # Numba has no types
    """A listener that says on stderr, after `PATIENCE` seconds, that functions are being compiled, and counts them.

    It says so once in a session, whichever process compiles what; a further process that somebody has started says it
    after `LONG_PATIENCE`: it waits, too. The count is on a terminal only, and vanishes.
    """

    PATIENCE = 2.0
    LONG_PATIENCE = 5.0
    INTERVAL = 0.2
    """Seconds between two changes of the line on a terminal."""

    def __init__(self) -> None:
        self._depth = self.number = 0
        self._began = self._shown = 0.0
        self._is_announced = self._is_old = False

    def on_start(self, event: event.Event) -> None:
        now = time.perf_counter()
        self._began = self._began if self._depth else now
        self._depth += 1
        self.number += 1
        if now < max(self._began + self.PATIENCE, self._shown + self.INTERVAL):
            return
        if not self._is_announced and self._is_due(now):
            self._is_announced = True
            print(_NEWS, file=sys.stderr, flush=True)
        if sys.stderr.isatty():
            self._shown = now
            print(
                f"\rcompiling: {self.number} functions, {now - self._began:.0f} s", end="", file=sys.stderr, flush=True
            )

    def _is_due(self, now: float) -> bool:
        """Whether to say it now: as news, or to somebody who has waited long; workers wait for nobody's eyes."""
        if not self._is_old:
            self._is_old = True
            if is_news():
                return True
        return now >= self._began + self.LONG_PATIENCE and multiprocessing.parent_process() is None

    def on_end(self, event: event.Event) -> None:
        self._depth -= 1
        if self._depth == 0 and self._shown:
            self._shown = 0.0
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


_notice = _CompileNotice()
if JIT:
    event.register("numba:compile", _notice)
    if hasattr(os, "register_at_fork"):
        # a process forked while another thread compiles would wait for that thread's lock for ever
        _lock = global_compiler_lock
        os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


def functions_compiled() -> int:
    """Return how many functions this process has begun to compile, so that others can tell of it, too."""
    return _notice.number


def announce_nothing() -> None:
    """Stop telling of functions that are compiled, for the rest of this process."""
    if JIT:
        event.unregister("numba:compile", _notice)


# Intrinsics: what Numba has no function for

if JIT:

    @intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
    def lowest_bit(typing_context: Any, word: Any) -> Any:
        """Return the index of the lowest bit set in a 64-bit word, which must not be zero."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            zero_is_undefined = context.get_constant(types.boolean, True)
            return builder.cttz(arguments[0], zero_is_undefined)

        return types.int64(types.uint64), generate

    @intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
    def count_bits(typing_context: Any, word: Any) -> Any:
        """Return how many bits are set in a 64-bit word."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.uint64), generate

else:

    def lowest_bit(word: Any) -> int:
        """Return the index of the lowest bit set in a 64-bit word, which must not be zero."""
        return (int(word) & -int(word)).bit_length() - 1

    def count_bits(word: Any) -> int:
        """Return how many bits are set in a 64-bit word."""
        return int(word).bit_count()
