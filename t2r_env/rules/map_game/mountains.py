"""Mountain routes: each X on one takes a train from its claimer's supply, for points (LA5)."""

from t2r_env.core.compiled import compiled, count_bits, inlined
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
