"""The land of a map: land.svg."""

import re
from pathlib import Path

import pytest

from t2r_env.variants.land import KINDS, MAX_BYTES
from t2r_env.variants.variant import Shape
from tests.helpers.maps import load_map
from tests.variants.folders import refusal

LAND = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000">{}</svg>'
PATH = '<path class="land" d="M0 0L1000,0 500 1000Z"/>'
DOCUMENTATION = (Path(__file__).parents[2] / "docs" / "variant_tables.md").read_text(encoding="utf-8")


def test_a_map_may_have_land_which_is_no_part_of_its_rules(folder: Path) -> None:
    before = load_map(folder)
    assert before.land == ()
    paths = ["M0 0L1000,0 500 1000Z", "m-1.5.5l2-3h5v-2.25c1 2 3 4 5 6q1 2 3 4z M 1 1 H 4"]
    text = "".join(f'<path class="{kind}" d="{path}"/>\n' for kind, path in zip(KINDS, paths, strict=False))
    (folder / "land.svg").write_text(LAND.format(f"<!-- two -->{text}"), encoding="utf-8")
    after = load_map(folder)
    assert after.land == tuple(Shape(kind, path) for kind, path in zip(KINDS, paths, strict=False))
    assert after.digest == before.digest


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<svg", ": must be valid XML: unclosed token: line 1, column 0"),
        ('<!DOCTYPE svg [<!ENTITY a "b">]>' + LAND.format(PATH), ": must have no DOCTYPE"),
        (LAND.format(PATH).replace("1000 1000", "1 1"), ': must be an svg element of SVG with viewBox="0 0 1000 1000"'),
        (LAND.format("<script>1</script>"), ": element 1 must be a path with the attributes class and d"),
        (LAND.format(PATH + PATH.replace("/>", ' onclick="1"/>')), ": element 2 must be a path with the"),
        (LAND.format(PATH.replace("land", "sea")), f": element 1: class must be one of {', '.join(KINDS)}, not"),
        (LAND.format(PATH + " " * MAX_BYTES), " has 131,"),
    ],
)
def test_what_is_not_land_is_one_clear_error(folder: Path, text: str, message: str) -> None:
    (folder / "land.svg").write_text(text, encoding="utf-8")
    assert refusal(folder).startswith(f"land.svg{message}")


@pytest.mark.parametrize(
    "path",
    [
        *("", "L1 1", "M1", "M1 1L1", "M1 1A1 1 0 0 0 1 1", "M1 1Z1"),
        *("M123456 123456", "M.1234567 0", "M1 1L1e9 1", "M1 1H", "M1 nan"),
    ],
)
def test_a_path_has_only_commands_with_as_many_numbers_as_they_take(folder: Path, path: str) -> None:
    (folder / "land.svg").write_text(LAND.format(f'<path class="land" d="{path}"/>'), encoding="utf-8")
    assert refusal(folder).startswith("land.svg: element 1: d must begin with M and have only the commands M, L, H")


def test_the_example_of_the_documentation_is_land(folder: Path) -> None:
    (example,) = re.findall(r"^```xml\n(.*?)^```$", DOCUMENTATION, re.MULTILINE | re.DOTALL)
    (folder / "land.svg").write_text(example, encoding="utf-8")
    assert [shape.kind for shape in load_map(folder).land] == ["land", "lake", "border"]
