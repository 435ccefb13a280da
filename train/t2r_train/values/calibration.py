"""Calibration: how well chances that a network tells agree with what came, on games that it has not learned from."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.values import Judge, play_out, with_new_chance
from t2r_env import Configuration
from t2r_env.agents import Agent
from t2r_train.values.positions import Positions

BINS = 10
PHASES = {"first tenth": (0, 0.1), "middle": (0.4, 0.6), "last tenth": (0.9, 1.01), "all": (0, 1.01)}
"""Parts of the games, by the share of the decisions before."""
DEVIATES = 1.96
"""Half of a 95 % interval of a normal distribution, in deviations."""
PLAY_OUTS, PLAYED_OUT = 24, 400
"""The play-outs of each position, and the positions of each phase that are played out."""


def calibrate(judge: Judge, positions: Positions) -> dict[str, Any]:
    """Return the calibration of both networks as a JSON-able dictionary.

    For `known`, each position as one seat after the other sees it, and `everything`: the Brier score in each of PHASES,
    which is the mean square of chance less result over teams, with its 95 % interval over games; and the reliability,
    for each of ten equal bins of chances the mean chance, the share won, and the number of positions and teams in it.
    """
    configuration, found = judge.configuration, {}
    teams = np.arange(configuration.num_teams) * (configuration.num_players // configuration.num_teams)
    for name, sees_all in (("known", False), ("everything", True)):
        seats = positions.states["current"].astype(np.int64)
        if not sees_all:
            seats = np.arange(len(positions)) % configuration.num_players
        chances = judge.judge(positions.states, seats, sees_all=sees_all).chances[:, teams]
        squares = ((chances - positions.wins) ** 2).mean(axis=1)
        found[name] = {
            "brier": {phase: _brier(squares, positions, phase) for phase in PHASES},
            "reliability": _reliability(chances, positions.wins),
        }
    return found


def _in_phase(positions: Positions, phase: str) -> NDArray[np.bool_]:
    low, high = PHASES[phase]
    return (positions.progress >= low) & (positions.progress < high)


def _brier(squares: NDArray[np.float64], positions: Positions, phase: str) -> list[float]:
    """Return the mean of these squares (k,) in a phase, and its interval over games."""
    rows = _in_phase(positions, phase)
    mean = squares[rows].mean()
    games = np.unique(positions.game[rows], return_inverse=True)[1]
    sums = np.bincount(games, squares[rows] - mean)  # positions of one game are alike
    error = DEVIATES * np.sqrt((sums**2).sum()) / rows.sum()
    return [round(float(it), 4) for it in (mean, mean - error, mean + error)]


def _reliability(chances: NDArray[np.float64], wins: NDArray[np.float32]) -> list[list[float]]:
    told, won = chances.ravel(), wins.ravel()
    bins = np.minimum((told * BINS).astype(np.int64), BINS - 1)
    return [
        [round(float(told[bins == it].mean()), 3), round(float(won[bins == it].mean()), 3), int((bins == it).sum())]
        for it in range(BINS)
        if (bins == it).any()
    ]


def ceiling(configuration: Configuration, positions: Positions, agent: Agent, seed: int) -> dict[str, list[float]]:
    """Return in each of PHASES the Brier score of play-outs by an agent from the true positions, with its interval.

    Of games of this agent against itself nothing that sees the positions can do better. What the small number of
    play-outs adds is taken away.
    """
    rng, found = np.random.default_rng(seed), {}
    teams = np.arange(configuration.num_teams) * (configuration.num_players // configuration.num_teams)
    for phase in PHASES:
        rows = rng.permutation(np.flatnonzero(_in_phase(positions, phase)))[:PLAYED_OUT]
        seeds = rng.integers(2**63, size=len(rows) * PLAY_OUTS, dtype=np.uint64)
        states = with_new_chance(positions.states[rows].repeat(PLAY_OUTS), seeds)
        is_best = play_out(configuration, states, agent, seeds).ranks[:, teams] == 1
        wins = (is_best / np.maximum(is_best.sum(axis=1, keepdims=True), 1)).reshape(len(rows), PLAY_OUTS, -1)
        noise = wins.var(axis=1, ddof=1) / PLAY_OUTS
        squares = ((wins.mean(axis=1) - positions.wins[rows]) ** 2 - noise).mean(axis=1)
        error = DEVIATES * squares.std() / np.sqrt(len(rows))
        found[phase] = [round(float(it), 4) for it in (squares.mean(), squares.mean() - error, squares.mean() + error)]
    return found
