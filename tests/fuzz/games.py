"""Games: replays, the bytes of `get_state`, snapshots, and folders of games played in the browser."""

import functools
import json
import tempfile
import warnings
import zlib
from pathlib import Path
from xml.etree import ElementTree

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

import t2r_env
from t2r_agents.browser.table import Table
from t2r_agents.browser.tables import TableError, Tables
from t2r_env import Games, Replay, ReplayError, configure
from t2r_env.envs.aec import AECEnvironment
from t2r_env.render.svg import render_svg
from t2r_env.render.text import SnapshotError, render_text
from t2r_env.variants import VARIANTS, load_variant
from tests.fuzz.damage import any_damaged, changed_json, changed_value, pack, unpacked, written
from tests.helpers.playing import play


@functools.cache
def environments() -> dict[str, AECEnvironment]:
    """An environment of each variant."""
    return {variant: t2r_env.env(variant, load_variant(variant).min_players) for variant in VARIANTS}


# Replays


@functools.cache
def replays() -> list[bytes]:
    """Short games of every variant, from a seed and from a state, and one that an illegal action has ended."""
    files = []
    for env in environments().values():
        env.reset(seed=3)
        play(env, 25)
        files.append(env.replay())
        env.set_state(env.get_state())
        play(env, 5)
        files.append(env.replay())
    with warnings.catch_warnings(action="ignore"):  # of the illegal action
        env.step(10_000)
    return [replay.to_json().encode() for replay in (*files, env.replay())]


def use_replay(content: bytes) -> bool:
    """Load the file, which plays it, and write it again; False if it is refused."""
    with written(content, "game.json") as file:
        try:
            replay = Replay.load(file)
        except ReplayError:
            return False
        replay.save(file)
        assert Replay.load(file) == replay
    return True


# States, of games and of environments with a note


@functools.cache
def states() -> list[bytes]:
    """States of every variant: early, late and after the end, from environments and from games."""
    found = []
    for env in environments().values():
        for decisions in (0, 90, None):
            env.reset(seed=5)
            play(env, decisions)
            found.append(env.get_state())
        found.append(env.games.get_state(note={"mine": [1, 2]}))
    return found


def changed_states(valid: list[bytes]) -> SearchStrategy[bytes]:
    """Bytes that are damaged, or whose heading is changed and sealed again; `tests.fuzz.flips` changes fields."""
    return any_damaged(valid) | st.sampled_from(valid).flatmap(_with_other_heading)


@st.composite
def _with_other_heading(draw: DrawFn, state: bytes) -> bytes:
    mark, _, heading, body = state.split(b"\n", 3)
    content = draw(changed_json(heading)) + b"\n" + body
    return b"%b\n%08x\n" % (mark, zlib.crc32(content)) + content


def use_state(content: bytes) -> bool:
    """Put the state into an environment and into games, look at it and play on; False if it is refused."""
    accepted = [_use_state_in(env, content) for env in environments().values()]
    return any(accepted)


def _use_state_in(env: AECEnvironment, content: bytes) -> bool:
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
    for seat in range(games.num_players):
        games.observe(seats=seat)
        render_text(games.configuration.snapshot(games.views(seats=seat)[0]), games.configuration)
    dealt = games.determinize(None, [0])
    if not (games.terminated[0] or games.truncated[0]):  # after the end others' tickets do not fit the scores
        Games(games.configuration, seed=0).set_states(None, dealt)
    assert Games(games.configuration, seed=0).set_state(games.get_state(note="x")) == "x"


# Snapshots of games, and of what one seat knows, as the renderers read them


@functools.cache
def snapshots() -> list[bytes]:
    """Of every variant, at several times: everything, and what each seat knows."""
    found = []
    for configuration in (env.configuration for env in environments().values()):
        for decisions in (0, 80, 1000):
            games = Games(configuration, seed=decisions, autoreset=False)
            games.play_random(decisions)
            views = [games.views(seats=seat)[0] for seat in range(games.num_players)]
            found += [games.snapshot(), *(configuration.snapshot(view) for view in views)]
    return [json.dumps(snapshot).encode() for snapshot in found]


def changed_snapshots(valid: list[bytes]) -> SearchStrategy[bytes]:
    """A snapshot with other values."""
    changed = st.sampled_from(valid).flatmap(lambda file: changed_value(json.loads(file), raw=False))
    return changed.map(str.encode)


def use_snapshot(content: bytes) -> bool:
    """Render the snapshot; False if it is refused."""
    snapshot = json.loads(content)
    variant = snapshot.get("variant") if isinstance(snapshot, dict) else None
    configuration = environments()[variant if variant in VARIANTS else "usa"].configuration
    try:
        render_text(snapshot, configuration)
        ElementTree.fromstring(render_svg(snapshot, configuration))
    except SnapshotError:
        return False
    return True


# Folders of games played in the browser

NAME = "game"
AGENTS = {"random", "greedy"}
"""Of the agents that a folder may name, only quick ones are played: others search for long."""
MOST_ACTIONS = 12


def _act(table: Table) -> None:
    table.take(table.number, int(table.games.masks[0].argmax()))


@functools.cache
def browser_folders() -> list[bytes]:
    """Games of people and agents, under way and not begun, as archives."""
    packed = []
    for variant, players, number in (
        ("new_york", [None, "greedy"], MOST_ACTIONS),
        ("card_game", [None, None], 8),
        ("team_asia", [None, "random", None, "random"], 0),
        ("new_york", ["random", "greedy"], 4),
    ):
        with tempfile.TemporaryDirectory() as path:
            tables = Tables(Path(path))
            table = tables.begin(variant, configure(variant, len(players)), players, own_windows=True, seed=5)
            for _ in range(number):
                _act(table)
            tables.close()
            packed.append(pack(table.folder))
    return packed


def use_browser_folder(content: bytes) -> bool:
    """List the game and take it up, let it go on and take it up again; False if it is refused."""
    with unpacked(content, NAME) as path:
        tables = Tables(path)
        try:
            json.dumps([tables.listed(name) for name in tables.names()])
            table = tables.open(NAME)
        except TableError:
            return False
        assert tables.open_by_key(table.screens[0].key) is table
        if not AGENTS.issuperset(player.agent for player in table.players if player.agent is not None):
            return False
        for _ in range(MOST_ACTIONS):
            if not table.is_over and (not table.waits_for_agent or not table.think_and_take()):
                _act(table)
        assert not table.fault
        assert tables.put_away(table)
        again = tables.open(NAME)
        assert (again.number, again.games.states.tobytes()) == (table.number, table.games.states.tobytes())
        tables.delete(NAME)
        assert not tables.names()
    return True
