"""The best set of tickets for a pile of cards: branch and bound over the sets that the pile suffices for (CG10).

`clear` and `add` write the tickets to choose from, the candidates, to the workspace; `find` chooses among them.

The bound is that of a Lagrangian relaxation: each card has a price, a ticket's profit is what it is worth beyond the
prices of its cards, and no set is worth more than all profits and the whole pile together.
"""

from t2r_agents.greedy.card_game.records import Workspace
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules.card_game.modules import CardRules
from t2r_env.rules.card_game.yard import NUM_COLOURS
from t2r_env.rules.cards import CARD_TYPES, LOCOMOTIVE
from t2r_env.rules.state import TICKET_WORDS

FIRST_PRICE_STEP = 8
"""By how much the first changes raise a price for each card too few, in tenths of a point."""
CHANGES_PER_STEP_SIZE = 10
"""The n-th change is smaller by the factor 1 + n // CHANGES_PER_STEP_SIZE, so that the prices settle."""


@inlined
def clear(workspace: Workspace) -> None:
    """Remove all candidates."""
    workspace.num_candidates = 0


@compiled
def add(rules: CardRules, workspace: Workspace, ticket: int, value: int) -> None:
    """Add a candidate; its value must not be negative."""
    cards = 0
    for colour in range(NUM_COLOURS):
        cards += rules.ticket_cards[ticket, colour]
    index = workspace.num_candidates
    while index > 0 and value * workspace.num_cards[index - 1] > workspace.value[index - 1] * cards:
        workspace.ticket[index] = workspace.ticket[index - 1]
        workspace.value[index] = workspace.value[index - 1]
        workspace.num_cards[index] = workspace.num_cards[index - 1]
        index -= 1
    workspace.ticket[index] = ticket
    workspace.value[index] = value
    workspace.num_cards[index] = cards
    workspace.num_candidates += 1


@compiled
def find(
    rules: CardRules, pile: Array, chosen: Array, workspace: Workspace, num_price_changes: int, max_steps: int
) -> None:
    """Write to `chosen` the set of candidates of the greatest value for which the cards of `pile` suffice.

    Depth-first: each candidate in turn is taken if possible, and later left out. A branch whose bound is not above the
    best set's value is cut. More price changes give a tighter bound. After `max_steps` the best set so far stands.
    """
    _set_prices(rules, pile, workspace, num_price_changes)
    _begin(rules, pile, chosen, workspace)
    value = 0
    index = 0
    steps = 0
    was_left_out = True  # the bound falls only where a candidate is left out
    while True:
        is_leaf = index == workspace.num_candidates
        if is_leaf or (was_left_out and value + _bound(workspace, index) <= workspace.best_value):
            if value > workspace.best_value:
                _write_best(chosen, workspace, index, value)
            index -= 1
            while index >= 0 and not workspace.is_taken[index]:
                index -= 1
            if index < 0 or steps > max_steps:
                return
            _take(rules, workspace, workspace.ticket[index], -1)
            value -= workspace.value[index]
            workspace.is_taken[index] = 0
            was_left_out = True
        else:
            steps += 1
            _take(rules, workspace, workspace.ticket[index], 1)
            was_left_out = workspace.left[LOCOMOTIVE] < 0
            workspace.is_taken[index] = 0 if was_left_out else 1
            if was_left_out:
                _take(rules, workspace, workspace.ticket[index], -1)
            else:
                value += workspace.value[index]
        index += 1


@inlined
def _begin(rules: CardRules, pile: Array, chosen: Array, workspace: Workspace) -> None:
    """Start with the whole pile and an empty set."""
    for card in range(CARD_TYPES):
        workspace.left[card] = pile[card]
    workspace.profit[workspace.num_candidates] = 0
    for index in range(workspace.num_candidates - 1, -1, -1):
        workspace.profit[index] = workspace.profit[index + 1] + _profit(rules, workspace, index)
    workspace.best_value = 0
    for word in range(TICKET_WORDS):
        chosen[word] = bits.NONE


@inlined
def _take(rules: CardRules, workspace: Workspace, ticket: int, times: int) -> None:
    """Take a ticket's cards (1) or give them back (-1); locomotives replace those that are missing."""
    for colour in range(NUM_COLOURS):
        before = min(0, workspace.left[colour])
        workspace.left[colour] -= times * rules.ticket_cards[ticket, colour]
        workspace.left[LOCOMOTIVE] += min(0, workspace.left[colour]) - before


@inlined
def _bound(workspace: Workspace, index: int) -> int:
    """The most that candidates from `index` on can add: the prices of the cards left, and the profits."""
    bound = workspace.profit[index] + workspace.price[LOCOMOTIVE] * workspace.left[LOCOMOTIVE]
    for colour in range(NUM_COLOURS):
        bound += workspace.price[colour] * max(0, workspace.left[colour])
    return bound


@inlined
def _profit(rules: CardRules, workspace: Workspace, index: int) -> int:
    """What a candidate is worth beyond the prices of its cards, at least 0."""
    profit = workspace.value[index]
    for colour in range(NUM_COLOURS):
        profit -= workspace.price[colour] * rules.ticket_cards[workspace.ticket[index], colour]
    return max(0, profit)


@inlined
def _write_best(chosen: Array, workspace: Workspace, num_decided: int, value: int) -> None:
    """Write the candidates taken, of the first `num_decided`, as the best set so far."""
    workspace.best_value = value
    for word in range(TICKET_WORDS):
        chosen[word] = bits.NONE
    for index in range(num_decided):
        if workspace.is_taken[index]:
            bits.add(chosen, workspace.ticket[index])


# Prices


@compiled
def _set_prices(rules: CardRules, pile: Array, workspace: Workspace, num_changes: int) -> None:
    """Start with one price for all cards, change the prices so many times, and keep those of the lowest bound."""
    price = _uniform_price(pile, workspace)
    for card in range(CARD_TYPES):
        workspace.price[card] = price
        workspace.best_price[card] = price
    lowest = _total_bound(rules, pile, workspace)
    for change in range(num_changes):
        _change_prices(rules, pile, workspace, change)
        bound = _total_bound(rules, pile, workspace)
        if bound < lowest:
            lowest = bound
            for card in range(CARD_TYPES):
                workspace.best_price[card] = workspace.price[card]
    for card in range(CARD_TYPES):
        workspace.price[card] = workspace.best_price[card]


@compiled
def _uniform_price(pile: Array, workspace: Workspace) -> int:
    """What a card brings in the first candidate for which the pile would not suffice if cards had no colours."""
    cards = 0
    for card in range(CARD_TYPES):
        cards += pile[card]
    for index in range(workspace.num_candidates):
        cards -= workspace.num_cards[index]
        if cards < 0 and workspace.value[index] >= workspace.num_cards[index]:
            return workspace.value[index] // workspace.num_cards[index]
    return 0


@compiled
def _total_bound(rules: CardRules, pile: Array, workspace: Workspace) -> int:
    """The bound for all candidates and the whole pile: the lower, the better the prices."""
    total = 0
    for card in range(CARD_TYPES):
        total += workspace.price[card] * pile[card]
    for index in range(workspace.num_candidates):
        total += _profit(rules, workspace, index)
    return total


@compiled
def _change_prices(rules: CardRules, pile: Array, workspace: Workspace, change: int) -> None:
    """Raise the prices of colours that the candidates with a profit take more of than there are, and lower the others.

    This is a subgradient step of the bound. A locomotive costs as much as the dearest colour.
    """
    dearest = 0
    for colour in range(NUM_COLOURS):
        workspace.left[colour] = -pile[colour]  # here: cards too few, or too many if negative
        if workspace.price[colour] > workspace.price[dearest]:
            dearest = colour
    workspace.left[dearest] -= pile[LOCOMOTIVE]
    for index in range(workspace.num_candidates):
        if _profit(rules, workspace, index) > 0:
            for colour in range(NUM_COLOURS):
                workspace.left[colour] += rules.ticket_cards[workspace.ticket[index], colour]
    workspace.price[LOCOMOTIVE] = 0
    for colour in range(NUM_COLOURS):
        step = workspace.left[colour] * FIRST_PRICE_STEP // (1 + change // CHANGES_PER_STEP_SIZE)
        workspace.price[colour] = max(0, workspace.price[colour] + step)
        workspace.price[LOCOMOTIVE] = max(workspace.price[LOCOMOTIVE], workspace.price[colour])
