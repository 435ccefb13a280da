"""The agent `ismcts`: information-set Monte Carlo tree search, or with a policy the search of `policy_search`."""

import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.ismcts.records import EDGES, HISTORY, NODE, PATH, Buffers
from t2r_agents.playing.ismcts.tree import read_root, search
from t2r_agents.playing.planner import PlannerAgent
from t2r_env.agents import Array, Decisions, Opinion
from t2r_env.basics.cores import count_threads
from t2r_env.basics.packages import MissingExtraError
from t2r_env.basics.sizes import MAX_SEATS
from t2r_env.configuration import Configuration

if TYPE_CHECKING:
    from t2r_agents.playing.ismcts.policy_search import PolicySearch

SHIPPED_POLICY = "policy"
"""The name for the policy that comes with the library for the configuration."""
NUM_TREES = 4
"""The trees of a decision, over which its simulations are spread (root parallelisation). Their number does not
depend on the number of threads, so neither does the action."""
LOWER_BOUND_CONSTANT = 2.0
"""The action is the secure child (Chaslot et al. 2008), which has the greatest lower confidence bound: its mean value
less this constant divided by the square root of its visits."""
MAX_NODES = 1 << 16
"""The size of a tree that grows for a time; when it is full, the search goes on without expanding it."""
SIMULATIONS_PER_CLOCK_READ = 16
"""The most simulations between two looks at the clock; fewer when little time is left."""


class ISMCTSAgent:
    """An agent that searches, with a number of simulations or of seconds for each decision."""

    stateless = True

    def __init__(self, argument: str | int = "200", threads: int | None = None) -> None:
        """Set the budget, such as `1000` (simulations) or `0.5s`, and the threads, by default OMP_NUM_THREADS or
        one for each core.

        After the budget and a comma a policy may follow, which searches in one thread: a file
        (`0.2s,usa.safetensors`), or `policy`, which is the one that comes with the library (`0.2s,policy`).

        Raises ValueError if the budget is neither a positive integer nor a finite number of seconds, at least 0, and
        PolicyError if the file is no policy.
        """
        budget, comma, policy = str(argument).partition(",")
        self._simulations, self._seconds = _read_budget(budget)
        self._policy_search = _search_with(policy) if comma else None
        self._threads = threads or count_threads()
        self._executor = ThreadPoolExecutor(self._threads)
        self._thread_local = threading.local()

    def __deepcopy__(self, memo: dict[int, Any]) -> "ISMCTSAgent":
        """Return itself: it keeps nothing of a game, so copies of an environment share it, and its threads."""
        return self

    def check(self, configuration: Configuration) -> None:
        """Raise PolicyError if the policy, if there is one, does not fit the configuration or has no values."""
        if self._policy_search:
            self._policy_search.check(configuration)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return a legal action for each decision, shape (k,). A decision with one legal action is not searched.

        With a budget of simulations an action depends on its decision, its seed and the budget alone; with a budget of
        time also on the clock.
        """
        return self._choose(decisions)[0]

    def opinions(self, decisions: Decisions) -> list[Opinion]:
        """Return the actions of `act`, with each action's share of the visits in all trees together.

        The most visited action is not always the one with the highest lower bound, which is chosen. Chances to win are
        those of a network of values (`tell`): the values of the search count margins, too.
        """
        actions, visits = self._choose(decisions)
        shares = visits / visits.sum(axis=1, keepdims=True)
        return [
            Opinion(action, share, "share of visits", **told)
            for action, share, told in zip(actions.tolist(), shares, _told(decisions, actions), strict=True)
        ]

    def _choose(self, decisions: Decisions) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the actions, (k,), and the visits of each action, (k, actions)."""
        visits = decisions.masks.astype(np.float64)  # of decisions with one legal action
        actions = visits.argmax(axis=1)
        searched = np.flatnonzero(decisions.masks.sum(axis=1) > 1)
        for rows in [searched] if self._seconds is None else searched[:, None]:
            actions[rows], visits[rows] = self._search(decisions, rows)
        return actions, visits

    def _search(self, decisions: Decisions, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Search the decisions of these rows (k,) together; return their actions, (k,), and visits, (k, actions)."""
        if self._policy_search:
            chosen = decisions.take(rows)
            if self._seconds is None:
                return self._policy_search.search(chosen, self._simulations)[:2]
            return self._policy_search.search_for(chosen, self._seconds)[:2]
        num_trees = NUM_TREES if self._seconds is not None else min(NUM_TREES, self._simulations)
        num_actions = decisions.masks.shape[1]
        visits = np.zeros((len(rows), num_trees, num_actions))
        total_values = np.zeros((len(rows), num_trees, num_actions))
        began = time.monotonic()

        def search_tree(job: tuple[int, int]) -> None:
            index, tree = job
            nodes = self._grow_tree(decisions, int(rows[index]), tree, began)
            seat = int(decisions.views["current"][rows[index]])
            read_root(nodes, seat, visits[index, tree], total_values[index, tree])

        run = map if self._threads == 1 else self._executor.map  # a process without threads can be forked
        list(run(search_tree, np.ndindex(len(rows), num_trees)))
        root_visits, root_values = visits.sum(axis=1), total_values.sum(axis=1)
        divisor = np.maximum(root_visits, 1)
        lower_bounds = root_values / divisor - LOWER_BOUND_CONSTANT / np.sqrt(divisor)
        return np.where(root_visits > 0, lower_bounds, -np.inf).argmax(axis=1), root_visits

    def _grow_tree(self, decisions: Decisions, row: int, tree: int, began: float) -> Array:
        """Grow one of a decision's trees with its share of the budget since `began`; return its nodes."""
        configuration = decisions.configuration
        buffers = self._buffers_for(configuration)
        share = (self._simulations + NUM_TREES - 1 - tree) // NUM_TREES
        nodes = np.zeros(MAX_NODES if self._seconds is not None else share + 1, NODE)

        def simulate(begin: int, end: int) -> None:
            simulations = np.arange(begin, end) * NUM_TREES + tree
            search(decisions.views, row, configuration.rules, buffers, nodes, decisions.seeds, simulations)

        if self._seconds is None:
            simulate(0, share)
        else:
            rounds = math.ceil(NUM_TREES / self._threads)  # as many trees grow at a time as there are threads
            deadline = began + self._seconds * (tree // self._threads + 1) / rounds
            start = time.monotonic()
            done, number = 0, 1
            while number > 0:
                simulate(done, done + number)
                done += number
                now = time.monotonic()
                each = max(now - start, 1e-9) / done
                number = min(SIMULATIONS_PER_CLOCK_READ, int((deadline - now) / each))
        return nodes

    def _buffers_for(self, configuration: Configuration) -> Buffers:
        buffers: dict[Configuration, Buffers] = self._thread_local.__dict__.setdefault("buffers", {})
        if configuration not in buffers:
            buffers[configuration] = _new_buffers(configuration)
        return buffers[configuration]


def _new_buffers(configuration: Configuration) -> Buffers:
    ruleset = configuration.ruleset
    scratch = ruleset.new_scratch()
    parameters, plan = PlannerAgent().records_for(configuration)
    return Buffers(
        scratch=scratch.deciding,
        scoring=scratch.scoring,
        states=ruleset.new_states(1),
        mask=np.zeros(configuration.layout.actions.size, np.int8),
        edges=np.zeros(1, EDGES),
        path=np.zeros(1, PATH),
        values=np.zeros(MAX_SEATS),
        parameters=parameters,
        plans=np.repeat(plan, MAX_SEATS),
        histories=np.zeros(MAX_SEATS, HISTORY),
    )


def _told(decisions: Decisions, actions: NDArray[np.int64]) -> list[dict[str, Any]]:
    """Return what `tell` does; nothing without the extra that reads the networks' files."""
    try:
        from t2r_agents.playing.telling import tell
    except MissingExtraError:
        return [{}] * len(decisions)
    return tell(decisions, actions)


def _search_with(policy: str) -> "PolicySearch":
    """Return the search with the policy of a file, or with the one that comes with the library. Raises ValueError."""
    if not policy:
        raise ValueError(f"after the comma must follow the file of a policy, or {SHIPPED_POLICY!r}")
    from t2r_agents.playing.ismcts.policy_search import PolicySearch  # policies are read only where they are wanted
    from t2r_agents.playing.policy import Policy

    return PolicySearch(None if policy == SHIPPED_POLICY else Policy.load(policy))


def _read_budget(budget: str) -> tuple[int, float | None]:
    """Return the budget in simulations and None, or 0 and the budget in seconds."""
    try:
        simulations, seconds = (0, float(budget[:-1])) if budget.endswith("s") else (int(budget), None)
    except ValueError:
        simulations, seconds = 0, None
    if simulations < 1 and (seconds is None or not 0 <= seconds < np.inf):
        raise ValueError(
            f"the budget must be a number of simulations (200) or of seconds per decision (0.5s), got {budget!r}"
        )
    return simulations, seconds
