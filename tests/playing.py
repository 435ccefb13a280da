"""Playing PettingZoo environments at random, and what was seen of it."""

from typing import Any

import numpy as np

from t2r_env.envs.aec import AECEnvironment

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
