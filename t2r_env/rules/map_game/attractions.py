"""Tourist attractions: cities that are worth points to everybody whose routes touch them (NY5)."""

from typing import Any, NamedTuple

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, lowest_bit
from t2r_env.core.records import bitset
from t2r_env.rules import hooks
from t2r_env.rules.map_game.board import BoardRules, BoardState, TrailScratch, routes_of
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.module import RuleModule
from t2r_env.rules.names import PARTS
from t2r_env.rules.ranking import add_points
from t2r_env.variants.declared import Column, Entries


class _Parts(NamedTuple):
    ATTRACTIONS: int


parts = PARTS.add(_Parts)


class AttractionRules(BoardRules):
    """Where attractions are."""

    attractions: np.uint64 = bitset()  # cities with one


@compiled
def _score_end(state: BoardState, rules: AttractionRules, scoring: TrailScratch) -> None:
    """Points for each attraction that a team's routes touch."""
    for team in range(rules.num_teams):
        add_points(state, team, parts.ATTRACTIONS, rules.bonus[parts.ATTRACTIONS] * _touched(state, rules, team))


@compiled
def _touched(state: BoardState, rules: AttractionRules, team: int) -> int:
    """How many attractions a team's routes touch, each counted once."""
    number = 0
    low, high = routes_of(state, rules, team, 0), routes_of(state, rules, team, 1)
    cities = rules.attractions
    while cities != bits.NONE:
        city = lowest_bit(cities)
        cities = bits.without_lowest(cities)
        if (rules.touching[city, 0] & low) | (rules.touching[city, 1] & high) != bits.NONE:
            number += 1
    return number


def _is_used(configuration: MapConfiguration) -> bool:
    return "attractions" in configuration.deck.bonuses


def _write_rules(record: Any, configuration: MapConfiguration) -> None:
    cities = enumerate(configuration.variant.cities)
    record.attractions = np.uint64(sum(1 << index for index, city in cities if city.attraction))


ATTRACTIONS = RuleModule(
    is_used=_is_used,
    entries=Entries(city_columns=[Column("attraction", "", lambda row, city, variant: row.mark("attraction"))]),
    hooks={hooks.score_end: _score_end},
    parts_at_end=lambda configuration: [parts.ATTRACTIONS],
    write_rules=_write_rules,
)
"""Tourist attractions."""
