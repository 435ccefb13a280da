"""How the planner plays map games.

It plans as all agents that plan do (agents/route_plan.py), but reckons with the turn that each claim takes, so that it
prefers ways of long routes. And it keeps its claims back until its cards nearly pay for all that it has planned: till
then any route may be paid in the colour that comes, and others do not learn its tickets. It claims at once where shares
are to be had before others take them, where routes are long and there is only one opponent, who wants them too, when the
game may end soon, and when cards run out.
"""

import numpy as np

from agents.route_actions import (
    NO_ACTION,
    best_card,
    best_claim,
    best_purchase,
    claim_second,
    decide,
    last_resort,
    longest_route,
    wants_tickets,
)
from agents.route_plan import FAR, PLAN, make_plan, set_tastes
from t2r_env import Configuration
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled
from t2r_env.core.records import Record
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game.second_claim import phases as second_claim_phases
from t2r_env.rules.names import blocks, phases
from t2r_env.variants.variant import MapVariant

RESERVE = 3
"""The part of the trains that no new ticket is to need: one in so many."""
LONG_ROUTE = 4
"""Where there are longer ones, routes of so many spaces are claimed from one opponent as soon as the cards are there."""
FEW_CARDS = 15
"""So few cards in deck and discard are no reason to wait."""


def new_plan(configuration: Configuration) -> Array:
    """Room for one plan."""
    plans = np.zeros(1, PLAN)
    set_up(plans, configuration)
    return plans


def set_up(plans: Array, configuration: Configuration) -> None:
    """Write its tastes: a turn is worth the more, and waiting pays the longer, the more trains there are."""
    variant = configuration.variant
    assert isinstance(variant, MapVariant)
    set_tastes(
        plans,
        claim_price=4 * (variant.trains // 8),
        reserve=RESERVE,
        trains_for_tickets=3 * variant.trains // 4,
        lacking_allowed=variant.trains // 12,
        end_is_near=variant.trains // 4,
        largest_hand=0 if variant.companies else variant.trains,
        long_route=LONG_ROUTE if variant.longest_route > LONG_ROUTE and configuration.num_teams == 2 else FAR,
    )


@compiled
def act(views: Array, masks: Array, rules: Array, plans: Array, chosen: Array) -> None:
    """Answer each decision; `plans` is room for one plan."""
    for row in range(views.shape[0]):
        view = views[row]
        if view.phase == phases.TURN:
            make_plan(view, rules[0], plans[0])
            chosen[row] = take_turn(view, masks[row], rules[0], plans[0])
        elif view.phase == second_claim_phases.SECOND_CLAIM:
            chosen[row] = claim_second(view, masks[row], rules[0], plans[0])
        else:
            chosen[row] = decide(view, masks[row], rules[0], plans[0])


@compiled
def take_turn(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """Draw tickets if it is early; claim what is planned, if it is long or time; else draw cards.

    If none are left, or would be no use any more, claim any route.
    """
    draw_tickets = rules.first_action[blocks.DRAW_TICKETS]
    is_last_turn = view.last_turns_left > 0
    if mask[draw_tickets] and not is_last_turn and wants_tickets(view, rules, plan):
        return draw_tickets
    action = best_purchase(view, mask, rules, plan)
    if action == NO_ACTION:
        plan.least_claim = 0 if _is_time_to_claim(view, rules, plan) else plan.long_route
        action = best_claim(view, mask, rules, plan)
        plan.least_claim = 0
    if action == NO_ACTION and is_last_turn:
        action = longest_route(mask, rules)
    if action == NO_ACTION:
        action = best_card(view, mask, rules, plan)
    if action == NO_ACTION:
        action = best_claim(view, mask, rules, plan)
    return last_resort(mask, rules) if action == NO_ACTION else action


@compiled
def _is_time_to_claim(view: Record, rules: Record, plan: Record) -> bool:
    """Whether waiting does not pay any more."""
    lacking = -max(0, plan.spare[LOCOMOTIVE])
    for colour in range(LOCOMOTIVE):
        lacking += max(0, -plan.spare[colour])
    fewest = view.trains[0]
    for seat in range(1, rules.num_seats):
        fewest = min(fewest, view.trains[seat])
    return (
        lacking <= plan.lacking_allowed
        or fewest <= plan.end_is_near
        or view.hand_count[view.current] > plan.largest_hand
        or view.deck_count + view.discard_count < FEW_CARDS
    )
