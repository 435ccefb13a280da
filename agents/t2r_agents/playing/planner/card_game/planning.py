"""The plan: the pile foreseen, the tickets to complete with it, and the cards that they need."""

from t2r_agents.playing.planner.card_game.records import POINT, Parameters, Plan
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules import train_cards
from t2r_env.rules.card_game.records import NUM_COLOURS, CardRules, CardState
from t2r_env.rules.cards import CARD_TYPES, EMPTY, FACE_UP_SLOTS, LOCOMOTIVE
from t2r_env.rules.state import TICKET_WORDS

MOST_IN_COLOUR = 12
"""Larger sets count as sets of this many cards."""
PACE_TURNS = 10
"""After this many turns of each seat, the pace of the game so far counts half of what it counts in the end."""


@compiled
def make_plan(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan) -> None:
    """Choose the tickets to complete, and count the cards that they need and that are missing."""
    foresee_pile(view, rules, parameters, plan, False)
    add_own_tickets(view, rules, parameters, plan)
    choose_tickets(rules, plan)
    plan.is_late = plan.turns < parameters.late_turns or _slack(view, plan) < parameters.slack_turns
    if parameters.counts_cards:
        _count_unseen(view, rules, plan)
    for colour in range(NUM_COLOURS):
        plan.needed[colour] = 0
    plan.missing = -plan.on_track[LOCOMOTIVE]
    tickets_left = parameters.max_planned_tickets
    for i in range(plan.num_candidates):
        if tickets_left > 0 and bits.contains(plan.tickets, plan.ticket[i]):
            missing = plan.missing
            for colour in range(NUM_COLOURS):
                available = plan.on_track[colour] + view.hand[view.current, colour]
                before = max(0, plan.needed[colour] - available)
                plan.needed[colour] += rules.ticket_cards[plan.ticket[i], colour]
                plan.missing += max(0, plan.needed[colour] - available) - before
            tickets_left -= 1 if plan.missing > max(0, missing) else 0


@compiled
def _slack(view: CardState, plan: Plan) -> int:
    """Return how many turns the seat may wait until the sets in its hand, each played in a turn of its own, the largest
    first, would not all arrive in time."""
    slack = plan.turns
    sets = 0
    for cards in range(MOST_IN_COLOUR, 1, -1):
        for colour in range(NUM_COLOURS):
            held = min(MOST_IN_COLOUR, view.hand[view.current, colour])
            if held == cards and view.yard_owner[colour] != view.current:
                sets += 1
                slack = min(slack, plan.turns - cards - (sets - 1))
    return slack


@compiled
def _count_unseen(view: CardState, rules: CardRules, plan: Plan) -> None:
    """Count the cards that may be in the deck: those that the seat sees nowhere."""
    for card in range(CARD_TYPES):
        plan.unseen[card] = rules.deck[card] - view.discard[card] - view.hand[view.current, card]
        for seat in range(rules.num_seats):
            plan.unseen[card] -= view.on_track[seat, card]
            if seat != view.current:
                plan.unseen[card] -= view.known[seat, card]
    for slot in range(FACE_UP_SLOTS):
        if view.face_up[slot] != EMPTY:
            plan.unseen[view.face_up[slot]] -= 1
    for colour in range(NUM_COLOURS):
        plan.unseen[colour] -= view.yard_cards[colour]
        plan.unseen[LOCOMOTIVE] -= view.yard_locomotives[colour]


# The pile foreseen


@compiled
def foresee_pile(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan, chooses_tickets: bool) -> None:
    """Foresee the pile at the end: rows and cards in hand that arrive in time, and draws, counted as locomotives.

    For choosing tickets, the draws after the first of two scorings count, too (CG12).
    """
    seat = view.current
    plan.turns = 0  # in the last round; before it there is at least one more turn
    if view.last_turns_left == 0:
        plan.turns = 1 + _turns_of_deck(view, rules, parameters, view.deck_count)
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
    for card in range(CARD_TYPES):
        plan.left[card] = plan.pile[card]


@inlined
def turns_after_row(view: CardState, plan: Plan, colour: int) -> int:
    """Return how many of its turns to come are left once its own row of a colour, if there is one, has arrived."""
    if view.yard_owner[colour] != view.current:
        return plan.turns
    return max(0, plan.turns - view.yard_cards[colour] - view.yard_locomotives[colour])


@compiled
def _turns_of_deck(view: CardState, rules: CardRules, parameters: Parameters, cards: int) -> int:
    """Return how many turns each seat has until this many cards have left the deck."""
    pace = parameters.deck_cards_per_100_turns
    if parameters.observed_pace_percent > 0 and view.turn > 0:
        dealt = rules.num_seats * rules.starting_hand + FACE_UP_SLOTS
        left = view.scoring_round * (train_cards.count(rules.deck) - dealt) - view.deck_count
        percent = parameters.observed_pace_percent * view.turn // (view.turn + PACE_TURNS * rules.num_seats)
        pace = max(1, (pace * (100 - percent) + 100 * left // view.turn * percent) // 100)
    return 100 * cards // (pace * rules.num_seats)


# The choice of tickets (CG10)


@compiled
def choose_tickets(rules: CardRules, plan: Plan) -> None:
    """Choose candidates as long as the cards left suffice, those of the greatest value for each card first."""
    for word in range(TICKET_WORDS):
        plan.tickets[word] = bits.NONE
    for index in range(plan.num_candidates):
        ticket = plan.ticket[index]
        if cards_lacking(rules, plan, ticket) <= plan.left[LOCOMOTIVE]:
            take_cards(rules, plan, ticket)
            bits.add(plan.tickets, ticket)


@inlined
def cards_lacking(rules: CardRules, plan: Plan, ticket: int) -> int:
    """Return how many cards of a ticket's colours are not left: locomotives must replace them."""
    lacking = 0
    for colour in range(NUM_COLOURS):
        lacking += max(0, rules.ticket_cards[ticket, colour] - plan.left[colour])
    return lacking


@compiled
def take_cards(rules: CardRules, plan: Plan, ticket: int) -> None:
    """Take the cards of a ticket from those left."""
    plan.left[LOCOMOTIVE] -= cards_lacking(rules, plan, ticket)
    for colour in range(NUM_COLOURS):
        plan.left[colour] = max(0, plan.left[colour] - rules.ticket_cards[ticket, colour])


@compiled
def add_candidate(rules: CardRules, plan: Plan, ticket: int, value: int) -> None:
    """Add a ticket to those that can be chosen, in their order."""
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
def add_own_tickets(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan) -> None:
    """Make the seat's tickets the only candidates."""
    plan.num_candidates = 0
    for ticket in range(rules.num_tickets):
        if bits.contains(view.tickets[view.current], ticket):
            add_ticket(view, rules, parameters, plan, ticket)


@compiled
def add_ticket(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan, ticket: int) -> None:
    """Make a ticket that is held, or kept, a candidate."""
    value = ticket_value(view, rules, parameters, ticket) * preference(rules, parameters, ticket)
    add_candidate(rules, plan, ticket, value)


# The value of tickets, in tenths of a point


@compiled
def ticket_value(view: CardState, rules: CardRules, parameters: Parameters, ticket: int) -> int:
    """Return the value of completing a ticket that is held: its points scored and, at the last scoring, not lost."""
    value = prospective_value(rules, parameters, ticket)
    if view.scoring_round == rules.scorings:
        return value + POINT * rules.ticket_points[ticket]
    for colour in range(NUM_COLOURS):
        value += parameters.first_scoring_card_value * rules.ticket_cards[ticket, colour]
    return value


@compiled
def prospective_value(rules: CardRules, parameters: Parameters, ticket: int) -> int:
    """Return the value of completing a ticket that need not be kept: its points, and a part of Big City cards, which
    go to the most tickets (CG13)."""
    points = 0
    for city in range(rules.num_bonus_cards):
        if bits.contains(rules.naming[city], ticket):
            points += rules.bonus_points[city]
    return POINT * rules.ticket_points[ticket] + POINT * points * parameters.big_city_percent // 100


@inlined
def preference(rules: CardRules, parameters: Parameters, ticket: int) -> int:
    """Return the factor of a ticket's value for agents that prefer large tickets."""
    return rules.ticket_points[ticket] if parameters.prefers_large_tickets else 1
