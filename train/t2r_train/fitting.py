"""Fitting a network to positions of games: what networks of values and of beliefs have in common."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import numpy as np
import torch
from torch import Tensor, nn

from t2r_agents.playing.network import Layer

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


def as_layers(pairs: Iterable[tuple[Tensor, Tensor]]) -> tuple[Layer, ...]:
    """Return weights (outputs, inputs) and biases (outputs,) as the layers of a file."""
    return tuple((np.ascontiguousarray(weight.numpy().T), bias.numpy().copy()) for weight, bias in pairs)
