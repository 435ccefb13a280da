"""Playing cards into the rail yard: sets and three colours, their sizes, and what they are worth (CG7)."""

from t2r_agents.greedy.card_game.card_values import NOTHING, value_of_arrivals, value_of_locomotive
from t2r_agents.greedy.card_game.records import Parameters, Plan
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.game import NO_ACTION
from t2r_env.rules.card_game import sets, yard
from t2r_env.rules.card_game.modules import CardRules, CardState
from t2r_env.rules.card_game.yard import NOBODY
from t2r_env.rules.cards import LOCOMOTIVE


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
    number = in_time if plan.is_late else max(0, min(in_time, plan.missing))
    number = max(number, yard.least_set(view, seat, colour) - cards)
    if number < held and _is_exposed(view, rules, colour, cards + number):
        if not _is_exposed(view, rules, colour, cards + number + 1):
            number += 1
    return min(number, held)


@compiled
def value_of_set(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan, colour: int) -> int:
    """What it is worth to play a set of a colour: its cards that arrive in time, and those that are robbed."""
    cards = cards_in_set(view, plan, colour)
    locomotives = locomotives_in_set(view, rules, plan, colour, cards)
    coloured = min(cards, plan.turns)
    arriving_locomotives = min(locomotives, plan.turns - coloured)
    value = value_of_arrivals(parameters, plan, colour, coloured)
    value += value_of_locomotive(parameters, plan) * arriving_locomotives
    value = value * _percent_that_arrives(view, rules, parameters, colour, cards + locomotives) // 100
    lost = parameters.spare_card_value * (locomotives - arriving_locomotives)
    return value + _value_of_robbing(view, rules, parameters, plan, colour) - lost


@compiled
def _value_of_robbing(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan, colour: int) -> int:
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
    return parameters.robbed_card_value * cards // (rules.num_seats - 1)


@compiled
def best_three(view: CardState, mask: Array, rules: CardRules, parameters: Parameters, plan: Plan) -> int:
    """The index of the three colours of the greatest value; or NO_ACTION."""
    chosen = NO_ACTION
    best = NOTHING
    for three in range(rules.threes.shape[0]):
        if mask[rules.first_action[sets.blocks.PLAY_THREE] + three]:
            value = value_of_three(view, rules, parameters, plan, three)
            if value > best:
                best = value
                chosen = three
    return chosen


@compiled
def value_of_three(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan, three: int) -> int:
    """What it is worth to play one card of each of three colours."""
    value = 0
    for i in range(3):
        colour = rules.threes[three, i]
        arriving = value_of_arrivals(parameters, plan, colour, min(1, plan.turns))
        value += arriving * _percent_that_arrives(view, rules, parameters, colour, 1) // 100
    return value


@inlined
def _percent_that_arrives(view: CardState, rules: CardRules, parameters: Parameters, colour: int, cards: int) -> int:
    """What a row of so many cards counts, as it may be robbed."""
    if _is_exposed(view, rules, colour, cards):
        return parameters.exposed_percent
    return parameters.small_row_percent if cards <= parameters.small_row_cards else 100


@compiled
def _is_exposed(view: CardState, rules: CardRules, colour: int, cards: int) -> bool:
    """Whether an opponent is known to hold enough cards to rob a row of so many."""
    for seat in range(rules.num_seats):
        if seat != view.current and view.known[seat, colour] > 0:
            if view.known[seat, colour] + view.known[seat, LOCOMOTIVE] > cards:
                return True
    return False
