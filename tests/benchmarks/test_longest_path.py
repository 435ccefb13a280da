"""The benchmark of longest paths: what it prints, and the command lines it refuses. Speed is not tested."""

import json
from typing import Any

import pytest

from benchmarks.longest_path import SHAPES, main


def measured(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert main(["--networks", "5", *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_every_shape_of_network_is_measured_and_printed_as_a_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    lines = measured(capsys, "--variant", "pennsylvania")
    assert [line["shape"] for line in lines] == list(SHAPES)
    for line in lines:
        assert (line["variant"], line["networks"], line["seed"], line["trains"]) == ("pennsylvania", 5, 0, 45)
        assert line["worst_ms"] * 1000 >= line["mean_us"] > 0
        assert 45 >= line["most_edges"] > 10
        assert line["most_odd_cities"] > 2
        assert 5 >= line["searched"] > 0
        assert line["most_points"] > 0
        assert line["machine"]
        assert {"python", "t2r-env", "numpy", "numba"} <= line["versions"].keys()


def test_the_same_seed_makes_the_same_networks_and_routes_of_teammates_count_together(
    capsys: pytest.CaptureFixture[str],
) -> None:
    one, again, other = (
        [(line["most_edges"], line["most_odd_cities"], line["most_points"]) for line in lines]
        for lines in (measured(capsys, "--seed", seed) for seed in ("1", "1", "2"))
    )
    assert one == again != other
    (line,) = measured(capsys, "--variant", "new_york", "--teammates", "2", "--shapes", "doubles")
    assert line["trains"] == 30
    assert line["most_edges"] > 15
