"""The ratings of agents, from the ranks they took in their games.

In a game every team meets every other one: the better rank scores a point, and a tie half a point for each. Games of
one deal are not independent, so all intervals (95 %) are computed over deals.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from t2r_agents.comparing.tournament.playing import Entry
from t2r_env.basics.packages import needs

with needs("tournament"):
    from scipy.optimize import minimize
    from scipy.special import expit

DEVIATES = 1.96
"""The number of standard deviations around the mean that hold 95 % of a normal distribution."""
RESAMPLES = 200
"""The number of bootstrap samples of the deals, for the intervals of strengths."""
MEAN_STRENGTH = 1500.0
ELO = 400 / math.log(10)
"""The Elo scale: 400 points are odds of ten to one."""


@dataclass(frozen=True)
class Interval:
    """A value with its 95 % confidence interval."""

    value: float
    low: float
    high: float


def games_of(entries: Sequence[Entry], team_size: int) -> list[list[Entry]]:
    """Return the games that have ranks, in order, each with one entry for each team."""
    ranked = sorted(
        (entry for entry in entries if entry.rank and entry.seat % team_size == 0),
        key=lambda entry: (entry.game, entry.seat),
    )
    return [list(entries_of_teams) for _, entries_of_teams in itertools.groupby(ranked, lambda entry: entry.game)]


class Place(NamedTuple):
    """Who came where in a game of a deal."""

    deal: int
    agent: str
    rank: int


def points_by_deal(games: Sequence[Sequence[Entry | Place]], names: Sequence[str]) -> NDArray[np.float64]:
    """Return the points of each agent (second axis) against each other one (third axis) on each deal (first axis)."""
    deals = {deal: index for index, deal in enumerate(dict.fromkeys(game[0].deal for game in games))}
    indices = {name: index for index, name in enumerate(names)}
    points = np.zeros((len(deals), len(names), len(names)))
    for game in games:
        for one, other in itertools.permutations(game, 2):
            if one.agent != other.agent:
                share = 1.0 if one.rank < other.rank else 0.5 if one.rank == other.rank else 0.0
                points[deals[one.deal], indices[one.agent], indices[other.agent]] += share
    return points


def head_to_head(points: NDArray[np.float64]) -> list[list[Interval | None]]:
    """Return the share of points that each agent took from each other one; None if they have not met."""
    total = points.sum(axis=0)
    met = total + total.T
    deals = ((points + points.transpose(0, 2, 1)) > 0).sum(axis=0)
    pairs = range(len(total))
    return [
        [wilson_interval(total[a, b] / met[a, b], int(deals[a, b])) if met[a, b] else None for b in pairs]
        for a in pairs
    ]


def wilson_interval(rate: float, trials: int) -> Interval:
    """Return a rate with its Wilson score interval (Wilson 1927), which also makes sense at 0 and 1.

    A trial is a deal. As the games of a deal are not independent, the interval is too wide rather than too narrow.
    """
    deviates = DEVIATES**2 / trials
    centre = (rate + deviates / 2) / (1 + deviates)
    width = math.sqrt(deviates * rate * (1 - rate) + deviates**2 / 4) / (1 + deviates)
    return Interval(float(rate), float(max(0.0, centre - width)), float(min(1.0, centre + width)))


def strengths(points: NDArray[np.float64]) -> list[Interval]:
    """Return Bradley-Terry strengths on the Elo scale, 1500 on average, with bootstrap intervals over deals.

    Of an agent that wins or loses everything both bounds are its strength: that is no better known than `_fit` says.
    """
    total = points.sum(axis=0)
    values = _fit(total, np.zeros(len(total)))
    others = [values, *(_fit(sample, values) for sample in resampled(points))]
    low, high = np.where(total.any(axis=0) & total.any(axis=1), np.percentile(others, [2.5, 97.5], axis=0), values)
    return [Interval(*(MEAN_STRENGTH + ELO * float(bound) for bound in bounds)) for bounds in zip(values, low, high)]


def resampled(points: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """Yield the points of each pair in RESAMPLES bootstrap samples of the deals; none if there are no deals."""
    deals = len(points)
    rng = np.random.default_rng(0)
    for _ in range(RESAMPLES if deals else 0):
        times = np.bincount(rng.integers(deals, size=deals), minlength=deals)
        yield np.tensordot(times, points, 1)


def _fit(points: NDArray[np.float64], start: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return maximum likelihood strengths, 0 on average. Each pair that met gets one tie more: so they are finite."""
    points = points + np.where(points + points.T > 0, 0.5, 0.0)

    def negative_log_likelihood(strengths: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        leads = strengths[:, None] - strengths
        missed = points * expit(-leads)
        return float((points * np.logaddexp(0, -leads)).sum()), missed.sum(axis=0) - missed.sum(axis=1)

    fitted = minimize(negative_log_likelihood, start, jac=True, method="BFGS").x
    return np.asarray(fitted - fitted.mean())


def ratios(
    amounts: NDArray[np.float64], counts: NDArray[np.float64], *, are_shares: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return amounts for each count over all deals with the bounds of their intervals, three new arrays (...).

    Both arrays are (deals, ...). The error is that of a ratio of sums of deals, since what happens in one deal is not
    independent. Of shares the interval is Wilson's, for as many independent trials as have this error. All are NaN
    where nothing was counted. The bounds of a mean are infinite if its deals do not differ: they don't tell its error.
    """
    total = counts.sum(axis=0)
    deals = (counts > 0).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = amounts.sum(axis=0) / total
        squares = ((amounts - values * counts) ** 2).sum(axis=0) * deals / (deals - 1)
        errors = np.where(deals > 1, np.sqrt(squares) / total, np.inf)
        if not are_shares:
            errors = np.where(errors > 0, errors, np.inf)
            return values, values - DEVIATES * errors, values + DEVIATES * errors
        trials = values * (1 - values) / errors**2
        trials = np.where(np.isfinite(trials) & (trials > 0), trials, deals)
        deviates = DEVIATES**2 / trials
        centres = (values + deviates / 2) / (1 + deviates)
        widths = np.sqrt(deviates * values * (1 - values) + deviates**2 / 4) / (1 + deviates)
    return values, np.maximum(0, centres - widths), np.minimum(1, centres + widths)
