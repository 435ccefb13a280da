"""Choosing how to pay."""

from t2r_agents.route_actions import LOWEST
from t2r_agents.route_plan.planning import make_plan
from t2r_agents.route_plan.records import Parameters, Plan, Workspace
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled
from t2r_env.core.game import NO_ACTION
from t2r_env.rules.cards import CARD_TYPES, LOCOMOTIVE
from t2r_env.rules.map_game import board, exchange, paying
from t2r_env.rules.map_game.modules import MapRules, MapState

LOCOMOTIVE_VALUE = 10_000
"""In coloured cards, when payments are compared: the fewest locomotives come first."""


@compiled
def pay(view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace) -> int:
    """Make a plan, and pay as it can best spare."""
    make_plan(view, rules, parameters, plan, workspace)
    return cheapest_payment(mask, rules, plan)


@compiled
def cheapest_payment(mask: Array, rules: MapRules, plan: Plan) -> int:
    """Pay with the fewest locomotives, then in the colour that the plan can best spare."""
    chosen = NO_ACTION
    best = LOWEST
    for colour in range(CARD_TYPES):
        for column in range(rules.pay_width):
            action = rules.first_action[board.blocks.PAY] + colour * rules.pay_width + column
            if mask[action]:
                value = plan.spare_cards[colour] - LOCOMOTIVE_VALUE * paying.locomotives_of(rules, action)
                if value > best:
                    best = value
                    chosen = action
    return _spend(mask, rules, plan) if chosen == NO_ACTION else chosen


@compiled
def _spend(mask: Array, rules: MapRules, plan: Plan) -> int:
    """Exchange a card of the colour that the plan can best spare."""
    chosen = NO_ACTION
    best = LOWEST
    for colour in range(LOCOMOTIVE):
        action = rules.first_action[exchange.blocks.SPEND] + colour
        if mask[action] and plan.spare_cards[colour] > best:
            best = plan.spare_cards[colour]
            chosen = action
    return chosen
