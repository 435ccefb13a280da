"""What a ruleset is: all that the rest of the library needs of the rules of a kind of game."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from t2r_env.rules.configuration import Configuration
from t2r_env.rules.layout import Layout, Segments
from t2r_env.rules.observe import GLOBAL_STATE, OBSERVATION
from t2r_env.rules.snapshot import SharedSnapshot
from t2r_env.rules.text import SharedText

Function = Callable[..., Any]


_BY_NAME: dict[str, "Ruleset"] = {}


def ruleset_named(name: str) -> "Ruleset":
    """The ruleset of this name. Raises KeyError if there is none."""
    return _BY_NAME[name]


@dataclass(frozen=True)
class Ruleset:
    """Map games or card games. Each is a package of the same modules, in which these have the same names."""

    name: str
    """As variant.toml has it."""
    configuration: type[Configuration]
    state: np.dtype[Any]
    """Of its State records."""
    scratch: np.dtype[Any]
    phases: tuple[str, ...]
    """The names of its phases, by number."""
    lay_out_actions: Callable[..., Segments]
    lay_out_vector: Callable[..., Segments]
    """Where things lie in the observation or the global state, for a configuration."""
    make_rules: Function
    """The Rules record, for a configuration and its layout."""
    opening: Function
    """The State before the deal, for a Rules record."""
    text: Callable[..., SharedText]
    snapshot: Callable[..., SharedSnapshot]
    find_fault: Callable[..., str]
    """What is wrong with states from outside."""
    # Compiled functions
    deal: Function
    apply: Function
    """What an action does; if the turn is then over, the phase says so."""
    end_turn: Function
    """What follows a turn: another one, or whatever the rules say."""
    legal: Function
    observe: Function
    write_global_state: Function
    blank_unknown: Function
    determinize_state: Function

    def __post_init__(self) -> None:
        _BY_NAME[self.name] = self

    def __reduce__(self) -> tuple[Any, ...]:
        return ruleset_named, (self.name,)  # compiled functions stay where they are

    def lay_out(self, configuration: Configuration) -> Layout:
        """Where observations, global states and actions lie."""
        observation, global_state = (
            self.lay_out_vector(configuration, vector) for vector in (OBSERVATION, GLOBAL_STATE)
        )
        return Layout(observation, global_state, self.lay_out_actions(configuration))

    def new_states(self, number: int) -> np.ndarray[Any, Any]:
        """Blank states, one row a game."""
        return np.zeros(number, self.state)

    def new_scratch(self) -> np.ndarray[Any, Any]:
        """Room for one thread to compute in: an array of one record."""
        return np.zeros(1, self.scratch)
