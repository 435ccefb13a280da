"""A game in text as functions that a language model calls, for trainers and chat programs."""

from typing import Any, SupportsIndex

from t2r_env.text.game import TextGame
from t2r_env.text.game_rules import rules_text

_HOW_TO_PLAY = "Play to win: call `act` with one move after the other until the game is over."
UNFINISHED = -1.0
"""The reward of a game that was not played to its end, as of a forfeit."""


class GameTools:
    """One seat of a game as the tools `act`, `view` and `legal_moves`; `reset` and `get_reward` are the trainer's.

    The form that TRL's `GRPOTrainer(environment_factory=...)` takes: each public method but these two is a tool, whose
    docstring a model is shown. A row of the data set may have a column `seed`, with which all games of its group are
    dealt alike.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Take the arguments of `TextGame`, of which `seats` is one seat or `random`. Raises ValueError for several."""
        self.game = TextGame(*arguments, **named | {"rules": False})
        if len(self.game.seats) > 1:
            raise ValueError(f"the tools are those of one seat, not of seats={self.game.seats}")

    def reset(self, seed: SupportsIndex | None = None, **row: Any) -> str:
        """Begin a game; return its rules, how to play, and all that the seat knows. What else a row has is ignored."""
        text = self.game.reset(seed)
        return f"{rules_text(self.game.configuration)}\n{_HOW_TO_PLAY}\n\n{text}"

    def get_reward(self) -> float:
        """Return the reward of the game, `UNFINISHED` if it is not over."""
        return self.game.reward if self.game.over else UNFINISHED

    def act(self, move: str) -> str:
        """Take a move. The others play until it is your decision again.

        Args:
            move: One of your legal moves, such as `draw deck` or `claim Dallas-Houston`.

        Returns:
            What has changed since your last decision, and the next decision; or why the move was not taken.
        """
        if self.game.over:
            return self.game.result()
        text = self.game.step(move)
        if self.game.fault and self.game.forfeited_by is None:
            return f"{self.game.fault}. Nothing has changed."
        return text

    def view(self) -> str:
        """Show all that you know of the game.

        Returns:
            All that you know of the game.
        """
        return self.game.view()

    def legal_moves(self) -> str:
        """List your legal moves.

        Returns:
            All that you may do now.
        """
        return "; ".join(self.game.legal_moves()) or self.game.result()
