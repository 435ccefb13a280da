"""Agents against each other: every deal is played once for each rotation of its line-up.

    python -m agents.tournament --variant usa --players 2 --agents random greedy --games 1000 --out demo

`schedule` says who plays when, `playing` plays it, `workers` shares it among processes, `folder` keeps it,
`standings` and `ratings` count it, `report` and `command` show it. The same command plays the same games.
"""

from agents.tournament.tournament import Tournament

__all__ = ["Tournament"]
