"""The players of a training run's games: the current policy, fixed agents, and snapshots of earlier policies."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from t2r_agents.policy import Policy, PolicyAgent
from t2r_env.agents import Agent, find_agent
from t2r_train.ranks import Ranks
from t2r_train.settings import Settings

LEARNER = -1
"""Stands for the current policy among the indices of agents."""
WIN_RATE_DECAY = 0.99
"""Win rates are exponential moving averages: each game leaves this share of the former value."""
MIN_WEIGHT = 0.05
"""An opponent's weight is its own win rate plus this, so that one that never wins is still drawn now and then."""


class TrainingPool:
    """The opponents of a training run. Those that still win more often against the learner are drawn more often."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.names = list(settings.fixed_opponents)
        self.agents: list[Agent] = [find_agent(name) for name in self.names]
        self._fixed, self._snapshots = len(self.names), 0
        self._win_rates = np.full(len(self.names), 0.5)

    def __getstate__(self) -> dict[str, Any]:
        """Fixed agents are found again by their names: not all can be pickled."""
        return vars(self) | {"agents": self.agents[self._fixed :]}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        vars(self).update(saved)
        self.agents = [*map(find_agent, self.names[: self._fixed]), *saved["agents"]]

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
        weights = np.zeros(len(self.agents))
        fixed, snapshots = slice(0, self._fixed), slice(self._fixed, None)
        for group, share in ((fixed, settings.fixed_opponents_share), (snapshots, snapshots_share)):
            if own_win_rates[group].size:
                weights[group] = share * own_win_rates[group] / own_win_rates[group].sum()
        return weights

    def draw(self, seeds: NDArray[np.uint64], teams: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return who plays each seat of new games: indices of agents or LEARNER, (games, seats).

        In some of the games the learner has one team, drawn at random, and each seat of the others is an opponent's.

        Parameters
        ----------
        seeds
            (games, 2 + seats) random numbers.
        teams
            (seats,) the team of each seat.
        """
        shares = np.cumsum(self.weights)
        # a float holds 53 bits exactly; rounding more of them could give 1
        uniform = (seeds >> np.uint64(11)).astype(np.float64) / 2.0**53
        if not shares.size or not shares[-1]:
            return np.full((len(seeds), len(teams)), LEARNER)
        opponents = np.searchsorted(shares / shares[-1], uniform[:, 2:], side="right")
        drawn = (uniform[:, 1] * (teams.max() + 1)).astype(np.int64)
        is_learner = (uniform[:, 0] >= shares[-1])[:, None] | (teams == drawn[:, None])
        return np.where(is_learner, LEARNER, opponents)

    def add_snapshot(self, policy: Policy) -> None:
        """Add a policy. If the pool holds `max_snapshots` already, it replaces the one that the learner beats most."""
        first = self._fixed
        self._snapshots += 1
        name, agent = f"snapshot_{self._snapshots}", PolicyAgent(policy, sample=True)
        if len(self.agents) - first < self.settings.max_snapshots:
            self.names.append(name)
            self.agents.append(agent)
            self._win_rates = np.append(self._win_rates, 0.5)
        else:
            index = first + int(self._win_rates[first:].argmax())
            self.names[index], self.agents[index], self._win_rates[index] = name, agent, 0.5

    def record(self, seating: NDArray[np.int64], rank_rewards: NDArray[np.float32]) -> None:
        """Record the ends of games, given who played each seat and the rewards for their ranks, (games, seats) each."""
        for players, rewards in zip(seating, rank_rewards, strict=True):
            if (opponents := players[players != LEARNER]).size:
                win = (1 + float(rewards[players == LEARNER][0])) / 2
                for index in opponents:
                    self._win_rates[index] = WIN_RATE_DECAY * self._win_rates[index] + (1 - WIN_RATE_DECAY) * win
