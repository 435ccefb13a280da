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
class PageReview:
    """The chances of all seats over a game of n decisions, and the opinions of agents on each of these."""

    reviewers: Sequence[Reviewer]
    """The first one's mistakes are marked."""
    chances: NDArray[np.float64]
    """(n + 1, seats) to win, judged from everything; at the end the result. The view of everything alone shows them."""
    known: NDArray[np.float64]
    """(n + 1, seats, seats): those of all seats (last axis) by what each seat knew (second axis)."""
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

    def describe(self, seats: Sequence[int | None]) -> dict[str, Any]:
        """Return what is the same at all steps of these views, JSON-able."""
        kinds = {"everything" if seat is None else "known" for seat in seats}
        return {
            "judged_by": self.judged_by,
            "measured_on": self.measured_on,
            "reliability": {kind: self.reliability[kind] for kind in sorted(kinds & self.reliability.keys())},
        }
