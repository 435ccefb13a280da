"""The benchmarks of throughput and of the search with a policy: what they print. Speed is not tested."""

import argparse
import json

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks import search, throughput
from benchmarks.throughput import LAYERS, main
from t2r_env.agents import choose_evenly
from tests.helpers.fixtures import Capture, Patch


@pytest.mark.release
@pytest.mark.parametrize(("variant", "more"), [("usa", ["--num-players", "3", "--layers", *LAYERS]), ("card_game", [])])
def test_every_layer_is_measured_and_printed_as_a_line_of_json(variant: str, more: list[str], capsys: Capture) -> None:
    brief = ["--batch", "16", "--threads", "2", "--runs", "2", "--seconds", "0.01"]
    assert main(["--variant", variant, "--tickets", "classic", *more, *brief]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["layer"] for line in lines] == [it for it in LAYERS if it != "graph" or variant == "usa"]
    for line in lines:
        assert (line["variant"], line["tickets"], line["runs"]) == (variant, "classic", 2)
        assert line["players"] == (3 if more else 2)
        assert line["decisions_per_second"] >= line["decisions_per_second_median"] > 0
        assert line["machine"]
        assert {"python", "t2r-env", "numpy", "numba"} <= line["versions"].keys()
    assert [line["threads"] for line in lines] == [1, *[2] * (len(lines) - 2), 1]


def test_every_step_of_the_vector_layer_is_a_decision(monkeypatch: Patch) -> None:
    def choose(masks: NDArray[np.int8], seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        assert masks.any(axis=1).all()
        return choose_evenly(masks, seeds)

    monkeypatch.setattr(throughput, "choose_evenly", choose)
    arguments = argparse.Namespace(
        variant="new_york", players=2, batch=16, threads=1, tickets=None, advanced_technologies=False
    )
    assert LAYERS["vector"](arguments)(0.3)[1] > 0


def test_regret_and_time_are_means_over_games_with_intervals(capsys: Capture) -> None:
    search.main(["--variant", "new_york", "--simulations", "12", "--games", "3", "--every", "4"])
    (line,) = capsys.readouterr().out.splitlines()
    told = json.loads(line)
    assert (told["identity"]["variant"], told["simulations"], told["games"]) == ("new_york", 12, 3)
    for name in search.COLUMNS:
        assert told[name]["low"] <= told[name]["value"] <= told[name]["high"]
    assert told["seconds"]["value"] > 0
