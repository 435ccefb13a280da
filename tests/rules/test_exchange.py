"""Payments with exchanges (UK5, UK8, UK9, Diesel Power of UK12) compared with a slow enumeration of all payments."""

from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_env import Games
from t2r_env.variants import COLOURS, GRAY, Route
from tests.helpers import payments
from tests.helpers.maps import load_map, map_configuration
from tests.helpers.payments import (
    Cards,
    Due,
    Way,
    can_pay,
    check_every_decision,
    colours_of,
    games_from,
    hands_that_can_pay,
    legal_actions,
    random_hands,
    small_hands,
    ways,
)
from tests.helpers.situations import CARDS, cards_text, route_name, situation

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


def rate(technologies: Iterable[str]) -> int:
    """How many cards stand for a locomotive (UK5, UK8)."""
    return 3 if "booster" in technologies else 4


def due_for(route: Route, technologies: Iterable[str]) -> Due:
    """The price of a route (C9, C14, UK12)."""
    price = max(1, route.ferry, route.length - 1) if "diesel_power" in technologies else route.length
    return Due(price, route.ferry, colours_of(route), rate(technologies))


def due_for_technology(name: str, technologies: Iterable[str]) -> Due:
    """The price of a technology, in locomotives (UK8)."""
    return Due(PRICES[name], PRICES[name], COLOURS, rate(technologies))


def games_with(
    hands: Sequence[Cards], technologies: Sequence[str], others: Sequence[str] = (), openers: Sequence[str] = OPENERS
) -> Games:
    """Games in each of which the first seat has one of the hands, and the second owns some routes."""
    table = situation(
        variant="united_kingdom",
        technologies=[[*openers, *technologies]],
        routes=[[], others],
        advanced_technologies=True,
    )
    return payments.games_with(table, hands)


def number_of(games: Games, choice: str) -> int:
    """The action that claims a route or buys a technology."""
    action, _, name = choice.partition(" ")
    names = list(ROUTES) if action == "claim" else [it.id for it in map_configuration(games.configuration).technologies]
    return games.layout.actions[action].start + names.index(name)


def may(games: Games, action: str) -> NDArray[np.bool_]:
    """In which of the games an action is legal."""
    return games.masks[:, number_of(games, action)].astype(np.bool_)


@with_and_without
def test_what_there_is_a_way_to_pay_for_can_be_had_and_nothing_else(technologies: list[str]) -> None:
    """UK5, UK8, UK12: every route and every technology, with thousands of hands.

    Diesel Power makes no technology cheaper.
    """
    hands = random_hands(3000, range(25), seed=len(technologies))
    claims = {f"claim {name}": due_for(route, technologies) for name, route in ROUTES.items()}
    names = PRICES.keys() - {"right_of_way", *technologies}
    purchases = {f"buy {name}": due_for_technology(name, technologies) for name in names}
    for openers, dues in ((OPENERS, claims), ((), purchases)):
        games = games_with(hands, technologies, openers=openers)
        for action, due in dues.items():
            expected = can_pay(np.array(hands), due)
            assert 0 < expected.sum() < len(hands)
            wrong = np.flatnonzero(may(games, action) != expected)
            assert not wrong.size, f"{action} for {cards_text(dict(zip(CARDS, hands[wrong[0]], strict=True)))}"


EXAMPLES = {(route.colour == GRAY, route.length, route.ferry): name for name, route in ROUTES.items()}
"""A route of the map for each combination of colour or gray, length and number of symbols (UK7)."""


@with_and_without
@pytest.mark.parametrize("name", EXAMPLES.values())
def test_a_claim_can_be_paid_in_every_way_that_the_rules_allow_and_in_no_other(
    name: str, technologies: list[str]
) -> None:
    """UK5, UK7, UK12: the decisions lead to each set of cards that pays for the route, and to no other."""
    due = due_for(ROUTES[name], technologies)
    all_ways = hands_that_can_pay(due, small_hands(200, range(due.price, 2 * due.price + 6), seed=due.price), 6)
    games = games_with([*all_ways], technologies)
    check_every_decision(games, number_of(games, f"claim {name}"), [*all_ways.values()])


@with_and_without
@pytest.mark.parametrize("name", ["mechanical_stoker", "propellers", "diesel_power", "double_heading"])
def test_a_technology_can_be_paid_in_every_way_that_the_rules_allow_and_in_no_other(
    name: str, technologies: list[str]
) -> None:
    """UK5, UK8: one of each price, with and without the Booster."""
    if name in technologies:
        name = "boiler_lagging"
    due = due_for_technology(name, technologies)
    all_ways = hands_that_can_pay(due, small_hands(200, range(due.price, 3 * due.price + 6), seed=due.price), 3)
    games = games_with([*all_ways], technologies, openers=())
    check_every_decision(games, number_of(games, f"buy {name}"), [*all_ways.values()], buying=True)


def ways_to_right_of_way(hand: Cards, others: Iterable[str], technologies: Sequence[str]) -> list[Way]:
    """The ways to pay for it that leave cards with which one of the others' routes can be paid (UK9)."""
    found = list(ways(hand, due_for_technology("right_of_way", technologies)))
    left = np.array(hand) - np.array([way.spent for way in found]).reshape(-1, len(CARDS))
    leaves_a_claim = np.any([can_pay(left, due_for(ROUTES[name], technologies)) for name in others], 0)
    return [way for way, is_left in zip(found, leaves_a_claim, strict=True) if is_left]


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
    """UK9: it may be bought if there is such a way; the decisions lead to each of them, and then to a claim."""
    hands = small_hands(80, range(4, 26), seed=30 + len(others))
    all_ways = [ways_to_right_of_way(hand, others, technologies) for hand in hands]
    games = games_with(hands, technologies, others)
    assert may(games, "buy right_of_way").tolist() == [bool(some) for some in all_ways]
    payable = [number for number, some in enumerate(all_ways) if some][:6]
    assert payable
    games = games_with([hands[number] for number in payable], technologies, others)
    action, paid_ways = number_of(games, "buy right_of_way"), [all_ways[number] for number in payable]
    states = check_every_decision(games, action, paid_ways, buying=True)
    bought = games_from(games, states)
    for row, hand in enumerate(states["hand"][:, :1]):
        left = [name for name in others if can_pay(hand, due_for(ROUTES[name], technologies))[0]]
        assert legal_actions(bought, row) == {f"claim {name}" for name in left}
