"""Files of replays. Loading one plays it."""

import functools
import warnings

from hypothesis.strategies import SearchStrategy

import t2r_env
from t2r_env import Replay, ReplayError
from t2r_env.variants import VARIANTS, load_variant
from tests.fuzz.damage import any_changed_json, written
from tests.helpers.playing import play


@functools.cache
def valid() -> list[bytes]:
    """Short games of every variant, from a seed and from a state, and one that an illegal action has ended."""
    files = []
    for variant in VARIANTS:
        env = t2r_env.env(variant, load_variant(variant).min_players)
        env.reset(seed=3)
        play(env, 25)
        files.append(env.replay())
        env.set_state(env.get_state())
        play(env, 5)
        files.append(env.replay())
    with warnings.catch_warnings(action="ignore"):  # of the illegal action
        env.step(10_000)
    return [replay.to_json().encode() for replay in (*files, env.replay())]


def inputs() -> SearchStrategy[bytes]:
    return any_changed_json(valid())


def use(content: bytes) -> bool:
    """Load the file, which plays it, and write it again; False if it is refused."""
    with written(content, "game.json") as file:
        try:
            replay = Replay.load(file)
        except ReplayError:
            return False
        replay.save(file)
        assert Replay.load(file) == replay
    return True
