"""The agent `policy`: a trained network, read from a file.

The file of a policy is a zip archive of a card, `policy.json`, which says what it was trained for, and the weights of
its layers as NumPy arrays, `policy.npz`. A checkpoint of `train.ppo` is such a file too; its other parts are not read,
so that loading a policy never runs code from the file. Playing needs only NumPy.
"""

import io
import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env import Configuration, __version__
from t2r_env.agents import Decisions
from t2r_env.files import replacing

FORMAT = "t2r_env policy 1"
CARD, WEIGHTS = "policy.json", "policy.npz"
SHIPPED = Path(__file__).parent / "policies"
"""The folder of the policies that come with the checkout, `VARIANT_PLAYERS.zip`."""

Layer = tuple[NDArray[np.floating], NDArray[np.floating]]
"""Weight (inputs, outputs) and bias (outputs,)."""


class PolicyError(ValueError):
    """A file that is not a policy, or a policy that was trained for another configuration. The message says which."""


@dataclass(frozen=True)
class Policy:
    """A network that maps observations to logits of actions, and what it was trained for.

    It is a multilayer perceptron with ReLU between its layers. Its inputs are observations as they are, uint8. It
    computes in the dtype of its layers. Policies from files compute in float64, so that an action does not depend on
    how many decisions are made together: in float32 the rounding of sums differs visibly.
    """

    identity: Mapping[str, Any]
    """Variant, hash of its tables and layouts, number of players, options, environment version."""
    layers: tuple[Layer, ...]
    training: Mapping[str, Any] = field(default_factory=dict)
    """How it was trained: settings, timesteps and time. Information only."""

    def logits(self, observations: NDArray[np.uint8]) -> NDArray[np.floating]:
        """The logits of all actions, legal or not, (k, actions), for observations (k, size)."""
        values = observations.astype(self.layers[0][0].dtype)
        for weight, bias in self.layers[:-1]:
            values = np.maximum(values @ weight + bias, 0)
        weight, bias = self.layers[-1]
        return values @ weight + bias

    def check(self, configuration: Configuration) -> None:
        """Raise PolicyError if it was trained for another configuration, or if its layers do not fit this one."""
        title = f"the policy was trained for {_title(self.identity)}"
        for name, here in identity_of(configuration).items():
            if self.identity[name] != here:
                if name == "digest":
                    raise PolicyError(f"{title}, with other tables or layouts than this version has; train it again")
                label = name.replace("environment_version", "environment version")
                raise PolicyError(f"{title}, with {label} {self.identity[name]!r}, not {here!r}")
        sizes = configuration.layout.observation.size, configuration.layout.actions.size
        widths = [sizes[0], *(bias.size for _, bias in self.layers)]
        expected = [((inputs, outputs), (outputs,)) for inputs, outputs in pairwise(widths)]
        if [(weight.shape, bias.shape) for weight, bias in self.layers] != expected or widths[-1] != sizes[1]:
            shapes = ", ".join(str(weight.shape) for weight, _ in self.layers)
            raise PolicyError(f"{title}, but its layers have the shapes {shapes}, not from {sizes[0]} to {sizes[1]}")

    def write(self, archive: zipfile.ZipFile) -> None:
        """Write card and weights to an archive; weights are rounded to float16."""
        card = {"format": FORMAT, **self.identity, "library_version": __version__, "training": dict(self.training)}
        arrays = {}
        for number, (weight, bias) in enumerate(self.layers):
            arrays[f"weight_{number}"], arrays[f"bias_{number}"] = weight.astype(np.float16), bias.astype(np.float16)
        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, **arrays)
        archive.writestr(CARD, json.dumps(card, indent=2))
        archive.writestr(WEIGHTS, buffer.getvalue())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file. If that is interrupted, the file that was there before stays."""
        with new_archive(path, zipfile.ZIP_DEFLATED) as archive:
            self.write(archive)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Policy":
        """Read the file of a policy, or a checkpoint. Raises PolicyError if it is neither, or damaged."""
        try:
            with zipfile.ZipFile(path) as archive:
                card = json.loads(archive.read(CARD))
                if not isinstance(card, dict) or card.get("format") != FORMAT:
                    raise PolicyError(f"{path} is not a policy of the format {FORMAT!r}")
                with np.load(io.BytesIO(archive.read(WEIGHTS)), allow_pickle=False) as arrays:
                    count = len(arrays.files) // 2
                    layers = tuple(
                        (arrays[f"weight_{i}"].astype(np.float64), arrays[f"bias_{i}"].astype(np.float64))
                        for i in range(count)
                    )
                if missing := [name for name in _IDENTITY if name not in card]:
                    raise ValueError(f"its {missing[0]} is missing")
                if not isinstance(card["options"], dict):
                    raise ValueError("its options are not an object")
                if not all(np.isfinite(array).all() for layer in layers for array in layer):
                    raise ValueError("its weights are not all finite")
                identity = {name: card[name] for name in _IDENTITY}
                return cls(identity, layers, card.get("training", {}))
        except PolicyError:
            raise
        except FileNotFoundError:
            raise PolicyError(f"there is no file {path}") from None
        except Exception as error:  # zipfile, zlib and NumPy raise many types for damaged files
            raise PolicyError(f"{path} is not a policy, or it is damaged: {error}") from None


@contextmanager
def new_archive(path: str | os.PathLike[str], compression: int) -> Iterator[zipfile.ZipFile]:
    """A new zip archive, which replaces the file at `path` once it is complete."""
    with replacing(path) as new, zipfile.ZipFile(new, "w", compression) as archive:
        yield archive


_IDENTITY = ("variant", "num_players", "options", "environment_version", "digest")


def identity_of(configuration: Configuration) -> dict[str, Any]:
    """What must agree for a policy to fit a configuration."""
    identity = configuration.identity | {"environment_version": configuration.variant.environment_version}
    return {name: identity[name] for name in _IDENTITY}


def _title(identity: Mapping[str, Any]) -> str:
    options = ", ".join(f"{name} {value}" for name, value in identity["options"].items())
    return f"{identity['variant']}, {identity['num_players']} players, {options}"


class PolicyAgent:
    """Plays the most probable action of a policy, or with `sample` one drawn from its probabilities.

    `policy:FILE` is the policy of that file, `policy` the one that comes with the checkout for the configuration.
    """

    def __init__(self, policy: Policy | str | os.PathLike[str] | None = None, *, sample: bool = False) -> None:
        """A policy or its file; None: the one that comes with the checkout for the configuration."""
        self._policy = policy if isinstance(policy, Policy | None) else Policy.load(policy)
        self._sample = sample

    def check(self, configuration: Configuration) -> None:
        """Raise PolicyError if the policy does not fit the configuration, or if there is none for it."""
        self._policy_for(configuration).check(configuration)

    def _policy_for(self, configuration: Configuration) -> Policy:
        return self._policy or shipped_policy(configuration.variant.id, configuration.num_players)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision, shape (k,). Raises PolicyError if the policy does not fit."""
        policy = self._policy_for(decisions.configuration)
        policy.check(decisions.configuration)
        logits = np.where(decisions.masks == 1, policy.logits(decisions.observations), -np.inf)
        if not self._sample:
            return np.asarray(logits.argmax(axis=1), np.int64)
        cumulative = np.cumsum(np.exp(logits - logits.max(axis=1, keepdims=True)), axis=1)
        drawn = (decisions.seeds >> np.uint64(11)).astype(np.float64) / 2.0**53 * cumulative[:, -1]
        return np.asarray((cumulative > drawn[:, None]).argmax(axis=1), np.int64)


@cache
def shipped_policy(variant: str, num_players: int) -> Policy:
    """The policy that comes with the checkout for a variant. Raises PolicyError if there is none."""
    path = SHIPPED / f"{variant}_{num_players}.zip"
    if not path.exists():
        shipped = ", ".join(sorted(file.stem for file in SHIPPED.glob("*.zip")))
        raise PolicyError(
            f"there is no policy for {variant} with {num_players} players, only {shipped}; or name a file: policy:FILE"
        )
    return Policy.load(path)
