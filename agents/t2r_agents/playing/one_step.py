"""The agent `one_step`: it always claims the route with the most points at once, as others do in their last turn.

Tickets count only when a claim completes them.
"""

from typing import ClassVar

from t2r_agents.playing.planner import PlanningAgent, card_game
from t2r_agents.playing.planner.map_game import decide
from t2r_agents.playing.planner.map_game.last_turn import best_last_claim
from t2r_agents.playing.planner.map_game.position import begin_plan
from t2r_agents.playing.planner.map_game.records import Parameters, Plan
from t2r_env.agents import Array
from t2r_env.core.compiled import cached, compiled, for_record
from t2r_env.rules.map_game.records import MapRules, MapState
from t2r_env.rules.names import NO_ACTION
from t2r_env.rules.rulesets import RULESETS


@compiled
def _decide(view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan) -> int:
    """Return an action for a decision of any phase: a claim if there is one, else by a plan of routes for points."""
    begin_plan(view, rules, parameters, plan)
    action, _ = best_last_claim(view, mask, rules, plan)
    return decide(view, mask, rules, parameters, plan) if action == NO_ACTION else action


_decide_any = for_record({RULESETS["map_game"].state: _decide, RULESETS["card_game"].state: card_game.decide})


@cached
def _act(views: Array, masks: Array, rules: Array, parameters: Array, plans: Array, chosen: Array) -> None:
    for row in range(views.shape[0]):
        chosen[row] = _decide_any(views[row], masks[row], rules[0], parameters[0], plans[0])


class OneStepAgent(PlanningAgent):
    """An agent that takes the action with the most points at once."""

    stateless = True
    style: ClassVar = {
        "map_game": {"max_planned_tickets": 0, "min_turns_to_draw_tickets": 40, "locomotive_value": 80, "max_hand": 0},
        "card_game": {"min_play_advantage": -400, "max_planned_tickets": 0},
    }
    act_function: ClassVar = staticmethod(_act)
