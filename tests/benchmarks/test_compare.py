"""The comparison of two revisions: what it measures and prints. Which one is faster is not tested."""

import contextlib
from pathlib import Path
from typing import Any

import pytest

from benchmarks import compare
from benchmarks.throughput import LAYERS
from t2r_env import VARIANTS
from tests.helpers.fixtures import Capture, Patch
from tests.helpers.refusing import refusal

SPEED = {"here": 300.0, "there": 200.0}


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
        arguments = {"variant": "usa", "players": None, "tickets": None, "advanced_technologies": False}
        worker.prepare("mask", {**arguments, "batch": 16, "threads": 1})
        assert worker.run(0.01) > 0
    assert not tree.exists()
    assert "unknown variant 'mars'" in refusal(capsys, compare.main, "HEAD", "--variants", "mars")
