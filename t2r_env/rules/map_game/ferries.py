"""Ferries: routes with locomotive symbols, each of which takes a locomotive (C14)."""

import numpy as np

from t2r_env.rules.compiled import inlined
from t2r_env.rules.records import Record
from t2r_env.variants.variant import MAX_LENGTH


@inlined
def least_locomotives(rules: Record, route: int) -> int:
    """How many of the cards that pay for a route must be locomotives."""
    return rules.route_ferry[route]


@inlined
def within(rules: Record, locomotives: int, word: int) -> np.uint64:
    """A word of the set of routes for whose symbols so many locomotives are enough."""
    return rules.up_to_symbols[min(locomotives, MAX_LENGTH), word]
