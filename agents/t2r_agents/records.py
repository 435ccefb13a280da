"""The records of agents that plan. Python makes them once, compiled functions read and write them in place."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from t2r_env.agents import Array


class PlanRecords(NamedTuple):
    """What an agent plans with: structured arrays of length 1, in the order in which functions take them."""

    parameters: Array
    """What agents differ in. Planning only reads it."""
    plan: Array
    """The result of planning."""
    workspace: Array
    """Scratch memory of planning."""


def new_record(dtype: np.dtype[Any], values: Mapping[str, int]) -> Array:
    """A record with these fields set and all others zero, shape (1,). Raises ValueError for a name that is no field."""
    record = np.zeros(1, dtype)
    for name, value in values.items():
        record[name] = value
    return record
