"""Recorded games."""

import functools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from t2r_env import Games, Replay
from t2r_env.agents import choose_actions, decisions_of, find_agent
from t2r_env.seeding import agent_keys, decision_seeds


@functools.cache
def game_of(agent: str, variant: str | Path, players: int, seed: int = 3, actions: int | None = None) -> Replay:
    """A game that an agent plays against itself; with `actions`, so many of its first ones."""
    games = Games(variant, players, seed=seed, autoreset=False, record=True)
    player, row, keys = find_agent(agent), np.zeros(1, np.int64), agent_keys(games.seeds)
    while not (games.terminated[0] or games.truncated[0]):
        games.step(choose_actions(player, decisions_of(games, row, decision_seeds(games, row, keys))))
    replay = Replay.of(games)
    return replace(replay, actions=replay.actions[:actions])


def forfeited(**start: Any) -> Replay:
    """A game whose sixth action is not legal."""
    replay = game_of("random", "usa", 2, actions=5)
    return replace(replay, actions=(*replay.actions, 10_000), illegal_action="terminate", **start)
