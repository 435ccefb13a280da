"""The agents that plan: the planner, the greedy agent, and agents of other styles.

At each decision they make a plan from their view and act by it (`map_game`, `card_game`), without search and without
randomness. They differ in their parameters alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import ModuleType
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.planner import card_game, map_game
from t2r_agents.playing.planner.parameters import Parameter, Records, check_parameters, defaults_of, new_records
from t2r_agents.playing.planner.tuned import any_map_parameters, tuned_parameters
from t2r_agents.playing.planner.words import plan_text
from t2r_env import Configuration
from t2r_env.agents import Array, Decisions, Opinion
from t2r_env.core.compiled import cached, for_record
from t2r_env.rules.rulesets import RULESETS

_MODULES: dict[str, ModuleType] = {"map_game": map_game, "card_game": card_game}
"""By ruleset: modules with a compiled `decide`, `parameters_for(configuration)`, and the type `records.PLAN`."""

_decide = for_record({RULESETS[name].state: module.decide for name, module in _MODULES.items()})
"""(view, mask, rules, parameters, plan) -> int: an action for a decision of any phase."""


@cached
def act(views: Array, masks: Array, rules: Array, parameters: Array, plans: Array, chosen: Array) -> None:
    """Write an action for each of k decisions to `chosen`, shape (k,); the records have length 1."""
    for row in range(views.shape[0]):
        chosen[row] = _decide(views[row], masks[row], rules[0], parameters[0], plans[0])


class PlanningAgent:
    """An agent that makes a plan and acts by it. The same decision always gets the same action.

    Its styles, but for the racer, are known from research on playtesting (de Mesentier Silva, Lee, Togelius, Nealen:
    AI-based Playtesting of Contemporary Board Games, 2017).
    """

    style: ClassVar[Mapping[str, Mapping[str, int]]] = {}
    """The parameters that differ from the defaults, by ruleset."""
    act_function: ClassVar[Callable[..., None]] = staticmethod(act)
    """The compiled function that chooses actions."""
    stateless = True

    def __init__(self, *, parameters: Mapping[str, int] | None = None) -> None:
        """Replace single parameters of the style by these.

        An unknown parameter, or a value outside its range, is a ValueError when the agent first acts.
        """
        self._given = dict(parameters or {})
        self._records: dict[Configuration, Records] = {}

    def own_parameters(self, configuration: Configuration) -> Mapping[str, int]:
        """Return the parameters of its style."""
        return self.style.get(configuration.variant.ruleset, {})

    def tunable_parameters(self, configuration: Configuration) -> dict[str, Parameter]:
        """Return the parameters that can be tuned for a configuration; this agent's values are the defaults."""
        ranges: dict[str, Parameter] = _MODULES[configuration.variant.ruleset].parameters_for(configuration)
        values = check_parameters(ranges, {**self.own_parameters(configuration), **self._given})
        return {name: replace(it, default=values.get(name, it.default)) for name, it in ranges.items()}

    def records_for(self, configuration: Configuration) -> Records:
        """Return new records for a configuration."""
        values = defaults_of(self.tunable_parameters(configuration))
        return new_records(values, _MODULES[configuration.variant.ruleset].records.PLAN)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return a legal action for each decision, shape (k,)."""
        return self._act(decisions)[0]

    def _act(self, decisions: Decisions) -> tuple[NDArray[np.int64], Array]:
        """Return actions, (k,), and the plan by which the last one was chosen, (1,)."""
        actions = np.zeros(len(decisions), np.int64)
        configuration = decisions.configuration
        if configuration not in self._records:
            self._records[configuration] = self.records_for(configuration)
        records = self._records[configuration]
        self.act_function(decisions.views, decisions.masks, configuration.rules, *records, actions)
        return actions, records.plan

    def opinions(self, decisions: Decisions) -> list[Opinion]:
        """Return the same actions, with the plan in words."""
        found = []
        for decision in decisions.split():
            actions, plan = self._act(decision)
            reason = plan_text(decisions.configuration, decision.views[0], plan[0])
            found.append(Opinion(int(actions[0]), reason=reason))
        return found


class AnyMapPlanner(PlanningAgent):
    """The planner as it plays a map that it has not been tuned for: its parameters are tuned on generated maps."""

    stateless = True

    def own_parameters(self, configuration: Configuration) -> Mapping[str, int]:
        """Return the parameters for any map; none in the Card Game."""
        usual = any_map_parameters()
        is_map = configuration.variant.ruleset == "map_game"
        return map_game.fit_parameters(usual, configuration) if usual and is_map else {}


class PlannerAgent(AnyMapPlanner):
    """The strongest agent without search: its parameters are tuned for each game and number of players.

    It collects cards for its plan, and waits with claims until the plan is nearly paid for.
    """

    stateless = True

    def own_parameters(self, configuration: Configuration) -> Mapping[str, int]:
        """Return the tuned parameters of the game, or those for any map."""
        return tuned_parameters(configuration) or super().own_parameters(configuration)


AT_ONCE = {
    "min_ticket_gain": 0,
    "max_open_routes": 0,
    "min_turns_to_draw_tickets": 16,
    "max_hand": 0,
    "ticket_route_value": 200,
}
"""Claims do not wait, those for tickets come first, and a seat draws tickets only early and once it has its own."""


class GreedyAgent(PlanningAgent):
    """A baseline that claims planned routes as soon as it can pay for them, and otherwise draws cards."""

    stateless = True
    style: ClassVar = {"map_game": AT_ONCE, "card_game": {"min_play_advantage": 60}}


class RacerAgent(PlanningAgent):
    """An agent that claims long routes, keeps few tickets, never draws any, and ends the game early."""

    stateless = True
    style: ClassVar = {
        "map_game": {
            "max_planned_tickets": 1,
            "min_turns_to_draw_tickets": 40,
            "max_hand": 45,
            "long_route_length": 4,
            "ticket_route_value": 0,
        },
        "card_game": {"min_play_advantage": 200, "cards_per_100_turns": 40, "drawn_tickets_percent": 0},
    }


class LongRoutesAgent(PlanningAgent):
    """An agent that plans its tickets over long routes; in the Card Game it prefers large tickets."""

    stateless = True
    style: ClassVar = {
        "map_game": {"point_discount": 2, "max_open_routes": 0, "long_route_length": 4},
        "card_game": {"min_play_advantage": 60, "prefers_large_tickets": 1},
    }


class OnePlanAgent(PlanningAgent):
    """An agent that works for one ticket after the other."""

    stateless = True
    style: ClassVar = {
        "map_game": {**AT_ONCE, "max_planned_tickets": 1},
        "card_game": {"min_play_advantage": 60, "max_planned_tickets": 1},
    }


class TicketHungryAgent(PlanningAgent):
    """An agent that draws tickets before it has completed its own, and keeps many."""

    stateless = True
    style: ClassVar = {
        "map_game": {
            "reserve_percent": 25,
            "min_ticket_gain": 20,
            "max_open_routes": 1,
            "min_turns_to_draw_tickets": 8,
            "max_hand": 0,
        },
        "card_game": {"min_play_advantage": 60, "cards_per_100_turns": 120, "drawn_tickets_percent": 80},
    }
