"""Which route each station uses (EU7): every choice is tried, from a snapshot and the variant's tables."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from t2r_env.variants import MapVariant, Route

Networks = list[set[str]]
"""Cities joined to each other, a set for each network."""


def ends_of(variant: MapVariant, ticket: Sequence[Any]) -> list[set[str]]:
    """The cities that meet either end of a ticket; a group is met by any of its cities (C16)."""
    return [{city.id for city in variant.cities if end in (city.id, city.region)} for end in ticket[:2]]


def joined(networks: Networks, routes: Iterable[Route]) -> Networks:
    """The networks after routes are added, one after the other."""
    for route in routes:
        ends = {route.a, route.b}
        met = [network for network in networks if network & ends]
        networks = [*(network for network in networks if network not in met), ends.union(*met)]
    return networks


def usable_at(variant: MapVariant, snapshot: Mapping[str, Any], seat: int, city: str) -> list[int]:
    """The numbers of the other players' routes that end in a city, the lowest first."""
    claims = enumerate(zip(variant.routes, snapshot["routes"], strict=True))
    return [number for number, (route, claim) in claims if city in (route.a, route.b) and set(claim["owners"]) - {seat}]


def chosen_routes(variant: MapVariant, snapshot: Mapping[str, Any], seat: int) -> list[Route | None]:
    """The route that each station of a seat uses, in the order built; None where no other player's route ends.

    The most points count first, then the most completed tickets, then the lowest route numbers in the order in which
    the stations were built. Choices are tried in that last order, so the first of the best is taken.
    """
    claims = zip(variant.routes, snapshot["routes"], strict=True)
    own = joined([], [route for route, claim in claims if seat in claim["owners"]])
    tickets = [(ends_of(variant, ticket), ticket[2]) for ticket in snapshot["players"][seat]["tickets"]]
    found: dict[frozenset[int | None], tuple[int, int]] = {}

    def worth(choice: tuple[int | None, ...]) -> tuple[int, int]:
        """The points and the number of the tickets that are completed."""
        used = frozenset(choice)
        if used not in found:
            networks = joined(own, [variant.routes[number] for number in used if number is not None])
            completed = [
                points for (a, b), points in tickets if any(network & a and network & b for network in networks)
            ]
            found[used] = (sum(completed), len(completed))
        return found[used]

    stations = snapshot["players"][seat]["stations"]
    usable: list[Sequence[int | None]] = [usable_at(variant, snapshot, seat, city) or [None] for city in stations]
    best = max(itertools.product(*usable), key=worth)
    return [None if number is None else variant.routes[number] for number in best]
