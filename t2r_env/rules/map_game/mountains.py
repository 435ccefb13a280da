"""Mountain routes: each X on one takes a train from its claimer's supply, for points (LA5)."""

from t2r_env.rules.compiled import compiled, count_bits, inlined
from t2r_env.rules.map_game import network
from t2r_env.rules.map_game.state import MOUNTAINS
from t2r_env.rules.records import Record


@inlined
def cross(state: Record, rules: Record, seat: int, route: int) -> None:
    """Give up a train for each X on a route that is being claimed, and score them at once."""
    given_up = rules.route_trains[route] - rules.route_length[route]
    state.trains[seat] -= given_up
    team = rules.team[seat]
    points = given_up * rules.mountain_points
    state.score[team] += points
    state.breakdown[team, MOUNTAINS] += points


@compiled
def count_claimed(state: Record, rules: Record, team: int) -> int:
    """How many mountain routes a side has (LA7)."""
    number = 0
    for word in range(2):
        number += count_bits(network.routes_of(state, rules, team, word) & rules.mountains[word])
    return number
