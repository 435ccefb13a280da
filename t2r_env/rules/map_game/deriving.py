"""What follows from the rest of a state: claims are made again from the opening, and an ended game is scored again."""

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined, lowest_bit
from t2r_env.core.game import outcomes
from t2r_env.rules.map_game import network, open_routes, scoring
from t2r_env.rules.map_game.board import ROUTE_WORDS, BoardState, TrailScratch, parts
from t2r_env.rules.map_game.prices import PriceRules, PriceState
from t2r_env.rules.map_game.scoring import ScoringRules
from t2r_env.rules.ranking import add_points, clear_points
from t2r_env.sizes import MAX_CITIES, MAX_SEATS


class DerivingRules(PriceRules, ScoringRules):
    """What claims and scores depend on."""


@compiled
def derive(
    state: PriceState, rules: DerivingRules, opening: BoardState, scratch: TrailScratch, given: BoardState
) -> None:
    """Claim all routes again, in any order, and score a finished game again.

    What technologies added to the points for routes is taken as given: it depends on when they were bought (UK8).
    """
    for seat in range(MAX_SEATS):
        state.trains[seat] = opening.trains[seat]
        for word in range(ROUTE_WORDS):
            state.open[seat, word] = opening.open[seat, word]
            state.claimed[seat, word] = bits.NONE
        _copy_labels(opening, state, seat)
    clear_points(state)
    for seat in range(rules.num_seats):
        for word in range(ROUTE_WORDS):
            left = given.claimed[seat, word]
            while left != bits.NONE:
                open_routes.claim(state, rules, seat, 64 * word + lowest_bit(left))
                left = bits.without_lowest(left)
    for team in range(rules.num_teams):
        add_points(state, team, parts.ROUTES, given.breakdown[team, parts.ROUTES] - state.breakdown[team, parts.ROUTES])
    if given.outcome == outcomes.FINISHED:
        scoring.score_game(state, rules, scratch)
    for team in range(rules.num_teams):
        if network.are_alike(state, given, rules, team):
            _copy_labels(given, state, team)


@inlined
def _copy_labels(state: BoardState, other: BoardState, team: int) -> None:
    """Label the other's cities as the state's."""
    for city in range(MAX_CITIES):
        other.component[team, city] = state.component[team, city]
