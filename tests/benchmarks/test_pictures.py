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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--pictures", "0"], "--pictures must be at least 1, not 0"), (["--variant", "mars"], "unknown variant 'mars'")],
)
def test_a_wrong_command_line_is_refused_with_a_message(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err
