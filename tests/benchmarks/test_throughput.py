"""The benchmark of throughput: what it prints, and the command lines it refuses. Speed is not tested."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks import throughput
from benchmarks.throughput import LAYERS, main
from t2r_env.agents import choose_evenly

ROOT = Path(__file__).parents[2]


def test_every_layer_is_measured_and_printed_as_a_line_of_json() -> None:
    command = [sys.executable, "-m", "benchmarks.throughput", "--num-players", "3", "--tickets", "classic"]
    brief = ["--batch", "16", "--threads", "2", "--runs", "2", "--seconds", "0.01"]
    done = subprocess.run([*command, *brief], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["layer"] for line in lines] == list(LAYERS)
    for line in lines:
        assert (line["variant"], line["players"], line["tickets"], line["runs"]) == ("usa", 3, "classic", 2)
        assert line["decisions_per_second"] >= line["decisions_per_second_median"] > 0
        assert line["machine"]
        assert {"python", "t2r-env", "numpy", "numba"} <= line["versions"].keys()
    assert [line["threads"] for line in lines] == [1, 2, 2, 2, 2, 2, 2, 1]


def test_every_layer_can_measure_the_card_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--variant", "card_game", "--batch", "16", "--runs", "1", "--seconds", "0.01"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["layer"], line["variant"], line["players"]) for line in lines] == [
        (layer, "card_game", 2) for layer in LAYERS
    ]
    assert all(line["decisions_per_second"] > 0 for line in lines)


def test_every_step_of_the_vector_layer_is_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    def choose(masks: NDArray[np.int8], seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        assert masks.any(axis=1).all()
        return choose_evenly(masks, seeds)

    monkeypatch.setattr(throughput, "choose_evenly", choose)
    arguments = argparse.Namespace(
        variant="new_york", players=2, batch=16, threads=1, tickets=None, advanced_technologies=False
    )
    assert LAYERS["vector"](arguments)(0.3)[1] > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--num-players", "9"], "num_players of usa must be an integer from 2 to 5, not 9"),
        (["--variant", "mars"], "unknown variant 'mars'"),
        (["--batch", "0"], "batch must be an integer, at least 1, not 0"),
    ],
)
def test_a_wrong_command_line_is_refused_with_a_message(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err
