"""How the planner plays the Card Game: as greedy does, but with more patience.

Larger sets save turns, rob others, and are not robbed themselves.
"""

from agents.greedy import card_game
from agents.greedy.card_game import act
from t2r_env import Configuration
from t2r_env.agents import Array

__all__ = ["act", "new_plan"]

PATIENCE = 160
"""In tenths of a point."""


def new_plan(configuration: Configuration) -> Array:
    """Room for one plan."""
    return card_game.new_plan(patience=PATIENCE)
