"""Tournaments between agents: every deal is played once for each rotation of its line-up.

    t2r tournament --variant usa --num-players 2 --agents random greedy --games 1000 --out demo

`schedule` says who plays when, `playing` plays the games, `workers` shares them among processes, `isolation` gives each
agent a process of its own (`agent_process`), `folder` stores the games, `standings` and `ratings` evaluate them,
`terminal`, `highlights` and `report` show the results. The same command plays the same games.
"""

from t2r_agents.tournament.tournament import Tournament

__all__ = ["Tournament"]
