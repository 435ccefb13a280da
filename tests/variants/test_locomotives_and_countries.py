"""What locomotives pay for, exchanges of single routes, and tickets to several countries, in an own map's folder."""

from pathlib import Path

import pytest

from tests.helpers.maps import load_map
from tests.variants.folders import TICKET, add_column, change, check_refusal, refusal, refusals


def test_no6_no8_a_route_has_an_exchange_of_its_own_or_that_of_all_routes(folder: Path) -> None:
    change(folder / "variant.toml", "trains = 15", "trains = 15\nexchange = 4")
    add_column(folder / "routes.csv", "exchange", ["3", "", "0", *["2"] * 6])
    assert [route.exchange for route in load_map(folder).routes] == [3, 4, 0, *[2] * 6]


def test_no5_sw5_locomotives_pay_for_the_routes_that_the_key_lists(folder: Path) -> None:
    add_column(folder / "routes.csv", "ferry", ["1", *["0"] * 8])
    add_column(folder / "routes.csv", "tunnel", ["0", "3", *["0"] * 7])
    change(folder / "variant.toml", "trains = 15", 'trains = 15\nlocomotives_pay_for = ["ferries", "tunnels"]')
    variant = load_map(folder)
    assert [variant.takes_locomotives(route) for route in variant.routes] == [True, True, *[False] * 7]
    change(folder / "variant.toml", '["ferries", "tunnels"]', '["ferries"]')
    variant = load_map(folder)
    assert [variant.takes_locomotives(route) for route in variant.routes] == [True, *[False] * 8]


def test_no5_a_ferry_that_takes_no_locomotives_is_refused(folder: Path) -> None:
    add_column(folder / "routes.csv", "ferry", ["0", "1", *["0"] * 7])
    change(folder / "variant.toml", "trains = 15", 'trains = 15\nlocomotives_pay_for = ["tunnels"]')
    assert refusal(folder) == (
        "routes.csv:3: ferry must be 0 where locomotives_pay_for of variant.toml lets no locomotives be paid, not '1'"
    )


def test_more_than_four_kinds_of_exchange_are_refused(folder: Path) -> None:
    add_column(folder / "routes.csv", "exchange", ["2", "3", "4", "5", "5", "6", "0", "0", "0"])
    assert refusal(folder) == "routes.csv:7: exchange must be one of at most 4 on a map, not '6'"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('locomotives_pay_for = ["ferries"]', 'variant.toml: locomotives_pay_for must be ["routes"] with'),
        ("locomotives_pay_for = []", 'variant.toml: locomotives_pay_for must be ["routes"] with'),
    ],
)
def test_technologies_are_paid_in_locomotives(full_folder: Path, line: str, message: str) -> None:
    """UK8."""
    change(full_folder / "variant.toml", "trains = 15", f"trains = 15\n{line}")
    assert refusal(full_folder).startswith(message)


def test_with_technologies_all_routes_have_the_same_exchange(full_folder: Path) -> None:
    """UK5."""
    add_column(full_folder / "routes.csv", "exchange", ["3", "", "0", *["3"] * 6])
    assert refusal(full_folder) == (
        "routes.csv:4: exchange must be 3 as in variant.toml, or empty, in a game with technologies, not '0'"
    )


def test_sw8_a_ticket_to_several_countries_has_a_value_for_each(folder: Path) -> None:
    change(folder / "tickets.csv", TICKET, "main,geneva,zurich;italy;bern,5;9;3")
    ticket = next(it for it in load_map(folder).ticket_decks["main"].tickets if it.others)
    assert ticket.destinations == (("zurich", 5), ("italy", 9), ("bern", 3))
    assert ticket.failure == 3


WRONG_TICKETS = rf"""
tickets.csv:4 | {TICKET} | main,geneva,como;bern,5
    points must be 2 numbers, as there are places in b, not '5'
tickets.csv:4 | {TICKET} | main,geneva,como,5;6
    points must be 1 numbers, as there are places in b, not '5;6'
tickets.csv:4 | {TICKET} | main,geneva,como;geneva,5;6
    b must be places apart from a and each other, not 'como;geneva'
tickets.csv:4 | {TICKET} | main,geneva,como;como,5;6
    b must be places apart from a and each other, not 'como;como'
tickets.csv:4 | {TICKET} | main,geneva,como;rome,5;6
    b must be the id of a city or a region of cities.csv, not 'rome'
tickets.csv:4 | {TICKET} | main,geneva,como;bern,5;0
    points must be an integer from 1 to 100, not '0'
"""


@refusals(WRONG_TICKETS)
def test_a_wrong_ticket_to_several_countries_is_refused(
    folder: Path, where: str, old: str, new: str, message: str
) -> None:
    check_refusal(folder, where, old, new, message)


def test_no_rule_has_stations_with_tickets_to_several_countries(folder: Path) -> None:
    change(folder / "tickets.csv", TICKET, "main,geneva,como;bern,5;9")
    change(folder / "variant.toml", "trains = 15", "trains = 15\nstations = { prices = { 1 = 1 }, points = 4 }")
    assert refusal(folder) == "variant.toml: stations must be left out where tickets lead to several countries"
