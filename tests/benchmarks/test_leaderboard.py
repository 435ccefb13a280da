"""The leaderboard: its results stand, and only such are added."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import leaderboard
from t2r_agents.comparing.rating.result import ResultError, read_result
from tests.helpers.fixtures import Capture, Patch


def test_the_results_of_our_agents_are_there_and_their_estimates_follow_from_their_games() -> None:
    results = leaderboard.read()
    assert {result.agent for result in results if result.variant == leaderboard.VARIANT} >= {*leaderboard.AGENTS}
    tables = leaderboard.tables(results)
    ranked = [tables.index(f"| `{name}` |") for name in leaderboard.AGENTS if name not in ("greedy", "racer")]
    assert ranked == sorted(ranked)


@pytest.mark.release
def test_an_agent_of_ours_has_the_same_result_when_it_is_rated_again(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(leaderboard, "AGENTS", ("racer",))
    assert leaderboard.main(["--out", str(tmp_path)]) == 0
    (made,) = tmp_path.iterdir()
    assert made.read_text(encoding="utf-8") == (leaderboard.FOLDER / made.name).read_text(encoding="utf-8")


def test_a_result_does_not_take_the_place_of_another_of_the_same_name(tmp_path: Path, monkeypatch: Patch) -> None:
    mine = read_result(leaderboard.FOLDER / "new_york_2_racer.json")
    monkeypatch.setattr(leaderboard, "verify", lambda *_: mine)
    file = leaderboard.add(tmp_path, tmp_path)
    assert leaderboard.add(tmp_path, tmp_path) == file  # the same again
    other = replace(mine, replays="0" * 64)
    monkeypatch.setattr(leaderboard, "verify", lambda *_: other)
    with pytest.raises(ResultError, match="is another result, of the agent 'racer': remove it if"):
        leaderboard.add(tmp_path, tmp_path)
    assert read_result(file) == mine
    leaderboard.add(tmp_path, tmp_path, is_ours=True)
    assert read_result(file) == other


def test_a_result_that_does_not_stand_is_refused_with_its_file(tmp_path: Path, capsys: Capture) -> None:
    path = Path(shutil.copy(leaderboard.FOLDER / "new_york_2_racer.json", tmp_path / "result.json"))
    assert leaderboard.main([str(tmp_path), "--out", str(tmp_path / "out")]) == 1  # without replays
    assert "game 0: " in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    content = json.loads(path.read_text(encoding="utf-8"))
    content["estimate"]["value"] += 100
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ResultError, match=r"result\.json: estimate: its value must be"):
        leaderboard.read(tmp_path)
