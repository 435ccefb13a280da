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
"""The colours of the seats in turn, also told apart so."""

REGIONS = ("#cfe3d4", "#dcd3ea", "#f0dcc8", "#cfe0ee", "#efd3d8", "#e8e5c4", "#d6e7e6", "#e0d8d0")
"""Behind the cities of regions: pale, so that all else reads on them."""

BACKGROUND, PAPER, FRAME = "#ffffff", "#f6f4ee", "#d5d9de"
LAND, ABROAD, MOUNTAINS = "#f6f3e8", "#e6e2d6", "#e8e0c9"
WATER, COAST, BORDER, RIVER = "#d3e2ea", "#9fb6c2", "#b8ab8c", "#b5cfdb"
"""The land under a map: quiet, so that routes and names stand out."""

PANELS: Mapping[str, tuple[str, str]] = {
    "sheet": ("#ffffff", FRAME),
    "acting": ("#fff8e1", "#1f2328"),
    "pile": ("#f2f3f5", FRAME),
    "yard": ("#eef2f8", FRAME),
    "result": ("#eef6ee", "#1a7f37"),
}
"""The fill and the rim of each kind of panel: their names are the classes by which they are dark on dark pages."""

NEW, DONE, OPEN = "#d6006c", "#1a7f37", "#8a5a00"
LIT = "#ffd21f"
"""The colours of what the last action changed, and of completed tickets and open ones."""

DARK: Mapping[str, str] = {
    "frame": "fill: #16191d",
    "paper": "fill: #2b2f34",
    "edge": "stroke: #3a4149",
    "land": "fill: #2f3336; stroke: #566874",
    "abroad": "fill: #26292c; stroke: #566874",
    "mountains": "fill: #3a3830; stroke: #5d584a",
    "water": "fill: #1c2832; stroke: #566874",
    "lake": "fill: #1c2832; stroke: #566874",
    "coast": "stroke: #566874",
    "border": "stroke: #5d584a",
    "river": "stroke: #35505f",
    "region": "fill-opacity: .25",
    "rim": "stroke: #98a2ad",
    "stem": "stroke: #98a2ad",
    "place": "fill: #f2f4f6; stroke: #16191d",
    "ink": "fill: #e8ebee",
    "faint": "fill: #a4adb7",
    "new": "fill: #ff77b4",
    "done": "fill: #63cf83",
    "open": "fill: #e2b45a",
    "sheet": "fill: #1f242a; stroke: #3a4149",
    "acting": "fill: #3a3420; stroke: #e2c15a",
    "pile": "fill: #2a3037; stroke: #3a4149",
    "yard": "fill: #2a3037; stroke: #3a4149",
    "result": "fill: #1d2b22; stroke: #3f8a57",
}
"""The looks of parts of pictures on dark pages, by their classes; page.css has the same."""
