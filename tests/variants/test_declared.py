"""What single rules add to a folder: keys, columns, files, options and checks of their own."""

import copy
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from t2r_env import configure
from t2r_env.variants import CardVariant, MapVariant, Route, declared, load_variant
from t2r_env.variants.declared import Column, Entries, File, Key, Switch
from t2r_env.variants.reading import Names, Row, Table
from tests.maps import load_map
from tests.variants.folders import add_column, change, marks, refusal

RULESETS = ("map_game", "card_game")


def read_snow(row: Row, route: Route, variant: MapVariant) -> int:
    """Snow on at most all spaces of a route, and no more than the days of the winter."""
    return row.integer("snow", 0, min(route.length, variant.winter))


def check_snow(table: Table, routes: Sequence[Row], variant: Any) -> None:
    if variant.winter > 90:
        raise table.wrong("winter", "90 at most")
    if routes and not any(route.snow for route in variant.routes):
        raise routes[-1].error("there must be snow")


SNOW = Entries(
    keys=[Key("winter", 3, lambda table, variant: table.integer("winter", len(variant.huts), 99))],
    city_columns=[Column("hut", "", lambda row, city, variant: row.mark("hut"))],
    route_columns=[Column("snow", "2", read_snow)],
    files=[File("huts.csv", Names(("name",)), "huts", lambda rows, variant: tuple(row.text("name") for row in rows))],
    checks=[check_snow],
    switches=[Switch("avalanches", lambda variant: bool(variant.huts))],
)


@pytest.fixture(autouse=True)
def _snow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let both rulesets have a rule of snow besides the attractions of maps."""
    for ruleset in RULESETS:
        monkeypatch.setitem(declared._BY_RULESET, ruleset, declared.entries_of(ruleset))
    marked = Column("attraction", "", lambda row, city, variant: row.mark("attraction"))
    declared.declare("map_game", [Entries(city_columns=[marked]), SNOW])
    declared.declare("card_game", [Entries(**{**vars(SNOW), "route_columns": ()})])


def write_huts(folder: Path) -> None:
    (folder / "huts.csv").write_text("name\nOld Hut\nNew Hut\n")


def test_what_a_rule_adds_is_read_into_attributes(folder: Path) -> None:
    write_huts(folder)
    change(folder / "variant.toml", "trains = 15", "trains = 15\nwinter = 4")
    add_column(folder / "cities.csv", "hut", ["1", "0", "", "", "", "1"])
    add_column(folder / "routes.csv", "snow", ["0", "0", "1", "4", "0", "0", "0", "0", "0"])
    variant = load_map(folder)
    assert (variant.winter, variant.huts, variant.switches) == (4, ("Old Hut", "New Hut"), ("avalanches",))
    assert [city.hut for city in variant.cities] == [True, False, False, False, False, True]
    assert not any(city.attraction for city in variant.cities)
    assert [route.snow for route in variant.routes] == [0, 0, 1, 4, 0, 0, 0, 0, 0]


def test_what_is_left_out_has_its_default(folder: Path) -> None:
    add_column(folder / "routes.csv", "snow", ["0", "0", "1", "3", "0", "0", "0", "0", "0"])
    variant = load_map(folder)
    assert (variant.winter, variant.huts, variant.switches) == (3, (), ())
    assert not any(city.hut for city in variant.cities)


def test_a_value_may_depend_on_what_is_read_before(folder: Path) -> None:
    add_column(folder / "routes.csv", "snow", ["0", "0", "1", "4", "0", "0", "0", "0", "0"])
    assert refusal(folder) == "routes.csv:5: snow must be an integer from 0 to 3, not '4'"
    write_huts(folder)
    change(folder / "variant.toml", "trains = 15", "trains = 15\nwinter = 1")
    assert refusal(folder) == "variant.toml: winter must be an integer from 2 to 99, not 1"


def test_a_rule_checks_what_must_hold_together(folder: Path) -> None:
    add_column(folder / "routes.csv", "snow", ["0"] * 9)
    assert refusal(folder) == "routes.csv:10: there must be snow"


def test_a_card_game_may_have_such_rules_too(card_folder: Path) -> None:
    write_huts(card_folder)
    change(card_folder / "variant.toml", "second_deck_hand", "winter = 90\nsecond_deck_hand")
    before = load_variant(card_folder)
    assert isinstance(before, CardVariant)
    assert (before.winter, before.huts, before.switches) == (90, ("Old Hut", "New Hut"), ("avalanches",))
    assert not any(city.hut for city in before.cities)
    (card_folder / "huts.csv").write_text("name\nNew Hut\n")
    assert load_variant(card_folder).digest != before.digest
    change(card_folder / "variant.toml", "winter = 90", "winter = 91")
    assert refusal(card_folder) == "variant.toml: winter must be 90 at most, not 91"


def test_a_switch_is_an_option_that_is_on_or_off(card_folder: Path) -> None:
    write_huts(card_folder)
    assert configure(card_folder).options["avalanches"] is False
    chosen: Any = {"avalanches": True}  # an option that the types do not know
    assert configure(card_folder, **chosen).options["avalanches"] is True
    with pytest.raises(ValueError, match="must be True or False, not 1"):
        configure(card_folder, **(chosen | {"avalanches": 1}))


def test_a_route_with_marks_can_be_copied_compared_and_hashed() -> None:
    route = Route("bern", "zurich", 0, 2, "green", marks=marks(ferry=1))
    copies = [copy.copy(route), copy.deepcopy(route), pickle.loads(pickle.dumps(route))]
    assert all(it == route and hash(it) == hash(route) and it.ferry == 1 for it in copies)
    assert route != Route("bern", "zurich", 0, 2, "green", marks=marks(ferry=2))


def test_an_attribute_that_nobody_declares_is_an_error() -> None:
    route = Route("bern", "zurich", 0, 2, "green", marks=marks())
    with pytest.raises(AttributeError, match="'Route' object has no attribute 'glacier'"):
        _ = route.glacier
