"""How well the chances to win that agents tell agree with how the games ended."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from t2r_agents.comparing.tournament.ratings import Interval, ratios
from t2r_env.agents import Agent, Decisions, opinions

EVERY = 8
"""Agents tell their chances at every eighth decision of a game: to judge each action, as some do, takes long."""
BINS = 10


@dataclass(frozen=True)
class Bin:
    """The positions at which about the same chance was told."""

    told: float
    """The mean chance."""
    won: Interval
    """The share of wins that came, with its interval over games."""
    positions: int


@dataclass(frozen=True)
class Calibration:
    """The chances of the acting seat that agents told at k positions, and what came."""

    agents: list[str]
    """One, or several that told the same."""
    told: NDArray[np.float64]
    """(k,)"""
    won: NDArray[np.float64]
    """(k,) 1 for a win, shared among those that tie."""
    game: NDArray[np.int64]
    """(k,) the number of the game."""

    def brier(self) -> Interval:
        """Return the mean square of chance less result, with its interval over games."""
        return self._over_games((self.told - self.won) ** 2, np.ones(len(self.told)), are_shares=False)

    def bins(self) -> list[Bin]:
        """Return what came of the chances told, in ten equal bins of these; empty ones are left out."""
        numbers = np.minimum((self.told * BINS).astype(np.int64), BINS - 1)
        return [
            Bin(
                float(self.told[numbers == number].mean()),
                self._over_games(self.won, numbers == number, are_shares=True),
                int((numbers == number).sum()),
            )
            for number in np.unique(numbers)
        ]

    def _over_games(self, amounts: NDArray[np.float64], counted: NDArray[np.generic], *, are_shares: bool) -> Interval:
        """Return the mean of amounts (k,) where they are counted (k,)."""
        games = np.unique(self.game, return_inverse=True)[1]
        weights = counted.astype(float)
        sums, counts = (np.bincount(games, it)[:, None].astype(float) for it in (amounts * weights, weights))
        return Interval(*(float(it[0]) for it in ratios(sums, counts, are_shares=are_shares)))


def told_chances(agent: Agent, decisions: Decisions) -> NDArray[np.float64] | None:
    """Return the acting seat's chance that an agent tells at each decision, (k,).

    None unless it always tells one, or if it fails.
    """
    seats = decisions.views["current"].tolist()
    try:
        found = [opinion.values for opinion in opinions(agent, decisions)]
    except Exception:  # of an agent of anybody's
        return None
    told = [values[seat] for values, seat in zip(found, seats, strict=True) if values is not None]
    return np.array(told) if len(told) == len(seats) else None


def calibrate(
    told: dict[str, list[NDArray[np.float64] | None]], won: Sequence[NDArray[np.float64]]
) -> list[Calibration]:
    """Return the calibration of the agents that told chances in all games, given what each told and what came."""
    game = np.repeat(np.arange(len(won)), [len(it) for it in won])
    came, found = np.concatenate(won), list[Calibration]()
    for agent, by_game in told.items():
        chances = [it for it in by_game if it is not None]
        if len(chances) < len(by_game):
            continue
        joined = np.concatenate(chances)
        alike = next((it for it in found if np.array_equal(it.told, joined)), None)
        if alike:
            alike.agents.append(agent)
        else:
            found.append(Calibration([agent], joined, came, game))
    return found
