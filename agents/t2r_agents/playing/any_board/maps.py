"""The generated maps on which the player for any board is trained, and the planner's parameters for any map tuned."""

from collections import Counter
from dataclasses import replace

import numpy as np

import t2r_env
from t2r_env.generating import RULES
from t2r_env.variants import MapVariant


def training_map(seed: int, fewest_cities: int = 24, most_cities: int = 48) -> MapVariant:
    """Return a map whose cities, rules and trains (which are fewer the more can play) are drawn by the seed, too.

    Published decks may have longer tickets than generated ones: up to half of those, the shortest, are left out.
    Published maps may have a route that is worth a race: so has one of four of these.
    """
    rng = np.random.default_rng(seed)
    cities, most_players = rng.integers((fewest_cities, 3), (most_cities + 1, 6)).tolist()
    rules = [rule for rule in RULES if rng.random() < 0.5]
    variant = t2r_env.generate_map(seed, cities, (2, most_players), rules)
    ((name, deck),) = variant.ticket_decks.items()
    number = max(rng.integers(len(deck.regular) // 2, len(deck.regular) + 1), 3 * most_players)
    longest = sorted(deck.regular, key=lambda ticket: ticket.points)[-number:]
    variant = replace(variant, ticket_decks={name: replace(deck, regular=tuple(longest))})
    return _with_long_route(variant) if rng.random() < 0.25 else variant


def _with_long_route(variant: MapVariant) -> MapVariant:
    """Return the map with ten spaces in the longest of its routes without a second track, for 40 points (UK7)."""
    ends = Counter((route.a, route.b) for route in variant.routes)
    longest = max((it for it in variant.routes if ends[it.a, it.b] == 1), key=lambda route: route.length)
    routes = tuple(replace(it, length=10) if it is longest else it for it in variant.routes)
    return replace(variant, routes=routes, points=(*variant.points, *[0] * (10 - len(variant.points)), 40))
