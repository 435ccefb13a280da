"""Reading a folder: files, text, tables and digests; the errors for files that can't be read."""

from pathlib import Path

import pytest

from t2r_env.variants import VARIANTS, VariantError, load_variant
from t2r_env.variants.reading import MAX_ROWS
from tests.helpers.maps import load_map
from tests.variants.folders import FILES, change, refusal


@pytest.mark.parametrize("file", FILES)
def test_the_digest_and_the_variant_ignore_how_lines_end(full_folder: Path, file: str) -> None:
    before = load_map(full_folder)
    content = (full_folder / file).read_bytes()
    (full_folder / file).write_bytes(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"))
    assert load_map(full_folder) == before


@pytest.mark.parametrize("file", FILES)
def test_the_digest_tells_folders_apart_by_each_file(full_folder: Path, file: str) -> None:
    before = load_map(full_folder)
    changes = {
        "variant.toml": ("Lakes of the Alps", "Lakes"),
        "cities.csv": ("Milano", "Milan"),
        "routes.csv": ("como,milan,0,1", "como,milan,0,2"),
        "tickets.csv": ("bern,como,11", "bern,como,10"),
        "companies.csv": ("9;4", "9;5"),
        "technologies.csv": ("visa,Visa,1", "visa,Visa,2"),
    }
    change(full_folder / file, *changes[file])
    assert load_map(full_folder).digest != before.digest


@pytest.mark.parametrize(
    ("name", "near"), [("USA", "usa"), ("New York", "new_york"), ("unitedkingdom", "united_kingdom")]
)
def test_a_variant_that_is_nearly_named_is_suggested(name: str, near: str) -> None:
    with pytest.raises(
        VariantError, match=rf"unknown variant '{name}' \(did you mean '{near}'\?\): must be one of usa"
    ):
        load_variant(name)


def test_an_unknown_variant_is_refused_with_the_names_of_those_there_are() -> None:
    with pytest.raises(VariantError) as caught:
        load_variant("atlantis")
    assert str(caught.value) == (
        f"unknown variant 'atlantis': must be one of {', '.join(VARIANTS)}, or the path to a folder"
    )


@pytest.mark.parametrize("file", FILES[:4])
def test_a_missing_file_is_refused(folder: Path, file: str) -> None:
    (folder / file).unlink()
    assert refusal(folder) == f"{file}: must be a file that can be read (No such file or directory)"


@pytest.mark.parametrize("file", FILES)
def test_a_file_that_is_not_utf_8_is_refused(full_folder: Path, file: str) -> None:
    lines = (full_folder / file).read_bytes().splitlines()
    (full_folder / file).write_bytes(b"\r\n".join([*lines[:3], "Zürich".encode("latin-1"), *lines[3:]]))
    assert refusal(full_folder) == f"{file}:4: must be UTF-8 text"


@pytest.mark.parametrize("file", FILES[1:])
def test_an_empty_table_is_refused(full_folder: Path, file: str) -> None:
    header = (full_folder / file).read_text(encoding="utf-8").splitlines()[0]
    (full_folder / file).write_text(header)
    assert refusal(full_folder) == f"{file}:1: at least one row must follow the columns' names"


def test_a_table_of_more_rows_than_allowed_is_refused(folder: Path) -> None:
    (folder / "tickets.csv").write_text("deck,a,b,points\n" + "main,bern,milan,6\n" * (MAX_ROWS + 1))
    assert refusal(folder) == f"tickets.csv:{MAX_ROWS + 2}: at most 5,000 rows are allowed"
