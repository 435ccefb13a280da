"""A PyTorch network of one's own as the file of a policy, which plays like any other."""

import os
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from t2r_env.basics.packages import needs

with needs("train"):
    from torch import nn

from t2r_agents.playing.network import Layer
from t2r_agents.playing.policy import Policy, PolicyFeatures
from t2r_env import Configuration
from t2r_train.network import as_layer


def save_policy(
    path: str | os.PathLike[str],
    module: nn.Module,
    configuration: Configuration,
    *,
    features: str | None = None,
    scale: float = 1.0,
    training: Mapping[str, Any] | None = None,
) -> None:
    """Write a network as the file of a policy, which `t2r tournament --agents FILE` plays.

    Weights are rounded to float16. Networks of other layers play as agents of one's own: `ModelAgent` in
    examples/stable_baselines.py plays any network of MaskablePPO.

    Raises TypeError if the module has other parts than these, and ValueError if they are in another order or of other
    sizes, or if a weight is too large for the file; then nothing is written.

    Parameters
    ----------
    path
        A file whose name ends in `.safetensors`. An earlier one is replaced.
    module
        `nn.Linear` layers with `nn.ReLU` between them, in `nn.Sequential`, which may be nested. Its inputs are the
        vector of an observation, its outputs the logits of all actions.
    configuration
        The game that it plays: `env.configuration`, or of `t2r_env.configure`.
    features
        The name of the derived features of the environment that it was trained in.
    scale
        What the vector was multiplied by before it came into the module, such as 1 / 255.
    training
        What else its card should say, JSON-able: for people only.
    """
    layers = _layers_of(module)
    (weight, bias), *others = layers
    policy = Policy(
        (configuration.identity,),
        configuration.layout.observation,
        ((weight * np.float32(scale), bias), *others),
        dict(training or {}),
        PolicyFeatures.of(features, [configuration]) if features else None,
    )
    policy.check(configuration)
    policy.save(path)


def _layers_of(module: nn.Module) -> list[Layer]:
    """Return the layers of a network that is Linear, ReLU, Linear, ..., Linear."""
    parts = [*_parts(module)]
    for part in parts:
        if not isinstance(part, nn.Linear | nn.ReLU):
            raise TypeError(
                f"a policy's network must be of nn.Linear and nn.ReLU, and has {part}; other networks play as agents of"
                " your own, as ModelAgent in examples/stable_baselines.py"
            )
    if not parts or not isinstance(parts[0], nn.Linear) or not isinstance(parts[-1], nn.Linear):
        raise ValueError("a policy's network must begin and end with nn.Linear")
    if any(isinstance(it, nn.Linear) == isinstance(following, nn.Linear) for it, following in pairwise(parts)):
        raise ValueError("a policy's network must have one nn.ReLU between two nn.Linear")
    return [as_layer(part) for part in parts if isinstance(part, nn.Linear)]


def _parts(module: nn.Module) -> Iterator[nn.Module]:
    """Yield what a module consists of, with nested sequences laid out flat."""
    if not isinstance(module, nn.Sequential):
        yield module
        return
    for part in module:
        yield from _parts(part)
