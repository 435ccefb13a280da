"""Learning a network of values from positions, by how their games ended."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from t2r_agents.network import Layer
from t2r_agents.values import ValueInputs, Values
from t2r_train.network import FirstLayer
from t2r_train.values.positions import Positions, in_turn_order

UNITS = 64, 32
"""The units of the hidden layers."""
EPOCHS, MINIBATCH = 8, 1024
LEARNING_RATE, WEIGHT_DECAY = 2e-3, 1e-3
"""The learning rate at first; it falls to 0."""
MARGIN_WEIGHT = 0.5
"""The weight of the margins' loss, where that of the chances is 1."""
SAMPLES = 50_000
"""The positions in which mean and deviation of the inputs are measured."""

Progress = Callable[[int, int], None]
"""Is told how much is done, and how much there is."""


class ValueNetwork(nn.Module):
    """Two hidden layers with ReLU; the outputs are those of `t2r_agents.values.Values`, margins in deviations."""

    def __init__(self, samples: NDArray[np.uint8], num_teams: int) -> None:
        """Make the layers, given samples of inputs (k, size) to measure mean and deviation in."""
        super().__init__()
        self.first, self.second = FirstLayer(samples, UNITS[0]), nn.Linear(*UNITS)
        self.last = nn.Linear(UNITS[1], 2 * num_teams)

    def forward(self, inputs: Tensor) -> Tensor:
        """Return logits and margins, (k, 2 * teams), for inputs (k, size), uint8."""
        outputs: Tensor = self.last(torch.relu(self.second(torch.relu(self.first(inputs)))))
        return outputs

    @torch.no_grad()
    def layers(self, deviation: float) -> tuple[Layer, ...]:
        """Return the layers for inputs that are not normalised, and margins in points."""
        scale = torch.ones(self.last.out_features)
        scale[self.last.out_features // 2 :] = deviation
        pairs = (
            self.first.for_raw_inputs(),
            (self.second.weight, self.second.bias),
            (self.last.weight * scale[:, None], self.last.bias * scale),
        )
        return tuple((np.ascontiguousarray(weight.numpy().T), bias.numpy().copy()) for weight, bias in pairs)


def learn_values(
    inputs: ValueInputs, positions: Positions, seed: int, progress: Progress, training: Mapping[str, Any]
) -> Values:
    """Return networks that have learned from positions, with this card.

    From a seat's knowledge one learns each position as one seat by chance sees it, from everything the other as the
    acting seat does.
    """
    configuration = inputs.configuration
    looking = {
        False: np.random.default_rng(seed).integers(configuration.num_players, size=len(positions)),
        True: positions.states["current"].astype(np.int64),
    }
    layers = {}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        for sees_all, seats in looking.items():
            read = inputs.write(positions.states, seats, sees_all=sees_all)
            targets = in_turn_order(configuration, positions, seats)
            layers[sees_all] = _learn(read, *targets, partial(_half, progress, int(sees_all)))
    return Values(
        identity=configuration.identity,
        version=inputs.version,
        known=inputs.known,
        everything=inputs.everything,
        known_layers=layers[False],
        everything_layers=layers[True],
        training=training,
    )


def _half(progress: Progress, half: int, done: int, total: int) -> None:
    """Tell the progress of the first or second half of the work, 0 or 1."""
    progress(done + half * total, 2 * total)


def _learn(
    inputs: NDArray[np.uint8], wins: NDArray[np.float32], margins: NDArray[np.float32], progress: Progress
) -> tuple[Layer, ...]:
    """Return layers that have learned from inputs (k, size), given wins and margins (k, teams) in turn order."""
    deviation, teams = float(margins.std()), wins.shape[1]
    columns = [torch.from_numpy(it) for it in (inputs, wins, margins / np.float32(deviation))]
    network = ValueNetwork(inputs[:SAMPLES], teams)
    optimizer = torch.optim.AdamW(network.parameters(), lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    per_epoch = max(1, len(inputs) // MINIBATCH)
    total = EPOCHS * per_epoch
    for epoch in range(EPOCHS):
        for number, rows in enumerate(torch.split(torch.randperm(len(inputs)), MINIBATCH)[:per_epoch]):
            done = epoch * per_epoch + number
            optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - done / total)
            seen, won, margin = (column[rows] for column in columns)
            outputs = network(seen)
            chances = -(won * torch.log_softmax(outputs[:, :teams], dim=1)).sum(dim=1).mean()
            loss: Any = chances + MARGIN_WEIGHT * functional.smooth_l1_loss(outputs[:, teams:], margin)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            progress(done + 1, total)
    return network.layers(deviation)
