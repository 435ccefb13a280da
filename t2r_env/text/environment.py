"""A Gymnasium environment whose observations and actions are text."""

import string
from typing import Any

import gymnasium
from gymnasium.spaces import Text

from t2r_env.configuration import Configuration
from t2r_env.envs.single import SeatEnvironment
from t2r_env.text.actions import LegalAction, legal_actions, parse_action
from t2r_env.text.changes import changes_text
from t2r_env.text.view import view_text

_MAX_LENGTH = 100_000
TERMINAL = -4
"""The current player after the end, as in OpenSpiel."""


class TextEnvironment(gymnasium.Wrapper[str, str, Any, Any]):
    """One seat of a game in text, around a `SeatEnvironment`, wrapped or not, such as one of `gymnasium.make`.

    The observation is `view_text` of what the seat knows, the action a text for `parse_action`. Rewards, ends and
    infos are those of the environment. Further methods have the names of Kaggle's harness for text games.
    """

    env: gymnasium.Env[Any, Any]  # Gymnasium says that it is of texts, too

    def __init__(self, env: gymnasium.Env[Any, Any], *, changes: bool = False) -> None:
        """Wrap an environment.

        With `changes`, only the observation of `reset` is the whole view, and those of `step` are `changes_text`, for
        conversations that keep what was said. Raises TypeError for another environment.
        """
        given: object = env
        seat_env = given.unwrapped if isinstance(given, gymnasium.Env) else given
        if not isinstance(seat_env, SeatEnvironment):
            raise TypeError(f"env must be a SeatEnvironment, wrapped or not, not {type(seat_env).__name__}")
        super().__init__(env)
        self._seat_env = seat_env
        self._changes = changes
        self._shown: Any = None
        letters = {*repr(seat_env.configuration.variant), *"✓·–−’", *string.printable}  # those of all its names
        characters = "".join(sorted(letters))
        self.observation_space = Text(_MAX_LENGTH, charset=characters)
        self.action_space = Text(_MAX_LENGTH, charset=characters)

    @property
    def configuration(self) -> Configuration:
        """Variant, players and options."""
        return self._seat_env.configuration

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begin a game as the environment does; return the text and the info."""
        _, info = self.env.reset(seed=seed, options=options)
        self._shown = self._view()
        return self.observationString(), info

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Take the action that a text names.

        Raises ResetNeeded before `reset`, and ValueError if the text names no legal action; then nothing has changed.
        """
        _, reward, terminated, truncated, info = self.env.step(parse_action(action, self._legal()))
        before, self._shown = self._shown, self._view()
        text = changes_text(before, self._shown, self.configuration) if self._changes else self.observationString()
        return text, float(reward), terminated, truncated, info

    def _view(self) -> Any:
        return self._seat_env.games.games.views(None, [self._seat_env.seat])[0]

    def _legal(self) -> list[LegalAction]:
        return legal_actions(self._seat_env.configuration, self._view(), self._seat_env.action_masks())

    def observationString(self) -> str:
        """Return all that the seat knows as text."""
        return view_text(self._view(), self._seat_env.configuration)

    def legalActions(self) -> list[int]:
        """Return the numbers of the legal actions, one for those that are equal."""
        return [it.action for it in self._legal()]

    def legalActionStrings(self) -> list[str]:
        """Return the texts of the legal actions, in the order of `legalActions`."""
        return [it.text for it in self._legal()]

    def currentPlayer(self) -> int:
        """Return the seat that is to act, and -4 after the end, as OpenSpiel does."""
        return TERMINAL if self.isTerminal() else self._seat_env.seat

    def isTerminal(self) -> bool:
        """Whether the game is over."""
        return bool(self._seat_env.games.over[0])
