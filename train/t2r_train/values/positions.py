"""Positions to learn values from, and to check them: games between agents of all kinds, some of whose actions slip."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.policy import PolicyAgent, shipped_policy
from t2r_env import Configuration, Games
from t2r_env.agents import Agent, Array, Decisions, choose_actions, choose_evenly, find_agent, step_agents
from t2r_env.basics.writing import replacing
from t2r_env.rules.names import outcomes
from t2r_env.seeding import agent_keys, decision_seeds

DRAWN = "policy, drawn"
"""The policy, which draws its actions."""
LEARNED_FROM = ("policy", DRAWN, "planner", "greedy", "racer", "long_routes", "ticket_hungry")
"""The agents whose games are learned from."""
CHECKED_WITH = ("any_board", "one_plan", "ismcts:6,policy")
"""The agents of the games that values are checked with: none of those that are learned from."""
SLIPS = (0.0, 0.0, 0.05, 0.25)
"""The share of random actions of a seat, each as likely as the others, in games that are learned from."""
GAMES_AT_ONCE = 256
POSITIONS_PER_GAME = 24


class PositionsError(ValueError):
    """A file of positions can't be used."""


@dataclass(frozen=True)
class Positions:
    """k positions of games that were played to their end, in the order of the games."""

    states: Array
    """(k,)"""
    game: NDArray[np.int64]
    """(k,) the seed of the game."""
    progress: NDArray[np.float32]
    """(k,) the share of the game's decisions before it."""
    wins: NDArray[np.float32]
    """(k, teams) 1 for the winner, shared among those that tie."""
    margins: NDArray[np.float32]
    """(k, teams) the points at the end less those of the best other team."""

    def __len__(self) -> int:
        return len(self.states)

    @classmethod
    def joined(cls, parts: Sequence["Positions"]) -> "Positions":
        """Return the positions of all parts."""
        return cls(*(np.concatenate([getattr(it, name) for it in parts]) for name in cls.__dataclass_fields__))

    def save(self, path: Path) -> None:
        """Write a file; if that is interrupted, there is none."""
        with replacing(path) as new, new.open("wb") as file:
            np.savez_compressed(file, **vars(self))

    @classmethod
    def load(cls, path: Path, state: np.dtype[Any]) -> "Positions":
        """Read a file of positions of states of this dtype. Raises PositionsError if it is damaged."""
        try:
            with np.load(path, allow_pickle=False) as file:
                fields = {name: file[name] for name in cls.__dataclass_fields__}
            return cls(**fields | {"states": fields["states"].astype(state)})  # a file does not keep alignment
        except OSError:
            raise
        except Exception as error:  # zipfile, zlib and NumPy raise many types for damaged files
            raise PositionsError(f"{path} is no file of positions, or damaged ({error}): delete it") from error


def possible_agents(configuration: Configuration, names: Sequence[str]) -> list[str]:
    """Return those of these agents that can play a configuration."""
    possible = []
    for name in names:
        with suppress(ValueError):  # there is no policy for it, or the agent is not for this game
            _agent(name, configuration)
            possible.append(name)
    return possible


def agents_for(configuration: Configuration, names: Sequence[str]) -> list[Agent]:
    """Return these agents."""
    return [_agent(name, configuration) for name in names]


def _agent(name: str, configuration: Configuration) -> Agent:
    return find_agent(PolicyAgent(shipped_policy(configuration), sample=True) if name == DRAWN else name, configuration)


def play_positions(
    configuration: Configuration, agents: Sequence[Agent], slips: Sequence[float], seed: int, number: int
) -> Positions:
    """Play this many games together, with an agent and slips for each seat by chance; return some of their positions.

    Games that reach the turn limit are left out.
    """
    rng = np.random.default_rng(seed)
    games = Games(configuration, batch=number, seed=seed, autoreset=False)
    shape = number, configuration.num_players
    seating, slip = rng.integers(len(agents), size=shape), rng.choice(slips, shape)
    keys = agent_keys(games.seeds)

    def choose(agent: Agent, decisions: Decisions, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        actions = choose_actions(agent, decisions)
        slipped = rng.random(len(rows)) < slip[rows, games.current[rows]]
        return np.where(slipped, choose_evenly(decisions.masks, decisions.seeds), actions)

    states, played = [], []
    rows = np.arange(number)
    while rows.size:
        states.append(games.states[rows].copy())
        played.append(rows)
        step_agents(games, rows, agents, seating, decision_seeds(games, rows, keys), choose)
        rows = rows[games.states["outcome"][rows] == outcomes.RUNNING]
    return _choose_positions(games, np.concatenate(states), np.concatenate(played), rng)


def _choose_positions(games: Games, states: Array, game: NDArray[np.int64], rng: np.random.Generator) -> Positions:
    """Return POSITIONS_PER_GAME of the positions of each finished game, as likely as all others, or all of them."""
    results, teams = games.results, games.configuration.num_teams
    seats = np.arange(teams) * (games.num_players // teams)
    scores, is_best = results.scores[:, seats], results.ranks[:, seats] == 1
    others = np.stack([np.delete(scores, team, axis=1).max(axis=1) for team in range(teams)], axis=1)
    order = np.argsort(game, kind="stable")
    chosen, progress = [], []
    for start, end in pairwise(np.searchsorted(game[order], np.arange(games.batch + 1)).tolist()):
        some = np.sort(rng.permutation(end - start)[:POSITIONS_PER_GAME])
        chosen.append(order[start + some])
        progress.append(some / (end - start))
    kept, share = np.concatenate(chosen), np.concatenate(progress)
    is_finished = games.states["outcome"][game[kept]] == outcomes.FINISHED
    kept, share = kept[is_finished], share[is_finished]
    wins = is_best / np.maximum(is_best.sum(axis=1, keepdims=True), 1)
    return Positions(
        states=states[kept],
        game=games.seeds[game[kept]].astype(np.int64),
        progress=share.astype(np.float32),
        wins=wins[game[kept]].astype(np.float32),
        margins=(scores - others)[game[kept]].astype(np.float32),
    )


def in_turn_order(
    configuration: Configuration, positions: Positions, seats: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return wins and margins, (k, teams) each, those of the teams of these seats (k,) first."""
    num_teams = configuration.num_teams
    first = configuration.rules[0].team[seats]
    teams = (first[:, None] + np.arange(num_teams)) % num_teams
    return np.take_along_axis(positions.wins, teams, axis=1), np.take_along_axis(positions.margins, teams, axis=1)
