"""What there is to play; playing PettingZoo environments at random, and what was seen of it."""

from typing import Any

import numpy as np
import pytest

from t2r_env import VARIANTS
from t2r_env.boxes import load_box
from t2r_env.envs.aec import AECEnvironment

BOXES = [load_box(variant) for variant in VARIANTS]

CONFIGURATIONS = [(box.id, players) for box in BOXES for players in range(box.min_players, box.max_players + 1)]
"""Each variant with each of its numbers of players."""

every_variant = pytest.mark.parametrize("variant", VARIANTS)
every_variant_once = pytest.mark.parametrize(
    ("variant", "players"), [(box.id, max(3, box.min_players)) for box in BOXES]
)
every_configuration = pytest.mark.parametrize(("variant", "players"), CONFIGURATIONS)

DECKS = [(variant, players, load_box(variant).default_ticket_deck) for variant, players in CONFIGURATIONS]
DECKS += [
    (box.id, box.min_players, deck) for box in BOXES for deck in box.ticket_decks if deck != box.default_ticket_deck
]
"""Each of these with its usual tickets, and each variant's fewest players with its other ones."""

every_deck = pytest.mark.parametrize(("variant", "players", "tickets"), DECKS)

Course = list[tuple[str, list[int], list[int], float, bool, bool, dict[str, Any]]]


def play(env: AECEnvironment, decisions: int | None = None, seed: int = 0) -> Course:
    """Play on from where the game stands, for so many steps or until no agent is left.

    Returns each selected agent with all that `last` gave it. The same seed makes the same choices.
    """
    generator = np.random.default_rng(seed)
    course: Course = []
    for agent in env.agent_iter(2**63 if decisions is None else decisions):
        seen, reward, terminated, truncated, info = env.last()
        assert seen is not None
        course.append(
            (agent, seen["observation"].tolist(), seen["action_mask"].tolist(), reward, terminated, truncated, info)
        )
        legal = np.flatnonzero(seen["action_mask"])
        env.step(None if terminated or truncated else generator.choice(legal))
    return course


def play_to_the_end(env: AECEnvironment, seed: int = 0) -> None:
    """Play until the game is over, no agent having taken its leave."""
    generator = np.random.default_rng(seed)
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        env.step(generator.choice(np.flatnonzero(env.games.masks[0])))


def returns(course: Course) -> dict[str, float]:
    """The sum of what `last` gave to each agent."""
    total: dict[str, float] = {}
    for agent, _, _, reward, *_ in course:
        total[agent] = total.get(agent, 0) + reward
    return total
