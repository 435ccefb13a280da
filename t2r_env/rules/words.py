"""What all games say in the same way."""

from collections.abc import Mapping
from typing import Any


class Description(dict[str, Any]):
    """An action as a JSON-able dictionary; its `str` reads as a sentence."""

    def __init__(self, entries: Mapping[str, Any], text: str) -> None:
        super().__init__(entries)
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Any, ...]:
        return Description, (dict(self), self.text)


def count_cards(cards: Mapping[str, int]) -> str:
    """Cards in words, those of which there are none left out: '2 blue and 1 locomotive'."""
    plural = {"locomotive": "locomotives"}
    counted = [f"{number} {plural.get(card, card) if number > 1 else card}" for card, number in cards.items() if number]
    return " and ".join(counted)
