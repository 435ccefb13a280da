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
    "purple": Paint("#ae4ea2", "#ffffff"),
    "blue": Paint("#1b60cf", "#ffffff"),
    "orange": Paint("#e0821a", "#000000"),
    "white": Paint("#ffffff", "#000000"),
    "green": Paint("#22a55c", "#000000"),
    "yellow": Paint("#f6d92c", "#000000"),
    "black": Paint("#3c4046", "#ffffff"),
    "red": Paint("#b62a18", "#ffffff"),
    LOCOMOTIVE: Paint("#4adcf2", "#000000"),
    GRAY: Paint("#a6acae", "#000000"),
    UNKNOWN: Paint("#eceff2", "#000000"),
}
"""The colours of train cards and routes: told apart by those, too, who see no red, no green or no blue."""

SEATS = tuple(Paint(fill, "#ffffff") for fill in ("#1b44a2", "#a90d26", "#00794d", "#8a3ff0", "#b05e00", "#292b33"))
"""The colours of the seats in turn, told apart likewise."""

REGIONS = ("#cfe3d4", "#dcd3ea", "#f0dcc8", "#cfe0ee", "#efd3d8", "#e8e5c4", "#d6e7e6", "#e0d8d0")
"""Behind the cities of regions: pale, so that all else reads on them."""

BACKGROUND, PAPER, FRAME = "#ffffff", "#f6f4ee", "#d5d9de"
LAND, WATER, COAST, BORDER, RIVER = "#f4f1e6", "#d3e2ea", "#9fb6c2", "#b8ab8c", "#b5cfdb"
"""The land under a map: quiet, so that routes and names stand out."""

NEW, DONE, OPEN = "#d6006c", "#1a7f37", "#8a5a00"
LIT = "#ffd21f"
"""The colours of what the last action changed, and of completed tickets and open ones."""
