"""The greedy agent: a baseline that plays as a sensible person does, without search and without randomness."""

from collections.abc import Callable, Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from t2r_agents.greedy import card_game, map_game
from t2r_agents.records import PlanRecords
from t2r_agents.route_plan import records as route_plan
from t2r_env.agents import Decisions

_NEW_RECORDS: dict[str, Callable[..., PlanRecords]] = {
    "map_game": route_plan.new_records,
    "card_game": card_game.new_records,
}


class GreedyAgent:
    """Plans its tickets and plays by its plan. It is deterministic: the same decision always gets the same action.

    Subclasses play otherwise by replacing `parameters` or `act_functions`, both by ruleset.
    """

    parameters: ClassVar[Mapping[str, Mapping[str, int]]] = {}
    """The parameters that differ from the defaults (`t2r_agents.route_plan.records`, `.greedy.card_game.records`)."""
    act_functions: ClassVar[Mapping[str, Callable[..., None]]] = {"map_game": map_game.act, "card_game": card_game.act}
    """The compiled functions that choose actions."""
    stateless = True

    def __init__(self) -> None:
        self._records = {
            ruleset: new_records(**self.parameters.get(ruleset, {})) for ruleset, new_records in _NEW_RECORDS.items()
        }

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision, shape (k,)."""
        actions = np.zeros(len(decisions), np.int64)
        configuration = decisions.configuration
        ruleset = configuration.variant.ruleset
        records = self._records[ruleset]
        self.act_functions[ruleset](decisions.views, decisions.masks, configuration.rules, *records, actions)
        return actions
