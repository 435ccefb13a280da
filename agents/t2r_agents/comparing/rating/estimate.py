"""A rating from games against reference agents, with an interval that holds however often it is looked at.

The rating is the Bradley-Terry strength that explains the agent's points best while those of the references are held
fixed. As the games of a deal are not independent, a deal is one observation: at a strength r its residual is the points
won minus the points expected. The mean residual is zero at the true strength. So the strengths at which it is
compatible with zero are an interval for the strength.

The interval is an asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Time-uniform central
limit theory and asymptotic confidence sequences, Annals of Statistics 2024): with 95 % probability the strength lies in
it after every number of deals at once. So games may stop as soon as it is narrow, or when somebody interrupts them.
Like the usual interval it rests on the central limit theorem, hence MIN_DEALS; it is about 1.6 times as wide as an
interval for a number of deals that was fixed before. That deals have different references makes it too wide rather than
too narrow.
"""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

from t2r_agents.comparing.tournament.ratings import ELO, MEAN_STRENGTH, Interval

MIN_DEALS = 100
"""The number of deals before which no decision is taken."""
ERROR = 0.05
"""The probability that the interval ever misses the rating."""
NARROWEST_AT = 500
"""The number of deals at which the interval is narrowest, compared with one for a fixed number."""
FARTHEST = 3000.0
"""The distance from all references, in points of the Elo scale, beyond which a bound is infinite."""


def looks(most: int) -> Iterator[int]:
    """Yield the numbers of deals after which the interval is checked: MIN_DEALS, a tenth more, and so on to `most`."""
    deals = MIN_DEALS
    while deals < most:
        yield deals
        deals += deals // 10
    yield most


def estimate(won: NDArray[np.float64], lost: NDArray[np.float64], references: NDArray[np.float64]) -> Interval:
    """Return the rating of an agent and its interval, on the scale of the references' ratings.

    `won` and `lost` (deals, references) are the agent's points against each reference in each deal, and the reference's
    against it; `references` (references,) are the ratings. Each reference met counts one deal more, with a tie, so that
    the rating is finite. A bound is infinite where the games exclude nothing, as for an agent that wins everything.
    Raises ValueError if there are no games.
    """
    met = np.flatnonzero((won + lost).any(axis=0))
    if not met.size:
        raise ValueError("there must be a game at least")
    ties = np.zeros((met.size, len(references)))
    ties[range(met.size), met] = 0.5
    won, lost = np.concatenate([won, ties]), np.concatenate([lost, ties])
    strengths = (references - MEAN_STRENGTH) / ELO
    width = margin(len(won))

    def residual(strength: float, deviations: float = 0.0) -> float:
        """Return the mean residual plus this many standard deviations."""
        residuals = (won - (won + lost) * expit(strength - strengths)).sum(axis=1)
        return float(residuals.mean() + deviations * residuals.std(ddof=1))

    lowest, highest = strengths[met].min() - FARTHEST / ELO, strengths[met].max() + FARTHEST / ELO
    value = brentq(residual, lowest, highest)
    low = brentq(residual, lowest, highest, (-width,)) if residual(lowest, -width) > 0 else -math.inf
    high = brentq(residual, lowest, highest, (width,)) if residual(highest, width) < 0 else math.inf
    return Interval(*(float(MEAN_STRENGTH + ELO * bound) for bound in (value, low, high)))


def margin(observations: int) -> float:
    """Return how far the mean of this many observations may be from the truth, in their standard deviations."""
    # rho squared of the paper, nearly the best for NARROWEST_AT
    scale = (math.log(1 - 2 * math.log(ERROR)) - 2 * math.log(ERROR)) / NARROWEST_AT
    time = scale * observations + 1
    return math.sqrt(2 * time / (observations**2 * scale) * math.log(math.sqrt(time) / ERROR))
