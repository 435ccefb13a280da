"""The parts that the environments of all libraries share."""

from typing import Any

import numpy as np
from gymnasium.logger import warn
from gymnasium.spaces import Box, Dict

from t2r_env.core.layout import Layout

Observation = dict[str, Any]


def observation_space(layout: Layout, seed: int | None = None) -> Dict:
    """Return the space of one seat's observations with their action masks."""
    vector = Box(0, 255, (layout.observation.size,), np.uint8)
    mask = Box(0, 1, (layout.actions.size,), np.int8)
    return Dict({"observation": vector, "action_mask": mask}, seed=seed)


def warn_of_illegal_action(action: int, seat: int) -> None:
    """Log a warning that an illegal action has ended a game. Each environment does so once: its infos tell of all."""
    warn(
        f"the action {action} of player_{seat} was not legal, and so it ended the game with a reward of -1: legal are"
        " those whose action_mask is 1. This warning comes once; info['illegal_action'] always tells. To get an error"
        ' instead, create the environment with illegal_action="raise"'
    )
