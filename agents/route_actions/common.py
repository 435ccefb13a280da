"""The decisions that all agents with a plan take alike: all but a turn's action."""

from agents.route_actions.cards import best_card, place_card
from agents.route_actions.claims import claim_second
from agents.route_actions.payments import pay
from agents.route_actions.shares import choose_share
from agents.route_actions.tickets import choose_ticket, share_ticket
from agents.route_plan.planning import make_plan
from t2r_env.agents import Array
from t2r_env.rules.compiled import compiled
from t2r_env.rules.map_game import actions
from t2r_env.rules.map_game.state import (
    FROM_RACK,
    KEEP_TICKET,
    NEUTRAL,
    PAY,
    PLACE,
    SECOND_CARD,
    SECOND_CLAIM,
    SHARE,
    TAKE_SHARE,
    TUNNEL,
)
from t2r_env.rules.records import Record


@compiled
def decide_common(view: Record, mask: Array, rules: Record, parameters: Record, plan: Record, workspace: Record) -> int:
    """An action for any phase but `turn`."""
    if view.phase == SECOND_CARD:
        make_plan(view, rules, parameters, plan, workspace)
        return best_card(view, mask, rules, plan)
    if view.phase == PAY:
        return pay(view, mask, rules, parameters, plan, workspace)
    if view.phase == KEEP_TICKET:
        return choose_ticket(view, rules, parameters, plan, workspace)
    if view.phase == PLACE:
        return place_card(view, rules, parameters, plan, workspace)
    if view.phase == FROM_RACK:
        return first_legal(mask, rules.first_action[actions.FROM_RACK])
    if view.phase == TUNNEL:
        return first_legal(mask, rules.first_action[actions.PAY_MORE])
    if view.phase == SHARE:
        return share_ticket(mask, rules)
    if view.phase == SECOND_CLAIM:
        return claim_second(view, mask, rules, parameters, plan, workspace)
    holder = view.current if view.phase == TAKE_SHARE else NEUTRAL
    block = actions.TAKE_SHARE if view.phase == TAKE_SHARE else actions.NEUTRAL_SHARE
    return choose_share(view, mask, rules, parameters, plan, workspace, holder, rules.first_action[block])


@compiled
def first_legal(mask: Array, first: int) -> int:
    """The first legal action from `first` on: the fewest cards from the rack, the fewest locomotives for a tunnel."""
    while not mask[first]:
        first += 1
    return first
