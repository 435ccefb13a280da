"""Agents at decisions of games: what they do there, and that hidden things play no part in it."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from t2r_env import Games
from t2r_env.agents import Agent, Decisions, decisions_of
from t2r_env.rules.text import Description
from tests.helpers.situations import Table, action_name


def decisions_in(games: Games) -> Decisions:
    """What all games wait for; the seeds are the numbers of their rows."""
    return decisions_of(games, np.arange(games.batch), np.arange(games.batch, dtype=np.uint64))


def actions(
    agent: Agent, games: Games, decisions: int = 1, name: Callable[[Description], str] = action_name
) -> list[str]:
    """Let an agent take one game's next decisions, whoever acts; return its actions."""
    given = []
    for _ in range(decisions):
        (action,) = agent.act(decisions_in(games)).tolist()
        given.append(name(games.describe(action)))
        games.step([action])
    return given


def action(agent: Agent, table: Table) -> str:
    """What an agent does in a position, which stays as it is."""
    return actions(agent, table.games.clone())[0]


def blind_actions(agent: Agent, games: Games) -> NDArray[np.int64]:
    """C20: the actions of an agent, which must be legal and the same whatever the seats that act can't know."""
    others = games.clone()
    others.set_states(None, games.determinize(None, range(1000, 1000 + games.batch)))
    chosen: NDArray[np.int64] = agent.act(decisions_in(games))
    assert games.masks[np.arange(games.batch), chosen].all()
    assert np.array_equal(agent.act(decisions_in(others)), chosen)
    return chosen


def play_out(games: Games, act: Callable[[NDArray[np.int64]], NDArray[np.int64]]) -> None:
    """Play games to their ends by a function of the rows (k,) that are under way to their actions (k,)."""
    while (running := np.flatnonzero(~(games.terminated | games.truncated))).size:
        chosen = np.zeros(games.batch, np.int64)
        chosen[running] = act(running)
        games.step(chosen)
