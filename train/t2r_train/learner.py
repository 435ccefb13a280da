"""The learner: PPO (Schulman et al. 2017) with masked actions (Huang and Ontañón 2020), and imitation of an expert.

An iteration collects a rollout (`t2r_train.self_play`) and then learns from it in minibatches.
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from t2r_env.agents import Agent
from t2r_train.network import Network
from t2r_train.ranks import ALONE, Ranks
from t2r_train.self_play import Rollout, SelfPlay, advantages_of, win_rewards
from t2r_train.settings import Settings

CHUNK = 8192
"""The number of decisions that are evaluated at once where no gradients are needed."""
FINAL_LEARNING_RATE = 0.1
"""The share of the learning rate that is left at the end."""


def ppo_loss(
    output: tuple[Tensor, Tensor, Tensor], settings: Settings, batch: Mapping[str, Tensor], *, only_values: bool
) -> tuple[Tensor, dict[str, Tensor]]:
    """Return the loss of a minibatch of k decisions and its statistics, scalars without gradients.

    Parameters
    ----------
    output
        What `Network.forward` returned.
    batch
        (k,) the `actions`, and `old`, their log-probabilities when they were drawn; (k,) the targets `advantages`,
        `returns` and `outcomes`; (k, actions) `reference`, log-probabilities of the policy that `kl_coef` keeps the new
        one close to.
    only_values
        Whether the policy stays as it is, except for what it shares with the critic.
    """
    log_probabilities, values, predicted = output
    log_ratio = log_probabilities.gather(1, batch["actions"][:, None]).squeeze(1) - batch["old"]
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - settings.clip_range, 1 + settings.clip_range)
    policy_loss = -torch.min(ratio * batch["advantages"], clipped * batch["advantages"]).mean()
    entropy = -(log_probabilities.softmax(dim=1) * log_probabilities).sum(dim=1).mean()  # faster than exp() for zeros
    value_loss = functional.mse_loss(values, batch["returns"])
    outcome_loss = functional.mse_loss(predicted, batch["outcomes"])
    loss = settings.vf_coef * value_loss + outcome_loss
    if not only_values:
        loss = loss + policy_loss - settings.ent_coef * entropy
    if settings.kl_coef:
        divergence = functional.kl_div(log_probabilities, batch["reference"], reduction="batchmean", log_target=True)
        loss = loss + settings.kl_coef * divergence
    parts = {
        "approx_kl": (ratio - 1 - log_ratio).mean(),
        "clip_fraction": ((ratio - 1).abs() > settings.clip_range).float().mean(),
        "entropy_loss": -entropy,
        "policy_gradient_loss": policy_loss,
        "value_loss": value_loss,
        "outcome_loss": outcome_loss,
    }
    return loss, {name: part.detach() for name, part in parts.items()}


@dataclass(frozen=True)
class Experience:
    """The M decisions of an iteration in the games of all configurations, as the network sees them, and targets."""

    inputs: NDArray[np.uint8]
    """(M, size)."""
    hidden: NDArray[np.uint8]
    """(M, size)."""
    masks: NDArray[np.bool_]
    """(M, actions)."""
    actions: NDArray[np.int64]
    """(M,)."""
    log_probabilities: NDArray[np.float32]
    """(M, actions) of the network when it acted."""
    advantages: NDArray[np.float32]
    """(M,) less their mean, divided by their deviation, over all ranks; 0 where the policy did not choose."""
    returns: NDArray[np.float32]
    """(M,) targets of the critic."""
    outcomes: NDArray[np.float32]
    """(M,) targets of the predicted outcome."""
    rows: NDArray[np.int64]
    """The decisions whose targets are known."""
    number: int
    """How many these are, over all ranks."""
    share: float
    """How many of them this rank has."""
    timesteps: int
    """All decisions, over all ranks."""
    explained_variance: float
    """How much the critic knew of the returns."""


class Learner:
    """A network, its optimiser, and how they learn from games; several ranks learn the same together."""

    def __init__(
        self,
        network: Network,
        settings: Settings,
        plays: Sequence[SelfPlay],
        rng: np.random.Generator,
        ranks: Ranks = ALONE,
        report: Callable[[int], object] = lambda decisions: None,
    ) -> None:
        """Begin with a network and the games of each configuration; `rng` draws actions and minibatches.

        `report` is called in each step of the games with the number of decisions, those of this rank.
        """
        self.ranks, self._report = ranks, report
        self.network, self.settings, self.plays, self.rng = network, settings, plays, rng
        self.optimizer = torch.optim.Adam(network.parameters(), eps=1e-5, fused=True)
        self.reference = copy.deepcopy(network) if settings.kl_coef and settings.kl_reference_decay else None
        decay = settings.average_decay
        follow = get_ema_multi_avg_fn(decay)  # type: ignore[no-untyped-call]  # PyTorch's
        self.average = AveragedModel(network, multi_avg_fn=follow) if decay else None

    @property
    def best_network(self) -> Network:
        """The network to play with: that of the averaged weights, if they are averaged and PPO has begun."""
        if self.average is None or not self.average.n_averaged:
            return self.network
        averaged = self.average.module
        assert isinstance(averaged, Network)
        return averaged

    def imitate(self, expert: Agent, progress: float) -> tuple[int, dict[str, float]]:
        """Learn from the expert's decisions in games against itself; return their number, of all ranks, and statistics.

        The loss is the cross entropy of the expert's actions, and the values' losses as in PPO. `progress`, 0 to 1, is
        how much of the imitation is done.
        """
        settings = self.settings
        seen = self._collect(expert)
        statistics: list[Tensor] = []
        for _ in range(settings.imitation_epochs):
            for batch in self._minibatches(seen, settings.imitation_batch_size):
                log_probabilities, values, outcomes = self._forward(seen, batch)
                columns = seen.actions, seen.returns, seen.outcomes
                actions, returns, ranks = self.network.tensors(*(column[batch] for column in columns))
                loss = functional.nll_loss(log_probabilities, actions)
                value_loss = functional.mse_loss(values, returns)
                outcome_loss = functional.mse_loss(outcomes, ranks)
                total = loss + settings.vf_coef * value_loss + outcome_loss
                self._step(total, settings.imitation_learning_rate, progress, seen.share)
                accuracy = (log_probabilities.argmax(dim=1) == actions).float().mean()
                statistics.append(torch.stack([accuracy, loss, value_loss, outcome_loss]).detach())
        means = self.ranks.mean(torch.stack(statistics).mean(dim=0)).tolist()
        names = ("accuracy", "loss", "value_loss", "outcome_loss")
        return seen.timesteps, {f"imitation/{name}": mean for name, mean in zip(names, means, strict=True)}

    def iterate(
        self, progress: float, only_values: bool = False, planner_tickets: bool = False
    ) -> tuple[int, dict[str, float]]:
        """Do one iteration of PPO; return the number of the policy's decisions, of all ranks, and statistics.

        `progress`, 0 to 1, is how much of the training run is done. With `only_values` the policy stays as it is,
        except for what it shares with the critic. With `planner_tickets` the planner decides about tickets.
        """
        settings = self.settings
        seen = self._collect(planner_tickets=planner_tickets)
        columns: dict[str, NDArray[Any]] = {
            "actions": seen.actions,
            "old": np.take_along_axis(seen.log_probabilities, seen.actions[:, None], axis=1).ravel(),
            "advantages": seen.advantages,
            "returns": seen.returns,
            "outcomes": seen.outcomes,
        }
        if settings.kl_coef:
            columns["reference"] = self._reference(seen)
        statistics: list[dict[str, Tensor]] = []
        epochs = 0
        for _ in range(settings.n_epochs):
            epochs += 1
            first = len(statistics)
            for rows in self._minibatches(seen, settings.batch_size):
                batch = dict(zip(columns, self.network.tensors(*(it[rows] for it in columns.values())), strict=True))
                loss, parts = ppo_loss(self._forward(seen, rows), settings, batch, only_values=only_values)
                self._step(loss, settings.learning_rate, progress, seen.share)
                statistics.append(parts)
            divergences = torch.stack([parts["approx_kl"] for parts in statistics[first:]])
            if settings.target_kl and self.ranks.mean(divergences.mean()).item() > settings.target_kl:
                break
        if self.reference is not None:
            with torch.no_grad():
                for slow, fast in zip(self.reference.parameters(), self.network.parameters(), strict=True):
                    slow.lerp_(fast, 1 - settings.kl_reference_decay)
        if self.average is not None:
            self.average.update_parameters(self.network)
        means = {
            f"train/{name}": self.ranks.mean(torch.stack([parts[name] for parts in statistics]).mean()).item()
            for name in statistics[0]
        }
        rate = {"train/learning_rate": self.optimizer.param_groups[0]["lr"], "train/n_epochs": float(epochs)}
        return seen.timesteps, means | rate | {"train/explained_variance": seen.explained_variance}

    def _collect(self, expert: Agent | None = None, planner_tickets: bool = False) -> Experience:
        """Return rollouts of the ranks' common policy, or of an expert, in all games, with their targets.

        With `planner_tickets` the planner decides about tickets.
        """
        self.ranks.copy_first(list(self.network.parameters()))
        rollouts = [play.collect(self.network, self.rng, expert, planner_tickets, self._report) for play in self.plays]

        def joined(name: str) -> NDArray[Any]:
            return np.concatenate([getattr(rollout, name) for rollout in rollouts])

        targets = [self._targets(rollout) for rollout in rollouts]
        columns: list[NDArray[Any]] = [np.concatenate(column) for column in zip(*targets, strict=True)]
        advantages, returns, outcomes, is_known = columns
        rows = np.flatnonzero(is_known)
        known, spread = self.ranks.join(advantages[rows]), self.ranks.join(returns[rows]).var()
        return Experience(
            inputs=joined("inputs"),
            hidden=joined("hidden"),
            masks=joined("masks"),
            actions=joined("actions"),
            log_probabilities=joined("log_probabilities"),
            advantages=np.where(joined("is_given"), 0, (advantages - known.mean()) / (known.std() + 1e-8)),
            returns=returns,
            outcomes=outcomes,
            rows=rows,
            number=len(known),
            share=len(rows) / len(known),
            timesteps=sum(self.ranks.gather(len(returns))),
            explained_variance=float(1 - known.var() / spread) if spread else float("nan"),
        )

    def _targets(self, rollout: Rollout) -> tuple[NDArray[Any], ...]:
        """Return advantages, returns and outcomes (M,) of a rollout, and whether they are known."""
        settings = self.settings
        wins = settings.win_reward * win_rewards(rollout.rank_rewards)
        rewards = rollout.rewards / np.float32(settings.reward_unit) + wins
        advantages, is_known = advantages_of(rollout, rewards, rollout.values, settings.gamma, settings.gae_lambda)
        errors, _ = advantages_of(rollout, rollout.rank_rewards, rollout.outcomes, 1.0, settings.gae_lambda)
        return advantages, rollout.values + advantages, rollout.outcomes + errors, is_known

    def _reference(self, seen: Experience) -> NDArray[np.float32]:
        """Return the log-probabilities of the policy that the new one is kept close to, (M, actions)."""
        if self.reference is None:
            return seen.log_probabilities
        starts = range(0, len(seen.actions), CHUNK)
        with torch.inference_mode():
            chunks = [
                self.reference.log_probabilities(
                    *self.network.tensors(seen.inputs[start : start + CHUNK], seen.masks[start : start + CHUNK])
                )
                for start in starts
            ]
        return np.concatenate([it.cpu().numpy() for it in chunks])

    def _minibatches(self, seen: Experience, size: int) -> list[NDArray[np.int64]]:
        """Return the rows in random order, in parts that have about this size in all ranks together."""
        return np.array_split(self.rng.permutation(seen.rows), max(1, round(seen.number / size)))

    def _forward(self, seen: Experience, rows: NDArray[np.int64]) -> tuple[Tensor, Tensor, Tensor]:
        columns = seen.inputs[rows], seen.hidden[rows], seen.masks[rows]
        output: tuple[Tensor, Tensor, Tensor] = self.network(*self.network.tensors(*columns))
        return output

    def _step(self, loss: Tensor, learning_rate: float, progress: float, share: float) -> None:
        """Take one step of the optimiser; `share` is how much of the minibatch this rank has."""
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate * (1 - (1 - FINAL_LEARNING_RATE) * progress)
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # PyTorch's
        self.ranks.add_gradients(self.network.parameters(), share)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.max_grad_norm)
        self.optimizer.step()

    def state(self) -> dict[str, Any]:
        """Return all that has been learned, for `set_state`."""
        return {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "reference": self.reference.state_dict() if self.reference else {},
            "average": self.average.state_dict() if self.average else {},
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from what `state` returned. Raises what PyTorch does if it does not fit."""
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        if self.reference:
            self.reference.load_state_dict(state["reference"])
        if self.average and state["average"]:  # else averaging begins only now
            self.average.load_state_dict(state["average"])
