"""Several processes, the ranks, do a training together under torchrun."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from t2r_train.checkpoint import CheckpointError
from t2r_train.curves import TIMESTEPS
from t2r_train.ranks import Ranks
from t2r_train.training import Training
from tests.train.tiny import ITERATIONS, TINY, tiny_settings


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of two trainings by two ranks, of which no thread is left: one to its end, one that was resumed."""
    path = tmp_path_factory.mktemp("ranks")
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    subprocess.run([*torchrun, "-m", "tests.train.ranked", path], check=True)
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
    rows = (folder / "whole" / "curves.csv").read_text(encoding="utf-8").splitlines()
    last = dict(zip(rows[0].split(","), rows[-1].split(","), strict=True))
    assert float(last[TIMESTEPS]) == seen["timesteps"][0]
    assert last["eval/win_rate/random"]
    assert seen["broken"] == [weights[-1], seen["timesteps"][0], seen["pools"][0][0]]


def test_a_training_is_resumed_by_as_many_ranks_as_before_which_must_share_its_games(folder: Path) -> None:
    with pytest.raises(CheckpointError, match="it was trained by 2 ranks, and these are 1"):
        Training(folder / "whole")
    assert Ranks(0, 4).share("n_envs", 8) == 2
    with pytest.raises(ValueError, match="n_envs must be a multiple of the number of ranks, 3, not 8"):
        Ranks(0, 3).share("n_envs", tiny_settings().n_envs)


pytestmark = pytest.mark.release
