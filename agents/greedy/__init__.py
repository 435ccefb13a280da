"""The greedy agent: a yardstick that plays as a sensible person does, without search and without chance."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.greedy import card_game, map_game
from t2r_env.agents import Questions

_PLAYERS: dict[str, Any] = {"map_game": map_game, "card_game": card_game}


class GreedyAgent:
    """Plans its tickets and plays by its plan; the same question always gets the same answer."""

    def __init__(self) -> None:
        self._plans = {rules: player.new_plan() for rules, player in _PLAYERS.items()}

    def act(self, questions: Questions) -> NDArray[np.int64]:
        """A legal action for each question, shape (k,)."""
        answers = np.zeros(len(questions), np.int64)
        configuration = questions.configuration
        rules = configuration.box.rules
        _PLAYERS[rules].act(questions.views, questions.masks, configuration.rules, self._plans[rules], answers)
        return answers
