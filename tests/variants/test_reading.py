"""Reading a folder: files, text, tables and digests; the errors for files that can't be read."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from t2r_env.variants import VARIANTS, VariantError, load_variant
from t2r_env.variants.reading import MAX_ROWS, MAX_ROWS_BYTES, MAX_TABLE_BYTES
from tests.helpers.maps import load_map
from tests.variants.folders import FILES, add_column, change, refusal


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


def test_the_digest_ignores_comments_the_folders_path_and_other_files(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = shutil.copytree(folder, tmp_path_factory.mktemp("elsewhere") / "map")
    (copy / "SOURCES.md").write_text("Drawn from memory.\n")
    (copy / "variant.toml").write_text(f"# Drawn from memory.\n{(folder / 'variant.toml').read_text()}")
    assert load_map(copy).digest == load_map(folder).digest


def test_columns_may_have_any_order_and_blank_rows_and_the_column_of_confidence_change_nothing(folder: Path) -> None:
    before = load_map(folder)
    add_column(folder / "routes.csv", "confidence", ["low"] * 9)
    add_column(folder / "tickets.csv", "confidence", ["asked twice"] * 7)
    rows = [line.split(",") for line in (folder / "routes.csv").read_text().splitlines()]
    (folder / "routes.csv").write_text("\n\n,,,,,\n".join(",".join(reversed(row)) for row in rows))
    assert replace(load_map(folder), digest=before.digest) == before


@pytest.mark.parametrize(
    ("name", "near"), [("atlantis", ""), ("New York", "new_york"), ("unitedkingdom", "united_kingdom")]
)
def test_an_unknown_variant_is_refused_with_the_names_of_those_there_are_and_the_nearest(name: str, near: str) -> None:
    with pytest.raises(VariantError) as caught:
        load_variant(name)
    asked = f" (did you mean {near!r}?)" if near else ""
    allowed = f"must be one of {', '.join(VARIANTS)}, or the path to a folder"
    assert str(caught.value) == f"unknown variant {name!r}{asked}: {allowed}"


def test_a_path_is_a_folder_also_where_it_has_the_name_of_a_variant(tmp_path: Path) -> None:
    with pytest.raises(VariantError, match=r"there is no folder '.*usa'; names of variants are texts, not paths"):
        load_variant(tmp_path / "usa")


@pytest.mark.parametrize("file", FILES[1:])
def test_an_empty_table_is_refused(full_folder: Path, file: str) -> None:
    header = (full_folder / file).read_text(encoding="utf-8").splitlines()[0]
    (full_folder / file).write_text(header)
    assert refusal(full_folder) == f"{file}:1: at least one row must follow the columns' names"


@pytest.mark.parametrize("file", ["variant.toml", "cities.csv", "technologies.csv"])
def test_a_file_that_can_not_be_read_is_refused(full_folder: Path, file: str) -> None:
    """The device has no end. A file that is too large is not read."""
    path, most = full_folder / file, MAX_TABLE_BYTES if file == "variant.toml" else MAX_ROWS_BYTES
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\r\n".join([*lines[:3], "Zürich".encode("latin-1"), *lines[3:]]))
    assert refusal(full_folder) == f"{file}:4: must be UTF-8 text"
    with path.open("r+b") as opened:
        opened.truncate(most + 1)
    assert refusal(full_folder) == f"{file} has {most + 1:,} bytes, and at most {most:,} are allowed"
    path.unlink()
    if file != "technologies.csv":  # which may be missing
        assert refusal(full_folder) == f"{file}: must be a file that can be read (No such file or directory)"
    path.symlink_to("/dev/zero")
    assert refusal(full_folder) == f"{file}: must be a file that can be read (Not a regular file)"
    path.unlink()
    path.mkdir()
    assert refusal(full_folder) == f"{file}: must be a file that can be read (Is a directory)"


@pytest.mark.parametrize(("wrong", "line"), [("trains 15", 7), ("trains = 15\ntrains = 15", 8)])
def test_a_syntax_error_names_its_line(folder: Path, wrong: str, line: int) -> None:
    change(folder / "variant.toml", "trains = 15", wrong)
    assert re.fullmatch(rf"variant\.toml: must be valid TOML: .*\(at line {line}, .*\)", refusal(folder))


def test_a_table_of_more_rows_than_allowed_is_refused(folder: Path) -> None:
    (folder / "tickets.csv").write_text("deck,a,b,points\n" + "main,bern,milan,6\n" * (MAX_ROWS + 1))
    assert refusal(folder) == f"tickets.csv:{MAX_ROWS + 2}: at most 5,000 rows are allowed"


@pytest.mark.parametrize(
    ("file", "old", "key"),
    [
        ("variant.toml", 'name = "Lakes', "name"),
        ("variant.toml", 'id = "lakes', "id"),
        ("cities.csv", "Milano", "name"),
    ],
)
def test_a_name_or_id_of_more_than_a_hundred_characters_is_refused(folder: Path, file: str, old: str, key: str) -> None:
    change(folder / file, old, old + "s" * 101)
    assert f"{key} must be at most 100 characters long, not " in refusal(folder)
