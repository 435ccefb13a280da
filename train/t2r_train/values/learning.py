"""Learning a network of values from positions, by how their games ended.

The network that sees everything learns twice: first from the results, then from results mixed with what it says of the
game's next position, as in TD(lambda) (Sutton 1988). A result is noisy, so the first network reads more into single
cards than there is; the next position's value tells what came of them.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from t2r_agents.playing.network import Layer, apply_layers
from t2r_agents.playing.values import ValueInputs, Values
from t2r_agents.playing.values.network import split
from t2r_env import Configuration
from t2r_train.fitting import SAMPLES, Perceptron, Progress, fit, scaled
from t2r_train.values.positions import Positions, in_turn_order

UNITS = 64, 32
"""The units of the hidden layers."""
EPOCHS, WEIGHT_DECAY = 4, 1e-3
RESULT = 0.8
"""How much a position's target keeps of what the game's next one has got: the lambda of TD(lambda)."""
MARGIN_WEIGHT = 0.5
"""The weight of the margins' loss, where that of the chances is 1."""


def learn_values(
    inputs: ValueInputs, positions: Positions, seed: int, progress: Progress, training: Mapping[str, Any]
) -> Values:
    """Return networks that have learned from positions, with this card.

    From everything one learns each position as the acting seat sees it, from a seat's knowledge the other as one seat
    by chance does.
    """
    configuration = inputs.configuration
    acting = positions.states["current"].astype(np.int64)
    by_chance = np.random.default_rng(seed).integers(configuration.num_players, size=len(positions))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        read = inputs.write(positions.states, acting, sees_all=True)
        first = _learn(read, *in_turn_order(configuration, positions, acting), partial(_part, progress, 0))
        mixed = with_next(configuration, positions, acting, *split(apply_layers(first, read)))
        everything = _learn(read, *in_turn_order(configuration, mixed, acting), partial(_part, progress, 1))
        read = inputs.write(positions.states, by_chance, sees_all=False)
        known = _learn(read, *in_turn_order(configuration, mixed, by_chance), partial(_part, progress, 2))
    return Values(
        identity=configuration.identity,
        version=inputs.version,
        known=inputs.known,
        everything=inputs.everything,
        known_layers=known,
        everything_layers=everything,
        training=training,
    )


def with_next(
    configuration: Configuration,
    positions: Positions,
    seats: NDArray[np.int64],
    chances: NDArray[np.float64],
    margins: NDArray[np.float64],
) -> Positions:
    """Return positions whose results are mixed with what is thought of the next ones of their games.

    `chances` and `margins` (k, teams) are those thoughts, the team of the looking `seats` (k,) first. Each position
    keeps RESULT of what the next one has got, and takes the rest from what is thought of it.
    """
    teams = np.arange(configuration.num_teams)
    place = (teams - configuration.rules[0].team[seats][:, None]) % configuration.num_teams
    thought = np.stack([np.take_along_axis(it, place, axis=1) for it in (chances, margins)], axis=1)
    targets = np.stack([positions.wins, positions.margins], axis=1).astype(np.float64)
    goes_on = positions.game[1:] == positions.game[:-1]
    for row in np.flatnonzero(goes_on)[::-1].tolist():
        targets[row] = RESULT * targets[row + 1] + (1 - RESULT) * thought[row + 1]
    wins, points = targets.astype(np.float32).swapaxes(0, 1)
    return replace(positions, wins=wins, margins=points)


def _part(progress: Progress, part: int, done: int, total: int) -> None:
    """Tell the progress of one of the three parts of the work."""
    progress(done + part * total, 3 * total)


def _learn(
    inputs: NDArray[np.uint8], wins: NDArray[np.float32], margins: NDArray[np.float32], progress: Progress
) -> tuple[Layer, ...]:
    """Return layers that have learned from inputs (k, size), given wins and margins (k, teams) in turn order."""
    deviation, teams = float(margins.std()), wins.shape[1]
    columns = [torch.from_numpy(it) for it in (inputs, wins, margins / np.float32(deviation))]
    network = Perceptron(inputs[:SAMPLES], UNITS, 2 * teams)

    def loss_of(seen: Tensor, won: Tensor, margin: Tensor) -> Tensor:
        outputs = network(seen)
        chances = -(won * torch.log_softmax(outputs[:, :teams], dim=1)).sum(dim=1).mean()
        loss: Tensor = chances + MARGIN_WEIGHT * functional.smooth_l1_loss(outputs[:, teams:], margin)
        return loss

    fit(network, columns, loss_of, epochs=EPOCHS, weight_decay=WEIGHT_DECAY, progress=progress)
    return scaled(network.layers(), np.repeat([1, deviation], teams).astype(np.float32))  # margins in points
