"""Playing cards into the rail yard: sets and three colours, their sizes, and what they are worth (CG7)."""

from t2r_agents.greedy.card_game.card_values import NOTHING, SPARE_CARD_VALUE, value_of_arrivals, value_of_locomotive
from t2r_agents.greedy.card_game.records import Plan
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.game import NO_ACTION
from t2r_env.rules.card_game import sets, yard
from t2r_env.rules.card_game.modules import CardRules, CardState
from t2r_env.rules.card_game.yard import NOBODY
from t2r_env.rules.cards import LOCOMOTIVE

ROBBED_CARD_VALUE = 30
"""What it is worth that an opponent loses a card that would have arrived, in tenths of a point: between a needed and a
spare card, since it is not known which of them it is. It is divided by the number of opponents."""
EXPOSED_DIVISOR = 2
"""By what the value of a row that an opponent may rob is divided, as if every other one were robbed."""
LATE_TURNS = 5
"""With fewer turns to come it is late: waiting does not pay any more, and no locomotive is held back."""


@inlined
def is_late(plan: Plan) -> bool:
    """Whether few turns are to come."""
    return plan.turns < LATE_TURNS


@inlined
def cards_in_set(view: CardState, plan: Plan, colour: int) -> int:
    """How many coloured cards to play in a set: those that arrive in time, and as many as the rules demand."""
    seat = view.current
    return min(view.hand[seat, colour], max(plan.turns, yard.least_set(view, seat, colour)))


@compiled
def locomotives_in_set(view: CardState, rules: CardRules, plan: Plan, colour: int, cards: int) -> int:
    """How many locomotives to play in a set.

    Those that the plan lacks and that arrive in time, or all of these when it is late; besides, those that the rules
    demand, and one that keeps the row from being robbed.
    """
    seat = view.current
    held = view.hand[seat, LOCOMOTIVE]
    in_time = max(0, min(held, plan.turns - cards))
    number = in_time if is_late(plan) else max(0, min(in_time, plan.missing))
    number = max(number, yard.least_set(view, seat, colour) - cards)
    if number < held and _is_exposed(view, rules, colour, cards + number):
        if not _is_exposed(view, rules, colour, cards + number + 1):
            number += 1
    return min(number, held)


@compiled
def value_of_set(view: CardState, rules: CardRules, plan: Plan, colour: int) -> int:
    """What it is worth to play a set of a colour: its cards that arrive in time, and those that are robbed."""
    cards = cards_in_set(view, plan, colour)
    locomotives = locomotives_in_set(view, rules, plan, colour, cards)
    coloured = min(cards, plan.turns)
    arriving_locomotives = min(locomotives, plan.turns - coloured)
    value = value_of_arrivals(plan, colour, coloured) + value_of_locomotive(plan) * arriving_locomotives
    if _is_exposed(view, rules, colour, cards + locomotives):
        value //= EXPOSED_DIVISOR
    lost = SPARE_CARD_VALUE * (locomotives - arriving_locomotives)
    return value + _value_of_robbing(view, rules, plan, colour) - lost


@compiled
def _value_of_robbing(view: CardState, rules: CardRules, plan: Plan, colour: int) -> int:
    """What it is worth that an opponent loses the row of a colour: the cards of it that would have arrived."""
    owner = view.yard_owner[colour]
    if owner == NOBODY:
        return 0
    ahead = owner - view.current
    if ahead < 0:
        ahead += rules.num_seats
    turns = plan.turns
    if view.last_turns_left > 0:
        turns = 1 if ahead < view.last_turns_left else 0
    cards = min(turns, view.yard_cards[colour] + view.yard_locomotives[colour])
    return ROBBED_CARD_VALUE * cards // (rules.num_seats - 1)


@compiled
def best_three(view: CardState, mask: Array, rules: CardRules, plan: Plan) -> int:
    """The index of the three colours of the greatest value; or NO_ACTION."""
    chosen = NO_ACTION
    best = NOTHING
    for three in range(rules.threes.shape[0]):
        if mask[rules.first_action[sets.blocks.PLAY_THREE] + three]:
            value = value_of_three(view, rules, plan, three)
            if value > best:
                best = value
                chosen = three
    return chosen


@compiled
def value_of_three(view: CardState, rules: CardRules, plan: Plan, three: int) -> int:
    """What it is worth to play one card of each of three colours."""
    value = 0
    for i in range(3):
        colour = rules.threes[three, i]
        arriving = value_of_arrivals(plan, colour, min(1, plan.turns))
        value += arriving // EXPOSED_DIVISOR if _is_exposed(view, rules, colour, 1) else arriving
    return value


@compiled
def _is_exposed(view: CardState, rules: CardRules, colour: int, cards: int) -> bool:
    """Whether an opponent is known to hold enough cards to rob a row of so many."""
    for seat in range(rules.num_seats):
        if seat != view.current and view.known[seat, colour] > 0:
            if view.known[seat, colour] + view.known[seat, LOCOMOTIVE] > cards:
                return True
    return False
