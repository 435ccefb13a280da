"""The best set of tickets for a pile of cards: branch and bound over the sets that the pile suffices for (CG10).

`plan.num_candidates = 0` and `add` set the tickets to choose from, the candidates; `find` chooses among them.

The bound is that of a Lagrangian relaxation: each card has a price, a ticket's profit is what it is worth beyond the
price of its cards, and no set is worth more than all profits and the whole pile together.
"""

from t2r_agents.planner.card_game.records import Plan
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules.card_game.records import NUM_COLOURS, CardRules
from t2r_env.rules.cards import CARD_TYPES, LOCOMOTIVE
from t2r_env.rules.state import TICKET_WORDS


@compiled
def add(rules: CardRules, plan: Plan, ticket: int, value: int) -> None:
    """Add a candidate; its value must not be negative."""
    cards = 0
    for colour in range(NUM_COLOURS):
        cards += rules.ticket_cards[ticket, colour]
    index = plan.num_candidates
    while index > 0 and value * plan.num_cards[index - 1] > plan.value[index - 1] * cards:
        plan.ticket[index] = plan.ticket[index - 1]
        plan.value[index] = plan.value[index - 1]
        plan.num_cards[index] = plan.num_cards[index - 1]
        index -= 1
    plan.ticket[index] = ticket
    plan.value[index] = value
    plan.num_cards[index] = cards
    plan.num_candidates += 1


@compiled
def find(rules: CardRules, plan: Plan, max_steps: int) -> None:
    """Find the set of candidates of the greatest value for which the cards of `plan.pile` suffice: `plan.tickets`.

    Depth-first: each candidate in turn is taken if possible, and later left out. A branch whose bound is not above the
    best set's value is cut. After `max_steps` the best set so far stands.
    """
    _begin(plan)
    value = 0
    index = 0
    steps = 0
    was_left_out = True  # the bound falls only where a candidate is left out
    while True:
        is_leaf = index == plan.num_candidates
        if is_leaf or (was_left_out and value + _bound(plan, index) <= plan.best_value):
            if value > plan.best_value:
                _write_best(plan, index, value)
            index -= 1
            while index >= 0 and not plan.is_taken[index]:
                index -= 1
            if index < 0 or steps > max_steps:
                return
            _take(rules, plan, plan.ticket[index], -1)
            value -= plan.value[index]
            plan.is_taken[index] = 0
            was_left_out = True
        else:
            steps += 1
            _take(rules, plan, plan.ticket[index], 1)
            was_left_out = plan.left[LOCOMOTIVE] < 0
            plan.is_taken[index] = 0 if was_left_out else 1
            if was_left_out:
                _take(rules, plan, plan.ticket[index], -1)
            else:
                value += plan.value[index]
        index += 1


@compiled
def _begin(plan: Plan) -> None:
    """Start with the whole pile and an empty set.

    The price is what a card brings in the first candidate for which the pile would not suffice without colours.
    """
    cards = 0
    for card in range(CARD_TYPES):
        plan.left[card] = plan.pile[card]
        cards += plan.pile[card]
    plan.price = 0
    for index in range(plan.num_candidates):
        cards -= plan.num_cards[index]
        if cards < 0 and plan.value[index] >= plan.num_cards[index]:
            plan.price = plan.value[index] // plan.num_cards[index]
            break
    plan.profit[plan.num_candidates] = 0
    for index in range(plan.num_candidates - 1, -1, -1):
        profit = max(0, plan.value[index] - plan.price * plan.num_cards[index])
        plan.profit[index] = plan.profit[index + 1] + profit
    plan.best_value = 0
    for word in range(TICKET_WORDS):
        plan.tickets[word] = bits.NONE


@inlined
def _take(rules: CardRules, plan: Plan, ticket: int, times: int) -> None:
    """Take a ticket's cards (1) or give them back (-1); locomotives replace those that are missing."""
    for colour in range(NUM_COLOURS):
        before = min(0, plan.left[colour])
        plan.left[colour] -= times * rules.ticket_cards[ticket, colour]
        plan.left[LOCOMOTIVE] += min(0, plan.left[colour]) - before


@inlined
def _bound(plan: Plan, index: int) -> int:
    """Return the most that candidates from `index` on can add: the price of the cards left, and the profits."""
    cards = plan.left[LOCOMOTIVE]
    for colour in range(NUM_COLOURS):
        cards += max(0, plan.left[colour])
    return plan.profit[index] + plan.price * cards


@inlined
def _write_best(plan: Plan, num_decided: int, value: int) -> None:
    """Write the candidates taken, of the first `num_decided`, as the best set so far."""
    plan.best_value = value
    for word in range(TICKET_WORDS):
        plan.tickets[word] = bits.NONE
    for index in range(num_decided):
        if plan.is_taken[index]:
            bits.add(plan.tickets, plan.ticket[index])
