"""A quicker first use: only functions that Python calls become machine code, each with all that it calls.

The functions in between stay intermediate code, which halves the time of compiling. What they compute is the same. This
leans on private parts of Numba: with versions that it was not tested with, and with `T2R_ENV_STOCK_NUMBA=1`, it steps
aside. It replaces nothing in the process. A user's own `numba.njit` function that calls a rule gets that rule as Numba
itself compiles it.
"""

import os
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numba

from t2r_env.basics.caching import cached_property

TESTED = ("0.61", "0.62", "0.63", "0.64", "0.65", "0.66", "0.67", "0.68")
"""The versions of Numba that this file was tested with."""


try:
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.registry import CPUDispatcher

    class _Part(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
        """The intermediate code of a function that compiled functions call."""

        def finalize(self) -> None:
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0

        @property
        def codegen(self) -> Any:
            return self

        def set_env(self, name: str, environment: Any) -> None:
            """Do nothing: there is no machine code that could read it."""

    class _Whole(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
        """The machine code of a function that Python calls, with that of all functions that it calls."""

        def finalize(self) -> None:
            found: dict[JITCodeLibrary, None] = {}
            _find_called(self, found)
            # LLVM links only what those linked before it refer to: callers come first
            self._linking_libraries: list[JITCodeLibrary] = [*reversed(found)]
            super().finalize()

    def _find_called(library: JITCodeLibrary, found: dict[JITCodeLibrary, None]) -> None:
        """Add what a library calls to those found, each after what it calls itself. Numba's own have linked that."""
        if isinstance(library, _Part | _Whole):
            for called in library._linking_libraries:
                if called not in found:
                    _find_called(called, found)
                    found[called] = None

    class _WholeCompiler(Compiler):  # type: ignore[misc]  # Numba has no types
        library: ClassVar[type[JITCodeLibrary]] = _Whole

        def define_pipelines(self) -> Any:
            state = self.state
            state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return super().define_pipelines()

    class _PartCompiler(_WholeCompiler):
        library = _Part

    class _Dispatcher(CPUDispatcher):  # type: ignore[misc]  # Numba has no types
        """A function as Python sees it; compiled functions see a part of themselves."""

        _depth: ClassVar = 0
        """The number of them that are being compiled. Numba compiles under a lock."""

        @cached_property
        def _part(self) -> CPUDispatcher:
            options = self.targetoptions | {"no_cpython_wrapper": True}
            return CPUDispatcher(self.py_func, targetoptions=options, pipeline_class=_PartCompiler)

        @cached_property
        def _stock(self) -> CPUDispatcher:
            return CPUDispatcher(self.py_func, targetoptions=self.targetoptions)

        def get_call_template(self, arguments: Any, keywords: Any) -> Any:
            return self._seen().get_call_template(arguments, keywords)

        def get_overload(self, arguments: Any) -> Any:
            return self._seen().get_overload(arguments)

        def _seen(self) -> CPUDispatcher:
            """Return what the function that is being compiled sees."""
            return self._part if _Dispatcher._depth else self._stock

        def compile(self, signature: Any) -> Any:
            with global_compiler_lock:
                _Dispatcher._depth += 1
                try:
                    return super().compile(signature)
                finally:
                    _Dispatcher._depth -= 1

    class Choice(CPUDispatcher):  # type: ignore[misc]  # Numba has no types
        """A function for which compiled functions call the one of several that is for their record's type."""

        by_type: Mapping[Any, Any]

        def get_call_template(self, arguments: Any, keywords: Any) -> Any:
            return self.by_type[arguments[0]].get_call_template(arguments, keywords)

        def get_overload(self, arguments: Any) -> Any:
            return self.by_type[arguments[0]].get_overload(arguments)

    _HAS_ALL = True
except ImportError:
    _HAS_ALL = False

IS_USED = (
    _HAS_ALL
    and not numba.config.DISABLE_JIT
    and ".".join(numba.__version__.split(".")[:2]) in TESTED
    and os.environ.get("T2R_ENV_STOCK_NUMBA") != "1"
)
"""Whether functions are bound by `bind`."""


def bind(function: Callable[..., Any], options: Mapping[str, Any], is_cached: bool) -> Any:
    """Return a dispatcher for a function, as `numba.njit` with these options does."""
    bound = _Dispatcher(function, targetoptions={"nopython": True, **options}, pipeline_class=_WholeCompiler)
    if is_cached:
        bound.enable_caching()
    return bound
