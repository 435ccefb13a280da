"""Mountain routes: each X on one takes a train from its claimer's supply, for points (LA5)."""

from typing import Any

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits, inlined
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.records import ROUTE_WORDS, MapRules, MapState
from t2r_env.rules.names import parts
from t2r_env.rules.ranking import add_points


@inlined
def cross(state: MapState, rules: MapRules, seat: int, route: int) -> None:
    """Give up a train for each X on a route that is being claimed, and score them at once."""
    given_up = rules.route_trains[route] - rules.route_length[route]
    state.trains[seat] -= given_up
    add_points(state, rules.team[seat], parts.MOUNTAINS, given_up * rules.mountain_points)


@compiled
def count_claimed(state: MapState, rules: MapRules, team: int) -> int:
    """Return how many mountain routes a team has (LA7)."""
    number = 0
    for seat in range(rules.num_seats):
        if rules.team[seat] == team:
            for word in range(ROUTE_WORDS):
                number += count_bits(state.claimed[seat, word] & rules.mountains[word])
    return number


def write_rules(record: Any, configuration: MapConfiguration) -> None:
    """Fill the fields of mountain routes."""
    record.mountain_points = configuration.variant.mountain_points
    for number, route in enumerate(configuration.variant.routes):
        if route.mountain:
            this = np.array(bits.bitset_of([number], ROUTE_WORDS))
            record.has_mountains = True
            record.mountains |= this
            record.route_trains[number] += route.mountain
            record.up_to_trains[route.length : route.length + route.mountain] &= ~this
