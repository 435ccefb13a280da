"""Which action each phase of the Card Game gets."""

from t2r_agents.greedy.card_game import best_set
from t2r_agents.greedy.card_game.card_values import best_card, value_of_draw
from t2r_agents.greedy.card_game.forecast import foresee_pile
from t2r_agents.greedy.card_game.planning import MAX_STEPS, add_own_tickets, make_plan
from t2r_agents.greedy.card_game.plays import (
    best_three,
    cards_in_set,
    locomotives_in_set,
    value_of_set,
    value_of_three,
)
from t2r_agents.greedy.card_game.records import Parameters, Plan, Workspace
from t2r_agents.greedy.card_game.ticket_values import (
    may_find_tickets,
    offered_value,
    preference,
    ticket_value,
    value_of_drawing_tickets,
)
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.game import NO_ACTION
from t2r_env.rules.card_game import completing, sets
from t2r_env.rules.card_game.modules import CardRules, CardState
from t2r_env.rules.card_game.yard import NUM_COLOURS
from t2r_env.rules.cards import CARD_TYPES, LOCOMOTIVE
from t2r_env.rules.names import blocks, phases

MAX_STEPS_AT_SCORING = 10_000_000
"""Of the search for the tickets to complete: enough for it to end, even with every ticket in hand."""
PRICE_CHANGES_AT_SCORING = 100
"""Of the prices that shorten that search (`best_set.find`)."""


@compiled
def act(
    views: Array, masks: Array, rules: Array, parameters: Array, plans: Array, workspaces: Array, chosen: Array
) -> None:
    """Write an action for each of k decisions to `chosen`, shape (k,); the records have length 1."""
    for row in range(views.shape[0]):
        chosen[row] = decide(views[row], masks[row], rules[0], parameters[0], plans[0], workspaces[0])


@compiled
def decide(
    view: CardState, mask: Array, rules: CardRules, parameters: Parameters, plan: Plan, workspace: Workspace
) -> int:
    """An action for a decision of any phase."""
    if view.phase == phases.KEEP_TICKET:
        return _choose_ticket(view, rules, parameters, plan, workspace)
    if view.phase == completing.phases.COMPLETE:
        return _complete_ticket(view, rules, parameters, plan, workspace)
    make_plan(view, rules, parameters, plan, workspace)
    if view.phase == phases.TURN:
        return _take_turn(view, mask, rules, parameters, plan, workspace)
    if view.phase == phases.SECOND_CARD:
        return best_card(view, mask, rules, parameters, plan)
    if view.phase == sets.phases.SET_CARDS:
        return _choose_set_cards(view, mask, rules, plan)
    return _choose_set_locomotives(view, mask, rules, plan)


@compiled
def _take_turn(
    view: CardState, mask: Array, rules: CardRules, parameters: Parameters, plan: Plan, workspace: Workspace
) -> int:
    """Do the best play if it is worth more than drawing, else draw tickets or cards."""
    action = best_card(view, mask, rules, parameters, plan)
    best = value_of_draw(view, rules, parameters, plan, action)
    if not plan.is_late:
        best += parameters.min_play_advantage
    for colour in range(NUM_COLOURS):
        if mask[rules.first_action[sets.blocks.PLAY_SET] + colour]:
            value = value_of_set(view, rules, parameters, plan, colour)
            if value > best:
                best = value
                action = rules.first_action[sets.blocks.PLAY_SET] + colour
    three = best_three(view, mask, rules, parameters, plan)
    if three != NO_ACTION and value_of_three(view, rules, parameters, plan, three) > best:
        best = value_of_three(view, rules, parameters, plan, three)
        action = rules.first_action[sets.blocks.PLAY_THREE] + three
    draw_tickets = rules.first_action[blocks.DRAW_TICKETS]
    if mask[draw_tickets] and may_find_tickets(view, rules):
        if value_of_drawing_tickets(view, rules, parameters, plan, workspace) > best:
            action = draw_tickets
    if action == NO_ACTION:
        action = draw_tickets if mask[draw_tickets] else rules.first_action[blocks.PASS]
    return action


@compiled
def _choose_ticket(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> int:
    """Keep the offered ticket if it is one of the best set of those held and offered, for the foreseen pile."""
    seat = view.current
    foresee_pile(view, rules, parameters, plan, True)
    add_own_tickets(view, rules, parameters, workspace)
    for index in range(view.offered_count[seat]):
        ticket = view.offered[seat, index]
        if index >= view.offer_index:
            value = offered_value(rules, parameters, ticket) * preference(rules, parameters, ticket)
            best_set.add(rules, workspace, ticket, value)
        elif (view.kept[seat] >> index) & 1:
            value = ticket_value(view, rules, parameters, ticket) * preference(rules, parameters, ticket)
            best_set.add(rules, workspace, ticket, value)
    best_set.find(rules, plan.pile, plan.tickets, workspace, 0, MAX_STEPS)
    keeps = bits.contains(plan.tickets, view.offered[seat, view.offer_index])
    return rules.first_action[blocks.KEEP_TICKET if keeps else blocks.REFUSE_TICKET]


@compiled
def _complete_ticket(
    view: CardState, rules: CardRules, parameters: Parameters, plan: Plan, workspace: Workspace
) -> int:
    """Complete the first ticket of the best set for the cards that those already chosen leave, or stop."""
    seat = view.current
    for card in range(CARD_TYPES):
        plan.pile[card] = view.on_track[seat, card]
    best_set.clear(workspace)
    for ticket in range(rules.num_tickets):
        if bits.contains(view.completing[seat], ticket):
            for colour in range(NUM_COLOURS):
                used = min(rules.ticket_cards[ticket, colour], plan.pile[colour])
                plan.pile[colour] -= used
                plan.pile[LOCOMOTIVE] -= rules.ticket_cards[ticket, colour] - used
        elif bits.contains(view.tickets[seat], ticket):
            best_set.add(rules, workspace, ticket, ticket_value(view, rules, parameters, ticket))
    best_set.find(rules, plan.pile, plan.tickets, workspace, PRICE_CHANGES_AT_SCORING, MAX_STEPS_AT_SCORING)
    for ticket in range(rules.num_tickets):
        if bits.contains(plan.tickets, ticket):
            return rules.first_action[completing.blocks.COMPLETE] + ticket
    return rules.first_action[blocks.STOP]


@compiled
def _choose_set_cards(view: CardState, mask: Array, rules: CardRules, plan: Plan) -> int:
    """Play as many cards as arrive in time, and more only where the rules demand it."""
    first = rules.first_action[sets.blocks.SET_CARDS]
    return _least_legal(mask, first + cards_in_set(view, plan, view.set_colour) - 1)


@compiled
def _choose_set_locomotives(view: CardState, mask: Array, rules: CardRules, plan: Plan) -> int:
    first = rules.first_action[sets.blocks.SET_LOCOMOTIVES]
    return _least_legal(mask, first + locomotives_in_set(view, rules, plan, view.set_colour, view.set_cards))


@inlined
def _least_legal(mask: Array, action: int) -> int:
    """The first legal action from `action` on; there is one."""
    while not mask[action]:
        action += 1
    return action
