"""The benchmark of pictures."""

import json

import pytest

from benchmarks.pictures import main


def test_it_tells_time_and_size_for_each_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--variant", "new_york", "card_game", "--pictures", "2"]) == 0
    first, *lines = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["machine"]
    assert [(line["variant"], line["players"]) for line in lines] == [("new_york", 4), ("card_game", 4)]
    for line in lines:
        assert 0 < line["svg_ms"] < line["png_ms"]
        assert 10 < line["svg_kb"] < 1000
        assert 10 < line["png_kb"] < 1000
        assert 0 < line["frames_per_second"] <= 1000 / line["png_ms"] * 2
