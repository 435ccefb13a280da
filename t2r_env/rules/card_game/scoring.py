"""The end of the Card Game: failed tickets and bonuses (CG13), ranks (CG14)."""

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits
from t2r_env.rules.card_game.completing import points_of
from t2r_env.rules.card_game.records import CardRules, CardState
from t2r_env.rules.names import outcomes, parts
from t2r_env.rules.ranking import add_points, clear_points, has_most, rank_teams
from t2r_env.rules.state import TICKET_WORDS, ScoringScratch
from t2r_env.variants.variant import tie_breaks


@compiled
def score_game(state: CardState, rules: CardRules, scoring: ScoringScratch) -> None:
    """Subtract the tickets that are not completed, give the Big City cards (CG13), rank the players (CG14)."""
    for seat in range(rules.num_seats):
        add_points(state, seat, parts.TICKETS, -points_of(rules, state.tickets[seat]))
        completed = bits.count(state.completed_tickets[seat])
        state.completed[seat] = completed
        state.failed[seat] = state.ticket_count[seat]
        scoring.standing[tie_breaks.COMPLETED_TICKETS, seat] = completed
        scoring.standing[tie_breaks.BONUS_CARDS, seat] = 0
    for city in range(rules.num_bonus_cards):
        _give_bonus_card(state, rules, scoring, city)
    rank_teams(state, rules, scoring)


@compiled
def _give_bonus_card(state: CardState, rules: CardRules, scoring: ScoringScratch, city: int) -> None:
    """Give a Big City card for the most completed tickets that name the city; all who tie get its points (CG13)."""
    scoring.value[:] = 0
    for seat in range(rules.num_seats):
        for word in range(TICKET_WORDS):
            scoring.value[seat] += count_bits(state.completed_tickets[seat, word] & rules.naming[city, word])
    for seat in range(rules.num_seats):
        if has_most(rules, scoring.value, seat):
            add_points(state, seat, parts.BIG_CITIES, rules.bonus_points[city])
            scoring.standing[tie_breaks.BONUS_CARDS, seat] += 1


@compiled
def derive(state: CardState, rules: CardRules, opening: CardState, scoring: ScoringScratch, given: CardState) -> None:
    """Write into a copy of a state from outside what follows from the rest of it: points and ranks."""
    clear_points(state)
    for seat in range(rules.num_seats):
        add_points(state, seat, parts.TICKETS, points_of(rules, state.completed_tickets[seat]))
    if given.outcome == outcomes.FINISHED:
        score_game(state, rules, scoring)
