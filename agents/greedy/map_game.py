"""How the greedy agent plays map games.

At each decision it makes a plan from what its seat may know (agents/route_plan.py), and forgets it again. It claims
what the plan holds and its cards pay, and otherwise draws the cards that the plan lacks. When its tickets are done
early, it draws more of them. Of shares it takes the one that improves its payments most, were the game to end now.

Agents of other tastes (route_plan.TASTES) play by the same functions.
"""

from agents.route_actions import (
    NO_ACTION,
    best_card,
    best_claim,
    best_purchase,
    claim_second,
    decide,
    last_resort,
    wants_tickets,
)
from agents.route_plan import make_plan
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled
from t2r_env.core.records import Record
from t2r_env.rules.map_game.second_claim import phases as second_claim_phases
from t2r_env.rules.names import blocks, phases


@compiled
def act(views: Array, masks: Array, rules: Array, plans: Array, chosen: Array) -> None:
    """Answer each decision; `plans` is room for one plan."""
    for row in range(views.shape[0]):
        view = views[row]
        if view.phase == phases.TURN:
            chosen[row] = _take_turn(view, masks[row], rules[0], plans[0])
        elif view.phase == second_claim_phases.SECOND_CLAIM:
            chosen[row] = claim_second(view, masks[row], rules[0], plans[0])
        else:
            chosen[row] = decide(view, masks[row], rules[0], plans[0])


@compiled
def _take_turn(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """Claim what is planned; draw tickets when all are done early; else draw cards; if none are left, any route."""
    make_plan(view, rules, plan)
    draw_tickets = rules.first_action[blocks.DRAW_TICKETS]
    if mask[draw_tickets] and wants_tickets(view, rules, plan):
        return draw_tickets
    action = best_purchase(view, mask, rules, plan)
    if action == NO_ACTION:
        action = best_claim(view, mask, rules, plan)
    if action == NO_ACTION:
        action = best_card(view, mask, rules, plan)
    return last_resort(mask, rules) if action == NO_ACTION else action
