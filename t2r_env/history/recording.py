"""The actions of each game of a batch, recorded as they are taken."""

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Start: TypeAlias = int | bytes
"""How a game began: from a seed, or from a state (`Games.get_state`)."""


class Recording:
    """For each row of a batch, the game under way and the last ended one: how it began and its actions."""

    def __init__(self, batch: int) -> None:
        self.under_way: list[tuple[Start, list[int]]] = [(0, []) for _ in range(batch)]
        self.ended: list[tuple[Start, list[int]] | None] = [None] * batch

    def begin(self, rows: Iterable[int], starts: Iterable[Start]) -> None:
        """Begin games in these rows, which replace those under way."""
        for row, start in zip(rows, starts, strict=True):
            self.under_way[row] = (start, [])

    def add(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Add the actions taken in these rows: `actions[row]` in each."""
        for row in rows.tolist():
            self.under_way[row][1].append(actions.item(row))

    def end(self, rows: Iterable[int]) -> None:
        """Keep the games of these rows, which are over, as the last ended ones: others begin there now."""
        for row in rows:
            self.ended[row] = self.under_way[row]
