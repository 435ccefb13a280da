"""Random games on an NVIDIA GPU, with masks and observations in torch tensors (`benchmarks.throughput --device cuda`).

With `NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1` the kernels run in Numba's simulator, and the tensors are the CPU's.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import torch
from numba import cuda

from t2r_env.core import batch as core
from t2r_env.core.gpu import DeviceGames
from t2r_env.games import Games

SIMULATED = bool(numba.config.ENABLE_CUDASIM)
COMPARED = 100
"""Decisions of each game that are compared with the CPU's before anything is measured."""


class TensorGames(DeviceGames):
    """The games of a batch on the GPU, from where they are.

    Attributes
    ----------
    masks, observations : torch.Tensor
        (batch, actions) int8 and (batch, size of the observation) uint8, on the device: written by every decision.
    """

    def __init__(self, games: Games, *, mask: bool = True) -> None:
        device = "cpu" if SIMULATED else "cuda"
        width = games.masks.shape[1] if mask else 0
        self.masks = torch.zeros((games.batch, width), dtype=torch.int8, device=device)
        self.observations = torch.zeros(games.observations.shape, dtype=torch.uint8, device=device)
        as_array: Callable[[torch.Tensor], Any] = torch.Tensor.numpy if SIMULATED else cuda.as_cuda_array
        # a tensor without elements has no memory that could be handed over
        given = {name: as_array(it) for name, it in self.tensors.items() if it.numel()}
        empty = {name: np.zeros(it.shape, np.uint8) for name, it in self.tensors.items() if not it.numel()}
        ruleset = games.configuration.ruleset
        super().__init__(games.core_batch._replace(**empty), ruleset.scratch, ruleset.scoring, **given)

    @property
    def tensors(self) -> dict[str, torch.Tensor]:
        """Both by name."""
        return {"masks": self.masks, "observations": self.observations}


def check_equal(games: Games, decisions: int = COMPARED) -> int:
    """Play the games on the CPU and, from the same states, on the GPU; return how many ended.

    Raises RuntimeError if anything differs.
    """
    device = TensorGames(games)
    device.play_random(decisions)
    scratch = games.configuration.ruleset.new_scratch()
    ended = core.play_random(games.core_batch, scratch, np.arange(games.batch), decisions)
    different = device.differences(games.core_batch)
    for name, tensor in device.tensors.items():
        if not np.array_equal(tensor.cpu().numpy(), getattr(games, name)):
            different.append(f"the tensor of {name}")
    if different or device.ended() != ended:
        raise RuntimeError(f"games on the GPU differ from those on the CPU: {', '.join(different) or 'in number'}")
    return ended
