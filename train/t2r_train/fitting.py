"""Fitting a network to positions of games: what networks of values and of beliefs have in common."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from t2r_agents.playing.network import Layer
from t2r_train.network import FirstLayer

MINIBATCH = 1024
LEARNING_RATE = 2e-3
"""The learning rate at first; it falls to 0."""
SAMPLES = 50_000
"""The positions in which mean and deviation of the inputs are measured."""

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how much is done, and how much there is."""


def fit(
    network: nn.Module,
    columns: Sequence[Tensor],
    loss_of: Callable[..., Tensor],
    *,
    epochs: int,
    weight_decay: float,
    progress: Progress,
) -> None:
    """Let a network learn from columns of k rows each, in minibatches in random order.

    `loss_of` is called with the rows of a minibatch, a tensor for each column.
    """
    optimizer = torch.optim.AdamW(network.parameters(), lr=LEARNING_RATE, weight_decay=weight_decay)
    number = len(columns[0])
    per_epoch = max(1, number // MINIBATCH)
    total = epochs * per_epoch
    for epoch in range(epochs):
        for batch, rows in enumerate(torch.split(torch.randperm(number), MINIBATCH)[:per_epoch]):
            done = epoch * per_epoch + batch
            optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - done / total)
            loss = loss_of(*(column[rows] for column in columns))
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]  # PyTorch has no types for it
            optimizer.step()
            progress(done + 1, total)


class Perceptron(nn.Module):
    """Two hidden layers with ReLU, of whose units a share is left out while it learns."""

    def __init__(self, samples: NDArray[np.uint8], units: tuple[int, int], outputs: int, dropout: float = 0.0) -> None:
        """Make the layers, given inputs (k, size) to measure mean and deviation in."""
        super().__init__()
        self.first, self.second = FirstLayer(samples, units[0]), nn.Linear(*units)
        self.last, self.dropout = nn.Linear(units[1], outputs), nn.Dropout(dropout)

    def forward(self, inputs: Tensor) -> Tensor:
        """Return outputs (k, outputs) for inputs (k, size), uint8."""
        hidden = self.dropout(torch.relu(self.first(inputs)))
        outputs: Tensor = self.last(self.dropout(torch.relu(self.second(hidden))))
        return outputs

    @torch.no_grad()
    def layers(self) -> tuple[Layer, ...]:
        """Return the layers of a file, for inputs that are not normalised."""
        pairs = [self.first.for_raw_inputs(), *((it.weight, it.bias) for it in (self.second, self.last))]
        return tuple((np.ascontiguousarray(weight.numpy().T), bias.numpy().copy()) for weight, bias in pairs)


def scaled(layers: Sequence[Layer], factors: NDArray[np.float32]) -> tuple[Layer, ...]:
    """Return layers whose outputs are multiplied by factors."""
    *hidden, (weights, biases) = layers
    return (*hidden, (weights * factors, biases * factors))
