"""The benchmark of maps never seen: its table, its mean, and that it goes on after an interruption."""

import json
from pathlib import Path

import pytest

from benchmarks import any_board
from benchmarks.any_board import MAPS, OPPONENTS, main, rows_of
from t2r_env import VARIANTS

GAME = ["--variants", "new_york", "--games", "4"]
PAGE = "# Words\n\n<!-- measured -->\n<!-- end of measured -->\n"


def test_the_page_has_a_row_for_each_map_and_matches_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = [*GAME, "--out", str(tmp_path / "found.json"), "--page", str(tmp_path / "page.md")]
    (tmp_path / "page.md").write_text(PAGE, encoding="utf-8")
    assert main(command) == 0
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| new york |" in page
    (found,) = json.loads((tmp_path / "found.json").read_text(encoding="utf-8")).values()
    assert list(found) == [f"any_board new_york {opponent}" for opponent in OPPONENTS]
    monkeypatch.setattr(any_board, "measure", lambda *given: pytest.fail("it is known already"))
    (tmp_path / "page.md").write_text(PAGE, encoding="utf-8")
    assert main(command) == 0
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page


def test_the_mean_is_over_the_maps() -> None:
    wins = {"usa": 0.5, "europe": 0.25}
    found = {f"one {variant} {it}": [value, 0.0, 1.0] for variant, value in wins.items() for it in OPPONENTS}
    *rows, mean = rows_of("one", list(wins), found)
    assert [row[0] for row in rows] == ["usa", "europe"]
    assert rows[0][1] == "50.0 (0.0–100.0)"
    assert mean == ["mean", "37.5", "37.5", "37.5"]
    assert set(MAPS) == set(VARIANTS) - {"card_game"}
