"""Several processes, the ranks, do a training together under torchrun.

`torchrun --nproc-per-node 2 -m tests.train.test_ranks FOLDER` does tiny trainings, and writes what was seen of them to
`seen.json` in the folder.
"""

import csv
import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import torch

from t2r_train.checkpoint import CheckpointError
from t2r_train.curves import TIMESTEPS, Curves
from t2r_train.ranks import Ranks, joined
from t2r_train.training import Training
from tests.train.tiny import ITERATIONS, TINY, tiny_settings, train

pytestmark = pytest.mark.release


def digest(training: Training) -> str:
    """Of the weights of this rank, the averaged ones included."""
    networks = training.learner.network, training.learner.best_network
    weights = [value.numpy().tobytes() for it in networks for value in it.state_dict().values()]
    return hashlib.sha256(b"".join(weights)).hexdigest()


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
    gradients = [[it.grad.flatten() for it in net.parameters() if it.grad is not None] for net in (together, whole)]
    added, at_once = map(torch.cat, gradients)
    return torch.allclose(added, at_once)


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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of two trainings by two ranks, of which no thread is left: one to its end, one that was resumed."""
    path = tmp_path_factory.mktemp("ranks")
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    subprocess.run([*torchrun, "-m", "tests.train.test_ranks", path], check=True)
    return path


def test_ranks_learn_the_same_from_games_that_together_are_those_of_one(folder: Path, tmp_path: Path) -> None:
    """All have the same weights and pool, by the gradients of all decisions, also if they are interrupted."""
    seen: dict[str, Any] = json.loads((folder / "seen.json").read_text(encoding="utf-8"))
    weights = [one for one, _ in seen["weights"]]
    assert len(set(weights)) == len(weights) > ITERATIONS
    assert all(one == other for one, other in seen["weights"])
    assert seen["is_of_one_batch"] == [True, True]
    alone = Training(tmp_path, tiny_settings())
    assert [seed for own in seen["seeds"] for seed in own] == alone.plays[0].games.seeds.tolist()
    assert seen["pools"][0] == seen["pools"][1]
    assert seen["timesteps"][0] == seen["timesteps"][1] >= TINY["total_timesteps"]
    *_, last = csv.DictReader((folder / "whole" / "curves.csv").read_text(encoding="utf-8").splitlines())
    assert float(last[TIMESTEPS]) == seen["timesteps"][0]
    assert last["eval/win_rate/random"]
    assert seen["broken"] == [weights[-1], seen["timesteps"][0], seen["pools"][0][0]]


def test_a_training_is_resumed_by_as_many_ranks_as_before_which_must_share_its_games(folder: Path) -> None:
    with pytest.raises(CheckpointError, match="it was trained by 2 ranks, and these are 1"):
        Training(folder / "whole")
    assert Ranks(0, 4).share("n_envs", 8) == 2
    with pytest.raises(ValueError, match="n_envs must be a multiple of the number of ranks, 3, not 8"):
        Ranks(0, 3).share("n_envs", tiny_settings().n_envs)


if __name__ == "__main__":
    folder_of_ranks = Path(sys.argv[1])
    with joined():
        rank, seen = Ranks.joined().rank, see(folder_of_ranks)
        assert threads() or sys.platform != "linux"
    assert not threads(), "one that is left may abort the process while Python ends"
    if rank == 0:
        (folder_of_ranks / "seen.json").write_text(json.dumps(seen), encoding="utf-8")
