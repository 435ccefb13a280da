"""The parts that the environments of all libraries share."""

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from gymnasium.logger import warn
from gymnasium.spaces import Box, Dict
from numpy.typing import NDArray

from t2r_env.checks import check_choice
from t2r_env.core.layout import Layout

ObservationForm = Literal["dict", "vector"]
"""The form of observations: a dictionary of the vector and the action mask, or the vector alone."""
Observation: TypeAlias = Any
"""A dictionary of arrays or one array: the argument `observation` decides, so type checkers can't tell."""
ObservationSpace: TypeAlias = Any
"""A `Dict` or a `Box`, as the argument says."""


def check_form(observation: ObservationForm) -> ObservationForm:
    """Return the argument `observation` of an environment. Raises ValueError if it names no form."""
    return check_choice("observation", observation, get_args(ObservationForm))


def observation_space(layout: Layout, form: ObservationForm, seed: int | None = None) -> ObservationSpace:
    """Return the space of one seat's observations in this form."""
    vector = Box(0, 255, (layout.observation.size,), np.uint8, seed=seed)
    if form == "vector":
        return vector
    mask = Box(0, 1, (layout.actions.size,), np.int8)
    return Dict({"observation": vector, "action_mask": mask}, seed=seed)


def in_form(form: ObservationForm, vectors: NDArray[np.uint8], masks: NDArray[np.int8]) -> Observation:
    """Return observations in this form, given vectors (..., size) and action masks (..., actions)."""
    return vectors if form == "vector" else {"observation": vectors, "action_mask": masks}


def warn_of_illegal_action(action: int, seat: int) -> None:
    """Log a warning that an illegal action has ended a game. Each environment does so once: its infos tell of all."""
    warn(
        f"the action {action} of player_{seat} was not legal, and so it ended the game with a reward of -1: legal are"
        " those whose action_mask is 1. This warning comes once; info['illegal_action'] always tells. To get an error"
        ' instead, create the environment with illegal_action="raise"'
    )
