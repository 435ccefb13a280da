"""How the planner plays the Card Game: as greedy does, but it waits longer for larger sets.

Larger sets save turns, rob others, and are not robbed themselves.
"""

from collections.abc import Mapping

from t2r_agents.greedy import card_game
from t2r_agents.greedy.card_game import act, decide
from t2r_agents.planner.parameters import Parameter
from t2r_agents.records import PlanRecords
from t2r_env import Configuration

__all__ = ["act", "decide", "parameters_for", "records_for"]

PARAMETERS = {
    "min_play_advantage": Parameter(160, 0, 400, "tenths of a point by which a play must be worth more than drawing"),
    "cards_per_100_turns": Parameter(60, 0, 150, "cards that it counts on drawing and playing in 100 turns to come"),
    "drawn_tickets_percent": Parameter(40, 0, 100, "what drawn tickets bring, in percent of what each brings alone"),
    "max_planned_tickets": Parameter(46, 1, 46, "tickets that it works for at a time"),
    "prefers_large_tickets": Parameter(0, 0, 1, "whether it prefers large tickets"),
}


def parameters_for(configuration: Configuration) -> Mapping[str, Parameter]:
    """What may be tuned."""
    return PARAMETERS


def records_for(configuration: Configuration, parameters: Mapping[str, int]) -> PlanRecords:
    """Records for planning with these parameters, and the defaults for the others."""
    return card_game.new_records(**{name: it.default for name, it in PARAMETERS.items()} | dict(parameters))
