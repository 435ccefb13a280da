"""How an agent with a plan (`t2r_agents.route_plan`) acts in a map game, as far as agents do that alike.

A function that chooses returns an action, or `NO_ACTION` where its docstring says so.
"""

LOWEST = -100_000_000
"""Less than any value by which actions are compared."""
