"""The results of games: scores, ranks, and where the points came from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env.configuration import Configuration
from t2r_env.rules.names import outcomes


@dataclass(frozen=True)
class Results:
    """The result of each row's last ended game. A row is all zero until its first game has ended.

    Arrays are of shape (batch, seats), except `turns` and `decisions`, (batch,). Points and ranks are zero unless the
    game was played to its end. In team games teammates have the same values.
    """

    scores: NDArray[np.int64]
    """Points."""
    ranks: NDArray[np.int64]
    """1 is best; ties share the lower number."""
    breakdown: Mapping[str, NDArray[np.int64]]
    """The parts of each score by name; they add up to it."""
    completed: NDArray[np.int64]
    """The number of tickets completed."""
    failed: NDArray[np.int64]
    """The number of tickets held and not completed."""
    turns: NDArray[np.int64]
    """Turns of all seats together."""
    decisions: NDArray[np.int64]
    """Decisions of all seats together."""

    @classmethod
    def from_states(cls, configuration: Configuration, ended: np.ndarray[Any, Any]) -> "Results":
        """Return the results of ended games, given their last states, (batch,), as new arrays."""
        teams = configuration.rules[0].team[: configuration.num_players]
        is_scored = (ended["outcome"] == outcomes.FINISHED).astype(np.int64)[:, None]
        return cls(
            scores=ended["score"][:, teams] * is_scored,
            ranks=ended["rank"][:, teams] * is_scored,
            breakdown={
                name: ended["breakdown"][:, teams, part] * is_scored for name, part in configuration.score_parts.items()
            },
            completed=ended["completed"][:, teams] * is_scored,
            failed=ended["failed"][:, teams] * is_scored,
            turns=ended["turn"].astype(np.int64),
            decisions=ended["decisions"].astype(np.int64),
        )

    def of(self, row: int, seat: int) -> dict[str, Any]:
        """Return one seat's result as a JSON-able dictionary; empty if the game was not played to its end."""
        if not self.ranks[row, seat]:
            return {}
        return {
            "score": int(self.scores[row, seat]),
            "rank": int(self.ranks[row, seat]),
            "breakdown": {name: int(points[row, seat]) for name, points in self.breakdown.items()},
            "completed": int(self.completed[row, seat]),
            "failed": int(self.failed[row, seat]),
        }
