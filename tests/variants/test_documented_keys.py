"""The pages on the folder of a game name every key and column, its values and its default."""

import re
import tomllib
from pathlib import Path

import pytest

from t2r_env.variants import BONUSES, card_variant, every_game, map_variant
from t2r_env.variants.reading import Names
from t2r_env.variants.variant import CARD_TIE_BREAKS, EFFECTS, MAP_TIE_BREAKS, REFUSED, RULESETS

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


@pytest.mark.parametrize(("title", "names"), DOCUMENTED.items(), ids=DOCUMENTED)
def test_the_documentation_names_the_keys_and_columns_that_may_be_left_out(title: str, names: Names) -> None:
    left_out = {name: cells[2] for name, cells in documented(title).items() if len(cells) > 2}
    assert [name for name, meaning in left_out.items() if meaning] == [
        name for name in left_out if name in names.defaults
    ]
    assert left_out.keys() >= names.defaults.keys()


@pytest.mark.parametrize("title", list(DOCUMENTED)[:3])
def test_the_documentation_names_the_default_of_each_key(title: str) -> None:
    defaults = {name: cells[2].strip("`") for name, cells in documented(title).items() if cells[2]}
    assert {name: tomllib.loads(f"it = {value}")["it"] for name, value in defaults.items()} == (
        DOCUMENTED[title].defaults
    )


def test_the_documentation_names_every_bonus_and_tie_break() -> None:
    assert list(documented("| bonus | given for |")) == list(BONUSES)
    documented_breaks = re.findall(r"`(\w+)`", documented("variant.toml")["tie_breaks"][1])
    assert documented_breaks == [*MAP_TIE_BREAKS, *CARD_TIE_BREAKS]


def test_the_documentation_names_every_ruleset_and_every_destination_of_refused_tickets() -> None:
    assert re.findall(r"`(\w+)`", documented("variant.toml")["ruleset"][1]) == list(RULESETS)
    assert re.findall(r"`(\w+)`", documented("Each ticket deck has these keys:")["starting_refused"][1]) == list(
        REFUSED
    )


def test_the_documentation_names_every_effect_of_a_technology() -> None:
    assert list(documented("| effect | meaning |")) == list(EFFECTS)


def test_the_documentation_names_the_keys_of_offers() -> None:
    cells = documented("Each ticket deck has these keys:") | documented(
        "Ticket decks of map games also have these keys:"
    )
    offer, long = every_game.OFFER_KEYS, map_variant.LONG_KEYS
    for key, names in (("starting", offer), ("later", offer), ("long", long)):
        assert set(names.required) <= set(re.findall(r"`(\w+)`", " ".join(cells[key])))
