"""The features `plan`: the planner's plan of a decision, what is missing for it, and what the planner would do.

One plan is made for each decision; all segments and the planner's action come from it. The planner is called in one
place for each ruleset: `map_game.make_plan_and_decide` and `card_game.make_plan_and_decide`.
"""

import zlib
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.features import card_game, map_game
from t2r_agents.playing.features.segments import SEGMENTS, segments
from t2r_agents.playing.planner import PlannerAgent, PlanningAgent
from t2r_env import Configuration
from t2r_env.core.compiled import cached, for_record
from t2r_env.core.layout import Segments
from t2r_env.features import Array
from t2r_env.rules.rulesets import RULESETS

_MODULES: dict[str, Any] = {"map_game": map_game, "card_game": card_game}
"""The modules of each ruleset, with `lay_out` and a compiled `write`."""
_write_one = for_record({RULESETS[name].state: module.write for name, module in _MODULES.items()})
"""(view, mask, rules, parameters, plan, probe, at, vector): write the features of a decision into a vector."""
VERSIONS = {"map_game": 1, "card_game": 2}
"""The version of the segments' meaning, by ruleset."""
NOWHERE = -1
"""The place of a segment that the configuration does not have."""


@cached
def _write(
    views: Array, masks: Array, rules: Array, parameters: Array, plans: Array, probes: Array, at: Array, vectors: Array
) -> None:
    """Write the features of k decisions, (k,), into vectors, (k, size)."""
    for row in range(views.shape[0]):
        _write_one(views[row], masks[row], rules[0], parameters[0], plans[0], probes[0], at, vectors[row])


class PlanFeatures:
    """Features from the plan of the acting seat, for one configuration; all games have them."""

    planner: ClassVar[type[PlanningAgent]] = PlannerAgent
    """Whose plan it is."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        actions = (configuration.layout.actions.size,)
        first = segments.PLANNER_ACTION, actions, "one-hot: the action that the planner would choose"
        others = _MODULES[configuration.variant.ruleset].lay_out(configuration)
        self.segments = Segments(SEGMENTS, [first, *(part for part in others if all(part[1]))])
        starts = {name: segment.start for name, segment in self.segments.items()}
        self._at = np.array([starts.get(name, NOWHERE) for name in SEGMENTS], np.int64)
        self._parameters, self._plan = self.planner().records_for(configuration)
        values = {name: int(self._parameters[name][0]) for name in self._parameters.dtype.names or ()}
        told = f"{VERSIONS[configuration.variant.ruleset]} {sorted(values.items())}"
        self.version = zlib.crc32(told.encode())
        """The version, which changes with the planner's parameters: policies for another one must be trained again."""

    def write(self, views: Array, masks: NDArray[np.int8], vectors: NDArray[np.uint8]) -> None:
        """Write the features of k decisions; see `t2r_env.features.Features`."""
        plan, probe = (np.zeros(1, self._plan.dtype) for _ in range(2))  # several threads may be here
        _write(views, masks, self.configuration.rules, self._parameters, plan, probe, self._at, vectors)
