"""How many turns are still to come, and the pile that the seat may have at the end."""

from t2r_agents.greedy.card_game.records import Parameters, Plan
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules import train_cards
from t2r_env.rules.card_game.modules import CardRules, CardState
from t2r_env.rules.card_game.yard import NUM_COLOURS
from t2r_env.rules.cards import CARD_TYPES, LOCOMOTIVE

DECK_CARDS_PER_10_TURNS = 13
"""How many cards leave the deck in ten turns of any seats, roughly; not every turn draws."""


@compiled
def foresee_pile(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan, with_second_deck: bool) -> None:
    """Foresee the pile at the end: rows that arrive in time, the hand likewise, and draws, counted as locomotives.

    With `with_second_deck` the draws after the first of two scorings count, too (CG12).
    """
    seat = view.current
    plan.turns = _turns_to_come(view, rules)
    for card in range(CARD_TYPES):
        plan.on_track[card] = view.on_track[seat, card]
    for colour in range(NUM_COLOURS):
        if view.yard_owner[colour] == seat:
            cards = min(plan.turns, view.yard_cards[colour])
            plan.on_track[colour] += cards
            plan.on_track[LOCOMOTIVE] += min(plan.turns - cards, view.yard_locomotives[colour])
    for card in range(CARD_TYPES):
        plan.pile[card] = plan.on_track[card] + min(plan.turns, view.hand[seat, card])
    draws = max(0, plan.turns - 1)
    if with_second_deck and view.scoring_round < rules.scorings:
        draws += _turns_of_deck(rules, train_cards.count(rules.deck))
    plan.pile[LOCOMOTIVE] += draws * parameters.cards_per_100_turns // 100


@inlined
def _turns_to_come(view: CardState, rules: CardRules) -> int:
    """How many more turns the seat has after the one it is taking: none in the last round, else at least one."""
    return 0 if view.last_turns_left > 0 else 1 + _turns_of_deck(rules, view.deck_count)


@inlined
def _turns_of_deck(rules: CardRules, cards: int) -> int:
    """How many turns each seat has until so many cards have left the deck."""
    return 10 * cards // (DECK_CARDS_PER_10_TURNS * rules.num_seats)
