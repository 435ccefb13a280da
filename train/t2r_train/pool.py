"""The players of a training run's games: the current policy, fixed agents, and snapshots of earlier policies."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from t2r_env.agents import Agent, Decisions, choose_actions
from t2r_env.envs.opponents import InstancePerSeat, Seated, find_player
from t2r_env.seeding import uniform_of
from t2r_train.network import Network
from t2r_train.ranks import Ranks
from t2r_train.settings import Settings

LEARNER = -1
"""Stands for the current policy among the indices of players."""
WIN_RATE_DECAY = 0.99
"""Win rates are exponential moving averages: each game leaves this share of the former value; those of a rollout count
alike."""
MIN_WEIGHT = 0.05
"""An opponent's weight is its own win rate plus this, so that one that never wins is still drawn now and then."""
MAX_SNAPSHOTS = 4
"""The most earlier policies that the pool holds. Each is a network of its own for a few games: with twelve of them a
training run on a GPU made half as many decisions a second as with none."""
FEWEST = 32
"""The fewest decisions that are worth a thread of their own."""


class OpponentError(RuntimeError):
    """A fixed agent has failed, or chosen an illegal action."""


class FixedAgents:
    """The fixed agents of a group of games. Threads share their decisions.

    Of one that may remember a new instance plays each seat of each game.
    """

    def __init__(self, names: Sequence[str], threads: int) -> None:
        self._names = names
        self._agents = [[find_player(name) for _ in range(threads)] for name in names]
        self._executor = ThreadPoolExecutor(threads)
        self._seated = Seated()

    def begin(self, rows: Iterable[int]) -> None:
        """Let new instances play the games that begin in these rows."""
        self._seated.begin(rows)

    def choose(self, index: int, decisions: Decisions, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the actions of one of them at decisions in these rows, (k,). Raises OpponentError if it fails."""
        try:
            first = self._agents[index][0]
            if isinstance(first, InstancePerSeat):
                return self._seated.choose(first, decisions, rows)
            return self._choose_at_once(self._agents[index], decisions)
        except Exception as error:  # an agent may raise anything
            raise OpponentError(f"the opponent {self._names[index]} has failed: {error!r}") from error

    def _choose_at_once(self, agents: Sequence[Agent], decisions: Decisions) -> NDArray[np.int64]:
        """Let equal instances of a stateless agent choose, each in a thread."""
        parts = min(len(agents), len(decisions) // FEWEST)
        if parts <= 1:
            return choose_actions(agents[0], decisions)
        bounds = np.linspace(0, len(decisions), parts + 1, dtype=np.int64)
        shares = [decisions.take(slice(*bound)) for bound in pairwise(bounds)]
        return np.concatenate([*self._executor.map(choose_actions, agents, shares)])


class TrainingPool:
    """The opponents of a training run. Those that still win more often against the learner are drawn more often.

    They are fixed agents, and snapshots: networks that act where the learner's does.
    """

    def __init__(self, settings: Settings) -> None:
        """Begin with the fixed agents."""
        self.settings = settings
        self.names = list(settings.fixed_opponents)
        self.snapshots: list[Network] = []
        self._fixed, self._num_snapshots = len(self.names), 0
        self._win_rates = np.full(len(self.names), 0.5)

    @property
    def win_rates(self) -> dict[str, float]:
        """The learner's recent win rate against each opponent."""
        return dict(zip(self.names, self._win_rates.tolist(), strict=True))

    def share(self, ranks: Ranks) -> None:
        """Let the win rates be the means of the ranks': all have the same pool."""
        self._win_rates = ranks.mean(torch.from_numpy(self._win_rates)).numpy()

    @property
    def weights(self) -> NDArray[np.float64]:
        """The share of games that each opponent gets, (opponents,). In the others the policy plays all seats."""
        settings, own_win_rates = self.settings, 1 - self._win_rates + MIN_WEIGHT
        snapshots_share = max(0.0, 1 - settings.fixed_opponents_share - settings.latest_policy_share)  # if rounded
        weights = np.zeros(len(self.names))
        fixed, snapshots = slice(0, self._fixed), slice(self._fixed, None)
        for group, share in ((fixed, settings.fixed_opponents_share), (snapshots, snapshots_share)):
            if own_win_rates[group].size:
                weights[group] = share * own_win_rates[group] / own_win_rates[group].sum()
        return weights

    def draw(self, seeds: NDArray[np.uint64], teams: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return who plays each seat of new games: indices of opponents or LEARNER, (games, seats).

        In some of the games the learner has one team, drawn at random, and each seat of the others is an opponent's.

        Parameters
        ----------
        seeds
            (games, 2 + seats) random numbers.
        teams
            (seats,) the team of each seat.
        """
        shares = np.cumsum(self.weights)
        uniform = uniform_of(seeds)
        if not shares.size or not shares[-1]:
            return np.full((len(seeds), len(teams)), LEARNER)
        opponents = np.searchsorted(shares / shares[-1], uniform[:, 2:], side="right")
        drawn = (uniform[:, 1] * (teams.max() + 1)).astype(np.int64)
        is_learner = (uniform[:, 0] >= shares[-1])[:, None] | (teams == drawn[:, None])
        return np.where(is_learner, LEARNER, opponents)

    def has_network(self, players: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which of these players are networks: the learner and snapshots."""
        is_network: NDArray[np.bool_] = (players == LEARNER) | (players >= self._fixed)
        return is_network

    def agents_among(self, players: NDArray[np.int64]) -> list[int]:
        """Return the indices of the fixed agents among players."""
        indices: list[int] = np.unique(players[~self.has_network(players)]).tolist()
        return indices

    def snapshots_among(self, players: NDArray[np.int64]) -> Iterator[tuple[int, Network]]:
        """Yield the snapshots among players with their indices."""
        for index in np.unique(players[players >= self._fixed]).tolist():
            yield index, self.snapshots[index - self._fixed]

    def add_snapshot(self, network: Network) -> None:
        """Add a copy of the network; a full pool loses the snapshot that the learner beats most often."""
        first = self._fixed
        self._num_snapshots += 1
        name, snapshot = f"snapshot_{self._num_snapshots}", network.snapshot()
        if len(self.snapshots) < MAX_SNAPSHOTS:
            self.names.append(name)
            self.snapshots.append(snapshot)
            self._win_rates = np.append(self._win_rates, 0.5)
        else:
            index = int(self._win_rates[first:].argmax())
            self.names[first + index], self.snapshots[index], self._win_rates[first + index] = name, snapshot, 0.5

    def record(self, ended: Iterable[tuple[NDArray[np.int64], NDArray[np.float32]]]) -> None:
        """Record games in any order: who played each seat, and the rewards for the ranks, (games, seats) each."""
        wins: dict[int, list[NDArray[np.float64]]] = defaultdict(list)
        for seating, rank_rewards in ended:
            is_own, is_first = seating == LEARNER, rank_rewards == rank_rewards.max(axis=1, keepdims=True)
            of_games = (is_own & is_first).sum(axis=1, keepdims=True) / is_first.sum(axis=1, keepdims=True)
            for index in np.unique(seating[seating != LEARNER]).tolist():
                wins[index].append(np.broadcast_to(of_games, seating.shape)[seating == index])
        for index, parts in wins.items():
            of_all = np.concatenate(parts)
            left = WIN_RATE_DECAY ** len(of_all)
            self._win_rates[index] = left * self._win_rates[index] + (1 - left) * of_all.mean()

    def state(self) -> dict[str, Any]:
        """Return the snapshots and the win rates, for `set_state`."""
        return {
            "names": self.names,
            "num_snapshots": self._num_snapshots,
            "win_rates": torch.from_numpy(self._win_rates),
            "snapshots": [it.state_dict() for it in self.snapshots],
        }

    def set_state(self, state: dict[str, Any], network: Network) -> None:
        """Go on from what `state` returned; the snapshots are networks like this one."""
        self.names, self._num_snapshots = state["names"], state["num_snapshots"]
        self._win_rates = state["win_rates"].numpy()
        self.snapshots = []
        for weights in state["snapshots"]:
            self.snapshots.append(network.snapshot(weights))
