"""The one place that knows Numba: how a rule function is compiled, and where its machine code is kept.

Every rule is a plain Python function over records, which `compiled` binds to Numba. With `NUMBA_DISABLE_JIT=1` it stays
as it is, so that the same text runs under the debugger and serves as the reference.

Numba looks only at a function's own file to see whether its cached code is stale. The cache therefore lies in a folder
named after a digest of all sources that the function can reach: those of the core and those of the function's own
package. Where no folder can be written, or the disk is full, every process compiles anew.

With `NUMBA_BOUNDSCHECK=1` compiled code raises IndexError where it would read or write outside an array; it is kept in
a folder of its own. A negative index that counts from the end of an array passes, as it does in plain Python.
"""

import contextlib
import functools
import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import types
from numba.extending import intrinsic, overload

Function = TypeVar("Function", bound=Callable[..., Any])

JIT: bool = not numba.config.DISABLE_JIT
"""False when the rules run as plain Python (`NUMBA_DISABLE_JIT=1`)."""

_PACKAGE = Path(__file__).parent.parent
_SOURCES = (_PACKAGE / "core", _PACKAGE / "rules")
_SIZES = _PACKAGE / "sizes.py"
"""The sizes of the records, which are compiled in."""
_CACHES_KEPT = 12


def _cache_root() -> Path:
    """Where compiled code is kept: `T2R_ENV_CACHE_DIR`, or the user's cache folder."""
    if given := os.environ.get("T2R_ENV_CACHE_DIR"):
        return Path(given)
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "t2r_env"


@functools.cache
def cache_folder(beside: Path) -> Path | None:
    """The folder for machine code that depends on the core's sources and on those in `beside`; None if none can be."""
    digest = hashlib.sha256(b"boundscheck" if numba.config.BOUNDSCHECK else b"")
    own = (source for folder in _SOURCES for source in folder.rglob("*.py"))
    for source in sorted({*own, _SIZES, *_sources_about(beside)}):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    folder = _cache_root() / digest.hexdigest()[:20]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _forget_old_caches(folder.parent)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def _sources_about(folder: Path) -> Iterable[Path]:
    """The sources in a folder, and if it belongs to a package all of that: what functions there are likely to call."""
    if any(folder.is_relative_to(own) for own in _SOURCES) or not (folder / "__init__.py").exists():
        return folder.glob("*.py")
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder.rglob("*.py")


def _forget_old_caches(root: Path) -> None:
    """Each change of a source begins a new folder; only the latest few are worth their space."""
    folders = sorted(root.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[_CACHES_KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)


def compiled(function: Function) -> Function:
    """Bind a rule function. Python calls those that take arrays; passing single records from Python is slow."""
    return _bound(function, inline=False)


def inlined(function: Function) -> Function:
    """Bind a small rule function that becomes part of its callers' machine code: a call would cost more."""
    return _bound(function, inline=True)


def inlined_wrapping(function: Function) -> Function:
    """Bind a small function whose unsigned 64-bit arithmetic is meant to wrap, as it does in compiled code."""
    if JIT:
        return inlined(function)

    @functools.wraps(function)
    def wrapping(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return wrapping  # type: ignore[return-value]  # functools.wraps keeps the signature


_FLAGS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
"""How rules are compiled. They allocate nothing, so no reference is counted, which would cost a fifth of the time."""


_IMPLEMENTATIONS: dict[Callable[..., Any], dict[np.dtype[Any], Callable[..., Any]]] = {}
"""Of each function that `by_record` made: what it stands for, by the dtype of its first argument."""


def by_record(*, inline: bool = False) -> Callable[[Function], Function]:
    """Make a declared function stand for several, of which the dtype of its first argument chooses one (`implement`).

    Only compiled functions call it: which one is meant is settled while they are compiled.
    """

    def decorate(declared: Function) -> Function:
        functions: dict[np.dtype[Any], Callable[..., Any]] = {}

        def dispatch(record: Any, *arguments: Any) -> Any:
            return functions[record.dtype](record, *arguments)

        if JIT:

            @overload(dispatch, jit_options={**_FLAGS, "forceinline": inline}, strict=False)  # type: ignore[untyped-decorator]  # Numba's
            def _choose(record: Any, *arguments: Any) -> Any:
                for dtype, function in functions.items():
                    if numba.from_dtype(dtype) == record:
                        return getattr(function, "py_func", None)
                return None

        _IMPLEMENTATIONS[dispatch] = functions
        return cast(Function, functools.update_wrapper(dispatch, declared))

    return decorate


def implement(declared: Function, dtype: np.dtype[Any], function: Function) -> None:
    """Have a function made by `by_record` stand for this one, for records of a dtype."""
    _IMPLEMENTATIONS[declared][dtype] = function


def _bound(function: Function, inline: bool) -> Function:
    if not JIT:
        return function
    # what functions compose is compiled with whoever calls it; Numba would not find it in its cache again
    is_composed = function.__closure__ is not None
    folder = None if is_composed else cache_folder(Path(function.__code__.co_filename).parent)
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        bound = numba.njit(cache=folder is not None, forceinline=inline, **_FLAGS)(function)
    finally:
        numba.config.CACHE_DIR = previous
    if folder is not None:
        _allow_full_disk(bound._cache)
    return cast(Function, bound)


def _allow_full_disk(cache: Any) -> None:
    """Have machine code that can't be written be compiled anew by the next process, rather than fail in this one."""
    save = cache.save_overload

    def save_if_possible(*arguments: Any) -> None:
        with contextlib.suppress(OSError):
            save(*arguments)

    cache.save_overload = save_if_possible


if JIT:

    @intrinsic  # type: ignore[untyped-decorator]
    def lowest_bit(typing_context: Any, word: Any) -> Any:
        """The index of the lowest bit set in a 64-bit word, which must not be zero."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            zero_is_undefined = context.get_constant(types.boolean, True)
            return builder.cttz(arguments[0], zero_is_undefined)

        return types.int64(types.uint64), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def count_bits(typing_context: Any, word: Any) -> Any:
        """How many bits are set in a 64-bit word."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.uint64), generate

else:

    def lowest_bit(word: Any) -> int:
        """The index of the lowest bit set in a 64-bit word, which must not be zero."""
        return (int(word) & -int(word)).bit_length() - 1

    def count_bits(word: Any) -> int:
        """How many bits are set in a 64-bit word."""
        return int(word).bit_count()
