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
from t2r_agents.planner import PlannerAgent
from t2r_env import Configuration
from t2r_env.core.layout import Segments
from t2r_env.features import Array

RULESETS: dict[str, Any] = {"map_game": map_game, "card_game": card_game}
"""By ruleset: modules with `lay_out` and a compiled `write`."""
VERSION = 1
"""The version of what the segments mean."""
ALWAYS_ZERO = {
    "map_game": (
        "endgame_trains",
        "min_trains_to_draw_tickets",
        "prefers_long_routes",
        "reserve_divisor",
        "tickets_per_100_trains",
    ),
    "card_game": (),
}
"""Names that belong to what this version is computed from, by ruleset."""
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
        self._parameters, self._plan = PlannerAgent().records_for(configuration)
        values = {name: int(self._parameters[name][0]) for name in self._parameters.dtype.names or ()}
        values |= dict.fromkeys(ALWAYS_ZERO[configuration.variant.ruleset], 0)
        told = f"{VERSION} {sorted(values.items())}"
        self.version = zlib.crc32(told.encode())
        """Another one if the planner has other parameters: what learned from its plans must be trained again."""

    def write(self, views: Array, masks: NDArray[np.int8], vectors: NDArray[np.uint8]) -> None:
        """As in `t2r_env.features.Features`."""
        write = RULESETS[self.configuration.variant.ruleset].write
        plan, probe = np.zeros_like(self._plan), np.zeros_like(self._plan)  # several threads may be here
        write(views, masks, self.configuration.rules, self._parameters, plan, probe, self._at, vectors)
