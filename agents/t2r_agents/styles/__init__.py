"""Agents of other styles, so that an agent is measured against several styles and not against one opponent.

They play as the greedy agent does, with other parameters. All but the racer are styles known from research on
playtesting (de Mesentier Silva, Lee, Togelius, Nealen: AI-based Playtesting of Contemporary Board Games, 2017). They
are deterministic.
"""

from t2r_agents.greedy import GreedyAgent
from t2r_agents.styles import one_step

NEVER = 1_000
"""More trains than any seat has, and more tenths of a point than any play is worth."""
LONG_ROUTES = {"claim_cost": 20, "point_discount": 2, "prefers_long_routes": 1}
"""With these costs a route of six spaces is cheaper than one of a single space."""


class RacerAgent(GreedyAgent):
    """Claims long routes, keeps as few tickets as possible, never draws any, and ends the game early."""

    stateless = True
    parameters = {
        "map_game": {**LONG_ROUTES, "max_planned_tickets": 1, "min_trains_to_draw_tickets": NEVER},
        "card_game": {"min_play_advantage": 200, "cards_per_100_turns": 40, "drawn_tickets_percent": 0},
    }


class OneStepAgent(GreedyAgent):
    """Does what brings the most points at once. Tickets count only when a claim completes them."""

    stateless = True
    act_functions = {**GreedyAgent.act_functions, "map_game": one_step.act}
    parameters = {
        "map_game": {"max_planned_tickets": 0},
        "card_game": {"min_play_advantage": -NEVER, "max_planned_tickets": 0},
    }


class LongRoutesAgent(GreedyAgent):
    """Plans its tickets over long routes and waits for the longest; in the Card Game it prefers large tickets."""

    stateless = True
    parameters = {"map_game": LONG_ROUTES, "card_game": {"prefers_large_tickets": 1}}


class OnePlanAgent(GreedyAgent):
    """Works for one ticket after the other."""

    stateless = True
    parameters = {"map_game": {"max_planned_tickets": 1}, "card_game": {"max_planned_tickets": 1}}


class TicketHungryAgent(GreedyAgent):
    """Draws tickets before all else, and keeps many."""

    stateless = True
    parameters = {
        "map_game": {"reserve_divisor": 4, "tickets_per_100_trains": 8, "min_trains_to_draw_tickets": 10},
        "card_game": {"cards_per_100_turns": 120, "drawn_tickets_percent": 80},
    }
