"""Things that never change once they are made."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, NoReturn


class FrozenDict(dict[Any, Any]):
    """A dictionary that can't be changed: every attempt raises TypeError."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this dictionary can't be changed: make a new one, as dict(it)")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]  # dict has none, since others can be changed
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


def frozen(value: Any) -> Any:
    """Return the value with its dictionaries and lists, and those inside them, made unchangeable."""
    if isinstance(value, Mapping):
        return FrozenDict({key: frozen(entry) for key, entry in value.items()})
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return tuple(map(frozen, value))
    return value


class Frozen:
    """A base of frozen dataclasses whose dictionaries and lists can't be changed either."""

    def __post_init__(self) -> None:
        for field in fields(self):  # type: ignore[arg-type]  # only dataclasses have this base
            object.__setattr__(self, field.name, frozen(getattr(self, field.name)))
