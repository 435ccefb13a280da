"""Which lanes a seat may claim, and what a claim does to the board (C9-C11, C15)."""

import numpy as np

from t2r_env.boxes.box import MAX_LENGTH
from t2r_env.rules import bits
from t2r_env.rules.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.rules.map_game import actions, mountains, network, payment, technologies
from t2r_env.rules.map_game.state import LANE_WORDS, ROUTES
from t2r_env.rules.records import Record


@inlined
def claimable(state: Record, rules: Record, seat: int) -> tuple[np.uint64, np.uint64]:
    """The two words of the set of lanes that the seat may claim and can pay.

    They are open, within its trains, its technologies (UK6) and its cards.
    """
    low, high = payment.payable(state, rules, seat)
    trains = min(state.trains[seat], MAX_LENGTH)
    low &= rules.up_to_trains[trains, 0] & state.open[seat, 0]
    high &= rules.up_to_trains[trains, 1] & state.open[seat, 1]
    if rules.num_technologies > 0:
        permitted_low, permitted_high = technologies.permitted(state, rules, seat)
        low &= permitted_low
        high &= permitted_high
    return low, high


@inlined
def list_lanes(rules: Record, scratch: Record, lanes: np.uint64, word: int, count: int) -> int:
    """List claims of a word of lanes as answers, after `count` others; return how many there are in all."""
    first = rules.first_action[actions.CLAIM] + 64 * word
    while lanes != bits.NONE:
        scratch.legal[count] = first + lowest_bit(lanes)
        lanes = bits.without_lowest(lanes)
        count += 1
    return count


@inlined
def list_claims(state: Record, rules: Record, scratch: Record, count: int) -> int:
    """List all claims that the current seat may make and pay as answers, after `count` others."""
    lanes = claimable(state, rules, state.current)
    for word in range(LANE_WORDS):
        count = list_lanes(rules, scratch, lanes[word], word, count)
    return count


@compiled
def claim(state: Record, rules: Record, seat: int, lane: int) -> None:
    """Place trains on a lane, score it, close what it closes (C9-C11) and join its cities for the seat's side."""
    length = rules.lane_length[lane]
    state.trains[seat] -= length
    bits.add(state.claimed[seat], lane)
    _close(state, rules, seat, lane)
    side = rules.side[seat]
    points = rules.points[length]
    if rules.num_technologies > 0:
        points += technologies.points_for_lane(state, rules, seat, lane)
    state.score[side] += points
    state.breakdown[side, ROUTES] += points
    mountains.cross(state, rules, seat, lane)
    network.join(state, rules, side, rules.lane_a[lane], rules.lane_b[lane])


@inlined
def _close(state: Record, rules: Record, seat: int, lane: int) -> None:
    """The claimer may never claim another lane of the connection; nobody may when enough are claimed (C11, TA9)."""
    capacity = rules.capacity[lane]
    is_closed = capacity == 1 or (capacity > 1 and _claimed_number(state, rules, lane) >= capacity)
    for other in range(rules.num_seats):
        if other == seat or is_closed:
            for word in range(LANE_WORDS):
                state.open[other, word] &= ~rules.connection[lane, word]
        else:
            state.open[other, lane >> 6] &= ~bits.bit(lane & 63)


@compiled
def _claimed_number(state: Record, rules: Record, lane: int) -> int:
    """How many lanes of a lane's connection have been claimed."""
    number = 0
    for word in range(LANE_WORDS):
        lanes = bits.NONE
        for other in range(rules.num_seats):
            lanes |= state.claimed[other, word]
        number += count_bits(lanes & rules.connection[lane, word])
    return number
