"""Benchmarks that write tables between the marks of a page: of policies, of maps never seen, of generated maps."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import any_board, maps, policies
from benchmarks.markdown import write_parts
from t2r_env import VARIANTS
from tests.helpers.fixtures import Patch


def test_only_what_is_between_the_marks_of_a_page_changes_and_a_page_without_them_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Words\n\n<!-- cost -->\nold\n<!-- end of cost -->\n\nMore.\n", encoding="utf-8")
    write_parts({"cost": r"new \1"}, page)
    written = "# Words\n\n<!-- cost -->\n\nnew \\1\n\n<!-- end of cost -->\n\nMore.\n"
    assert page.read_text(encoding="utf-8") == written
    with pytest.raises(ValueError, match=r"page\.md has no marks <!-- speed --> and <!-- end of speed -->"):
        write_parts({"cost": "newer", "speed": "fast"}, page)
    assert page.read_text(encoding="utf-8") == written


def test_the_page_of_generated_maps_has_tables_and_cost(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- statistics -->\n<!-- end of statistics -->\n<!-- cost -->\n<!-- end of cost -->\n")
    assert maps.main(["--maps", "2", "--page", str(page)]) == 0
    statistics, cost = page.read_text().split("<!-- cost -->")
    assert maps.table_of_published() in statistics
    assert all(f"| {name} | " in statistics for name in maps.HEADINGS.values())
    assert "ms of processor time" in cost


def test_policies_are_measured_in_every_configuration_for_which_there_is_one() -> None:
    found = [(it.variant.id, it.num_players, it.options["tickets"]) for it in policies.trained_for(["usa", "new_york"])]
    assert {("usa", 2, "classic"), ("new_york", 2, "classic")} <= {*found}
    assert {tickets for _, _, tickets in found} <= {"anniversary", "classic", "mega"}  # not 1910


def test_the_mean_of_maps_never_seen_is_over_the_maps() -> None:
    wins = {"usa": 0.5, "europe": 0.25}
    found = {f"one {variant} {it}": [value, 0.0, 1.0] for variant, value in wins.items() for it in any_board.OPPONENTS}
    *rows, mean = any_board.rows_of("one", list(wins), found)
    assert [row[0] for row in rows] == ["usa", "europe"]
    assert rows[0][1] == "50.0 (0.0–100.0)"
    assert mean == ["mean", "37.5", "37.5", "37.5"]
    assert {*any_board.MAPS} == {*VARIANTS} - {"card_game"}


@pytest.mark.parametrize("benchmark", [policies, any_board])
def test_a_page_has_all_rows_and_what_was_measured_is_kept(benchmark: Any, tmp_path: Path, monkeypatch: Patch) -> None:
    page, found = tmp_path / "page.md", tmp_path / "found.json"
    command = ["--variants", "new_york", "--games", "4", "--out", str(found), "--page", str(page)]
    empty = "# Words\n\n<!-- measured -->\n<!-- end of measured -->\n"
    page.write_text(empty, encoding="utf-8")
    assert benchmark.main(command) == 0
    written = page.read_text(encoding="utf-8")
    assert written.count("| new york |") == len(json.loads(found.read_text(encoding="utf-8"))) > 0
    monkeypatch.setattr(benchmark, "measure", lambda *given: pytest.fail("it is known already"))
    page.write_text(empty, encoding="utf-8")
    assert benchmark.main(command) == 0
    assert page.read_text(encoding="utf-8") == written
