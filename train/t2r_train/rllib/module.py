"""The network of a training as one of RLlib's modules."""

from typing import Any

import numpy as np
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor

from t2r_env import Games
from t2r_train.network import Network, new_network
from t2r_train.settings import Settings

SETTINGS = "settings"
"""The name of the training's settings in what RLlib passes on to modules and environments."""
OUTCOMES = "outcomes"
"""The predicted outcomes, beside RLlib's names of columns."""


class NetworkModule(TorchRLModule, ValueFunctionAPI):
    """The `Network` of a training, on the observations of `RunnerEnvironment`; `model_config` has its SETTINGS.

    The inputs of the distribution of actions are log-probabilities; those of illegal actions make them impossible.
    """

    network: Network

    def setup(self) -> None:
        """Make a network; its weights and what it is normalised by come from the learner."""
        self.network = empty_network(self.model_config[SETTINGS], self.observation_space.shape[0])

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


def empty_network(settings: Settings, size: int) -> Network:
    """A network for observations of `RunnerEnvironment` of this size. It has measured no inputs."""
    layout = Games(settings.configuration(), **settings.observation_options()).layout
    seen = layout.observation.size
    sizes = seen, size - seen - layout.actions.size
    network = new_network(settings, *(np.zeros((1, inputs), np.uint8) for inputs in sizes))
    network.uses_bfloat16 = settings.precision == "bfloat16"
    return network
