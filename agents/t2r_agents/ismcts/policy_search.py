"""Search with a policy: a few of its actions are compared by short games, which it plays and values at their end.

Only the searcher's decision is searched, so no tree is needed. All other decisions of a simulation, the searcher's own
later ones too, are the policy's, from the view of the seat that acts: what the searcher holds can't tell an opponent
what to do, and what a determinization shows can't tell the searcher. This is one step of policy improvement by
truncated rollouts (Tesauro and Galperin 1996), whose simulations go to the actions by sequential halving, the policy's
logits added to their values (Danihelka et al. 2022).
"""

import threading
import time

import numpy as np
from numpy.typing import NDArray

from t2r_agents.policy import Policy, draw_actions, shipped_policy
from t2r_agents.policy_file import PolicyError
from t2r_env import Configuration, Games
from t2r_env import batch as core
from t2r_env.agents import Decisions, decisions_of
from t2r_env.core.randomness import mix, next_seed
from t2r_env.rules.cards import FACE_UP_SLOTS
from t2r_env.rules.names import blocks, phases

ROWS = 64
"""The most simulations that advance together, with one evaluation of the network for all of them."""
MAX_CANDIDATES = 6
"""The most actions that are compared: those that the policy finds most probable."""
HORIZON = 8
"""The number of its own turns after which a simulation stops, unless the game ends first. A shorter one takes less
time, but then the policy's values tell too little about the actions."""
VALUE_ERROR = 0.02
"""How far the policy's values (-1 to 1) may be off between two actions, however many simulations there are."""
VALUE_WEIGHT = 3.0
"""How much an action's mean value counts against its logit, for each error of the mean."""


class PolicySearch:
    """The search for actions that are better than a policy's."""

    def __init__(self, policy: Policy | None) -> None:
        """Search with a policy; None: with the one that comes with the library for the configuration."""
        self._policy = policy
        self._thread_local = threading.local()

    def check(self, configuration: Configuration) -> None:
        """Raise PolicyError if the policy does not fit the configuration or has no values, or if there is none."""
        policy = self._policy or shipped_policy(configuration)
        policy.check(configuration)
        if not policy.value_layers:
            raise PolicyError("this policy has no values, which the search needs: train it again")

    def search(self, decision: Decisions, simulations: int, seconds: float | None) -> tuple[int, NDArray[np.float64]]:
        """Return the action chosen at one decision, and the visits of all actions, (actions,).

        It runs `simulations`, or goes on for `seconds`, unless these are None. Every candidate gets one
        simulation, even if that takes longer. Simulations that the end of the time interrupts do not count.
        """
        began = time.monotonic()
        deadline = np.inf if seconds is None else began + seconds
        table = self._table_for(decision.configuration)
        logits = _without_twins(decision, table.evaluate(decision)[0][0])
        compared = _Comparison(logits, MAX_CANDIDATES if seconds is not None else min(MAX_CANDIDATES, simulations))
        done, left = 0, simulations if seconds is None else MAX_CANDIDATES
        num_deals = 0
        while left >= len(compared.candidates) > 1:
            size = min(ROWS, left if done else len(compared.candidates)) // len(compared.candidates)
            deals = np.arange(num_deals, num_deals + size, dtype=np.uint64)
            values = table.simulate(decision, compared.candidates, deals, deadline if done else np.inf)
            if values is None:
                break
            num_deals += size
            done += values.size
            if seconds is None:
                left = simulations - done
            else:  # as many as fit into the rest of the time, if they take as long as those so far
                elapsed = max(time.monotonic() - began, 1e-6)
                left = max(0, int((seconds - elapsed) / elapsed * done))
            compared.add(values)
            compared.halve(done / (done + left))
        best = int(compared.candidates[0])
        compared.visits[best] = max(1, compared.visits[best])  # if there was nothing to compare it with
        return best, compared.visits

    def _table_for(self, configuration: Configuration) -> "_Table":
        tables: dict[Configuration, _Table] = self._thread_local.__dict__.setdefault("tables", {})
        if configuration not in tables:
            self.check(configuration)
            policy = self._policy or shipped_policy(configuration)
            tables[configuration] = _Table(configuration, policy)
        return tables[configuration]


class _Comparison:
    """The candidates that are left, with the results of their simulations."""

    def __init__(self, logits: NDArray[np.float64], most: int) -> None:
        """Compare the actions of the greatest logits (actions,), -inf for illegal ones; at most `most` of them."""
        legal = np.flatnonzero(logits > -np.inf)
        self.candidates = legal[np.argsort(-logits[legal], kind="stable")][:most]
        """The actions, the best first."""
        self.visits = np.zeros(len(logits))
        self._logits, self._totals = logits, np.zeros(len(logits))
        self._number = len(self.candidates)
        self._squares, self._freedom = 0.0, 0

    def add(self, values: NDArray[np.float64]) -> None:
        """Add the values of simulations, (deals, candidates), and put the best first."""
        deals, number = values.shape
        differences = values - values.mean(axis=1, keepdims=True)  # whether a deal is a good one does not matter
        self.visits[self.candidates] += deals
        self._totals[self.candidates] += differences.sum(axis=0)
        self._squares += float(np.sum(differences**2))
        self._freedom += deals * (number - 1)
        visits = self.visits[self.candidates]
        errors = np.sqrt(self._squares / self._freedom / visits + VALUE_ERROR**2)
        scores = self._logits[self.candidates] + VALUE_WEIGHT * self._totals[self.candidates] / visits / errors
        self.candidates = self.candidates[np.argsort(-scores, kind="stable")]

    def halve(self, spent: float) -> None:
        """Drop half of the candidates at a time, as the share of the budget that is spent (0 to 1) grows."""
        halvings = int((self._number - 1).bit_length() * spent)
        self.candidates = self.candidates[: max(2, self._number >> halvings)]


class _Table:
    """The simulated games of one configuration, and the policy that plays them."""

    def __init__(self, configuration: Configuration, policy: Policy) -> None:
        self._policy = policy
        self._games = Games(configuration, batch=ROWS, autoreset=False)
        self._scratch = configuration.ruleset.new_scratch()

    def evaluate(self, decisions: Decisions) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the logits (k, actions), -inf for illegal actions, and the values (k,) of the acting seats."""
        logits, values = self._policy.logits_and_values(self._policy.inputs(decisions))
        return np.where(decisions.masks == 1, logits.astype(np.float64), -np.inf), values.astype(np.float64)

    def simulate(
        self, decision: Decisions, candidates: NDArray[np.int64], numbers: NDArray[np.uint64], deadline: float
    ) -> NDArray[np.float64] | None:
        """Return the simulations' values for the acting seat, (deals, candidates); None if the time ends before them.

        Each candidate is tried in the same determinizations, and the actions that follow are drawn from the same
        random numbers, so that luck tells less of the difference. Both depend on the decision's seed and on the
        numbers of the determinizations, (deals,), alone.
        """
        games, configuration = self._games, decision.configuration
        seat, turn = (int(decision.views[name][0]) for name in ("current", "turn"))
        seeds = np.array([next_seed(decision.seeds[0] ^ mix(number)) for number in numbers], np.uint64)
        deals = np.repeat(np.arange(len(numbers)), len(candidates))
        rows = np.arange(len(deals))
        zeros = np.zeros_like(rows)
        core.determinize_rows(
            decision.views, configuration.rules, self._scratch.deciding, zeros, seeds[deals], games.states
        )
        core.run(core.RESUME, games.core_batch, self._scratch, rows)
        games.step(np.tile(candidates, len(numbers)), rows)
        rngs = [np.random.default_rng(seed) for seed in seeds]
        values = np.zeros(len(rows))
        while True:
            ended = games.terminated[rows] | games.truncated[rows]
            values[rows[ended]] = games.rewards[rows[ended], seat]
            rows = rows[~ended]
            if not rows.size:
                return values.reshape(len(numbers), len(candidates))
            if time.monotonic() > deadline:
                return None
            logits, leaf_values = self.evaluate(decisions_of(games, rows, np.zeros(len(rows), np.uint64)))
            states = games.states[rows]
            is_own_turn = (states["current"] == seat) & (states["phase"] == phases.TURN)
            is_leaf = is_own_turn & (states["turn"] >= turn + HORIZON * configuration.num_players)
            values[rows[is_leaf]] = leaf_values[is_leaf]
            rows = rows[~is_leaf]
            drawn = np.array([rng.random() for rng in rngs])[deals[rows]]
            logits = logits[~is_leaf]
            games.step(draw_actions(np.exp(logits - logits.max(axis=1, keepdims=True)), drawn), rows)


def _without_twins(decision: Decisions, logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return logits (actions,) in which the first of equal face-up cards stands for all of them."""
    logits = logits.copy()
    cards = decision.views["face_up"][0]
    first = int(decision.configuration.rules["first_action"][0, blocks.DRAW_FACE_UP])
    for slot in range(FACE_UP_SLOTS):
        for other in range(slot):
            if cards[other] == cards[slot] and logits[first + slot] > -np.inf and logits[first + other] > -np.inf:
                logits[first + other] = np.logaddexp(logits[first + other], logits[first + slot])
                logits[first + slot] = -np.inf
    return logits
