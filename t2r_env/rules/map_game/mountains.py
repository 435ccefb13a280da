"""Mountain routes: each X on one takes a train from its claimer's supply, for points (LA5)."""

from typing import Any, NamedTuple

import numpy as np

from t2r_env.core.bits import bitset_of
from t2r_env.core.compiled import compiled, count_bits, inlined
from t2r_env.core.records import Array, bitset, int16
from t2r_env.rules.map_game.board import ROUTE_WORDS, BoardRules, BoardState, routes_of
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.flow import score_claim
from t2r_env.rules.module import RuleModule
from t2r_env.rules.names import PARTS
from t2r_env.rules.ranking import add_points
from t2r_env.rules.snapshot import Snapshot, members
from t2r_env.sizes import MAX_LENGTH, MAX_MOUNTAIN_POINTS
from t2r_env.variants import MapVariant, Route
from t2r_env.variants.declared import Column, Entries, Key
from t2r_env.variants.reading import Row, Table


class _Parts(NamedTuple):
    MOUNTAINS: int


parts = PARTS.add(_Parts)


class MountainRules(BoardRules):
    """Which routes cross mountains."""

    mountains: Array = bitset(ROUTE_WORDS)  # routes with an X
    mountain_points: int = int16()  # for each X


@inlined
def _score_claim(state: BoardState, rules: MountainRules, seat: int, route: int) -> None:
    """Give up a train for each X on a route that is being claimed, and score them at once."""
    given_up = rules.route_trains[route] - rules.route_length[route]
    state.trains[seat] -= given_up
    add_points(state, rules.team[seat], parts.MOUNTAINS, given_up * rules.mountain_points)


@compiled
def count_claimed(state: BoardState, rules: MountainRules, team: int) -> int:
    """How many mountain routes a team has (LA7)."""
    number = 0
    for word in range(ROUTE_WORDS):
        number += count_bits(routes_of(state, rules, team, word) & rules.mountains[word])
    return number


# What is declared


def _read_mountain(row: Row, route: Route, variant: MapVariant) -> int:
    """How many trains are given up besides those placed on a route."""
    mountain = row.integer("mountain", 0, MAX_LENGTH - route.length)
    if mountain > (left := variant.trains - route.length):
        raise row.wrong("mountain", f"at most {left}, the trains that a player has left")
    return mountain


def _read_points(table: Table, variant: MapVariant) -> int:
    """Points for each train given up."""
    return table.integer("mountain_points", 0, MAX_MOUNTAIN_POINTS)


def _is_used(configuration: MapConfiguration) -> bool:
    return any(route.mountain for route in configuration.variant.routes)


def _write_rules(record: Any, configuration: MapConfiguration) -> None:
    record.mountain_points = configuration.variant.mountain_points
    for number, route in enumerate(configuration.variant.routes):
        if route.mountain:
            this = np.array(bitset_of([number], ROUTE_WORDS))
            record.mountains |= this
            record.route_trains[number] += route.mountain
            record.up_to_trains[route.length : route.length + route.mountain] &= ~this


def _possessions(snapshot: Snapshot, seat: int) -> dict[str, Any]:
    claimed, mountains = members(snapshot.state.claimed[seat]), members(snapshot.rules.mountains)
    return {"mountain_routes": len(set(claimed) & set(mountains))}


def _marks(route: Route) -> list[str]:
    return [f"mountain {route.mountain}"] if route.mountain else []


MOUNTAINS = RuleModule(
    is_used=_is_used,
    entries=Entries(
        keys=[Key("mountain_points", 2, _read_points)],  # LA5
        route_columns=[Column("mountain", "0", _read_mountain)],
    ),
    hooks={score_claim: _score_claim},
    parts_in_play=lambda configuration: [parts.MOUNTAINS],
    write_rules=_write_rules,
    possessions=_possessions,
    marks=_marks,
)
"""Mountain routes."""
