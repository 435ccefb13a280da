"""The planning agents in the Card Game: they make a plan, and take the action that is worth most for it.

A decision from top to bottom: `decide` -> `planning.make_plan`, which foresees the pile that the seat may have
at the end (what is on track, the rows of its rail yard as far as they arrive in time, its hand, and the cards that it
may yet draw and play) and chooses tickets for that pile -> `_take_turn` compares what can be done by the cards
that come nearer to the pile, those that the plan lacks most (`values`).

Functions take their arguments in the order of `map_game`.
"""

from collections.abc import Mapping

from t2r_agents.playing.planner.card_game.planning import (
    add_candidate,
    add_own_tickets,
    add_ticket,
    choose_tickets,
    foresee_pile,
    make_plan,
    preference,
    prospective_value,
    take_cards,
    ticket_value,
)
from t2r_agents.playing.planner.card_game.records import PARAMETERS, Parameters, Plan
from t2r_agents.playing.planner.card_game.values import (
    best_card,
    best_three,
    cards_in_set,
    locomotives_in_set,
    may_find_tickets,
    value_of_draw,
    value_of_drawing_tickets,
    value_of_set,
)
from t2r_agents.playing.planner.parameters import Parameter
from t2r_env import Configuration
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled
from t2r_env.rules.card_game.records import NUM_COLOURS, CardRules, CardState
from t2r_env.rules.cards import CARD_TYPES
from t2r_env.rules.names import NO_ACTION, blocks, phases


def parameters_for(configuration: Configuration) -> Mapping[str, Parameter]:
    """Return the parameters that can be tuned."""
    return PARAMETERS


@compiled
def decide(view: CardState, mask: Array, rules: CardRules, parameters: Parameters, plan: Plan) -> int:
    """Return an action for a decision of any phase."""
    if view.phase == phases.KEEP_TICKET:
        return _choose_ticket(view, rules, parameters, plan)
    if view.phase == phases.COMPLETE:
        return _complete_ticket(view, rules, parameters, plan)
    make_plan(view, rules, parameters, plan)
    if view.phase == phases.TURN:
        return _take_turn(view, mask, rules, parameters, plan)
    if view.phase == phases.SECOND_CARD:
        return best_card(view, mask, rules, parameters, plan)
    if view.phase == phases.SET_CARDS:  # those that arrive in time, and more only where the rules demand it
        number = cards_in_set(view, plan, view.set_colour)
        return _first_legal(mask, rules.first_action[blocks.SET_CARDS] + number - 1)
    number = locomotives_in_set(view, rules, plan, view.set_colour, view.set_cards)
    return _first_legal(mask, rules.first_action[blocks.SET_LOCOMOTIVES] + number)


@compiled
def _take_turn(view: CardState, mask: Array, rules: CardRules, parameters: Parameters, plan: Plan) -> int:
    """Do the best play if it is worth more than drawing, else draw tickets or cards."""
    action = best_card(view, mask, rules, parameters, plan)
    best = value_of_draw(view, rules, parameters, plan, action)
    if not plan.is_late:
        best += parameters.min_play_advantage
    for colour in range(NUM_COLOURS):
        if mask[rules.first_action[blocks.PLAY_SET] + colour]:
            value = value_of_set(view, rules, parameters, plan, colour)
            if value > best:
                best = value
                action = rules.first_action[blocks.PLAY_SET] + colour
    three, value = best_three(view, mask, rules, parameters, plan)
    if value > best:
        best = value
        action = three
    draw_tickets = rules.first_action[blocks.DRAW_TICKETS]
    if mask[draw_tickets] and may_find_tickets(view, rules):
        if value_of_drawing_tickets(view, rules, parameters, plan) > best:
            action = draw_tickets
    if action == NO_ACTION:
        action = draw_tickets if mask[draw_tickets] else rules.first_action[blocks.PASS]
    return action


@compiled
def _choose_ticket(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan) -> int:
    """Keep the offered ticket if it is one of those chosen for the foreseen pile, of all held and offered.

    Offered ones count less for each card that they take, since cards may not come.
    """
    seat = view.current
    foresee_pile(view, rules, parameters, plan, True)
    add_own_tickets(view, rules, parameters, plan)
    for index in range(view.offered_count[seat]):
        ticket = view.offered[seat, index]
        if index >= view.offer_index:
            value = prospective_value(rules, parameters, ticket)
            for colour in range(NUM_COLOURS):
                value -= parameters.offered_card_cost * rules.ticket_cards[ticket, colour]
            add_candidate(rules, plan, ticket, max(0, value) * preference(rules, parameters, ticket))
        elif (view.kept[seat] >> index) & 1:
            add_ticket(view, rules, parameters, plan, ticket)
    choose_tickets(rules, plan)
    keeps = bits.contains(plan.tickets, view.offered[seat, view.offer_index])
    return rules.first_action[blocks.KEEP_TICKET if keeps else blocks.REFUSE_TICKET]


@compiled
def _complete_ticket(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan) -> int:
    """Complete the first of the tickets chosen for the cards that those already being completed leave, or stop."""
    seat = view.current
    for card in range(CARD_TYPES):
        plan.left[card] = view.on_track[seat, card]
    plan.num_candidates = 0
    for ticket in range(rules.num_tickets):
        if bits.contains(view.completing[seat], ticket):
            take_cards(rules, plan, ticket)
        elif bits.contains(view.tickets[seat], ticket):
            add_candidate(rules, plan, ticket, ticket_value(view, rules, parameters, ticket))
    choose_tickets(rules, plan)
    for ticket in range(rules.num_tickets):
        if bits.contains(plan.tickets, ticket):
            return rules.first_action[blocks.COMPLETE] + ticket
    return rules.first_action[blocks.STOP]


@compiled
def _first_legal(mask: Array, action: int) -> int:
    while not mask[action]:
        action += 1
    return action
