"""Judging positions: each seat's chance to win and margin, and what each action is worth."""

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.policy_file import PolicyError, file_for
from t2r_agents.playing.values.inputs import ValueInputs
from t2r_agents.playing.values.network import SHIPPED, Values, load_once
from t2r_env import Configuration
from t2r_env.agents import Array, Decisions
from t2r_env.core.compiled import cached
from t2r_env.results import Results
from t2r_env.rules.cards import FACE_UP_SLOTS
from t2r_env.rules.names import blocks, outcomes
from t2r_env.rules.rulesets import play
from t2r_env.rules.state import NO_TICKET

DEALS = 8
"""The deals of what the seat can't know, by which actions are judged."""
DEALS_OF_OPINIONS = 4
"""The same for opinions, in which all legal actions are judged: more would take long."""
DEVIATES = 3.182
"""How many standard errors of a mean over DEALS_OF_OPINIONS deals are half of its 95 % interval (Student's t)."""


class Judged(NamedTuple):
    """The worth of k positions to all seats."""

    chances: NDArray[np.float64]
    """(k, seats) to win, ties shared; in team games those of the team."""
    margins: NDArray[np.float64]
    """(k, seats) points at the end less those of the best other team."""


class Outlook(NamedTuple):
    """The chances that legal actions of k decisions lead to, all of a decision in the same deals."""

    number: NDArray[np.int64]
    """(k, actions): which of the n entries is that of an action; -1 for illegal ones."""
    chances: NDArray[np.float64]
    """(n, deals, seats)"""

    def values(self, seats: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the mean chance of the acting seats (k,) after each action, (k, actions); NaN for illegal ones."""
        means = self.chances.mean(axis=1)[self.number, seats[:, None]]
        return np.where(self.number < 0, np.nan, means)

    def standard_errors(self, seats: NDArray[np.int64], actions: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return how sure `values` are, (k, actions): standard errors over the deals; NaN for illegal actions.

        They are those of the values of some legal actions (k,), and of the differences between these and all others.
        """
        rows = np.arange(len(seats))
        in_deals = self.chances.swapaxes(1, 2)[self.number, seats[:, None]]  # (k, actions, deals)
        chosen = self.number[rows, actions, None]
        differences = in_deals - np.where((self.number == chosen)[..., None], 0, in_deals[rows, actions][:, None])
        errors = differences.std(axis=2, ddof=1) / in_deals.shape[2] ** 0.5
        return np.where(self.number < 0, np.nan, errors)


class Told(NamedTuple):
    """The answers to one decision, in the fields of the same names of `t2r_env.agents.Opinion`."""

    values: NDArray[np.float64] | None = None
    action_values: NDArray[np.float64] | None = None
    action_errors: NDArray[np.float64] | None = None


class Judge:
    """Judges positions of one configuration by a network of values. Several threads may use it."""

    def __init__(self, configuration: Configuration, values: Values | None = None) -> None:
        """Judge by these values; None: by those that come with the library.

        Raises PolicyError if there are none, or if they are for another configuration.
        """
        self.configuration = configuration
        if values is None:
            if not (file := file_for(SHIPPED, configuration)).exists():
                raise PolicyError(f"there is no network of values for {configuration.title}")
            values = load_once(file)
        self._values, self._inputs = values, ValueInputs(configuration)
        values.check(configuration, self._inputs.everything, self._inputs.version)
        self._teams = configuration.rules[0].team[: configuration.num_players]

    @property
    def calibration(self) -> Mapping[str, Any]:
        """How well its chances agreed with results on games that it has not learned from; empty if it was not measured.

        `games` and `agents` say on which. `everything` and `known` have, each for one of its networks, the Brier scores
        (`brier`) and for each of ten bins of chances the mean told, the share won and the number (`reliability`).
        """
        return dict(self._values.training.get("calibration", {}))

    def measured(self, chance: float, *, sees_all: bool) -> tuple[float, float] | None:
        """Return the mean of chances told about as high as this one, and the share of them that won.

        None if it was not measured.
        """
        of_network = self.calibration.get("everything" if sees_all else "known", {})
        bins = [(told, won) for told, won, _ in of_network.get("reliability", ())]
        return min(bins, key=lambda it: abs(it[0] - chance), default=None)

    def judge(self, states: Array, seats: NDArray[np.int64] | None = None, *, sees_all: bool) -> Judged:
        """Return what positions are worth, given their states (k,); of games that are over, the result.

        With `sees_all` all of a state counts, else what the `seats` (k,) know, by default the acting ones: then views
        of theirs may stand for the states, and what they can't know does not change the result. Raises ValueError for
        views with `sees_all`.
        """
        if sees_all and not _are_whole(states):
            raise ValueError("with sees_all states must be whole, as Games.states, and not views of a seat")
        looking = states["current"] if seats is None else seats
        chances = np.zeros((len(states), len(self._teams)))
        margins = np.zeros_like(chances)
        over = states["outcome"] != outcomes.RUNNING
        chances[over], margins[over] = self._results(states[over])
        first, running = self._teams[looking[~over]], states[~over]
        if running.size:
            inputs = self._inputs.write(running, np.asarray(looking[~over], np.int64), sees_all=sees_all)
            reads, here = (it.everything if sees_all else it.known for it in (self._values, self._inputs))
            judged = self._values.judge(reads.fit(inputs, here), sees_all=sees_all)
            place = (self._teams - first[:, None]) % self.configuration.num_teams  # of each seat's team in turn order
            chances[~over], margins[~over] = (np.take_along_axis(it, place, axis=1) for it in judged)
        return Judged(chances, margins)

    def _results(self, states: Array) -> Judged:
        """Return the results of games that are over; without one, all seats have the same."""
        results = Results.from_states(self.configuration, states)
        is_other = self._teams[:, None] != self._teams
        best_other = np.where(is_other, results.scores[:, None, :], np.iinfo(np.int64).min).max(axis=2)
        margins = np.asarray(results.scores - best_other, np.float64)
        return Judged(chances_at_end(self.configuration, results), margins)

    def look_ahead(self, decisions: Decisions, deals: int = DEALS) -> Outlook:
        """Return what each legal action leads to, in deals of what the acting seats can't know.

        A deal depends on the decision and its seed alone, and all actions of a decision have the same deals. Of equal
        face-up cards the first stands for all of them.
        """
        twins = first_twins(decisions)
        rows, actions = np.nonzero((decisions.masks == 1) & (twins == np.arange(twins.shape[1])))
        chances = self._after(_deal(decisions, deals)[rows], actions)
        number = np.full(twins.shape, -1)
        number[rows, actions] = np.arange(len(rows))
        number = np.where(decisions.masks == 1, np.take_along_axis(number, twins, axis=1), -1)
        return Outlook(number, chances)

    def after(self, decisions: Decisions, actions: NDArray[np.int64], deals: int = DEALS) -> NDArray[np.float64]:
        """Return the chances after one legal action at each decision (k,), in the same deals, (k, deals, seats)."""
        return self._after(_deal(decisions, deals), actions)

    def _after(self, states: Array, actions: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the chances (n, deals, seats) after each of the actions (n,) in the states (n, deals)."""
        number, deals = states.shape
        after = take_actions(self.configuration, states.ravel(), actions.repeat(deals))
        return self.judge(after, sees_all=True).chances.reshape(number, deals, -1)


def _are_whole(states: Array) -> bool:
    """Whether states have all cards and tickets of all seats, which views lack."""
    counts = {
        "hand_count": states["hand"].sum(axis=-1),
        "offered_count": (states["offered"] != NO_TICKET).sum(axis=-1),
        "ticket_count": np.bitwise_count(states["tickets"]).sum(axis=-1, dtype=np.int64),
    }
    return all(np.array_equal(states[name], counted) for name, counted in counts.items())


def _deal(decisions: Decisions, deals: int) -> Array:
    """Return deals of what the acting seats of k decisions can't know, (k, deals)."""
    return decisions.determinize(decisions.seeds[:, None] + np.arange(deals, dtype=np.uint64))


def take_actions(configuration: Configuration, states: Array, actions: NDArray[np.int64]) -> Array:
    """Return the positions (n,) after legal actions (n,) in these states (n,)."""
    after = states.copy()
    _take_actions(after, actions, configuration.rules, *configuration.ruleset.new_scratch())
    return after


@cached
def _take_actions(states: Array, actions: Array, rules: Array, scratch: Array, scoring: Array) -> None:
    for row in range(states.shape[0]):
        play(states[row], rules[0], scratch[0], scoring[0], actions[row])


def chances_at_end(configuration: Configuration, results: Results) -> NDArray[np.float64]:
    """Return the chances (k, seats) that the results of games are: 1 shared among the winners.

    Without a result all have the same.
    """
    is_best, num_teams = results.ranks == 1, configuration.num_teams
    winners = is_best.sum(axis=1, keepdims=True) * num_teams / configuration.num_players
    return np.where(winners > 0, is_best / np.maximum(winners, 1), 1 / num_teams)


def first_twins(decisions: Decisions) -> NDArray[np.int64]:
    """Return for each action (k, actions) itself, but for a face-up card the first slot with an equal one."""
    k, number = decisions.masks.shape
    twins = np.tile(np.arange(number), (k, 1))
    first = int(decisions.configuration.rules["first_action"][0, blocks.DRAW_FACE_UP])
    cards = decisions.views["face_up"]
    for slot in range(1, FACE_UP_SLOTS):
        equal = cards[:, :slot] == cards[:, slot, None]
        twins[:, first + slot] = first + np.where(equal.any(axis=1), equal.argmax(axis=1), slot)
    return twins


def judge_decisions(decisions: Decisions, actions: NDArray[np.int64]) -> list[Told]:
    """Return for each decision, at which a legal action (k,) is chosen, what a network of values tells.

    All is judged by what the acting seat knows, the actions in DEALS_OF_OPINIONS deals of the rest: the errors tell the
    noise of these, not the error of the network. Nothing is told if no values come with the library for the
    configuration.
    """
    judge = find_judge(decisions.configuration)
    if judge is None or not len(decisions):
        return [Told()] * len(decisions)
    known, seats = judge.judge(decisions.views, sees_all=False).chances, decisions.views["current"]
    outlook = judge.look_ahead(decisions, DEALS_OF_OPINIONS)
    errors = np.minimum(DEVIATES * outlook.standard_errors(seats, actions), 1)  # more can't be between two chances
    return [Told(*it) for it in zip(known, outlook.values(seats), errors, strict=True)]


def find_judge(configuration: Configuration) -> Judge | None:
    """Return who judges positions by the values that come with the library; None if there are none for these tables."""
    return _found(configuration)


@lru_cache(maxsize=32)
def _found(configuration: Configuration) -> Judge | None:
    with suppress(PolicyError):
        return Judge(configuration)
    return None
