"""Mountain routes: each X on one takes a train from its claimer's supply, for points (LA5)."""

from typing import Any, NamedTuple

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
from t2r_env.variants.variant import Route


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


def _is_used(configuration: MapConfiguration) -> bool:
    return any(route.mountain for route in configuration.variant.routes)


def _write_rules(record: Any, configuration: MapConfiguration) -> None:
    routes = enumerate(configuration.variant.routes)
    record.mountain_points = configuration.variant.mountain_points
    record.mountains = bitset_of([number for number, route in routes if route.mountain], ROUTE_WORDS)


def _possessions(snapshot: Snapshot, seat: int) -> dict[str, Any]:
    claimed, mountains = members(snapshot.state.claimed[seat]), members(snapshot.rules.mountains)
    return {"mountain_routes": len(set(claimed) & set(mountains))}


def _marks(route: Route) -> list[str]:
    return [f"mountain {route.mountain}"] if route.mountain else []


MOUNTAINS = RuleModule(
    is_used=_is_used,
    hooks={score_claim: _score_claim},
    parts_in_play=lambda configuration: [parts.MOUNTAINS],
    write_rules=_write_rules,
    possessions=_possessions,
    marks=_marks,
)
"""Mountain routes."""
