"""Signs of the tickets that others hold: what all can see, above all what they have built."""

import numpy as np
from numpy.typing import NDArray

from t2r_env import Configuration
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import cached, compiled, count_bits
from t2r_env.rules.map_game import routes
from t2r_env.rules.map_game.records import ROUTE_WORDS, MapRules, MapState

SIGNS = ("lacking", "without_own", "through_own", "at_a", "at_b", "rank", "trains", "tickets", "cards")
"""The numbers for each other seat and each ticket.

- `lacking`: the spaces that its network lacks to join the ticket's ends, over routes that are open to it;
- `without_own`: the same if it had none of its routes, but they were open to it;
- `through_own`: the spaces of the shortest way over its own routes alone;
- `at_a`, `at_b`: how many of its routes meet in a city of either end, at most MOST_ROUTES;
- `rank`: for how many tickets of the deck it lacks fewer spaces;
- `trains`, `tickets`, `cards`: how many it has.

In team games its routes are those of its team.
"""
LACKING, WITHOUT_OWN, THROUGH_OWN, AT_A, AT_B, RANK, TRAINS, TICKETS, CARDS = range(len(SIGNS))
FAR = 40
"""The most spaces that are told, and told where there is no way."""
MOST_ROUTES = 3


def signs(configuration: Configuration, states: Array, seats: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return SIGNS for the other seats, in turn order from these seats (k,) on, and for each ticket of the deck.

    uint8 (k, others, tickets, SIGNS) at states or views (k,). All of it is public. The Card Game, which has no routes,
    has none: (k, others, tickets, 0).
    """
    others, tickets = configuration.num_players - 1, int(configuration.rules[0].num_tickets)
    is_map = configuration.variant.ruleset == "map_game"
    found = np.zeros((len(states), others, tickets, len(SIGNS) if is_map else 0), np.uint8)
    if is_map:
        cities = configuration.rules[0].num_cities
        ways = np.zeros((3, cities, cities), np.int64)
        _write_signs(states, configuration.rules, np.asarray(seats, np.int64), ways, found)
    return found


@cached
def _write_signs(states: Array, rules: Array, seats: Array, ways: Array, found: Array) -> None:
    """Write the signs of k positions; the `ways` (3, cities, cities) are memory to compute in."""
    for i in range(len(states)):
        for distance in range(1, rules[0].num_seats):
            seat = (seats[i] + distance) % rules[0].num_seats
            _write_signs_of(states[i], rules[0], seat, ways, found[i, distance - 1])


@compiled
def _write_signs_of(state: MapState, rules: MapRules, seat: int, ways: Array, found: Array) -> None:
    """Write the signs of one seat, (tickets, SIGNS)."""
    _measure(state, rules, seat, 0, True, ways[LACKING])
    _measure(state, rules, seat, 1, True, ways[WITHOUT_OWN])
    _measure(state, rules, seat, 1, False, ways[THROUGH_OWN])
    for ticket in range(rules.num_tickets):
        for sign in range(len(ways)):
            found[ticket, sign] = _shortest(rules, ticket, ways[sign])
        found[ticket, AT_A] = _routes_at(state, rules, seat, rules.ticket_a[ticket])
        found[ticket, AT_B] = _routes_at(state, rules, seat, _far_ends(rules, ticket))
        found[ticket, TRAINS] = state.trains[seat]
        found[ticket, TICKETS] = state.ticket_count[seat]
        found[ticket, CARDS] = state.hand_count[seat]
    for ticket in range(rules.num_tickets):
        for other in range(rules.num_tickets):
            found[ticket, RANK] += found[other, LACKING] < found[ticket, LACKING]


@compiled
def _measure(state: MapState, rules: MapRules, seat: int, own_cost: int, uses_open: bool, between: Array) -> None:
    """Write the fewest spaces between all pairs of cities (Floyd-Warshall), FAR at most.

    A space of the seat's own routes counts as `own_cost`.
    """
    between[:] = FAR
    for city in range(rules.num_cities):
        between[city, city] = 0
    for word in range(ROUTE_WORDS):
        own = routes.routes_of(state, rules, rules.team[seat], word)
        if uses_open:
            _lay(rules, word, state.open[seat, word] & ~own, 1, between)
        _lay(rules, word, own, own_cost, between)
    for via in range(rules.num_cities):
        for a in range(rules.num_cities):
            to_via = between[a, via]
            if to_via < FAR:
                for b in range(rules.num_cities):
                    between[a, b] = min(between[a, b], to_via + between[via, b])


@compiled
def _lay(rules: MapRules, word: int, laid: np.uint64, cost: int, between: Array) -> None:
    """Let a word of a set of routes join cities, at a cost for each space."""
    for bit in bits.ones(laid):
        route = 64 * word + bit
        a, b = rules.route_a[route], rules.route_b[route]
        between[a, b] = between[b, a] = min(between[a, b], cost * rules.route_length[route])


@compiled
def _far_ends(rules: MapRules, ticket: int) -> np.uint64:
    """Return the cities of a ticket's other end: of all countries that complete it (SW8)."""
    cities: np.uint64 = rules.ticket_b[ticket]
    for index in range(rules.num_destinations[ticket]):
        cities |= rules.destination[ticket, index]
    return cities


@compiled
def _shortest(rules: MapRules, ticket: int, between: Array) -> int:
    """Return the fewest spaces between the ends of a ticket: any city of one and any of the other (C16)."""
    least = FAR
    for a in bits.ones(rules.ticket_a[ticket]):
        for b in bits.ones(_far_ends(rules, ticket)):
            least = min(least, between[a, b])
    return least


@compiled
def _routes_at(state: MapState, rules: MapRules, seat: int, cities: np.uint64) -> int:
    """Return how many of a seat's routes meet in that of these cities where most do, MOST_ROUTES at most."""
    most = 0
    for city in bits.ones(cities):
        number = 0
        for word in range(ROUTE_WORDS):
            own = routes.routes_of(state, rules, rules.team[seat], word)
            number += count_bits(own & rules.touching[city, word])
        most = max(most, number)
    return min(most, MOST_ROUTES)
