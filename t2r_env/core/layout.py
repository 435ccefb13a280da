"""Layouts: where things lie in vectors and among the actions, as data for documentation, tests and agents."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Part: TypeAlias = tuple[int, tuple[int, ...], str]
"""A segment or block without a place yet: its number among the names of its kind, its shape and its meaning."""


@dataclass(frozen=True)
class Segment:
    """A named part of a vector or of the action space."""

    name: str
    start: int
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        """The number of its entries."""
        return prod(self.shape)

    @property
    def slice(self) -> slice:
        """The slice in which it lies: `vector[segment.slice].reshape(segment.shape)`."""
        return slice(self.start, self.start + self.size)


class Segments(Mapping[str, Segment]):
    """Segments by name, in their order."""

    def __init__(self, names: Sequence[str], parts: Iterable[Part]) -> None:
        """Lay parts one after the other; of parts with the same name only the first counts."""
        self._by_name: dict[str, Segment] = {}
        self._size = 0
        for number, shape, meaning in parts:
            name = names[number]
            if name not in self._by_name:
                self._by_name[name] = Segment(name, self._size, shape, meaning)
                self._size += self._by_name[name].size

    @classmethod
    def of(cls, parts: Iterable[tuple[str, tuple[int, ...], str]]) -> "Segments":
        """Return segments of these names, shapes and meanings, one after the other."""
        given = list(parts)
        names = [name for name, _, _ in given]
        return cls(names, [(number, shape, meaning) for number, (_, shape, meaning) in enumerate(given)])

    @classmethod
    def covering(cls, layouts: Sequence["Segments"]) -> "Segments":
        """Return segments with room for each of these layouts: of each name the one that has the most rows.

        Layouts of one game differ so: a segment with a row for each player has more of them the more players there are.
        """
        longest: dict[str, Segment] = {}
        for segment in (segment for layout in layouts for segment in layout.values()):
            known = longest.setdefault(segment.name, segment)
            if segment.size > known.size:
                longest[segment.name] = segment
        return cls.of((it.name, it.shape, it.meaning) for it in longest.values())

    def fit(self, vectors: NDArray[Any], layout: "Segments") -> NDArray[Any]:
        """Return vectors (k, layout.size) as vectors (k, size) of these segments.

        Segments are found by name. Where one has fewer rows in `layout`, zeros follow; where it has more, the last ones
        are left out; where it is missing, all is zero. The vectors themselves are returned if the layouts are the same.
        """
        if [*self.shapes.items()] == [*layout.shapes.items()]:
            return vectors
        fitted = np.zeros((len(vectors), self.size), vectors.dtype)
        for segment in (segment for segment in self.values() if segment.name in layout):
            present = layout[segment.name]
            size = min(segment.size, present.size)
            fitted[:, segment.start : segment.start + size] = vectors[:, present.start : present.start + size]
        return fitted

    def has_room_for(self, segment: Segment) -> bool:
        """Whether the segment of this name here has the same rows or more."""
        own = self._by_name.get(segment.name)
        return own is not None and own.shape[1:] == segment.shape[1:] and own.shape[:1] >= segment.shape[:1]

    def followed_by(self, others: "Segments") -> "Segments":
        """Return these segments, then the others. Raises ValueError if both have a segment of the same name."""
        if twice := self.keys() & others.keys():
            raise ValueError(f"segments must have names of their own, not {', '.join(sorted(twice))}")
        return Segments.of((it.name, it.shape, it.meaning) for it in (*self.values(), *others.values()))

    @property
    def size(self) -> int:
        """The length of the vector, or the number of actions."""
        return self._size

    def __getitem__(self, name: str) -> Segment:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each segment, by name, in their order: where all of them lie follows from it."""
        return {segment.name: segment.shape for segment in self._by_name.values()}

    def __repr__(self) -> str:
        parts = [f"{name}{list(it.shape) if it.shape else ''} at {it.start}" for name, it in self._by_name.items()]
        return f"<{self._size}: {', '.join(parts)}>"

    def name_of(self, index: int) -> str:
        """Return the name of the segment in which an index lies. Raises ValueError if it lies in none."""
        for segment in self._by_name.values():
            if segment.start <= index < segment.start + segment.size:
                return segment.name
        raise ValueError(f"{index} is out of range: allowed are 0 to {self.size - 1}")


@dataclass(frozen=True)
class Layout:
    """The layout of observations, global states and actions for one configuration.

    `observation` and `global_state` are vectors of uint8, `actions` the blocks of the `Discrete` action space. The
    observation of games with features ends with their segments.
    """

    observation: Segments
    global_state: Segments
    actions: Segments
