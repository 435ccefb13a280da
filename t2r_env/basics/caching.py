"""Properties that are computed once."""

import functools
from typing import Any, Self, TypeVar, overload

Value = TypeVar("Value")


class cached_property(functools.cached_property[Value]):  # noqa: N801, TID251  # it stands for that class
    """functools.cached_property without the lock that it has before Python 3.12.

    That lock is held while the property is computed, for all instances together: a process that is forked meanwhile
    by another thread would wait for it for ever. Here threads may compute a value twice; all get the one kept first.
    """

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Value: ...
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Self | Value:
        """Return the value, and keep it in the instance; return the property itself for the class."""
        if instance is None:
            return self
        assert self.attrname
        value: Value = vars(instance).setdefault(self.attrname, self.func(instance))
        return value
