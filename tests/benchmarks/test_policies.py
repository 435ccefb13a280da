"""The benchmark of policies: what it plays, its page, and that it goes on after an interruption."""

import json
from pathlib import Path

import pytest

from benchmarks import policies
from benchmarks.policies import main, trained_for

GAME = ["--variants", "new_york", "--games", "4"]
PAGE = "# Words\n\n<!-- measured -->\n<!-- end of measured -->\n"


def test_it_plays_every_configuration_for_which_there_is_a_policy() -> None:
    found = [(it.variant.id, it.num_players, it.options["tickets"]) for it in trained_for(["usa", "new_york"])]
    assert ("usa", 2, "classic") in found
    assert ("new_york", 2, "classic") in found
    assert ("usa", 2, "1910") not in found
    assert all(tickets in ("anniversary", "classic", "mega") for _, _, tickets in found)


def test_the_page_has_a_row_for_each_and_rows_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = [*GAME, "--out", str(tmp_path / "rows.json"), "--page", str(tmp_path / "page.md")]
    (tmp_path / "page.md").write_text(PAGE, encoding="utf-8")
    assert main(command) == 0
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    rows = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))
    assert page.count("| new york | classic |") == len(rows) == len(list(trained_for(["new_york"])))
    monkeypatch.setattr(policies, "measure", lambda *given: pytest.fail("it is known already"))
    (tmp_path / "page.md").write_text(PAGE, encoding="utf-8")
    assert main(command) == 0
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page
