"""The benchmarks of policies and of maps never seen: what they play, their pages, and that they go on."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import any_board, policies
from benchmarks.policies import trained_for


def test_it_plays_every_configuration_for_which_there_is_a_policy() -> None:
    found = [(it.variant.id, it.num_players, it.options["tickets"]) for it in trained_for(["usa", "new_york"])]
    assert ("usa", 2, "classic") in found
    assert ("new_york", 2, "classic") in found
    assert ("usa", 2, "1910") not in found
    assert all(tickets in ("anniversary", "classic", "mega") for _, _, tickets in found)


@pytest.mark.parametrize("benchmark", [policies, any_board])
def test_the_page_has_all_rows_and_what_was_measured_is_kept(
    benchmark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
