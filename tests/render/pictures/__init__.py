"""Golden pictures and texts: digests of drawings of every configuration, a small one as it is, and texts.

`python -m tests.render.pictures` draws them again; `tests/render/test_drawing.py` compares them with what is drawn
today. Look at the pictures before you commit other digests: `t2r_env.render.raster.render_png` makes them.
"""

import hashlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from t2r_env import Games
from t2r_env.render.svg import NARROW, WIDE, render_svg
from t2r_env.render.text import render_text
from t2r_env.variants.variant import Variant
from tests.helpers.example_map import write_example_map
from tests.helpers.playing import CONFIGURATIONS, LOADED_VARIANTS, title_of

FOLDER = Path(__file__).parent

STAGES = {"start": 0, "early": 60, "late": 150, "end": 10_000}
"""Decisions of random play, counted from the stage before."""


def digests() -> str:
    """A line for each configuration and stage: digests of the full view, wide, and of seat 0's view, narrow."""
    return "".join(f"{line}\n" for configuration in CONFIGURATIONS for line in digests_of(*configuration))


def digests_of(variant: str, players: int, options: dict[str, object]) -> Iterator[str]:
    """The lines of one configuration."""
    games = Games(variant, players, seed=2, autoreset=False, **options)  # type: ignore[arg-type]  # options by name
    chosen = games.configuration
    for stage, decisions in STAGES.items():
        games.play_random(decisions)
        view = chosen.snapshot(games.views([0], [0])[0])
        pictures = render_svg(games.snapshot(), chosen, width=WIDE), render_svg(view, chosen, width=NARROW)
        codes = [hashlib.sha256(picture.encode()).hexdigest()[:16] for picture in pictures]
        yield " ".join([title_of(variant, players, options), stage, *codes])


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
    return "\n".join(text for variant in LOADED_VARIANTS for text in texts_of(variant))


def texts_of(variant: Variant) -> Iterator[str]:
    """The texts of one variant."""
    for players in (variant.min_players, variant.max_players):
        games = Games(variant.id, players, seed=2, autoreset=False)
        chosen = games.configuration
        for stage, decisions in STAGES.items():
            games.play_random(decisions)
            if players == variant.min_players and stage != "late":
                yield render_text(games.snapshot(), chosen)
            if players == variant.max_players and stage == "late":
                yield render_text(chosen.snapshot(games.views([0], [0])[0]), chosen)


FILES = {"digests.txt": digests, "example_map.svg": small_picture, "texts.txt": texts}
