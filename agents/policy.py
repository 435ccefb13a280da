"""The agent `policy`: a trained network, read from a file.

A policy's file is a zip archive with a card, `policy.json`, that says what it was trained for, and the weights of its
layers as NumPy arrays. Checkpoints of `train.ppo` are such files too; what else lies in them is not looked at, so that
nothing in them is ever run. Playing needs NumPy only.
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

FORMAT = "t2r_env policy 1"
CARD, WEIGHTS = "policy.json", "policy.npz"
SHIPPED = Path(__file__).parent / "policies"
"""The policies that come with the checkout, by the names of their games."""

Layer = tuple[NDArray[np.floating], NDArray[np.floating]]
"""A matrix (inputs, outputs) and what is added."""


class PolicyError(ValueError):
    """A file that is no policy, or a policy for something else than is played. The message says what it should be."""


@dataclass(frozen=True)
class Policy:
    """A network that weighs the answers to a decision, and what it was trained for.

    It is a multilayer perceptron: the layers are applied in turn, with max(0, x) between them. The first takes an
    observation as it is, uint8. The layers' type is that of the computation. Policies from files compute with 64 bits,
    so that an answer does not hang on how many decisions are answered together: with 32 bits sums differ visibly.
    """

    identity: Mapping[str, Any]
    """Variant, hash of its tables and layouts, number of players, options, environment version."""
    layers: tuple[Layer, ...]
    training: Mapping[str, Any] = field(default_factory=dict)
    """How it was made, for people."""

    def logits(self, observations: NDArray[np.uint8]) -> NDArray[np.floating]:
        """The weights of all actions, (k, actions), for observations (k, size)."""
        values = observations.astype(self.layers[0][0].dtype)
        for matrix, added in self.layers[:-1]:
            values = np.maximum(values @ matrix + added, 0)
        matrix, added = self.layers[-1]
        return values @ matrix + added

    def check(self, configuration: Configuration) -> None:
        """Raise PolicyError if it was trained for something else."""
        title = f"the policy was trained for {_title(self.identity)}"
        for name, here in identity_of(configuration).items():
            if self.identity[name] != here:
                if name == "digest":
                    raise PolicyError(f"{title}, with other tables or layouts than there are now; train it anew")
                words = name.replace("environment_version", "environment version")
                raise PolicyError(f"{title}, with {words} {self.identity[name]!r}; here it is {here!r}")
        sizes = configuration.layout.observation.size, configuration.layout.actions.size
        widths = [sizes[0], *(added.size for _, added in self.layers)]
        expected = [((inputs, outputs), (outputs,)) for inputs, outputs in pairwise(widths)]
        if [(matrix.shape, added.shape) for matrix, added in self.layers] != expected or widths[-1] != sizes[1]:
            shapes = ", ".join(str(matrix.shape) for matrix, _ in self.layers)
            raise PolicyError(f"{title}, but its layers are of the shapes {shapes}, not from {sizes[0]} to {sizes[1]}")

    def write(self, archive: zipfile.ZipFile) -> None:
        """Put card and weights into an archive; weights are rounded to 16 bits."""
        card = {"format": FORMAT, **self.identity, "library_version": __version__, "training": dict(self.training)}
        arrays = {}
        for number, (matrix, added) in enumerate(self.layers):
            arrays[f"matrix_{number}"], arrays[f"added_{number}"] = matrix.astype(np.float16), added.astype(np.float16)
        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, **arrays)
        archive.writestr(CARD, json.dumps(card, indent=2))
        archive.writestr(WEIGHTS, buffer.getvalue())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file of its own, or leave the former one as it is."""
        with new_archive(path, zipfile.ZIP_DEFLATED) as archive:
            self.write(archive)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Policy":
        """Read a policy's file or a checkpoint. Raises PolicyError for what is none."""
        try:
            with zipfile.ZipFile(path) as archive:
                card = json.loads(archive.read(CARD))
                if not isinstance(card, dict) or card.get("format") != FORMAT:
                    raise PolicyError(f"{path} is no policy of the form {FORMAT!r}")
                with np.load(io.BytesIO(archive.read(WEIGHTS)), allow_pickle=False) as arrays:
                    count = len(arrays.files) // 2
                    layers = tuple(
                        (arrays[f"matrix_{i}"].astype(np.float64), arrays[f"added_{i}"].astype(np.float64))
                        for i in range(count)
                    )
                if missing := [name for name in _IDENTITY if name not in card]:
                    raise ValueError(f"its {missing[0]} is missing")
                if not isinstance(card["options"], dict):
                    raise ValueError("its options are no object")
                if not all(np.isfinite(weights).all() for layer in layers for weights in layer):
                    raise ValueError("not all of its weights are numbers")
                identity = {name: card[name] for name in _IDENTITY}
                return cls(identity, layers, card.get("training", {}))
        except PolicyError:
            raise
        except FileNotFoundError:
            raise PolicyError(f"there is no policy {path}") from None
        except Exception as error:  # whatever zipfile, zlib and NumPy say of a file that is none
            raise PolicyError(f"{path} is no policy, or it is damaged: {error}") from None


@contextmanager
def new_archive(path: str | os.PathLike[str], compression: int) -> Iterator[zipfile.ZipFile]:
    """A zip archive to be written, which takes the place of a file once it is complete."""
    new = Path(f"{os.fspath(path)}.new")
    with zipfile.ZipFile(new, "w", compression) as archive:
        yield archive
    new.replace(path)


_IDENTITY = ("variant", "num_players", "options", "environment_version", "digest")


def identity_of(configuration: Configuration) -> dict[str, Any]:
    """What must agree for a policy to fit."""
    identity = configuration.identity | {"environment_version": configuration.variant.environment_version}
    return {name: identity[name] for name in _IDENTITY}


def _title(identity: Mapping[str, Any]) -> str:
    options = ", ".join(f"{name} {value}" for name, value in identity["options"].items())
    return f"{identity['variant']}, {identity['num_players']} players, {options}"


class PolicyAgent:
    """Plays by a policy: the answer it weighs most, or with `sample` one drawn by its probabilities.

    `policy:FILE` plays the policy of that file, `policy` the one that comes with the checkout for the game played.
    """

    def __init__(self, policy: Policy | str | os.PathLike[str] | None = None, *, sample: bool = False) -> None:
        """A policy or its file; without one, that of the game played."""
        self._policy = policy if isinstance(policy, Policy | None) else Policy.load(policy)
        self._sample = sample

    def check(self, configuration: Configuration) -> None:
        """Raise PolicyError if the policy does not fit, or if none is there."""
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
        shares = np.cumsum(np.exp(logits - logits.max(axis=1, keepdims=True)), axis=1)
        rng = (decisions.seeds >> np.uint64(11)).astype(np.float64) / 2.0**53 * shares[:, -1]
        return np.asarray((shares > rng[:, None]).argmax(axis=1), np.int64)


@cache
def shipped_policy(variant: str, num_players: int) -> Policy:
    """The policy that comes with the checkout for a game. Raises PolicyError if there is none."""
    path = SHIPPED / f"{variant}_{num_players}.zip"
    if not path.exists():
        there = ", ".join(sorted(file.stem for file in SHIPPED.glob("*.zip")))
        raise PolicyError(
            f"no policy for {variant} with {num_players} players comes along, only {there}; name a file: policy:FILE"
        )
    return Policy.load(path)
