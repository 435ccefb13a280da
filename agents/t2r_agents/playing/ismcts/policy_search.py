"""Search with a policy: a few of its actions are compared by short games, whose ends it values.

Only the searcher's decision is searched, so no tree is needed. All other decisions of a simulation, the searcher's own
later ones too, are made by a player that is quicker than the policy and plays nearly as it does (simulation.py), from
what the seat that acts may know: what the searcher holds can't tell an opponent what to do, and what a determinization
shows can't tell the searcher. This is one step of policy improvement by truncated rollouts (Tesauro and
Galperin 1996), whose simulations go to the actions by sequential halving, the policy's logits added to their values
(Danihelka et al. 2022).

Decisions of many games are searched together: each round of simulations is one batch.
"""

import threading
import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.beliefs import find_beliefs
from t2r_agents.playing.ismcts.records import HISTORY
from t2r_agents.playing.ismcts.simulation import Ends, Jobs, Player, simulate
from t2r_agents.playing.network import Layer
from t2r_agents.playing.planner import PlannerAgent
from t2r_agents.playing.policy import Policy, relative_probabilities, shipped_policy
from t2r_agents.playing.policy_file import PolicyError
from t2r_env import Configuration
from t2r_env.agents import Array, Decisions
from t2r_env.basics.sizes import MAX_SEATS
from t2r_env.rules.cards import FACE_UP_SLOTS
from t2r_env.rules.names import blocks

MAX_CANDIDATES = 6
"""The most actions that are compared: those that the policy finds most probable."""
ROUNDS = 3
"""The parts into which a budget is divided; after each of them half of the candidates are dropped."""
HORIZON = 8
"""The number of its own turns after which a simulation stops, unless the game ends first. A shorter one takes less
time, but then the policy's values tell too little about the actions."""
VALUE_ERROR = 0.02
"""How far the policy's values (-1 to 1) may be off between two actions, however many simulations there are."""
VALUE_WEIGHT = 3.0
"""How much an action's mean value counts against its logit, for each error of the mean."""
SIMULATIONS_PER_CLOCK_READ = 64
"""The most simulations between two looks at the clock; fewer when little time is left."""
CANDIDATE = np.dtype(
    [("action", np.int64), ("logit", np.float64), ("visits", np.int64, 2), ("total_value", np.float64, 2)]
)
"""The dtype of an action that is compared, with the simulations of even and of odd deals apart. Its values are relative
to the mean of those of the same deal."""
PLANNER_WEIGHT = 5.0
"""The weight of the planner's action for a policy without a rollout network, whose simulations the planner plays."""


class Searched(NamedTuple):
    """The result of a search of k decisions."""

    actions: NDArray[np.int64]
    """(k,) the best ones."""
    visits: NDArray[np.float64]
    """(k, actions): how many simulations began with each action."""
    logits: NDArray[np.float64]
    """(k, actions): those of the policy improved by what the simulations tell of an action; -inf for illegal ones, and
    for equal face-up cards but the first."""
    regrets: NDArray[np.float64]
    """(k, 2): how much less the policy, and the improved policy, may expect than the best action, of values from -1 to
    1. What one half of the deals finds is judged by the other half, so noise alone makes no regret: an estimate may be
    below 0, and only means over many decisions tell much."""


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

    def search(self, decisions: Decisions, simulations: int) -> Searched:
        """Search k decisions with at most this many simulations for each.

        What is found for a decision depends on the decision, its seed and the number of simulations alone.
        """
        simulator = self._simulator_for(decisions.configuration)
        compared = _Comparison(decisions, simulator, min(MAX_CANDIDATES, simulations))
        unused = np.full(len(decisions), simulations)
        for number in range(ROUNDS):
            compared.halve(number)
            deals = np.maximum(unused // (ROUNDS - number), compared.left) // compared.left
            deals[(compared.left < 2) | (unused < compared.left)] = 0
            unused -= deals * compared.left
            compared.simulate(deals)
        return compared.found()

    def search_for(self, decision: Decisions, seconds: float) -> Searched:
        """Search one decision for a time. Every candidate gets one simulation, even if that takes longer."""
        began = time.monotonic()
        simulator = self._simulator_for(decision.configuration)
        compared = _Comparison(decision, simulator, MAX_CANDIDATES)
        deals = np.ones(1, np.int64)
        while compared.left[0] > 1 and deals[0] > 0:
            compared.simulate(deals)
            elapsed = max(time.monotonic() - began, 1e-6)
            compared.halve(int(ROUNDS * elapsed / seconds) if elapsed < seconds else ROUNDS)
            affordable = int((seconds - elapsed) / elapsed * compared.visits)  # if they take as long as those so far
            deals = min(SIMULATIONS_PER_CLOCK_READ, affordable) // compared.left
        return compared.found()

    def _simulator_for(self, configuration: Configuration) -> "_Simulator":
        simulators: dict[Configuration, _Simulator] = self._thread_local.__dict__.setdefault("simulators", {})
        if configuration not in simulators:
            self.check(configuration)
            policy = self._policy or shipped_policy(configuration)
            simulators[configuration] = _Simulator(configuration, policy)
        return simulators[configuration]


class _Comparison:
    """The candidates of k decisions, and the results of their simulations."""

    def __init__(self, decisions: Decisions, simulator: "_Simulator", most: int) -> None:
        """Compare the actions that the policy finds most probable, at most `most` for each decision."""
        policy = simulator.policy
        logits = policy.legal_logits(policy.logits(policy.inputs(decisions)), decisions.masks)
        self._decisions, self._simulator, self._chances = decisions, simulator, simulator.chances(decisions)
        self._logits = _without_twins(decisions, logits.astype(np.float64))
        actions = np.argsort(-self._logits, axis=1, kind="stable")[:, :most]
        self._candidates: Array = np.zeros(actions.shape, CANDIDATE)  # the best first, those that are dropped last
        self._candidates["action"] = actions
        self._candidates["logit"] = np.take_along_axis(self._logits, actions, axis=1)
        self._number = np.count_nonzero(self._candidates["logit"] > -np.inf, axis=1)
        self._squares = np.zeros(len(decisions))
        self._freedom = np.zeros(len(decisions), np.int64)
        self._deals = np.zeros(len(decisions), np.int64)
        self.left = self._number.copy()
        """(k,) how many candidates are left."""

    @property
    def visits(self) -> int:
        """The number of simulations so far."""
        return int(self._candidates["visits"].sum())

    def halve(self, halvings: int) -> None:
        """Leave of the candidates that there were at first those that are left after this many halvings."""
        self.left = np.minimum(self.left, np.maximum(2, self._number >> halvings))

    def simulate(self, deals: NDArray[np.int64]) -> None:
        """Try the candidates that are left in further determinizations, `deals` (k,) for each decision."""
        rows = np.repeat(np.arange(len(deals)), deals * self.left)
        if not rows.size:
            return
        index = np.arange(len(rows)) - np.searchsorted(rows, rows)  # among the simulations of the decision
        deal, place = np.divmod(index, self.left[rows])
        jobs = Jobs(rows, (self._deals[rows] + deal).astype(np.uint64), self._candidates["action"][rows, place])
        values = self._simulator.values(self._decisions, self._chances, jobs)
        group = np.cumsum(place == 0) - 1  # those of the same deal: whether it is a good one does not matter
        differences = values - (np.bincount(group, values) / np.bincount(group))[group]
        half = (self._deals[rows] + deal) % 2
        np.add.at(self._candidates["visits"], (rows, place, half), 1)
        np.add.at(self._candidates["total_value"], (rows, place, half), differences)
        self._squares += np.bincount(rows, differences**2, len(deals))
        self._freedom += deals * (self.left - 1)
        self._deals += deals
        is_left = np.arange(self._candidates.shape[1]) < self.left[:, None]
        order = np.argsort(-np.where(is_left, self._scores(), -np.inf), axis=1, kind="stable")
        self._candidates = np.take_along_axis(self._candidates, order, axis=1)

    def _scores(self) -> NDArray[np.float64]:
        """Return the candidates' logits, to which their values are added."""
        return self._improved(self._candidates["visits"].sum(axis=2), self._candidates["total_value"].sum(axis=2))

    def _improved(self, visits: NDArray[np.int64], total_value: NDArray[np.float64]) -> NDArray[np.float64]:
        visits = np.maximum(1, visits)
        variance = (self._squares / np.maximum(1, self._freedom))[:, None] / visits
        errors = np.sqrt(variance + VALUE_ERROR**2)
        scores: NDArray[np.float64] = self._candidates["logit"] + VALUE_WEIGHT * total_value / visits / errors
        return scores

    def _regrets(self) -> NDArray[np.float64]:
        """Return `Searched.regrets`."""
        visits, totals = self._candidates["visits"], self._candidates["total_value"]
        means, regrets = totals / np.maximum(1, visits), []
        for half in range(2):
            judged, best = means[..., 1 - half], means[..., half].argmax(axis=1)
            improved = self._improved(visits[..., half], totals[..., half])
            for logits in (self._candidates["logit"], improved):
                weights = relative_probabilities(logits)
                expected = (weights * judged).sum(axis=1) / weights.sum(axis=1)
                regrets.append(judged[np.arange(len(best)), best] - expected)
        return np.stack(regrets, axis=1).reshape(-1, 2, 2).mean(axis=1)

    def found(self) -> Searched:
        """Return what has been found. The best action counts as visited even if there was nothing to compare."""
        rows, actions = np.arange(len(self._candidates))[:, None], self._candidates["action"]
        logits, visits = self._logits.copy(), np.zeros(self._logits.shape)
        logits[rows, actions] = self._scores()
        visits[rows, actions] = self._candidates["visits"].sum(axis=2)
        best = actions[:, 0].copy()
        visits[rows[:, 0], best] = np.maximum(1, visits[rows[:, 0], best])
        return Searched(best, visits, logits, self._regrets())


class _Simulator:
    """A policy in one configuration: who plays its simulations, and what their ends are worth."""

    def __init__(self, configuration: Configuration, policy: Policy) -> None:
        self.policy = policy
        self._configuration = configuration
        self._scratch = configuration.ruleset.new_scratch()
        self._player = new_player(configuration, policy)
        is_team_game = configuration.num_teams < configuration.num_players
        self._beliefs = None if is_team_game else find_beliefs(configuration)

    def chances(self, decisions: Decisions) -> NDArray[np.float64]:
        """Return the chances that each seat holds each ticket, (k, seats, tickets); an empty array without beliefs."""
        if self._beliefs is None:
            return np.zeros((0, 0, 0))
        return self._beliefs.chances(decisions)

    def values(self, decisions: Decisions, chances: NDArray[np.float64], jobs: Jobs) -> NDArray[np.float64]:
        """Return what n simulations are worth to the seats that search, (n,), with the chances of all decisions."""
        configuration, number = self._configuration, len(jobs.rows)
        seats, layout = configuration.num_players, configuration.layout
        ends = Ends(
            is_leaf=np.zeros(number, np.bool_),
            rewards=np.zeros((number, seats), np.float32),
            views=configuration.ruleset.new_states(number),
            masks=np.zeros((number, layout.actions.size), np.int8),
            observations=np.zeros((number, layout.observation.size), np.uint8),
        )
        rules, turns = configuration.rules, HORIZON * seats
        simulate(decisions.views, decisions.seeds, chances, jobs, turns, rules, *self._scratch, self._player, ends)
        values = ends.rewards[np.arange(number), decisions.views["current"][jobs.rows]].astype(np.float64)
        at = np.flatnonzero(ends.is_leaf)
        if at.size:
            seeds = np.zeros(number, np.uint64)
            leaves = Decisions(configuration, ends.views, ends.masks, ends.observations, seeds).take(at)
            values[at] = self.policy.logits_and_values(self.policy.inputs(leaves))[1]
        return values


def _without_twins(decisions: Decisions, logits: Array) -> NDArray[np.float64]:
    """Return logits (k, actions) in which the first of equal face-up cards stands for all of them."""
    logits = logits.copy()
    cards = decisions.views["face_up"]
    first = int(decisions.configuration.rules["first_action"][0, blocks.DRAW_FACE_UP])
    for slot in range(FACE_UP_SLOTS):
        for other in range(slot):
            mine, others = logits[:, first + slot], logits[:, first + other]
            are_twins = (cards[:, slot] == cards[:, other]) & (mine > -np.inf) & (others > -np.inf)
            others[are_twins] = np.logaddexp(others[are_twins], mine[are_twins])
            mine[are_twins] = -np.inf
    return logits


def new_player(configuration: Configuration, policy: Policy) -> Player:
    """Return who plays the simulations of a policy: its rollout network and the planner, or the planner alone."""
    observation, num_actions = configuration.layout.observation, configuration.layout.actions.size
    first, last = policy.rollout_layers or (_layer(policy.observation.size, 0), _layer(0, num_actions))
    hidden_weight = np.zeros((observation.size, first[1].size), first[0].dtype)
    for name, segment in policy.observation.items():
        rows = observation[name].size  # a policy for several numbers of players may have more
        hidden_weight[observation[name].slice] = first[0][segment.start : segment.start + rows]
    parameters, plan = PlannerAgent().records_for(configuration)
    return Player(
        hidden_weight,
        first[1],
        *last,
        planner_weight=policy.planner_weight if policy.rollout_layers else PLANNER_WEIGHT,
        parameters=parameters,
        plans=np.repeat(plan, MAX_SEATS),
        histories=np.zeros(MAX_SEATS, HISTORY),
        mask=np.zeros(num_actions, np.int8),
        observation=np.zeros(observation.size, np.uint8),
        hidden=np.zeros_like(first[1]),
        logits=np.zeros_like(last[1]),
    )


def _layer(inputs: int, outputs: int) -> Layer:
    """Return a layer that computes zeros."""
    return np.zeros((inputs, outputs), np.float32), np.zeros(outputs, np.float32)
