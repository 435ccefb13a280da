"""Choosing a technology to buy."""

from t2r_agents.route_actions.claims import coloured_surplus
from t2r_agents.route_plan.records import Plan
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled
from t2r_env.core.game import NO_ACTION
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game import exchange, purchases
from t2r_env.rules.map_game.modules import MapRules, MapState
from t2r_env.rules.map_game.technologies import effects

MIN_POINTS_PER_LOCOMOTIVE = 3
"""What a technology that no planned route needs must bring for each locomotive of its price."""
TRAINS_PER_ROUTE = 2
"""A rough mean, for estimating how many routes are still to come."""


@compiled
def best_purchase(view: MapState, mask: Array, rules: MapRules, plan: Plan) -> int:
    """Buy a technology that planned routes need, or one that is worth its price, with spare cards; or NO_ACTION."""
    chosen = NO_ACTION
    if rules.num_technologies > 0:
        locomotives = view.hand[view.current, LOCOMOTIVE]
        for technology in range(rules.num_technologies):
            action = rules.first_action[purchases.blocks.BUY] + technology
            if mask[action]:
                price = rules.technology_price[technology]
                is_planned = bits.bit(technology) & plan.technologies != bits.NONE
                is_worth_it = _technology_points(view, rules, technology) >= MIN_POINTS_PER_LOCOMOTIVE * price
                to_exchange = exchange.rate(view, rules, view.current) * max(0, price - locomotives)
                is_cheap = plan.spare_cards[LOCOMOTIVE] >= price
                if (is_planned and to_exchange <= coloured_surplus(plan)) or (is_worth_it and is_cheap):
                    chosen = action
    return chosen


@compiled
def _technology_points(view: MapState, rules: MapRules, technology: int) -> int:
    """Roughly what a technology that opens no routes may bring; a card saved counts as a point."""
    routes_to_come = view.trains[view.current] // TRAINS_PER_ROUTE
    points = 0
    if (
        technology == rules.technology_with[effects.BOILER_LAGGING]
        or technology == rules.technology_with[effects.DIESEL_POWER]
    ):
        points = routes_to_come
    elif technology == rules.technology_with[effects.DOUBLE_HEADING]:
        points = 2 * view.ticket_count[view.current]
    return points
