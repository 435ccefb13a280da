"""technologies.csv: what it may hold, and the errors for a wrong technology."""

from pathlib import Path

import pytest

from t2r_env import configure
from t2r_env.variants.variant import Technology
from tests.helpers.maps import load_map, map_configuration
from tests.variants.folders import change, check_refusal, refusal, refusals


def test_uk8_the_technologies_are_read_in_the_order_of_their_rows(full_folder: Path) -> None:
    visa = Technology("visa", "Visa", 1, 3, False, ("italy",), (), False, "")
    steam = Technology("steam", "Steam Engine", 2, 2, False, (), (3, 4), True, "booster")
    diesel = Technology("diesel", "Diesel Engine", 9, 1, True, (), (), False, "diesel_power")
    assert load_map(full_folder).all_technologies == (visa, steam, diesel)
    for advanced, technologies in ((True, (visa, steam, diesel)), (False, (visa, steam))):
        chosen = map_configuration(configure(full_folder, advanced_technologies=advanced))
        assert chosen.technologies == technologies


def test_uk6_uk7_a_technology_opens_routes_by_region_length_and_symbol_but_for_those_marked(full_folder: Path) -> None:
    variant = load_map(full_folder)
    opened = {
        technology.id: [
            n for n, route in enumerate(variant.routes) if technology.opens(route, variant.regions_of(route))
        ]
        for technology in variant.all_technologies
    }
    assert opened == {"visa": [5, 6, 7], "steam": [3, 4, 5], "diesel": []}


def test_uk12_the_option_of_advanced_technologies_exists_where_there_are_some(full_folder: Path) -> None:
    assert configure(full_folder, 2, advanced_technologies=True).options["advanced_technologies"] is True
    assert configure(full_folder, 2).options["advanced_technologies"] is False
    change(full_folder / "technologies.csv", "diesel,Diesel Engine,9,1,1", "diesel,Diesel Engine,9,1,0")
    assert not load_map(full_folder).switches
    with pytest.raises(TypeError, match="lakes has no option 'advanced_technologies'"):
        configure(full_folder, 2, advanced_technologies=True)


def test_uk8_the_columns_of_what_a_technology_does_may_be_left_out(full_folder: Path) -> None:
    (full_folder / "technologies.csv").write_text("id,name,price,copies\nvisa,Visa,1,3\n")
    (visa,) = load_map(full_folder).all_technologies
    assert visa == Technology("visa", "Visa", 1, 3, False, (), (), False, "")


STEAM = "steam,Steam Engine,2,2,,,3;4,1,booster"


WRONG_TECHNOLOGIES = r"""
technologies.csv:1 | id,name,price,copies,advanced | id,name,price,advanced,regions
    column 'copies' is missing; allowed are id, name, price, copies, advanced, regions, lengths, ferries, effect
technologies.csv:1 | lengths | spaces
    unknown column 'spaces'; allowed are id, name, price, copies, advanced, regions, lengths, ferries, effect
technologies.csv:3 | steam,Steam Engine,2,2,,,3;4,1,booster | Steam,Steam Engine,2,2,,,3;4,1,booster
    id must be an id of lowercase letters a-z, digits and _, not 'Steam'
technologies.csv:3 | steam,Steam Engine,2,2,,,3;4,1,booster | visa,Steam Engine,2,2,,,3;4,1,booster
    id must be an id that no other technology has, not 'visa'
technologies.csv:3 | steam,Steam Engine,2,2,,,3;4,1,booster | steam,,2,2,,,3;4,1,booster
    name must be one line of text, not ''
technologies.csv:3 | steam,Steam Engine,2,2,,,3;4,1,booster | steam,Steam Engine,0,2,,,3;4,1,booster
    price must be an integer from 1 to 9, not '0'
technologies.csv:3 | steam,Steam Engine,2,2,,,3;4,1,booster | steam,Steam Engine,10,2,,,3;4,1,booster
    price must be an integer from 1 to 9, not '10'
technologies.csv:3 | steam,Steam Engine,2,2,,,3;4,1,booster | steam,Steam Engine,2,0,,,3;4,1,booster
    copies must be an integer from 1 to 6, not '0'
technologies.csv:3 | steam,Steam Engine,2,2,,,3;4,1,booster | steam,Steam Engine,2,7,,,3;4,1,booster
    copies must be an integer from 1 to 6, not '7'
technologies.csv:3 | steam,Steam Engine,2,2,,,3;4,1,booster | steam,Steam Engine,2,2,very,,3;4,1,booster
    advanced must be 1, 0 or nothing, not 'very'
technologies.csv:2 | visa,Visa,1,3,0,italy | visa,Visa,1,3,0,italy;france
    regions must be regions of cities.csv with semicolons between (italy), not 'france'
technologies.csv:2 | visa,Visa,1,3,0,italy | visa,Visa,1,3,0,bern
    regions must be regions of cities.csv with semicolons between (italy), not 'bern'
technologies.csv:2 | visa,Visa,1,3,0,italy | visa,Visa,1,3,0,italy; italy
    regions must be regions of cities.csv with semicolons between (italy), not ' italy'
technologies.csv:3 | steam,Steam Engine,2,2,,,3;4,1,booster | steam,Steam Engine,2,2,,,0;4,1,booster
    lengths must be an integer from 1 to 15, not '0'
technologies.csv:3 | steam,Steam Engine,2,2,,,3;4,1,booster | steam,Steam Engine,2,2,,,3;16,1,booster
    lengths must be an integer from 1 to 15, not '16'
technologies.csv:3 | steam,Steam Engine,2,2,,,3;4,1,booster | steam,Steam Engine,2,2,,,3;4,2,booster
    ferries must be 1, 0 or nothing, not '2'
technologies.csv:3 | steam,Steam Engine,2,2,,,3;4,1,booster | steam,Steam Engine,2,2,,,3;4,1,whistle
    effect must be nothing or one of booster, boiler_lagging, steam_turbines, double_heading, right_of_way,
    thermocompressor, water_tenders, risky_contracts, equalising_beam, diesel_power, not 'whistle'
technologies.csv:4 | steam,Steam Engine,2,2,,,3;4,1,booster | steam,Steam Engine,2,2,,,3;4,1,diesel_power
    effect must be an effect that no other technology has, not 'diesel_power'
"""


@refusals(
    WRONG_TECHNOLOGIES,
    (
        "technologies.csv:18",
        STEAM,
        STEAM + "".join(f"\nt{number},Whistle,1,1,,,,," for number in range(14)),
        "at most 16 technologies are allowed",
    ),
)
def test_a_wrong_technology_is_refused(full_folder: Path, where: str, old: str, new: str, message: str) -> None:
    check_refusal(full_folder, where, old, new, message)


def test_a_map_without_regions_has_no_technology_of_a_region(full_folder: Path) -> None:
    cities = (full_folder / "cities.csv").read_text(encoding="utf-8")
    (full_folder / "cities.csv").write_text(cities.replace(",italy,", ",,"), encoding="utf-8")
    tickets = (full_folder / "tickets.csv").read_text()
    (full_folder / "tickets.csv").write_text(tickets.replace("italy", "lugano"))
    assert refusal(full_folder) == (
        "technologies.csv:2: regions must be regions of cities.csv with semicolons between (), not 'italy'"
    )


def test_an_exchange_takes_more_than_one_card(full_folder: Path) -> None:
    """With the Booster it takes one card less (UK8), and must still take one."""
    change(full_folder / "variant.toml", "exchange = 3", "exchange = 1")
    assert refusal(full_folder).startswith("variant.toml: exchange must be ")
