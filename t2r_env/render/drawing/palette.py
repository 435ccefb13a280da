"""Colours of a picture. None says something alone: cards and routes bear their signs, trains their seat's number."""

from collections.abc import Mapping
from typing import NamedTuple

from t2r_env.rules.snapshot import UNKNOWN
from t2r_env.variants.variant import GRAY, LOCOMOTIVE


class Paint(NamedTuple):
    """A fill, and the colour of what is written on it."""

    fill: str
    ink: str


PAINTS: Mapping[str, Paint] = {
    "purple": Paint("#b07cc6", "#000000"),
    "blue": Paint("#3f7fd1", "#ffffff"),
    "orange": Paint("#f0922f", "#000000"),
    "white": Paint("#ffffff", "#000000"),
    "green": Paint("#58a84b", "#000000"),
    "yellow": Paint("#f4d83b", "#000000"),
    "black": Paint("#43464b", "#ffffff"),
    "red": Paint("#d2463c", "#ffffff"),
    LOCOMOTIVE: Paint("#8fdcd6", "#000000"),
    GRAY: Paint("#c3c7cc", "#000000"),
    UNKNOWN: Paint("#eceff2", "#000000"),
}
"""The colours of train cards and routes."""

SEATS = tuple(Paint(fill, "#ffffff") for fill in ("#0a4b8c", "#a8330b", "#156b31", "#69208f", "#6d5200", "#a81458"))
"""The colours of the seats in turn."""

REGIONS = ("#cfe3d4", "#dcd3ea", "#f0dcc8", "#cfe0ee", "#efd3d8", "#e8e5c4", "#d6e7e6", "#e0d8d0")
"""Behind the cities of regions: pale, so that all else reads on them."""

BACKGROUND, PAPER, FRAME = "#ffffff", "#f6f4ee", "#d5d9de"
LAND, WATER, COAST, BORDER, RIVER = "#f4f1e6", "#d3e2ea", "#9fb6c2", "#c9bfa8", "#b5cfdb"
"""The land under a map: quiet, so that routes and names stand out."""

NEW, DONE, OPEN = "#d6006c", "#1a7f37", "#8a5a00"
LIT = "#ffd21f"
"""The colours of what the last action changed, and of completed tickets and open ones."""
