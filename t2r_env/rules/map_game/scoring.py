"""The end of the game: tickets, bonuses, ranks (C16-C18). Rule modules add what only some games score."""

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, lowest_bit
from t2r_env.core.records import Array
from t2r_env.rules import hooks
from t2r_env.rules.map_game import mountains, network, trail
from t2r_env.rules.map_game.board import TrailScratch, parts
from t2r_env.rules.map_game.flow import extend_networks
from t2r_env.rules.map_game.mountains import MountainRules
from t2r_env.rules.map_game.racks import RackRules, RackState
from t2r_env.rules.ranking import add_points, has_most, rank_teams
from t2r_env.rules.snapshot import Snapshot, members
from t2r_env.rules.state import TICKET_WORDS
from t2r_env.variants.variant import map_tie_breaks


class ScoringRules(RackRules, MountainRules):
    """What scores depend on."""


@compiled
def score_game(state: RackState, rules: ScoringRules, scoring: TrailScratch) -> None:
    """Add tickets and bonuses to the scores and rank the teams."""
    _measure_networks(state, rules, scoring)
    extend_networks(state, rules, scoring)
    for seat in range(rules.num_seats):
        _score_tickets(state, rules, state.tickets[seat], rules.team[seat])
    for team in range(rules.num_racks):
        _score_tickets(state, rules, state.rack_tickets[team], team)
    for team in range(rules.num_teams):
        scoring.standing[map_tie_breaks.COMPLETED_TICKETS, team] = state.completed[team]
        scoring.standing[map_tie_breaks.MOUNTAIN_ROUTES, team] = mountains.count_claimed(state, rules, team)
        scoring.value[team] = state.completed[team]
    _award_most(state, rules, scoring, parts.GLOBETROTTER)
    hooks.score_end(state, rules, scoring)
    rank_teams(state, rules, scoring)


@compiled
def _measure_networks(state: RackState, rules: ScoringRules, scoring: TrailScratch) -> None:
    """What counts a team's own routes alone: longest paths, for their bonus and for tie-breaks, and networks."""
    for team in range(rules.num_teams):
        scoring.value[team] = trail.longest_trail(state, rules, scoring, team) if rules.needs_longest_path else 0
        scoring.standing[map_tie_breaks.LONGEST_PATH, team] = scoring.value[team]
    _award_most(state, rules, scoring, parts.LONGEST_PATH)
    if rules.bonus[parts.EXPLORER]:
        for team in range(rules.num_teams):
            scoring.value[team] = network.largest_network(state, rules, scoring, team)
        _award_most(state, rules, scoring, parts.EXPLORER)


@compiled
def _score_tickets(state: RackState, rules: ScoringRules, tickets: Array, team: int) -> None:
    """A completed ticket adds its value, any other takes it away (C16)."""
    for word in range(TICKET_WORDS):
        held = tickets[word]
        while held != bits.NONE:
            ticket = 64 * word + lowest_bit(held)
            held = bits.without_lowest(held)
            points = rules.ticket_points[ticket]
            if network.is_completed(state, rules, team, ticket):
                state.completed[team] += 1
                add_points(state, team, parts.TICKETS, points)
            else:
                state.failed[team] += 1
                add_points(state, team, parts.TICKETS, -points)


@compiled
def _award_most(state: RackState, rules: ScoringRules, scoring: TrailScratch, part: int) -> None:
    """Give a bonus to every team that shares the greatest `scoring.value`; a greatest of zero earns nothing (C17)."""
    for team in range(rules.num_teams):
        if has_most(rules, scoring.value, team):
            add_points(state, team, part, rules.bonus[part])


def outcome_of_tickets(snapshot: Snapshot, seat: int) -> tuple[list[int], list[int]]:
    """The tickets that a seat's team has completed, and those that it has failed; by number."""
    state, rules = snapshot.state, snapshot.rules
    team = rules.team[seat]
    teammates = [mate for mate in snapshot.seats if rules.team[mate] == team]
    on_rack = members(state.rack_tickets[team]) if rules.num_racks else []
    held = sorted([ticket for mate in teammates for ticket in snapshot.held[mate]] + on_rack)
    completed = [ticket for ticket in held if network.is_completed(state, rules, team, ticket)]
    return completed, [ticket for ticket in held if ticket not in completed]
