"""How the one-step agent plays map games: the claim that brings the most points at once, by no plan.

Tickets that the route completes count: their value, made and no longer lost. If no route can be paid for, it draws cards
for the routes that bring the most points.
"""

from agents.route_actions import NO_ACTION, best_card, decide, is_payable, last_resort
from agents.route_plan import begin_plan, make_plan, points_of, value_shares
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, lowest_bit
from t2r_env.core.records import Record
from t2r_env.rules.map_game.board import blocks as board_blocks
from t2r_env.rules.map_game.second_claim import phases as second_claim_phases
from t2r_env.rules.names import blocks, phases
from t2r_env.rules.state import TICKET_WORDS


@compiled
def act(views: Array, masks: Array, rules: Array, plans: Array, chosen: Array) -> None:
    """Answer each decision; `plans` is room for one plan."""
    for row in range(views.shape[0]):
        view = views[row]
        if view.phase == phases.TURN:
            chosen[row] = _take_turn(view, masks[row], rules[0], plans[0])
        elif view.phase == second_claim_phases.SECOND_CLAIM:
            action = _best_step(view, masks[row], rules[0], plans[0])
            chosen[row] = rules[0].first_action[blocks.STOP] if action == NO_ACTION else action
        else:
            chosen[row] = decide(view, masks[row], rules[0], plans[0])


@compiled
def _take_turn(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    action = _best_step(view, mask, rules, plan)
    if action == NO_ACTION:
        make_plan(view, rules, plan)
        action = best_card(view, mask, rules, plan)
    return last_resort(mask, rules) if action == NO_ACTION else action


@compiled
def _best_step(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """The claim that brings the most points at once."""
    begin_plan(view, rules, plan)
    value_shares(view, rules, plan)
    chosen = NO_ACTION
    best = 0
    for i in range(plan.candidates):
        route = plan.candidate[i]
        action = rules.first_action[board_blocks.CLAIM] + route
        if mask[action] and is_payable(view, rules, plan, route):
            value = points_of(rules, plan, route) + 2 * _points_of_tickets(rules, plan, route)
            if value > best:
                best = value
                chosen = action
    return chosen


@compiled
def _points_of_tickets(rules: Record, plan: Record, route: int) -> int:
    """The value of the tickets that a route completes."""
    a = plan.component[rules.route_a[route]]
    b = plan.component[rules.route_b[route]]
    points = 0
    for word in range(TICKET_WORDS):
        tickets = plan.tickets[word]
        while tickets != bits.NONE:
            ticket = 64 * word + lowest_bit(tickets)
            tickets = bits.without_lowest(tickets)
            if not _is_completed(rules, plan, ticket, -1, -1) and _is_completed(rules, plan, ticket, a, b):
                points += rules.ticket_points[ticket]
    return points


@compiled
def _is_completed(rules: Record, plan: Record, ticket: int, a: int, b: int) -> bool:
    """Whether a ticket's ends are joined, were the cities labelled `a` and `b` so too (C16)."""
    starts = rules.ticket_a[ticket]
    while starts != bits.NONE:
        start = plan.component[lowest_bit(starts)]
        starts = bits.without_lowest(starts)
        goals = rules.ticket_b[ticket]
        while goals != bits.NONE:
            goal = plan.component[lowest_bit(goals)]
            goals = bits.without_lowest(goals)
            if start == goal or (start == a and goal == b) or (start == b and goal == a):
                return True
    return False
