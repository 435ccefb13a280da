"""cities.csv: what it may hold, and the errors for a wrong row."""

import re
from pathlib import Path

from t2r_env.variants import Ticket
from tests.helpers.maps import load_map
from tests.variants.folders import change, check_refusal, refusals


def test_c16_a_ticket_may_name_a_region(folder: Path) -> None:
    variant = load_map(folder)
    assert Ticket("zurich", "italy", 4) in variant.ticket_decks["main"].tickets
    assert [city.id for city in variant.cities if city.region == "italy"] == ["como", "milan"]


def test_a_city_may_be_a_region_of_its_own(folder: Path) -> None:
    change(folder / "cities.csv", "bern,Bern,0.20,0.30,", "bern,Bern,0.20,0.30,bern")
    assert load_map(folder).cities[0].region == "bern"


def test_the_column_of_regions_may_be_left_out(folder: Path) -> None:
    cities = (folder / "cities.csv").read_text(encoding="utf-8")
    (folder / "cities.csv").write_text(re.sub(",[^,]*$", "", cities, flags=re.MULTILINE), encoding="utf-8")
    change(folder / "tickets.csv", "main,zurich,italy,4\n", "")
    change(folder / "tickets.csv", "bern,italy", "bern,como")
    assert {city.region for city in load_map(folder).cities} == {""}


def test_ny5_a_city_may_have_an_attraction(full_folder: Path) -> None:
    assert [city.id for city in load_map(full_folder).cities if city.attraction] == ["bern", "milan"]


CITY = "zurich,Zürich,0.50,0.10,"


WRONG_CITIES = r"""
cities.csv:1 | id,name,x,y,region | id,name,x,region
    column 'y' is missing; allowed are id, name, x, y, region, attraction
cities.csv:1 | id,name,x,y,region | id,name,x,y,z
    unknown column 'z'; allowed are id, name, x, y, region, attraction
cities.csv:1 | id,name,x,y,region | id,name,x,y,y
    each column must stand only once in id, name, x, y, y
cities.csv:4 | zurich,Zürich,0.50,0.10, | zurich,Zürich,0.50
    must have 5 cells (id, name, x, y, region), not 3
cities.csv:4 | zurich,Zürich,0.50,0.10, | zurich,Zürich,Switzerland,0.50,0.10,
    must have 5 cells (id, name, x, y, region), not 6
cities.csv:4 | zurich,Zürich,0.50,0.10, | zurich,"Zürich,0.50,0.10,
    must be valid CSV: unexpected end of data
cities.csv:6 | zurich,Zürich,0.50,0.10, | \n,,,,\nzurich,Zürich,0.50,2,
    y must be a number from 0 to 1, not '2'
cities.csv:4 | zurich,Zürich,0.50,0.10, | Zurich,Zürich,0.50,0.10,
    id must be an id of lowercase letters a-z, digits and _, not 'Zurich'
cities.csv:4 | zurich,Zürich,0.50,0.10, | bern,Zürich,0.50,0.10,
    id must be an id that no other city has, not 'bern'
cities.csv:4 | zurich,Zürich,0.50,0.10, | zurich,,0.50,0.10,
    name must be one line of text, not ''
cities.csv:4 | zurich,Zürich,0.50,0.10, | zurich,"Zür\nich",0.50,0.10,
    name must be one line of text, not 'Zür\nich'
cities.csv:4 | zurich,Zürich,0.50,0.10, | zurich,Zürich,left,0.10,
    x must be a number from 0 to 1, not 'left'
cities.csv:4 | zurich,Zürich,0.50,0.10, | zurich,Zürich,nan,0.10,
    x must be a number from 0 to 1, not 'nan'
cities.csv:4 | zurich,Zürich,0.50,0.10, | zurich,Zürich,0.50,-0.10,
    y must be a number from 0 to 1, not '-0.10'
cities.csv:4 | zurich,Zürich,0.50,0.10, | zurich,Zürich,0.50,0.10,north east
    region must be an id of lowercase letters a-z, digits and _, not 'north east'
cities.csv:4 | zurich,Zürich,0.50,0.10, | zurich,Zürich,0.50,0.10,bern
    region must be a name that is no other city's id, not 'bern'
"""


@refusals(WRONG_CITIES, ("cities.csv:66", CITY, CITY + "\nx,y,0,0," * 59, "at most 64 cities are allowed"))
def test_a_wrong_city_is_refused(folder: Path, where: str, old: str, new: str, message: str) -> None:
    check_refusal(folder, where, old, new, message)


WRONG_ATTRACTIONS = r"""
cities.csv:2 | bern,Bern,0.20,0.30,,1 | bern,Bern,0.20,0.30,,2
    attraction must be 1, 0 or nothing, not '2'
cities.csv:3 | geneva,Genève,0.05,0.60,,0 | geneva,Genève,0.05,0.60,,no
    attraction must be 1, 0 or nothing, not 'no'
"""


@refusals(WRONG_ATTRACTIONS)
def test_a_wrong_attraction_is_refused(full_folder: Path, where: str, old: str, new: str, message: str) -> None:
    check_refusal(full_folder, where, old, new, message)
