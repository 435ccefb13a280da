"""Who plays the other seats where one seat learns."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from t2r_env.agents import Agent, AnyAgent, find_agent


class Opponents(Protocol):
    """Agents, and who of them sits where."""

    agents: list[Agent]

    def draw(self, words: NDArray[np.uint64]) -> NDArray[np.int64]:
        """For every game the numbers of the agents that sit after the learner, in turn order.

        `words` are the games' chance, one word for each other seat; both are of shape (games, other seats).
        """
        ...


class OpponentPool:
    """Opponents by name, of which every other seat of every game gets one, drawn by weight.

    Parameters
    ----------
    opponents
        Each as for `t2r_env.agents.find_agent`; with names of their own as a mapping.
    weights
        How often each is drawn, compared with the others; all alike without. `pool.weights` may be set at any time, and
        counts for the games that begin afterwards. Agents may be added, too, or replaced in `pool.agents`.

    Raises what `find_agent` does, TypeError for what is no list or mapping, and ValueError for no opponents and for
    weights that can't be.
    """

    def __init__(
        self, opponents: Sequence[AnyAgent] | Mapping[str, AnyAgent], weights: ArrayLike | None = None
    ) -> None:
        if not isinstance(opponents, Mapping | list | tuple):
            raise TypeError(f"the opponents of a pool must be a list or a mapping by name, not {opponents!r}")
        if isinstance(opponents, Mapping):
            self.names, given = list(opponents), list(opponents.values())
        else:
            self.names = [it if isinstance(it, str) else str(number) for number, it in enumerate(opponents)]
            given = list(opponents)
        self.agents = [find_agent(opponent) for opponent in given]
        if not self.agents:
            raise ValueError("a pool needs at least one opponent")
        self.weights = np.ones(len(self.agents)) if weights is None else weights

    @property
    def weights(self) -> NDArray[np.float64]:
        """How often each opponent is drawn, compared with the others."""
        return self._weights

    @weights.setter
    def weights(self, weights: ArrayLike) -> None:
        self._weights = _as_weights(weights, len(self.agents))

    def add(self, name: str, opponent: AnyAgent, weight: float = 1.0) -> None:
        """One more opponent."""
        agent = find_agent(opponent)
        self._weights = _as_weights([*self._weights, weight], len(self.agents) + 1)
        self.agents.append(agent)
        self.names.append(name)

    def draw(self, words: NDArray[np.uint64]) -> NDArray[np.int64]:
        """As in `Opponents`."""
        shares = np.cumsum(self._weights / self._weights.max())
        # 53 bits are what a float takes without rounding, which could give 1
        rng = (words >> np.uint64(11)).astype(np.float64) / 2.0**53
        numbers: NDArray[np.int64] = np.searchsorted(shares / shares[-1], rng, side="right")
        return numbers


def _as_weights(weights: ArrayLike, number: int) -> NDArray[np.float64]:
    """Weights for so many opponents; ValueError if they can't be. They are read-only, as they would go unchecked."""
    given = np.array(weights, np.float64)
    if given.shape != (number,) or not np.isfinite(given).all() or given.min() < 0 or not given.any():
        raise ValueError(f"weights must be {number} numbers from 0 on, one for each opponent, not all 0: {weights!r}")
    given.flags.writeable = False
    return given


class FixedOpponents:
    """One opponent for each of the seats after the learner's, in turn order."""

    def __init__(self, opponents: Sequence[AnyAgent]) -> None:
        self.agents = [find_agent(opponent) for opponent in opponents]

    def draw(self, words: NDArray[np.uint64]) -> NDArray[np.int64]:
        """As in `Opponents`."""
        return np.tile(np.arange(len(self.agents)), (len(words), 1))


AnyOpponents: TypeAlias = AnyAgent | Sequence[AnyAgent] | Opponents
"""An opponent, one for each other seat, or a pool."""


def find_opponents(opponents: AnyOpponents, others: int) -> Opponents:
    """The opponents that are meant for so many other seats. Raises what `find_agent` does, and for too few or many."""
    given: Any = opponents
    if isinstance(given, list | tuple):
        if len(given) != others:
            raise ValueError(
                f"a list of opponents must have one for each other seat, {others}, not {len(given)}; to draw from them,"
                " use an OpponentPool"
            )
        return FixedOpponents(given)
    if hasattr(given, "draw") and hasattr(given, "agents"):
        found: Opponents = given
        return found
    return OpponentPool([given])
