"""How the greedy agent plays map games.

At each question it makes a plan from what its seat may know (agents/route_plan.py), and forgets it again. It claims
what the plan holds and its cards pay, and otherwise draws the cards that the plan lacks. When its tickets are done
early, it draws more of them. Of shares it takes the one that improves its payments most, were the game to end now.
"""

from agents import route_plan
from agents.route_answers import NO_ACTION, answer, best_card, best_claim, best_purchase, longest_lane
from agents.route_plan import make_plan
from t2r_env.agents import Array
from t2r_env.rules import bits
from t2r_env.rules.compiled import compiled
from t2r_env.rules.map_game import actions
from t2r_env.rules.map_game.state import SECOND_CLAIM, TURN
from t2r_env.rules.records import Record

TRAINS_FOR_TICKETS = 20
"""More tickets are drawn with so many trains left at least."""
CLAIM_PRICE, TRAIN_PRICE, LOCOMOTIVE_PRICE, POINTS_PRICE = 4, 4, 4, 0
"""What lanes cost (route_plan.TASTES)."""
RESERVE = 2
"""The part of the trains that no new ticket is to need: one in so many."""


def new_plan() -> Array:
    """Room for one plan."""
    return route_plan.new_plan(
        claim_price=CLAIM_PRICE,
        train_price=TRAIN_PRICE,
        locomotive_price=LOCOMOTIVE_PRICE,
        points_price=POINTS_PRICE,
        reserve=RESERVE,
    )


@compiled
def act(views: Array, masks: Array, rules: Array, plans: Array, answers: Array) -> None:
    """Answer each question; `plans` is room for one plan."""
    for row in range(views.shape[0]):
        view = views[row]
        if view.phase == TURN:
            answers[row] = _take_turn(view, masks[row], rules[0], plans[0])
        elif view.phase == SECOND_CLAIM:
            answers[row] = _claim_second(view, masks[row], rules[0], plans[0])
        else:
            answers[row] = answer(view, masks[row], rules[0], plans[0])


@compiled
def _take_turn(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """Claim what is planned; draw tickets when all are done early; else draw cards; if none are left, any lane."""
    make_plan(view, rules, plan)
    draw_tickets = rules.first_action[actions.DRAW_TICKETS]
    tickets_are_done = plan.ticket_lanes[0] == bits.NONE and plan.ticket_lanes[1] == bits.NONE
    if tickets_are_done and mask[draw_tickets] and view.trains[view.current] >= TRAINS_FOR_TICKETS:
        return draw_tickets
    action = best_purchase(view, mask, rules, plan)
    if action == NO_ACTION:
        action = best_claim(view, mask, rules, plan)
    if action == NO_ACTION:
        action = best_card(view, mask, rules, plan)
    if action == NO_ACTION:
        action = longest_lane(mask, rules)
    if action == NO_ACTION:
        action = draw_tickets if mask[draw_tickets] else rules.first_action[actions.PASS]
    return action


@compiled
def _claim_second(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """What is planned; else no second lane."""
    make_plan(view, rules, plan)
    action = best_claim(view, mask, rules, plan)
    return rules.first_action[actions.STOP] if action == NO_ACTION else action
