"""The map games, for tests that read more than what every game has."""

import os

from t2r_env import Configuration
from t2r_env.boxes import VARIANTS, MapBox, load_box
from t2r_env.rules.map_game.setup import MapSetup

MAP_GAMES = [variant for variant in VARIANTS if load_box(variant).rules == "map_game"]


def load_map(name_or_path: str | os.PathLike[str]) -> MapBox:
    """The box of a map game."""
    box = load_box(name_or_path)
    assert isinstance(box, MapBox)
    return box


def map_setup(configuration: Configuration) -> MapSetup:
    """What the configuration of a map game has chosen of its box."""
    assert isinstance(configuration.setup, MapSetup)
    return configuration.setup


def map_box(configuration: Configuration) -> MapBox:
    """The box that the configuration of a map game has chosen from."""
    return map_setup(configuration).box
