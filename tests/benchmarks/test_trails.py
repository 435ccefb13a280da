"""The benchmark program of longest trails: what it prints, and that it ends well. How fast it is, is no test."""

import json
from typing import Any

import pytest

from benchmarks.trails import KINDS, main


def measured(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert main(["--networks", "5", *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_every_kind_of_network_is_measured_and_printed_as_a_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    lines = measured(capsys, "--variant", "pennsylvania")
    assert [line["kind"] for line in lines] == list(KINDS)
    for line in lines:
        assert (line["variant"], line["networks"], line["seed"], line["trains"]) == ("pennsylvania", 5, 0, 45)
        assert line["worst_ms"] * 1000 >= line["mean_us"] > 0
        assert 45 >= line["most_edges"] > 10
        assert line["most_odd_cities"] > 2
        assert 5 >= line["searched"] > 0
        assert line["most_points"] > 0
        assert line["machine"]
        assert {"python", "t2r-env", "numpy", "numba"} <= line["versions"].keys()


def test_a_seed_makes_the_same_networks_again(capsys: pytest.CaptureFixture[str]) -> None:
    one, again, other = (
        [(line["most_edges"], line["most_odd_cities"], line["most_points"]) for line in lines]
        for lines in (measured(capsys, "--seed", seed) for seed in ("1", "1", "2"))
    )
    assert one == again != other


def test_routes_of_teammates_count_together(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = measured(capsys, "--variant", "new_york", "--teammates", "2", "--kinds", "doubles")
    assert line["trains"] == 30
    assert line["most_edges"] > 15


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--networks", "0"], "--networks must be at least 1, not 0"),
        (["--variant", "mars"], "unknown variant 'mars'"),
        (["--variant", "card_game"], "--variant must be a map game: card_game has no routes"),
        (["--teammates", "2"], "--teammates must be from 1 to 1, not 2"),
    ],
)
def test_a_wrong_command_is_answered_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err
