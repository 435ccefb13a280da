"""The plan: the tickets to complete, and the cards that they need."""

from t2r_agents.greedy.card_game import best_set
from t2r_agents.greedy.card_game.forecast import foresee_pile
from t2r_agents.greedy.card_game.records import Parameters, Plan, Workspace
from t2r_agents.greedy.card_game.ticket_values import preference, ticket_value
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules.card_game.modules import CardRules, CardState
from t2r_env.rules.card_game.yard import NUM_COLOURS
from t2r_env.rules.cards import LOCOMOTIVE

MAX_STEPS = 300
"""Of the search for the best set of tickets. It is made at each decision, so the best set after so many must do."""


@compiled
def make_plan(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> None:
    """Choose the tickets to complete, and count the cards that they need and that are missing."""
    foresee_pile(view, rules, parameters, plan, False)
    add_own_tickets(view, rules, parameters, workspace)
    best_set.find(rules, plan.pile, plan.tickets, workspace, 0, MAX_STEPS)
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
def add_own_tickets(view: CardState, rules: CardRules, parameters: Parameters, workspace: Workspace) -> None:
    """Make the seat's tickets the candidates for the best set."""
    best_set.clear(workspace)
    for ticket in range(rules.num_tickets):
        if bits.contains(view.tickets[view.current], ticket):
            value = ticket_value(view, rules, ticket) * preference(rules, parameters, ticket)
            best_set.add(rules, workspace, ticket, value)


@inlined
def _add_needs(view: CardState, rules: CardRules, plan: Plan, ticket: int) -> None:
    """Count what one more ticket needs, and what is missing for it."""
    for colour in range(NUM_COLOURS):
        available = plan.on_track[colour] + view.hand[view.current, colour]
        before = max(0, plan.needed[colour] - available)
        plan.needed[colour] += rules.ticket_cards[ticket, colour]
        plan.missing += max(0, plan.needed[colour] - available) - before
