"""The pages on the folder of a game name every key and column, its values and its default."""

import re
from pathlib import Path

import pytest

from t2r_env.variants import card_variant, every_game, map_variant
from t2r_env.variants.reading import Names

DOCS = Path(__file__).parents[2] / "docs"
DOCUMENTATION = "".join((DOCS / f"{it}.md").read_text(encoding="utf-8") for it in ("variant_toml", "variant_tables"))
DOCUMENTED = {
    "variant.toml": every_game.VARIANT_KEYS,
    "Map games also have these keys:": map_variant.MAP_KEYS,
    "Card games also have these keys:": card_variant.CARD_KEYS,
    "Each ticket deck has these keys:": every_game.TICKET_DECK_KEYS,
    "Ticket decks of map games also have these keys:": map_variant.MAP_TICKET_DECK_KEYS,
    "cities.csv": every_game.CITY_COLUMNS,
    "In map games the table may also have these columns:": map_variant.MAP_CITY_COLUMNS,
    "routes.csv": map_variant.ROUTE_COLUMNS,
    "tickets.csv": every_game.TICKET_COLUMNS,
    "In card games the table also has these columns:": card_variant.CARD_TICKET_COLUMNS,
    "bonus_cards.csv": card_variant.BONUS_CARD_COLUMNS,
    "companies.csv": map_variant.COMPANY_COLUMNS,
    "technologies.csv": map_variant.TECHNOLOGY_COLUMNS,
}


def documented(title: str) -> dict[str, list[str]]:
    """The first table of the documentation under a title: for each name the other cells of its line."""
    _, text = re.split(rf"^(?:##? )?{re.escape(title)}$", DOCUMENTATION, flags=re.MULTILINE)
    table = re.search(r"^\| --- .*\n((?:\|.*\n?)+)", text, re.MULTILINE)
    assert table
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in table[1].splitlines()]
    return {name: cells for first, *cells in rows for name in re.findall(r"`(\w+)`", first)}


@pytest.mark.parametrize(("title", "names"), DOCUMENTED.items(), ids=DOCUMENTED)
def test_the_documentation_explains_every_key_and_column_and_no_other(title: str, names: Names) -> None:
    assert sorted(documented(title)) == sorted([*names.required, *names.defaults])
