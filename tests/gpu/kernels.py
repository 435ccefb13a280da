"""What plays games on a GPU, without one: both rulesets compile to PTX, and in the simulator they play the CPU's games.

`make gpu` runs these tests where numba-cuda is installed.
"""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
from numba import cuda
from numba.cuda import dispatcher

from t2r_env import configure
from t2r_env.core import batch as core
from t2r_env.core import gpu

ROOT = Path(__file__).parents[2]
CAPABILITY = (8, 0)
MOST_SCRATCH = 32_000
"""Bytes for each game on a GPU."""


@pytest.mark.parametrize("variant", ["usa", "card_game"])
def test_the_kernels_of_a_ruleset_compile_to_ptx(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # functions that kernels call are compiled for the GPU at hand, whatever the kernel is compiled for
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=CAPABILITY))
    arrays = one_game(variant)
    for kernel in (gpu.list_first, gpu.decide, gpu.end):
        signature = numba.void(*(type_of(arrays[name]) for name in gpu.arguments_of(kernel)))
        ptx, _ = cuda.compile_ptx(kernel.py_func, signature, cc=CAPABILITY, opt=False)
        assert ".target sm_80" in ptx
        assert ".visible .entry" in ptx


@pytest.mark.parametrize("variant", ["usa", "card_game"])
def test_a_game_needs_little_scratch_memory_on_a_gpu(variant: str) -> None:
    assert one_game(variant)["scratch"].nbytes < MOST_SCRATCH


def one_game(variant: str) -> dict[str, Any]:
    """The arrays of a batch of one game, by the names of the kernels' arguments."""
    configuration = configure(variant)
    ruleset, scratch = configuration.ruleset, configuration.ruleset.new_scratch()
    states = ruleset.new_states(1)
    return core.Batch(
        core.new_rows(1),
        states,
        states,
        np.zeros((1, 1), np.int8),
        np.zeros((1, 1), np.uint8),
        np.zeros((1, 1, 1), np.uint8),
        configuration.rules,
        configuration.opening,
        core.new_settings(0, True),
    )._asdict() | {"scratch": scratch.deciding, "scoring": scratch.scoring, "ended": np.zeros(1, np.int64)}


def type_of(array: Any) -> Any:
    return numba.types.Array(numba.from_dtype(array.dtype), array.ndim, "C")


@pytest.mark.parametrize(("variant", "decisions"), [("usa", 270), ("card_game", 280)])
def test_the_simulator_plays_the_same_games_as_the_cpu(variant: str, decisions: int) -> None:
    """Beyond their ends; two games share the one record of scratch memory for scoring."""
    code = f"""
import numpy as np
from t2r_env import Games
from t2r_env.core import batch as core
from t2r_env.core.gpu import DeviceGames

games = Games({variant!r}, batch=2, seed=5, reward="score")
games.rngs[:] = [1, 2]
ruleset = games.configuration.ruleset
device = DeviceGames(games.core_batch, ruleset.scratch, ruleset.scoring, pool=1)
device.play_random({decisions})
ended = core.play_random(games.core_batch, ruleset.new_scratch(), np.arange(2), {decisions})
print(device.differences(games.core_batch), device.ended() == ended, ended)
"""
    simulated = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=simulated, capture_output=True, text=True)
    assert done.stdout == "[] True 2\n", done.stdout + done.stderr
