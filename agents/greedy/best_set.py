"""The best set of tickets for a pile: branch and bound over the choices that the Card Game leaves its players (CG10).

A plan that holds `FIELDS` is filled by `clear`, `add` and `pile`, and answered by `find`.
"""

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.records import WORD, Field, Record
from t2r_env.rules.card_game.yard import NUM_COLOURS
from t2r_env.rules.cards import CARD_TYPES, LOCOMOTIVE
from t2r_env.rules.state import TICKET_WORDS
from t2r_env.sizes import MAX_TICKETS

LARGEST_CHANGE = 8
"""Of a price, for each card too many or too few."""
SLOWNESS = 10
"""So many changes are of one size, roughly."""

FIELDS: list[Field] = [
    ("count", "i8"),  # tickets to choose from, the most worth for a card first
    ("ticket", "i8", (MAX_TICKETS,)),
    ("worth", "i8", (MAX_TICKETS,)),
    ("cards", "i8", (MAX_TICKETS,)),  # how many cards each takes
    ("pile", "i8", (CARD_TYPES,)),  # its cards
    ("left", "i8", (CARD_TYPES,)),  # less those taken: below zero where locomotives stand in, which are then fewer
    ("price", "i8", (CARD_TYPES,)),  # what a card counts in the bound: a coloured one no more than a locomotive
    ("best_price", "i8", (CARD_TYPES,)),  # the best found
    ("profit", "i8", (MAX_TICKETS + 1,)),  # what the tickets from this place on are worth beyond their cards' prices
    ("is_taken", "i8", (MAX_TICKETS,)),
    ("chosen", WORD, (TICKET_WORDS,)),  # the best set found
    ("best", "i8"),  # its worth
]


@inlined
def clear(plan: Record) -> None:
    """Have no tickets to choose from."""
    plan.count = 0


@compiled
def add(rules: Record, plan: Record, ticket: int, worth: int) -> None:
    """Have one more ticket to choose from; its worth must not be negative."""
    cards = 0
    for colour in range(NUM_COLOURS):
        cards += rules.ticket_cards[ticket, colour]
    place = plan.count
    while place > 0 and worth * plan.cards[place - 1] > plan.worth[place - 1] * cards:
        plan.ticket[place] = plan.ticket[place - 1]
        plan.worth[place] = plan.worth[place - 1]
        plan.cards[place] = plan.cards[place - 1]
        place -= 1
    plan.ticket[place] = ticket
    plan.worth[place] = worth
    plan.cards[place] = cards
    plan.count += 1


@compiled
def find(rules: Record, plan: Record, changes: int, most_steps: int) -> None:
    """Find the set of tickets that are worth most together, of those sets for which `plan.pile` suffices.

    Each ticket in turn is taken if it can be, and later left out; what can't become better than the best set is not
    looked at. The more `changes` make the prices fit, the sooner that is known. After `most_steps` the best set so far
    must do.
    """
    _set_prices(rules, plan, changes)
    _begin(rules, plan)
    worth = 0
    place = 0
    steps = 0
    was_left_out = True
    while True:
        if place == plan.count or (was_left_out and worth + _bound(plan, place) <= plan.best):
            if worth > plan.best:
                _note(plan, place, worth)
            place -= 1
            while place >= 0 and not plan.is_taken[place]:
                place -= 1
            if place < 0 or steps > most_steps:
                return
            _take(rules, plan, plan.ticket[place], -1)
            worth -= plan.worth[place]
            plan.is_taken[place] = 0
            was_left_out = True
        else:
            steps += 1
            _take(rules, plan, plan.ticket[place], 1)
            was_left_out = plan.left[LOCOMOTIVE] < 0
            plan.is_taken[place] = 0 if was_left_out else 1
            if was_left_out:
                _take(rules, plan, plan.ticket[place], -1)
            else:
                worth += plan.worth[place]
        place += 1


@inlined
def _begin(rules: Record, plan: Record) -> None:
    for card in range(CARD_TYPES):
        plan.left[card] = plan.pile[card]
    plan.profit[plan.count] = 0
    for place in range(plan.count - 1, -1, -1):
        plan.profit[place] = plan.profit[place + 1] + _profit(rules, plan, place)
    plan.best = 0
    for word in range(TICKET_WORDS):
        plan.chosen[word] = bits.NONE


@inlined
def _take(rules: Record, plan: Record, ticket: int, times: int) -> None:
    """Take a ticket's cards (1) or give them back (-1); locomotives stand in for those that are missing."""
    for colour in range(NUM_COLOURS):
        before = min(0, plan.left[colour])
        plan.left[colour] -= times * rules.ticket_cards[ticket, colour]
        plan.left[LOCOMOTIVE] += min(0, plan.left[colour]) - before


@inlined
def _bound(plan: Record, place: int) -> int:
    """What the tickets from this place on can bring at most: the prices of all cards left, and all profits."""
    bound = plan.profit[place] + plan.price[LOCOMOTIVE] * plan.left[LOCOMOTIVE]
    for colour in range(NUM_COLOURS):
        bound += plan.price[colour] * max(0, plan.left[colour])
    return bound


@inlined
def _profit(rules: Record, plan: Record, place: int) -> int:
    """What a ticket is worth beyond the prices of its cards, if anything."""
    profit = plan.worth[place]
    for colour in range(NUM_COLOURS):
        profit -= plan.price[colour] * rules.ticket_cards[plan.ticket[place], colour]
    return max(0, profit)


@compiled
def _total(rules: Record, plan: Record) -> int:
    """The bound for all tickets and the whole pile: the lower, the better the prices."""
    total = 0
    for card in range(CARD_TYPES):
        total += plan.price[card] * plan.pile[card]
    for place in range(plan.count):
        total += _profit(rules, plan, place)
    return total


@compiled
def _set_prices(rules: Record, plan: Record, changes: int) -> None:
    """Begin with one price, at which the pile would be used up; then change the prices, and keep the best."""
    cards = 0
    for card in range(CARD_TYPES):
        cards += plan.pile[card]
    price = 0
    for place in range(plan.count):
        cards -= plan.cards[place]
        if cards < 0 and price == 0:
            price = plan.worth[place] // plan.cards[place]
    for card in range(CARD_TYPES):
        plan.price[card] = price
    lowest = _total(rules, plan)
    for card in range(CARD_TYPES):
        plan.best_price[card] = plan.price[card]
    for change in range(changes):
        _change_prices(rules, plan, change)
        total = _total(rules, plan)
        if total < lowest:
            lowest = total
            for card in range(CARD_TYPES):
                plan.best_price[card] = plan.price[card]
    for card in range(CARD_TYPES):
        plan.price[card] = plan.best_price[card]


@compiled
def _change_prices(rules: Record, plan: Record, change: int) -> None:
    """Raise the prices of colours that the tickets with a profit want more of than there are, and lower the others.

    A locomotive costs as much as the dearest colour. Each change is smaller than the one before.
    """
    dearest = 0
    for colour in range(NUM_COLOURS):
        plan.left[colour] = -plan.pile[colour]
        if plan.price[colour] > plan.price[dearest]:
            dearest = colour
    plan.left[dearest] -= plan.pile[LOCOMOTIVE]
    for place in range(plan.count):
        if _profit(rules, plan, place) > 0:
            for colour in range(NUM_COLOURS):
                plan.left[colour] += rules.ticket_cards[plan.ticket[place], colour]
    plan.price[LOCOMOTIVE] = 0
    for colour in range(NUM_COLOURS):
        plan.price[colour] = max(0, plan.price[colour] + plan.left[colour] * LARGEST_CHANGE // (1 + change // SLOWNESS))
        plan.price[LOCOMOTIVE] = max(plan.price[LOCOMOTIVE], plan.price[colour])


@inlined
def _note(plan: Record, number: int, worth: int) -> None:
    """Note the tickets taken as the best set so far."""
    plan.best = worth
    for word in range(TICKET_WORDS):
        plan.chosen[word] = bits.NONE
    for place in range(number):
        if plan.is_taken[place]:
            bits.add(plan.chosen, plan.ticket[place])
