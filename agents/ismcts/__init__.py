"""The agent `ismcts`: a tree search over deals of what its seat can't know."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.ismcts import card_game, map_game
from agents.ismcts.tree import NODE, NOTES, count_visits, search
from t2r_env.agents import Array, Decisions
from t2r_env.configuration import Configuration
from t2r_env.sizes import MAX_SEATS

TREES = 4
"""A decision's simulations are spread over so many trees, however many threads there are: its answer is the same."""
DOUBT = 2.0
"""What an answer brought in the mean is trusted less by this, divided by the root of how often it was tried."""
MOST_NODES = 1 << 16
"""Of a tree that grows for a time; then it adds none."""
AT_ONCE = 16
"""Simulations between two looks at the clock."""

_PLAYERS: dict[str, Any] = {"map_game": map_game, "card_game": card_game}


class Desk(NamedTuple):
    """Room for one thread to search in, for one configuration: arrays of one record, and of one plan for each seat."""

    scratch: Array
    states: Array
    plans: Array
    mask: NDArray[np.int8]
    notes: Array


class ISMCTSAgent:
    """Searches for its chosen with so many simulations, or for so many seconds a move."""

    def __init__(self, budget: str = "200", threads: int | None = None) -> None:
        """A budget like `1000` simulations or `0.5s`; as many threads as there are cores."""
        self._simulations, self._seconds = _read_budget(budget)
        self._threads = threads or os.cpu_count() or 1
        self._executor = ThreadPoolExecutor(self._threads)
        self._own = threading.local()

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision, shape (k,). What has one legal answer is not searched."""
        chosen = decisions.masks.argmax(axis=1).astype(np.int64)
        searched = np.flatnonzero(decisions.masks.sum(axis=1) > 1)
        if self._seconds is None:
            self._action(decisions, searched, chosen)
        else:
            for row in searched:
                self._action(decisions, np.array([row]), chosen)
        return chosen

    def _action(self, decisions: Decisions, rows: NDArray[np.int64], chosen: NDArray[np.int64]) -> None:
        """Write the chosen that surely bring most, by what they brought in all trees."""
        num_actions = decisions.masks.shape[1]
        visits = np.zeros((len(rows), TREES, num_actions))
        totals = np.zeros((len(rows), TREES, num_actions))

        def grow(job: tuple[int, int]) -> None:
            number, tree = job
            nodes = self._grow(decisions, int(rows[number]), tree)
            count_visits(
                nodes, int(decisions.views["current"][rows[number]]), visits[number, tree], totals[number, tree]
            )

        trees = TREES if self._seconds is not None else min(TREES, self._simulations)
        list(self._executor.map(grow, np.ndindex(len(rows), trees)))
        for row, tried, brought in zip(rows, visits.sum(1), totals.sum(1), strict=True):
            times = np.maximum(tried, 1)
            surely = np.where(tried > 0, brought / times - DOUBT / np.sqrt(times), -np.inf)
            chosen[row] = surely.argmax()

    def _grow(self, decisions: Decisions, row: int, tree: int) -> Array:
        """The nodes of one of a decision's trees."""
        configuration = decisions.configuration
        desk = self._desk(configuration)
        share = (self._simulations + TREES - 1 - tree) // TREES
        nodes = np.zeros(MOST_NODES if self._seconds is not None else share + 1, NODE)

        def simulate(begin: int, end: int) -> None:
            numbers = np.arange(begin, end) * TREES + tree
            search(decisions.views, row, configuration.rules, *desk, nodes, decisions.seeds, numbers)

        if self._seconds is None:
            simulate(0, share)
        else:
            deadline = time.monotonic() + self._seconds * min(1, self._threads / TREES)
            done = 0
            while done == 0 or time.monotonic() < deadline:
                simulate(done, done + AT_ONCE)
                done += AT_ONCE
        return nodes

    def _desk(self, configuration: Configuration) -> Desk:
        """This thread's desk."""
        desks: dict[str, Desk] = self._own.__dict__.setdefault("desks", {})
        if configuration.digest not in desks:
            ruleset = configuration.ruleset
            plans = _PLAYERS[configuration.variant.ruleset].new_plans(configuration, MAX_SEATS)
            mask = np.zeros(configuration.layout.actions.size, np.int8)
            desks[configuration.digest] = Desk(
                ruleset.new_scratch(), ruleset.new_states(1), plans, mask, np.zeros(1, NOTES)
            )
        return desks[configuration.digest]


def _read_budget(budget: str) -> tuple[int, float | None]:
    """Simulations, and seconds if they are the budget."""
    try:
        simulations, seconds = (0, float(budget[:-1])) if budget.endswith("s") else (int(budget), None)
    except ValueError:
        simulations, seconds = 0, None
    if simulations < 1 and (seconds is None or not 0 <= seconds < np.inf):
        raise ValueError(f"the budget is a number of simulations (200) or of seconds a move (0.5s), not {budget!r}")
    return simulations, seconds
