"""The network: a multilayer perceptron on normalised counts and one-hots, and what is kept of it to play with."""

from typing import Any

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from agents.policy import Layer, Policy, identity_of
from t2r_env import Configuration, trajectories
from train.settings import Settings

LEAST_DEVIATION = 0.2
"""Inputs that hardly ever change are not blown up beyond this."""
SAMPLE_GAMES = 64
"""From which inputs are normalised."""


class Trunk(BaseFeaturesExtractor):
    """The first layer, with normalised inputs."""

    def __init__(
        self,
        observation_space: gymnasium.Space[Any],
        mean: NDArray[np.float32],
        deviation: NDArray[np.float32],
        width: int,
    ) -> None:
        super().__init__(observation_space, width)
        self.mean: torch.Tensor
        self.deviation: torch.Tensor
        self.register_buffer("mean", torch.as_tensor(mean))
        self.register_buffer("deviation", torch.as_tensor(deviation))
        self.first = nn.Linear(len(mean), width)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Features (k, width) of observations (k, size)."""
        return torch.relu(self.first((observations - self.mean) / self.deviation))


def network_arguments(configuration: Configuration, settings: Settings) -> dict[str, Any]:
    """The `policy_kwargs` of the network; inputs are normalised by what is seen in some games of `greedy`."""
    seen = np.concatenate(
        [
            trajectory.observations
            for trajectory in trajectories(configuration, agents="greedy", games=SAMPLE_GAMES, seed=settings.seed)
        ]
    ).astype(np.float32)
    return {
        "features_extractor_class": Trunk,
        "features_extractor_kwargs": {
            "mean": seen.mean(axis=0),
            "deviation": np.maximum(seen.std(axis=0), LEAST_DEVIATION),
            "width": settings.trunk,
        },
        "net_arch": {"pi": list(settings.heads), "vf": list(settings.heads)},
        "activation_fn": nn.ReLU,
    }


def weigh(
    network: MaskableActorCriticPolicy, observations: torch.Tensor, masks: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """The logits of all actions (k, actions), those of answers that are not legal being very small, and values (k,)."""
    actor, critic = network.mlp_extractor(network.extract_features(observations.float()))
    logits = network.action_net(actor).masked_fill(masks == 0, -1e8)
    return logits, network.value_net(critic).squeeze(-1)


def policy_of(network: MaskableActorCriticPolicy, configuration: Configuration, **training: Any) -> Policy:
    """The part of the network that weighs answers, with the normalisation of inputs in its first layer."""
    trunk = network.features_extractor
    assert isinstance(trunk, Trunk)
    scale = 1 / _array(trunk.deviation)
    matrix, added = _layer(trunk.first)
    first = (matrix * scale[:, None], added - (_array(trunk.mean) * scale) @ matrix)
    heads = [_layer(module) for module in network.mlp_extractor.policy_net if isinstance(module, nn.Linear)]
    last = network.action_net
    assert isinstance(last, nn.Linear)
    return Policy(identity_of(configuration), (first, *heads, _layer(last)), training)


def _layer(module: nn.Linear) -> Layer:
    return np.ascontiguousarray(_array(module.weight).T), _array(module.bias)


def _array(tensor: torch.Tensor) -> NDArray[np.float32]:
    array: NDArray[np.float32] = tensor.detach().cpu().numpy().copy()
    return array
