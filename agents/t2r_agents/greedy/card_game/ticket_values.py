"""What tickets are worth: those that are held or offered, and those that might be drawn."""

from t2r_agents.greedy.card_game.records import POINT, Parameters, Plan, Workspace
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined, lowest_bit
from t2r_env.rules import train_cards
from t2r_env.rules.card_game.modules import CardRules, CardState
from t2r_env.rules.card_game.yard import NUM_COLOURS
from t2r_env.rules.cards import CARD_TYPES, LOCOMOTIVE
from t2r_env.rules.state import TICKET_WORDS


@compiled
def ticket_value(view: CardState, rules: CardRules, parameters: Parameters, ticket: int) -> int:
    """What it is worth to complete a ticket that is held: its points scored and, at the last scoring, not lost."""
    value = prospective_value(rules, parameters, ticket)
    if view.scoring_round == rules.scorings:
        return value + POINT * rules.ticket_points[ticket]
    for colour in range(NUM_COLOURS):
        value += parameters.first_scoring_card_value * rules.ticket_cards[ticket, colour]
    return value


@compiled
def prospective_value(rules: CardRules, parameters: Parameters, ticket: int) -> int:
    """What it would be worth to complete a ticket that need not be kept: its points, and a part of Big City cards."""
    points = 0
    for city in range(rules.num_bonus_cards):
        if bits.contains(rules.naming[city], ticket):
            points += rules.bonus_points[city]
    return POINT * rules.ticket_points[ticket] + POINT * points * parameters.big_city_percent // 100


@compiled
def offered_value(rules: CardRules, parameters: Parameters, ticket: int) -> int:
    """What an offered ticket counts, at least 0: less for each card that it takes, since cards may not come."""
    value = prospective_value(rules, parameters, ticket)
    for colour in range(NUM_COLOURS):
        value -= parameters.offered_card_cost * rules.ticket_cards[ticket, colour]
    return max(0, value)


@inlined
def preference(rules: CardRules, parameters: Parameters, ticket: int) -> int:
    """By what a ticket's value is multiplied for agents that prefer large tickets."""
    return rules.ticket_points[ticket] if parameters.prefers_large_tickets else 1


@compiled
def value_of_drawing_tickets(
    view: CardState, rules: CardRules, parameters: Parameters, plan: Plan, workspace: Workspace
) -> int:
    """What drawn tickets are likely to bring besides those planned, from the cards that these leave."""
    _count_left(rules, plan, workspace)
    value = 0
    unseen = 0
    for ticket in range(rules.num_tickets):
        if not _is_seen(view, rules, ticket):
            unseen += 1
            missing = 0
            for colour in range(NUM_COLOURS):
                missing += max(0, rules.ticket_cards[ticket, colour] - max(0, workspace.left[colour]))
            if missing <= workspace.left[LOCOMOTIVE]:
                value += max(0, prospective_value(rules, parameters, ticket) - parameters.needed_card_value * missing)
    if unseen == 0:
        return 0
    drawn = min(rules.later_offer, view.queue_count)
    return drawn * value * parameters.drawn_tickets_percent // (100 * unseen)


@compiled
def _count_left(rules: CardRules, plan: Plan, workspace: Workspace) -> None:
    """Count the cards of the foreseen pile that the planned tickets leave; locomotives replace missing ones."""
    for card in range(CARD_TYPES):
        workspace.left[card] = plan.pile[card]
    for word in range(TICKET_WORDS):
        tickets = plan.tickets[word]
        while tickets != bits.NONE:
            ticket = 64 * word + lowest_bit(tickets)
            tickets = bits.without_lowest(tickets)
            for colour in range(NUM_COLOURS):
                workspace.left[colour] -= rules.ticket_cards[ticket, colour]
    for colour in range(NUM_COLOURS):
        workspace.left[LOCOMOTIVE] += min(0, workspace.left[colour])


@inlined
def may_find_tickets(view: CardState, rules: CardRules) -> bool:
    """Whether it may pay to draw tickets: if turns go by faster than cards, all seats draw tickets and refuse them."""
    cards = view.scoring_round * train_cards.count(rules.deck) - view.deck_count
    return view.last_turns_left > 0 or view.turn < cards


@compiled
def _is_seen(view: CardState, rules: CardRules, ticket: int) -> bool:
    """Whether the seat holds the ticket, or has seen it completed."""
    is_seen = bits.contains(view.tickets[view.current], ticket)
    for seat in range(rules.num_seats):
        is_seen = is_seen or bits.contains(view.completed_tickets[seat], ticket)
    return is_seen
