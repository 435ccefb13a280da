"""Whom the learner plays: agents that always do, its last update, and earlier ones that are still worth beating."""

import numpy as np
import torch
from numpy.typing import NDArray

from agents.policy import Policy, PolicyAgent
from t2r_env import OpponentPool
from train.settings import Settings

LATEST = "latest"
MEMORY = 0.99
"""Of the share of games that the learner wins from an opponent, what one more game leaves of the former share."""
LEAST = 0.05
"""Who is beaten always is still drawn now and then: the weight of an opponent is its own share of wins, and this."""


class TrainingPool(OpponentPool):
    """The opponents of a training, weighted by how well they still do against the learner."""

    def __init__(self, settings: Settings, policy: Policy) -> None:
        self.settings = settings
        self._snapshots = 0
        names = [*settings.fixed, LATEST]
        super().__init__(dict(zip(names, [*settings.fixed, player(policy, sample=True)], strict=True)))
        self._shares = np.full(len(names), 0.5)
        self.renew(policy)

    @property
    def shares(self) -> dict[str, float]:
        """The share of games that the learner lately wins from each opponent."""
        return dict(zip(self.names, self._shares.tolist(), strict=True))

    def renew(self, policy: Policy) -> None:
        """Play the policy of the last update from now on, and weigh all opponents anew."""
        settings = self.settings
        latest = self.names.index(LATEST)
        self.agents[latest] = player(policy, sample=True)
        hard = 1 - self._shares + LEAST
        weights = np.zeros(len(self.agents))
        weights[latest] = settings.latest_share
        rest = max(0.0, 1 - settings.fixed_share - settings.latest_share)  # not less by rounding
        for group, share in ((slice(0, latest), settings.fixed_share), (slice(latest + 1, None), rest)):
            if hard[group].size:
                weights[group] = share * hard[group] / hard[group].sum()
        self.weights = weights

    def keep(self, policy: Policy) -> None:
        """Keep a policy as an opponent; when there are enough, in the place of the one that is beaten most."""
        first = self.names.index(LATEST) + 1
        self._snapshots += 1
        name = f"snapshot_{self._snapshots}"
        if len(self.agents) - first < self.settings.snapshots:
            self.add(name, player(policy, sample=True))
            self._shares = np.append(self._shares, 0.5)
        else:
            place = first + int(self._shares[first:].argmax())
            self.names[place], self.agents[place], self._shares[place] = name, player(policy, sample=True), 0.5

    def note(self, number: int, share: float) -> None:
        """A game against an opponent has ended; `share` of the victory is the learner's."""
        self._shares[number] = MEMORY * self._shares[number] + (1 - MEMORY) * share


class TorchPolicy(Policy):
    """A policy that PyTorch computes, with the threads that it was given: NumPy takes all cores, which are busy."""

    def logits(self, observations: NDArray[np.uint8]) -> NDArray[np.floating]:
        """As in `Policy`."""
        values = torch.from_numpy(observations).float()
        for place, (matrix, added) in enumerate(self.layers):
            values = torch.addmm(
                torch.from_numpy(added), values if place == 0 else values.relu(), torch.from_numpy(matrix)
            )
        logits: NDArray[np.float32] = values.numpy()
        return logits


def player(policy: Policy, *, sample: bool) -> PolicyAgent:
    """An agent that plays by a policy of this training."""
    return PolicyAgent(TorchPolicy(policy.identity, policy.layers), sample=sample)
