"""The benchmarks of throughput, also of two revisions, and of the search with a policy: what they measure and print.

Speed, and which revision is faster, are not tested.
"""

import argparse
import contextlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks import compare, search, throughput
from benchmarks.throughput import LAYERS, main
from t2r_env import VARIANTS
from t2r_env.agents import choose_evenly
from tests.helpers.fixtures import Capture, Patch
from tests.helpers.refusing import refusal

ARGUMENTS: dict[str, Any] = {"variant": "new_york", "players": None, "tickets": None, "advanced_technologies": False}
SPEED = {"here": 300.0, "there": 200.0}


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
    assert LAYERS["vector"](argparse.Namespace(**ARGUMENTS, batch=16, threads=1))(0.3)[1] > 0


def test_regret_and_time_are_means_over_games_with_intervals(capsys: Capture) -> None:
    search.main(["--variant", "new_york", "--simulations", "12", "--games", "3", "--every", "4"])
    (line,) = capsys.readouterr().out.splitlines()
    told = json.loads(line)
    assert (told["identity"]["variant"], told["simulations"], told["games"]) == ("new_york", 12, 3)
    for name in search.COLUMNS:
        assert told[name]["low"] <= told[name]["value"] <= told[name]["high"]
    assert told["seconds"]["value"] > 0


class FakeWorker:
    """A worker whose runs take no time. It records all requests."""

    requests: list[Any] = []  # one list for all workers of a test

    def __init__(self, tree: Path) -> None:
        self.name = "here" if tree == compare.ROOT else "there"

    def request(self, request: dict[str, Any]) -> dict[str, list[str]]:
        assert request == {}
        layers = {"here": ["rules", "mask", "aec"], "there": ["mask", "aec", "old"]}[self.name]
        return {"layers": layers, "variants": {"here": ["usa", "new_york"], "there": ["usa"]}[self.name]}

    def prepare(self, layer: str, arguments: dict[str, Any]) -> None:
        self.requests.append((self.name, arguments["variant"], arguments["players"], layer))

    def run(self, seconds: float) -> float:
        self.requests.append((self.name, seconds))
        return SPEED[self.name]


@pytest.fixture
def requests(monkeypatch: Patch) -> list[Any]:
    """The requests to the fake workers of a comparison."""
    monkeypatch.setattr(compare, "checked_out", lambda revision: contextlib.nullcontext(Path(revision)))
    monkeypatch.setattr(compare, "worker_for", lambda tree: contextlib.nullcontext(FakeWorker(tree)))
    monkeypatch.setattr(FakeWorker, "requests", [])
    return FakeWorker.requests


def test_both_revisions_run_in_turn_and_their_ratio_is_shown(requests: list[Any], capsys: Capture) -> None:
    command = ["old", "--rounds", "2", "--runs", "3", "--seconds", "0.5", "--num-players", "3", "--layers", "mask"]
    assert compare.main(command) == 0
    prepared = [("here", "usa", 3, "mask"), ("there", "usa", 3, "mask")]
    here, there = ("here", 0.5), ("there", 0.5)
    assert requests == [*prepared, here, there, there, here, here, there] * 2
    shown = capsys.readouterr().out
    assert "1.500" in shown
    assert "slower: none" in shown


def test_what_both_revisions_have_is_measured_by_default(requests: list[Any], capsys: Capture) -> None:
    assert compare.main(["old", "--rounds", "1", "--runs", "1"]) == 0
    assert [request for request in requests if len(request) == 4] == [
        (name, "usa", None, layer) for layer in ("mask", "aec") for name in ("here", "there")
    ]
    assert "old can't measure rules, observation, games, vector" in capsys.readouterr().err


def test_layers_that_are_slower_than_allowed_are_told(requests: list[Any], monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setitem(SPEED, "here", 195.0)
    assert compare.main(["old", "--rounds", "1"]) == 0
    assert compare.main(["old", "--rounds", "1", "--tolerance", "0.02"]) == 1
    assert "more than 2% slower: usa mask, usa aec" in capsys.readouterr().out


def test_a_checkout_is_measured_by_its_own_benchmark(tmp_path: Path) -> None:
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "__init__.py").touch()
    (tmp_path / "t2r_env.py").write_text("VARIANTS = ('own',)\n")
    (tmp_path / "benchmarks" / "throughput.py").write_text(
        "import time\n"
        "def work(seconds):\n    time.sleep(0.1)\n    return 100, 1\n"
        "LAYERS = {'quick': lambda arguments: work, 'broken': lambda arguments: arguments.nothing}\n"
    )
    with compare.worker_for(tmp_path) as worker:
        assert worker.request({}) == {"layers": ["quick", "broken"], "variants": ["own"]}
        worker.prepare("quick", {"threads": 2})
        assert 0 < worker.run(1.0) <= 1_000
        worker.prepare("quick", {"threads": 1})
        assert worker.run(1.0) > 1_000  # sleeping takes no CPU time
        with pytest.raises(ValueError, match="has no attribute 'nothing'"):
            worker.prepare("broken", {"threads": 1})
        with pytest.raises(ValueError, match="has no attribute 'nothing'"):
            worker.run(1.0)


@pytest.mark.release
def test_a_revision_is_checked_out_for_a_while_and_can_be_measured(capsys: Capture) -> None:
    """A message of its benchmark is passed on."""
    with compare.checked_out("HEAD") as tree, compare.worker_for(tree) as worker:
        assert worker.request({}) == {"layers": list(LAYERS), "variants": list(VARIANTS)}
        worker.prepare("mask", ARGUMENTS | {"batch": 16, "threads": 1})
        assert worker.run(0.01) > 0
    assert not tree.exists()
    assert "unknown variant 'mars'" in refusal(capsys, compare.main, "HEAD", "--variants", "mars")
