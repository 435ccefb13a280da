"""Changes of a variant's folder, and the errors that follow."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from t2r_env.variants import CardVariant, VariantError, load_variant, loader

SHIPPED = Path(loader.__file__).parent


FILES = ("variant.toml", "cities.csv", "routes.csv", "tickets.csv", "companies.csv", "technologies.csv")
"""The last two may be missing."""


CARD_FILES = ("variant.toml", "cities.csv", "tickets.csv", "bonus_cards.csv")


TICKET = "main,geneva,como,5"


def add_column(file: Path, name: str, cells: Sequence[str]) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = [f"{line},{cell}" for line, cell in zip(lines, [name, *cells], strict=True)]
    file.write_text("\n".join([*rows, ""]), encoding="utf-8")


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} must stand once in {file.name}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def refusal(folder: Path) -> str:
    """The error's message for a broken folder, without the path to it."""
    with pytest.raises(VariantError) as caught:
        load_variant(folder)
    message = str(caught.value)
    assert message.startswith(str(folder))
    return message[len(str(folder)) + 1 :]


def check_refusal(folder: Path, where: str, old: str, new: str, message: str) -> None:
    """Assert that a folder is refused after a change of one file; `where` is the file, of a table with the line."""
    change(folder / where.split(":")[0], old, new)
    assert refusal(folder) == f"{where}: {message}"


def refusals(table: str, *others: tuple[str, str, str, str]) -> pytest.MarkDecorator:
    r"""Parametrize a test by `where`, `old`, `new` and `message`, the arguments of `check_refusal`.

    A line of the table has the first three with bars between; `\n` stands for the end of a line. The message is in
    the indented lines below it.
    """
    cases = [[*case] for case in others]
    for line in table.strip().splitlines():
        if line.startswith(" "):
            cases[-1][3] = f"{cases[-1][3]} {line.strip()}".strip()
        else:
            cases.append([*(part.strip().replace("\\n", "\n") for part in line.split("|")), ""])
    return pytest.mark.parametrize(("where", "old", "new", "message"), cases)


def load_card_variant(name_or_path: str | Path) -> CardVariant:
    variant = load_variant(name_or_path)
    assert isinstance(variant, CardVariant)
    return variant
