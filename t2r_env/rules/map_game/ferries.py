"""Ferries: lanes with locomotive symbols, each of which takes a locomotive (C14)."""

import numpy as np

from t2r_env.boxes.box import MAX_LENGTH
from t2r_env.rules.compiled import inlined
from t2r_env.rules.records import Record


@inlined
def least_locomotives(rules: Record, lane: int) -> int:
    """How many of the cards that pay for a lane must be locomotives."""
    return rules.lane_ferry[lane]


@inlined
def within(rules: Record, locomotives: int, word: int) -> np.uint64:
    """A word of the set of lanes for whose symbols so many locomotives are enough."""
    return rules.up_to_symbols[min(locomotives, MAX_LENGTH), word]
