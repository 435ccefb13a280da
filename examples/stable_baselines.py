"""MaskablePPO of sb3-contrib learns to play one seat against random opponents.

`SeatVecEnv` is a vector environment of Stable-Baselines3 that steps all games together, without processes. With
`--by-id` the games are made by `make_vec_env` and the name of an environment, which is slower. MaskablePPO asks
both for masks. Needs the extra `train`.

    python examples/stable_baselines.py
    python examples/stable_baselines.py --by-id
    python examples/stable_baselines.py --variant usa --opponents greedy --total-timesteps 1000000
    python examples/stable_baselines.py --save model.zip
    t2r tournament --variant new_york --agents examples.stable_baselines:ModelAgent:model.zip greedy
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import VecEnv

import t2r_env
from t2r_env.agents import Decisions
from t2r_env.envs.stable_baselines import SeatVecEnv
from t2r_env.games import Reward

EVALUATION_SEED = 1_000_000
"""Evaluations play games that training does not."""


class ModelAgent:
    """A model of MaskablePPO as an agent, whatever its network. It was trained on `SeatVecEnv`, and saved."""

    stateless = True

    def __init__(self, file: str) -> None:
        """Load what `MaskablePPO.save` has written."""
        self.model = MaskablePPO.load(file, device="cpu")

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return the most probable legal action for each of the k decisions, shape (k,)."""
        actions, _ = self.model.predict(decisions.observations, action_masks=decisions.masks, deterministic=True)
        return np.asarray(actions, np.int64)


def make(variant: str, num_envs: int, opponents: str, reward: Reward, seed: int, by_id: bool) -> VecEnv:
    """Return games in which the learner has a random seat."""
    if by_id:
        name = t2r_env.configure(variant).variant.environment_id
        options = {"opponents": opponents, "seat": "random", "reward": reward, "render_mode": None}
        return make_vec_env(name, n_envs=num_envs, seed=seed, env_kwargs=options)
    return SeatVecEnv(variant, num_envs=num_envs, opponents=opponents, seat="random", reward=reward, seed=seed)


def wins(model: MaskablePPO, variant: str, opponents: str, episodes: int, by_id: bool) -> float:
    """Return the share of games that a model wins, shared victories counting in part."""
    env = make(variant, min(64, episodes), opponents, "win", EVALUATION_SEED, by_id)
    returns, _ = evaluate_policy(model, env, n_eval_episodes=episodes, return_episode_rewards=True)
    return float(np.mean(returns))


def train(
    variant: str,
    opponents: str,
    total_timesteps: int,
    n_steps: int,
    episodes: int,
    seed: int,
    by_id: bool,
    save: Path | None,
) -> tuple[float, float]:
    """Train a model, and save it; return its share of wins before and after."""
    torch.set_num_threads(1)
    env = make(variant, 64, opponents, "margin", seed, by_id)
    policy = "MultiInputPolicy" if by_id else "MlpPolicy"
    model = MaskablePPO(policy, env, n_steps=n_steps, batch_size=512, seed=seed, device="cpu")
    before = wins(model, variant, opponents, episodes, by_id)
    print(f"before training: {before:.1%} of {episodes} games won against {opponents}")
    model.learn(total_timesteps)
    if save:
        model.save(save)
    after = wins(model, variant, opponents, episodes, by_id)
    print(f"after {model.num_timesteps:,} decisions: {after:.1%} of {episodes} games won")
    return before, after


def main(command: Sequence[str] | None = None) -> tuple[float, float]:
    """Train with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help="the name of a variant, or a folder without --by-id")
    parser.add_argument("--opponents", default="random", help="an agent")
    parser.add_argument("--total-timesteps", type=int, default=32_768, help="decisions of the learner")
    parser.add_argument("--n-steps", type=int, default=64, help="decisions in each game between two updates")
    parser.add_argument("--episodes", type=int, default=400, help="games of each evaluation")
    parser.add_argument("--by-id", action="store_true", help="make the games by the name of an environment")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", type=Path, help="the file for the model (default: none)")
    return train(**vars(parser.parse_args(command)))


if __name__ == "__main__":
    main()
