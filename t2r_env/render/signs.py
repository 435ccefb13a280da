"""A letter for each colour, which reads without colours."""

from collections.abc import Mapping

from t2r_env.rules.snapshot import UNKNOWN
from t2r_env.variants.variant import GRAY, LOCOMOTIVE

SIGNS: Mapping[str, str] = {
    "purple": "P",
    "blue": "B",
    "orange": "O",
    "white": "W",
    "green": "G",
    "yellow": "Y",
    "black": "K",
    "red": "R",
    LOCOMOTIVE: "L",
    GRAY: "A",  # any one colour
    UNKNOWN: "?",
}
"""The signs of train cards and of routes."""
