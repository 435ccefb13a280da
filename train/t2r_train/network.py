"""The network: policy and values of positions, and their export as a file that needs no PyTorch to play."""

import copy
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from t2r_agents.playing.network import Layer
from t2r_agents.playing.policy import Policy, PolicyFeatures, Skip
from t2r_env import Configuration
from t2r_env.core.layout import Segments
from t2r_train.inputs import PLANNER_ACTION, Inputs
from t2r_train.settings import Settings

MIN_STD = 0.2
"""Inputs with a smaller standard deviation are divided by this instead, so that rare ones do not become large."""
ILLEGAL = -1e30
"""The logit of illegal actions, far below legal ones. It is finite, so that 0 times it is 0."""
HIDDEN_UNITS = 128
"""Units of the critic's first layer on what the acting seat can't see."""
TICKETS = "tickets"
"""The segment of the tickets held, which has an entry for each ticket of the deck."""
OUTCOME_UNITS = 64
"""Units of the hidden layer of the head that predicts the outcome."""


class FirstLayer(nn.Linear):
    """A layer for inputs that are normalised: less their mean, divided by their standard deviation.

    It takes them as they are, uint8, and normalises its weights instead. Only the mean's whole part is subtracted from
    them, so that they are small integers, which bfloat16 holds exactly.
    """

    mean: Tensor
    factor: Tensor

    def __init__(self, samples: NDArray[np.uint8], units: int, untouched: slice | None = None) -> None:
        """Measure mean and deviation in samples (k, size). Inputs that are `untouched` stay as they are."""
        super().__init__(samples.shape[1], units)
        _initialise(self, math.sqrt(2))
        values = samples.astype(np.float32)
        mean, std = values.mean(axis=0), np.maximum(values.std(axis=0), MIN_STD)
        if untouched:
            mean[untouched], std[untouched] = 0, 1
        self.register_buffer("mean", torch.from_numpy(mean))
        self.register_buffer("factor", torch.from_numpy(1 / std))
        self.kept: tuple[Tensor, Tensor] | None = None
        """Its weight and bias for centred inputs, while they do not change (`keep`)."""

    def for_raw_inputs(self) -> tuple[Tensor, Tensor]:
        """Return the weight (units, size) and the bias (units,) for inputs that are not normalised."""
        weight = self.weight * self.factor
        return weight, self.bias - weight @ self.mean

    def _for_centred_inputs(self) -> tuple[Tensor, Tensor]:
        with torch.autocast(self.weight.device.type, enabled=False):
            weight = self.weight * self.factor
            return weight, self.bias - weight @ (self.mean - self.mean.round())

    def keep(self, dtype: torch.dtype) -> None:
        """Compute what follows from the weights alone, for inputs of this type, until `kept` is None again."""
        weight, bias = self._for_centred_inputs()
        self.kept = weight.to(dtype), bias.to(dtype)

    def forward(self, inputs: Tensor) -> Tensor:
        """Return the outputs (k, units) for inputs (k, size), uint8, in the precision of the autocast."""
        is_lower = torch.is_autocast_enabled(inputs.device.type)
        dtype = torch.bfloat16 if is_lower else torch.float32
        weight, bias = self.kept or self._for_centred_inputs()
        return functional.linear(inputs.to(dtype).sub_(self.mean.round().to(dtype)), weight.to(dtype), bias.to(dtype))


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
        width, arch = settings.features_dim, settings.net_arch
        self.features = FirstLayer(observations, width, prior)
        self.hidden_features = FirstLayer(hidden, HIDDEN_UNITS) if hidden.shape[1] else None
        self.actor = _layers((width, *arch))
        self.action_head = _linear((width, *arch)[-1], num_actions, 0.01)
        critic = (width + (HIDDEN_UNITS if self.hidden_features else 0), *arch)
        self.critic, self.value_head = _layers(critic), _linear(critic[-1], 1, 1.0)
        self.outcome, self.outcome_head = _layers((width, OUTCOME_UNITS)), _linear(OUTCOME_UNITS, 1, 0.01)

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return self.features.weight.device

    @contextmanager
    def constant(self) -> Iterator[None]:
        """Compute without gradients; what follows from the weights alone is computed once."""
        with torch.inference_mode():
            self._keep()
            try:
                yield
            finally:
                for layer in self._first_layers():
                    layer.kept = None

    def snapshot(self, weights: Mapping[str, Tensor] | None = None) -> "Network":
        """Return a copy that does not learn, with these weights if they are given."""
        copied = copy.deepcopy(self).requires_grad_(False)
        if weights is not None:
            copied.load_state_dict(weights)
        copied._keep()
        return copied

    def _keep(self) -> None:
        for layer in self._first_layers():
            layer.keep(torch.bfloat16 if self.uses_bfloat16 else torch.float32)

    def _first_layers(self) -> list[FirstLayer]:
        return [layer for layer in (self.features, self.hidden_features) if layer]

    def log_probabilities(self, inputs: Tensor, masks: Tensor) -> Tensor:
        """Return log-probabilities, float32 (k, actions), given observations (k, size), uint8, and bool masks."""
        with self._precision():
            latent = self.actor(torch.relu(self.features(inputs)))
        return self._log_probabilities(latent, inputs, masks)

    def forward(self, inputs: Tensor, hidden: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """Return log-probabilities (k, actions) and values (k, 2), float32: the critic's, and the predicted outcomes.

        `inputs` are observations and `hidden` what their seats can't see, uint8 (k, size); `masks` bool (k, actions).
        With `uses_bfloat16` the hidden layers are computed in it, the heads in float32.
        """
        with self._precision():
            features = torch.relu(self.features(inputs))
            latents = self.actor(features), self._critic(features, hidden), self.outcome(features.detach())
        log_probabilities = self._log_probabilities(latents[0], inputs, masks)
        values = self.value_head(latents[1].float()), self.outcome_head(latents[2].float())
        return log_probabilities, torch.cat(values, dim=1)

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
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.uses_bfloat16)

    def export(self, configurations: Sequence[Configuration], **training: Any) -> Policy:
        """Return actor and outcome as a policy, with normalisation in its first layer; `training` is for its card."""
        weight, bias = map(_array, self.features.for_raw_inputs())
        first = np.ascontiguousarray(weight.T), bias
        actor = [*_linears(self.actor), self.action_head]
        outcome = [*_linears(self.outcome), self.outcome_head]
        name = self.settings.features
        return Policy(
            tuple(configuration.identity for configuration in configurations),
            Segments.covering([configuration.layout.observation for configuration in configurations]),
            (first, *map(as_layer, actor)),
            training,
            PolicyFeatures.of(name, configurations) if name else None,
            self.skip,
            tuple(map(as_layer, outcome)),
        )

    def begin_with(self, policy: Policy, inputs: Segments) -> None:
        """Let actor and outcome be those of a policy, given the segments of the inputs here.

        It may have been trained for other numbers of players, or tickets on offer: what it did not see has no weight.
        Raises ValueError if it reads segments that are missing here, or if its layers or its skip are others.
        """
        reads = policy.reads
        weights, biases = zip(*policy.layers, *policy.value_layers, strict=True)
        own = [self.features, *_linears(self.actor), self.action_head, *_linears(self.outcome), self.outcome_head]
        variant, (configuration, *_) = policy.identities[0]["variant"], self.settings.configurations()
        if variant != configuration.variant.id or reads.shapes.get(TICKETS) != inputs.shapes.get(TICKETS):
            raise ValueError(
                f"initial_policy was trained for {variant}, or for other tickets than are played with here"
            )
        columns = {name: segment.shape[1:] for name, segment in inputs.items()}
        if others := [name for name, segment in reads.items() if columns.get(name) != segment.shape[1:]]:
            raise ValueError(f"initial_policy reads {others[0]}, which is missing or has other columns here")
        first = np.ascontiguousarray(inputs.fit(weights[0].T, reads).T)
        shapes = [layer.weight.T.shape for layer in own]
        if (given := [weight.shape for weight in (first, *weights[1:])]) != [tuple(shape) for shape in shapes]:
            raise ValueError(f"initial_policy has layers of the shapes {given}, not {shapes}")
        weight_here, weight_there = (skip.weight if skip else 0 for skip in (self.skip, policy.skip))
        if weight_here != weight_there:
            raise ValueError(f"initial_policy was trained with a prior_weight of {weight_there}, not {weight_here}")
        with torch.no_grad():
            for layer, weight, bias in zip(own, (first, *weights[1:]), biases, strict=True):
                layer.weight.copy_(torch.from_numpy(weight.T))
                layer.bias.copy_(torch.from_numpy(bias))
            raw = self.features.weight.clone()  # of inputs that are not normalised
            self.features.bias.add_(raw @ self.features.mean)
            self.features.weight.copy_(raw / self.features.factor)


def new_network(
    settings: Settings, inputs: Inputs, observations: NDArray[np.uint8], hidden: NDArray[np.uint8]
) -> Network:
    """Return a new network for these settings, given samples of its inputs as for `Network`."""
    prior = inputs.observation[PLANNER_ACTION].start if settings.prior_weight else 0
    skip = Skip(prior, settings.prior_weight) if settings.prior_weight else None
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(settings.seed)
        return Network(observations, hidden, inputs.num_actions, settings, skip)


def has_bfloat16(device: torch.device) -> bool:
    """Whether a device multiplies matrices of bfloat16 faster than those of float32."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    capabilities: Any = getattr(torch.cpu, "get_capabilities", dict)()  # older versions of PyTorch do not tell
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_tile"))


def _linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    _initialise(layer, gain)
    return layer


def _initialise(layer: nn.Linear, gain: float) -> None:
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)


def _layers(widths: Sequence[int]) -> nn.Sequential:
    return nn.Sequential(*(part for pair in pairwise(widths) for part in (_linear(*pair, math.sqrt(2)), nn.ReLU())))


def _linears(layers: nn.Sequential) -> list[nn.Linear]:
    return [layer for layer in layers if isinstance(layer, nn.Linear)]


def as_layer(module: nn.Linear) -> Layer:
    """Return the weight and the bias of a layer as a policy has them."""
    weight = np.ascontiguousarray(_array(module.weight).T)
    bias = dict(module.named_parameters()).get("bias")  # it may have none
    return weight, np.zeros(weight.shape[1], np.float32) if bias is None else _array(bias)


def _array(tensor: Tensor) -> NDArray[np.float32]:
    array: NDArray[np.float32] = tensor.detach().float().cpu().numpy().copy()
    return array
