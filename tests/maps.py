"""The boxes of the map games, for tests that read more than what every game's box has."""

import os

from t2r_env.boxes import VARIANTS, MapBox, load_box

MAP_GAMES = [variant for variant in VARIANTS if load_box(variant).rules == "map_game"]


def load_map(name_or_path: str | os.PathLike[str]) -> MapBox:
    """The box of a map game."""
    box = load_box(name_or_path)
    assert isinstance(box, MapBox)
    return box
