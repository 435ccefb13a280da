"""Bytes of `get_state`: of games, and of environments, with a note."""

import functools
import zlib

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

import t2r_env
from t2r_env import Games
from t2r_env.envs.aec import AECEnvironment
from t2r_env.render.text import render_text
from t2r_env.variants import VARIANTS, load_variant
from tests.fuzz.damage import any_damaged, changed_json
from tests.helpers.playing import play


@functools.cache
def _environments() -> list[AECEnvironment]:
    """An environment of each variant."""
    return [t2r_env.env(variant, load_variant(variant).min_players) for variant in VARIANTS]


@functools.cache
def valid() -> list[bytes]:
    """States of every variant: early, late and after the end, from environments and from games."""
    states = []
    for env in _environments():
        for decisions in (0, 90, None):
            env.reset(seed=5)
            play(env, decisions)
            states.append(env.get_state())
        states.append(env.games.get_state(note={"mine": [1, 2]}))
    return states


def inputs() -> SearchStrategy[bytes]:
    """Bytes that are damaged, or whose heading is changed and sealed again; `tests.fuzz.flips` changes fields."""
    return st.one_of(any_damaged(valid()), _other_headings())


@st.composite
def _other_headings(draw: DrawFn) -> bytes:
    mark, _, heading, body = draw(st.sampled_from(valid())).split(b"\n", 3)
    content = draw(changed_json(heading)) + b"\n" + body
    return b"%b\n%08x\n" % (mark, zlib.crc32(content)) + content


def use(content: bytes) -> bool:
    """Put the state into an environment and into games, look at it and play on; False if it is refused."""
    accepted = [_use(env, content) for env in _environments()]
    return any(accepted)


def _use(env: AECEnvironment, content: bytes) -> bool:
    env.reset(seed=1)
    before = env.get_state()
    try:
        env.set_state(content)
    except ValueError:
        assert env.get_state() == before, "a refused state must change nothing"
        return False
    play(env, 10)
    _look(env.games)
    games = Games(env.configuration, seed=0)
    games.set_state(content)
    _look(games)
    games.play_random(20)
    _look(games)
    return True


def _look(games: Games) -> None:
    render_text(games.snapshot(), games.configuration)
    seats = range(games.num_players)
    for seat in seats:
        games.observe(seats=seat)
        render_text(games.configuration.snapshot(games.views(seats=seat)[0]), games.configuration)
    dealt = games.determinize(None, [0])
    if not (games.terminated[0] or games.truncated[0]):  # after the end others' tickets do not fit the scores
        Games(games.configuration, seed=0).set_states(None, dealt)
    assert Games(games.configuration, seed=0).set_state(games.get_state(note="x")) == "x"
