"""A review of a recorded game as its page shows it: plain data, which `t2r_agents.comparing.review.page` makes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env.agents import Opinion
from t2r_env.replay import Replay

DIGITS = 4
"""The decimals of chances."""


MOST = 5
"""The most decisions, and the most events of luck, that a sum names."""
LEAST_LUCK = 0.0005
"""The least change that is called luck."""


def number_of(chance: float) -> float | None:
    """Return a chance for JSON; None for NaN, where it is unknown."""
    return None if np.isnan(chance) else round(float(chance), DIGITS)


@dataclass(frozen=True)
class Reviewer:
    """An agent's opinions on the n decisions of a game, and what the actions played cost against its choices."""

    name: str
    opinions: Sequence[Opinion]
    """(n,)"""
    losses: NDArray[np.float64]
    """(n,) in chances to win of the acting seat, by what it knew; 0 where the actions are the same."""
    errors: NDArray[np.float64]
    """(n,) half of their 95 % intervals."""
    mistakes: NDArray[np.bool_]
    """(n,) which decisions are called mistakes."""

    def judgement(self, position: int) -> dict[str, Any]:
        """Return what the decision after a number of actions cost, JSON-able."""
        return {
            "loss": round(float(self.losses[position]), DIGITS) + 0.0,  # no -0
            "error": round(float(self.errors[position]), DIGITS),
            "is_mistake": bool(self.mistakes[position]),
        }


@dataclass(frozen=True)
class Part:
    """A part of the chances to win of the seats, (seats,) each: the parts of a game add up to its result, the last."""

    name: str
    values: NDArray[np.float64]
    errors: NDArray[np.float64] | None = None
    """Half of the 95 % intervals, where they are known."""

    def of(self, seat: int) -> list[float]:
        """Return the value of a seat, and half of its interval if it is known."""
        return [float(it[seat]) for it in (self.values, self.errors) if it is not None]


@dataclass(frozen=True)
class Luck:
    """The events of chance after the n decisions: the changes of the acting seats' chances."""

    changes: NDArray[np.float64]
    """(n,)"""
    errors: NDArray[np.float64]
    """(n,) half of their 95 % intervals."""


@dataclass(frozen=True)
class PageReview:
    """The chances of all seats over a game of n decisions, and the opinions of agents on each of these."""

    reviewers: Sequence[Reviewer]
    """The first one's mistakes are marked."""
    chances: NDArray[np.float64]
    """(n + 1, seats) to win, judged from everything; at the end the result. The view of everything alone shows them."""
    seats: NDArray[np.int64]
    """(n,) who took the decisions."""
    known: NDArray[np.float64]
    """(n + 1, seats, seats): those of all seats (last axis) by what each seat knew (second axis)."""
    parts: Sequence[Part]
    """The parts of the result of each seat, judged from everything."""
    known_parts: Sequence[Part]
    """The same of each seat by what it knew."""
    luck: Luck
    """Judged from everything."""
    known_luck: Luck
    """Judged by what the acting seats knew."""
    ticket_chances: NDArray[np.float64] | None = None
    """(n + 1, seats, seats, tickets): the chance that each seat (third axis) holds each ticket, as each seat (second
    axis) knew the game; None where nobody has watched such games."""
    reliability: Mapping[str, Sequence[Sequence[float]]] = field(default_factory=dict)
    """How well chances are calibrated, `everything` and `known`: for each of some bins the mean of the chances told,
    the share won, and the number of chances."""
    measured_on: str = ""
    """In what games that was measured."""
    judged_by: str = ""
    """How losses are judged, and what their intervals tell."""
    sees_truth: bool = False
    """Whether losses are judged from true positions, so that they tell what the acting seat could not know."""

    def check(self, replay: Replay) -> None:
        """Raise ValueError unless it can be of this game."""
        decisions, seats = len(self.chances) - 1, replay.configuration.num_players
        illegal = len(replay.actions) - decisions
        if illegal not in (0, 1) or self.chances.shape[1] != seats:
            raise ValueError(
                f"the review has {decisions} decisions of {self.chances.shape[1]} seats, and the game"
                f" {len(replay.actions)} of {seats}: it is the review of another game"
            )

    def chances_at(self, position: int, seat: int | None) -> list[float] | None:
        """Return the chances of all seats after a number of actions: from everything, or as a seat knew them.

        None after an action that was not legal.
        """
        if position >= len(self.chances):
            return None
        chances = self.chances[position] if seat is None else self.known[position, seat]
        return [round(float(it), DIGITS) for it in chances]

    def believed_at(self, position: int, by: int, of: int) -> dict[int, float]:
        """Return the tickets that a seat may think another holds after a number of actions, the likeliest first."""
        if self.ticket_chances is None or position >= len(self.ticket_chances):
            return {}
        chances = self.ticket_chances[position, by, of]
        return {int(ticket): float(chances[ticket]) for ticket in np.argsort(-chances, kind="stable")}

    def summarise(self, seat: int | None) -> dict[str, Any]:
        """Return the sum of the review in a view, JSON-able: parts, and positions of decisions and of luck.

        That of a seat has its own parts, decisions and luck alone, by what it knew.
        """
        parts, luck = (self.parts, self.luck) if seat is None else (self.known_parts, self.known_luck)
        is_own = np.full(len(self.seats), True) if seat is None else self.seats == seat
        shown = range(self.chances.shape[1]) if seat is None else [seat]
        first = self.reviewers[0]
        is_mistake = first.mistakes & is_own & (seat is None or not self.sees_truth)
        luckiest = [it for it in _greatest(abs(luck.changes)) if is_own[it] and abs(luck.changes[it]) >= LEAST_LUCK]
        return {
            "names": [part.name for part in parts],
            "rows": {it: [[number_of(value) for value in part.of(it)] for part in parts] for it in shown},
            "costliest": [it for it in _greatest(first.losses) if is_mistake[it]][:MOST],
            "luckiest": [
                {"position": it, "change": number_of(luck.changes[it]), "error": number_of(luck.errors[it])}
                for it in luckiest[:MOST]
            ],
        }

    def describe(self, seats: Sequence[int | None]) -> dict[str, Any]:
        """Return what is the same at all steps of these views, JSON-able."""
        kinds = {"everything" if seat is None else "known" for seat in seats}
        return {
            "judged_by": self.judged_by,
            "measured_on": self.measured_on,
            "reliability": {kind: self.reliability[kind] for kind in sorted(kinds & self.reliability.keys())},
        }


def _greatest(values: NDArray[np.float64]) -> list[int]:
    """Return the indices of values (n,), the greatest first."""
    found: list[int] = np.argsort(-values, kind="stable").tolist()
    return found
