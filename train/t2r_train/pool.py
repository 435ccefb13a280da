"""The opponents of a training: fixed agents, the latest policy, and snapshots of earlier ones."""

import numpy as np
import torch
from numpy.typing import NDArray

from t2r_agents.policy import Policy, PolicyAgent
from t2r_env import OpponentPool
from t2r_env.agents import AnyAgent
from t2r_train.settings import Settings

LATEST_POLICY = "latest_policy"
WIN_RATE_DECAY = 0.99
"""Win rates are exponential moving averages: each game leaves this share of the former value."""
MIN_WEIGHT = 0.05
"""An opponent's weight is its own win rate plus this, so that one that never wins is still drawn now and then."""


class TrainingPool(OpponentPool):
    """The opponents of a training. Those that still win more often against the learner are drawn more often."""

    def __init__(self, settings: Settings, policy: Policy) -> None:
        self.settings = settings
        self._snapshots = 0
        names = [*settings.fixed_opponents, LATEST_POLICY]
        agents: list[AnyAgent] = [*settings.fixed_opponents, policy_agent(policy, sample=True)]
        super().__init__(dict(zip(names, agents, strict=True)))
        self._win_rates = np.full(len(names), 0.5)
        self.update(policy)

    @property
    def win_rates(self) -> dict[str, float]:
        """The learner's recent win rate against each opponent."""
        return dict(zip(self.names, self._win_rates.tolist(), strict=True))

    def update(self, policy: Policy) -> None:
        """Replace the latest policy, and compute the weights of all opponents from the win rates."""
        settings = self.settings
        latest = self.names.index(LATEST_POLICY)
        self.agents[latest] = policy_agent(policy, sample=True)
        own_win_rates = 1 - self._win_rates + MIN_WEIGHT
        weights = np.zeros(len(self.agents))
        weights[latest] = settings.latest_policy_share
        snapshots_share = max(0.0, 1 - settings.fixed_opponents_share - settings.latest_policy_share)  # if rounded
        fixed, snapshots = slice(0, latest), slice(latest + 1, None)
        for group, share in ((fixed, settings.fixed_opponents_share), (snapshots, snapshots_share)):
            if own_win_rates[group].size:
                weights[group] = share * own_win_rates[group] / own_win_rates[group].sum()
        self.weights = weights

    def add_snapshot(self, policy: Policy) -> None:
        """Add a policy. If the pool holds `max_snapshots` already, it replaces the one that the learner beats most."""
        first = self.names.index(LATEST_POLICY) + 1
        self._snapshots += 1
        name, agent = f"snapshot_{self._snapshots}", policy_agent(policy, sample=True)
        if len(self.agents) - first < self.settings.max_snapshots:
            self.add(name, agent)
            self._win_rates = np.append(self._win_rates, 0.5)
        else:
            index = first + int(self._win_rates[first:].argmax())
            self.names[index], self.agents[index], self._win_rates[index] = name, agent, 0.5

    def record(self, index: int, win: float) -> None:
        """Record the end of a game against an opponent; `win` is from 0 (last rank) to 1 (first rank)."""
        self._win_rates[index] = WIN_RATE_DECAY * self._win_rates[index] + (1 - WIN_RATE_DECAY) * win


class TorchPolicy(Policy):
    """A policy that PyTorch computes. It keeps to PyTorch's number of threads, where NumPy takes all cores."""

    def logits(self, observations: NDArray[np.uint8]) -> NDArray[np.floating]:
        """As in `Policy`."""
        values = torch.from_numpy(observations).float()
        for index, (weight, bias) in enumerate(self.layers):
            inputs = values.relu() if index else values
            values = torch.addmm(torch.from_numpy(bias), inputs, torch.from_numpy(weight))
        logits: NDArray[np.float32] = values.numpy()
        return logits


def policy_agent(policy: Policy, *, sample: bool) -> PolicyAgent:
    """An agent that plays a policy of this training."""
    return PolicyAgent(TorchPolicy(policy.identity, policy.layers), sample=sample)
