"""The one place that knows Numba: how a rule function is compiled, and where its machine code is kept.

Every rule is a plain Python function over records, which `compiled` binds to Numba. With `NUMBA_DISABLE_JIT=1` it stays
as it is, so that the same text runs under the debugger and serves as the reference.

Machine code is kept in a folder named after a digest of all sources that a function can reach: those of the core and
those of the function's own package. (Numba itself would look only at the function's own file.) Paths are no part of it:
environments with the same sources and versions share one cache. A folder that `T2R_ENV_CACHE_DIR` names may be one that
can only be read; what is missing there is kept in the user's. Where no folder can be written, or the disk is full,
every process compiles anew. Compiling that takes long is said on stderr (`_CompileNotice`).

Only functions that Python calls become machine code, each with all that it calls (`_Dispatcher`). Most of the time that
takes is Numba's own: it runs few passes (`_Passes`) over few functions (`_widened`, `written`), and finds out once what
functions return that are no rules (`_known_call_types`).

With `NUMBA_BOUNDSCHECK=1` compiled code raises IndexError where it would read or write outside an array; it is kept in
a folder of its own. A negative index that counts from the end of an array passes, as it does in plain Python.
"""

import contextlib
import copy
import functools
import hashlib
import inspect
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba.core import event, typed_passes, types, untyped_passes
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.targetconfig import ConfigStack
from numba.core.types.functions import BaseFunction
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])

JIT: bool = not numba.config.DISABLE_JIT
"""False when the rules run as plain Python (`NUMBA_DISABLE_JIT=1`)."""

_PACKAGE = Path(__file__).parent.parent
_SOURCES = (_PACKAGE / "core", _PACKAGE / "rules")
_SIZES = _PACKAGE / "sizes.py"
"""The sizes of the records, which are compiled in."""
_CACHES_KEPT = 12


def cache_root() -> Path:
    """Where compiled code is kept: `T2R_ENV_CACHE_DIR`, or the user's cache folder."""
    given = os.environ.get("T2R_ENV_CACHE_DIR")
    return Path(given) if given else user_cache_root()


def user_cache_root() -> Path:
    """The user's cache folder: also for what is not in a `T2R_ENV_CACHE_DIR` that can't be written."""
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "t2r_env"


@functools.cache
def cache_folder(beside: Path) -> Path:
    """The folder for machine code that depends on the core's sources and on those in `beside`; it need not exist."""
    versions = (numba.__version__, np.__version__, str(numba.config.BOUNDSCHECK))
    digest = hashlib.sha256(" ".join(versions).encode())
    folders = [(folder, folder.rglob("*.py")) for folder in _SOURCES]
    for folder, sources in [*folders, (_PACKAGE, [_SIZES]), _sources_about(beside)]:
        for source in sorted(sources):
            digest.update(str(source.relative_to(folder)).encode() + b"\0" + source.read_bytes() + b"\0")
    folder = cache_root() / digest.hexdigest()[:20]
    with contextlib.suppress(OSError):
        os.utime(folder)  # if it exists, it is still in use
    return folder


def _sources_about(folder: Path) -> tuple[Path, Iterable[Path]]:
    """The sources in a folder, and if it belongs to a package all of that: what functions there are likely to call."""
    if any(folder.is_relative_to(own) for own in _SOURCES):
        return folder, ()
    if not (folder / "__init__.py").exists():
        return folder, folder.glob("*.py")
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder, folder.rglob("*.py")


def _forget_old_caches(root: Path) -> None:
    """Each change of a source begins a new folder; only the latest few are worth their space."""
    folders = sorted(root.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[_CACHES_KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)


class _Locator(_CacheLocator):  # type: ignore[misc]  # Numba has no types
    """Tells Numba where the machine code of a function is kept, and that it never grows stale there."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._folder = folder
        self._name = f"{function.__module__}-{function.__code__.co_firstlineno}"

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "_Locator | None":
        return cls(function, cache_folder(Path(file).parent)) if Path(file).is_file() else None

    def get_cache_path(self) -> str:
        return str(self._folder)

    def ensure_cache_path(self) -> None:
        is_new = not self._folder.exists()
        super().ensure_cache_path()
        if is_new:
            _forget_old_caches(self._folder.parent)

    def get_source_stamp(self) -> str:
        return self._folder.name

    def get_disambiguator(self) -> str:
        return self._name


def _is_writable(folder: Path) -> bool:
    """Whether a folder, which need not exist, can be written."""
    while not folder.exists():
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK)


class _CacheImplementation(CompileResultCacheImpl):  # type: ignore[misc]  # likewise
    _locator_classes: ClassVar = [_Locator, *CompileResultCacheImpl._locator_classes]


class _Cache(FunctionCache):  # type: ignore[misc]  # likewise
    """Numba's cache of a function's machine code, in a folder of ours."""

    _impl_class = _CacheImplementation

    def _guard_against_spurious_io_errors(self) -> contextlib.AbstractContextManager[None]:
        """What can't be read or written is compiled anew, rather than fail."""
        return contextlib.suppress(OSError)

    @functools.cached_property
    def elsewhere(self) -> "_Cache | None":
        """The user's cache, where the folder can only be read: what is missing there is kept here."""
        folder = Path(self.cache_path)
        own = user_cache_root() / folder.name
        if own == folder or _is_writable(folder):
            return None
        other = copy.copy(self)
        other.elsewhere = None
        other._impl = copy.copy(self._impl)
        other._impl._locator = _Locator(self._py_func, own)
        other._cache_path = str(own)
        other._cache_file = IndexDataCacheFile(other._cache_path, self._impl.filename_base, own.name)
        return other

    def _load_overload(self, signature: Any, context: Any) -> Any:
        found = super()._load_overload(signature, context)
        return found if found or not self.elsewhere else self.elsewhere.load_overload(signature, context)

    def _save_overload(self, signature: Any, data: Any) -> None:
        if self.elsewhere:
            self.elsewhere.save_overload(signature, data)
        else:
            super()._save_overload(signature, data)

    def outlook(self) -> str:
        """Whether machine code can be kept, as a clause."""
        if self.elsewhere:
            return self.elsewhere.outlook()
        folder = Path(self.cache_path)
        try:
            self._impl.locator.ensure_cache_path()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            return (
                f"the machine code can't be kept in {folder} ({reason}), so every process will do this again:"
                " let T2R_ENV_CACHE_DIR name a folder that can be written"
            )
        return f"the machine code is kept in {folder.parent}"


class _CompileNotice(event.Listener):  # type: ignore[misc]  # likewise
    """Says on stderr that functions are being compiled, once in a process, when that has taken `PATIENCE` seconds.

    On a terminal a line then counts them, until they are all compiled.
    """

    PATIENCE = 2.0
    INTERVAL = 0.2
    """Seconds between two changes of that line."""

    def __init__(self) -> None:
        self._depth = 0
        self._number = 0
        self._seconds = 0.0  # spent on compiling before
        self._began = 0.0
        self._timer: threading.Timer | None = None
        self._shown = 0.0

    def on_start(self, event: event.Event) -> None:
        self._depth += 1
        self._number += 1
        now = time.perf_counter()
        cache = event.data["dispatcher"]._cache
        if self._depth == 1:
            self._began = now
            if isinstance(cache, _Cache) and self._seconds < self.PATIENCE:
                self._timer = threading.Timer(self.PATIENCE - self._seconds, self._say, [cache])
                self._timer.daemon = True
                self._timer.start()
        elif self._shown and now > self._shown + self.INTERVAL:
            self._shown = now
            seconds = self._seconds + now - self._began
            print(f"\r{self._number} functions in {seconds:.0f} s", end="", file=sys.stderr, flush=True)

    def on_end(self, event: event.Event) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._seconds += time.perf_counter() - self._began
            if self._timer:
                self._timer.cancel()
                self._timer = None
            if self._shown:
                self._shown = 0.0
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _say(self, cache: _Cache) -> None:
        notice = f"t2r_env: compiling once, which takes ten to twenty seconds; {cache.outlook()}"
        print(notice, file=sys.stderr, flush=True)
        if sys.stderr.isatty():
            self._shown = time.perf_counter()


_notice = _CompileNotice()
if JIT:
    event.register("numba:compile", _notice)


def announce_nothing() -> None:
    """From now on say nothing in this process of functions being compiled."""
    if JIT:
        event.unregister("numba:compile", _notice)


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


def written(declared: Function, lines: Sequence[str], functions: Mapping[str, Callable[..., Any]]) -> Function:
    """A function declared elsewhere, with these lines as its body, not yet compiled.

    They call `functions` by name; `(...)` hands on all parameters. What calls many functions is one that way: of
    closures that call each other, each would be compiled by itself.
    """
    name, parameters = declared.__name__, ", ".join(inspect.signature(declared).parameters)
    text = "\n    ".join([f"def {name}({parameters}):", *lines]).replace("(...)", f"({parameters})")
    namespace: dict[str, Any] = {"__name__": declared.__module__, **functions}
    exec(text, namespace)
    return cast(Function, namespace[name])


_FLAGS = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
"""How rules are compiled. They allocate nothing, so no reference is counted, which would cost a fifth of the time."""


_CALL_TYPES: dict[tuple[Any, ...], Any] = {}
"""What is known within `_known_call_types`: signatures, by options of compiling, function and types of arguments."""


_IMPLEMENTATIONS: dict[Callable[..., Any], dict[np.dtype[Any], Callable[..., Any]]] = {}
"""Of each function that `by_record` made: what it stands for, by the dtype of its first argument."""


def by_record(declared: Function) -> Function:
    """Make a declared function stand for several, of which the dtype of its first argument chooses one (`implement`).

    Only compiled functions call it: which one is meant is settled while they are compiled.
    """
    functions: dict[np.dtype[Any], Callable[..., Any]] = {}

    def dispatch(record: Any, *arguments: Any) -> Any:
        return functions[record.dtype](record, *arguments)

    if JIT:

        class Choice(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
            """Has a call of the function compiled as one of the function that it stands for."""

            key = dispatch

            def generic(self, arguments: Any, keywords: Any) -> Any:
                for dtype, function in functions.items():
                    if numba.from_dtype(dtype) == arguments[0]:
                        self.chosen = self.context.resolve_value_type(function)
                        return self.chosen.get_call_type(self.context, arguments, keywords)
                return None

            def get_impl_key(self, signature: Any) -> Any:
                return self.chosen.get_impl_key(signature)

        infer_global(dispatch, types.Function(Choice))
    _IMPLEMENTATIONS[dispatch] = functions
    return cast(Function, functools.update_wrapper(dispatch, declared))


def implement(declared: Function, dtype: np.dtype[Any], function: Function) -> None:
    """Have a function made by `by_record` stand for this one, for records of a dtype."""
    _CALL_TYPES.clear()
    _IMPLEMENTATIONS[declared][dtype] = function


# Only functions that Python calls become machine code


class _Part(JITCodeLibrary):  # type: ignore[misc]  # likewise
    """The intermediate code of a function that compiled functions call: it becomes machine code as a part of them."""

    def finalize(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """There is no machine code that could read it."""


class _Whole(JITCodeLibrary):  # type: ignore[misc]  # likewise
    """The machine code of a function that Python calls, with that of all functions that it calls."""

    def finalize(self) -> None:
        found: dict[JITCodeLibrary, None] = {}
        _find_called(self, found)
        # LLVM links only what those linked before it refer to: callers come first
        self._linking_libraries: list[JITCodeLibrary] = [*reversed(found)]
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Once is enough: Numba does it twice, to find more references that need not be counted."""
        if not hasattr(self._codegen, "_pass_builder"):  # Numba before 0.62 makes its passes otherwise
            super()._optimize_final_module()
            return
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def _verify_declare_only_symbols(self) -> None:
        missing = [it.name for it in self._final_module.functions if it.is_declaration and it.name.startswith("_ZN")]
        assert not missing, f"functions are called and not linked: {', '.join(missing)}"


def _find_called(library: JITCodeLibrary, found: dict[JITCodeLibrary, None]) -> None:
    """Add what a library calls to those found, each after what it calls itself. Numba's own have linked that."""
    if isinstance(library, _Part | _Whole):
        for called in library._linking_libraries:
            if called not in found:
                _find_called(called, found)
                found[called] = None


class _Passes(PassManager):  # type: ignore[misc]  # likewise
    """Those of Numba's passes that rules need, without the checks and records that Numba has made after each of them.

    Rules have no closures, contexts and expressions of whole arrays to be rewritten; LLVM finds dead branches, too. And
    where no reference is counted, it does not matter where variables end.
    """

    def __init__(self) -> None:
        super().__init__("rules")
        for one in (
            untyped_passes.TranslateByteCode,
            untyped_passes.FixupArgs,
            untyped_passes.IRProcessing,
            untyped_passes.GenericRewrites,
            untyped_passes.ReconstructSSA,
            typed_passes.NopythonTypeInference,
            typed_passes.PreLowerStripPhis,
            typed_passes.NativeLowering,
            typed_passes.NoPythonBackend,
        ):
            self.add_pass(one, one._name)
        self.finalize()

    def _runPass(self, index: int, one: Any, state: Any) -> None:  # noqa: N802  # Numba's name
        one.run_pass(state)


class _RuleCompiler(CompilerBase):  # type: ignore[misc]  # likewise
    passes: ClassVar = _Passes()
    library: ClassVar[type[JITCodeLibrary]]

    def define_pipelines(self) -> Any:
        state = self.state
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return [self.passes]


class _PartCompiler(_RuleCompiler):
    library = _Part


class _WholeCompiler(_RuleCompiler):
    library = _Whole


class _Flags(Flags):  # type: ignore[misc]  # likewise
    """How functions are compiled, as Numba keeps it: made once for all. It looks things up by it again and again, and
    would compare it option by option each time."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    common: ClassVar["_Flags | None"] = None

    def copy(self) -> "_Flags":
        _Flags.common = _Flags.common or self
        return _Flags.common


class _PartDispatcher(CPUDispatcher):  # type: ignore[misc]  # likewise
    """A function as compiled functions see it."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._compiler._customize_flags = _Flags

    def compile(self, signature: Any) -> Any:
        arguments, returned = normalize_signature(signature)
        if arguments not in self.overloads:
            details = {"dispatcher": self, "args": arguments, "return_type": returned}
            with self._compiling_counter, event.trigger_event("numba:compile", data=details):
                self.add_overload(self._compiler.compile(arguments, returned))
        return self.overloads[arguments].entry_point


class _Dispatcher(CPUDispatcher):  # type: ignore[misc]  # likewise
    """A function as Python sees it; compiled functions see a part of themselves.

    Numba itself would make machine code of every function that it compiles, and keep that, again and again with all
    that the function calls. So what Python never calls is compiled several times as fast.
    """

    @functools.cached_property
    def part(self) -> _PartDispatcher:
        options = self.targetoptions | {"no_cpython_wrapper": True}
        return _PartDispatcher(self.py_func, targetoptions=options, pipeline_class=_PartCompiler)

    def get_call_template(self, arguments: Any, keywords: Any) -> Any:
        widened = [_widened(it) for it in arguments]
        return self.part.get_call_template(widened, {name: _widened(it) for name, it in keywords.items()})

    def get_overload(self, signature: Any) -> Any:
        return self.part.get_overload(signature)

    def compile(self, signature: Any) -> Any:
        with global_compiler_lock, _known_call_types():
            return super().compile(signature)


@contextlib.contextmanager
def _known_call_types() -> Iterator[None]:
    """Within, Numba finds out once what functions that are no rules return for arguments of certain types: its own,
    intrinsics, and those of `by_record`.

    It would try all versions of each function, for every call in every rule, and again when it writes the call.
    """
    functions: Any = BaseFunction
    find = functions.get_call_type

    def find_once(function: Any, context: Any, arguments: Any, keywords: Any) -> Any:
        key = (ConfigStack.top_or_none(), function, context, *arguments, *keywords.items())
        if key not in _CALL_TYPES:
            _CALL_TYPES[key] = find(function, context, arguments, keywords)
        return _CALL_TYPES[key]

    functions.get_call_type = find_once
    try:
        yield
    finally:
        functions.get_call_type = find


def _widened(argument: Any) -> Any:
    """The type as which compiled functions get an argument: each width of numbers would be compiled by itself."""
    plain = types.unliteral(argument)  # type: ignore[attr-defined]  # Numba's types lack it
    return types.int64 if plain in (types.int8, types.int16, types.int32) else plain


def _bound(function: Function, inline: bool) -> Function:
    if not JIT:
        return function
    bound = _Dispatcher(function, targetoptions={**_FLAGS, "forceinline": inline}, pipeline_class=_WholeCompiler)
    # what functions compose is compiled with whoever calls it; Numba would not find it in its cache again
    if function.__closure__ is None and Path(function.__code__.co_filename).is_file():
        bound._cache = _Cache(function)
    return cast(Function, bound)


if JIT:

    @intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
    def lowest_bit(typing_context: Any, word: Any) -> Any:
        """The index of the lowest bit set in a 64-bit word, which must not be zero."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            zero_is_undefined = context.get_constant(types.boolean, True)
            return builder.cttz(arguments[0], zero_is_undefined)

        return types.int64(types.uint64), generate

    @intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
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


if JIT and not numba.config.BOUNDSCHECK:
    # each is one or two wide stores, unchecked; where indices are checked or nothing is compiled, loops stand for them

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

    @intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]  # likewise
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
        """Where the 8-bit numbers of an array are, one beside the other."""
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
