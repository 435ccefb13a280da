"""How the planner plays the Card Game: as greedy does, but it waits longer for larger sets.

Larger sets save turns, rob others, and are not robbed themselves.
"""

from collections.abc import Mapping
from types import MappingProxyType

from t2r_agents.greedy import card_game
from t2r_agents.greedy.card_game import act, decide
from t2r_agents.records import PlanRecords
from t2r_env import Configuration

__all__ = ["act", "decide", "records_for"]

MIN_PLAY_ADVANTAGE = 160
"""In tenths of a point."""


def records_for(configuration: Configuration, parameters: Mapping[str, int] = MappingProxyType({})) -> PlanRecords:
    """Records for planning; there are no `parameters`."""
    return card_game.new_records(min_play_advantage=MIN_PLAY_ADVANTAGE)
