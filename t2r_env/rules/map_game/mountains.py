"""Mountain lanes: each X on one takes a train from its claimer's supply, for points (LA5)."""

from t2r_env.rules.compiled import compiled, count_bits, inlined
from t2r_env.rules.map_game import network
from t2r_env.rules.map_game.state import MOUNTAINS
from t2r_env.rules.records import Record


@inlined
def cross(state: Record, rules: Record, seat: int, lane: int) -> None:
    """Give up a train for each X on a lane that is being claimed, and score them at once."""
    given_up = rules.lane_trains[lane] - rules.lane_length[lane]
    state.trains[seat] -= given_up
    side = rules.side[seat]
    points = given_up * rules.mountain_points
    state.score[side] += points
    state.breakdown[side, MOUNTAINS] += points


@compiled
def lanes_claimed(state: Record, rules: Record, side: int) -> int:
    """How many mountain lanes a side has (LA7)."""
    number = 0
    for word in range(2):
        number += count_bits(network.lanes_of(state, rules, side, word) & rules.mountains[word])
    return number
