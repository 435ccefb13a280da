"""Whole games as each seat went through them, for learners of one's own."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from t2r_env.agents import AnyAgent, actions_of, ask, draw_rng, draw_seeds, find_agent
from t2r_env.configuration import Configuration, as_configuration
from t2r_env.games import LARGEST_SEED, Games, Reward, check_choice, check_number, check_seed


@dataclass(frozen=True)
class Trajectory:
    """All T decisions of one seat in one game."""

    seed: int
    """Of the game."""
    seat: int
    observations: NDArray[np.uint8]
    """(T, size): what the seat saw at each decision."""
    masks: NDArray[np.int8]
    """(T, actions): its legal chosen."""
    actions: NDArray[np.int64]
    """(T,): its chosen."""
    rewards: NDArray[np.float64]
    """(T,): all that it earned from this answer to its next one, or to the end; the first has what came before, too."""
    truncated: bool
    """Whether the turn limit ended the game (C19)."""
    final_observation: NDArray[np.uint8]
    """(size,): what it saw at the end."""
    result: dict[str, Any]
    """Its score, rank, breakdown, and tickets completed and failed; empty if the game was truncated."""


def trajectories(
    variant: str | os.PathLike[str] | Configuration,
    num_players: int | None = None,
    *,
    agents: AnyAgent | Sequence[AnyAgent] = "random",
    games: int,
    seed: int = 0,
    reward: Reward = "rank",
    batch: int = 64,
    **options: Any,
) -> Iterator[Trajectory]:
    """Play games and tell how each seat went through each of them, game by game and seat by seat.

    Parameters
    ----------
    agents
        Who plays: one agent on all seats (self-play: it is asked for all games together), or one for each seat.
    games, seed
        How many; game i is that of `seed` + i.
    reward
        As for `Games`. A seat's rewards add up to its return, whoever ended the game.
    batch
        How many are played together; they are the same for every number.

    Raises ValueError or TypeError for any argument that is not allowed, and IllegalActionError for an agent's answer
    that the rules do not allow.
    """
    configuration = as_configuration(variant, num_players, options)
    named: list[Any] = list(agents) if isinstance(agents, list | tuple) else [agents]
    if len(named) not in (1, configuration.num_players):
        raise ValueError(f"there must be one agent, or one for each of {configuration.num_players} seats")
    playing = [find_agent(agent, configuration) for agent in named]
    check_number("games", games, 0)
    check_number("batch", batch, 1)
    check_choice("reward", reward, get_args(Reward))
    return _play(configuration, playing, reward, games, check_seed(seed), batch)


def _play(
    configuration: Configuration, agents: list[Any], reward: Reward, games: int, first: int, batch: int
) -> Iterator[Trajectory]:
    for begun in range(0, games, batch):
        seeds = [(first + game) % (LARGEST_SEED + 1) for game in range(begun, min(begun + batch, games))]
        yield from _tell(configuration, agents, reward, seeds)


def _tell(configuration: Configuration, agents: list[Any], reward: Reward, seeds: list[int]) -> Iterator[Trajectory]:
    """How each seat went through the games of these seeds, which are played together."""
    games = Games(configuration, batch=len(seeds), reward=reward, autoreset=False)
    games.reset(seeds=seeds)
    rows = np.arange(games.batch)
    rng = draw_rng(games.seeds, 1)[:, 0]
    seats, observations, masks, actions, rewards = [], [], [], [], []
    over = np.zeros(games.batch, np.bool_)
    while not over.all():
        asked = np.where(over, -1, games.current)
        seats.append(asked)
        observations.append(games.observations.copy())
        masks.append(games.masks.copy())
        chosen = np.zeros(games.batch, np.int64)
        numbers = games.states["decisions"].astype(np.int64)
        for number, agent in enumerate(agents):
            waiting = rows[~over if len(agents) == 1 else asked == number]
            if waiting.size:
                decisions = ask(games, waiting, draw_seeds(rng[waiting], numbers[waiting]))
                chosen[waiting] = actions_of(agent, decisions)
        games.step(chosen)
        actions.append(chosen)
        rewards.append(games.rewards.astype(np.float64))
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
