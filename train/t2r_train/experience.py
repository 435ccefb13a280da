"""The decisions that are learned from, as tensors that stay on the device from the games to the optimiser."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import torch
from torch import Tensor

from t2r_train.inputs import Inputs

RETURN, OUTCOME = 0, 1
"""The columns of what the network predicts: the return of the rewards, and the rank at the end from -1 to 1."""


@dataclass(frozen=True)
class Experience:
    """M decisions of the learner: what it saw, what it did, and what came of it."""

    inputs: Tensor
    """(M, size) uint8, the observations."""
    hidden: Tensor
    """(M, size) uint8, what the acting seat can't see; no columns if the critic does not see it."""
    masks: Tensor
    """(M, actions) bool."""
    actions: Tensor
    """(M,) int64."""
    log_probabilities: Tensor
    """(M,) float32, of the actions when they were drawn."""
    is_given: Tensor
    """(M,) bool, whether the planner chose the action, so that the policy does not learn from it."""
    values: Tensor
    """(M, 2) float32, what the network predicted."""
    targets: Tensor
    """(M, 2) float32, what it should have predicted, from `advantages_of`."""
    advantages: Tensor
    """(M,) float32, less their mean, divided by their deviation."""

    @classmethod
    def empty(cls, number: int, inputs: Inputs, device: torch.device) -> "Experience":
        """Return room for a number of decisions."""

        def zeros(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros((number, *shape), dtype=dtype, device=device)

        return cls(
            inputs=zeros(inputs.observation.size, dtype=torch.uint8),
            hidden=zeros(inputs.hidden.size, dtype=torch.uint8),
            masks=zeros(inputs.num_actions, dtype=torch.bool),
            actions=zeros(dtype=torch.int64),
            log_probabilities=zeros(),
            is_given=zeros(dtype=torch.bool),
            values=zeros(2),
            targets=zeros(2),
            advantages=zeros(),
        )

    def __len__(self) -> int:
        return len(self.actions)

    def __getitem__(self, rows: slice | Tensor) -> "Experience":
        """Return some of the decisions: views for a slice, copies for indices (k,)."""
        columns = (getattr(self, it.name) for it in fields(self))
        return Experience(*(it[rows] if isinstance(rows, slice) else it.index_select(0, rows) for it in columns))


def advantages_of(
    values: Tensor, places: Sequence[Tensor], rewards: Tensor, over: Tensor, gae_lambda: float
) -> tuple[Tensor, Tensor]:
    """Estimate generalised advantages along the decisions of each seat (Schulman et al. 2016), without discounting.

    A decision's reward is all that its seat earns until its next decision or the end, whoever's move it comes from.
    Where a game goes on behind the rollout, the value of a seat's last decision stands for what follows: the advantage
    of that one decision is not known. A turn limit is an end like any other. Returns the advantages, (M, 2), and
    whether they are known, (M,).

    Parameters
    ----------
    values
        (M, 2) predictions of M decisions in T steps of N games, in their order.
    places
        For each step the places of its decisions, (k,) int64: game * seats + seat.
    rewards, over
        (T, N, seats, 2) and bool (T, N): what each step brought, and whether it ended the game.
    """
    _, games, seats, kinds = rewards.shape
    earned, next_values, next_advantages = rewards.new_zeros(3, games * seats, kinds)
    has_next = over.new_zeros(games * seats)
    advantages, is_known = torch.zeros_like(values), over.new_zeros(len(values))
    end = len(values)
    for step in reversed(range(len(rewards))):
        ended, now, at = over[step].repeat_interleave(seats), slice(end - len(places[step]), end), places[step]
        for following in (earned, next_values, next_advantages):
            following.masked_fill_(ended[:, None], 0)
        has_next |= ended
        earned += rewards[step].view(games * seats, kinds)
        errors = earned[at] + next_values[at] - values[now]
        is_known[now] = has_next[at]
        advantages[now] = (errors + gae_lambda * next_advantages[at]) * has_next[at][:, None]
        earned[at], next_values[at], next_advantages[at], has_next[at] = 0, values[now], advantages[now], True
        end -= len(at)
    return advantages, is_known
