"""The file of a network of values: what it reads, its layers, and how well it does."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.network import Layer, apply_layers
from t2r_agents.playing.policy_file import (
    VALUES,
    PolicyError,
    check_size,
    entry,
    follow_layers,
    read_identity,
    read_layers,
    read_segments,
    reading,
    write_layers,
)
from t2r_env import Configuration, __version__
from t2r_env.core.layout import Segments

SHIPPED = Path(__file__).parent / "networks"
"""The folder of the networks that come with the library, `VARIANT_TICKETS_PLAYERS.safetensors`."""


@dataclass(frozen=True)
class Values:
    """Two networks for one configuration: from what a seat knows, and from everything (inputs.py).

    Each is a multilayer perceptron with ReLU between its layers. Its outputs are, for each team in turn order, that of
    the seat that looks first, a logit of the chance to win, and then for each its margin at the end in points: its
    score less the best of the others.
    """

    identity: Mapping[str, Any]
    """The configuration (`Configuration.identity`)."""
    version: int
    """That of the features."""
    known: Segments
    """The segments that it reads of what a seat knows."""
    everything: Segments
    """Those that it reads of everything."""
    known_layers: tuple[Layer, ...]
    everything_layers: tuple[Layer, ...]
    training: Mapping[str, Any] = field(default_factory=dict)
    """The games that it has learned from, and its calibration. Information only."""

    def __post_init__(self) -> None:
        """Raise PolicyError if the network is too large for a file, or its parts do not fit each other."""
        check_size((*self.known_layers, *self.everything_layers), VALUES.kind)
        outputs = follow_layers("known", self.known_layers, self.known.size)
        if follow_layers("everything", self.everything_layers, self.everything.size) != outputs or outputs % 2:
            raise PolicyError("both networks must have a chance and a margin for each team")

    def judge(self, inputs: NDArray[np.uint8], *, sees_all: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return chances and margins, (k, teams) each, the looking seat's team first, for inputs (k, size)."""
        return split(apply_layers(self.everything_layers if sees_all else self.known_layers, inputs))

    def check(self, configuration: Configuration, everything: Segments, version: int) -> None:
        """Raise PolicyError unless it is for this configuration, for features of this version, and reads what is here.

        Segments that it does not know may be there, too.
        """
        title = f"the network of values was trained for {self.identity['variant']}"
        title += f", {self.identity['num_players']} players"
        if dict(self.identity) != configuration.identity:
            raise PolicyError(f"{title}, not for {configuration.title}, or with other tables; train it again")
        here = everything.shapes
        missing = [name for name, shape in self.everything.shapes.items() if here.get(name) != shape]
        if self.version != version or missing:
            what = f"reads {missing[0]}, which is missing here" if missing else "with other features than these"
            raise PolicyError(f"{title}, {what}; train it again")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file; weights are rounded to float16. If that is interrupted, an earlier file stays.

        Raises PolicyError if the card or a weight is too large.
        """
        card = {
            "identity": dict(self.identity),
            "version": self.version,
            "known": self.known.shapes,
            "everything": self.everything.shapes,
            "library_version": __version__,
            "training": dict(self.training),
        }
        write_layers(path, VALUES, card, self.known_layers, self.everything_layers)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Values":
        """Read the file of a network. Raises PolicyError if it is none, damaged or too large."""
        with reading(path, VALUES):
            card, (known_layers, everything_layers) = read_layers(path, VALUES)
            return cls(
                identity=read_identity(entry(card, "identity", dict)),
                version=entry(card, "version", int),
                known=read_segments(card, "known"),
                everything=read_segments(card, "everything"),
                known_layers=known_layers,
                everything_layers=everything_layers,
                training=entry(card, "training", dict),
            )


def split(outputs: NDArray[np.floating]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return chances and margins, (k, teams) each, given the outputs (k, 2 * teams) of a network."""
    logits, margins = np.hsplit(outputs.astype(np.float64), 2)
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True), margins


load_once = cache(Values.load)
