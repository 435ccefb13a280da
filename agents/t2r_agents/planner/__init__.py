"""The planner: the strongest of the agents that do not search.

It plans all its tickets at once, collects cards for the plan, and waits with claims until the plan is nearly paid for.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents import planner_v1
from t2r_agents.records import PlanRecords
from t2r_env.agents import Decisions

VERSIONS: dict[str, dict[str, Any]] = {"": planner_v1.PLAYERS, "v1": planner_v1.PLAYERS}
"""How it plays, by version and ruleset; the one without a name is the newest."""


class PlannerAgent:
    """Plans its tickets and waits for its cards. It is deterministic: the same decision always gets the same action.

    `planner` is the newest; `planner:v1` is that of version 0.1.
    """

    def __init__(self, version: str = "") -> None:
        """Raise ValueError for a version that there is not."""
        if version not in VERSIONS:
            raise ValueError(f"the version must be one of {', '.join(filter(None, VERSIONS))}, or left out")
        self._players = VERSIONS[version]
        self._records: dict[str, PlanRecords] = {}
        """By the configuration's digest."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision, shape (k,)."""
        actions = np.zeros(len(decisions), np.int64)
        configuration = decisions.configuration
        player = self._players[configuration.variant.ruleset]
        if configuration.digest not in self._records:
            self._records[configuration.digest] = player.records_for(configuration)
        records = self._records[configuration.digest]
        player.act(decisions.views, decisions.masks, configuration.rules, *records, actions)
        return actions
