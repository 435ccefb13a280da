"""Technologies: what they open (UK6), who holds them, their supply (UK8, UK12), and what they are worth (UK10).

How one is bought is in purchases.py. Right of Way has a file of its own.
"""

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules import train_cards
from t2r_env.rules.map_game.records import NO_ROUTE, NO_TECHNOLOGY, MapRules, MapState
from t2r_env.rules.names import blocks, parts
from t2r_env.rules.ranking import add_points, has_most
from t2r_env.rules.state import ScoringScratch, SharedScratch
from t2r_env.variants.variant import effects, tie_breaks

LAGGING_POINTS = 1
TURBINE_POINTS = 2
MOST_FOR_A_CLAIM = LAGGING_POINTS + TURBINE_POINTS
HEADING_POINTS = 2
CONTRACT_POINTS = 20
BEAM_POINTS = 15
CARDS_OF_WATER_TENDERS = 3


@inlined
def holds(state: MapState, seat: int, technology: int) -> bool:
    """Whether a seat has a technology; nobody has one that does not exist."""
    is_there = technology != NO_TECHNOLOGY
    return is_there and (state.technologies[seat] >> technology) & 1 == 1


@inlined
def was_bought(state: MapState, technology: int) -> bool:
    """Whether a technology was bought this turn."""
    return state.bought != NO_TECHNOLOGY and state.bought == technology


@inlined
def permitted(state: MapState, rules: MapRules, seat: int) -> tuple[np.uint64, np.uint64]:
    """Return the two words of the set of routes for which the seat has every technology that they take (UK6)."""
    low, high = bits.NONE, bits.NONE
    for technology in range(rules.num_technologies):
        if not holds(state, seat, technology):
            low |= rules.takes_technology[technology, 0]
            high |= rules.takes_technology[technology, 1]
    return ~low, ~high


@inlined
def copies_left(state: MapState, rules: MapRules, technology: int) -> int:
    """Return how many copies the supply has; some leave it when the train cards are first reshuffled (UK12)."""
    is_limited = (
        technology == rules.technology_with[effects.RISKY_CONTRACTS]
        or technology == rules.technology_with[effects.EQUALISING_BEAM]
    )
    return 0 if is_limited and state.reshuffled else state.technologies_left[technology]


@inlined
def give_back(state: MapState, seat: int, technology: int) -> None:
    """Give a technology back to the supply, if the seat has it (UK9, UK12)."""
    if holds(state, seat, technology):
        state.technologies[seat] &= ~(1 << technology)
        state.technologies_left[technology] += 1


# Water Tenders (UK12)


@inlined
def list_draw_three(state: MapState, rules: MapRules, scratch: SharedScratch, count: int) -> int:
    """List the draw of three cards, after `count` other actions; return how many there are in all."""
    if state.deck_count > 0 and holds(state, state.current, rules.technology_with[effects.WATER_TENDERS]):
        scratch.legal[count] = rules.first_action[blocks.DRAW_THREE]
        count += 1
    return count


@compiled
def draw_three(state: MapState, rules: MapRules) -> None:
    """Draw three cards blind, or as many as there are."""
    for _ in range(CARDS_OF_WATER_TENDERS):
        if state.deck_count > 0:
            train_cards.draw_into_hand(state, rules, state.current)
    train_cards.restore(state, rules)


# The Thermocompressor (UK12)


@inlined
def lets_claim_again(state: MapState, rules: MapRules) -> bool:
    """Whether a turn goes on with a second claim: its first is complete, and the card was bought before."""
    is_bought = was_bought(state, rules.technology_with[effects.THERMOCOMPRESSOR])
    return is_bought and state.claims == 1 and state.route != NO_ROUTE


# Points


@inlined
def score_claim(state: MapState, rules: MapRules, seat: int, route: int) -> None:
    """Score the points that technologies add for a route that is being claimed (UK8, UK10)."""
    points = 0
    if holds(state, seat, rules.technology_with[effects.BOILER_LAGGING]):
        points += LAGGING_POINTS
    if rules.route_ferry[route] > 0 and holds(state, seat, rules.technology_with[effects.STEAM_TURBINES]):
        points += TURBINE_POINTS
    add_points(state, rules.team[seat], parts.ROUTES, points)


@compiled
def score_end(state: MapState, rules: MapRules, scoring: ScoringScratch) -> None:
    """Score the points that technologies bring or cost in the end (UK8, UK12)."""
    for seat in range(rules.num_seats):
        team = rules.team[seat]
        points = 0
        if holds(state, seat, rules.technology_with[effects.DOUBLE_HEADING]):
            points += HEADING_POINTS * state.completed[team]
        if holds(state, seat, rules.technology_with[effects.RISKY_CONTRACTS]):
            has_most_tickets = has_most(rules, scoring.standing[tie_breaks.COMPLETED_TICKETS], team)
            points += CONTRACT_POINTS if has_most_tickets else -CONTRACT_POINTS
        if holds(state, seat, rules.technology_with[effects.EQUALISING_BEAM]):
            has_longest_path = has_most(rules, scoring.standing[tie_breaks.LONGEST_PATH], team)
            points += BEAM_POINTS if has_longest_path else -BEAM_POINTS
        add_points(state, team, parts.TECHNOLOGIES, points)
