"""Opponents: who plays the other seats when one seat learns."""

import copy
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from t2r_env.agents import Agent, AnyAgent, Decisions, choose_actions, find_agent, is_stateless
from t2r_env.configuration import Configuration
from t2r_env.seeding import uniform_of


class InstancePerSeat:
    """An agent that may keep a memory, given by a name or as a class: a new instance plays each seat of each game."""

    def __init__(self, given: str | type, first: Agent) -> None:
        self._given = given
        self._is_object = find_agent(given) is first

    def make(self) -> Agent:
        """Return a new instance; of an object that is named by its import path a copy."""
        made = find_agent(self._given)
        return copy.deepcopy(made) if self._is_object else made

    def check(self, configuration: Configuration) -> None:
        """Raise ValueError if it can't play the configuration."""
        find_agent(self._given, configuration)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return the actions of a new instance, for decisions that belong to no game."""
        return choose_actions(self.make(), decisions)


def find_player(agent: AnyAgent, configuration: Configuration | None = None) -> Agent:
    """Return what `find_agent` returns, or `InstancePerSeat` of an agent that may keep a memory and can be made again.

    An object is itself on all seats of all games. Raises what `find_agent` does.
    """
    found = find_agent(agent, configuration)
    return InstancePerSeat(agent, found) if isinstance(agent, str | type) and not is_stateless(found) else found


class Seated:
    """Lets agents act in a batch of games, of `InstancePerSeat` one instance for each seat of each game."""

    def __init__(self) -> None:
        self._instances: dict[int, dict[tuple[int, InstancePerSeat], Agent]] = defaultdict(dict)
        """By row those that play there, by their seat."""

    def begin(self, rows: Iterable[int]) -> None:
        """Let new instances play the games that begin in these rows."""
        for row in rows:
            self._instances.pop(row, None)

    def choose(self, agent: Agent, decisions: Decisions, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return an agent's actions at decisions in these rows, (k,); raise what `choose_actions` does."""
        if not isinstance(agent, InstancePerSeat):
            return choose_actions(agent, decisions)
        places = zip(rows.tolist(), decisions.views["current"].tolist(), strict=True)
        return np.concatenate([*map(choose_actions, (self._at(*it, agent) for it in places), decisions.split())])

    def _at(self, row: int, seat: int, agent: InstancePerSeat) -> Agent:
        """Return the instance that plays a seat of a row's game."""
        playing = self._instances[row]
        if (seat, agent) not in playing:
            playing[seat, agent] = agent.make()
        return playing[seat, agent]


class Opponents(Protocol):
    """Agents, and which of them plays which seat."""

    agents: list[Agent]

    def draw(self, seeds: NDArray[np.uint64], seats: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the agents of new games, as indices in `agents`: those that sit after the learner, in turn order.

        `seeds` are one for each other seat; both arrays are of shape (games, other seats). `seats`, (games,), are the
        learner's.
        """
        ...


class OpponentPool:
    """Opponents with names and weights; each other seat of each game gets one, drawn at random.

    Raises TypeError if `opponents` is not a list or a mapping, ValueError if there are none or the weights are not
    allowed, and what `t2r_env.agents.find_agent` raises.

    Parameters
    ----------
    opponents
        A list of agents, each as for `t2r_env.agents.find_agent`, or a mapping from names to agents.
    weights
        How often each is drawn, relative to the others; equally often by default. `pool.weights` may be set at any
        time, which matters for the games that begin afterwards. Agents may also be added, or replaced in `pool.agents`
        by what `find_agent` returns.
    """

    def __init__(
        self, opponents: Sequence[AnyAgent] | Mapping[str, AnyAgent], weights: ArrayLike | None = None
    ) -> None:
        if not isinstance(opponents, Mapping | list | tuple):
            raise TypeError(f"opponents must be a list or a mapping by name, not {opponents!r}")
        if isinstance(opponents, Mapping):
            self.names, given = list(opponents), list(opponents.values())
        else:
            self.names = [it if isinstance(it, str) else str(number) for number, it in enumerate(opponents)]
            given = list(opponents)
        self.agents = [find_player(opponent) for opponent in given]
        if not self.agents:
            raise ValueError("opponents must be one or more, not none")
        self.weights = np.ones(len(self.agents)) if weights is None else weights

    @property
    def weights(self) -> NDArray[np.float64]:
        """How often each opponent is drawn, relative to the others; float64 (opponents,), read-only."""
        return self._weights

    @weights.setter
    def weights(self, weights: ArrayLike) -> None:
        self._weights = _as_weights(weights, len(self.agents))

    def add(self, name: str, opponent: AnyAgent, weight: float = 1.0) -> None:
        """Add an opponent."""
        agent = find_player(opponent)
        self._weights = _as_weights([*self._weights, weight], len(self.agents) + 1)
        self.agents.append(agent)
        self.names.append(name)

    def draw(self, seeds: NDArray[np.uint64], seats: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """As in `Opponents`."""
        shares = np.cumsum(self._weights / self._weights.max())
        indices: NDArray[np.int64] = np.searchsorted(shares / shares[-1], uniform_of(seeds), side="right")
        return indices


def _as_weights(weights: ArrayLike, number: int) -> NDArray[np.float64]:
    """Return weights for this many opponents, read-only, as changes would go unchecked; ValueError if not allowed."""
    try:
        given = np.array(weights, np.float64)
    except (TypeError, ValueError):  # not numbers
        given = np.zeros(0)
    if given.shape != (number,) or not np.isfinite(given).all() or given.min() < 0 or not given.any():
        raise ValueError(
            f"weights must be {number} numbers of at least 0, one for each opponent and not all 0, not {weights!r}"
        )
    given.flags.writeable = False
    return given


class FixedOpponents:
    """One opponent for each of the seats after the learner's, in turn order."""

    def __init__(self, opponents: Sequence[AnyAgent]) -> None:
        self.agents = [find_player(opponent) for opponent in opponents]

    def draw(self, seeds: NDArray[np.uint64], seats: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """As in `Opponents`."""
        return np.tile(np.arange(len(self.agents)), (len(seeds), 1))


AnyOpponents: TypeAlias = AnyAgent | Sequence[AnyAgent] | Opponents
"""One opponent, a list of one for each other seat, or a pool."""


def find_opponents(opponents: AnyOpponents, others: int) -> Opponents:
    """Return the opponents for this many other seats.

    Raises what `find_agent` does, and ValueError if a list is not of one opponent for each other seat.
    """
    given: Any = opponents
    if isinstance(given, list | tuple):
        if len(given) != others:
            raise ValueError(
                f"a list of opponents must be of length {others}, one for each other seat, not {len(given)};"
                " to draw from the list, use an OpponentPool"
            )
        return FixedOpponents(given)
    if hasattr(given, "draw") and hasattr(given, "agents"):
        found: Opponents = given
        return found
    return OpponentPool([given])
