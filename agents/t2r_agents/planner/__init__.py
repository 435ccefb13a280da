"""The planner: the strongest of the agents that do not search.

It plans all its tickets at once, collects cards for the plan, and waits with claims until the plan is nearly paid for.
Its parameters are tuned for each game and number of players (`benchmarks.tune`, `tuned.py`).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.planner import card_game, map_game
from t2r_agents.planner.parameters import Parameter, check_parameters
from t2r_agents.planner.tuned import tuned_parameters
from t2r_agents.records import PlanRecords
from t2r_env import Configuration
from t2r_env.agents import Decisions

PLAYERS: dict[str, Any] = {"map_game": map_game, "card_game": card_game}
"""How it plays, by ruleset: modules with `parameters_for(configuration)`, `records_for(configuration, parameters)` and
a compiled `act`."""


class PlannerAgent:
    """Plans its tickets and waits for its cards. It is deterministic: the same decision always gets the same action."""

    stateless = True

    def __init__(self, *, parameters: Mapping[str, int] | None = None) -> None:
        """`parameters` replace those of the table of tuned ones.

        A parameter that there is not, or a value outside its range, is a ValueError where the agent first acts.
        """
        self._given = dict(parameters or {})
        self._records: dict[Configuration, PlanRecords] = {}

    def tunable_parameters(self, configuration: Configuration) -> dict[str, Parameter]:
        """What can be tuned for a configuration; the defaults are the values that this agent plays it with."""
        ranges: Mapping[str, Parameter] = PLAYERS[configuration.variant.ruleset].parameters_for(configuration)
        values = check_parameters(ranges, {**tuned_parameters(configuration), **self._given})
        return {name: replace(it, default=values.get(name, it.default)) for name, it in ranges.items()}

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision, shape (k,)."""
        actions = np.zeros(len(decisions), np.int64)
        configuration = decisions.configuration
        player = PLAYERS[configuration.variant.ruleset]
        if configuration not in self._records:
            values = {name: it.default for name, it in self.tunable_parameters(configuration).items()}
            self._records[configuration] = player.records_for(configuration, values)
        records = self._records[configuration]
        player.act(decisions.views, decisions.masks, configuration.rules, *records, actions)
        return actions


def records_for(configuration: Configuration) -> PlanRecords:
    """What the planner plans with: its tuned parameters, and scratch memory of its own."""
    values = {name: it.default for name, it in PlannerAgent().tunable_parameters(configuration).items()}
    records: PlanRecords = PLAYERS[configuration.variant.ruleset].records_for(configuration, values)
    return records
