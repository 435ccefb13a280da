"""The learner: PPO (Schulman et al. 2017) with masked actions (Huang and Ontañón 2020).

An iteration collects a rollout (`t2r_train.self_play`), computes advantages (`t2r_train.experience`), and learns from
the decisions in minibatches. The same functions do it on the CPU and on a GPU, where the decisions stay meanwhile.
"""

import copy
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from t2r_train.experience import OUTCOME, RETURN, Experience, advantages_of
from t2r_train.network import Network
from t2r_train.ranks import ALONE, Ranks
from t2r_train.recorded import Recorded
from t2r_train.self_play import SelfPlay, collect
from t2r_train.settings import Settings

FINAL = 0.1
"""The share of the learning rate, and of the entropy bonus, that is left at the end."""
FEWEST_DECISIONS = 256
"""The fewest decisions of a minibatch that are worth a thread of their own."""
AVERAGED = 4
"""The fewest iterations that the weights are averaged over."""
MAX_GRADIENT = 0.5
"""The largest norm of the gradients of a step; larger ones are made shorter."""
STATISTICS = ("approx_kl", "clip_fraction", "entropy_loss", "policy_gradient_loss", "value_loss", "outcome_loss")


def ppo_loss(
    output: tuple[Tensor, Tensor],
    batch: Experience,
    weights: Tensor,
    settings: Settings,
    policy_weight: Tensor,
    ent_coef: Tensor,
) -> tuple[Tensor, Tensor]:
    """Return the loss of some decisions, and its statistics without gradients, (6,): those of STATISTICS.

    Parameters
    ----------
    output
        What `Network.forward` returned.
    weights
        (k,) float32, of each decision in the mean of its minibatch.
    policy_weight
        0 if the policy stays as it is, except for what it shares with the critic, otherwise 1.
    """
    log_probabilities, values = output
    log_ratio = log_probabilities.gather(1, batch.actions[:, None]).squeeze(1) - batch.log_probabilities
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - settings.clip_range, 1 + settings.clip_range)
    gains = torch.min(ratio * batch.advantages, clipped * batch.advantages)
    entropies = -(log_probabilities.softmax(dim=1) * log_probabilities).sum(dim=1)  # faster than exp() for zeros
    entropies = entropies.masked_fill(batch.is_given, 0)
    errors = functional.mse_loss(values, batch.targets, reduction="none")
    each = ratio - 1 - log_ratio, ((ratio - 1).abs() > settings.clip_range).float(), -entropies, -gains
    means = weights @ torch.stack([*each, errors[:, RETURN], errors[:, OUTCOME]], dim=1)
    _, _, entropy_loss, policy_loss, value_loss, outcome_loss = means
    loss = settings.vf_coef * value_loss + outcome_loss + policy_weight * (policy_loss + ent_coef * entropy_loss)
    return loss, means.detach()


class DivergedError(RuntimeError):
    """Weights are no longer finite."""


class Learner:
    """A network, its optimiser, and how they learn from games; several ranks learn the same together."""

    def __init__(
        self,
        network: Network,
        settings: Settings,
        plays: Sequence[SelfPlay],
        experience: Experience,
        ranks: Ranks = ALONE,
        report: Callable[[int], object] = lambda decisions: None,
        threads: int = 1,
    ) -> None:
        """Begin with a network, groups of games, and the room for their decisions.

        `report` is called in each step of a group with the number of its decisions, by the thread that plays it. So
        many `threads` play, and share the minibatches.
        """
        self.network, self.settings, self.plays, self.experience = network, settings, plays, experience
        self.ranks, self._report, self._threads = ranks, report, threads
        device = network.device
        self.rng = torch.Generator().manual_seed(settings.seed + (ranks.rank << 32))
        """Draws minibatches: on the CPU, so that a training run can go on on another device."""
        self._rate, self._policy_weight, self._ent_coef = torch.zeros(3, device=device)
        is_gpu = device.type == "cuda"
        self.optimizer = torch.optim.Adam(network.parameters(), lr=self._rate, eps=1e-5, fused=True, capturable=is_gpu)
        self.average: Network | None = None
        """Has the averaged weights, if they are averaged and PPO has begun."""
        self._step = Recorded(self._learn_from) if is_gpu and ranks.size == 1 else self._learn_from
        self._parts = 1 if is_gpu else max(1, min(threads, settings.batch_size // FEWEST_DECISIONS))
        self._executor = ThreadPoolExecutor(self._parts)

    @property
    def best_network(self) -> Network:
        """The network to play with."""
        return self.average or self.network

    def iterate(
        self, progress: float, only_values: bool = False, planner_tickets: bool = False
    ) -> tuple[int, dict[str, float]]:
        """Do one iteration of PPO; return the number of the policy's decisions, of all ranks, and statistics.

        `progress`, 0 to 1, is how much of the training run is done. With `only_values` the policy stays as it is,
        except for what it shares with the critic. With `planner_tickets` the planner decides about tickets.
        """
        self.play(planner_tickets)
        rows, number, explained_variance = self.estimate()
        statistics = self.learn(rows, number, explained_variance, progress, only_values) if number else {}
        return sum(self.ranks.gather(sum(play.count for play in self.plays))), statistics

    def play(self, planner_tickets: bool = False) -> None:
        """Collect a rollout of the ranks' common policy in all games."""
        self.ranks.copy_first(list(self.network.parameters()))
        collect(self.plays, self.network, planner_tickets, self._report, threads=self._threads)

    def estimate(self) -> tuple[Tensor, int, float]:
        """Compute advantages and targets of the rollout.

        Returns the rows to learn from, those whose targets are known; how many these are over all ranks; and how much
        of the returns the critic has explained, at most 1.
        """
        everything, device, found, first = self.experience, self.network.device, [], 0
        for play in self.plays:
            seen = play.learned
            places = [torch.from_numpy(it).to(device) for it in play.places]
            rewards, over = (torch.from_numpy(it).to(device) for it in (play.rewards, play.over))
            advantages, is_known = advantages_of(seen.values, places, rewards, over, self.settings.gae_lambda)
            seen.targets.copy_(seen.values + advantages)
            seen.advantages.copy_(advantages[:, RETURN])
            found.append(first + is_known.nonzero().squeeze(1))
            first += len(play.experience)
        rows = torch.cat(found)
        known, returns = everything.advantages[rows], everything.targets[rows, RETURN]
        sums = [torch.stack([it.sum(), it.square().sum()]) for it in (known.double(), returns.double())]
        number, total, squares, total_return, square_returns = self.ranks.sum(
            torch.cat([known.new_tensor([len(known)], dtype=torch.float64), *sums])
        ).tolist()
        if not number:  # in a few short games all decisions may be the opponents', or their targets not known yet
            return rows, 0, float("nan")
        mean, spread = total / number, square_returns / number - (total_return / number) ** 2
        variance = max(squares / number - mean**2, 0)
        normalised = (known - mean) / (variance**0.5 + 1e-8)
        everything.advantages[rows] = normalised.masked_fill(everything.is_given[rows], 0)
        return rows, int(number), 1 - variance / spread if spread > 0 else float("nan")

    def learn(
        self, rows: Tensor, number: int, explained_variance: float, progress: float, only_values: bool = False
    ) -> dict[str, float]:
        """Learn from the rows that `estimate` returned, minibatch by minibatch; return statistics."""
        settings, left = self.settings, 1 - (1 - FINAL) * progress
        self._rate.fill_(settings.learning_rate * left)
        self._ent_coef.fill_(settings.ent_coef * left)
        self._policy_weight.fill_(not only_values)
        statistics = [
            self._step(*minibatch) for _ in range(settings.n_epochs) for minibatch in self._minibatches(rows, number)
        ]
        if settings.average_timesteps:
            self._average(1 - math.exp(-number / max(settings.average_timesteps, AVERAGED * number)))
        means = self.ranks.sum(torch.stack(statistics).mean(dim=0)).tolist()
        if not all(weights.isfinite().all() for weights in self.network.parameters()):
            raise DivergedError("learning has diverged, weights are no longer finite: a lower learning_rate may help")
        told = {f"train/{name}": mean for name, mean in zip(STATISTICS, means, strict=True)}
        return told | {"train/learning_rate": self._rate.item(), "train/explained_variance": explained_variance}

    def _average(self, share: float) -> None:
        """Let the averaged weights come nearer to the network's by a share of the way."""
        if self.average is None:
            self.average = copy.deepcopy(self.network).requires_grad_(False)
        for average, weights in zip(self.average.parameters(), self.network.parameters(), strict=True):
            average.lerp_(weights.detach(), share)

    def _minibatches(self, rows: Tensor, number: int) -> Iterator[tuple[Tensor, Tensor]]:
        """Yield rows in random order, in parts that have about `batch_size` in all ranks together, and their weights.

        Where the step of the optimiser is recorded, all parts have one size: decisions of no weight fill the last.
        """
        size = self.settings.batch_size
        parts = max(1, round(number / size))
        rows = rows[torch.randperm(len(rows), generator=self.rng).to(rows.device)]
        if isinstance(self._step, Recorded):
            parts = -(-number // size)
            rows = functional.pad(rows, (0, parts * size - number))
        weights = (torch.arange(len(rows), device=rows.device) < number) * (parts / number)
        return zip(rows.tensor_split(parts), weights.tensor_split(parts), strict=True)

    def _learn_from(self, rows: Tensor, weights: Tensor) -> Tensor:
        """Take one step of the optimiser; return the statistics of the minibatch, of this rank's share."""
        mapped = self._executor.map if self._parts > 1 else map
        found = mapped(self._gradients, rows.tensor_split(self._parts), weights.tensor_split(self._parts))
        statistics: Tensor
        statistics, *gradients = (sum(others, first) for first, *others in zip(*found, strict=True))
        for parameter, gradient in zip(self.network.parameters(), gradients, strict=True):
            parameter.grad = gradient
        self.ranks.add_gradients(self.network.parameters())
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), MAX_GRADIENT)
        self.optimizer.step()
        return statistics

    def _gradients(self, rows: Tensor, weights: Tensor) -> tuple[Tensor, ...]:
        """Return the statistics of some rows of a minibatch, and what they add to the gradient of each parameter."""
        batch = self.experience[rows]
        output = self.network(batch.inputs, batch.hidden, batch.masks)
        loss, statistics = ppo_loss(output, batch, weights, self.settings, self._policy_weight, self._ent_coef)
        return statistics, *torch.autograd.grad(loss, [*self.network.parameters()])

    def state(self) -> dict[str, Any]:
        """Return all that has been learned, for `set_state`."""
        return {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average.state_dict() if self.average else {},
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on from what `state` returned. Raises what PyTorch does if it does not fit."""
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        for group in self.optimizer.param_groups:  # as this device has them, not the one that it was trained on
            group["lr"], group["capturable"] = self._rate, self.optimizer.defaults["capturable"]
        if self.settings.average_timesteps and state["average"]:  # else averaging begins only now
            self._average(0)
            self.best_network.load_state_dict(state["average"])
