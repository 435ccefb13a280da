"""Beliefs: what a seat may think that the others hold, from what is public and what it knows itself (C20).

`Beliefs` asks a small network, which has watched many games. `determinize` thinks otherwise: it deals any ticket and
any card that is left, each as likely as another, however the others have played.
"""

from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from t2r_agents.playing.beliefs.deal import deal_rows
from t2r_agents.playing.beliefs.network import SHIPPED, BeliefNetwork, load_once
from t2r_agents.playing.beliefs.signs import signs
from t2r_agents.playing.policy_file import PolicyError, file_for
from t2r_env import Configuration
from t2r_env.agents import Array, Decisions
from t2r_env.rules import batch

__all__ = [
    "Belief",
    "BeliefNetwork",
    "Beliefs",
    "believed",
    "find_beliefs",
    "observe",
    "possible_tickets",
    "segment_of",
    "signs",
    "unseen_cards",
]

LOGIT = 40.0
"""Logits are moved by at most this, until the chances of tickets add up."""
TINY = 1e-9
HALVINGS = 30
"""The halvings of that range."""
OWN = ("tickets", "offered")
"""The segments of tickets that the looking seat has or is offered: nobody else holds them."""


class Belief(NamedTuple):
    """The others' tickets and cards as seats think of them, at k positions; the other seats in turn order."""

    tickets: NDArray[np.float64]
    """(k, others, tickets), the chance that a seat holds a ticket. They add up to the number that it holds."""
    cards: NDArray[np.float64]
    """(k, others, colours), the expected number of cards in its hand. They add up to the number of its cards."""

    def by_seat(self, seats: NDArray[np.integer]) -> "Belief":
        """Return the same by the seats' numbers, (k, seats, ...), given who thinks so, (k,): NaN in their own rows."""
        found = []
        for of_others in self:
            k, others, size = of_others.shape
            of_seats, rows = np.full((k, others + 1, size), np.nan), np.arange(k)
            for distance in range(1, others + 1):
                of_seats[rows, (seats + distance) % (others + 1)] = of_others[:, distance - 1]
            found.append(of_seats)
        return Belief(*found)


class Beliefs:
    """The beliefs of seats in one configuration, by a network. Several threads may use them."""

    def __init__(self, configuration: Configuration, network: BeliefNetwork | None = None) -> None:
        """Believe this network; None: the one that comes with the library.

        Raises PolicyError if there is none, or if it is for another configuration.
        """
        if network is None:
            if not (file := file_for(SHIPPED, configuration)).exists():
                raise PolicyError(f"there is no network of beliefs for {configuration.title}")
            network = load_once(file)
        self.configuration, self._network, self._columns = configuration, network, network.columns(configuration)

    def of(self, decisions: Decisions) -> Belief:
        """Return what the acting seats of decisions may think."""
        return self.believe(decisions.views, decisions.views["current"].astype(np.int64))

    def believe(self, states: Array, seats: NDArray[np.int64]) -> Belief:
        """Return what seats (k,) may think at positions, given states or views (k,): hidden things change nothing."""
        observed, seen = observe(self.configuration, states, seats), signs(self.configuration, states, seats)
        return believed(self.configuration, observed, self._network.outputs(observed[:, self._columns], seen))

    def chances(self, decisions: Decisions) -> NDArray[np.float64]:
        """Return the chances that each seat holds each ticket, as the acting seats think; 0 for themselves.

        (k, seats, tickets).
        """
        return np.nan_to_num(self.of(decisions).by_seat(decisions.views["current"]).tickets)

    def determinize(self, decisions: Decisions, seeds: ArrayLike) -> Array:
        """Return what `Decisions.determinize` does, but others hold tickets that they are believed to hold.

        `seeds` are of shape (k,) or (k, n), as there, and so is the result. Raises ValueError for other seeds, and for
        team games, whose tickets may lie on racks.
        """
        if self.configuration.num_teams < self.configuration.num_players:
            raise ValueError("tickets are not dealt by belief in team games")
        states, chances = decisions.determinize(seeds), self.chances(decisions)
        rules, scratch = self.configuration.rules, self.configuration.ruleset.new_scratch().deciding
        rows = np.arange(len(decisions)).repeat(states.size // max(len(decisions), 1))
        deal_rows(states.ravel(), chances, rules, scratch, rows, np.asarray(seeds, np.uint64).ravel())
        return states


def find_beliefs(configuration: Configuration) -> Beliefs | None:
    """Return the beliefs by the network that comes with the library; None if there is none for these tables."""
    return _found(configuration)


@lru_cache(maxsize=32)
def _found(configuration: Configuration) -> Beliefs | None:
    with suppress(PolicyError):
        return Beliefs(configuration)
    return None


def observe(configuration: Configuration, states: Array, seats: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the observations of seats (k,), whether they are to act or not, uint8 (k, size)."""
    observed = np.zeros((len(states), configuration.layout.observation.size), np.uint8)
    batch.observe_seats(states, configuration.rules, np.arange(len(states)), seats, observed)
    return observed


def believed(configuration: Configuration, observed: NDArray[np.uint8], outputs: NDArray[np.float64]) -> Belief:
    """Return beliefs by the outputs of a network, (k, outputs), and what is certain by observations (k, size).

    Nobody holds what the looking seat has. The logits of a seat's tickets are moved alike until their chances add up to
    the number that it holds; of its cards those are known that it has taken openly and not paid.
    """
    others, tickets = configuration.num_players - 1, segment_of(configuration, observed, OWN[0]).shape[-1]
    outputs = outputs.reshape(len(outputs), others, -1)
    logits = np.where(possible_tickets(configuration, observed)[:, None], outputs[..., :tickets], -np.inf)
    counts = segment_of(configuration, observed, "ticket_count")[:, 1:].astype(np.float64)
    known = segment_of(configuration, observed, "known")[:, 1:].astype(np.float64)
    unknown = segment_of(configuration, observed, "hand_count")[:, 1:] - known.sum(axis=-1)
    left = unseen_cards(configuration, observed)[:, None]
    weights = left * np.exp(outputs[..., tickets:] - outputs[..., tickets:].max(axis=-1, keepdims=True))
    shares = weights / np.maximum(weights.sum(axis=-1, keepdims=True), TINY)
    return Belief(_adding_up(logits, counts), known + shares * np.maximum(unknown, 0)[..., None])


def possible_tickets(configuration: Configuration, observed: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which tickets another seat may hold, (k, tickets), by observations (k, size)."""
    own: NDArray[np.bool_] = np.any([segment_of(configuration, observed, name)[:, 0] > 0 for name in OWN], axis=0)
    return ~own


def unseen_cards(configuration: Configuration, observed: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return how many cards of each colour are where the looking seat does not see them, (k, colours)."""
    discard, known, hand, face_up = (
        segment_of(configuration, observed, name).astype(np.int64) for name in ("discard", "known", "hand", "face_up")
    )
    seen_cards = discard + known[:, 1:].sum(axis=1) + hand[:, 0] + face_up.sum(axis=1)
    left: NDArray[np.int64] = np.maximum(configuration.rules[0]["deck"].astype(np.int64) - seen_cards, 0)
    return left


def segment_of(configuration: Configuration, observed: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
    """Return a segment of observations (k, size), (k, ...)."""
    segment = configuration.layout.observation[name]
    return observed[:, segment.slice].reshape(len(observed), *segment.shape)


def _adding_up(logits: NDArray[np.float64], totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return chances (..., n) whose sums are `totals` (...,), or as near as can be, by moving all logits alike."""
    low, high = np.full(totals.shape, -LOGIT), np.full(totals.shape, LOGIT)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        too_many = _chances(logits, middle).sum(axis=-1) > totals
        low, high = np.where(too_many, low, middle), np.where(too_many, middle, high)
    return _chances(logits, low)


def _chances(logits: NDArray[np.float64], moved: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(over="ignore"):  # the logit of what can't be is minus infinity
        return 1 / (1 + np.exp(-(logits + moved[..., None])))
