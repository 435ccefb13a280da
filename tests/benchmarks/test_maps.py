"""The statistics of generated maps as a page has them."""

from pathlib import Path

from benchmarks import maps


def test_tables_and_cost_are_written_between_the_marks_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    marks = "<!-- statistics -->\nold\n<!-- end of statistics -->\n\nWords.\n\n<!-- cost -->\n<!-- end of cost -->\n"
    page.write_text(f"# Title\n\n{marks}")
    assert maps.main(["--maps", "2", "--page", str(page)]) == 0
    first = page.read_text()
    assert "old" not in first
    assert "\nWords.\n" in first
    assert maps.table_of_published() in first
    for name in maps.HEADINGS.values():
        assert f"| {name} | " in first
    assert "ms of processor time" in first.split("<!-- cost -->")[1]
