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

SHOWN = {
    "usa": (11, ("planner", "long_routes", "racer")),
    "new_york": (2, ("planner", "ismcts:1000")),
    "legendary_asia": (28, ("planner", "greedy", "planner")),
    "team_asia": (18, ("planner", "greedy", "planner", "greedy")),
    "pennsylvania": (27, ("planner", "greedy", "one_plan")),
    "united_kingdom": (40, ("racer", "planner", "long_routes")),
    "card_game": (28, ("planner", "one_plan", "racer")),
    "europe": (9, ("planner", "greedy", "racer")),
    "india": (35, ("planner", "greedy", "racer")),
    "switzerland": (13, ("planner", "greedy", "planner")),
    "nordic": (3, ("planner", "one_plan", "planner")),
}
"""The seed of each game, chosen for games that are close, and who plays, in the order of seats."""
AGENTS = {variant: agents for variant, (_, agents) in SHOWN.items()}


def record(variant: str) -> Replay:
    """Play the game of a variant to its end."""
    seed, names = SHOWN[variant]
    agents = [find_agent(name) for name in names]
    games = t2r_env.Games(variant, len(agents), seed=seed, autoreset=False, record=True)
    keys, rows, seating = agent_keys(games.seeds), np.zeros(1, np.int64), np.arange(len(agents))[np.newaxis]
    while not (games.terminated[0] or games.truncated[0]):
        step_agents(games, rows, agents, seating, decision_seeds(games, rows, keys))
    return Replay.of(games)


def main(variants: Sequence[str]) -> None:
    """Record the games of these variants, or of all. Exits with a message if it is not said who plays."""
    if unknown := [variant for variant in variants if variant not in SHOWN]:
        sys.exit(f"{unknown[0]} is not in SHOWN of docs/record_games.py, which says who plays")
    for variant in variants or SHOWN:
        record(variant).save(FOLDER / f"{variant}.json")


if __name__ == "__main__":
    main(sys.argv[1:])
