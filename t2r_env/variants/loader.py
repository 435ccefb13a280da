"""From a folder to a `Variant`: which folder it is, and which ruleset."""

import functools
import os
from pathlib import Path

from t2r_env.basics.checks import did_you_mean
from t2r_env.basics.reading import shown
from t2r_env.variants.card_variant import read_card_variant
from t2r_env.variants.every_game import VARIANT_KEYS
from t2r_env.variants.map_variant import read_map_variant
from t2r_env.variants.reading import Folder, VariantError, listed
from t2r_env.variants.variant import RULESETS, Variant

VARIANTS: tuple[str, ...] = (
    "usa",
    "new_york",
    "legendary_asia",
    "team_asia",
    "pennsylvania",
    "united_kingdom",
    "card_game",
    "europe",
    "india",
    "switzerland",
    "nordic",
)
"""The games that come with the library, each a folder next to this file."""


def load_variant(name_or_path: str | os.PathLike[str]) -> Variant:
    """Return a variant that comes with the library (read once), or that of a folder given by its path.

    Raises VariantError if there is no such variant or folder, or if the folder does not describe a game.
    """
    if isinstance(name_or_path, str) and name_or_path in VARIANTS:
        return _shipped_variant(name_or_path)
    path = Path(name_or_path)
    if not os.path.isdir(name_or_path):  # noqa: PTH112  # Path.is_dir raises for names too long, and '' is a Path of "."
        if not isinstance(name_or_path, str):
            raise VariantError(f"there is no folder {shown(str(path))}; names of variants are texts, not paths")
        unknown = f"{shown(name_or_path)}{did_you_mean(path.name, VARIANTS)}"
        raise VariantError(f"unknown variant {unknown}: must be one of {listed(VARIANTS)}, or the path to a folder")
    return read_variant(Folder(path))


@functools.cache
def _shipped_variant(name: str) -> Variant:
    return read_variant(Folder(Path(__file__).parent / name))


def read_variant(folder: Folder) -> Variant:
    """Return the variant of a folder. Raises VariantError if it does not describe a game."""
    table = folder.table("variant.toml", VARIANT_KEYS.defaults)
    ruleset = table.choice("ruleset", RULESETS, f"one of {listed(RULESETS)}")
    return read_map_variant(folder, table) if ruleset == "map_game" else read_card_variant(folder, table)
