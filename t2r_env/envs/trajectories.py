"""Whole games as trajectories, one for each seat, for your own learning code."""

import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from t2r_env.agents import Agent, AnyAgent, step_agents
from t2r_env.basics.checks import LARGEST_SEED, check_choice, check_integer, check_seed, consecutive_seeds
from t2r_env.configuration import Configuration, Options, as_configuration
from t2r_env.envs.opponents import Seated, find_player
from t2r_env.features import AnyFeatures, find_features
from t2r_env.games import Games, Reward
from t2r_env.seeding import agent_keys, decision_seeds
from t2r_env.variants import Variant

NOBODY = -1
"""Stands for the acting seat of a game that has ended."""


@dataclass(frozen=True)
class Trajectory:
    """The T decisions of one seat in one game."""

    seed: int
    """The game's seed."""
    seat: int
    observations: NDArray[np.uint8]
    """(T, size): what the seat saw at each decision."""
    masks: NDArray[np.int8]
    """(T, actions): its legal actions."""
    actions: NDArray[np.int64]
    """(T,): the actions it chose."""
    rewards: NDArray[np.float64]
    """(T,): its rewards from this action to its next one, or to the end; the first has those before it, too."""
    truncated: bool
    """Whether the turn limit ended the game (C19)."""
    final_observation: NDArray[np.uint8]
    """(size,): what it saw at the end."""
    result: dict[str, Any]
    """Its score, rank, breakdown, and the tickets it completed and failed; empty if the game was truncated."""


def trajectories(
    variant: str | os.PathLike[str] | Variant | Configuration,
    num_players: int | None = None,
    *,
    agents: AnyAgent | Sequence[AnyAgent] = "random",
    games: int,
    seed: int = 0,
    reward: Reward = "rank",
    batch: int = 64,
    features: AnyFeatures | None = None,
    **options: Unpack[Options],
) -> Iterator[Trajectory]:
    """Play games and yield the trajectory of each seat, game by game and seat by seat.

    Raises ValueError or TypeError if an argument is not allowed, IllegalActionError if an agent's action is not legal.

    Parameters
    ----------
    variant, num_players, options
        As for `t2r_env.configure`. A `Configuration` may stand for all of them.
    agents
        Who plays, as for `t2r_env.agents.find_agent`: one agent on all seats (self-play: it acts in all games
        together), or a list of one for each seat. Of a name or class that may keep a memory (not `stateless`) a new
        instance plays each seat of each game.
    games, seed
        The number of games; game i begins from `seed` + i (modulo 2^64).
    reward
        As for `Games`. A seat's rewards add up to its return, whoever ended the game.
    batch
        The number of games played together. The games are the same for every number.
    features
        Derived features that follow each observation in the same vector, as for `Games`.
    """
    configuration = as_configuration(variant, num_players, options, trajectories)
    named: list[Any] = list(agents) if isinstance(agents, list | tuple) else [agents]
    if len(named) not in (1, configuration.num_players):
        raise ValueError(
            f"agents must be one agent, or a list of {configuration.num_players}, one for each seat, not {len(named)}"
        )
    playing = [find_player(agent, configuration) for agent in named]
    check_integer("games", games, 0)
    check_integer("batch", batch, 1)
    check_choice("reward", reward, get_args(Reward))
    if features is not None:
        find_features(features, configuration)
    first = check_seed(seed)
    return itertools.chain.from_iterable(
        _play(
            configuration,
            playing,
            reward,
            consecutive_seeds((first + begun) % (LARGEST_SEED + 1), min(batch, games - begun)),
            features,
        )
        for begun in range(0, games, batch)
    )


def _play(
    configuration: Configuration, agents: list[Agent], reward: Reward, seeds: list[int], features: AnyFeatures | None
) -> Iterator[Trajectory]:
    """Yield the trajectories of the games of these seeds, which are played together."""
    games = Games(configuration, batch=len(seeds), reward=reward, autoreset=False, features=features, seed=0)
    games.reset(seeds=seeds)
    keys, seated = agent_keys(games.seeds), Seated()
    seating = np.tile(np.arange(games.num_players) % len(agents), (games.batch, 1))
    seats, observations, masks, actions, rewards = [], [], [], [], []
    over = np.zeros(games.batch, np.bool_)
    while not over.all():
        seats.append(np.where(over, NOBODY, games.current))
        observations.append(games.observations.copy())
        masks.append(games.masks.copy())
        rows = np.flatnonzero(~over)
        chosen = np.zeros(games.batch, np.int64)
        chosen[rows] = step_agents(games, rows, agents, seating, decision_seeds(games, rows, keys), seated.choose)
        actions.append(chosen)
        rewards.append(np.where(over[:, None], 0.0, games.rewards.astype(np.float64)))
        over = games.terminated | games.truncated
    seat_of, seen, legal = np.array(seats), np.array(observations), np.array(masks)
    action_of, reward_of = np.array(actions), np.array(rewards)
    results = games.results
    for row, seed in enumerate(seeds):
        for seat in range(games.num_players):
            steps = np.flatnonzero(seat_of[:, row] == seat)
            yield Trajectory(
                seed=seed,
                seat=seat,
                observations=seen[steps, row],
                masks=legal[steps, row],
                actions=action_of[steps, row],
                rewards=np.add.reduceat(reward_of[:, row, seat], [0, *steps[1:]])[: len(steps)],
                truncated=bool(games.truncated[row]),
                final_observation=games.final_observations[row, seat].copy(),
                result=results.of(row, seat),
            )
