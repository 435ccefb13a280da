"""Many games at once through Gymnasium's vector API: this program plays one seat of each, opponents the others.

Observations are dictionaries with a row for each game: `observation`, and `action_mask`, which is 1 for each legal
action. With the autoreset mode `SameStep` the next game begins in the step that ends a game; `infos` then holds the
last observation and the result of the ended game.

    python examples/gymnasium_vector.py
    python examples/gymnasium_vector.py --num-envs 1024 --opponents greedy
"""

import argparse
from collections.abc import Sequence

import gymnasium
import numpy as np
from numpy.typing import NDArray

import t2r_env


def choose(masks: NDArray[np.int8], claims: slice, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a legal action for each game: a random claim where there is one, otherwise a random action."""
    weights = masks * rng.random(masks.shape)
    weights[:, claims] *= 1000
    return np.asarray(weights.argmax(axis=1), np.int64)


def play(num_envs: int, opponents: str, steps: int, seed: int) -> tuple[int, float]:
    """Play some steps of all games; return the number of games that ended, and the share of them that was won."""
    envs = gymnasium.make_vec(
        "t2r_env/new_york-v0",
        num_envs=num_envs,
        num_players=2,
        opponents=opponents,
        seat="random",
        reward="win",
        autoreset_mode="SameStep",
    )
    claims = t2r_env.configure("new_york", 2).layout.actions["claim"].slice
    rng = np.random.default_rng(seed)
    observations, infos = envs.reset(seed=seed)
    games, wins = 0, 0.0
    scores: list[float] = []
    for _ in range(steps):
        actions = choose(observations["action_mask"], claims, rng)
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        ended = terminated | truncated
        games += int(ended.sum())
        wins += float(rewards.sum())  # a win is 1, shared among the winners, and comes with the end
        if terminated.any():
            scores += infos["final_info"]["score"][terminated].tolist()
    envs.close()
    share = wins / games if games else 0.0
    print(f"{games} games ended, {share:.1%} of them won against {opponents}; mean score {np.mean(scores or [0]):.1f}")
    return games, share


def main(command: Sequence[str] | None = None) -> tuple[int, float]:
    """Play with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--num-envs", type=int, default=256)
    parser.add_argument("--opponents", default="random", help="an agent")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(command)
    return play(arguments.num_envs, arguments.opponents, arguments.steps, arguments.seed)


if __name__ == "__main__":
    main()
