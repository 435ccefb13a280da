"""The planner: the heuristic to beat. It plans all its tickets at once, collects cards towards the plan, and waits with
claims until the plan is nearly paid for."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.planner import card_game, map_game
from t2r_env.agents import Questions

_PLAYERS: dict[str, Any] = {"map_game": map_game, "card_game": card_game}


class PlannerAgent:
    """Plans its tickets and waits for its cards; the same question always gets the same answer."""

    def __init__(self) -> None:
        self._plans: dict[str, Any] = {}

    def act(self, questions: Questions) -> NDArray[np.int64]:
        """A legal action for each question, shape (k,)."""
        answers = np.zeros(len(questions), np.int64)
        configuration = questions.configuration
        player = _PLAYERS[configuration.box.rules]
        if configuration.digest not in self._plans:
            self._plans[configuration.digest] = player.new_plan(configuration)
        plan = self._plans[configuration.digest]
        player.act(questions.views, questions.masks, configuration.rules, plan, answers)
        return answers
