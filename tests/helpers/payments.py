"""Payments in which cards stand for others (UK5, UK8, UK9, NO6, NO8), each decision compared with the referee's."""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from t2r_env.variants import COLOURS, GRAY, LOCOMOTIVE
from tests.helpers.maps import map_variant
from tests.helpers.referee import (
    Due,
    due_for_route,
    due_for_technology,
    exchange_rate,
    exchangeable,
    legal_actions,
    ways_to_pay,
)
from tests.helpers.situations import CARDS, Table, cards_text, count, route_name


def random_hands(number: int, sizes: Sequence[int], seed: int, favourite: str = GRAY) -> list[str]:
    """Hands of few or many colours, with some locomotives or none, and often with cards of the favourite colour."""
    rng = random.Random(seed)
    hands = []
    for _ in range(number):
        colours = rng.sample(COLOURS, rng.randint(1, len(COLOURS)))
        if favourite != GRAY and rng.random() < 0.8:
            colours = [*{favourite, *colours[:2]}]
        size = rng.choice(sizes)
        locomotives = min(size, rng.choice([0, 0, 1, 1, 2, 3, 5, 9]))
        drawn = rng.choices(sorted(colours), k=size - locomotives)
        hands.append(cards_text(Counter([LOCOMOTIVE] * locomotives + drawn)))
    return hands


def check_actions(table: Table) -> None:
    """Check that the legal actions are those that the referee allows."""
    assert table.legal == legal_actions(map_variant(table.games.configuration), table.snapshot)


def check_payments(choice: str, game: Callable[[str], Table], hands: Iterable[str], number: int) -> None:
    """Check each decision of a random payment for a claim or a purchase, for so many hands that allow it.

    The cards spent are also tried as a hand, which is just enough, and all but one of them, which are too few.
    """
    payable = [*itertools.islice((table for table in map(game, hands) if choice in table.legal), number)]
    assert len(payable) == number
    rng = random.Random(choice)
    for table in payable:
        variant, before, hand = map_variant(table.games.configuration), table.snapshot, count(table.hand(0))
        due = due_for(table, choice)
        table.play(choice)
        while table.phase == "pay":
            check_actions(table)
            table.play(rng.choice(sorted(table.legal)))
        check_actions(table)
        spent = Counter(dict(zip(CARDS, (hand - count(table.hand(0))).tolist(), strict=True)))
        exchanged = [
            (spent - paid, way.exchanges)
            for way in ways_to_pay(variant, before, due)
            if (paid := Counter({way.colour: way.cards}) + Counter({LOCOMOTIVE: way.locomotives})) <= spent
        ]
        allowed, rate = {*exchangeable(variant, due)}, exchange_rate(variant, before, due)
        assert any(cards.total() == rate * exchanges and cards.keys() <= allowed for cards, exchanges in exchanged)
        for edge in (spent, spent - Counter([rng.choice(sorted(spent.elements()))])):
            check_actions(game(cards_text(edge)))


def due_for(table: Table, choice: str) -> Due:
    """What a claim or a purchase costs."""
    action, _, name = choice.partition(" ")
    variant = map_variant(table.games.configuration)
    if action == "buy":
        (technology,) = [it for it in variant.all_technologies if it.id == name]
        return due_for_technology(technology)
    (route,) = [it for it in variant.routes if route_name(it.a, it.b, it.track) == name]
    return due_for_route(table.snapshot, route)
