"""Folders of games played in the browser: one that is accepted is listed, taken up, goes on, and is taken up again.

Of the agents that it may name, only quick ones are played: others search for long.
"""

import functools
import json
import tempfile
from pathlib import Path

from hypothesis.strategies import SearchStrategy

from t2r_agents.browser.table import Table
from t2r_agents.browser.tables import TableError, Tables
from t2r_env import configure
from tests.fuzz.damage import changed_folder, pack, unpacked

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
            packed.append(pack(table.folder))
    return packed


def inputs() -> SearchStrategy[bytes]:
    return changed_folder(valid(), may_lack=True)


def use(content: bytes) -> bool:
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
