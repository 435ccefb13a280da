"""How many turns are still to come, and the pile that the seat may have at the end."""

from t2r_agents.greedy.card_game.card_values import turns_after_row
from t2r_agents.greedy.card_game.records import Parameters, Plan
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules import train_cards
from t2r_env.rules.card_game.modules import CardRules, CardState
from t2r_env.rules.card_game.yard import NUM_COLOURS
from t2r_env.rules.cards import CARD_TYPES, FACE_UP_SLOTS, LOCOMOTIVE

PACE_TURNS = 10
"""After so many turns of each seat, the pace of the game so far counts half of what it counts in the end."""


@compiled
def foresee_pile(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan, chooses_tickets: bool) -> None:
    """Foresee the pile at the end: rows that arrive in time, the hand likewise, and draws, counted as locomotives.

    For choosing tickets, the draws after the first of two scorings count, too (CG12).
    """
    seat = view.current
    plan.turns = _turns_to_come(view, rules, parameters)
    for card in range(CARD_TYPES):
        plan.on_track[card] = view.on_track[seat, card]
    for colour in range(NUM_COLOURS):
        if view.yard_owner[colour] == seat:
            cards = min(plan.turns, view.yard_cards[colour])
            plan.on_track[colour] += cards
            plan.on_track[LOCOMOTIVE] += min(plan.turns - cards, view.yard_locomotives[colour])
    for card in range(CARD_TYPES):
        turns = plan.turns
        if parameters.waits_for_rows and card != LOCOMOTIVE:
            turns = turns_after_row(view, plan, card)
        plan.pile[card] = plan.on_track[card] + min(turns, view.hand[seat, card])
    draws = max(0, plan.turns - 1)
    percent = 100
    if chooses_tickets:
        percent = parameters.cards_at_choice_percent
        if view.scoring_round < rules.scorings:
            draws += _turns_of_deck(view, rules, parameters, train_cards.count(rules.deck))
    plan.pile[LOCOMOTIVE] += draws * parameters.cards_per_100_turns * percent // (100 * 100)


@inlined
def _turns_to_come(view: CardState, rules: CardRules, parameters: Parameters) -> int:
    """How many more turns the seat has after the one it is taking: none in the last round, else at least one."""
    return 0 if view.last_turns_left > 0 else 1 + _turns_of_deck(view, rules, parameters, view.deck_count)


@compiled
def _turns_of_deck(view: CardState, rules: CardRules, parameters: Parameters, cards: int) -> int:
    """How many turns each seat has until so many cards have left the deck."""
    pace = parameters.deck_cards_per_100_turns
    if parameters.observed_pace_percent > 0 and view.turn > 0:
        dealt = rules.num_seats * rules.starting_hand + FACE_UP_SLOTS
        left = view.scoring_round * (train_cards.count(rules.deck) - dealt) - view.deck_count
        percent = parameters.observed_pace_percent * view.turn // (view.turn + PACE_TURNS * rules.num_seats)
        pace = max(1, (pace * (100 - percent) + 100 * left // view.turn * percent) // 100)
    return 100 * cards // (pace * rules.num_seats)
