"""Parameters: the integers that an agent's play depends on, with the ranges in which they may be tuned.

A class with a field for each describes a record of them:

    class Parameters:
        claim_cost: int = parameter(20, 0, 60, "for the turn in which a route is claimed")
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from t2r_env.agents import Array
from t2r_env.basics.checks import check_integer
from t2r_env.basics.reading import shown


@dataclass(frozen=True)
class Parameter:
    """An integer from `low` to `high`, both included."""

    default: int
    low: int
    high: int
    meaning: str
    """The meaning in a phrase, with the unit."""

    def __post_init__(self) -> None:
        """Raise ValueError unless low <= default <= high and low < high."""
        check_integer("default", self.default, self.low, self.high)
        check_integer("high", self.high, self.low + 1)


def parameter(default: int, low: int, high: int, meaning: str) -> Any:
    """Return a parameter as the field of a class."""
    return Parameter(default, low, high, meaning)


def parameters_of(described: type) -> dict[str, Parameter]:
    """Return the parameters of a class by name."""
    return {name: value for name, value in vars(described).items() if isinstance(value, Parameter)}


def defaults_of(parameters: Mapping[str, Parameter]) -> dict[str, int]:
    """Return the default of each parameter."""
    return {name: parameter.default for name, parameter in parameters.items()}


def check_parameters(ranges: Mapping[str, Parameter], given: Mapping[str, object]) -> dict[str, int]:
    """Return the given values. Raises ValueError for an unknown name, and for a value outside its range."""
    if unknown := sorted(given.keys() - ranges.keys()):
        raise ValueError(f"there is no parameter {shown(unknown[0])}; there are: {', '.join(ranges) or 'none'}")
    return {name: check_integer(name, value, ranges[name].low, ranges[name].high) for name, value in given.items()}


class Records(NamedTuple):
    """The memory of an agent that plans: arrays of one record each."""

    parameters: Array
    plan: Array
    """Written at each decision."""


def new_records(values: Mapping[str, int], plan: np.dtype[Any]) -> Records:
    """Return records with these values of all parameters, and an empty plan of this type."""
    record = np.zeros(1, np.dtype((np.record, np.dtype([(name, np.int64) for name in values], align=True))))
    record[0] = tuple(values.values())
    return Records(record, np.zeros(1, plan))
