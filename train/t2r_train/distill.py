"""Distillation: a small network learns to play as a policy does, so that a search can simulate games quickly.

It sees the observation alone and is told what the planner would do. The policy plays games against itself, and the
network learns its probabilities at each decision.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import track
from torch import Tensor, nn

from t2r_agents.playing.planner import PlannerAgent
from t2r_agents.playing.policy import Policy, draw_actions
from t2r_agents.playing.policy_file import PolicyError
from t2r_env import Configuration, Games, configure
from t2r_env.agents import decisions_of
from t2r_env.basics.checks import check_integer, check_seed
from t2r_env.commands import usage_errors
from t2r_train.network import ILLEGAL, FirstLayer

BATCH, STEPS = 256, 64
"""Games that are played in parallel, and their decisions of which minibatches are drawn."""
MINIBATCH = 512
EPOCHS = 2
LEARNING_RATE = 2e-3
"""The learning rate at first; it falls to 0."""


class Samples(NamedTuple):
    """k decisions of the policy."""

    observations: Tensor
    """(k, size of what the policy sees of the observation) uint8"""
    masks: Tensor
    """(k, actions) bool"""
    planned: Tensor
    """(k, 1) the planner's action"""
    probabilities: Tensor
    """(k, actions) those of the policy"""


class RolloutNetwork(nn.Module):
    """A layer of hidden units, ReLU, and a layer of logits; the planner's action has a weight besides."""

    def __init__(self, observations: NDArray[np.uint8], units: int, num_actions: int, planner_weight: float) -> None:
        """Make the layers, given samples of observations (k, size) to measure mean and deviation in."""
        super().__init__()
        self.hidden, self.last = FirstLayer(observations, units), nn.Linear(units, num_actions)
        self.planner_weight = nn.Parameter(torch.tensor([planner_weight]))

    def forward(self, samples: Samples) -> Tensor:
        """Return log-probabilities (k, actions)."""
        logits = self.last(torch.relu(self.hidden(samples.observations)))
        logits = logits.scatter_add(1, samples.planned, self.planner_weight.expand(len(logits), 1))
        return torch.log_softmax(logits.masked_fill(~samples.masks, ILLEGAL), dim=1)


def distill(
    policy: Policy, configurations: Sequence[Configuration], decisions: int = 500_000, units: int = 64, seed: int = 0
) -> Policy:
    """Return the policy with a rollout network of this many hidden units, learned from this many decisions.

    The decisions are of games of each configuration in turn. It shows its progress on a terminal. Raises PolicyError if
    the policy does not fit one of them.
    """
    for configuration in configurations:
        policy.check(configuration)
    total = max(-(-decisions // (BATCH * STEPS)), len(configurations))
    games = [self_play(policy, configuration, seed) for configuration in configurations]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        first = [next(it) for it in games]
        seen = torch.cat([samples.observations for samples in first]).numpy()
        planner_weight = policy.skip.weight if policy.skip else 0.0
        network = RolloutNetwork(seen, units, policy.layers[-1][1].size, planner_weight)
        optimizer = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE)
        for number in track(range(total), f"{decisions:,} decisions", transient=True):
            optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - number / total)
            learn(network, optimizer, first[number] if number < len(first) else next(games[number % len(games)]))
    with torch.no_grad():
        weight, bias = network.hidden.for_raw_inputs()
        layers = (weight.T, bias), (network.last.weight.T, network.last.bias)
        rollout_layers = tuple((np.ascontiguousarray(it), bias.numpy()) for it, bias in layers)
        return replace(policy, rollout_layers=rollout_layers, planner_weight=network.planner_weight.item())


def self_play(policy: Policy, configuration: Configuration, seed: int) -> Iterator[Samples]:
    """Yield what is learned from BATCH * STEPS decisions at a time, in games whose actions the policy draws."""
    games, planner = Games(configuration, batch=BATCH, seed=seed), PlannerAgent()
    rows, rng = np.arange(BATCH), np.random.default_rng(seed)
    while True:
        steps = []
        for _ in range(STEPS):
            decisions = decisions_of(games, rows, np.zeros(BATCH, np.uint64))
            inputs = policy.inputs(decisions)
            logits = policy.legal_logits(policy.logits(inputs), decisions.masks)
            weights = np.exp(logits - logits.max(axis=1, keepdims=True))
            probabilities = weights / weights.sum(axis=1, keepdims=True)
            observed, planned = inputs[:, : policy.observation.size], planner.act(decisions)[:, None]
            missing = (0, 0), (0, policy.layers[-1][1].size - logits.shape[1])  # actions of another configuration
            masks, probabilities = np.pad(decisions.masks == 1, missing), np.pad(probabilities, missing)
            steps.append((observed, masks, planned, probabilities.astype(np.float32)))
            games.step(draw_actions(weights, rng.random(BATCH)))
        yield Samples(*(torch.from_numpy(np.concatenate(arrays)) for arrays in zip(*steps, strict=True)))


def learn(network: RolloutNetwork, optimizer: torch.optim.Optimizer, samples: Samples) -> None:
    """Learn the probabilities of these decisions by their cross entropy."""
    for _ in range(EPOCHS):
        for rows in torch.split(torch.randperm(len(samples.masks)), MINIBATCH):
            minibatch = Samples(*(tensor[rows] for tensor in samples))
            loss = -(minibatch.probabilities * network(minibatch)).sum(dim=1).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def run(arguments: argparse.Namespace) -> int:
    """Give the policy of a file its rollout network (`t2r distill`).

    Returns 0, or 1 if the network can't be written into the file. Raises UsageError for wrong arguments.
    """
    with usage_errors():
        policy = Policy.load(arguments.file)
        check_integer("--decisions", arguments.decisions, 1)
        check_integer("--units", arguments.units, 1)
        check_seed(arguments.seed)
        configurations = [
            configure(arguments.variant or identity["variant"], identity["num_players"], **identity["options"])
            for identity in policy.identities
        ]
        for configuration in configurations:
            policy.check(configuration)
    try:
        distill(policy, configurations, arguments.decisions, arguments.units, arguments.seed).save(arguments.file)
    except (OSError, PolicyError) as error:  # a full disk, a folder that is read-only, or too many units
        print(f"{error}; the file is as it was", file=sys.stderr)
        return 1
    print(f"{arguments.file} has a rollout network now, with {arguments.units} hidden units")
    return 0
