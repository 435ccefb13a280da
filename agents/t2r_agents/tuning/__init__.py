"""Tuning: the parameters of an agent that win the most games against a pool of agents, found by search.

    t2r tune --variant usa --num-players 2 --agent planner --against planner:v1 racer long_routes --out tuned

An agent can be tuned if it offers `tunable_parameters(configuration)`, by name a `Parameter`, whose default is what it
plays with now, and if its class takes `parameters=` with other values (`Tunable`).

`matches` plays a candidate against others, `tuning` proposes candidates and learns from their results, `folder` keeps
them, `terminal` is the command. The same command finds the same parameters.
"""
