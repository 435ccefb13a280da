"""The end of the game: tickets, bonuses, ranks (C16-C18)."""

import numpy as np

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
from t2r_env.rules.ranking import add_points, has_most, rank_teams
from t2r_env.rules.records import Record
from t2r_env.variants.variant import TIE_BREAKS

COMPLETED_TICKETS, LONGEST_PATH_LENGTH, MOUNTAIN_ROUTES = range(len(TIE_BREAKS))


@compiled
def score_game(state: Record, rules: Record, scratch: Record) -> None:
    """Add tickets and bonuses to the scores and rank the sides."""
    for seat in range(rules.num_seats):
        _score_tickets(state, rules, state.tickets[seat], rules.team[seat])
    for team in range(rules.num_racks):
        _score_tickets(state, rules, state.rack_tickets[team], team)
    _take_standings(state, rules, scratch)
    for team in range(rules.num_teams):
        scratch.value[team] = scratch.standing[LONGEST_PATH_LENGTH, team]
    _award_most(state, rules, scratch, LONGEST_PATH)
    for team in range(rules.num_teams):
        scratch.value[team] = state.completed[team]
    _award_most(state, rules, scratch, GLOBETROTTER)
    if rules.bonus[EXPLORER]:
        for team in range(rules.num_teams):
            scratch.value[team] = network.largest_network(state, rules, scratch, team)
        _award_most(state, rules, scratch, EXPLORER)
    if rules.bonus[ATTRACTIONS]:
        for team in range(rules.num_teams):
            points = rules.bonus[ATTRACTIONS] * attractions.touched(state, rules, team)
            add_points(state, team, ATTRACTIONS, points)
    if rules.num_companies:
        _score_shares(state, rules, scratch)
    if rules.num_technologies:
        _score_technologies(state, rules, scratch)
    rank_teams(state, rules, scratch)


@compiled
def _take_standings(state: Record, rules: Record, scratch: Record) -> None:
    """What the tie-breaks compare (C18), and the length of the longest paths also for their bonus."""
    for team in range(rules.num_teams):
        scratch.standing[COMPLETED_TICKETS, team] = state.completed[team]
        scratch.standing[MOUNTAIN_ROUTES, team] = mountains.count_claimed(state, rules, team)
        scratch.standing[LONGEST_PATH_LENGTH, team] = 0
        if rules.needs_longest_path:
            scratch.standing[LONGEST_PATH_LENGTH, team] = trail.longest_trail(state, rules, scratch, team)


@compiled
def is_completed(state: Record, rules: Record, team: int, ticket: int) -> bool:
    """Whether the side's routes join the ticket's two ends (C16)."""
    return network.joined(state, team, rules.ticket_a[ticket], rules.ticket_b[ticket])


@compiled
def _score_tickets(state: Record, rules: Record, tickets: np.ndarray, team: int) -> None:
    """A completed ticket adds its value, any other takes it away (C16)."""
    for word in range(2):
        held = tickets[word]
        while held != bits.NONE:
            ticket = 64 * word + lowest_bit(held)
            held = bits.without_lowest(held)
            points = rules.ticket_points[ticket]
            if is_completed(state, rules, team, ticket):
                state.completed[team] += 1
                add_points(state, team, TICKETS, points)
            else:
                state.failed[team] += 1
                add_points(state, team, TICKETS, -points)


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
            add_points(state, rules.team[seat], SHARES, points)


@compiled
def _score_technologies(state: Record, rules: Record, scratch: Record) -> None:
    """What technologies bring or cost (UK8, UK12)."""
    for seat in range(rules.num_seats):
        team = rules.team[seat]
        has_most_tickets = has_most(rules, scratch.standing[COMPLETED_TICKETS], team)
        has_longest_path = has_most(rules, scratch.standing[LONGEST_PATH_LENGTH], team)
        points = technologies.points_at_end(state, rules, seat, has_most_tickets, has_longest_path)
        add_points(state, team, TECHNOLOGIES, points)


@compiled
def _award_most(state: Record, rules: Record, scratch: Record, part: int) -> None:
    """Give a bonus to every side that shares the greatest `scratch.value`; a greatest of zero earns nothing (C17)."""
    for team in range(rules.num_teams):
        if has_most(rules, scratch.value, team):
            add_points(state, team, part, rules.bonus[part])
