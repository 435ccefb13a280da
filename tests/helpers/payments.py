"""Payments with exchanges: all that there are, enumerated slowly, and every decision that leads to one of them."""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env import Games
from t2r_env.rules.map_game.records import NO_TECHNOLOGY
from t2r_env.rules.names import phases
from t2r_env.variants import COLOURS, GRAY, LOCOMOTIVE, Route
from tests.helpers.situations import CARDS, Table, action_name, cards_text, put

Cards = tuple[int, ...]
"""Numbers of cards by colour, locomotives last."""

MANY = 1500
"""A hand with this number of subsets takes too long to enumerate."""


@dataclass(frozen=True)
class Due:
    """What is to be paid."""

    price: int
    """In cards, an exchange being one."""
    symbols: int
    """At least this number of locomotives (C14)."""
    colours: Sequence[str]
    """The others are all of one of these colours (C9)."""
    rate: int
    """How many cards stand for one (UK5, UK8, NO6, NO8); 0: none ever do."""
    takes_locomotives: bool = True
    """Whether locomotives are paid (NO5)."""
    exchanges_locomotives: bool = False
    """Whether they may be among the cards that stand for one (NO8)."""


@dataclass(frozen=True)
class Way:
    """A way to pay."""

    text: str
    """The payment as it is chosen when all exchanges have been made."""
    exchanged: Cards
    """The cards that are exchanged."""
    spent: Cards
    """All cards that it takes."""


def colours_of(route: Route) -> Sequence[str]:
    """The colours that may pay for a route."""
    return COLOURS if route.colour == GRAY else (route.colour,)


def ways(hand: Cards, due: Due) -> Iterator[Way]:
    """All ways to pay from a hand: every choice of cards to exchange, of locomotives and of coloured cards."""
    most = hand if due.exchanges_locomotives else (*hand[:-1], 0)
    for exchanged in parts_of(most):
        exchanges, half_made = divmod(sum(exchanged), due.rate)
        for locomotives in range(hand[-1] + 1 if due.takes_locomotives else 1):
            units = exchanges + locomotives
            cards = due.price - units
            if half_made or cards < 0 or units < due.symbols:
                continue
            for colour in due.colours if cards else [LOCOMOTIVE]:
                spent, number = [*exchanged], CARDS.index(colour)
                spent[-1] += locomotives
                spent[number] += cards
                if spent[number] <= hand[number]:
                    yield Way(f"pay {cards_text({colour: cards, LOCOMOTIVE: units})}", exchanged, tuple(spent))


def parts_of(cards: Cards) -> Iterator[Cards]:
    """All subsets of some cards."""
    return itertools.product(*(range(number + 1) for number in cards))


def can_pay(hands: NDArray[np.int64], due: Due) -> NDArray[np.bool_]:
    """Which hands can pay. As `ways`, but without choosing which cards are exchanged: enough of them suffice."""
    found = np.zeros(len(hands), np.bool_)
    pool = hands[:, :-1].sum(axis=1) + (hands[:, -1] if due.exchanges_locomotives else 0)
    for exchanges in range(due.price + 1 if due.rate else 1):
        for locomotives in range(due.price + 1 if due.takes_locomotives else 1):
            units = exchanges + locomotives
            cards = due.price - units
            if cards < 0 or units < due.symbols:
                continue
            enough = (hands[:, -1] >= locomotives) & (pool - cards >= exchanges * due.rate)
            if cards:
                enough &= np.any([hands[:, COLOURS.index(colour)] >= cards for colour in due.colours], axis=0)
            found |= enough
    return found


def random_hands(number: int, sizes: Sequence[int], seed: int, favourite: str = GRAY) -> list[Cards]:
    """Hands of few or many colours, with some locomotives or none, and often with cards of the favourite colour."""
    rng = random.Random(seed)
    hands = []
    for _ in range(number):
        colours = rng.sample(COLOURS, rng.randint(1, len(COLOURS)))
        if favourite != GRAY and rng.random() < 0.8:
            colours = [*{favourite, *colours[:2]}]
        size = rng.choice(sizes)
        locomotives = min(size, rng.choice([0, 0, 1, 1, 2, 3, 5, 9]))
        drawn = [LOCOMOTIVE] * locomotives + rng.choices(sorted(colours), k=size - locomotives)
        hands.append(tuple(drawn.count(card) for card in CARDS))
    return hands


def small_hands(number: int, sizes: Sequence[int], seed: int, favourite: str = GRAY) -> list[Cards]:
    """Such hands, without those of which all subsets would take too long to look at."""
    return [hand for hand in random_hands(number, sizes, seed, favourite) if np.prod(np.array(hand) + 1) < MANY]


def hands_that_can_pay(due: Due, hands: Sequence[Cards], number: int) -> dict[Cards, list[Way]]:
    """The first so many of the hands that can pay, each with all its ways to pay."""
    found = ((hand, some) for hand in dict.fromkeys(hands) if (some := list(ways(hand, due))))
    payable = dict(itertools.islice(found, number))
    assert len(payable) == number
    return payable


def games_with(table: Table, hands: Sequence[Cards]) -> Games:
    """Copies of a game, in each of which the first seat has one of the hands."""
    states = np.repeat(table.games.states[:1], len(hands))
    states["hand"][:, 0] = hands
    states["hand_count"][:, 0] = np.sum(hands, axis=1)
    return games_from(table.games, states)


def games_from(games: Games, states: Any) -> Games:
    """Games of the same configuration in these states."""
    other = Games(games.configuration, batch=len(states), autoreset=False, seed=0)
    put(other, states)
    return other


def legal_actions(games: Games, row: int) -> set[str]:
    """The legal actions as text."""
    return {action_name(games.describe(int(action), row)) for action in np.flatnonzero(games.masks[row])}


def check_every_decision(games: Games, action: int, all_ways: Sequence[Sequence[Way]], buying: bool = False) -> Any:
    """Claim a route or buy a technology in all games, and check every decision that can follow until it is paid for.

    A card may be spent if some way to pay exchanges it and all cards spent so far. A payment may be made if some way
    exchanges exactly the cards spent so far. In the end all ways have been reached, and no others. Return the states in
    which the payment is complete.
    """

    def is_paying(states: Any) -> NDArray[np.bool_]:
        """Whether it is still to be paid for."""
        paying: NDArray[np.bool_] = (states["phase"] == phases.PAY) & (
            (states["technology"] != NO_TECHNOLOGY) == buying
        )
        return paying

    towards = [{part for way in some for part in parts_of(way.exchanged)} for some in all_ways]
    hands = games.states["hand"][:, 0].astype(np.int64)
    reached: list[set[Cards]] = [set() for _ in all_ways]
    complete: list[Any] = []
    games.step(np.full(len(all_ways), action))
    origins, states = np.arange(len(all_ways)), games.states.copy()
    while True:
        spent, paying = hands[origins] - states["hand"][:, 0], is_paying(states)
        for origin, cards in zip(origins[~paying].tolist(), spent[~paying].tolist(), strict=True):
            reached[origin].add(tuple(cards))
        complete += [*states[~paying].copy()]
        origins, states, spent = origins[paying], states[paying], spent[paying]
        if not len(origins):
            break
        games = games_from(games, states)
        for row, (origin, cards) in enumerate(zip(origins.tolist(), spent.tolist(), strict=True)):
            assert legal_actions(games, row) == expected_actions(all_ways[origin], towards[origin], tuple(cards))
        rows, actions = np.nonzero(games.masks)
        games = games_from(games, states[rows])
        games.step(actions)
        origins, states = origins[rows], games.states
        keys = np.column_stack([origins, is_paying(states), states["hand"][:, 0]])
        _, new = np.unique(keys, axis=0, return_index=True)
        origins, states = origins[new], states[new]
    assert reached == [{way.spent for way in some} for some in all_ways]
    return np.array(complete)


def expected_actions(some: Sequence[Way], towards: set[Cards], spent: Cards) -> set[str]:
    """The actions that the ways to pay allow after some cards have been spent."""
    expected = {way.text for way in some if way.exchanged == spent}
    for number, card in enumerate(CARDS):
        if (*spent[:number], spent[number] + 1, *spent[number + 1 :]) in towards:
            expected.add(f"spend {card}")
    return expected
