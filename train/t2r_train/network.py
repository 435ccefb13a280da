"""The network: policy and values of positions, and their export as a file that needs no PyTorch to play."""

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from t2r_agents.network import Layer
from t2r_agents.policy import Policy, PolicyFeatures, Skip
from t2r_env import Configuration, Games
from t2r_train.settings import Settings

MIN_STD = 0.2
"""Inputs with a smaller standard deviation are divided by this instead, so that rare ones do not become large."""
ILLEGAL = -1e8
"""The logit of illegal actions. It is finite, so that 0 times it is 0."""
HIDDEN_UNITS = 128
"""Units of the critic's first layer on what the acting seat can't see."""
PRIOR = "planner_action"
"""The features that tell the planner's action, one-hot."""
OUTCOME_UNITS = 64
"""Units of the hidden layer of the head that predicts the outcome."""


class Normalisation(nn.Module):
    """A layer that subtracts the mean of each input and divides by its standard deviation."""

    mean: Tensor
    factor: Tensor

    def __init__(self, samples: NDArray[np.uint8], untouched: slice | None = None) -> None:
        """Measure both in samples (k, size). Inputs that are `untouched` stay as they are."""
        super().__init__()
        values = samples.astype(np.float32)
        mean, std = values.mean(axis=0), np.maximum(values.std(axis=0), MIN_STD)
        if untouched:
            mean[untouched], std[untouched] = 0, 1
        self.register_buffer("mean", torch.from_numpy(mean))
        self.register_buffer("factor", torch.from_numpy(1 / std))

    def forward(self, inputs: Tensor) -> Tensor:
        """Return normalised float32 inputs (k, size)."""
        return (inputs.float() - self.mean) * self.factor


class Network(nn.Module):
    """Multilayer perceptrons with ReLU: an actor, a critic, and a head that predicts the outcome of the game.

    They share the first layer, `features`, on the observation. The critic may also see what is hidden from the acting
    seat; it is used in training only. The outcome is the rank at the end, from -1 (last) to 1 (first), as predicted
    from the observation: it is exported with the policy, and its gradients do not reach the shared layer.

    With a `skip`, the logits are those of the actor plus `skip.weight` times the inputs from `skip.first` on.
    """

    def __init__(
        self,
        observations: NDArray[np.uint8],
        hidden: NDArray[np.uint8],
        num_actions: int,
        settings: Settings,
        skip: Skip | None = None,
    ) -> None:
        """Make the layers, given samples `observations` and `hidden` (k, size) to measure mean and deviation in."""
        super().__init__()
        self.settings, self.skip, self.num_actions = settings, skip, num_actions
        self.uses_bfloat16 = False
        prior = slice(skip.first, skip.first + num_actions) if skip else None
        self.normalise_observations, self.normalise_hidden = Normalisation(observations, prior), Normalisation(hidden)
        width, arch = settings.features_dim, settings.net_arch
        self.features = _linear(observations.shape[1], width, math.sqrt(2))
        self.hidden_features = _linear(hidden.shape[1], HIDDEN_UNITS, math.sqrt(2)) if hidden.shape[1] else None
        self.actor = _layers((width, *arch))
        self.action_head = _linear((width, *arch)[-1], num_actions, 0.01)
        critic = (width + (HIDDEN_UNITS if self.hidden_features else 0), *arch)
        self.critic, self.value_head = _layers(critic), _linear(critic[-1], 1, 1.0)
        self.outcome, self.outcome_head = _layers((width, OUTCOME_UNITS)), _linear(OUTCOME_UNITS, 1, 0.01)

    @property
    def dtype(self) -> torch.dtype:
        """The type of inputs and of the computation of hidden layers. Heads, losses and weights are float32."""
        return torch.bfloat16 if self.uses_bfloat16 else torch.float32

    def prepare(self, observations: NDArray[np.uint8], hidden: NDArray[np.uint8]) -> tuple[Tensor, Tensor]:
        """Return observations (k, size) and what is hidden (k, size) as the other methods take them."""
        device = self.features.weight.device
        return (
            self.normalise_observations(torch.from_numpy(observations).to(device)).to(self.dtype),
            self.normalise_hidden(torch.from_numpy(hidden).to(device)).to(self.dtype),
        )

    def log_probabilities(self, inputs: Tensor, masks: Tensor) -> Tensor:
        """Return log-probabilities, float32 (k, actions), given prepared observations and bool masks (k, actions)."""
        with self._precision():
            latent = self.actor(torch.relu(self.features(inputs)))
        return self._log_probabilities(latent, inputs, masks)

    def values(self, inputs: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """Return the critic's values and the predicted outcomes, float32 (k,) each."""
        with self._precision():
            features = torch.relu(self.features(inputs))
            latents = self._critic(features, hidden), self.outcome(features)
        return self.value_head(latents[0].float()).squeeze(-1), self.outcome_head(latents[1].float()).squeeze(-1)

    def forward(self, inputs: Tensor, hidden: Tensor, masks: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return log-probabilities (k, actions), values (k,) and outcomes (k,)."""
        with self._precision():
            features = torch.relu(self.features(inputs))
            latents = self.actor(features), self._critic(features, hidden), self.outcome(features.detach())
        log_probabilities = self._log_probabilities(latents[0], inputs, masks)
        values, outcomes = self.value_head(latents[1].float()), self.outcome_head(latents[2].float())
        return log_probabilities, values.squeeze(-1), outcomes.squeeze(-1)

    def _critic(self, features: Tensor, hidden: Tensor) -> Tensor:
        if self.hidden_features is not None:
            features = torch.cat([features, torch.relu(self.hidden_features(hidden))], dim=1)
        latent: Tensor = self.critic(features)
        return latent

    def _log_probabilities(self, latent: Tensor, inputs: Tensor, masks: Tensor) -> Tensor:
        logits = self.action_head(latent.float())
        if self.skip:
            first, weight = self.skip
            logits = logits + weight * inputs[:, first : first + self.num_actions].float()
        return torch.log_softmax(logits.masked_fill(~masks, ILLEGAL), dim=1)

    def _precision(self) -> AbstractContextManager[None]:
        return torch.autocast(self.features.weight.device.type, torch.bfloat16, enabled=self.uses_bfloat16)

    def export(self, configuration: Configuration, **training: Any) -> Policy:
        """Return actor and outcome as a policy, with normalisation in its first layer; `training` is for its card."""
        factor, mean = _array(self.normalise_observations.factor), _array(self.normalise_observations.mean)
        weight, bias = _layer(self.features)
        first = (weight * factor[:, None], bias - (mean * factor) @ weight)
        actor = [*_linears(self.actor), self.action_head]
        outcome = [*_linears(self.outcome), self.outcome_head]
        name = self.settings.features
        return Policy(
            configuration.identity,
            configuration.layout.observation,
            (first, *map(_layer, actor)),
            training,
            PolicyFeatures.of(name, configuration) if name else None,
            self.skip,
            tuple(map(_layer, outcome)),
        )


def new_network(settings: Settings, observations: NDArray[np.uint8], hidden: NDArray[np.uint8]) -> Network:
    """Return a new network for these settings, given samples of its inputs as for `Network`."""
    layout = Games(settings.configuration(), **settings.observation_options()).layout
    prior = layout.observation[PRIOR].start if settings.prior_weight else 0
    skip = Skip(prior, settings.prior_weight) if settings.prior_weight else None
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(settings.seed)
        return Network(observations, hidden, layout.actions.size, settings, skip)


def has_bfloat16(device: torch.device) -> bool:
    """Whether a device multiplies matrices of bfloat16 faster than those of float32."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    capabilities: Any = getattr(torch.cpu, "get_capabilities", dict)()  # older versions of PyTorch do not tell
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_tile"))


def _linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def _layers(widths: Sequence[int]) -> nn.Sequential:
    return nn.Sequential(*(part for pair in pairwise(widths) for part in (_linear(*pair, math.sqrt(2)), nn.ReLU())))


def _linears(layers: nn.Sequential) -> list[nn.Linear]:
    return [layer for layer in layers if isinstance(layer, nn.Linear)]


def _layer(module: nn.Linear) -> Layer:
    return np.ascontiguousarray(_array(module.weight).T), _array(module.bias)


def _array(tensor: Tensor) -> NDArray[np.float32]:
    array: NDArray[np.float32] = tensor.detach().cpu().numpy().copy()
    return array
