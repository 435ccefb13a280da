"""The rewards of a training run: the environment's in another unit, and one for the rank at the end of a game."""

import numpy as np
from numpy.typing import NDArray


def rank_rewards(ranks: NDArray[np.int64], num_teams: int) -> NDArray[np.float32]:
    """Return 1 for the first rank, -1 for the last, linear in between, and 0 for rank 0 (truncated games)."""
    return np.where(ranks > 0, 1 - 2 * (ranks - 1) / (num_teams - 1), 0).astype(np.float32)
