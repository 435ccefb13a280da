"""Lists of names whose positions are numbers of the core: phases, blocks of actions, segments, parts of a score.

Each rule module adds its own names where it is defined, and gets their numbers as constants that Numba freezes:

    class Phases(NamedTuple):
        TUNNEL: int

    phases = PHASES.add(Phases)  # phases.TUNNEL is the number of the phase "tunnel"

Numbers follow from the order in which modules are imported, which is always the same: that of the rulesets' lists.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar, overload

Numbers = TypeVar("Numbers", bound=tuple[Any, ...])


class Names(Sequence[str]):
    """Names by number. They only ever become more."""

    def __init__(self) -> None:
        self._names: list[str] = []

    def add(self, numbers: type[Numbers]) -> Numbers:
        """Number the names of a NamedTuple's fields, in lower case; a name that is there keeps its number."""
        names = [name.lower() for name in numbers._fields]  # type: ignore[attr-defined]  # every NamedTuple has them
        self._names += [name for name in names if name not in self._names]
        found: list[Any] = [self._names.index(name) for name in names]
        return numbers(*found)

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        return self._names[number]

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)
