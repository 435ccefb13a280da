"""The network of a training as one of RLlib's modules."""

import copy
from typing import Any

import ray
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor

from t2r_train.network import Network

NETWORK = "network"
"""In the module's `model_config`: a reference to the network that it begins with, in Ray's store."""
OUTCOMES = "outcomes"
"""The predicted outcomes, beside RLlib's names of columns."""


class NetworkModule(TorchRLModule, ValueFunctionAPI):
    """A copy of a `Network`, on the observations of `RunnerEnvironment`.

    The inputs of the distribution of actions are log-probabilities; those of illegal actions make them impossible.
    """

    network: Network

    def setup(self) -> None:
        """Get the network."""
        self.network = copy.deepcopy(ray.get(self.model_config[NETWORK]))

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        inputs, _, masks = self._parts(batch)
        return {Columns.ACTION_DIST_INPUTS: self.network.log_probabilities(inputs, masks)}

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        log_probabilities, values, outcomes = self.network(*self._parts(batch))
        return {Columns.ACTION_DIST_INPUTS: log_probabilities, Columns.VF_PREDS: values, OUTCOMES: outcomes}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        """The critic's values, (k,)."""
        return self.values_and_outcomes(batch)[0]

    def values_and_outcomes(self, batch: dict[str, Any]) -> tuple[Tensor, Tensor]:
        """The critic's values and the predicted outcomes, (k,) each."""
        inputs, hidden, _ = self._parts(batch)
        return self.network.values(inputs, hidden)

    def _parts(self, batch: dict[str, Any]) -> tuple[Tensor, Tensor, Tensor]:
        """What the network takes: inputs, what is hidden, and masks."""
        network = self.network
        seen, hidden_size = (len(part.mean) for part in (network.normalise_observations, network.normalise_hidden))
        sizes = [seen, network.num_actions, hidden_size]
        observations, masks, hidden = torch.split(batch[Columns.OBS], sizes, dim=1)
        return (
            network.normalise_observations(observations).to(network.dtype),
            network.normalise_hidden(hidden).to(network.dtype),
            masks.bool(),
        )
