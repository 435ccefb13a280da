"""The planner of version 0.1, `planner:v1`, kept until the next release as a yardstick for its successor.

It plans all its tickets at once, collects cards for the plan, and waits with claims until the plan is nearly paid for.
"""

from t2r_agents.planner_v1 import card_game, map_game

PLAYERS = {"map_game": map_game, "card_game": card_game}
"""How it plays, by ruleset: modules with `records_for(configuration)` and a compiled `act`."""
