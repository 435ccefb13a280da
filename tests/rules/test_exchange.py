"""Payments with exchanges (UK5, UK8, UK9, Diesel Power of UK12) compared with a slow enumeration of all payments."""

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_env import Games
from t2r_env.rules.map_game.records import NO_TECHNOLOGY
from t2r_env.rules.names import phases
from t2r_env.variants import COLOURS, GRAY, LOCOMOTIVE, Route
from tests.helpers.maps import load_map, map_configuration
from tests.helpers.situations import CARDS, action_name, cards_text, put, route_name, situation

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

Cards = tuple[int, ...]
"""Numbers of cards by colour, locomotives last if they are included."""


@dataclass(frozen=True)
class Due:
    """What is to be paid."""

    price: int
    """In cards, an exchange being one (UK5)."""
    symbols: int
    """At least this number of locomotives (C14)."""
    colours: tuple[str, ...] = ()
    """The others are all of one of these colours (C9)."""


@dataclass(frozen=True)
class Way:
    """A way to pay."""

    colour: str
    cards: int
    """Cards of this colour that are not exchanged."""
    exchanged: Cards
    """The coloured cards that are exchanged."""
    locomotives: int
    """Locomotive cards."""
    units: int
    """Locomotives paid: cards and exchanges together."""

    @property
    def spent(self) -> Cards:
        """All cards that it takes."""
        numbers = [*self.exchanged, self.locomotives]
        numbers[CARDS.index(self.colour)] += self.cards
        return tuple(numbers)


def rate(technologies: Iterable[str]) -> int:
    """How many cards stand for a locomotive (UK5, UK8)."""
    return 3 if "booster" in technologies else 4


def due_for(route: Route, technologies: Iterable[str]) -> Due:
    """The price of a route (C9, C14, UK12)."""
    price = max(1, route.ferry, route.length - 1) if "diesel_power" in technologies else route.length
    return Due(price, route.ferry, COLOURS if route.colour == GRAY else (route.colour,))


def due_for_technology(name: str) -> Due:
    """The price of a technology, in locomotives (UK8)."""
    return Due(PRICES[name], PRICES[name])


def ways(hand: Cards, due: Due, for_one: int) -> Iterator[Way]:
    """All ways to pay from a hand: every choice of cards to exchange, of locomotives and of coloured cards."""
    for exchanged in itertools.product(*(range(number + 1) for number in hand[:-1])):
        exchanges, half_made = divmod(sum(exchanged), for_one)
        for locomotives in range(hand[-1] + 1):
            units = exchanges + locomotives
            cards = due.price - units
            if half_made or cards < 0 or units < due.symbols:
                continue
            if cards == 0:
                yield Way(LOCOMOTIVE, 0, exchanged, locomotives, units)
                continue
            for colour in due.colours:
                number = COLOURS.index(colour)
                if hand[number] - exchanged[number] >= cards:
                    yield Way(colour, cards, exchanged, locomotives, units)


def can_pay(hands: NDArray[np.int64], due: Due, for_one: int) -> NDArray[np.bool_]:
    """Which hands can pay. As `ways`, but without choosing which cards are exchanged: enough of them suffice."""
    found = np.zeros(len(hands), np.bool_)
    coloured = hands[:, :-1].sum(axis=1)
    for exchanges, locomotives in itertools.product(range(due.price + 1), repeat=2):
        units = exchanges + locomotives
        cards = due.price - units
        if cards < 0 or units < due.symbols:
            continue
        enough = (hands[:, -1] >= locomotives) & (coloured - cards >= exchanges * for_one)
        if cards:
            enough &= np.any([hands[:, COLOURS.index(colour)] >= cards for colour in due.colours], axis=0)
        found |= enough
    return found


def random_hands(number: int, sizes: Sequence[int], seed: int) -> list[Cards]:
    """Hands of few or many colours, with some locomotives or none."""
    rng = random.Random(seed)
    hands = []
    for _ in range(number):
        colours = rng.sample(range(len(COLOURS)), rng.randint(1, len(COLOURS)))
        hand = [0] * len(CARDS)
        size = rng.choice(sizes)
        locomotives = min(size, rng.choice([0, 0, 1, 1, 2, 3, 5]))
        for card in [*[CARDS.index(LOCOMOTIVE)] * locomotives, *rng.choices(colours, k=size - locomotives)]:
            hand[card] += 1
        hands.append(tuple(hand))
    return hands


def small_hands(number: int, sizes: Sequence[int], seed: int) -> list[Cards]:
    """Such hands, without those of which all subsets would take too long to look at."""
    return [hand for hand in random_hands(number, sizes, seed) if np.prod(np.array(hand) + 1) < 3000]


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
    states = np.repeat(table.games.states[:1], len(hands))
    states["hand"][:, 0] = hands
    states["hand_count"][:, 0] = np.sum(hands, axis=1)
    return games_from(table.games, states)


def games_from(games: Games, states: Any) -> Games:
    """Games of the same configuration in these states."""
    other = Games(games.configuration, batch=len(states), autoreset=False, seed=0)
    put(other, states)
    return other


def number_of(games: Games, choice: str) -> int:
    """The action that claims a route or buys a technology."""
    action, _, name = choice.partition(" ")
    names = list(ROUTES) if action == "claim" else [it.id for it in map_configuration(games.configuration).technologies]
    return games.layout.actions[action].start + names.index(name)


def may(games: Games, action: str) -> NDArray[np.bool_]:
    """In which of the games an action is legal."""
    return games.masks[:, number_of(games, action)].astype(np.bool_)


def legal_actions(games: Games, row: int) -> set[str]:
    """The legal actions as text."""
    return {action_name(games.describe(int(action), row)) for action in np.flatnonzero(games.masks[row])}


# What can be paid at all


@with_and_without
def test_what_there_is_a_way_to_pay_for_can_be_had_and_nothing_else(technologies: list[str]) -> None:
    """UK5, UK8, UK12: every route and every technology, with thousands of hands.

    Diesel Power makes no technology cheaper.
    """
    hands = random_hands(3000, range(25), seed=len(technologies))
    claims = {f"claim {name}": due_for(route, technologies) for name, route in ROUTES.items()}
    purchases = {f"buy {name}": due_for_technology(name) for name in PRICES.keys() - {"right_of_way", *technologies}}
    for openers, dues in ((OPENERS, claims), ((), purchases)):
        games = games_with(hands, technologies, openers=openers)
        for action, due in dues.items():
            expected = can_pay(np.array(hands), due, rate(technologies))
            assert 0 < expected.sum() < len(hands)
            wrong = np.flatnonzero(may(games, action) != expected)
            assert not wrong.size, f"{action} for {cards_text(dict(zip(CARDS, hands[wrong[0]], strict=True)))}"


# Every decision of every payment


def check_every_decision(games: Games, action: str, all_ways: Sequence[Sequence[Way]]) -> Any:
    """Take an action in all games, and check every decision that can follow until it is paid for.

    A card may be spent if some way to pay exchanges it and all cards spent so far. A payment may be made if some way
    exchanges exactly the cards spent so far. In the end all ways have been reached, and no others. Return the states in
    which the payment is complete.
    """
    towards = [{sub for way in some for sub in parts_of(way.exchanged)} for some in all_ways]
    hands = games.states["hand"][:, 0].astype(np.int64)
    reached: list[set[Cards]] = [set() for _ in all_ways]
    complete = []
    games.step(np.full(len(all_ways), number_of(games, action)))
    origins, states = np.arange(len(all_ways)), games.states.copy()
    while len(origins):
        paid = ~is_paying(states, action)
        for origin, state in zip(origins[paid], states[paid], strict=True):
            reached[origin].add(as_cards(hands[origin] - state["hand"][0]))
            complete.append(state.copy())
        origins, states = origins[~paid], states[~paid]
        if not len(origins):
            break
        games = games_from(games, states)
        assert games.masks.any(axis=1).all()
        for row, origin in enumerate(origins.tolist()):
            spent = as_cards(hands[origin] - states["hand"][row, 0])[:-1]
            assert legal_actions(games, row) == expected_actions(all_ways[origin], towards[origin], spent)
        rows, actions = np.nonzero(games.masks)
        games = games_from(games, states[rows])
        games.step(actions)
        origins, states = origins[rows], games.states
        _, new = np.unique(
            np.column_stack([origins, is_paying(states, action), states["hand"][:, 0]]), axis=0, return_index=True
        )
        origins, states = origins[new], states[new]
    for origin, some in enumerate(all_ways):
        assert reached[origin] == {way.spent for way in some}
    return np.array(complete)


def parts_of(cards: Cards) -> Iterator[Cards]:
    """All subsets of some cards."""
    return itertools.product(*(range(number + 1) for number in cards))


def as_cards(numbers: NDArray[np.int64]) -> Cards:
    """An array of numbers of cards as a tuple."""
    return tuple(numbers.tolist())


def is_paying(states: Any, action: str) -> NDArray[np.bool_]:
    """Whether the claim or purchase is still to be paid for."""
    paying: NDArray[np.bool_] = states["phase"] == phases.PAY
    if action.startswith("buy"):
        paying &= states["technology"] != NO_TECHNOLOGY
    return paying


def expected_actions(some: Iterable[Way], towards: set[Cards], spent: Cards) -> set[str]:
    """The actions that the ways to pay allow after some cards have been spent."""
    expected = {
        f"pay {cards_text({way.colour: way.cards, LOCOMOTIVE: way.units})}" for way in some if way.exchanged == spent
    }
    for number, colour in enumerate(COLOURS):
        if (*spent[:number], spent[number] + 1, *spent[number + 1 :]) in towards:
            expected.add(f"spend {colour}")
    return expected


EXAMPLES = {(route.colour == GRAY, route.length, route.ferry): name for name, route in ROUTES.items()}
"""A route of the map for each combination of colour or gray, length and number of symbols (UK7)."""


def hands_that_can_pay(due: Due, for_one: int, sizes: Sequence[int], number: int) -> dict[Cards, list[Way]]:
    """So many random hands, each with all its ways to pay."""
    hands = small_hands(80, sizes, seed=due.price)
    found = {hand: some for hand in hands if (some := list(ways(hand, due, for_one)))}
    assert len(found) >= number
    return dict(itertools.islice(found.items(), number))


@with_and_without
@pytest.mark.parametrize("name", EXAMPLES.values())
def test_a_claim_can_be_paid_in_every_way_that_the_rules_allow_and_in_no_other(
    name: str, technologies: list[str]
) -> None:
    """UK5, UK7, UK12: the decisions lead to each set of cards that pays for the route, and to no other."""
    due = due_for(ROUTES[name], technologies)
    all_ways = hands_that_can_pay(due, rate(technologies), range(due.price, 2 * due.price + 6), 6)
    check_every_decision(games_with([*all_ways], technologies), f"claim {name}", [*all_ways.values()])


@with_and_without
@pytest.mark.parametrize("name", ["mechanical_stoker", "propellers", "diesel_power", "double_heading"])
def test_a_technology_can_be_paid_in_every_way_that_the_rules_allow_and_in_no_other(
    name: str, technologies: list[str]
) -> None:
    """UK5, UK8: one of each price, with and without the Booster."""
    if name in technologies:
        name = "boiler_lagging"
    due = due_for_technology(name)
    all_ways = hands_that_can_pay(due, rate(technologies), range(due.price, 3 * due.price + 6), 3)
    check_every_decision(games_with([*all_ways], technologies, openers=()), f"buy {name}", [*all_ways.values()])


# Right of Way


def ways_to_right_of_way(hand: Cards, others: Iterable[str], technologies: Sequence[str]) -> list[Way]:
    """The ways to pay for it that leave cards with which one of the others' routes can be paid (UK9)."""
    found = list(ways(hand, due_for_technology("right_of_way"), rate(technologies)))
    left = np.array(hand) - np.array([way.spent for way in found]).reshape(-1, len(CARDS))
    leaves_a_claim = np.any(
        [can_pay(left, due_for(ROUTES[name], technologies), rate(technologies)) for name in others], 0
    )
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
    expected = [bool(some) for some in all_ways]
    assert may(games, "buy right_of_way").tolist() == expected
    payable = [number for number, some in enumerate(all_ways) if some][:6]
    assert payable
    games = games_with([hands[number] for number in payable], technologies, others)
    states = check_every_decision(games, "buy right_of_way", [all_ways[number] for number in payable])
    bought = games_from(games, states)
    for row, hand in enumerate(states["hand"][:, :1]):
        left = [name for name in others if can_pay(hand, due_for(ROUTES[name], technologies), rate(technologies))[0]]
        assert legal_actions(bought, row) == {f"claim {name}" for name in left}
