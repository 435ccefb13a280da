"""The variants and configurations of map games, with the types that tests of map games need."""

import os

from t2r_env import Configuration
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.variants import VARIANTS, MapVariant, load_variant

MAP_GAMES = [variant for variant in VARIANTS if load_variant(variant).ruleset == "map_game"]

ROUTE_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18, 8: 21, 9: 27, 10: 40}
"""C10, EU1, IN1, NO1."""


def load_map(name_or_path: str | os.PathLike[str]) -> MapVariant:
    variant = load_variant(name_or_path)
    assert isinstance(variant, MapVariant)
    return variant


def map_configuration(configuration: Configuration) -> MapConfiguration:
    assert isinstance(configuration, MapConfiguration)
    return configuration


def map_variant(configuration: Configuration) -> MapVariant:
    return map_configuration(configuration).variant
