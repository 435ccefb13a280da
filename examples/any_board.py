"""A player for any board: one network for all maps, which has seen only generated ones.

Its inputs are the tables of `observation="graph"`, and it scores actions, so that neither the size of a map nor the
numbering of its actions matters. Further columns tell the plan of `planner`, a sensible player on any map, here with
parameters that are tuned on generated maps, too. At first the network does as this planner would, mostly. It plays both
seats of games against itself, on new generated maps, and learns by masked PPO what is better. The reward is by how many
points a seat's lead grows until its next decision, and the win; advantages (GAE) run along a seat's decisions.

Then it plays published maps, which it has never seen, against `greedy` and `planner`. Needs the extra `train`:

    python examples/any_board.py --total-timesteps 100000
    python examples/any_board.py --out mine.safetensors
    t2r tournament --variant usa --agents any_board:mine.safetensors greedy racer
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import Progress
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.distributions import Categorical

import t2r_env
from t2r_agents.playing.any_board.maps import training_map
from t2r_agents.playing.any_board.tables import PLANNER_ACTION, WIDTHS, AnyMapPlan, PlanColumns
from t2r_env import Games
from t2r_env.graph import GraphSize

Batch = dict[str, NDArray[Any]]
"""The arrays of the graph observation, with the columns of the plan, each with a row for each decision."""


@dataclass
class Args:
    """Every hyperparameter; the command line sets them (`--learning-rate 1e-3`)."""

    seed: int = 1
    torch_threads: int = 1
    total_timesteps: int = 3_600_000  # decisions
    warm_up: int = 50_000  # decisions at the beginning from which only values are learned
    variant: str = ""  # train on this map instead of on generated ones
    fewest_cities: int = 24  # of generated maps
    most_cities: int = 48
    num_maps: int = 24  # new maps for each update
    games_on_map: int = 4  # games on each of them
    initial: Path | None = None  # a network to go on from
    out: Path = Path("any_board.safetensors")

    hidden_size: int = 32
    rounds: int = 2  # of messages between cities and routes
    prior_weight: float = 5.0  # what the planner's action has more in its logit, at the beginning
    learning_rate: float = 5e-4  # falls to 0
    batch_size: int = 256
    n_epochs: int = 2
    reward_scale: float = 0.02  # of a point
    win_reward: float = 1.0
    gae_lambda: float = 0.95
    clip_range: float = 0.2
    ent_coef: float = 0.0
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5

    eval_maps: str = "new_york usa europe india"
    n_eval_episodes: int = 100  # games on each of them at the end


# The network

HEADS = 4
"""The ways in which routes are weighed for what a position is like as a whole."""


class Network(nn.Module):
    """Scores of actions and a value, from the tables of a position.

    Cities and routes send each other messages along the ends of routes. An action is scored from its own row and those
    of the route, city and ticket that it is about.
    """

    prior_weight: Tensor

    def __init__(self, hidden_size: int, rounds: int, prior_weight: float = 5.0) -> None:
        super().__init__()
        self.register_buffer("prior_weight", torch.tensor([prior_weight]))
        self.tables = nn.ModuleDict({name: nn.Linear(width, hidden_size) for name, width in WIDTHS.items()})
        self.of_routes = nn.ModuleList(nn.Linear(hidden_size, hidden_size) for _ in range(rounds))
        self.to_routes = nn.ModuleList(nn.Linear(hidden_size, hidden_size) for _ in range(rounds))
        self.to_cities = nn.ModuleList(nn.Linear(hidden_size, hidden_size) for _ in range(rounds))
        self.of_targets = nn.ModuleList(nn.Linear(hidden_size, hidden_size) for _ in range(3))
        self.attention = nn.Linear(hidden_size, HEADS)
        self.summary = nn.Linear((1 + HEADS) * hidden_size, hidden_size)
        self.hidden = nn.Linear(hidden_size, hidden_size)
        self.score = nn.Linear(hidden_size, 1)
        nn.init.zeros_(self.score.weight)  # at first the logits are those of the prior
        self.value = nn.Linear(hidden_size, 1)

    @torch.no_grad()
    def ignore_unused_columns(self, batch: Batch) -> None:
        """Give no weight to columns that are zero in all these decisions: to what generated maps don't have.

        Otherwise weights at random, which are never trained, would speak as soon as a published map has it.
        """
        for name, layer in self.tables.items():
            assert isinstance(layer, nn.Linear)
            is_unused = ~batch[name].any(axis=(0, 1))
            layer.weight[:, torch.from_numpy(is_unused)] = 0

    def forward(self, batch: Batch) -> tuple[Categorical, Tensor]:
        """Return the distribution over the legal actions, and the value for the acting seat, (k,)."""
        table = {name: torch.from_numpy(batch[name]).float().sqrt() for name in WIDTHS if name != "actions"}
        players = (
            self.tables["players"](table["players"]).relu() * table["players"][..., :1]
        )  # without the rows of padding
        context = (self.tables["table"](table["table"]) + players.sum(dim=1, keepdim=True)).relu()
        cities, routes = (
            (self.tables["cities"](table["cities"]) + context).relu(),
            (self.tables["routes"](table["routes"]) + context).relu(),
        )
        ends = torch.from_numpy(batch["route_ends"]).long().clamp(min=0)
        is_city, is_route = table["cities"][..., :1], table["routes"][..., :1] > 0  # a route has a length
        for of_routes, to_routes, to_cities in zip(self.of_routes, self.to_routes, self.to_cities, strict=True):
            at_ends = take(cities, ends[..., 0]) + take(cities, ends[..., 1])
            routes = (routes + of_routes(routes) + to_routes(at_ends)).relu() * is_route
            arriving = torch.zeros_like(cities)
            for end in range(2):
                arriving.scatter_add_(1, ends[..., end : end + 1].expand_as(routes), routes)
            cities = (cities + to_cities(arriving)).relu()
        weights = self.attention(routes).masked_fill(~is_route, -torch.inf).softmax(dim=1)
        pooled = [(cities * is_city).sum(dim=1) / is_city.sum(dim=1), (weights.transpose(1, 2) @ routes).flatten(1)]
        context = (context + self.summary(torch.cat(pooled, dim=-1))[:, None]).relu()
        logits = self.logits(batch, table["tickets"], cities, routes, context)
        return Categorical(logits=logits, validate_args=False), self.value(context)[:, 0, 0]

    def logits(self, batch: Batch, tickets: Tensor, cities: Tensor, routes: Tensor, context: Tensor) -> Tensor:
        """Return the logits of the legal actions, -inf for the others; only legal ones are computed."""
        decision, action = (torch.from_numpy(it) for it in np.nonzero(batch["action_mask"]))
        columns = torch.from_numpy(batch["actions"])[decision, action].float().sqrt()
        targets = torch.from_numpy(batch["action_targets"]).long()[decision, action]
        hidden = self.tables["actions"](columns) + context[decision, 0]
        route, city, ticket = (it.clamp(min=0) for it in targets.unbind(dim=1))
        rows = routes[decision, route], cities[decision, city], self.tables["tickets"](tickets[decision, ticket]).relu()
        for number, row in enumerate(rows):
            hidden = hidden + self.of_targets[number](row) * (targets[:, number] >= 0)[:, None]
        logits = torch.full(batch["action_mask"].shape, -torch.inf)
        prior = self.prior_weight * columns[:, PLANNER_ACTION]
        logits[decision, action] = self.score(self.hidden(hidden.relu()).relu())[:, 0] + prior
        return logits


def take(rows: Tensor, indices: Tensor) -> Tensor:
    """Return rows (k, n, d) of each decision by their numbers (k, m), as (k, m, d)."""
    return rows.gather(1, indices[..., None].expand(-1, -1, rows.shape[-1]))


# Playing


@dataclass
class Rollout:
    """The decisions of games from begin to end, in the order in which they were taken."""

    batch: Batch
    actions: NDArray[np.int64]
    log_probs: NDArray[np.float32]
    values: NDArray[np.float32]
    games: NDArray[np.int64]  # of which game each is
    seats: NDArray[np.int64]  # who acted
    rewards: NDArray[np.float32]  # (decisions, seats): what each seat earned by it

    def reward_wins(self, games: Sequence[Games], reward: float) -> None:
        """Add a reward for the win, and its negative for the loss, at the last decision of each game."""
        ranks = np.concatenate([game.results.ranks for game in games])
        for number, (first, second) in enumerate(ranks.tolist()):
            last = np.flatnonzero(self.games == number)[-1]
            self.rewards[last] += reward * np.sign([second - first, first - second])

    def advantages(self, gae_lambda: float) -> NDArray[np.float32]:
        """Generalised advantage estimation along the decisions of each seat in each game, looking back from the end."""
        shape = (self.games.max() + 1, self.rewards.shape[1])
        earned, next_value, next_advantage = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        advantages = np.zeros_like(self.values)
        for index in reversed(range(len(advantages))):
            game, own = self.games[index], (self.games[index], self.seats[index])
            earned[game] += self.rewards[index]
            delta = earned[own] + next_value[own] - self.values[index]
            next_advantage[own] = advantages[index] = delta + gae_lambda * next_advantage[own]
            earned[own], next_value[own] = 0, self.values[index]
        return advantages


def new_games(args: Args, seeds: Iterator[int]) -> list[Games]:
    """Return games of two players, a batch on each of the new maps."""
    sizes = args.fewest_cities, args.most_cities
    maps = [args.variant or training_map(next(seeds), *sizes) for _ in range(args.num_maps)]
    boards = [t2r_env.configure(it, 2) for it in maps]
    size = GraphSize.covering(boards)
    make = partial(Games, batch=args.games_on_map, reward="margin", autoreset=False, features=AnyMapPlan)
    return [make(board, seed=next(seeds), observation=size) for board in boards]


def play(games: Sequence[Games], network: Network) -> Rollout:
    """Play games to their ends; all those under way wait for one decision each."""
    steps: list[tuple[Any, ...]] = []
    columns = [PlanColumns(it.configuration, it.features.segments) for it in games if it.features]
    while under_way := [(board, rows) for board, it in enumerate(games) if (rows := np.flatnonzero(~is_over(it))).size]:
        numbers = np.concatenate([board * games[board].batch + rows for board, rows in under_way])
        tables = [columns[board].widen(*tables_and_plan(games[board], rows)) for board, rows in under_way]
        batch = {name: np.concatenate([it[name] for it in tables]) for name in tables[0]}
        seats = np.concatenate([games[board].current[rows] for board, rows in under_way])
        actions, log_probs, values = draw(network, batch)
        taken = np.split(actions, np.cumsum([len(rows) for _, rows in under_way])[:-1])
        for (board, rows), chosen in zip(under_way, taken, strict=True):
            games[board].step(chosen, rows)
        rewards = np.concatenate([games[board].rewards[rows] for board, rows in under_way])
        steps.append((batch, actions, log_probs, values, numbers, seats, rewards))
    batches, *others = zip(*steps, strict=True)
    batch = {name: np.concatenate([it[name] for it in batches]) for name in batches[0]}
    return Rollout(batch, *(np.concatenate(it) for it in others))


def tables_and_plan(games: Games, rows: NDArray[np.int64]) -> tuple[Batch, NDArray[np.uint8]]:
    """Return the graphs of these rows' decisions, and the features, which follow their vector observations."""
    assert games.graphs
    assert games.features
    graphs = {name: table[rows] for name, table in games.graphs.items()}
    return graphs, games.observations[rows, -games.features.segments.size :]


def is_over(games: Games) -> NDArray[np.bool_]:
    """Return which games have ended, by their rules or by the limit of turns."""
    return games.terminated | games.truncated


@torch.no_grad()
def draw(network: Network, batch: Batch) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Draw actions by their probabilities; return them, their logarithmic probabilities and the values, each (k,)."""
    policy, values = network(batch)
    actions = policy.sample()
    return actions.numpy(), policy.log_prob(actions).numpy(), values.numpy()


# Learning


def minibatches(rollout: Rollout, args: Args) -> Iterator[tuple[NDArray[np.int64], Batch]]:
    """Yield each decision once in each epoch: the numbers of some of them, and their tables."""
    for _ in range(args.n_epochs):
        shuffled = torch.randperm(len(rollout.actions)).numpy()
        for start in range(0, len(shuffled), args.batch_size):
            some = shuffled[start : start + args.batch_size]
            yield some, {name: table[some] for name, table in rollout.batch.items()}


def improve(
    network: Network, optimizer: torch.optim.Optimizer, rollout: Rollout, args: Args, values_only: bool = False
) -> str:
    """Improve the network by the clipped objective of PPO (Schulman and others 2017)."""
    advantages = rollout.advantages(args.gae_lambda)
    returns = torch.from_numpy(advantages + rollout.values)
    entropies, losses = [], []
    for some, batch in minibatches(rollout, args):
        policy, values = network(batch)
        advantage = torch.from_numpy(advantages[some])
        advantage = (advantage - advantage.mean()) / (advantage.std(correction=0) + 1e-8)
        log_probs = torch.from_numpy(rollout.log_probs[some])
        ratio = (policy.log_prob(torch.from_numpy(rollout.actions[some])) - log_probs).exp()
        clipped = ratio.clamp(1 - args.clip_range, 1 + args.clip_range)
        policy_loss = -torch.min(advantage * ratio, advantage * clipped).mean()
        value_loss = (values - returns[some]).square().mean()
        entropy = -(policy.probs * policy.logits.clamp(min=-1e9)).sum(dim=-1).mean()  # illegal actions have -inf
        loss = args.vf_coef * value_loss
        if not values_only:
            loss = loss + policy_loss - args.ent_coef * entropy
        descend(network, optimizer, loss, args)
        entropies.append(entropy.item())
        losses.append(value_loss.item())
    return f"entropy {np.mean(entropies):.2f}  unexplained {np.mean(losses) / returns.var().item():.0%}"


def descend(network: Network, optimizer: torch.optim.Optimizer, loss: Tensor, args: Args) -> None:
    """Take a step down the gradient of a loss."""
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]  # PyTorch has no types for it
    nn.utils.clip_grad_norm_(network.parameters(), args.max_grad_norm)
    optimizer.step()


def train(args: Args) -> Network:
    """Train a network; it is saved after each update."""
    torch.set_num_threads(args.torch_threads)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    network = Network(args.hidden_size, args.rounds, args.prior_weight)
    if args.initial:
        network.load_state_dict({name: tensor.float() for name, tensor in load_file(args.initial).items()})
    optimizer = torch.optim.Adam(network.parameters(), lr=args.learning_rate, eps=1e-5)
    seeds = iter(rng.integers(2**40, size=10**7).tolist())
    decisions = 0
    with Progress() as progress:
        task = progress.add_task("training", total=args.total_timesteps)
        while decisions < args.total_timesteps:
            done = decisions / args.total_timesteps
            optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - done)
            games = new_games(args, seeds)
            rollout = play(games, network)
            if decisions == 0 and not args.initial:
                network.ignore_unused_columns(rollout.batch)
            rollout.rewards *= args.reward_scale
            rollout.reward_wins(games, args.win_reward)
            told = improve(network, optimizer, rollout, args, values_only=decisions < args.warm_up)
            decisions += len(rollout.actions)
            save_file({name: tensor.half() for name, tensor in network.state_dict().items()}, args.out)
            scores = np.mean([it.results.scores.mean() for it in games])
            progress.update(task, completed=decisions)
            progress.console.print(f"{decisions:,} decisions  score {scores:.1f}  {told}")
    return network


def main(command: Sequence[str] | None = None) -> dict[str, float]:
    """Train with the arguments of the command line; return the shares of wins, by map and opponent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for entry in fields(Args):
        kind = Path if entry.name in ("initial", "out") else type(entry.default)
        parser.add_argument(f"--{entry.name.replace('_', '-')}", type=kind, default=entry.default)
    args = Args(**vars(parser.parse_args(command)))
    train(args)
    wins = {}
    for variant in args.eval_maps.split():
        for opponent in ("greedy", "planner"):
            agents = [f"any_board:{args.out}", opponent]
            played = t2r_env.trajectories(variant, agents=agents, games=args.n_eval_episodes, reward="win", seed=1)
            match = f"{variant} against {opponent}"
            wins[match] = float(np.mean([it.rewards.sum() for it in played if it.seat == 0]))
            print(f"{match}: {wins[match]:.0%} of {args.n_eval_episodes} games won")
    return wins


if __name__ == "__main__":
    main()
