"""From a folder to a `Box`: which folder it is, and which kind of game."""

import functools
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from t2r_env.boxes.box import KINDS, Box
from t2r_env.boxes.card_box import read_card_box
from t2r_env.boxes.every_game import VARIANT_KEYS
from t2r_env.boxes.map_box import read_map_box
from t2r_env.boxes.reading import BoxError, Folder, Table, listed

VARIANTS: tuple[str, ...] = (
    "usa",
    "new_york",
    "legendary_asia",
    "team_asia",
    "pennsylvania",
    "united_kingdom",
    "card_game",
)
"""The games that come with the library, each a folder beside this file."""

READERS: Mapping[str, Callable[[Folder, Table], Box]] = dict(zip(KINDS, (read_map_box, read_card_box), strict=True))
"""What reads the box of a game that is played by these rules."""


def load_box(name_or_path: str | os.PathLike[str]) -> Box:
    """The box of a variant that comes with the library (read once), or of a folder given by its path.

    Raises:
        BoxError: there is no such variant or folder, or the folder does not describe a game.
    """
    if isinstance(name_or_path, str) and name_or_path in VARIANTS:
        return _shipped_box(name_or_path)
    path = Path(name_or_path)
    if not path.is_dir():
        raise BoxError(f"unknown variant {str(path)!r}: must be one of {listed(VARIANTS)}, or the path to a folder")
    return _read_box(path)


@functools.cache
def _shipped_box(name: str) -> Box:
    return _read_box(Path(__file__).parent / name)


def _read_box(path: Path) -> Box:
    folder = Folder(path)
    variant = folder.table("variant.toml", VARIANT_KEYS.defaults)
    return READERS[variant.choice("rules", KINDS, f"one of {listed(KINDS)}")](folder, variant)
