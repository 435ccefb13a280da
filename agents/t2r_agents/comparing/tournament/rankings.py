"""Rankings that do not depend on who else takes part: the maximal lottery and alpha-rank, and cycles.

Elo is one number for each agent, so it can't say that a beats b, b beats c and c beats a, and it moves when a weak
agent comes in many versions. Both rankings here begin with the margins of all pairs, the share of points that one takes
from the other minus what it gives. A maximal lottery says how often to choose each agent so that no agent wins against
the choice; copies of an agent share its part, and who loses to everybody has none (Fishburn: Probabilistic Social
Choice Based on Simple Voting Comparisons, 1984; for agents: Lanctot and others, Evaluating Agents using Social Choice
Theory, 2023). Alpha-rank says how long a population stays with each agent, if now and then somebody tries another one
that then spreads or dies out (Omidshafiei and others: Alpha-Rank, Multi-Agent Evaluation by Evolution, 2019).
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from t2r_agents.comparing.tournament.ratings import Interval, resampled
from t2r_env.basics.packages import needs

with needs("tournament"):
    from scipy.optimize import nnls

SLACK = 1e-9
"""How much worse than even a lottery may be against an agent, as numbers are rounded."""
INTENSITY, POPULATION = 10.0, 50
"""The parameters of alpha-rank: how strongly the better agent is preferred, and how many choose.

At these a margin of a hundredth is followed 140 times as often as it is resisted."""

Margins = NDArray[np.float64]
"""(agents, agents): the share of points of a row's agent against a column's, minus the column's; -1 to 1."""


@dataclass(frozen=True)
class Rankings:
    """The parts of the agents in both rankings, in their order, and a cycle."""

    lottery: list[Interval]
    alpha_rank: list[Interval]
    cycle: list[int]
    """Indices of agents of which each beats the next, and the last one the first, all with 95 % certainty; empty if
    there are none."""


def rank(points: NDArray[np.float64], head_to_head: Sequence[Sequence[Interval | None]]) -> Rankings | None:
    """Return the rankings of three agents or more, given their points (`points_by_deal`); None if a pair has not met.

    The intervals are from resampled deals, as those of strengths.
    """
    total = points.sum(axis=0)
    met = total + total.T + np.eye(len(total)) > 0
    if len(total) < 3 or not met.all():
        return None
    samples = [margins_of(sample) for sample in resampled(points)]
    margins = margins_of(total)
    return Rankings(
        _with_intervals(maximal_lottery(margins), [maximal_lottery(sample) for sample in samples]),
        _with_intervals(alpha_rank(margins), [alpha_rank(sample) for sample in samples]),
        find_cycle([[share is not None and share.low > 0.5 for share in row] for row in head_to_head]),
    )


def margins_of(points: NDArray[np.float64]) -> Margins:
    """Return the margins of all pairs, given the points of each against each other one; 0 if they did not meet."""
    met = points + points.T
    return np.divide(points - points.T, met, out=np.zeros_like(points), where=met > 0)


def maximal_lottery(margins: Margins) -> NDArray[np.float64]:
    """Return the probabilities with which to choose an agent so that no agent wins against the choice on average.

    They are an optimal strategy of the zero-sum game of the margins: of several, the most even one, so that agents that
    can't be told apart have equal parts. It is the shortest vector of those allowed, which is a problem of least
    squares (Lawson and Hanson: Solving Least Squares Problems, 1974, chapter 23).
    """
    agents = len(margins)
    bounds = np.vstack([margins.T, np.eye(agents), np.ones(agents), -np.ones(agents)])
    least = np.concatenate([np.full(agents, -SLACK), np.zeros(agents), [1, -1]])
    target = np.append(np.zeros(agents), 1.0)
    solution, _ = nnls(np.vstack([bounds.T, least]), target)
    residual = np.vstack([bounds.T, least]) @ solution - target
    parts = np.maximum(-residual[:-1] / residual[-1], 0)
    return np.asarray(parts / parts.sum())


def alpha_rank(margins: Margins) -> NDArray[np.float64]:
    """Return the share of the time for which a population stays with each agent.

    The one who tries another agent takes each with the same probability. It spreads through the population with the
    probability of fixation (1 - e^-x) / (1 - e^-mx), where x is the margin times INTENSITY and m the POPULATION.
    """
    agents = len(margins)
    gain = INTENSITY * margins.T  # of who comes (second axis) against who is there
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        spread = np.where(gain == 0, 1 / POPULATION, np.expm1(-gain) / np.expm1(-POPULATION * gain))
    moves = spread / (agents - 1)
    np.fill_diagonal(moves, 0)
    balance = moves.T - np.diag(moves.sum(axis=1))
    balance[-1] = 1  # the last equation follows from the others: in its place the shares sum to 1
    return np.asarray(np.maximum(np.linalg.solve(balance, np.eye(agents)[-1]), 0))


def find_cycle(beats: Sequence[Sequence[bool]]) -> list[int]:
    """Return a shortest cycle, as in `Rankings`; of several, the one with the first agent."""
    cycles = [cycle for start in range(len(beats)) if (cycle := _shortest_from(beats, start))]
    return min(cycles, key=len, default=[])


def _shortest_from(beats: Sequence[Sequence[bool]], start: int) -> list[int]:
    """Return a shortest cycle through an agent, beginning with it; empty if there is none."""
    ways, waiting = {start: [start]}, deque([start])
    while waiting:
        agent = waiting.popleft()
        for other, is_beaten in enumerate(beats[agent]):
            if is_beaten and other == start:
                return ways[agent]
            if is_beaten and other not in ways:
                ways[other] = [*ways[agent], other]
                waiting.append(other)
    return []


def _with_intervals(values: NDArray[np.float64], samples: Sequence[NDArray[np.float64]]) -> list[Interval]:
    low, high = np.percentile([values, *samples], [2.5, 97.5], axis=0)
    return [Interval(*map(float, bounds)) for bounds in zip(values, low, high, strict=True)]
