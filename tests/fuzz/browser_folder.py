"""Folders of games played in the browser: one that is accepted is listed, taken up, goes on, and is taken up again.

Of the agents that it may name, only quick ones are played: others search for long.
"""

import functools
import json
import tempfile
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from t2r_agents.browser.table import Table
from t2r_agents.browser.tables import TableError, Tables
from t2r_env import configure
from tests.fuzz.damage import archive_of, changed_value, damaged, parts_of

NAME = "game"
AGENTS = {"random", "greedy"}
MOST_ACTIONS = 12


def _act(table: Table) -> None:
    table.take(table.number, int(table.games.masks[0].argmax()))


@functools.cache
def valid() -> list[bytes]:
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
            packed.append(archive_of([(file.name, file.read_bytes()) for file in sorted(table.folder.iterdir())]))
    return packed


@st.composite
def inputs(draw: DrawFn) -> bytes:
    """A folder with a damaged file, or without one."""
    files = parts_of(draw(st.sampled_from(valid())))
    name = draw(st.sampled_from(sorted(files)))
    match draw(st.integers(0, 7)):
        case 0:
            del files[name]
        case 1:
            files[name] = draw(damaged(files[name]))
        case _:
            files[name] = draw(changed_value(json.loads(files[name]))).encode(errors="surrogatepass")
    return archive_of([*files.items()])


def use(content: bytes) -> bool:
    """List the game and take it up, let it go on and take it up again; False if it is refused."""
    with tempfile.TemporaryDirectory() as path:
        (Path(path) / NAME).mkdir()
        for name, file in parts_of(content).items():
            (Path(path) / NAME / name).write_bytes(file)
        tables = Tables(Path(path))
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
