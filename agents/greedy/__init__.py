"""The greedy agent: a yardstick that plays as a sensible person does, without search and without chance."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from agents import route_plan
from agents.greedy import card_game, map_game
from t2r_env.agents import Decisions

_NEW_PLAN: dict[str, Callable[..., Any]] = {"map_game": route_plan.new_plan, "card_game": card_game.new_plan}


class GreedyAgent:
    """Plans its tickets and plays by its plan; the same decision always gets the same answer."""

    # What subclasses do otherwise, by kind of game
    players: ClassVar[Mapping[str, Callable[..., None]]] = {"map_game": map_game.act, "card_game": card_game.act}
    """The functions that answer."""
    tastes: ClassVar[Mapping[str, Mapping[str, int]]] = {}
    """The tastes that are not the usual ones."""

    def __init__(self) -> None:
        self._plans = {rules: new_plan(**self.tastes.get(rules, {})) for rules, new_plan in _NEW_PLAN.items()}

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision, shape (k,)."""
        chosen = np.zeros(len(decisions), np.int64)
        configuration = decisions.configuration
        rules = configuration.variant.ruleset
        self.players[rules](decisions.views, decisions.masks, configuration.rules, self._plans[rules], chosen)
        return chosen
