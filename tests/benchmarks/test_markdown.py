"""Pages that a program writes between marks."""

from pathlib import Path

import pytest

from benchmarks.markdown import write_parts


def test_only_what_is_between_the_marks_of_a_page_changes_and_a_page_without_them_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Words\n\n<!-- cost -->\nold\n<!-- end of cost -->\n\nMore.\n", encoding="utf-8")
    write_parts({"cost": r"new \1"}, page)
    written = "# Words\n\n<!-- cost -->\n\nnew \\1\n\n<!-- end of cost -->\n\nMore.\n"
    assert page.read_text(encoding="utf-8") == written
    with pytest.raises(ValueError, match=r"page\.md has no marks <!-- speed --> and <!-- end of speed -->"):
        write_parts({"cost": "newer", "speed": "fast"}, page)
    assert page.read_text(encoding="utf-8") == written
