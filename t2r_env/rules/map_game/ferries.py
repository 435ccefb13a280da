"""Ferries: routes with locomotive symbols, each of which takes a locomotive (C14)."""

from typing import Any

import numpy as np

from t2r_env.core.bits import bitset_of
from t2r_env.core.compiled import inlined
from t2r_env.core.records import Array, bitset, int8, int64
from t2r_env.rules.map_game.board import ROUTE_WORDS, BoardRules
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.module import RuleModule
from t2r_env.sizes import MAX_LENGTH, MAX_ROUTES
from t2r_env.variants import MapVariant, Route
from t2r_env.variants.declared import Column, Entries
from t2r_env.variants.reading import Row


class FerryRules(BoardRules):
    """Symbols of routes."""

    route_ferry: Array = int8(MAX_ROUTES)  # locomotive symbols
    up_to_symbols: Array = bitset(MAX_LENGTH + 1, ROUTE_WORDS)  # routes with so many symbols at most
    with_symbols: Array = bitset(MAX_LENGTH + 1, ROUTE_WORDS)  # routes with just so many
    max_symbols: int = int64()


@inlined
def least_locomotives(rules: FerryRules, route: int) -> int:
    """How many of the cards that pay for a route must be locomotives."""
    return rules.route_ferry[route]


@inlined
def within(rules: FerryRules, locomotives: int, word: int) -> np.uint64:
    """A word of the set of routes for whose symbols so many locomotives are enough."""
    return rules.up_to_symbols[min(locomotives, MAX_LENGTH), word]


def _read_ferry(row: Row, route: Route, variant: MapVariant) -> int:
    """The locomotive symbols of a route."""
    return row.integer("ferry", 0, min(route.length, variant.locomotives))


def _write_rules(record: Any, configuration: MapConfiguration) -> None:
    routes = configuration.variant.routes
    record.max_symbols = max(route.ferry for route in routes)
    for number, route in enumerate(routes):
        this = bitset_of([number], ROUTE_WORDS)
        record.route_ferry[number] = route.ferry
        record.up_to_symbols[route.ferry :] |= this
        record.with_symbols[route.ferry] |= this


def _marks(route: Route) -> list[str]:
    return [f"ferry {route.ferry}"] if route.ferry else []


FERRIES = RuleModule(
    entries=Entries(route_columns=[Column("ferry", "0", _read_ferry)]),
    write_rules=_write_rules,
    marks=_marks,
)
"""Locomotive symbols."""
