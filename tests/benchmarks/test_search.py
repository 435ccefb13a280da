"""The benchmark of the search with a policy: what it prints."""

import json

import pytest

from benchmarks import search


def test_regret_and_time_are_means_over_games_with_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    search.main(["--variant", "new_york", "--simulations", "12", "--games", "3", "--every", "4"])
    (line,) = capsys.readouterr().out.splitlines()
    told = json.loads(line)
    assert (told["identity"]["variant"], told["simulations"], told["games"]) == ("new_york", 12, 3)
    for name in search.COLUMNS:
        assert told[name]["low"] <= told[name]["value"] <= told[name]["high"]
    assert told["seconds"]["value"] > 0
