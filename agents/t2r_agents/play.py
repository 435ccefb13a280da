"""A game of a person against agents, told as far as the person may know what the others do (C20)."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from t2r_env import Games
from t2r_env.agents import Agent, Decisions, choose_actions, step_agents
from t2r_env.render.narration import Narrator, Snapshot
from t2r_env.rules.text import Description
from t2r_env.seeding import agent_keys, decision_seeds

__all__ = ["Narrator", "play"]


def play(games: Games, agents: Sequence[Agent], seat: int) -> Iterator[str]:
    """Play the game under way to its end; yield the lines that a seat reads."""
    keys = agent_keys(games.seeds)
    narrator = Narrator(games.configuration, seat)
    row, seating = np.zeros(1, np.int64), np.arange(games.num_players)[None]
    descriptions: list[Description] = []

    def snapshot() -> Snapshot:
        return games.configuration.snapshot(games.views(row, [seat])[0])

    def choose(agent: Agent, decisions: Decisions, _: NDArray[np.int64]) -> NDArray[np.int64]:
        actions = choose_actions(agent, decisions)
        descriptions.append(games.describe(actions[0]))
        return actions

    before = snapshot()
    while not (games.terminated[0] or games.truncated[0]):
        step_agents(games, row, agents, seating, decision_seeds(games, row, keys), choose)
        after = snapshot()
        yield from narrator.narrate(before, after, descriptions.pop())
        before = after
