"""Small agents for tournaments: predictable ones, and some that fail."""

import os

import numpy as np
from numpy.typing import NDArray

from t2r_env.agents import Decisions, RandomAgent

SELDOM = 120
"""One decision of so many is a bad moment for those who fail now and then."""


class First:
    """Always gives the first legal answer."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """The least legal action of each decision."""
        return np.array([np.flatnonzero(mask)[0] for mask in decisions.masks], np.int64)


class Last:
    """Always gives the last legal answer."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """The greatest legal action of each decision."""
        return np.array([np.flatnonzero(mask)[-1] for mask in decisions.masks], np.int64)


class Told(First):
    """Always gives the first legal answer, and is told something by its name."""

    def __init__(self, word: str) -> None:
        self.word = word


class Alone(First):
    """Raises an exception when it is asked more than one decision."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """The first legal action of a decision."""
        if len(decisions) > 1:
            raise RuntimeError("one at a time, please")
        return super().act(decisions)


class Crashing(RandomAgent):
    """Plays at random, and raises an exception now and then."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision, or none at all."""
        if (decisions.seeds % SELDOM == 0).any():
            raise RuntimeError("out of\n  ideas")
        return super().act(decisions)


class Quitting(First):
    """Ends the program."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """No answer."""
        raise SystemExit("enough")


class Illegal(RandomAgent):
    """Plays at random, and passes now and then, which the rules seldom allow."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision but some."""
        wanted = decisions.configuration.layout.actions["pass"].start
        return np.where(decisions.seeds % SELDOM == 0, wanted, super().act(decisions))


class Unheard:
    """Names an action that there is not."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A number beyond all actions for each decision."""
        return np.full(len(decisions), decisions.masks.shape[1])


class Fractional:
    """Its answers are no integers."""

    def act(self, decisions: Decisions) -> NDArray[np.float64]:
        """A half for each decision."""
        return np.full(len(decisions), 0.5)


class TooFew:
    """Leaves a decision out."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """An answer less than there are decisions."""
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
    """The name by which a tournament finds one of these."""
    return f"{__name__}:{agent.__name__}"
