"""Agents that tell all that they are handed, that fail, or that think for long."""

import hashlib
import threading

import numpy as np
from numpy.typing import NDArray

from t2r_env.agents import Decisions, Opinion


def first_legal(decisions: Decisions) -> NDArray[np.int64]:
    actions: NDArray[np.int64] = decisions.masks.argmax(axis=1)
    return actions


class TellingAgent:
    """Takes the first legal action, and tells a digest of all that it is handed but the seed."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        return first_legal(decisions)

    def opinions(self, decisions: Decisions) -> list[Opinion]:
        handed = (decisions.views, decisions.masks, decisions.observations)
        digest = hashlib.sha256(repr([array.tolist() for array in handed]).encode()).hexdigest()
        return [Opinion(int(action), None, digest) for action in self.act(decisions)]


class FailingAgent:
    """Raises what it sees, until `works` is set."""

    works = threading.Event()
    error: type[BaseException] = ValueError

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        if self.works.is_set():
            return first_legal(decisions)
        raise self.error(f"I may do {np.flatnonzero(decisions.masks[0]).tolist()}")


class SlowAgent:
    """Thinks until `goes_on` is set."""

    goes_on = threading.Event()

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        self.goes_on.wait(60)
        return first_legal(decisions)


FAILING, SLOW = (f"{__name__}:{agent.__name__}" for agent in (FailingAgent, SlowAgent))
"""Their import paths."""
