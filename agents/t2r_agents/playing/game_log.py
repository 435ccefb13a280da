"""Logs that agents keep of their games."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

GameLog: TypeAlias = Callable[[int, Mapping[str, Any]], None]
"""How an agent writes a line of its log: with the index of the decision in `Decisions`, and what can be JSON."""


@runtime_checkable
class KeepsLog(Protocol):
    """An agent that calls `game_log`, if it is not None, at each decision. A tournament with a folder sets it."""

    game_log: GameLog | None
