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
    """The folder of two trainings by two ranks: one to its end, one that was resumed."""
    path = tmp_path_factory.mktemp("ranks")
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    subprocess.run([*torchrun, "-m", "tests.train.ranked", path], check=True)
    return path


@pytest.fixture(scope="module")
def seen(folder: Path) -> dict[str, Any]:
    """What `tests.train.ranked` has seen."""
    found: dict[str, Any] = json.loads((folder / "seen.json").read_text(encoding="utf-8"))
    return found


def test_all_ranks_have_the_same_weights_after_every_iteration(seen: dict[str, Any]) -> None:
    assert len(seen["weights"]) > ITERATIONS
    assert all(one == other for one, other in seen["weights"])
    assert len({one for one, _ in seen["weights"]}) == len(seen["weights"])


def test_the_gradients_of_all_ranks_are_those_of_their_decisions_together(seen: dict[str, Any]) -> None:
    assert seen["is_of_one_batch"] == [True, True]


def test_each_rank_plays_games_of_its_own_and_together_they_are_those_of_one(
    seen: dict[str, Any], tmp_path: Path
) -> None:
    alone = Training(tmp_path, tiny_settings())
    assert [seed for own in seen["seeds"] for seed in own] == alone.plays[0].games.seeds.tolist()
    assert all(one != other for one, other in seen["plays"])


def test_all_ranks_have_the_same_pool_and_count_all_timesteps(seen: dict[str, Any], folder: Path) -> None:
    assert seen["pools"][0] == seen["pools"][1]
    assert seen["timesteps"][0] == seen["timesteps"][1] >= TINY["total_timesteps"]
    rows = (folder / "whole" / "curves.csv").read_text(encoding="utf-8").splitlines()
    last = dict(zip(rows[0].split(","), rows[-1].split(","), strict=True))
    assert float(last[TIMESTEPS]) == seen["timesteps"][0]
    assert last["eval/win_rate/random"]


def test_a_training_resumed_by_the_ranks_ends_as_if_it_had_not_been_interrupted(seen: dict[str, Any]) -> None:
    assert seen["broken"] == [seen["weights"][-1][0], seen["timesteps"][0], seen["pools"][0][0]]


def test_a_training_is_resumed_by_as_many_ranks_as_before(folder: Path) -> None:
    with pytest.raises(CheckpointError, match="it was trained by 2 ranks, and these are 1"):
        Training(folder / "whole")


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_no_thread_of_the_ranks_together_is_left_when_they_end(folder: Path) -> None:
    # one that is left may abort the process while Python ends
    def of_gloo(name: str) -> list[str]:
        return [thread for thread in json.loads((folder / name).read_text(encoding="utf-8")) if "gloo" in thread]

    for rank in range(2):
        assert of_gloo(f"threads_{rank}.json")
        assert not of_gloo(f"threads_after_{rank}.json")


def test_games_that_ranks_can_not_share_are_refused() -> None:
    assert Ranks(0, 4).share("n_envs", 8) == 2
    with pytest.raises(ValueError, match="n_envs must be a multiple of the number of ranks, 3, not 8"):
        Ranks(0, 3).share("n_envs", tiny_settings().n_envs)


pytestmark = pytest.mark.release
