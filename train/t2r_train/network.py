"""The network: a multilayer perceptron on normalised observations, and its export as a policy that needs no PyTorch."""

from typing import Any

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from t2r_agents.policy import Layer, Policy, identity_of
from t2r_env import Configuration, trajectories
from t2r_train.settings import Settings

MIN_STD = 0.2
"""Inputs with a smaller standard deviation are divided by this instead, so that rare ones do not become large."""
NORMALISATION_GAMES = 64
"""Games in which mean and standard deviation of the inputs are measured."""


class NormalisedFeatures(BaseFeaturesExtractor):
    """The features extractor: normalises observations and applies the first layer."""

    def __init__(
        self,
        observation_space: gymnasium.Space[Any],
        mean: NDArray[np.float32],
        std: NDArray[np.float32],
        features_dim: int,
    ) -> None:
        super().__init__(observation_space, features_dim)
        self.mean: torch.Tensor
        self.std: torch.Tensor
        self.register_buffer("mean", torch.as_tensor(mean))
        self.register_buffer("std", torch.as_tensor(std))
        self.linear = nn.Linear(len(mean), features_dim)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Features (k, features_dim) of observations (k, size)."""
        return torch.relu(self.linear((observations - self.mean) / self.std))


def policy_kwargs(configuration: Configuration, settings: Settings) -> dict[str, Any]:
    """The `policy_kwargs` of MaskablePPO. Normalisation is measured in games of `greedy` against itself."""
    observations = np.concatenate(
        [
            trajectory.observations
            for trajectory in trajectories(
                configuration, agents="greedy", games=NORMALISATION_GAMES, seed=settings.seed
            )
        ]
    ).astype(np.float32)
    return {
        "features_extractor_class": NormalisedFeatures,
        "features_extractor_kwargs": {
            "mean": observations.mean(axis=0),
            "std": np.maximum(observations.std(axis=0), MIN_STD),
            "features_dim": settings.features_dim,
        },
        "net_arch": {"pi": list(settings.net_arch), "vf": list(settings.net_arch)},
        "activation_fn": nn.ReLU,
    }


def logits_and_values(
    network: MaskableActorCriticPolicy, observations: torch.Tensor, masks: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Logits (k, actions), those of illegal actions being -1e8, and values (k,)."""
    actor, critic = network.mlp_extractor(network.extract_features(observations.float()))
    logits = network.action_net(actor).masked_fill(masks == 0, -1e8)
    return logits, network.value_net(critic).squeeze(-1)


def export_policy(network: MaskableActorCriticPolicy, configuration: Configuration, **training: Any) -> Policy:
    """The actor as a policy, the normalisation being folded into its first layer; `training` is for its card."""
    features = network.features_extractor
    assert isinstance(features, NormalisedFeatures)
    scale = 1 / _array(features.std)
    weight, bias = _layer(features.linear)
    first = (weight * scale[:, None], bias - (_array(features.mean) * scale) @ weight)
    hidden = [_layer(module) for module in network.mlp_extractor.policy_net if isinstance(module, nn.Linear)]
    last = network.action_net
    assert isinstance(last, nn.Linear)
    return Policy(identity_of(configuration), (first, *hidden, _layer(last)), training)


def _layer(module: nn.Linear) -> Layer:
    return np.ascontiguousarray(_array(module.weight).T), _array(module.bias)


def _array(tensor: torch.Tensor) -> NDArray[np.float32]:
    array: NDArray[np.float32] = tensor.detach().cpu().numpy().copy()
    return array
