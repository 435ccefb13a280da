"""Record the games that the pages show: python -m docs.record_games [VARIANT ...].

One of each variant, in docs/replays, played by agents from a fixed seed. `docs/pictures.py` makes pictures and pages of
them.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import t2r_env
from t2r_env.agents import find_agent, step_agents
from t2r_env.replay import Replay
from t2r_env.seeding import agent_keys, decision_seeds

FOLDER = Path(__file__).parent / "replays"

AGENTS = {
    "usa": ("planner", "long_routes", "racer"),
    "new_york": ("planner", "ismcts:1000"),
    "legendary_asia": ("planner", "greedy", "planner"),
    "team_asia": ("planner", "greedy", "planner", "greedy"),
    "pennsylvania": ("planner", "greedy", "one_plan"),
    "united_kingdom": ("racer", "planner", "long_routes"),
    "card_game": ("planner", "one_plan", "racer"),
    "europe": ("planner", "greedy", "racer"),
    "india": ("planner", "greedy", "racer"),
    "switzerland": ("planner", "greedy", "planner"),
    "nordic": ("planner", "one_plan", "planner"),
}
"""Who plays, in the order of seats."""
SEEDS = {
    "usa": 11,
    "new_york": 2,
    "legendary_asia": 28,
    "team_asia": 18,
    "pennsylvania": 27,
    "united_kingdom": 40,
    "card_game": 28,
    "europe": 9,
    "india": 35,
    "switzerland": 13,
    "nordic": 3,
}
"""Chosen for games that are close."""


def record(variant: str) -> Replay:
    """Play the game of a variant to its end."""
    agents = [find_agent(name) for name in AGENTS[variant]]
    games = t2r_env.Games(variant, len(agents), seed=SEEDS[variant], autoreset=False, record=True)
    keys, rows, seating = agent_keys(games.seeds), np.zeros(1, np.int64), np.arange(len(agents))[np.newaxis]
    while not (games.terminated[0] or games.truncated[0]):
        step_agents(games, rows, agents, seating, decision_seeds(games, rows, keys))
    return Replay.of(games)


def main(variants: Sequence[str]) -> None:
    """Record the games of these variants, or of all."""
    for variant in variants or AGENTS:
        record(variant).save(FOLDER / f"{variant}.json")


if __name__ == "__main__":
    main(sys.argv[1:])
