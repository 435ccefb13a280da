"""Golden pictures and texts: digests of drawings of every configuration, a small one as it is, and texts.

`python -m tests.render.pictures` draws them again; `tests/render/test_drawing.py` compares them with what is drawn
today. Look at the pictures before you commit other digests: `t2r_env.render.raster.render_png` makes them.
"""

import hashlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from t2r_env import Configuration, Games
from t2r_env.render.svg import NARROW, WIDE, render_svg
from t2r_env.render.text import render_text
from tests.helpers.example_map import write_example_map
from tests.helpers.playing import CONFIGURATIONS, LOADED_VARIANTS, title_of

FOLDER = Path(__file__).parent

STAGES = {"start": 0, "early": 60, "late": 150, "end": 10_000}
"""Decisions of random play, counted from the stage before."""


def stages(variant: str, players: int, options: dict[str, Any]) -> Iterator[tuple[str, Configuration, Any, Any]]:
    """The stages of a game, each with the snapshot of everything and that of what seat 0 knows."""
    games = Games(variant, players, seed=2, autoreset=False, **options)
    for stage, decisions in STAGES.items():
        games.play_random(decisions)
        yield stage, games.configuration, games.snapshot(), games.configuration.snapshot(games.views([0], [0])[0])


def digests() -> str:
    """A line for each configuration and stage: digests of the full view, wide, and of seat 0's view, narrow."""
    lines = []
    for configuration in CONFIGURATIONS:
        for stage, chosen, whole, view in stages(*configuration):
            pictures = render_svg(whole, chosen, width=WIDE), render_svg(view, chosen, width=NARROW)
            codes = [hashlib.sha256(picture.encode()).hexdigest()[:16] for picture in pictures]
            lines.append(" ".join([title_of(*configuration), stage, *codes]))
    return "\n".join([*lines, ""])


def small_picture() -> str:
    """The map of docs/variants.md in the middle of a game."""
    with tempfile.TemporaryDirectory() as folder:
        games = Games(write_example_map(Path(folder)), seed=2, autoreset=False)
        games.play_random(30)
        before = games.snapshot()
        games.play_random(1)
        return render_svg(games.snapshot(), games.configuration, before=before, last="player_0: something")


def texts() -> str:
    """Texts of each variant: of games of the fewest players, and what seat 0 knows with the most of them."""
    told = []
    for variant in LOADED_VARIANTS:
        fewest, most = (stages(variant.id, players, {}) for players in (variant.min_players, variant.max_players))
        told += [render_text(whole, chosen) for stage, chosen, whole, _ in fewest if stage != "late"]
        told += [render_text(view, chosen) for stage, chosen, _, view in most if stage == "late"]
    return "\n".join(told)


FILES = {"digests.txt": digests, "example_map.svg": small_picture, "texts.txt": texts}
