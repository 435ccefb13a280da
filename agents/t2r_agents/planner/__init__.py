"""The planner: the strongest of the agents that do not search.

It plans all its tickets at once, collects cards for the plan, and waits with claims until the plan is nearly paid for.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.planner import card_game, map_game
from t2r_agents.records import PlanRecords
from t2r_env.agents import Decisions

_PLAYERS: dict[str, Any] = {"map_game": map_game, "card_game": card_game}


class PlannerAgent:
    """Plans its tickets and waits for its cards. It is deterministic: the same decision always gets the same action."""

    def __init__(self) -> None:
        self._records: dict[str, PlanRecords] = {}
        """By the configuration's digest."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision, shape (k,)."""
        actions = np.zeros(len(decisions), np.int64)
        configuration = decisions.configuration
        player = _PLAYERS[configuration.variant.ruleset]
        if configuration.digest not in self._records:
            self._records[configuration.digest] = player.records_for(configuration)
        records = self._records[configuration.digest]
        player.act(decisions.views, decisions.masks, configuration.rules, *records, actions)
        return actions
