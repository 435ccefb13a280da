"""Changes of a variant's folder, and the errors that follow."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from t2r_env.variants import CardVariant, VariantError, load_variant, loader

SHIPPED = Path(loader.__file__).parent
FILES = ("variant.toml", "cities.csv", "routes.csv", "tickets.csv", "companies.csv", "technologies.csv")
"""The last two may be missing."""
TICKET = "main,geneva,como,5"
LONG_TICKETS = 'long = { rows = "long", offered = 1 }\nstarting_refused = "leave"'


def add_column(file: Path, name: str, cells: Sequence[str]) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = [f"{line},{cell}" for line, cell in zip(lines, [name, *cells], strict=True)]
    file.write_text("\n".join([*rows, ""]), encoding="utf-8")


def mark(file: Path, column: str, marks: Mapping[str, object], other: object = "") -> None:
    """Add a column with these entries in the rows that begin with these cells, and in all others this one."""
    rows = file.read_text(encoding="utf-8").splitlines()[1:]
    found = [[entry for cells, entry in marks.items() if row.startswith(f"{cells},")] for row in rows]
    add_column(file, column, [str(entries[0] if entries else other) for entries in found])


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} must stand once in {file.name}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def add_keys(folder: Path, keys: str) -> None:
    """Add lines to the example's keys."""
    change(folder / "variant.toml", "trains = 15", f"trains = 15\n{keys}")


def refusal(folder: Path) -> str:
    """The error's message for a broken folder, without the path to it."""
    with pytest.raises(VariantError) as caught:
        load_variant(folder)
    message = str(caught.value)
    assert message.startswith(str(folder))
    return message[len(str(folder)) + 1 :]


def load_card_variant(name_or_path: str | Path) -> CardVariant:
    variant = load_variant(name_or_path)
    assert isinstance(variant, CardVariant)
    return variant
