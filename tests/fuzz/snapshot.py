"""Snapshots of games, and of what one seat knows, as the renderers read them."""

import functools
import json
from xml.etree import ElementTree

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from t2r_env import Configuration, Games, configure
from t2r_env.render.svg import render_svg
from t2r_env.render.text import SnapshotError, render_text
from t2r_env.variants import VARIANTS, load_variant
from tests.fuzz.damage import changed_value


@functools.cache
def _configurations() -> dict[str, Configuration]:
    return {variant: configure(variant, load_variant(variant).min_players) for variant in VARIANTS}


@functools.cache
def valid() -> list[bytes]:
    """Of every variant, at several times: everything, and what each seat knows."""
    snapshots = []
    for configuration in _configurations().values():
        for decisions in (0, 80, 1000):
            games = Games(configuration, seed=decisions, autoreset=False)
            games.play_random(decisions)
            views = [games.views(seats=seat)[0] for seat in range(games.num_players)]
            snapshots += [games.snapshot(), *(configuration.snapshot(view) for view in views)]
    return [json.dumps(snapshot).encode() for snapshot in snapshots]


def inputs() -> SearchStrategy[bytes]:
    """A snapshot with other values."""
    changed = st.sampled_from(valid()).flatmap(lambda file: changed_value(json.loads(file), raw=False))
    return changed.map(str.encode)


def use(content: bytes) -> bool:
    """Render the snapshot; False if it is refused."""
    snapshot = json.loads(content)
    variant = snapshot.get("variant") if isinstance(snapshot, dict) else None
    configuration = _configurations().get(variant if isinstance(variant, str) else "", configure("usa"))
    try:
        render_text(snapshot, configuration)
        ElementTree.fromstring(render_svg(snapshot, configuration))
    except SnapshotError:
        return False
    return True
