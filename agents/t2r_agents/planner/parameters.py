"""Parameters: the integers that an agent's play depends on, with the ranges in which they may be tuned."""

from collections.abc import Mapping
from dataclasses import dataclass

from t2r_env.checks import check_integer
from t2r_env.reading import shown


@dataclass(frozen=True)
class Parameter:
    """An integer from `low` to `high`, both included."""

    default: int
    low: int
    high: int
    meaning: str
    """In a sentence, with the unit."""

    def __post_init__(self) -> None:
        """Raise ValueError unless low <= default <= high and low < high."""
        check_integer("default", self.default, self.low, self.high)
        check_integer("high", self.high, self.low + 1)


def check_parameters(ranges: Mapping[str, Parameter], given: Mapping[str, object]) -> dict[str, int]:
    """The given values. Raises ValueError for a name that there is not, and for a value outside its range."""
    if unknown := sorted(given.keys() - ranges.keys()):
        raise ValueError(f"there is no parameter {shown(unknown[0])}; there are: {', '.join(ranges) or 'none'}")
    return {name: check_integer(name, value, ranges[name].low, ranges[name].high) for name, value in given.items()}


def defaults_of(ranges: Mapping[str, Parameter]) -> dict[str, int]:
    """The default of each parameter."""
    return {name: parameter.default for name, parameter in ranges.items()}
