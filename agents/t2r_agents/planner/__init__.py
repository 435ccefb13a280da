"""The planner: the strongest of the agents that do not search.

It plans all its tickets at once, collects cards for the plan, and waits with claims until the plan is nearly paid for.
Its parameters are tuned for each game and number of players (`t2r tune`, `tuned.py`).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents import planner_v1
from t2r_agents.planner import card_game, map_game
from t2r_agents.planner.parameters import Parameter, check_parameters, defaults_of
from t2r_agents.planner.tuned import tuned_parameters
from t2r_agents.records import PlanRecords
from t2r_env import Configuration
from t2r_env.agents import Decisions

VERSIONS: dict[str, dict[str, Any]] = {
    "": {"map_game": map_game, "card_game": card_game},
    "v1": planner_v1.PLAYERS,
}
"""How it plays, by version and ruleset; the one without a name is the newest. Modules with a compiled `act` and
`records_for(configuration)`; those with `parameters_for(configuration)` take values for them as a second argument."""


class PlannerAgent:
    """Plans its tickets and waits for its cards. It is deterministic: the same decision always gets the same action.

    `planner` is the newest; `planner:v1` is that of version 0.1.
    """

    reads_observations = False
    stateless = True

    def __init__(self, version: str = "", parameters: Mapping[str, int] | None = None) -> None:
        """`parameters` replace those of the table of tuned ones.

        Raises ValueError for a version that there is not. A parameter that there is not, or a value outside its range,
        is a ValueError where the agent first acts.
        """
        if version not in VERSIONS:
            raise ValueError(f"the version must be one of {', '.join(filter(None, VERSIONS))}, or left out")
        self._players = VERSIONS[version]
        self._given = dict(parameters or {})
        self._records: dict[Configuration, PlanRecords] = {}

    def tunable_parameters(self, configuration: Configuration) -> dict[str, Parameter]:
        """What can be tuned for a configuration; the defaults are the values that this agent plays it with."""
        player = self._players[configuration.variant.ruleset]
        ranges: Mapping[str, Parameter] = getattr(player, "parameters_for", lambda _: {})(configuration)
        tuned = tuned_parameters(configuration) if ranges else {}
        values = check_parameters(ranges, {**tuned, **self._given})
        return {name: replace(it, default=values.get(name, it.default)) for name, it in ranges.items()}

    def default_parameters(self, configuration: Configuration) -> dict[str, int]:
        """The values that it would play a configuration with if there were no table of tuned ones, by name."""
        player = self._players[configuration.variant.ruleset]
        return defaults_of(getattr(player, "parameters_for", lambda _: {})(configuration))

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision, shape (k,)."""
        actions = np.zeros(len(decisions), np.int64)
        configuration = decisions.configuration
        player = self._players[configuration.variant.ruleset]
        if configuration not in self._records:
            values = {name: it.default for name, it in self.tunable_parameters(configuration).items()}
            self._records[configuration] = player.records_for(configuration, values)
        records = self._records[configuration]
        player.act(decisions.views, decisions.masks, configuration.rules, *records, actions)
        return actions


def records_for(configuration: Configuration) -> PlanRecords:
    """What the newest planner plans with: its tuned parameters, and scratch memory of its own."""
    values = {name: it.default for name, it in PlannerAgent().tunable_parameters(configuration).items()}
    records: PlanRecords = VERSIONS[""][configuration.variant.ruleset].records_for(configuration, values)
    return records
