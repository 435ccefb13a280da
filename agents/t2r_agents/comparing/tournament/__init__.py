"""Tournaments between agents: every deal is played once for each rotation of its line-up.

    t2r tournament --variant usa --num-players 2 --agents random greedy --games 1000 --out demo

`schedule` lists the games, `players` makes the agents, `isolation` gives them processes of their own
(`agent_process`), `playing` plays the games, `workers` and `ray_workers` share them among processes, `folder` stores
them, `standings` and `ratings` evaluate them, `terminal`, `replays` and `report` show the results. The same command
plays the same games.
"""

from t2r_agents.comparing.tournament.tournament import Tournament

__all__ = ["Tournament"]
