"""`torchrun --nproc-per-node 2 -m tests.train.ranked FOLDER`: tiny trainings by several ranks, for `test_ranks`.

What was seen is written to `seen.json` in the folder.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import torch

from t2r_train.curves import Curves
from t2r_train.ranks import Ranks, joined
from t2r_train.training import Training
from tests.train.tiny import tiny_settings, train


def digest(training: Training) -> str:
    """Of the weights of this rank, the averaged ones included."""
    found = hashlib.sha256()
    for state in (training.learner.network.state_dict(), training.learner.best_network.state_dict()):
        for value in state.values():
            found.update(value.numpy().tobytes())
    return found.hexdigest()


def of_one_batch(ranks: Ranks) -> bool:
    """Whether the gradients of parts of a batch, added, are those of the whole one."""
    inputs = torch.from_numpy(np.random.default_rng(0).normal(size=(8, 3)))
    own = inputs.tensor_split([3])[ranks.rank]
    together, whole = (torch.nn.Linear(3, 2).double() for _ in range(2))
    ranks.copy_first(list(together.parameters()))
    whole.load_state_dict(together.state_dict())
    (together(own).square().sum() / (8 * 2)).backward()
    ranks.add_gradients(together.parameters())
    whole(inputs).square().mean().backward()
    return all(
        torch.allclose(one.grad, other.grad)
        for one, other in zip(together.parameters(), whole.parameters(), strict=True)
        if one.grad is not None and other.grad is not None
    )


def see(folder: Path) -> dict[str, Any]:
    """Train once to the end, and once with a break; what is seen of it."""
    ranks = Ranks.joined()
    whole = Training(folder / "whole", tiny_settings())
    seeds = ranks.gather([seed for play in whole.plays for seed in play.games.seeds.tolist()])
    weights: list[Any] = []
    with patch.object(Curves, "plot"):  # which takes half of the time
        whole.run(lambda line: weights.append(ranks.gather(digest(whole))), lambda: False)
    train(Training(folder / "broken", tiny_settings()), 2)
    ranks.gather(None)  # the checkpoint is written
    broken = train(Training(folder / "broken"))
    return {
        "seeds": seeds,
        "weights": weights,
        "pools": ranks.gather([whole.pool.win_rates, whole.pool.names]),
        "timesteps": ranks.gather(whole.num_timesteps),
        "broken": [digest(broken), broken.num_timesteps, broken.pool.win_rates],
        "is_of_one_batch": ranks.gather(of_one_batch(ranks)),
    }


def threads() -> list[str]:
    """The threads of this process that wait for the other ranks (on Linux)."""
    return [name for path in Path("/proc/self/task").glob("*/comm") if "gloo" in (name := path.read_text())]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    with joined():
        rank, seen = Ranks.joined().rank, see(folder)
        assert threads() or sys.platform != "linux"
    assert not threads(), "one that is left may abort the process while Python ends"
    if rank == 0:
        (folder / "seen.json").write_text(json.dumps(seen), encoding="utf-8")
