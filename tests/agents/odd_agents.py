"""Small agents for tournaments: predictable ones, and some that fail."""

import os

import numpy as np
from numpy.typing import NDArray

from t2r_env.agents import Decisions, RandomAgent

SELDOM = 120
"""The agents that fail sometimes fail at one of so many decisions."""


class First:
    """Always chooses the first legal action."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """The lowest legal action of each decision."""
        return np.array([np.flatnonzero(mask)[0] for mask in decisions.masks], np.int64)


class Last:
    """Always chooses the last legal action."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """The highest legal action of each decision."""
        return np.array([np.flatnonzero(mask)[-1] for mask in decisions.masks], np.int64)


class Told(First):
    """Always chooses the first legal action; its name has an argument."""

    def __init__(self, word: str) -> None:
        self.word = word


class Alone(First):
    """Raises an exception if there is more than one decision."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """The first legal action of a decision."""
        if len(decisions) > 1:
            raise RuntimeError("one at a time, please")
        return super().act(decisions)


class Crashing(RandomAgent):
    """Plays at random, and sometimes raises an exception."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision, or an exception."""
        if (decisions.seeds % SELDOM == 0).any():
            raise RuntimeError("out of\n  ideas")
        return super().act(decisions)


class Quitting(First):
    """Ends the program."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Never returns."""
        raise SystemExit("enough")


class Illegal(RandomAgent):
    """Plays at random, and sometimes passes, which is seldom legal."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for most decisions."""
        wanted = decisions.configuration.layout.actions["pass"].start
        return np.where(decisions.seeds % SELDOM == 0, wanted, super().act(decisions))


class OutOfRange:
    """Returns an action that does not exist."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A number beyond all actions for each decision."""
        return np.full(len(decisions), decisions.masks.shape[1])


class Fractional:
    """Its actions are not integers."""

    def act(self, decisions: Decisions) -> NDArray[np.float64]:
        """A half for each decision."""
        return np.full(len(decisions), 0.5)


class TooFew:
    """Leaves out a decision."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """One action too few."""
        return np.zeros(len(decisions) - 1, np.int64)


class Dying(RandomAgent):
    """Ends the process in which it plays, in the middle of a game."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision of the first turns."""
        if (decisions.views["turn"] > 20).any():
            os._exit(1)
        return super().act(decisions)


class Interrupting(RandomAgent):
    """Presses Ctrl-C at the second deal that it plays."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision of the first deal."""
        self.decisions = getattr(self, "decisions", 0) + 1
        if self.decisions > 400:
            raise KeyboardInterrupt
        return super().act(decisions)


def path_of(agent: type) -> str:
    """The import path by which a tournament finds one of these agents."""
    return f"{__name__}:{agent.__name__}"
