"""The features `plan`: the planner's plan of a decision, what is missing for it, and what the planner would do.

One plan is made for each decision; all segments and the planner's action come from it. By which planner, each ruleset's
module says in one place: `map_game.make_plan_and_decide` and `card_game.make_plan_and_decide`.
"""

import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.features import card_game, map_game
from t2r_agents.features.segments import SEGMENTS
from t2r_env import Configuration
from t2r_env.core.layout import Segments
from t2r_env.features import Array

RULESETS: dict[str, Any] = {"map_game": map_game, "card_game": card_game}
"""By ruleset: modules with `lay_out`, `records_for` and a compiled `write`."""
VERSION = 1
"""Of what the segments mean."""
NOWHERE = -1
"""Where a segment lies that the configuration does not have."""


class PlanFeatures:
    """Features from the plan of the acting seat, for one configuration; all games have them."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        ruleset = RULESETS[configuration.variant.ruleset]
        self.segments = Segments(SEGMENTS, ruleset.lay_out(configuration))
        starts = {name: segment.start for name, segment in self.segments.items()}
        self._at = np.array([starts.get(name, NOWHERE) for name in SEGMENTS], np.int64)
        self._records = ruleset.records_for(configuration)
        record = self._records.parameters[0]
        told = f"{VERSION} {[(name, int(record[name])) for name in sorted(record.dtype.names)]}"
        self.version = zlib.crc32(told.encode())
        """Another one if the planner has other parameters: what learned from its plans must be trained anew."""

    def write(self, views: Array, masks: NDArray[np.int8], vectors: NDArray[np.uint8]) -> None:
        """As in `t2r_env.features.Features`."""
        parameters, *scratch = self._records
        write = RULESETS[self.configuration.variant.ruleset].write
        own = [np.zeros_like(record) for record in scratch]  # several threads may be here
        write(views, masks, self.configuration.rules, parameters, *own, self._at, vectors)
