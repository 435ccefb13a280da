"""The plan: the tickets to complete, and the cards that they need."""

from t2r_agents.greedy.card_game import best_set
from t2r_agents.greedy.card_game.forecast import foresee_pile
from t2r_agents.greedy.card_game.records import Parameters, Plan, Workspace
from t2r_agents.greedy.card_game.ticket_values import preference, ticket_value
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules.card_game.modules import CardRules, CardState
from t2r_env.rules.card_game.yard import NUM_COLOURS
from t2r_env.rules.cards import CARD_TYPES, EMPTY, FACE_UP_SLOTS, LOCOMOTIVE

MAX_STEPS = 300
"""Of the search for the best set of tickets. It is made at each decision, so the best set after so many must do."""

MOST_IN_COLOUR = 12
"""Larger sets count as sets of so many cards."""


@compiled
def make_plan(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> None:
    """Choose the tickets to complete, and count the cards that they need and that are missing."""
    foresee_pile(view, rules, parameters, plan, False)
    add_own_tickets(view, rules, parameters, workspace)
    best_set.find(rules, plan.pile, plan.tickets, workspace, 0, MAX_STEPS)
    plan.is_late = plan.turns < parameters.late_turns or _slack(view, plan) < parameters.slack_turns
    if parameters.counts_cards:
        _count_unseen(view, rules, plan)
    for colour in range(NUM_COLOURS):
        plan.needed[colour] = 0
    plan.missing = -plan.on_track[LOCOMOTIVE]
    tickets_left = parameters.max_planned_tickets
    for i in range(workspace.num_candidates):
        if tickets_left > 0 and bits.contains(plan.tickets, workspace.ticket[i]):
            missing = plan.missing
            _add_needs(view, rules, plan, workspace.ticket[i])
            tickets_left -= 1 if plan.missing > max(0, missing) else 0


@compiled
def _slack(view: CardState, plan: Plan) -> int:
    """How many turns the seat may wait until the sets in its hand, the largest first, would not all arrive in time."""
    slack = plan.turns
    sets = 0
    for cards in range(MOST_IN_COLOUR, 1, -1):
        for colour in range(NUM_COLOURS):
            if (
                min(MOST_IN_COLOUR, view.hand[view.current, colour]) == cards
                and view.yard_owner[colour] != view.current
            ):
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


@compiled
def add_own_tickets(view: CardState, rules: CardRules, parameters: Parameters, workspace: Workspace) -> None:
    """Make the seat's tickets the candidates for the best set."""
    best_set.clear(workspace)
    for ticket in range(rules.num_tickets):
        if bits.contains(view.tickets[view.current], ticket):
            value = ticket_value(view, rules, parameters, ticket) * preference(rules, parameters, ticket)
            best_set.add(rules, workspace, ticket, value)


@inlined
def _add_needs(view: CardState, rules: CardRules, plan: Plan, ticket: int) -> None:
    """Count what one more ticket needs, and what is missing for it."""
    for colour in range(NUM_COLOURS):
        available = plan.on_track[colour] + view.hand[view.current, colour]
        before = max(0, plan.needed[colour] - available)
        plan.needed[colour] += rules.ticket_cards[ticket, colour]
        plan.missing += max(0, plan.needed[colour] - available) - before
