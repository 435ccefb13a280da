"""Technologies: what they open (UK6), who holds them, their supply (UK8, UK12), and what they are worth (UK10).

How one is paid for is in `exchange` and `payment`; Right of Way is in `right_of_way`.
"""

import numpy as np

from t2r_env.rules import bits
from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.map_game.state import (
    BOILER_LAGGING,
    DOUBLE_HEADING,
    EQUALISING_BEAM,
    NO_TECHNOLOGY,
    RISKY_CONTRACTS,
    STEAM_TURBINES,
)
from t2r_env.rules.records import Record

LAGGING_POINTS = 1
TURBINE_POINTS = 2
HEADING_POINTS = 2
CONTRACT_POINTS = 20
BEAM_POINTS = 15


@inlined
def holds(state: Record, seat: int, technology: int) -> bool:
    """Whether a seat has a technology; nobody has one that does not exist."""
    is_there = technology != NO_TECHNOLOGY
    return is_there and (state.technologies[seat] >> technology) & 1 == 1


@inlined
def was_bought(state: Record, technology: int) -> bool:
    """Whether a technology was bought this turn."""
    return state.bought != NO_TECHNOLOGY and state.bought == technology


@inlined
def permitted(state: Record, rules: Record, seat: int) -> tuple[np.uint64, np.uint64]:
    """The two words of the set of routes for which the seat has every technology that they take (UK6)."""
    low, high = bits.NONE, bits.NONE
    for technology in range(rules.num_technologies):
        if not holds(state, seat, technology):
            low |= rules.takes_technology[technology, 0]
            high |= rules.takes_technology[technology, 1]
    return ~low, ~high


@inlined
def copies_left(state: Record, rules: Record, technology: int) -> int:
    """How many the supply has; some leave it when the train cards are first reshuffled (UK12)."""
    is_limited = (
        technology == rules.technology_with[RISKY_CONTRACTS] or technology == rules.technology_with[EQUALISING_BEAM]
    )
    return 0 if is_limited and state.reshuffled else state.technologies_left[technology]


@inlined
def take(state: Record, seat: int, technology: int) -> None:
    """From the supply to a seat."""
    state.technologies[seat] |= 1 << technology
    state.technologies_left[technology] -= 1


@inlined
def give_back(state: Record, seat: int, technology: int) -> None:
    """Back into the supply, if the seat has it (UK9, UK12)."""
    if holds(state, seat, technology):
        state.technologies[seat] &= ~(1 << technology)
        state.technologies_left[technology] += 1


@inlined
def points_for_route(state: Record, rules: Record, seat: int, route: int) -> int:
    """What technologies add to the points for a route that is being claimed (UK8, UK10)."""
    points = 0
    if holds(state, seat, rules.technology_with[BOILER_LAGGING]):
        points += LAGGING_POINTS
    if rules.route_ferry[route] > 0 and holds(state, seat, rules.technology_with[STEAM_TURBINES]):
        points += TURBINE_POINTS
    return points


@compiled
def points_at_end(state: Record, rules: Record, seat: int, has_most_tickets: bool, has_longest_path: bool) -> int:
    """What technologies bring or cost in the end (UK8, UK12)."""
    points = 0
    if holds(state, seat, rules.technology_with[DOUBLE_HEADING]):
        points += HEADING_POINTS * state.completed[rules.team[seat]]
    if holds(state, seat, rules.technology_with[RISKY_CONTRACTS]):
        points += CONTRACT_POINTS if has_most_tickets else -CONTRACT_POINTS
    if holds(state, seat, rules.technology_with[EQUALISING_BEAM]):
        points += BEAM_POINTS if has_longest_path else -BEAM_POINTS
    return points
