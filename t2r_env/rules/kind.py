"""What a kind of game is: all that the rest of the library needs of its rules."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from t2r_env.rules.layout import Layout, Segments
from t2r_env.rules.observe import OBSERVATION, TRUTH
from t2r_env.rules.setup import Setup
from t2r_env.rules.snapshot import SharedSnapshot
from t2r_env.rules.words import SharedWords

Function = Callable[..., Any]


@dataclass(frozen=True)
class Kind:
    """A kind of game. Each is a package of the same modules, in which these have the same names."""

    setup: type[Setup]
    state: np.dtype[Any]
    """Of its State records."""
    scratch: np.dtype[Any]
    phases: tuple[str, ...]
    """The names of its questions, by number."""
    lay_out_actions: Callable[..., Segments]
    lay_out_vector: Callable[..., Segments]
    """Where things lie in the observation or the truth, for a setup."""
    make_rules: Function
    """The Rules record, for a setup and its layout."""
    opening: Function
    """The State before the deal, for a Rules record."""
    words: Callable[..., SharedWords]
    snapshot: Callable[..., SharedSnapshot]
    find_fault: Callable[..., str]
    """What is wrong with states from outside."""
    # Compiled functions
    deal: Function
    apply: Function
    """What an answer does; if the turn is then over, the phase says so."""
    end_turn: Function
    """What follows a turn: another one, or whatever the rules say."""
    legal: Function
    observe: Function
    tell_truth: Function
    hide: Function
    deal_anew: Function

    def lay_out(self, setup: Setup) -> Layout:
        """Where observation, truth and actions lie."""
        observation, truth = (self.lay_out_vector(setup, vector) for vector in (OBSERVATION, TRUTH))
        return Layout(observation, truth, self.lay_out_actions(setup))

    def new_states(self, number: int) -> np.ndarray[Any, Any]:
        """Blank states, one row a game."""
        return np.zeros(number, self.state)

    def new_scratch(self) -> np.ndarray[Any, Any]:
        """Room for one thread to compute in: an array of one record."""
        return np.zeros(1, self.scratch)
