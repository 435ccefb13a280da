"""The planner: the heuristic to beat. It plans all its tickets at once, collects cards towards the plan, and waits with
claims until the plan is nearly paid for."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.planner import card_game, map_game
from t2r_env.agents import Decisions

_PLAYERS: dict[str, Any] = {"map_game": map_game, "card_game": card_game}


class PlannerAgent:
    """Plans its tickets and waits for its cards; the same decision always gets the same answer."""

    def __init__(self) -> None:
        self._plans: dict[str, Any] = {}

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision, shape (k,)."""
        chosen = np.zeros(len(decisions), np.int64)
        configuration = decisions.configuration
        player = _PLAYERS[configuration.variant.ruleset]
        if configuration.digest not in self._plans:
            self._plans[configuration.digest] = player.new_plan(configuration)
        plan = self._plans[configuration.digest]
        player.act(decisions.views, decisions.masks, configuration.rules, plan, chosen)
        return chosen
