"""The file of a network of beliefs: what it reads, and its layers."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.beliefs.signs import SIGNS
from t2r_agents.playing.network import Layer, apply_layers
from t2r_agents.playing.policy_file import (
    BELIEFS,
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
class BeliefNetwork:
    """Multilayer perceptrons with ReLU between their layers, for one configuration.

    One reads observations. Its outputs are, for each other seat in turn order, a logit for each ticket of the deck, and
    then for each colour a logit of a card in its hand that is not known, beyond how many of that colour are not seen.
    The other one is the same for all seats and tickets. It reads a seat's signs of a ticket, and its one output is
    added to this ticket's logit.
    """

    identity: Mapping[str, Any]
    """The configuration (`Configuration.identity`)."""
    reads: Segments
    """The segments of the observation that it reads."""
    layers: tuple[Layer, ...]
    ticket_layers: tuple[Layer, ...] = ()
    """None: there are no signs (as in the Card Game), or they are not read."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """The games that it has learned from, and how well it does on others. Information only."""

    def __post_init__(self) -> None:
        """Raise PolicyError if the network is too large for a file, or its layers do not fit each other."""
        check_size((*self.layers, *self.ticket_layers), BELIEFS.kind)
        follow_layers("belief", self.layers, self.reads.size)
        if self.ticket_layers and (outputs := follow_layers("ticket", self.ticket_layers, len(SIGNS))) != 1:
            raise PolicyError(f"the last layer of ticket must have 1 output, not {outputs}")

    def outputs(self, inputs: NDArray[np.uint8], signs: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the outputs, (k, outputs), for the segments that it reads, (k, size), and signs.

        Signs are those of `signs`, (k, others, tickets, SIGNS).
        """
        outputs = apply_layers(self.layers, inputs).astype(np.float64)
        if self.ticket_layers:
            k, others, tickets, size = signs.shape
            of_tickets = apply_layers(self.ticket_layers, signs.reshape(-1, size)).reshape(k, others, tickets)
            outputs.reshape(k, others, -1)[..., :tickets] += of_tickets
        return outputs

    def columns(self, configuration: Configuration) -> NDArray[np.int64]:
        """Return where in an observation the segments that it reads lie, (size,).

        Raises PolicyError unless it is for this configuration and reads what is there.
        """
        if dict(self.identity) != configuration.identity:
            trained = f"{self.identity['variant']}, {self.identity['num_players']} players"
            raise PolicyError(f"the network of beliefs was trained for {trained}, not for {configuration.title}")
        there = configuration.layout.observation
        if missing := [name for name, shape in self.reads.shapes.items() if there.shapes.get(name) != shape]:
            raise PolicyError(f"the network of beliefs reads {missing[0]}, which is missing here; train it again")
        return np.concatenate([np.arange(there[it].start, there[it].start + there[it].size) for it in self.reads])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file; weights are rounded to float16. If that is interrupted, an earlier file stays."""
        card = {
            "identity": dict(self.identity),
            "reads": self.reads.shapes,
            "library_version": __version__,
            "training": dict(self.training),
        }
        write_layers(path, BELIEFS, card, self.layers, self.ticket_layers)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "BeliefNetwork":
        """Read the file of a network. Raises PolicyError if it is none, damaged or too large."""
        with reading(path, BELIEFS):
            card, (layers, ticket_layers) = read_layers(path, BELIEFS)
            return cls(
                identity=read_identity(entry(card, "identity", dict)),
                reads=read_segments(card, "reads"),
                layers=layers,
                ticket_layers=ticket_layers,
                training=entry(card, "training", dict),
            )


load_once = cache(BeliefNetwork.load)
