"""What an agent that is tuned declares of its parameters."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Parameter:
    """An integer that an agent is tuned by."""

    default: int
    low: int
    """The least value that is tried."""
    high: int
    """The greatest."""
    meaning: str


def defaults_of(parameters: Mapping[str, Parameter]) -> dict[str, int]:
    """The default of each parameter."""
    return {name: parameter.default for name, parameter in parameters.items()}
