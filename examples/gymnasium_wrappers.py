"""Gymnasium's wrappers around one game, and around many games at once.

The mask of legal actions stays in `info["action_mask"]`. One game is wrapped in `FilterObservation` (the vector without
the mask), `FlattenObservation`, `TimeAwareObservation` (the number of decisions so far; it needs `max_episode_steps`),
`TransformReward` and `RecordEpisodeStatistics`, the vector environment in wrappers of `gymnasium.wrappers.vector`.

    python examples/gymnasium_wrappers.py
    python examples/gymnasium_wrappers.py --variant usa --opponents greedy
"""

import argparse
from collections.abc import Sequence

import gymnasium
import numpy as np
from gymnasium.wrappers import (
    FilterObservation,
    FlattenObservation,
    RecordEpisodeStatistics,
    TimeAwareObservation,
    TransformReward,
    vector,
)

import t2r_env

LIMIT = 1000
"""The number of decisions of a seat after which a game is truncated: more than a game has."""


def play_one(game: str, opponents: str, episodes: int, seed: int) -> list[float]:
    """Play games at random one after the other; return the points by which each was won or lost."""
    counted = RecordEpisodeStatistics(
        gymnasium.make(game, opponents=opponents, reward="margin", max_episode_steps=LIMIT)
    )
    seen = TimeAwareObservation(FlattenObservation(FilterObservation(counted, ["observation"])))
    env = TransformReward(seen, lambda reward: float(reward) / 10)  # outside of the statistics, which count points
    margins = []
    env.action_space.seed(seed)
    for episode in range(episodes):
        observation, info = env.reset(seed=seed if episode == 0 else None)
        over = False
        while not over:
            observation, _, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
            over = terminated or truncated
        margins.append(float(info["episode"]["r"]))
        print(f"game {episode}: {info['episode']['l']} decisions, {margins[-1]:+.0f} points, score {info['score']}")
    print(f"the last observation has {observation.size} numbers; the last one counts decisions: {observation[-1]}")
    return margins


def play_many(game: str, opponents: str, num_envs: int, steps: int, seed: int) -> list[float]:
    """Play many games at once at random; return the points by which the last 1,000 were won or lost."""
    games = gymnasium.make_vec(game, num_envs=num_envs, opponents=opponents, reward="margin", autoreset_mode="SameStep")
    recorded = vector.RecordEpisodeStatistics(games, buffer_length=1000)
    envs = vector.TransformReward(recorded, lambda rewards: rewards / 10)
    rng = np.random.default_rng(seed)
    _, infos = envs.reset(seed=seed)
    for _ in range(steps):
        masks = infos["action_mask"]
        actions = (masks * rng.random(masks.shape)).argmax(axis=1)
        _, _, _, _, infos = envs.step(actions)
    if not recorded.episode_count:
        print(f"no game was over after {steps} decisions in each")
        return []
    print(
        f"{recorded.episode_count} games, the last {len(recorded.return_queue)} of"
        f" {np.mean(recorded.length_queue):.1f} decisions and {np.mean(recorded.return_queue):+.1f} points on average"
    )
    return [float(margin) for margin in recorded.return_queue]


def main(command: Sequence[str] | None = None) -> tuple[list[float], list[float]]:
    """Play with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help=f"one of {', '.join(t2r_env.VARIANTS)}")
    parser.add_argument("--opponents", default="random", help="an agent")
    parser.add_argument("--episodes", type=int, default=3, help="games that are played one after the other")
    parser.add_argument("--num-envs", type=int, default=64, help="games that are played at once")
    parser.add_argument("--steps", type=int, default=200, help="decisions in each of these")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(command)
    game = t2r_env.configure(arguments.variant).variant.environment_id
    one = play_one(game, arguments.opponents, arguments.episodes, arguments.seed)
    return one, play_many(game, arguments.opponents, arguments.num_envs, arguments.steps, arguments.seed)


if __name__ == "__main__":
    main()
