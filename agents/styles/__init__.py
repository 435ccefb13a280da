"""Agents of other styles, so that an agent is measured against styles and not against one opponent.

They play as the greedy agent does, with other tastes; all but the racer are styles known from research on playtesting
(de Mesentier Silva, Lee, Togelius, Nealen 2017). The same decision always gets the same answer.
"""

from agents.greedy import GreedyAgent
from agents.styles import one_step

NEVER = 1_000
"""More trains than anybody has."""
LONG_ROUTES = {"claim_price": 20, "points_price": 2, "likes_length": 1}
"""The taste for long routes: a route of six spaces costs less than one of one."""


class RacerAgent(GreedyAgent):
    """Takes long routes, keeps as few tickets as it may, never draws any, and ends the game early."""

    tastes = {
        "map_game": {**LONG_ROUTES, "aims": 1, "trains_for_tickets": NEVER},
        "card_game": {"patience": 200, "hope": 40, "tickets_found": 0},
    }


class OneStepAgent(GreedyAgent):
    """Does what brings the most at once; tickets only by the way."""

    players = {**GreedyAgent.players, "map_game": one_step.act}
    tastes = {"map_game": {"aims": 0}, "card_game": {"patience": -NEVER, "aims": 0}}


class LongRoutesAgent(GreedyAgent):
    """Plans its tickets over long routes, and waits with the short ones; in the Card Game it likes large tickets."""

    tastes = {"map_game": LONG_ROUTES, "card_game": {"likes_length": 1}}


class OnePlanAgent(GreedyAgent):
    """Works for one ticket after the other."""

    tastes = {"map_game": {"aims": 1}, "card_game": {"aims": 1}}


class TicketHungryAgent(GreedyAgent):
    """Draws tickets before all else, and keeps many."""

    tastes = {
        "map_game": {"reserve": 4, "hunger": 8, "trains_for_tickets": 10},
        "card_game": {"hope": 120, "tickets_found": 80},
    }
