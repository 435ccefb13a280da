"""The processes of a training run: one, or those that `torchrun` has started, the ranks, which learn together.

Each rank plays games of its own; gradients are averaged, so that all have the same weights at all times.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

import torch
from torch import Tensor, distributed

Item = TypeVar("Item")


@dataclass(frozen=True)
class Ranks:
    """The operations that all ranks do together: each method is called by all. Alone, it returns its argument."""

    rank: int = 0
    size: int = 1

    @classmethod
    def joined(cls) -> "Ranks":
        """Return the ranks that this process has joined (`joined`); else it is alone."""
        if distributed.is_available() and distributed.is_initialized():
            return cls(distributed.get_rank(), distributed.get_world_size())
        return cls()

    @property
    def is_first(self) -> bool:
        """Whether this is the rank that writes files and to the terminal."""
        return self.rank == 0

    def share(self, name: str, number: int) -> int:
        """Return each rank's share of a number of things. Raises ValueError if that is no integer."""
        if number % self.size:
            raise ValueError(f"{name} must be a multiple of the number of ranks, {self.size}, not {number}")
        return number // self.size

    def device(self, device: torch.device) -> torch.device:
        """Return the device of this rank, given the type that all use: each has its own GPU, if there are enough."""
        if self.size == 1 or device.type != "cuda":
            return device
        return torch.device("cuda", int(os.environ["LOCAL_RANK"]) % torch.cuda.device_count())

    def gather(self, item: Item) -> list[Item]:
        """Return the items of all ranks."""
        if self.size == 1:
            return [item]
        items: list[Item] = [item] * self.size
        distributed.all_gather_object(items, item)
        return items

    def sum(self, values: Tensor) -> Tensor:
        """Return the sum of the ranks' values."""
        return values if self.size == 1 else torch.stack(self.gather(values.cpu())).sum(dim=0)

    def mean(self, values: Tensor) -> Tensor:
        """Return the mean of the ranks' values."""
        return values if self.size == 1 else torch.stack(self.gather(values.cpu())).mean(dim=0)

    def add_gradients(self, parameters: Iterable[Tensor]) -> None:
        """Let the gradients be the sum of all ranks'."""
        if self.size > 1:
            gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
            flat = torch.cat([gradient.flatten() for gradient in gradients]).cpu()
            distributed.all_reduce(flat)
            _scatter(flat, gradients)

    def copy_first(self, tensors: Sequence[Tensor]) -> None:
        """Let the tensors be those of the first rank: processors of another kind may round otherwise."""
        if self.size > 1:
            with torch.no_grad():
                flat = torch.cat([tensor.flatten() for tensor in tensors]).cpu()
                distributed.broadcast(flat, 0)
                _scatter(flat, tensors)


ALONE = Ranks()


def _scatter(flat: Tensor, tensors: Sequence[Tensor]) -> None:
    for tensor, part in zip(tensors, torch.split(flat, [tensor.numel() for tensor in tensors]), strict=True):
        tensor.copy_(part.view_as(tensor))


@contextmanager
def joined() -> Iterator[None]:
    """Join the other ranks, if `torchrun` has started this process as one of several."""
    if not distributed.is_available() or not distributed.is_torchelastic_launched() or os.environ["WORLD_SIZE"] == "1":
        yield
        return
    # Its functions keep the group that there is when PyTorch first imports it, as it does for an optimizer. The group's
    # threads would then live on after the group is destroyed, and can abort a process that ends (PyTorch issue 190489).
    import torch.distributed.nn.functional  # noqa: F401

    # One rank may play a long match while the others wait; if one ends, `torchrun` ends all.
    distributed.init_process_group("gloo", timeout=timedelta(days=7))
    try:
        yield
        distributed.barrier()  # none is gone while another one still needs it
    finally:
        distributed.destroy_process_group()
