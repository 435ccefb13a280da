"""Learning what other seats hold from positions of games, and how well it is told on games of other agents."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from t2r_agents.playing.beliefs import (
    Belief,
    BeliefNetwork,
    Beliefs,
    believed,
    observe,
    possible_tickets,
    segment_of,
    signs,
    unseen_cards,
)
from t2r_env import Configuration
from t2r_env.agents import Array
from t2r_env.rules import batch
from t2r_train.fitting import SAMPLES, Perceptron, Progress, fit, scaled
from t2r_train.values.calibration import DEVIATES
from t2r_train.values.positions import Positions

UNITS, TICKET_UNITS = (256, 128), (64, 64)
"""The units of the hidden layers, of the network that reads observations and of that which reads signs."""
EPOCHS, WEIGHT_DECAY = 6, 3e-2
DROPOUT = 0.3
"""The share of hidden units that are left out while it learns: else it learns the tickets of single games by heart."""
CARDS_WEIGHT = 0.5
"""The weight of the loss of a hidden card, where that of the tickets of a seat is 1."""
SCALES = np.linspace(0.5, 2.5, 21)
"""Factors that the logits of tickets may get, so that chances are as sure as they may be."""
PHASES = {"first half": (0, 0.5), "second half": (0.5, 1.01), "all": (0, 1.01)}
"""Parts of the games, by the share of the decisions before."""
DEALS = 256
"""The determinizations whose mean stands for beliefs of one who has not watched."""
LEAST = 1e-4
"""The least chance that is counted, of a ticket and of its contrary."""


class Network(nn.Module):
    """The two networks of a `BeliefNetwork`; without signs, only that which reads observations."""

    def __init__(self, observed: NDArray[np.uint8], seen: NDArray[np.uint8], outputs: int) -> None:
        """Make the networks, given observations (k, size) and signs (k, others, tickets, SIGNS).

        `outputs` are those for each other seat.
        """
        super().__init__()
        self.others, self.tickets, size = seen.shape[1:]
        self.of_observations = Perceptron(observed, UNITS, self.others * outputs, DROPOUT)
        self.of_signs = Perceptron(seen.reshape(-1, size), TICKET_UNITS, 1) if size else None

    def forward(self, observed: Tensor, seen: Tensor) -> Tensor:
        """Return outputs (k, others, outputs) for observations (k, size) and signs, both uint8."""
        outputs: Tensor = self.of_observations(observed).reshape(len(observed), self.others, -1)
        if self.of_signs is None:
            return outputs
        tickets, colours = outputs[..., : self.tickets], outputs[..., self.tickets :]
        of_signs = self.of_signs(seen.flatten(0, 2)).reshape(tickets.shape)
        return torch.cat([tickets + of_signs, colours], dim=-1)


def held(configuration: Configuration, states: Array, seats: NDArray[np.int64]) -> Belief:
    """Return what the other seats do hold, in turn order from these seats (k,) on, as beliefs that are certain."""
    layout, players = configuration.layout.global_state, configuration.num_players
    everything = np.zeros((len(states), layout.size), np.uint8)
    batch.write_global_states(states, configuration.rules, np.arange(len(states)), everything)
    order = (seats[:, None] + np.arange(1, players)) % players
    found = []
    for name in ("tickets", "hand"):
        segment = layout[name]
        of_seats = everything[:, segment.slice].reshape(len(states), *segment.shape)
        found.append(np.take_along_axis(of_seats, order[..., None], axis=1).astype(np.float64))
    return Belief(*found)


def learn_beliefs(
    configuration: Configuration,
    positions: Positions,
    seed: int,
    progress: Progress,
    training: Mapping[str, Any],
) -> BeliefNetwork:
    """Return a network that has learned from positions, each as one seat by chance sees it, with this card."""
    seats = np.random.default_rng(seed).integers(configuration.num_players, size=len(positions))
    observed, truth = observe(configuration, positions.states, seats), held(configuration, positions.states, seats)
    others, tickets = truth.tickets.shape[1:]
    hidden = np.maximum(truth.cards - segment_of(configuration, observed, "known")[:, 1:], 0)
    possible = np.repeat(possible_tickets(configuration, observed)[:, None], others, axis=1)
    left = np.log(np.maximum(unseen_cards(configuration, observed), LEAST)).astype(np.float32)[:, None]
    seen = signs(configuration, positions.states, seats)
    given = observed, seen, truth.tickets > 0, possible, hidden.astype(np.float32), left
    columns = [torch.from_numpy(it) for it in given]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = Network(observed[:SAMPLES], seen[:SAMPLES], tickets + hidden.shape[-1])

        def loss_of(observed: Tensor, seen: Tensor, own: Tensor, may: Tensor, cards: Tensor, unseen: Tensor) -> Tensor:
            return belief_loss(network(observed, seen), own.float(), may, cards, unseen)

        fit(network, columns, loss_of, epochs=EPOCHS, weight_decay=WEIGHT_DECAY, progress=progress)
    return BeliefNetwork(
        identity=configuration.identity,
        reads=configuration.layout.observation,
        layers=network.of_observations.layers(),
        ticket_layers=network.of_signs.layers() if network.of_signs else (),
        training=training,
    )


def calibrate(configuration: Configuration, network: BeliefNetwork, positions: Positions) -> BeliefNetwork:
    """Return the network with its logits of tickets multiplied by what has the least log-loss at these positions.

    They should be of games that it has not learned from. Its card says the factor as `scale`. See Guo and others, On
    calibration of modern neural networks (2017).
    """
    seats = positions.states["current"].astype(np.int64)
    observed = observe(configuration, positions.states, seats)
    tickets = held(configuration, positions.states, seats).tickets
    others, deck = tickets.shape[1:]
    seen = signs(configuration, positions.states, seats)
    outputs = network.outputs(observed[:, network.columns(configuration)], seen).reshape(len(observed), others, -1)
    of_tickets = np.arange(outputs.shape[-1]) < deck

    def loss_of(scale: float) -> float:
        scaled = np.where(of_tickets, scale * outputs, outputs).reshape(len(observed), -1)
        return float(_log_loss(believed(configuration, observed, scaled).tickets, tickets).mean())

    scale = min(SCALES, key=loss_of)
    factors = np.tile(np.where(of_tickets, scale, 1), others).astype(np.float32)
    return replace(
        network,
        layers=scaled(network.layers, factors),
        ticket_layers=scaled(network.ticket_layers, np.array([scale], np.float32)) if network.ticket_layers else (),
        training=dict(network.training) | {"scale": round(float(scale), 3)},
    )


def belief_loss(outputs: Tensor, own: Tensor, may: Tensor, cards: Tensor, unseen: Tensor) -> Tensor:
    """Return the loss of outputs (k, others, tickets + colours).

    `own` says which tickets are held, and `may` which of them may be, (k, others, tickets); `cards` are the numbers of
    hidden cards by colour, (k, others, colours), and `unseen` logarithms of how many are not seen, (k, 1, colours).
    """
    tickets = own.shape[-1]
    losses = functional.binary_cross_entropy_with_logits(outputs[..., :tickets], own, reduction="none")
    of_tickets = (losses * may).sum() / own[..., 0].numel()
    log_shares = torch.log_softmax(outputs[..., tickets:] + unseen, dim=-1)
    return of_tickets - CARDS_WEIGHT * (cards * log_shares).sum() / cards.sum().clamp(min=1)


def dealt_evenly(configuration: Configuration, states: Array, seed: int) -> Belief:
    """Return the means of what determinizations deal for the acting seats: beliefs of one who has not watched."""
    scratch, rows = configuration.ruleset.new_scratch().deciding, np.arange(len(states))
    seats = states["current"].astype(np.int64)
    total = [np.zeros(it.shape) for it in held(configuration, states, seats)]
    rng = np.random.default_rng(seed)
    for _ in range(DEALS):
        dealt = configuration.ruleset.new_states(len(states))
        seeds = rng.integers(2**63, size=len(states), dtype=np.uint64)
        batch.determinize_rows(states, configuration.rules, scratch, rows, seeds, dealt)
        for sum_, it in zip(total, held(configuration, dealt, seats), strict=True):
            sum_ += it
    return Belief(*(it / DEALS for it in total))


def measure(beliefs: Beliefs, positions: Positions, seed: int) -> dict[str, Any]:
    """Return how well beliefs agree with what is held, and those of one who has not watched, JSON-able.

    For each of PHASES `tickets` has the log-loss of a seat's tickets (natural logarithms, summed over the deck) by
    watching, by dealing evenly, and the share that watching saves with its 95 % interval over games; `cards` the mean
    absolute error of a seat's number of cards of a colour, and the same. `reliability` has for ten bins of chances of
    tickets the mean told, the share held and the number.
    """
    configuration = beliefs.configuration
    seats = positions.states["current"].astype(np.int64)
    truth = held(configuration, positions.states, seats)
    told = beliefs.believe(positions.states, seats)
    even = dealt_evenly(configuration, positions.states, seed)
    losses = [_log_loss(it.tickets, truth.tickets) for it in (told, even)]
    errors = [np.abs(it.cards - truth.cards).mean(axis=(1, 2)) for it in (told, even)]
    found: dict[str, Any] = {"tickets": {}, "cards": {}}
    for phase, (low, high) in PHASES.items():
        rows = (positions.progress >= low) & (positions.progress < high)
        for name, (ours, theirs) in (("tickets", losses), ("cards", errors)):
            found[name][phase] = _saved(ours[rows], theirs[rows], positions.game[rows])
    chances, is_held = told.tickets.ravel(), truth.tickets.ravel()
    bins = np.minimum((chances * 10).astype(np.int64), 9)
    found_in = ((bins == it) for it in np.unique(bins))
    means = ((chances[rows].mean(), is_held[rows].mean(), rows.sum()) for rows in found_in)
    found["reliability"] = [[round(float(told), 3), round(float(was), 3), int(number)] for told, was, number in means]
    return found


def _log_loss(chances: NDArray[np.float64], is_held: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log-loss of each position, (k,), summed over tickets, in the mean of the other seats."""
    right = np.clip(np.where(is_held > 0, chances, 1 - chances), LEAST, 1)
    losses: NDArray[np.float64] = -np.log(right).sum(axis=2).mean(axis=1)
    return losses


def _saved(ours: NDArray[np.float64], theirs: NDArray[np.float64], game: NDArray[np.int64]) -> list[float]:
    """Return both means, and the share that ours is less, with its interval over games."""
    share = 1 - ours.mean() / theirs.mean()
    games = np.unique(game, return_inverse=True)[1]
    sums = np.bincount(games, (theirs - ours) - share * theirs)  # positions of one game are alike
    error = DEVIATES * np.sqrt((sums**2).sum()) / theirs.sum()
    return [round(float(it), 4) for it in (ours.mean(), theirs.mean(), share, share - error, share + error)]
