"""Which lanes a seat may claim, and what a claim does to the board (C9-C11, C15)."""

import numpy as np

from t2r_env.boxes.box import COLOURS, MAX_LENGTH
from t2r_env.rules import bits
from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.map_game import ferries, mountains, network
from t2r_env.rules.map_game.state import ROUTES
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import LOCOMOTIVE

GRAY = 8
"""The colour of a lane that any one colour may pay (C9)."""

LANE_COLOURS = (*COLOURS, "gray")


@inlined
def claimable(state: Record, rules: Record, seat: int) -> tuple[np.uint64, np.uint64]:
    """The two words of the set of lanes that the seat may claim and can pay: open, within its trains and its cards."""
    locomotives = state.hand[seat, LOCOMOTIVE]
    low = bits.NONE
    high = bits.NONE
    most = 0
    for colour in range(GRAY):
        number = state.hand[seat, colour]
        if number > most:
            most = number
        reach = min(number + locomotives, MAX_LENGTH)
        low |= rules.up_to_length[colour, reach, 0]
        high |= rules.up_to_length[colour, reach, 1]
    reach = min(most + locomotives, MAX_LENGTH)
    low |= rules.up_to_length[GRAY, reach, 0]
    high |= rules.up_to_length[GRAY, reach, 1]
    trains = min(state.trains[seat], MAX_LENGTH)
    low &= rules.up_to_trains[trains, 0] & state.open[seat, 0] & ferries.within(rules, locomotives, 0)
    high &= rules.up_to_trains[trains, 1] & state.open[seat, 1] & ferries.within(rules, locomotives, 1)
    return low, high


@compiled
def claim(state: Record, rules: Record, seat: int, lane: int) -> None:
    """Place trains on a lane, score it, close what it closes (C9-C11) and join its cities for the seat's side."""
    length = rules.lane_length[lane]
    state.trains[seat] -= length
    bits.add(state.claimed[seat], lane)
    _close(state, rules, seat, lane)
    side = rules.side[seat]
    points = rules.points[length]
    state.score[side] += points
    state.breakdown[side, ROUTES] += points
    mountains.cross(state, rules, seat, lane)
    network.join(state, rules, side, rules.lane_a[lane], rules.lane_b[lane])


@inlined
def _close(state: Record, rules: Record, seat: int, lane: int) -> None:
    """The claimer may never claim another lane of the connection; with few players nobody may (C11)."""
    for other in range(rules.num_seats):
        if other == seat or rules.connections_close:
            for word in range(2):
                state.open[other, word] &= ~rules.connection[lane, word]
        else:
            state.open[other, lane >> 6] &= ~bits.bit(lane & 63)
