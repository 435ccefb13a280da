"""The end of the game: tickets, bonuses, ranks (C16-C18)."""

import numpy as np

from t2r_env.boxes.box import TIE_BREAKS
from t2r_env.rules import bits
from t2r_env.rules.compiled import compiled, lowest_bit
from t2r_env.rules.map_game import attractions, mountains, network, shares, technologies, trail
from t2r_env.rules.map_game.state import (
    ATTRACTIONS,
    EXPLORER,
    GLOBETROTTER,
    LONGEST_PATH,
    NEUTRAL,
    SHARES,
    TECHNOLOGIES,
    TICKETS,
)
from t2r_env.rules.ranking import add_points, has_most, rank_sides
from t2r_env.rules.records import Record

COMPLETED_TICKETS, LONGEST_PATH_LENGTH, MOUNTAIN_LANES = range(len(TIE_BREAKS))


@compiled
def score_game(state: Record, rules: Record, scratch: Record) -> None:
    """Add tickets and bonuses to the scores and rank the sides."""
    for seat in range(rules.num_seats):
        _score_tickets(state, rules, state.tickets[seat], rules.side[seat])
    for side in range(rules.num_teams):
        _score_tickets(state, rules, state.rack_tickets[side], side)
    _take_standings(state, rules, scratch)
    for side in range(rules.num_sides):
        scratch.value[side] = scratch.standing[LONGEST_PATH_LENGTH, side]
    _award_most(state, rules, scratch, LONGEST_PATH)
    for side in range(rules.num_sides):
        scratch.value[side] = state.completed[side]
    _award_most(state, rules, scratch, GLOBETROTTER)
    if rules.bonus[EXPLORER]:
        for side in range(rules.num_sides):
            scratch.value[side] = network.largest_network(state, rules, scratch, side)
        _award_most(state, rules, scratch, EXPLORER)
    if rules.bonus[ATTRACTIONS]:
        for side in range(rules.num_sides):
            points = rules.bonus[ATTRACTIONS] * attractions.touched(state, rules, side)
            add_points(state, side, ATTRACTIONS, points)
    if rules.num_companies:
        _score_shares(state, rules, scratch)
    if rules.num_technologies:
        _score_technologies(state, rules, scratch)
    rank_sides(state, rules, scratch)


@compiled
def _take_standings(state: Record, rules: Record, scratch: Record) -> None:
    """What the tie-breaks compare (C18), and the length of the longest paths also for their bonus."""
    for side in range(rules.num_sides):
        scratch.standing[COMPLETED_TICKETS, side] = state.completed[side]
        scratch.standing[MOUNTAIN_LANES, side] = mountains.lanes_claimed(state, rules, side)
        scratch.standing[LONGEST_PATH_LENGTH, side] = 0
        if rules.needs_longest_path:
            scratch.standing[LONGEST_PATH_LENGTH, side] = trail.longest_trail(state, rules, scratch, side)


@compiled
def is_completed(state: Record, rules: Record, side: int, ticket: int) -> bool:
    """Whether the side's lanes join the ticket's two ends (C16)."""
    return network.joined(state, side, rules.ticket_a[ticket], rules.ticket_b[ticket])


@compiled
def _score_tickets(state: Record, rules: Record, tickets: np.ndarray, side: int) -> None:
    """A completed ticket adds its value, any other takes it away (C16)."""
    for word in range(2):
        held = tickets[word]
        while held != bits.NONE:
            ticket = 64 * word + lowest_bit(held)
            held = bits.without_lowest(held)
            points = rules.ticket_points[ticket]
            if is_completed(state, rules, side, ticket):
                state.completed[side] += 1
                add_points(state, side, TICKETS, points)
            else:
                state.failed[side] += 1
                add_points(state, side, TICKETS, -points)


@compiled
def _score_shares(state: Record, rules: Record, scratch: Record) -> None:
    """Each company pays its holders; of the neutral player's shares those drawn count (PA5, PA8)."""
    shares.reveal_neutral(state)
    for seat in range(rules.num_seats):
        scratch.holdings[seat] = state.shares[seat]
    scratch.holdings[NEUTRAL] = state.revealed_shares
    for seat in range(rules.num_seats):
        for company in range(rules.num_companies):
            points = shares.payout(scratch.holdings, rules, seat, company)
            add_points(state, rules.side[seat], SHARES, points)


@compiled
def _score_technologies(state: Record, rules: Record, scratch: Record) -> None:
    """What technologies bring or cost (UK8, UK12)."""
    for seat in range(rules.num_seats):
        side = rules.side[seat]
        has_most_tickets = has_most(rules, scratch.standing[COMPLETED_TICKETS], side)
        has_longest_path = has_most(rules, scratch.standing[LONGEST_PATH_LENGTH], side)
        points = technologies.points_at_end(state, rules, seat, has_most_tickets, has_longest_path)
        add_points(state, side, TECHNOLOGIES, points)


@compiled
def _award_most(state: Record, rules: Record, scratch: Record, part: int) -> None:
    """Give a bonus to every side that shares the greatest `scratch.value`; a greatest of zero earns nothing (C17)."""
    for side in range(rules.num_sides):
        if has_most(rules, scratch.value, side):
            add_points(state, side, part, rules.bonus[part])
