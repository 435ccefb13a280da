"""Random numbers for maps, the same for ever."""

import random
from collections.abc import Iterable
from typing import TypeVar

Thing = TypeVar("Thing")


class Dice:
    """Random numbers from a seed. All come from `random.Random.random`, whose sequence Python promises to keep."""

    def __init__(self, seed: int) -> None:
        self._next = random.Random(seed).random

    def below(self, number: int) -> int:
        """Return a number from 0 to `number` - 1."""
        return int(self._next() * number)

    def between(self, least: int, most: int) -> int:
        """Return a number from `least` to `most`."""
        return least + self.below(most - least + 1)

    def shuffled(self, things: Iterable[Thing]) -> list[Thing]:
        """Return things in another order, as a new list."""
        return sorted(things, key=lambda _: self._next())
