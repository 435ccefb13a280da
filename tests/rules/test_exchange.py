"""Payments with exchanges (UK5, UK8, UK9, Diesel Power of UK12), each decision compared with the referee's."""

import functools
from collections.abc import Sequence
from typing import Any

import pytest

from t2r_env.variants import GRAY
from tests.helpers.maps import load_map
from tests.helpers.payments import check_actions, check_payments, random_hands
from tests.helpers.situations import Table, route_name, situation

VARIANT = load_map("united_kingdom")
ROUTES = {route_name(route.a, route.b, route.track): route for route in VARIANT.routes}

OPENERS = (
    "wales_concession",
    "ireland_france_concession",
    "scotland_concession",
    "mechanical_stoker",
    "superheated_steam_boiler",
    "propellers",
)
"""Together they open every route (UK6)."""

OF_TWO = ("superheated_steam_boiler", "propellers", "booster", "boiler_lagging", "steam_turbines")
PRICES = (
    dict.fromkeys((*OPENERS[:4], "thermocompressor"), 1)
    | dict.fromkeys((*OF_TWO, "water_tenders", "risky_contracts", "equalising_beam"), 2)
    | {"diesel_power": 3, "double_heading": 4, "right_of_way": 4}
)
"""UK8, UK12."""

with_and_without = pytest.mark.parametrize(
    "technologies",
    [[], ["booster"], ["diesel_power"], ["booster", "diesel_power"]],
    ids=["neither", "booster", "diesel", "both"],
)


def game(hand: str, technologies: Sequence[str], others: Sequence[str] = ()) -> Table:
    """A game in which the first seat has this hand and these technologies, and the second owns some routes."""
    more: dict[str, Any] = {"variant": "united_kingdom", "advanced_technologies": True}
    return situation(hands=[hand], deck="", technologies=[technologies], routes=[[], others], **more)


@with_and_without
def test_what_there_is_a_way_to_pay_for_can_be_had_and_nothing_else(technologies: list[str]) -> None:
    """UK5, UK8, UK12: every route and every technology, with many hands. Diesel Power makes no technology cheaper."""
    seen = set[str]()
    for hand in random_hands(100, range(25), seed=len(technologies)):
        for openers in (OPENERS, ()):
            table = game(hand, [*openers, *technologies])
            check_actions(table)
            seen |= table.legal
    bought = PRICES.keys() - {"right_of_way", *technologies}
    assert seen >= {*(f"claim {name}" for name in ROUTES), *(f"buy {name}" for name in bought)}


EXAMPLES = {(route.colour == GRAY, route.length, route.ferry): name for name, route in ROUTES.items()}
"""A route of the map for each combination of colour or gray, length and number of symbols (UK7)."""


@with_and_without
@pytest.mark.parametrize("name", EXAMPLES.values())
def test_a_claim_can_be_paid_in_every_way_that_the_rules_allow_and_in_no_other(
    name: str, technologies: list[str]
) -> None:
    """UK5, UK7, UK12."""
    length = ROUTES[name].length
    hands = random_hands(400, range(max(1, length - 1), 2 * length + 6), seed=length)
    check_payments(f"claim {name}", functools.partial(game, technologies=[*OPENERS, *technologies]), hands, 8)


@with_and_without
@pytest.mark.parametrize("name", ["mechanical_stoker", "propellers", "diesel_power", "double_heading"])
def test_a_technology_can_be_paid_in_every_way_that_the_rules_allow_and_in_no_other(
    name: str, technologies: list[str]
) -> None:
    """UK5, UK8: one of each price, with and without the Booster."""
    if name in technologies:
        name = "boiler_lagging"
    hands = random_hands(200, range(PRICES[name], 3 * PRICES[name] + 6), seed=PRICES[name])
    check_payments(f"buy {name}", functools.partial(game, technologies=technologies), hands, 8)


@with_and_without
@pytest.mark.parametrize(
    "others",
    [
        ["london-southampton", "hull-norwich"],
        ["norwich-nottingham", "dundalk-holyhead"],
        ["cork-penzance"],
        ["new_york-southampton"],
        ["brighton-london"],
    ],
)
def test_right_of_way_is_paid_only_in_ways_that_leave_a_claim_possible(
    others: list[str], technologies: list[str]
) -> None:
    """UK9: it may be bought if there is such a way; a claim then follows."""
    hands = random_hands(800, range(4, 26), seed=30 + len(others))
    with_others = functools.partial(game, technologies=[*OPENERS, *technologies], others=others)
    for hand in hands[:40]:
        check_actions(with_others(hand))
    check_payments("buy right_of_way", with_others, hands, 4)
